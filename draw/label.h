// label.h - names from logs and numbers, as a picture shows them
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_LABEL_H
#define PMON_DRAW_LABEL_H

#include <pmon/base.h>

#include "draw/unit.h"

// The text as well-formed UTF-8 without characters that move a cursor: all others become U+FFFD.
// Cut at the end of buf, between characters. Returns the length.
size_t draw_clean(struct pmon_span text, char *buf, size_t size);

// Characters of a text that is well-formed.
size_t draw_characters(const char *text);

// The text with at most `most` characters: the middle of a longer one becomes an ellipsis, so that the
// counter at the end of a path stays. Not with ascii: then three dots.
void draw_elide(const char *text, size_t most, bool ascii, char *buf, size_t size);

// The same with so many characters before the ellipsis, and how many draw_elide() leaves there.
void draw_elide_after(const char *text, size_t most, size_t head, bool ascii, char *buf,
		      size_t size);
#define DRAW_ELIDE_HEAD(most, ascii) ((most) > 3 ? ((most) - ((ascii) ? 3 : 1)) / 2 : (most) / 2)

// The same, but the beginning is cut off: neighbours on an axis differ in their last digits.
void draw_tail(const char *text, size_t most, bool ascii, char *buf, size_t size);

#define DRAW_NUMBER 32 // bytes that a number takes at the most, and that of a unit twice as many

// A number for the eye: four significant digits, or all of the whole part with commas: "0.0154", "12.3", "86,400",
// "1.5e+15".
size_t draw_number(double value, char *buf, size_t size);
size_t draw_whole(uint64_t value, char *buf, size_t size); // "48,210"

// A value in multiples of a unit, of "multiple" each; of HEX types the value itself, in hexadecimal.
size_t draw_value(double value, const struct draw_unit *unit, double multiple, char *buf,
		  size_t size);

// A value in the multiple of its unit that suits it, with the unit: "61.2 ms", "79 MB", "1.234 k/s", "48,210".
size_t draw_amount(double value, const struct draw_unit *unit, char *buf, size_t size);

// The instance of a series: "parent/name#1", of a process "name (3320)"; "" when it has none.
size_t draw_instance(const struct pmon_series *series, char *buf, size_t size);

#endif
