// label.h - format names from logs and numbers for display
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_LABEL_H
#define PMON_DRAW_LABEL_H

#include <pmon/base.h>

#include "draw/unit.h"

// Sanitize text to well-formed UTF-8: characters that move the cursor become U+FFFD.
// Truncated at the end of buf, between characters. Returns the length.
size_t draw_clean(struct pmon_span text, char *buf, size_t size);

// What XML and HTML, in texts and in double quotes, have instead of a character; NULL: the character
// itself. XML 1.0 does not allow control characters, U+FFFE and U+FFFF, not even as references.
const char *draw_markup(uint32_t c);

// The number of characters in a well-formed text.
size_t draw_characters(const char *text);

// Shorten text to at most `most` characters: an ellipsis (with ascii, three dots) replaces the middle, which
// keeps the counter at the end of a path.
void draw_elide(const char *text, size_t most, bool ascii, char *buf, size_t size);

// The same with a given number of characters before the ellipsis, and the number that draw_elide() uses.
void draw_elide_after(const char *text, size_t most, size_t head, bool ascii, char *buf,
		      size_t size);
#define DRAW_ELIDE_HEAD(most, ascii) ((most) > 3 ? ((most) - ((ascii) ? 3 : 1)) / 2 : (most) / 2)

// The same, but cuts off the beginning: neighbours on an axis differ in their last digits.
void draw_tail(const char *text, size_t most, bool ascii, char *buf, size_t size);

#define DRAW_NUMBER 32 // the most bytes of a number; one with a unit takes at most twice as many

// A readable number: four significant digits, or the whole integer part with commas: "0.0154", "12.3", "86,400",
// "1.5e+15".
size_t draw_number(double value, char *buf, size_t size);
size_t draw_whole(uint64_t value, char *buf, size_t size); // "48,210"

// A value in multiples of a unit; for HEX types the value itself, in hexadecimal.
size_t draw_value(double value, const struct draw_unit *unit, double multiple, char *buf,
		  size_t size);

// A value with its unit, scaled to a suitable multiple: "61.2 ms", "79 MB", "1.234 k/s", "48,210".
size_t draw_amount(double value, const struct draw_unit *unit, char *buf, size_t size);

// The multiple that draw_amount() chooses, and a value in a given multiple.
const struct draw_multiple *draw_amount_multiple(double value, const struct draw_unit *unit);
size_t draw_amount_in(double value, const struct draw_unit *unit,
		      const struct draw_multiple *multiple, char *buf, size_t size);

// The instance of a series: "parent/name#1", for a process "name (3320)"; "" if it has none.
size_t draw_instance(const struct pmon_series *series, char *buf, size_t size);

#endif
