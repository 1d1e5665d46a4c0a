// cells.c - the cells of a line of text as doubles
// SPDX-License-Identifier: MIT

#include <string.h>

#include "simd/forms.h"

void
pmon_cells_begin(struct pmon_cells *cells, const struct pmon_simd *simd, struct pmon_span line,
		 char separator, char mark)
{
	cells->line = line;
	cells->at = 0;
	cells->separator = separator;
	cells->mark = mark;
	cells->simd = simd;
	cells->wanted = NULL;
	cells->part = cells->part_end = line.ptr;
	cells->is_quoted = false;
	cells->n = 0;
	cells->next = 0;
}

// ---- Many at a time -------------------------------------------------------------------------

// Can this version read ahead?
static bool
reads_ahead(const struct pmon_cells *cells)
{
	return cells->simd->read_ahead != NULL && cells->separator != cells->mark &&
	       cells->line.len <= INT32_MAX;
}

// Are cells from `at` on, in this column, among those that were read ahead?
static bool
go_to_next(struct pmon_cells *cells, size_t column)
{
	while (cells->next < cells->n && cells->edges[cells->next] + 1 < cells->at)
		cells->next++;
	return cells->next < cells->n && cells->edges[cells->next] + 1 == cells->at &&
	       (cells->wanted == NULL || cells->column + cells->next == column);
}

// Which columns from this one on are wanted?
static uint64_t
wanted_from(const struct pmon_cells *cells, size_t column)
{
	const uint64_t *word;

	if (cells->wanted == NULL)
		return UINT64_MAX;
	word = &cells->wanted[column / 64];
	return column % 64 == 0 ? word[0] : word[0] >> column % 64 | word[1] << (64 - column % 64);
}

static bool
read_ahead(struct pmon_cells *cells, size_t column)
{
	if (cells->at <= PMON_CELLS_LOOK || cells->at >= cells->line.len)
		return false;
	cells->column = column;
	cells->read = wanted_from(cells, column);
	cells->next = 0;
	cells->simd->read_ahead(cells);
	return cells->n > 0;
}

// pmon_cells_pick() for cells that were read ahead.
static size_t
pick_batch(struct pmon_cells *cells, size_t column, double *out, size_t n, size_t *n_out)
{
	uint64_t bad;
	size_t before;
	size_t good;

	*n_out = 0;
	if (!go_to_next(cells, column) && !read_ahead(cells, column))
		return 0;
	bad = cells->bad >> cells->next;
	good = bad != 0 ? pmon_first_bit(bad) : cells->n - cells->next;
	if (good > cells->n - cells->next)
		good = cells->n - cells->next;
	if (good > n)
		good = n;
	before = pmon_count_bits(cells->read & pmon_low_bits(cells->next));
	cells->next += good;
	*n_out = pmon_count_bits(cells->read & pmon_low_bits(cells->next)) - before;
	memcpy(out, cells->numbers + before, *n_out * sizeof(*out));
	cells->at = (size_t)cells->edges[cells->next] + 1;
	return good;
}

// ---- One after the other --------------------------------------------------------------------

// A run ends at the first cell without a number, and then the next one is searched for. The limit
// keeps a wide log with many such cells from searching to the end of the row each time.
#define MOST_RUN 512

// How many columns from this one on, at most n, are wanted like the first one, or unwanted like it?
static size_t
run_of(const struct pmon_cells *cells, size_t column, size_t n, bool *are_wanted)
{
	size_t run = 0;

	*are_wanted = (wanted_from(cells, column) & 1) != 0;
	while (run < n) {
		uint64_t wanted = wanted_from(cells, column + run);
		uint64_t others = *are_wanted ? ~wanted : wanted;

		if (others != 0) {
			run += pmon_first_bit(others);
			break;
		}
		run += 64;
	}
	return run < n ? run : n;
}

static size_t
pick_run(struct pmon_cells *cells, size_t column, double *out, size_t n, size_t *n_out)
{
	bool are_wanted;
	size_t run = run_of(cells, column, n < MOST_RUN ? n : MOST_RUN, &are_wanted);

	*n_out = 0;
	return are_wanted ? (*n_out = pmon_plain_read(cells, out, run))
			  : pmon_plain_pass(cells, run);
}

// ---- Both -----------------------------------------------------------------------------------

size_t
pmon_cells_pick(struct pmon_cells *cells, size_t column, double *out, size_t n, size_t *n_out)
{
	bool is_ahead = reads_ahead(cells);
	size_t done = 0;
	size_t found = 1;
	size_t taken = 0;

	*n_out = 0;
	for (; done < n && found > 0; done += found, *n_out += taken) {
		found = 0;
		if (is_ahead)
			found = pick_batch(cells, column + done, out + *n_out, n - done, &taken);
		if (found == 0)
			found = pick_run(cells, column + done, out + *n_out,
					 is_ahead ? 1 : n - done, &taken);
	}
	return done;
}

size_t
pmon_cells_read(struct pmon_cells *cells, double *out, size_t n)
{
	size_t n_out;

	return pmon_cells_pick(cells, 0, out, n, &n_out);
}
