// ranks.c - the statistics of series that stand in ranks
// SPDX-License-Identifier: MIT

#include "query/ranks.h"

#include <string.h>

#include "base/mem.h"
#include "core/rank.h"

#define ALIKE 8  // samples that have to follow one another before series stand here
#define LEAST 16 // series that ranks are worth while for

#define STRETCH 16 // series that are compared at a time

#define LINE_ALIGNMENT 64

#define NONE UINT32_MAX

// Where a series stands: line * PMON_EIGHT + lane, or IS_PLAIN and its index in the plain ones.
#define IS_PLAIN ((uint32_t)1 << 31)

struct pmon_ranks_line {
	struct pmon_rank rank;
	uint32_t series[PMON_EIGHT];
	uint32_t kind;
	uint32_t next; // of its kind with an empty lane, after this one
};

void
pmon_ranks_free(struct pmon_ranks *ranks)
{
	const struct pmon_allocator *allocator = ranks->allocator;

	pmon_mem_free(allocator, ranks->series, ranks->series_cap * sizeof(*ranks->series));
	pmon_mem_free(allocator, ranks->memory, ranks->memory_size);
	pmon_mem_free(allocator, ranks->places, ranks->places_cap * sizeof(*ranks->places));
	pmon_mem_free(allocator, ranks->others, ranks->others_cap * sizeof(*ranks->others));
	pmon_mem_free(allocator, ranks->plain, ranks->plain_cap * sizeof(*ranks->plain));
	pmon_mem_free(allocator, ranks, sizeof(*ranks));
}

// ---- Lines ----------------------------------------------------------------------------------

// Room for another line. They begin where cache lines do. False when memory is short.
static bool
grow_lines(struct pmon_ranks *ranks)
{
	size_t cap = ranks->lines_cap + ranks->lines_cap / 2;
	size_t size;
	char *memory, *lines;

	if (ranks->n_lines < ranks->lines_cap)
		return true;
	if (cap < ranks->n / PMON_EIGHT + PMON_RANKS_KINDS)
		cap = ranks->n / PMON_EIGHT + PMON_RANKS_KINDS;
	if (cap > IS_PLAIN / PMON_EIGHT || !pmon_mul(cap, sizeof(*ranks->lines), &size) ||
	    !pmon_add(size, LINE_ALIGNMENT, &size))
		return false;
	memory = pmon_mem_alloc(ranks->allocator, size);
	if (memory == NULL)
		return false;
	lines = memory + (LINE_ALIGNMENT - (uintptr_t)memory % LINE_ALIGNMENT) % LINE_ALIGNMENT;
	if (ranks->n_lines > 0)
		memcpy(lines, ranks->lines, ranks->n_lines * sizeof(*ranks->lines));
	pmon_mem_free(ranks->allocator, ranks->memory, ranks->memory_size);
	ranks->memory = memory;
	ranks->memory_size = size;
	ranks->lines = (struct pmon_ranks_line *)(void *)lines;
	ranks->lines_cap = cap;
	return true;
}

// An empty line for runs as this one. False when memory is short.
static bool
add_line(struct pmon_ranks *ranks, size_t kind, const struct pmon_run *run)
{
	struct pmon_ranks_line *line;

	if (!grow_lines(ranks))
		return false;
	line = &ranks->lines[ranks->n_lines];
	pmon_rank_begin(&line->rank, run);
	line->kind = (uint32_t)kind;
	line->next = NONE;
	ranks->kinds[kind].open = (uint32_t)ranks->n_lines++;
	return true;
}

// The kind of a run, with an empty lane. PMON_RANKS_KINDS when there cannot be one.
static size_t
find_kind(struct pmon_ranks *ranks, const struct pmon_run *run)
{
	size_t k = 0;

	while (k < ranks->n_kinds && !pmon_rank_fits(&ranks->lines[ranks->kinds[k].line].rank, run))
		k++;
	if (k == PMON_RANKS_KINDS)
		return k;
	if (k == ranks->n_kinds) {
		if (!add_line(ranks, k, run))
			return PMON_RANKS_KINDS;
		ranks->kinds[k].line = ranks->kinds[k].open;
		ranks->n_kinds++;
	}
	if (ranks->kinds[k].open == NONE && !add_line(ranks, k, run))
		return PMON_RANKS_KINDS;
	return k;
}

