// list.h - list the counters of logs
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_LIST_LIST_H
#define PMON_VERBS_LIST_LIST_H

#include <stdio.h>

#include "shell/input/logs.h"

// Options of pmon list only.
struct list_options {
	bool objects;
	bool instances;
	bool types;
};

// Write the paths of all counters in order, one per line, like pmon list -qx, or with q like -q;
// only for matching objects, or all if NULL. *n is set to their number. Returns an exit status.
int list_paths(struct logs *logs, FILE *stream, const char *object, bool q, size_t *n);

// The output of pmon list, after the last sample. Returns an exit status.
int list_print(struct logs *logs, const struct args *args);

#endif
