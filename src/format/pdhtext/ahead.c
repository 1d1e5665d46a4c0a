// ahead.c - read parts of a text log ahead, in threads
// SPDX-License-Identifier: MIT
//
// The lines from the current position to the end of the file are divided into parts of a few lines
// (part.c). Threads read a few parts at a time, and the caller helps while it would wait; parts are
// returned in order. An odd part is discarded, with those after it, and the caller reads its lines
// one by one, which reports what has to be reported; then it continues with parts. So samples and
// notices are the same as without threads.

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"
#include "os/threads.h"

#define N_PARTS      3
#define PART_BYTES   ((uint64_t)256 << 10)
#define MOST_COLUMNS 8192 // for wider logs, parts of several lines would need tens of MB
#define COLUMN_BYTES 32   // of a part per column: several lines
#define LEAST_BYTES  ((uint64_t)4 << 20) // remaining bytes that justify a thread
#define MOST_THREADS 2 // besides the caller's: samples are processed by one thread
#define MOST_ODD     3 // odd parts; after them the rest is read without threads

enum state {
	PART_FREE,
	PART_READY,
	PART_TAKEN, // by a thread
	PART_DONE,
};

// A sample of a part without its values, which are kept as numbers: raw values would need three
// times as much memory.
struct head {
	pmon_time time;
	int32_t utc_offset_min;
	bool are_numbers;
	size_t n;
	size_t first; // index of its first value
	uint64_t end; // offset in the file
};

struct lines {
	enum state state;
	uint64_t from;
	uint64_t to;
	bool is_odd;
	struct pdht part;
	struct pdht_map map;
	// the results
	struct head *heads;
	size_t n_heads;
	size_t heads_cap;
	size_t used; // number of values in each of these
	uint32_t *series;
	double *numbers;
	size_t series_cap;
	size_t numbers_cap;
};

struct pdht_ahead {
	const struct pmon_allocator *allocator;
	struct pmon_thread threads[MOST_THREADS];
	size_t n_threads;
	struct pmon_lock lock; // protects the states, n_given and is_ended
	struct pmon_condition changed;
	bool is_ended;

	// A ring of parts, in log order: those from n_given up to n_begun. Everything except the
	// states belongs to the caller, or to the thread that took the part.
	struct lines ring[N_PARTS];
	uint64_t n_given;
	uint64_t n_begun;
	uint64_t next; // where the next part begins
	uint64_t end;
	size_t at;    // next sample of the first part
	bool is_open; // samples of the first part are being returned
	unsigned n_odd;
	uint64_t alone_to; // the caller reads up to here
};

// ---- Reading a part -------------------------------------------------------------------------

// Make room for one more sample, into which the part reads.
static bool
make_room(struct lines *l)
{
	size_t n = l->used + l->part.map.n;

	if (n > l->series_cap || n > l->numbers_cap ||
	    !pmon_mem_grow(l->part.allocator, &l->heads, &l->heads_cap, l->n_heads + 1,
			   sizeof(*l->heads)))
		return false;
	l->part.series = l->series + l->used;
	l->part.numbers = l->numbers + l->used;
	return true;
}

static void
read_lines(struct lines *l)
{
	struct pdht *part = &l->part;
	enum pmon_status status = PMON_OK;

	l->n_heads = l->used = 0;
	while (status == PMON_OK) {
		status = make_room(l) ? pmon_pdht_part_read(part, NULL) : PMON_E_NOMEM;
		if (status != PMON_OK)
			break;
		l->heads[l->n_heads++] = (struct head){
			.time = part->sample.time,
			.utc_offset_min = part->sample.utc_offset_min,
			.are_numbers = part->source.numbers != NULL,
			.n = part->sample.n,
			.first = l->used,
			.end = part->source.info.bytes_read,
		};
		l->used += part->sample.n;
	}
	l->is_odd = status != PMON_END;
}

// ---- Threads --------------------------------------------------------------------------------

// Take and read the first part that no thread is reading. False if there is none. Called with the
// lock held, which is released while reading.
static bool
read_one(struct pdht_ahead *a)
{
	struct lines *l = NULL;

	for (uint64_t i = a->n_given; i < a->n_given + N_PARTS && l == NULL; i++)
		if (a->ring[i % N_PARTS].state == PART_READY)
			l = &a->ring[i % N_PARTS];
	if (l == NULL)
		return false;
	l->state = PART_TAKEN;
	pmon_lock_give(&a->lock);
	read_lines(l);
	pmon_lock_take(&a->lock);
	l->state = PART_DONE;
	pmon_condition_wake_all(&a->changed);
	return true;
}

