// verbs.c - the table of verbs
// SPDX-License-Identifier: MIT

#include "cli/verbs/verbs.h"

#include <string.h>

// In the order of the help. A verb is a file that defines `const struct verb verb_NAME`, and a line here.
#define VERBS(VERB)                                                                                \
	VERB(info)                                                                                 \
	VERB(list)                                                                                 \
	VERB(stats)                                                                                \
	VERB(values)                                                                               \
	VERB(raw)                                                                                  \
	VERB(explain)                                                                              \
	VERB(find)                                                                                 \
	VERB(health)                                                                               \
	VERB(trend)                                                                                \
	VERB(changes)                                                                              \
	VERB(diff)                                                                                 \
	VERB(watch)                                                                                \
	VERB(chart)                                                                                \
	VERB(report)                                                                               \
	VERB(top)                                                                                  \
	VERB(view)                                                                                 \
	VERB(serve)                                                                                \
	VERB(rules)                                                                                \
	VERB(calc)                                                                                 \
	VERB(types)                                                                                \
	VERB(record)                                                                               \
	VERB(push)                                                                                 \
	VERB(query)                                                                                \
	VERB(rollup)                                                                               \
	VERB(relog)                                                                                \
	VERB(typeperf)                                                                             \
	VERB(help)

#define DECLARE(name) extern const struct verb verb_##name;
VERBS(DECLARE)

#define POINT_TO(name) &verb_##name,
const struct verb *const verbs[] = {VERBS(POINT_TO) NULL};

const struct verb *
verb_named(const char *name)
{
	for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
		if (strcmp((*verb)->name, name) == 0)
			return *verb;
	return NULL;
}
