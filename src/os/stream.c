// stream.c - read a compressed input while it is unpacked
// SPDX-License-Identifier: MIT
//
// Byte n of the output is at n % PMON_STREAM_BYTES in the ring, which holds bytes `floor` to `produced`.
// The thread writes after `produced`; only the reader moves `floor`. Each waits until the other has made
// some progress, so that they do not wake each other for every piece.

#include "os/stream.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "os/threads.h"
#include "os/unpack.h"
#include "os/unpacker.h"

#define RING PMON_STREAM_BYTES
#define STEP (RING / 8) // progress that is worth a wakeup

struct stream {
	struct unpack unpack;
	unpack_fn unpacker;
	const struct pmon_allocator *allocator;
	uint8_t *ring;
	struct pmon_thread thread;
	bool is_running; // the thread was begun
	struct pmon_lock lock;
	struct pmon_condition is_room;
	struct pmon_condition is_more;
	// under the lock
	uint64_t produced;
	uint64_t floor;
	uint64_t wanted;   // the reader sleeps until `produced` reaches this; 0: it is awake
	bool is_waiting;   // the thread waits for room
	bool is_over;      // the thread has ended its output
	bool is_stopped;   // the reader needs no more output
	bool is_exhausted; // the end was reached without an error
	// the reader's own
	bool is_forward; // the beginning is no longer kept
};

// ---- The thread -----------------------------------------------------------------------------

// Contiguous room after `produced`.
static size_t
room_in(const struct stream *s)
{
	uint64_t free = s->floor + RING - s->produced;
	uint64_t piece = RING - s->produced % RING;

	piece = piece < UNPACK_CHUNK ? piece : UNPACK_CHUNK;
	return (size_t)(free < piece ? free : piece);
}

// Set where the unpacker writes next. PMON_END if the reader needs no more.
static enum pmon_status
find_room(struct stream *s)
{
	s->unpack.room = room_in(s);
	if (s->unpack.room == 0) {
		s->is_waiting = true;
		pmon_condition_wake(&s->is_more);
	}
	while (s->is_waiting && !s->is_stopped)
		pmon_condition_wait(&s->is_room, &s->lock);
	s->unpack.room = room_in(s);
	s->unpack.plain = s->ring + s->produced % RING;
	return s->is_stopped ? PMON_END : PMON_OK;
}

static enum pmon_status
publish(struct unpack *u, size_t len, struct pmon_err *err)
{
	struct stream *s = (struct stream *)u;
	enum pmon_status status;

	(void)err;
	pmon_lock_take(&s->lock);
	s->produced += len;
	if (s->wanted != 0 && s->produced >= s->wanted)
		pmon_condition_wake(&s->is_more);
	status = find_room(s);
	pmon_lock_give(&s->lock);
	return status;
}

static void
unpack_all(void *ctx)
{
	struct stream *s = ctx;
	enum pmon_status status = s->unpacker(&s->unpack, NULL);

	pmon_lock_take(&s->lock);
	s->is_over = true;
	s->is_exhausted = status == PMON_OK && s->unpack.cut_at == 0;
	pmon_condition_wake(&s->is_more);
	pmon_lock_give(&s->lock);
}

// ---- Its owner ------------------------------------------------------------------------------

static void
stop(struct stream *s)
{
	if (!s->is_running)
		return;
	pmon_lock_take(&s->lock);
	s->is_stopped = true;
	s->is_waiting = false;
	pmon_condition_wake(&s->is_room);
	pmon_lock_give(&s->lock);
	pmon_thread_join(&s->thread);
	s->is_running = false;
}

// Start unpacking at the beginning.
static bool
start(struct stream *s)
{
	stop(s);
	s->unpack.read = s->unpack.written = s->unpack.cut_at = 0;
	s->unpack.plain = s->ring;
	s->unpack.room = UNPACK_CHUNK;
	s->produced = s->floor = s->wanted = 0;
	s->is_waiting = s->is_over = s->is_stopped = s->is_exhausted = s->is_forward = false;
	s->is_running = pmon_thread_begin(&s->thread, unpack_all, s);
	return s->is_running;
}

