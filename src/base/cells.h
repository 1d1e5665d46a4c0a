// cells.h - the cells of a line of text as doubles
// SPDX-License-Identifier: MIT
//
// Nearly all cells of a text log are plain numbers - digits, or digits, a mark and digits - with or
// without quotes. Those are read in batches; anything else is left to the caller.

#ifndef PMON_BASE_CELLS_H
#define PMON_BASE_CELLS_H

#include <pmon/base.h>

#define PMON_CELLS_BATCH 64 // cells that are read ahead

struct pmon_cells {
	struct pmon_span line;
	size_t at;      // where the next cell begins; line.len + 1 after the last one
	char separator; // of cells
	char mark;      // of decimals
	// inside: cells that were read ahead
	bool is_wide;
	size_t n;
	size_t next;  // of them
	uint64_t bad; // those that were no plain numbers, as bits
	double numbers[PMON_CELLS_BATCH];
	// The end of what precedes the first cell, and the ends of all; with room for the edges
	// that are found beyond them.
	uint32_t edges[2 * PMON_CELLS_BATCH + 1];
};

// Begin at the beginning of a line.
void pmon_cells_begin(struct pmon_cells *cells, struct pmon_span line, char separator, char mark);

// Read up to n cells from `at` on that hold a number and nothing else, and skip them and their
// separators. Returns how many were read: the next cell is not a number, or one that this function
// cannot convert with certainty.
size_t pmon_cells_read(struct pmon_cells *cells, double *out, size_t n);

// The same by any processor, one at a time.
size_t pmon_cells_read_plain(struct pmon_cells *cells, double *out, size_t n);

#endif
