// ahead.c - read-ahead of a file in a thread
// SPDX-License-Identifier: MIT

#include "os/ahead.h"

#include "base/mem.h"
#include "os/threads.h"

#define N_BLOCKS 3

struct block {
	uint64_t offset;
	size_t got;
	bool is_good;
	uint8_t *bytes;
};

struct pmon_ahead {
	const struct pmon_allocator *allocator;
	struct pmon_file *file;
	size_t block_bytes;
	uint8_t *bytes;
	struct pmon_thread thread;
	struct pmon_lock lock; // protects n_read, n_given and is_ended
	struct pmon_condition changed;
	bool is_ended;

	// A ring buffer. The owner has the blocks from n_given up to n_read, the thread has the others.
	struct block ring[N_BLOCKS];
	uint64_t n_read;
	uint64_t n_given;
};

// ---- The thread -----------------------------------------------------------------------------

// Read one block. Returns false at the end or after an error.
static bool
read_block(struct pmon_ahead *a, struct block *block, uint64_t offset)
{
	block->offset = offset;
	block->is_good = pmon_file_read(a->file, offset, block->bytes, a->block_bytes, &block->got,
					NULL) == PMON_OK;
	return block->is_good && block->got == a->block_bytes;
}

// Reads from the offset of the first block in the ring.
static void
work(void *ctx)
{
	struct pmon_ahead *a = ctx;
	uint64_t offset = a->ring[0].offset;
	bool goes_on = true;

	pmon_lock_take(&a->lock);
	while (!a->is_ended && goes_on) {
		if (a->n_read - a->n_given == N_BLOCKS) {
			pmon_condition_wait(&a->changed, &a->lock);
			continue;
		}
		pmon_lock_give(&a->lock);
		goes_on = read_block(a, &a->ring[a->n_read % N_BLOCKS], offset);
		offset += a->block_bytes;
		pmon_lock_take(&a->lock);
		a->n_read++;
		pmon_condition_wake(&a->changed);
	}
	pmon_lock_give(&a->lock);
}

// ---- Its owner ------------------------------------------------------------------------------

static bool
begin_thread(struct pmon_ahead *a)
{
	if (!pmon_lock_init(&a->lock))
		return false;
	if (pmon_condition_init(&a->changed)) {
		if (pmon_thread_begin(&a->thread, work, a))
			return true;
		pmon_condition_destroy(&a->changed);
	}
	pmon_lock_destroy(&a->lock);
	return false;
}

static void
free_ahead(struct pmon_ahead *a)
{
	pmon_mem_free(a->allocator, a->bytes, N_BLOCKS * a->block_bytes);
	pmon_mem_free(a->allocator, a, sizeof(*a));
}

struct pmon_ahead *
pmon_ahead_open(struct pmon_file *file, uint64_t offset, size_t block_bytes,
		const struct pmon_allocator *allocator)
{
	struct pmon_ahead *a = pmon_mem_alloc0(allocator, sizeof(*a));

	if (a == NULL)
		return NULL;
	a->allocator = allocator;
	a->file = file;
	a->block_bytes = block_bytes;
	a->bytes = pmon_mem_alloc(allocator, N_BLOCKS * block_bytes);
	for (size_t i = 0; a->bytes != NULL && i < N_BLOCKS; i++)
		a->ring[i].bytes = a->bytes + i * block_bytes;
	a->ring[0].offset = offset;
	if (a->bytes != NULL && begin_thread(a))
		return a;
	free_ahead(a);
	return NULL;
}

// Wait for the first block that was not given back.
static const struct block *
wait_for_first(struct pmon_ahead *a)
{
	pmon_lock_take(&a->lock);
	while (a->n_read == a->n_given)
		pmon_condition_wait(&a->changed, &a->lock);
	pmon_lock_give(&a->lock);
	return &a->ring[a->n_given % N_BLOCKS];
}

static void
give_back(struct pmon_ahead *a)
{
	pmon_lock_take(&a->lock);
	a->n_given++;
	pmon_condition_wake(&a->changed);
	pmon_lock_give(&a->lock);
}

const uint8_t *
pmon_ahead_take(struct pmon_ahead *a, uint64_t offset, size_t len, size_t *got_out)
{
	const struct block *block = wait_for_first(a);
	size_t at;

	// The block after the last one is never read.
	if (block->got == a->block_bytes && offset == block->offset + a->block_bytes) {
		give_back(a);
		block = wait_for_first(a);
	}
	if (!block->is_good || offset < block->offset || offset - block->offset >= block->got)
		return NULL;
	at = (size_t)(offset - block->offset);
	if (len > block->got - at) {
		if (block->got == a->block_bytes)
			return NULL;
		len = block->got - at;
	}
	*got_out = len;
	return block->bytes + at;
}

void
pmon_ahead_close(struct pmon_ahead *a)
{
	if (a == NULL)
		return;
	pmon_lock_take(&a->lock);
	a->is_ended = true;
	pmon_condition_wake(&a->changed);
	pmon_lock_give(&a->lock);
	pmon_thread_join(&a->thread);
	pmon_condition_destroy(&a->changed);
	pmon_lock_destroy(&a->lock);
	free_ahead(a);
}