static void
work(void *ctx)
{
	struct pdht_ahead *a = ctx;

	pmon_lock_take(&a->lock);
	while (!a->is_ended)
		if (!read_one(a))
			pmon_condition_wait(&a->changed, &a->lock);
	pmon_lock_give(&a->lock);
}

// Wait until the first part is read.
static struct lines *
wait_for_first(struct pdht_ahead *a)
{
	struct lines *l = &a->ring[a->n_given % N_PARTS];

	pmon_lock_take(&a->lock);
	while (l->state != PART_DONE)
		if (!read_one(a))
			pmon_condition_wait(&a->changed, &a->lock);
	pmon_lock_give(&a->lock);
	return l;
}

// Discard all parts.
static void
drop_parts(struct pdht_ahead *a)
{
	pmon_lock_take(&a->lock);
	for (size_t i = 0; i < N_PARTS; i++) {
		while (a->ring[i].state == PART_TAKEN)
			pmon_condition_wait(&a->changed, &a->lock);
		a->ring[i].state = PART_FREE;
	}
	a->n_given = a->n_begun;
	pmon_lock_give(&a->lock);
	a->is_open = false;
}

// ---- Beginning and ending -------------------------------------------------------------------

static bool
begin_threads(struct pdht_ahead *a, unsigned threads)
{
	if (!pmon_lock_init(&a->lock))
		return false;
	if (!pmon_condition_init(&a->changed)) {
		pmon_lock_destroy(&a->lock);
		return false;
	}
	while (a->n_threads + 1 < threads && a->n_threads < MOST_THREADS &&
	       pmon_thread_begin(&a->threads[a->n_threads], work, a))
		a->n_threads++;
	return true;
}

static void
free_lines(struct lines *l, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, l->part.input.buf, l->part.input.cap);
	pmon_pdht_map_free(&l->map, allocator);
	pmon_mem_free(allocator, l->heads, l->heads_cap * sizeof(*l->heads));
	pmon_mem_free(allocator, l->series, l->series_cap * sizeof(*l->series));
	pmon_mem_free(allocator, l->numbers, l->numbers_cap * sizeof(*l->numbers));
}

void
pmon_pdht_ahead_close(struct pdht *pdht)
{
	struct pdht_ahead *a = pdht->ahead;

	pdht->ahead = NULL;
	if (a == NULL)
		return;
	pmon_lock_take(&a->lock);
	a->is_ended = true;
	pmon_condition_wake_all(&a->changed);
	pmon_lock_give(&a->lock);
	for (size_t i = 0; i < a->n_threads; i++)
		pmon_thread_join(&a->threads[i]);
	for (size_t i = 0; i < N_PARTS; i++)
		free_lines(&a->ring[i], a->allocator);
	pmon_condition_destroy(&a->changed);
	pmon_lock_destroy(&a->lock);
	pmon_mem_free(a->allocator, a, sizeof(*a));
}

// Start threads, if requested and worthwhile; otherwise the log is read without.
static void
begin(struct pdht *pdht)
{
	uint64_t at = pmon_pdht_input_offset(&pdht->input);
	uint64_t end = pmon_file_size(pdht->input.file);
	struct pdht_ahead *a;

	if (!pmon_pdht_has_parts(pdht) || pdht->map.n > MOST_COLUMNS || at >= end ||
	    end - at < LEAST_BYTES)
		return;
	a = pmon_mem_alloc0(pdht->allocator, sizeof(*a));
	if (a == NULL)
		return;
	a->allocator = pdht->allocator;
	a->next = at;
	a->end = end;
	if (!begin_threads(a, pdht->threads)) {
		pmon_mem_free(a->allocator, a, sizeof(*a));
		return;
	}
	pdht->ahead = a;
	if (a->n_threads == 0)
		pmon_pdht_ahead_close(pdht);
}

// ---- Cutting the log into parts -------------------------------------------------------------

// Allocate room for the values of so many bytes, which have at least a digit and a separator each.
// Unused pages consume no memory.
static bool
make_room_for_all(const struct pdht *pdht, struct lines *l, uint64_t bytes)
{
	const struct pmon_allocator *allocator = pdht->allocator;
	size_t n = (size_t)(bytes / 2) + 2 * pdht->map.n + 1;

	return pmon_pdht_map_copy(&l->map, &pdht->map, allocator) &&
	       pmon_mem_grow(allocator, &l->series, &l->series_cap, n, sizeof(*l->series)) &&
	       pmon_mem_grow(allocator, &l->numbers, &l->numbers_cap, n, sizeof(*l->numbers));
}

static bool
set_part(struct pdht *pdht, struct lines *l, uint64_t to)
{
	struct pdht_ahead *a = pdht->ahead;

	if (!make_room_for_all(pdht, l, to - a->next))
		return false;
	pmon_pdht_part_set(&l->part, pdht, a->next, to);
	l->part.map = l->map;
	l->part.input.skip_lf =
		a->next == pmon_pdht_input_offset(&pdht->input) && pdht->input.skip_lf;
	l->from = a->next;
	l->to = a->next = to;
	return true;
}

