// number.h - numbers for people
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_NUMBER_H
#define PMON_CLI_OUTPUT_NUMBER_H

#include <pmon/pmon.h>

// A number for the eye: six significant digits, no exponent for anything one can read without.
size_t out_human(double value, char *buf, size_t size);

// The same for a value of a type, which may be NULL: of HEX types in hexadecimal.
size_t out_human_of(const struct pmon_counter_type *type, double value, char *buf, size_t size);

// "1 min 30 s", rounded to milliseconds
struct pmon_text;
void out_put_length(struct pmon_text *t, int64_t length_100ns);

#endif
