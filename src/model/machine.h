// machine.h - the machines whose ids a log has
// SPDX-License-Identifier: MIT

#ifndef PMON_MODEL_MACHINE_H
#define PMON_MODEL_MACHINE_H

#include <pmon/model.h>

#include "base/arena.h"

#define PMON_MACHINES_MOST 4096 // of one log; more are left out, and so not compared
#define PMON_MACHINE_ID    32   // digits

// 32 digits of 0 to 9 and a to f, and not all of them 0?
bool pmon_machine_is_id(struct pmon_span id);

// Those of a source that is opened; texts are copied into the arena.
struct pmon_machines {
	struct pmon_arena *arena;
	struct pmon_machine *list;
	size_t n;
	size_t cap;
};

// Add one, unless the name has an id already, the id is invalid, or there are too many. False when memory is
// short.
PMON_NODISCARD bool pmon_machines_add(struct pmon_machines *machines, struct pmon_span name,
				      struct pmon_span id);

// Say them in the facts of a source.
void pmon_machines_give(const struct pmon_machines *machines, struct pmon_source_info *info);

#endif
