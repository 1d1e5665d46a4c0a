// arena.c - memory that is freed all at once
// SPDX-License-Identifier: MIT

#include "base/arena.h"

#include <string.h>

#include "base/mem.h"

#define BLOCK_BYTES 16384

struct pmon_arena_block {
	struct pmon_arena_block *next;
	size_t size; // of the whole block
	size_t used; // header included
};

static const size_t alignment = sizeof(max_align_t) > 16 ? 16 : sizeof(max_align_t);

static size_t
align_up(size_t n)
{
	return (n + alignment - 1) & ~(alignment - 1);
}

void
pmon_arena_init(struct pmon_arena *arena, const struct pmon_allocator *allocator)
{
	arena->allocator = allocator;
	arena->blocks = NULL;
}

void
pmon_arena_free(struct pmon_arena *arena)
{
	struct pmon_arena_block *block = arena->blocks;

	while (block != NULL) {
		struct pmon_arena_block *next = block->next;

		pmon_mem_free(arena->allocator, block, block->size);
		block = next;
	}
	arena->blocks = NULL;
}

static struct pmon_arena_block *
new_block(struct pmon_arena *arena, size_t size)
{
	size_t head = align_up(sizeof(struct pmon_arena_block));
	size_t bytes = size > BLOCK_BYTES - head ? head + size : BLOCK_BYTES;
	struct pmon_arena_block *block = pmon_mem_alloc(arena->allocator, bytes);

	if (block == NULL)
		return NULL;
	block->size = bytes;
	block->used = head;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *
pmon_arena_alloc(struct pmon_arena *arena, size_t size)
{
	struct pmon_arena_block *block = arena->blocks;
	void *ptr;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = align_up(size);
	if (block == NULL || block->size - block->used < size) {
		block = new_block(arena, size);
		if (block == NULL)
			return NULL;
	}
	ptr = (char *)block + block->used;
	block->used += size;
	memset(ptr, 0, size);
	return ptr;
}

bool
pmon_arena_copy(struct pmon_arena *arena, struct pmon_span text, struct pmon_span *out)
{
	char *copy;

	*out = (struct pmon_span){NULL, 0};
	if (text.ptr == NULL)
		return true;
	copy = pmon_arena_alloc(arena, text.len + 1);
	if (copy == NULL)
		return false;
	if (text.len > 0)
		memcpy(copy, text.ptr, text.len);
	*out = (struct pmon_span){copy, text.len};
	return true;
}

void
pmon_arena_take(struct pmon_arena *arena, struct pmon_arena *other)
{
	struct pmon_arena_block **end = &arena->blocks;

	while (*end != NULL)
		end = &(*end)->next;
	*end = other->blocks;
	other->blocks = NULL;
}
