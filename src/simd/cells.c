// cells.c - the cells of a line of text as doubles
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/decimal.h"
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
	cells->n = 0;
	cells->next = 0;
}

// ---- One at a time --------------------------------------------------------------------------

static bool
read_one(struct pmon_cells *cells, double *out)
{
	struct pmon_span line = cells->line;
	bool is_quoted = cells->at < line.len && line.ptr[cells->at] == '"';
	size_t behind;

	if (cells->at > line.len ||
	    !pmon_decimal_double_at(line, cells->at + is_quoted, cells->mark, out, &behind))
		return false;
	if (is_quoted && (behind == line.len || line.ptr[behind++] != '"'))
		return false;
	if (behind < line.len && line.ptr[behind] != cells->separator)
		return false;
	cells->at = behind + 1;
	return true;
}

// ---- Many at a time -------------------------------------------------------------------------

static size_t
first_bit(uint64_t bits)
{
#if defined(__GNUC__)
	return (size_t)__builtin_ctzll(bits);
#else
	size_t i = 0;

	while ((bits >> i & 1) == 0)
		i++;
	return i;
#endif
}

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

// Those that were read ahead and are numbers.
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
	good = bad != 0 ? first_bit(bad) : cells->n - cells->next;
	if (good > cells->n - cells->next)
		good = cells->n - cells->next;
	if (good > n)
		good = n;
	memcpy(out, cells->numbers + cells->next, good * sizeof(*out));
	cells->next += good;
	cells->at = (size_t)cells->edges[cells->next] + 1;
	return good;
}

// ---- Both -----------------------------------------------------------------------------------

size_t
pmon_cells_read(struct pmon_cells *cells, double *out, size_t n)
{
	bool is_ahead = reads_ahead(cells);
	size_t done = 0;

	while (done < n) {
		size_t found = is_ahead ? read_batch(cells, out + done, n - done) : 0;

		if (found == 0)
			found = read_one(cells, out + done);
		if (found == 0)
			break;
		done += found;
	}
	return done;
}
