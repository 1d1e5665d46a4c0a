// number.h - format numbers for people
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_NUMBER_H
#define PMON_SHELL_OUTPUT_NUMBER_H

#include <pmon/pmon.h>

#include "draw/label.h"

// Print numbers in text with all digits, in the unit of the counter: --digits full.
void out_use_full_digits(bool on);
bool out_has_full_digits(void);

// Format a number with draw_number(). The buffers need at least DRAW_NUMBER bytes, and twice as
// many with a unit.
size_t out_number(double value, char *buf, size_t size);

// The same for a value of a type, which may be NULL: hexadecimal for HEX types.
size_t out_number_of(const struct pmon_counter_type *type, double value, char *buf, size_t size);

// A value of a series with its unit: "61.2 ms".
size_t out_amount(const struct pmon_series *series, double value, char *buf, size_t size);
size_t out_amount_in(const struct pmon_series *series, const struct draw_unit *unit, double value,
		     char *buf, size_t size);

// A count: "48,210".
size_t out_count(uint64_t value, char *buf, size_t size);

// "48,210 samples"; the words begin with a blank.
struct pmon_text;
void out_put_count(struct pmon_text *t, uint64_t n, const char *one, const char *many);

// "1 min 30 s", rounded to milliseconds
void out_put_length(struct pmon_text *t, int64_t length_100ns);

#endif
