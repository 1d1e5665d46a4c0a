// select.h - what patterns without parentheses leave out
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_SELECT_H
#define PMON_QUERY_SELECT_H

#include <pmon/query.h>

// A pattern without parentheses matches only counters without an instance, as in Windows. Returns
// how many counters passed to pmon_select_want() have an instance, match no pattern, and would
// match pattern i with (*).
uint64_t pmon_select_left_out(const struct pmon_select *select, size_t i);

// The text of pattern i up to the end of its object; *rest is the remainder.
struct pmon_span pmon_select_object(const struct pmon_select *select, size_t i,
				    struct pmon_span *rest);

#endif
