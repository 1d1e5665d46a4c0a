// naming.h - how counter paths are printed
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_NAMING_H
#define PMON_SHELL_INPUT_NAMING_H

#include <pmon/pmon.h>

#include "shell/input/by_series.h"

struct naming {
	bool hide_machine;        // print paths without it
	struct by_series *labels; // for series of processes, created on first use; NULL: none
};

// From now on there are series of processes. Returns an exit status.
int naming_label_processes(struct naming *naming);
void naming_free(struct naming *naming);

// The path as printed, and the same always with the machine. For a series of a process it includes
// the process ID: \Process(rundll32 (3320))\Handle Count. Valid until naming_free().
struct pmon_span naming_path(const struct naming *naming, const struct pmon_series *series);
struct pmon_span naming_full_path(const struct naming *naming, const struct pmon_series *series);

#endif
