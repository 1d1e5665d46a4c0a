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
	cells->part = cells->part_end = line.ptr;
	cells->n = 0;
	cells->next = 0;
}

// ---- Many at a time -------------------------------------------------------------------------

// Can the form read ahead at all?
static bool
reads_ahead(const struct pmon_cells *cells)
{
	return cells->simd->read_ahead != NULL && cells->separator != cells->mark &&
	       cells->line.len <= INT32_MAX;
}

// Are cells from `at` on among those that were read ahead?
static bool
go_to_next(struct pmon_cells *cells)
{
	while (cells->next < cells->n && cells->edges[cells->next] + 1 < cells->at)
		cells->next++;
	return cells->next < cells->n && cells->edges[cells->next] + 1 == cells->at;
}

// Those that were read ahead and are numbers. out is NULL to skip them.
static size_t
read_batch(struct pmon_cells *cells, double *out, size_t n)
{
	uint64_t bad;
	size_t good;

	if (!go_to_next(cells)) {
		if (cells->at <= PMON_CELLS_LOOK || cells->at >= cells->line.len)
			return 0;
		cells->simd->read_ahead(cells);
		if (cells->n == 0)
			return 0;
	}
	bad = cells->bad >> cells->next;
	good = bad != 0 ? pmon_first_bit(bad) : cells->n - cells->next;
	if (good > cells->n - cells->next)
		good = cells->n - cells->next;
	if (good > n)
		good = n;
	if (out != NULL)
		memcpy(out, cells->numbers + cells->next, good * sizeof(*out));
	cells->next += good;
	cells->at = (size_t)cells->edges[cells->next] + 1;
	return good;
}

// ---- Both -----------------------------------------------------------------------------------

size_t
pmon_cells_read(struct pmon_cells *cells, double *out, size_t n)
{
	size_t done = 0;
	size_t found = 1;

	if (!reads_ahead(cells))
		return pmon_plain_read(cells, out, n);
	for (; done < n && found > 0; done += found) {
		found = read_batch(cells, out + done, n - done);
		if (found == 0)
			found = pmon_plain_read(cells, out + done, 1);
	}
	return done;
}

size_t
pmon_cells_skip(struct pmon_cells *cells, size_t n)
{
	size_t done = 0;
	size_t found = 1;

	if (!reads_ahead(cells))
		return 0;
	for (; done < n && found > 0; done += found)
		found = read_batch(cells, NULL, n - done);
	return done;
}
