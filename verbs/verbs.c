// verbs.c - the table of verbs
// SPDX-License-Identifier: MIT

#include "shell/args/verb.h"

#include <string.h>

// In the order of the help. A verb is a folder that defines `const struct verb verb_NAME`, and a
// line here.
#define VERBS(VERB)                                                                                \
	VERB(info)                                                                                 \
	VERB(list)                                                                                 \
	VERB(stats)                                                                                \
	VERB(values)                                                                               \
	VERB(raw)                                                                                  \
	VERB(sql)                                                                                  \
	VERB(explain)                                                                              \
	VERB(find)                                                                                 \
	VERB(health)                                                                               \
	VERB(trend)                                                                                \
	VERB(changes)                                                                              \
	VERB(diff)                                                                                 \
	VERB(verify)                                                                               \
	VERB(watch)                                                                                \
	VERB(chart)                                                                                \
	VERB(report)                                                                               \
	VERB(top)                                                                                  \
	VERB(view)                                                                                 \
	VERB(serve)                                                                                \
	VERB(mcp)                                                                                  \
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
const struct verb *const verb_table[] = {VERBS(POINT_TO) NULL};

const struct verb *
verb_named(const char *name)
{
	for (const struct verb *const *verb = verb_table; *verb != NULL; verb++)
		if (strcmp((*verb)->name, name) == 0)
			return *verb;
	return NULL;
}
