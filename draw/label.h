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

// A number of about four digits: "0.0154", "12.3", "86400", "1.5e+12". At least 16 bytes.
size_t draw_number(double value, char *buf, size_t size);

// A value in multiples of a unit, of "multiple" each; of HEX types the value itself, in hexadecimal.
// At least 20 bytes.
size_t draw_value(double value, const struct draw_unit *unit, double multiple, char *buf,
		  size_t size);

#endif
