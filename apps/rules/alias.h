// alias.h - pmon rules --alias: counters by the names of windows_exporter and node_exporter
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_RULES_ALIAS_H
#define PMON_APPS_RULES_ALIAS_H

#include "format/openmetrics/openmetrics.h"

struct args;

enum alias_kind {
	ALIAS_WINDOWS,
	ALIAS_NODE, // of Linux alone
};

#define ALIAS_COUNTERS 3

struct alias {
	const char *object;
	const char *counters[ALIAS_COUNTERS]; // the first, less the others
	const char *name;
	const char *label; // of the instance; NULL: there are no instances
	const char *key;   // another label, and its value; NULL: there is none
	const char *value;
	double times;
	enum alias_kind kind;
};

extern const struct alias aliases[]; // the last has no name

// Print recording rules for the counters of the registry that have such a name. Returns an exit status.
int rules_put_aliases(const struct args *args, const struct om_registry *registry);

#endif
