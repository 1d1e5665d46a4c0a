// number.h - numbers for people
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_NUMBER_H
#define PMON_CLI_OUTPUT_NUMBER_H

#include <pmon/pmon.h>

#include "draw/label.h"

// Show numbers in text with all their digits from now on, in the unit of the counter: --digits full.
void out_use_full_digits(bool on);

// A number for the eye, by draw_number(). At least DRAW_NUMBER bytes each, and twice as many with a unit.
size_t out_number(double value, char *buf, size_t size);

// The same for a value of a type, which may be NULL: of HEX types in hexadecimal.
size_t out_number_of(const struct pmon_counter_type *type, double value, char *buf, size_t size);

// A value of a series with its unit: "61.2 ms".
size_t out_amount(const struct pmon_series *series, double value, char *buf, size_t size);

// How many there are of something: "48,210".
size_t out_count(uint64_t value, char *buf, size_t size);

// "1 min 30 s", rounded to milliseconds
struct pmon_text;
void out_put_length(struct pmon_text *t, int64_t length_100ns);

#endif
