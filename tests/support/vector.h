// vector.h - rows of the conformance vectors (share/vectors, docs/reference/vectors.md)
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_VECTOR_H
#define PMON_TESTS_VECTOR_H

#include <pmon/counter.h>

#include "t.h"

// The calculation of the row: type, size, time base, scale, policy, options.
struct pmon_calc t_vector_calc(const struct t_csv *csv);

// "first:second:multi@status" up to a space or the end of the text, or "xSTATUS", whose numbers are
// any. 32-bit numbers of the counter may be signed there. Returns where it ends.
const char *t_vector_raw(const char *text, const struct pmon_calc *calc, struct pmon_raw *out);

// The raw value of a column; false when it is "-".
bool t_vector_raw_at(const struct t_csv *csv, const char *column, const struct pmon_calc *calc,
		     struct pmon_raw *out);

// "0.15", "wrapped=320" or "no_data" up to a space or the end of the text. Returns where it ends.
const char *t_vector_value(const char *text, struct pmon_value *out);

// The status of this name; fails when there is none.
enum pmon_vstat t_vector_status(const char *name);

#endif
