// by.h - groups of series: --by
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_STATS_BY_H
#define PMON_VERBS_STATS_BY_H

#include <pmon/path.h>

// What the series of a group have in common, besides object and counter.
enum by {
	BY_SERIES,
	BY_MACHINE,
	BY_INSTANCE,
	BY_OBJECT,
	BY_PROCESS
};

// NULL is BY_SERIES. False for an unknown word.
bool by_parse(const char *text, enum by *out);

// The pattern that matches the group of a path, which the caller frees; NULL if out of memory.
char *by_text(const struct pmon_path *path, enum by by, bool without_machine);

#endif