// A lane for a series that is at this position. False when there is none for it.
static bool
fall_out(struct pmon_ranks *ranks, struct pmon_row *row, struct pmon_ranks_plain series)
{
	struct pmon_ranks_line *line;
	size_t kind;
	unsigned lane = 0;

	if (!pmon_rank_takes(&row->run))
		return false;
	kind = find_kind(ranks, &row->run);
	if (kind == PMON_RANKS_KINDS)
		return false;
	pmon_run_end(&row->run, row->stats);
	line = &ranks->lines[ranks->kinds[kind].open];
	while (line->rank.there >> lane & 1)
		lane++;
	pmon_rank_take(&line->rank, lane, &row->run, ranks->n_samples);
	line->rank.at[lane] = series.at;
	line->series[lane] = series.series;
	ranks->places[series.series] = ranks->kinds[kind].open * PMON_EIGHT + lane;
	if (line->rank.there == UINT8_MAX)
		ranks->kinds[kind].open = line->next;
	return true;
}

// Back to its row.
static void
fall_in(struct pmon_ranks *ranks, const struct pmon_rows *rows, uint32_t place)
{
	struct pmon_ranks_line *line = &ranks->lines[place / PMON_EIGHT];
	unsigned lane = place % PMON_EIGHT;
	uint32_t id = line->series[lane];
	struct pmon_row *row = &rows->list[id];
	struct pmon_ranks_kind *kind = &ranks->kinds[line->kind];

	if (line->rank.there == UINT8_MAX) {
		line->next = kind->open;
		kind->open = place / PMON_EIGHT;
	}
	pmon_rank_give(&line->rank, lane, &row->run, ranks->n_samples);
	row->ordinal = ranks->ordinal;
	ranks->places[id] = NONE;
}

// ---- Plain ones -----------------------------------------------------------------------------

static void
add_plain(struct pmon_ranks *ranks, uint32_t id, uint32_t at)
{
	ranks->places[id] = IS_PLAIN | (uint32_t)ranks->n_plain;
	ranks->plain[ranks->n_plain++] = (struct pmon_ranks_plain){id, at};
}

// The last one takes its place.
static void
remove_plain(struct pmon_ranks *ranks, size_t k)
{
	struct pmon_ranks_plain last = ranks->plain[--ranks->n_plain];

	if (k < ranks->n_plain) {
		ranks->plain[k] = last;
		ranks->places[last.series] = IS_PLAIN | (uint32_t)k;
	}
}

// Their raw values of a sample; those that now can stand in ranks. False when memory is short.
static bool
go_plain(struct pmon_ranks *ranks, struct pmon_rows *rows, const struct pmon_sample *sample)
{
	struct pmon_value value;
	size_t k = 0;

	while (k < ranks->n_plain) {
		struct pmon_ranks_plain one = ranks->plain[k];

		if (!pmon_rows_add(rows, sample, one.at, &value))
			return false;
		if (fall_out(ranks, &rows->list[one.series], one))
			remove_plain(ranks, k);
		else
			k++;
	}
	return true;
}

// ---- Series that come and go ----------------------------------------------------------------

// The series is at this position from now on.
static void
stand(struct pmon_ranks *ranks, uint32_t id, uint32_t at)
{
	uint32_t place = ranks->places[id];

	if (place == NONE)
		add_plain(ranks, id, at);
	else if (place & IS_PLAIN)
		ranks->plain[place & ~IS_PLAIN].at = at;
	else
		ranks->lines[place / PMON_EIGHT].rank.at[place % PMON_EIGHT] = at;
}

// The series was in the sample before: it is gone, when it was not told another position.
static void
look_after(struct pmon_ranks *ranks, const struct pmon_rows *rows, uint32_t id,
	   const struct pmon_sample *sample)
{
	uint32_t place = ranks->places[id];
	bool is_plain = place & IS_PLAIN;
	uint32_t at = is_plain ? ranks->plain[place & ~IS_PLAIN].at
			       : ranks->lines[place / PMON_EIGHT].rank.at[place % PMON_EIGHT];

	if (at < sample->n && sample->series[at] == id)
		return;
	if (is_plain)
		remove_plain(ranks, place & ~IS_PLAIN);
	else
		fall_in(ranks, rows, place);
	ranks->places[id] = NONE;
}

static bool
is_other(const struct pmon_ranks *ranks, const struct pmon_sample *sample, size_t i)
{
	return i >= ranks->n || i >= sample->n || ranks->series[i] != sample->series[i];
}

// The positions at which the sample has another series than the one before.
static void
find_others(struct pmon_ranks *ranks, const struct pmon_sample *sample)
{
	size_t most = ranks->n > sample->n ? ranks->n : sample->n;
	size_t both = ranks->n > sample->n ? sample->n : ranks->n;
	size_t i = 0;

	ranks->n_others = 0;
	while (i < most) {
		if (both >= STRETCH && i <= both - STRETCH &&
		    memcmp(ranks->series + i, sample->series + i,
			   STRETCH * sizeof(*ranks->series)) == 0) {
			i += STRETCH;
			continue;
		}
		for (size_t end = i + STRETCH; i < end && i < most; i++)
			if (is_other(ranks, sample, i))
				ranks->others[ranks->n_others++] = (uint32_t)i;
	}
}

