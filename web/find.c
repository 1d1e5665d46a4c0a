// find.c - search for series
// SPDX-License-Identifier: MIT

#include "web/find.h"

static bool
read_pattern(struct find *find, struct call *call, const char *name, struct pmon_span text)
{
	struct pmon_path_error why;

	if (pmon_pattern_parse(text, &find->pattern, &why))
		return true;
	call_fail(call, 400, name, "byte %zu: %s", why.at, why.text);
	return false;
}

bool
find_open(struct find *find, struct call *call, bool with_pattern)
{
	struct pmon_span q = call_param(call, "q");
	struct pmon_span pattern = {NULL, 0};

	find->pattern = (struct pmon_path){.counter = q}; // words
	if (with_pattern)
		pattern = call_param(call, "pattern");
	if (q.ptr != NULL && pattern.ptr != NULL) {
		call_fail(call, 400, "q", "give a pattern or a search, not both");
		return false;
	}
	if (q.len > FIND_BYTES || pattern.len > CALL_TEXT) {
		call_fail(call, 400, q.ptr != NULL ? "q" : "pattern", "too long");
		return false;
	}
	if (pattern.ptr != NULL)
		return read_pattern(find, call, "pattern", pattern);
	return q.len == 0 || q.ptr[0] != '\\' || read_pattern(find, call, "q", q);
}

bool
find_matches(const struct find *find, const struct pmon_series *series)
{
	return pmon_series_match(&find->pattern, series);
}
