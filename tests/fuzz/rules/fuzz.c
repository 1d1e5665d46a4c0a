// fuzz.c - libFuzzer target: any bytes as rules
// SPDX-License-Identifier: MIT
//
// A rejected text has a position within it, and a reason; an accepted one is complete.

#include <stdlib.h>

#include "rules/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_rule(const struct rules_rule *rule)
{
	if (rule->name.len == 0 || rule->counters.n == 0 ||
	    (!rule->limits[RULES_WARNING].given && !rule->limits[RULES_CRITICAL].given) ||
	    !(rule->times > 0))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rules rules;
	struct rules_error why;

	if (!rules_parse((struct pmon_span){(const char *)data, size}, &rules, &why)) {
		if (why.line == 0 || why.column == 0 || why.column > size + 1 || why.text == NULL)
			abort();
		return 0;
	}
	for (size_t i = 0; i < rules.n; i++)
		check_rule(&rules.list[i]);
	rules_free(&rules);
	return 0;
}
