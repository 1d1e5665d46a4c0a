// decimal.h - decimals and doubles into each other, exactly, without the C library
// SPDX-License-Identifier: MIT
//
// Both go through one multiplication by a power of ten of 128 bits. What was cut off of the power
// makes the product uncertain in its last places; where that could change the result, which is rare,
// they say so, and the caller takes a slower way.

#ifndef PMON_BASE_DECIMAL_H
#define PMON_BASE_DECIMAL_H

#include <pmon/base.h>

#define PMON_DECIMAL_DIGITS 17 // that always tell two doubles apart

// A number as it is written: w * 10^e, and a little more when it is longer.
struct pmon_decimal {
	uint64_t w; // the first 19 significant digits
	int32_t e;
	bool is_longer; // digits other than 0 follow
	bool is_negative;
};

// Read a whole text: [+-] digits [mark digits] [e [+-] digits] with at least one digit before the
// exponent. False when it is anything else.
bool pmon_decimal_read(struct pmon_span text, char mark, struct pmon_decimal *out);

// The same of a number at p, which ends where no more of it follows: *next is there.
bool pmon_decimal_read_at(const char *p, const char *end, char mark, struct pmon_decimal *out,
			  const char **next);

// The double nearest to it. False, with *out 0, when that is not certain here (see below).
bool pmon_decimal_convert(const struct pmon_decimal *decimal, double *out);

// The double nearest to w * 10^e, ties to even. False, with *out 0, when it is not certain, or not a
// normal number.
bool pmon_decimal_to_double(uint64_t w, int32_t e, double *out);

// The decimal of n digits (1..17) nearest to d > 0: *w has n digits, and d is about *w * 10^*e.
// False when it is not certain: d is half-way between two, or no normal number.
bool pmon_decimal_from_double(double d, int n, uint64_t *w, int32_t *e);

#endif