// Release the bytes before this one.
static void
move_floor(struct stream *s, uint64_t offset)
{
	s->floor = offset < s->produced ? offset : s->produced;
	if (!s->is_waiting || s->floor + RING - s->produced < STEP)
		return;
	s->is_waiting = false;
	pmon_condition_wake(&s->is_room);
}

// Wait for output at this offset. Returns the number of bytes available; 0 at the end.
static uint64_t
wait_for(struct stream *s, uint64_t offset)
{
	if (s->is_forward)
		move_floor(s, offset);
	while (s->produced <= offset && !s->is_over) {
		// The only space that can be freed is that of the saved beginning.
		if (s->is_waiting) {
			s->is_forward = true;
			move_floor(s, offset);
		}
		s->wanted = offset + STEP;
		pmon_condition_wait(&s->is_more, &s->lock);
		s->wanted = 0;
	}
	return s->produced > offset ? s->produced - offset : 0;
}

static enum pmon_status
stream_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out,
	    struct pmon_err *err)
{
	struct stream *s = ctx;
	uint64_t piece = RING - offset % RING;
	uint64_t there;
	bool is_well;

	if (offset < s->floor && !start(s))
		return pmon_err_set(err, PMON_E_STATE, 0, "no thread");
	pmon_lock_take(&s->lock);
	there = wait_for(s, offset);
	is_well = there > 0 || s->is_exhausted;
	pmon_lock_give(&s->lock);
	if (!is_well)
		return pmon_err_set(err, PMON_E_STATE, offset,
				    "cannot be unpacked while being read");
	piece = piece < there ? piece : there;
	*got_out = piece < len ? (size_t)piece : len;
	memcpy(buf, s->ring + offset % RING, *got_out);
	return PMON_OK;
}

static void
free_stream(struct stream *s)
{
	const struct pmon_allocator *allocator = s->allocator;

	pmon_condition_destroy(&s->is_more);
	pmon_condition_destroy(&s->is_room);
	pmon_lock_destroy(&s->lock);
	pmon_mem_free(allocator, s->ring, RING);
	pmon_mem_free(allocator, s, sizeof(*s));
}

static void
stream_close(void *ctx)
{
	stop(ctx);
	free_stream(ctx);
}

static const struct pmon_file_ops stream_ops = {stream_read, stream_close};

static struct stream *
new_stream(const struct pmon_allocator *allocator)
{
	struct stream *s = pmon_mem_alloc0(allocator, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->allocator = allocator;
	s->ring = pmon_mem_alloc(allocator, RING);
	s->unpack.put = publish;
	if (s->ring != NULL && pmon_lock_init(&s->lock)) {
		if (pmon_condition_init(&s->is_room)) {
			if (pmon_condition_init(&s->is_more))
				return s;
			pmon_condition_destroy(&s->is_room);
		}
		pmon_lock_destroy(&s->lock);
	}
	pmon_mem_free(allocator, s->ring, RING);
	pmon_mem_free(allocator, s, sizeof(*s));
	return NULL;
}

enum pmon_status
pmon_file_stream(struct pmon_file *packed, uint64_t limit, const struct pmon_allocator *allocator,
		 struct pmon_file **out, struct pmon_err *err)
{
	unpack_fn unpacker;
	enum pmon_status status = pmon_unpack_find(packed, allocator, &unpacker, err);
	struct stream *s;

	*out = NULL;
	if (status != PMON_OK || unpacker == NULL)
		return status != PMON_OK ? status : PMON_END;
	s = new_stream(pmon_mem_allocator(allocator));
	if (s == NULL)
		return pmon_err_nomem(err);
	s->unpacker = unpacker;
	s->unpack.packed = packed;
	s->unpack.limit = pmon_unpack_limit(packed, limit, PMON_STREAM_TIMES);
	status = start(s) ? PMON_OK : pmon_err_set(err, PMON_E_STATE, 0, "no thread");
	if (status == PMON_OK)
		status = pmon_file_custom(&stream_ops, s, PMON_FILE_ENDLESS, allocator, out, err);
	if (status != PMON_OK)
		stream_close(s);
	return status;
}
