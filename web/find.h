// find.h - search for series: words, or a pattern
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_FIND_H
#define PMON_WEB_FIND_H

#include "web/call.h"

#define FIND_BYTES 256

struct find {
	struct pmon_path pattern; // or words (pmon_search_parse())
};

// Read the parameters `q`, and `pattern` where with_pattern. Without either, everything matches. Returns
// false after failing the call.
bool find_open(struct find *find, struct call *call, bool with_pattern);

bool find_matches(const struct find *find, const struct pmon_series *series);

#endif
