// decimal.h - convert between decimals and doubles exactly, without the C library
// SPDX-License-Identifier: MIT
//
// Both directions multiply once by a 128-bit power of ten. The truncation of the power makes the
// last places of the product uncertain; if that could change the result, which is rare, the
// functions return false, and the caller uses a slower method.

#ifndef PMON_BASE_DECIMAL_H
#define PMON_BASE_DECIMAL_H

#include <pmon/base.h>

#define PMON_DECIMAL_DIGITS 17 // enough to distinguish any two doubles

// A number as written: w * 10^e, or a little more if it is longer.
struct pmon_decimal {
	uint64_t w; // the first 19 significant digits
	int32_t e;
	bool is_longer; // further digits follow, and are not all 0
	bool is_negative;
};

// Parse a whole text: [+-] digits [mark digits] [e [+-] digits] with at least one digit before the
// exponent. False for anything else.
bool pmon_decimal_read(struct pmon_span text, char mark, struct pmon_decimal *out);

// The same for a number at p that may be followed by other text: *next is set to its end.
bool pmon_decimal_read_at(const char *p, const char *end, char mark, struct pmon_decimal *out,
			  const char **next);

// The double nearest to it. False, with *out 0, if this is not certain (see above).
bool pmon_decimal_convert(const struct pmon_decimal *decimal, double *out);

// The double nearest to w * 10^e, ties to even. False, with *out 0, if this is not certain, or not
// a normal number.
bool pmon_decimal_to_double(uint64_t w, int32_t e, double *out);

// The decimal of n digits (1..17) nearest to d > 0: *w has n digits, and d is about *w * 10^*e.
// False if this is not certain: d is half-way between two decimals, or not a normal number.
bool pmon_decimal_from_double(double d, int n, uint64_t *w, int32_t *e);

#endif
