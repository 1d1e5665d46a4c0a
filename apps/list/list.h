// list.h - the counters of logs
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_LIST_LIST_H
#define PMON_APPS_LIST_LIST_H

#include <stdio.h>

#include "cli/input/logs.h"

// The paths of all counters in order, one a line, as with pmon list -qx, or with q as with -q; of the
// objects that match, NULL: of all. *n is their number. Returns an exit status.
int list_paths(struct logs *logs, FILE *stream, const char *object, bool q, size_t *n);

// What pmon list prints, after the last sample. Returns an exit status.
int list_print(struct logs *logs);

#endif
