// row.h - numbers as the cells of a line of text
// SPDX-License-Identifier: MIT
//
// The reverse of cells.h: nearly all numbers of a log are zero or between 10^-4 and 10^17, and
// those are printed in batches; num.h prints the others.

#ifndef PMON_BASE_ROW_H
#define PMON_BASE_ROW_H

#include <pmon/base.h>

#include "base/num.h"

#define PMON_ROW_CELL (PMON_NUM_SIZE + 3) // bytes of a cell, at the most

// Print n cells, each in quotes and after a separator: the number as pmon_num_pdh() prints it, or a
// blank for NaN. out has room for n * PMON_ROW_CELL bytes, all of which may be written; there is no
// NUL. Returns the length.
size_t pmon_row_print(const double *numbers, size_t n, char separator, int digits, char *out);

// The same by any processor, one at a time.
size_t pmon_row_print_plain(const double *numbers, size_t n, char separator, int digits, char *out);

#endif
