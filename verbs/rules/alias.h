// alias.h - pmon rules --alias: counters under node_exporter's names
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_RULES_ALIAS_H
#define PMON_VERBS_RULES_ALIAS_H

#include "format/openmetrics/openmetrics.h"

struct args;

#define ALIAS_COUNTERS 3

struct alias {
	const char *object;
	const char *counters[ALIAS_COUNTERS]; // the first, minus the others
	const char *name;
	const char *label; // for the instance; NULL: there are no instances
	const char *mode;  // for processors; NULL: no such label
};

extern const struct alias aliases[]; // the last one has no name

// Print recording rules for the registry's counters that have such a name. Returns an exit status.
int rules_put_aliases(const struct args *args, const struct om_registry *registry);

#endif