// Begin another part. False if there is none left.
static bool
begin_part(struct pdht *pdht)
{
	struct pdht_ahead *a = pdht->ahead;
	uint64_t bytes = (uint64_t)pdht->map.n * COLUMN_BYTES;
	uint64_t to = a->end;

	bytes = bytes > PART_BYTES ? bytes : PART_BYTES;
	if (a->n_begun - a->n_given == N_PARTS || a->next >= a->end)
		return false;
	if (a->end - a->next > bytes &&
	    pmon_pdht_find_line(pdht, a->next + bytes, a->next + 2 * bytes, &to, NULL) != PMON_OK)
		return false;
	if (!set_part(pdht, &a->ring[a->n_begun % N_PARTS], to < a->end ? to : a->end))
		return false;
	pmon_lock_take(&a->lock);
	a->ring[a->n_begun++ % N_PARTS].state = PART_READY;
	pmon_condition_wake(&a->changed);
	pmon_lock_give(&a->lock);
	return true;
}

// ---- Giving samples -------------------------------------------------------------------------

// Update the log as if it had read the lines of the part itself.
static void
take_in(struct pdht *pdht, const struct lines *l)
{
	const struct pdht *part = &l->part;

	if (part->n_begun > 0)
		pdht->clock = part->clock;
	if (part->widest > pdht->widest)
		pdht->widest = part->widest;
	pdht->report.has_full_line |= part->report.has_full_line;
	pmon_pdht_input_seek(&pdht->input, l->to);
	pdht->input.line += part->input.line;
	pdht->report.base.here = pdht->input.line;
}

static void
end_part(struct pdht_ahead *a)
{
	pmon_lock_take(&a->lock);
	a->ring[a->n_given++ % N_PARTS].state = PART_FREE;
	pmon_lock_give(&a->lock);
	a->is_open = false;
	a->at = 0;
}

static void
give(struct pdht *pdht, const struct lines *l)
{
	const struct head *head = &l->heads[pdht->ahead->at++];

	pdht->sample.time = head->time;
	pdht->sample.utc_offset_min = head->utc_offset_min;
	pdht->sample.n = head->n;
	pdht->sample.series = l->series + head->first;
	pdht->sample.raw = pdht->raw;
	pmon_source_raw_of(l->numbers + head->first, head->n, head->time, pdht->raw);
	pdht->source.numbers = head->are_numbers ? l->numbers + head->first : NULL;
	pdht->source.info.bytes_read = head->end;
}

// The first part, if it was read and is not odd, so that its samples can be returned. NULL: the
// caller reads itself.
static const struct lines *
open_part(struct pdht *pdht)
{
	struct pdht_ahead *a = pdht->ahead;
	struct lines *l;

	while (begin_part(pdht))
		continue;
	if (a->n_begun == a->n_given)
		return NULL;
	l = wait_for_first(a);
	if (!l->is_odd &&
	    (pdht->n_samples == 0 || pmon_pdht_clock_goes_on(&pdht->clock, &l->part))) {
		take_in(pdht, l);
		a->is_open = true;
		return l;
	}
	a->alone_to = l->to;
	a->n_odd++;
	drop_parts(a);
	return NULL;
}

// Is the caller now reading an odd part?
static bool
is_alone(struct pdht *pdht)
{
	struct pdht_ahead *a = pdht->ahead;
	uint64_t at = pmon_pdht_input_offset(&pdht->input);

	if (a->alone_to == 0)
		return false;
	if (a->n_odd > MOST_ODD || at < a->alone_to)
		return true;
	a->alone_to = 0;
	a->next = at;
	return false;
}

bool
pmon_pdht_ahead_take(struct pdht *pdht)
{
	struct pdht_ahead *a;

	if (pdht->n_samples == 0 && pdht->ahead == NULL && pdht->threads > 1)
		begin(pdht);
	a = pdht->ahead;
	if (a == NULL)
		return false;
	for (;;) {
		const struct lines *l = &a->ring[a->n_given % N_PARTS];

		if (!a->is_open)
			l = is_alone(pdht) ? NULL : open_part(pdht);
		if (l == NULL)
			break;
		if (a->at < l->n_heads) {
			give(pdht, l);
			return true;
		}
		end_part(a);
	}
	pdht->sample.series = pdht->series;
	pdht->sample.raw = pdht->raw;
	if (a->alone_to == 0 || a->n_odd > MOST_ODD)
		pmon_pdht_ahead_close(pdht);
	return false;
}
