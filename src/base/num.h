// num.h - convert numbers to text and back, independent of the locale
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_NUM_H
#define PMON_BASE_NUM_H

#include <pmon/base.h>

#define PMON_NUM_SIZE 40 // enough for every number printed here, NUL included

// The shortest decimal that reads back as the same double: "0.15", "1e-7", "4112". Never an
// exponent for integers below 2^53. "null" for infinity and NaN. Returns the length.
size_t pmon_num_shortest(double d, char buf[PMON_NUM_SIZE]);

// d with `digits` significant digits (1..21) like C's %g, but without padding zeros in the
// exponent.
size_t pmon_num_digits(double d, int digits, char buf[PMON_NUM_SIZE]);

// d as in Windows' text logs: C's %.17g (or 20 digits), but with exponents of three digits
// ("1.5e-005"), as Windows' C library printed them.
size_t pmon_num_pdh(double d, int digits, char buf[PMON_NUM_SIZE]);

// Parse a whole text as a number. Returns false, with *out 0, if any of it is not part of the
// number, or if it does not fit. Integers may be decimal or 0x hexadecimal, with a sign for i64.
bool pmon_num_parse_u64(struct pmon_span text, uint64_t *out);
bool pmon_num_parse_i64(struct pmon_span text, int64_t *out);
bool pmon_num_parse_double(struct pmon_span text, double *out);

#endif
