// machine.h - the machines of a log whose ids are known
// SPDX-License-Identifier: MIT

#ifndef PMON_MODEL_MACHINE_H
#define PMON_MODEL_MACHINE_H

#include <pmon/model.h>

#include "base/arena.h"

#define PMON_MACHINES_MOST 4096 // per log; further ones are ignored, so they are not compared
#define PMON_MACHINE_ID    32   // digits

// 32 digits of 0-9 and a-f, not all of them 0?
bool pmon_machine_is_id(struct pmon_span id);

// Those of an open source; texts are copied into the arena.
struct pmon_machines {
	struct pmon_arena *arena;
	struct pmon_machine *list;
	size_t n;
	size_t cap;
};

// Add one, unless the name already has an id, the id is invalid, or there are too many. False if
// out of memory.
PMON_NODISCARD bool pmon_machines_add(struct pmon_machines *machines, struct pmon_span name,
				      struct pmon_span id);

// Set them in the info of a source.
void pmon_machines_give(const struct pmon_machines *machines, struct pmon_source_info *info);

#endif