// The sample has other series than the one before, or at other positions.
static void
follow_series(struct pmon_ranks *ranks, const struct pmon_rows *rows,
	      const struct pmon_sample *sample)
{
	find_others(ranks, sample);
	for (size_t k = 0; k < ranks->n_others; k++) {
		uint32_t at = ranks->others[k];

		if (at < sample->n)
			stand(ranks, sample->series[at], at);
	}
	for (size_t k = 0; k < ranks->n_others; k++) {
		uint32_t at = ranks->others[k];

		if (at < ranks->n)
			look_after(ranks, rows, ranks->series[at], sample);
		if (at < sample->n)
			ranks->series[at] = sample->series[at];
	}
	ranks->n = sample->n;
}

static bool
has_same_series(const struct pmon_ranks *ranks, const struct pmon_sample *sample)
{
	return ranks->n == sample->n &&
	       (sample->n == 0 ||
		memcmp(ranks->series, sample->series, sample->n * sizeof(*sample->series)) == 0);
}

// ---- Samples --------------------------------------------------------------------------------

void
pmon_ranks_leave(struct pmon_ranks *ranks, const struct pmon_rows *rows)
{
	ranks->n_alike = 0;
	if (!ranks->is_open)
		return;
	for (size_t i = 0; i < ranks->n; i++) {
		uint32_t *place = &ranks->places[ranks->series[i]];

		if ((*place & IS_PLAIN) == 0)
			fall_in(ranks, rows, *place);
		*place = NONE;
	}
	ranks->n = ranks->n_lines = ranks->n_kinds = ranks->n_plain = 0;
	ranks->is_open = false;
}

static bool
make_room(struct pmon_ranks *ranks, size_t n_series, size_t n)
{
	const struct pmon_allocator *allocator = ranks->allocator;

	if (!pmon_mem_grow(allocator, &ranks->places, &ranks->places_cap, n_series,
			   sizeof(*ranks->places)) ||
	    !pmon_mem_grow(allocator, &ranks->series, &ranks->series_cap, n,
			   sizeof(*ranks->series)) ||
	    !pmon_mem_grow(allocator, &ranks->others, &ranks->others_cap,
			   ranks->n > n ? ranks->n : n, sizeof(*ranks->others)) ||
	    !pmon_mem_grow(allocator, &ranks->plain, &ranks->plain_cap, ranks->n + n,
			   sizeof(*ranks->plain)))
		return false;
	for (; ranks->n_places < n_series; ranks->n_places++)
		ranks->places[ranks->n_places] = NONE;
	return true;
}

static bool
is_next(const struct pmon_ranks *ranks, const struct pmon_sample *sample)
{
	return !sample->lead_in && sample->stream == ranks->stream &&
	       sample->ordinal == ranks->ordinal + 1;
}

static void
open_ranks(struct pmon_ranks *ranks, const struct pmon_sample *sample)
{
	if (ranks->n_alike < ALIKE)
		ranks->n_alike++;
	ranks->is_open = ranks->n_alike == ALIKE && sample->n >= LEAST && pmon_rank_is_there();
	ranks->n_samples = 0;
}

static void
sweep(struct pmon_ranks *ranks, const struct pmon_rows *rows, const struct pmon_sample *sample)
{
	for (size_t i = 0; i < ranks->n_lines; i++) {
		struct pmon_ranks_line *line = &ranks->lines[i];
		uint32_t odd = 0;

		if (line->rank.there != 0)
			odd = pmon_rank_add(&line->rank, sample->raw);
		for (uint32_t lane = 0; odd != 0; lane++, odd >>= 1) {
			uint32_t at = line->rank.at[lane];

			if ((odd & 1) == 0)
				continue;
			fall_in(ranks, rows, (uint32_t)i * PMON_EIGHT + lane);
			add_plain(ranks, line->series[lane], at);
		}
	}
}

enum pmon_status
pmon_ranks_add(struct pmon_ranks *ranks, struct pmon_rows *rows, const struct pmon_sample *sample)
{
	if (!is_next(ranks, sample) || ranks->n_samples == UINT32_MAX)
		pmon_ranks_leave(ranks, rows);
	else if (!ranks->is_open)
		open_ranks(ranks, sample);
	if (ranks->is_open && !make_room(ranks, rows->n, sample->n))
		pmon_ranks_leave(ranks, rows);
	if (!ranks->is_open) {
		ranks->stream = sample->stream;
		ranks->ordinal = sample->ordinal;
		return PMON_E_STATE;
	}
	if (!has_same_series(ranks, sample))
		follow_series(ranks, rows, sample);
	sweep(ranks, rows, sample);
	ranks->n_samples++;
	ranks->ordinal = sample->ordinal;
	return go_plain(ranks, rows, sample) ? PMON_OK : PMON_E_NOMEM;
}
