// find.h - search for series: words, or a pattern
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_FIND_H
#define PMON_WEB_FIND_H

#include "web/call.h"

#define FIND_WORDS 16
#define FIND_BYTES 256

struct find {
	bool is_pattern;
	struct pmon_path pattern;
	char text[FIND_BYTES + 2 * FIND_WORDS + 1]; // words with a wildcard on both sides
	struct pmon_span words[FIND_WORDS];
	size_t n;
};

// Read the parameters `q`, and `pattern` where with_pattern. Without both everything is found. Returns
// false after failing the call.
bool find_open(struct find *find, struct call *call, bool with_pattern);

bool find_matches(const struct find *find, const struct pmon_series *series);

#endif
