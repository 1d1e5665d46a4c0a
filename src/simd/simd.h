// simd.h - cells of a line of text as doubles and back, by the fastest instructions available
// SPDX-License-Identifier: MIT
//
// Nearly all cells of a text log are plain numbers - digits, optionally followed by a decimal mark
// and digits - with or without quotes, and nearly all numbers are zero or between 10^-4 and 10^17.
// The versions for some processors read and print these in batches; decimal.h and num.h handle all
// others, and everything in the plain version. All versions produce the same results. Each version
// has a file that begins with its name, and a line in choose.c.

#ifndef PMON_SIMD_SIMD_H
#define PMON_SIMD_SIMD_H

#include <pmon/base.h>

#include "base/num.h"

struct pmon_simd; // one version

// Version i, if this processor supports it: 0 is the plain one, the last one is the fastest. NULL
// after the last.
const struct pmon_simd *pmon_simd_at(size_t i);
const struct pmon_simd *pmon_simd_best(void);
const char *pmon_simd_name(const struct pmon_simd *simd);

// ---- Reading --------------------------------------------------------------------------------

#define PMON_CELLS_BATCH 64   // cells that are read ahead
#define PMON_CELLS_PART  1024 // bytes of a line that are searched together

struct pmon_cells {
	struct pmon_span line;
	size_t at;      // where the next cell begins; line.len + 1 after the last one
	char separator; // between cells
	char mark;      // decimal mark
	const struct pmon_simd *simd;
	const uint64_t *wanted; // columns as bits, with one more word after the last one; NULL: all
	// internal: a part of the line, and bits for its bytes, and up to two words more: set if
	// the byte is not a digit, or ends a cell
	const char *part;
	const char *part_end;
	bool is_quoted; // are these the ends of quoted cells?
	uint8_t others[PMON_CELLS_PART / 8 + 16];
	uint8_t ends[PMON_CELLS_PART / 8 + 16];
	// cells that were read ahead
	size_t n;
	size_t next;                      // the next of them
	size_t column;                    // the column of the first
	uint64_t read;                    // those of wanted columns, as bits
	uint64_t bad;                     // those that were not plain numbers
	double numbers[PMON_CELLS_BATCH]; // of the wanted columns
	// The end of what precedes the first cell, and the ends of all, with room for edges that
	// are found beyond them.
	uint32_t edges[2 * PMON_CELLS_BATCH + 1];
};

void pmon_cells_begin(struct pmon_cells *cells, const struct pmon_simd *simd, struct pmon_span line,
		      char separator, char mark);

// Read up to n cells from `at` on that contain nothing but a number, and skip them and their
// separators. Returns how many were read: the next cell is not a number, or one that this function
// cannot convert with certainty.
size_t pmon_cells_read(struct pmon_cells *cells, double *out, size_t n);

// Skip up to n cells from `at` on, the first of which is in this column. Those of wanted columns
// must be numbers, which are stored in out; the others may be anything that does not need a closer
// look. Returns how many were skipped, and *n_out, how many of them were wanted.
size_t pmon_cells_pick(struct pmon_cells *cells, size_t column, double *out, size_t n,
		       size_t *n_out);

// ---- Printing -------------------------------------------------------------------------------

#define PMON_ROW_CELL (PMON_NUM_SIZE + 3) // bytes of a cell at most

// Print n cells, each in quotes and after a separator: the number as pmon_num_pdh() prints it, or a
// blank for NaN. out has room for n * PMON_ROW_CELL bytes, all of which may be overwritten; there
// is no NUL. Returns the length.
size_t pmon_row_print(const struct pmon_simd *simd, const double *numbers, size_t n, char separator,
		      int digits, char *out);

#endif
