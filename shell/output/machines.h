// machines.h - the machines that counters belong to
// SPDX-License-Identifier: MIT
//
// Names are compared ignoring case, and are in the order of the counters:
//
//	machines_find(pmon_source_schema(source), &machines);
//	machines_text(&machines, buf, sizeof(buf));     // "SRV1", "26 machines: SRV1, SRV2 ..."
//	machines_free(&machines);

#ifndef PMON_SHELL_OUTPUT_MACHINES_H
#define PMON_SHELL_OUTPUT_MACHINES_H

#include <pmon/model.h>

#include "base/map.h"

struct machines {
	struct pmon_span *list; // texts of the schema
	size_t n;
	size_t cap;
	struct pmon_map map; // by their names
	uint64_t seed;       // of its hashes
};

// Find the machines of all counters. Counters without a machine are skipped. False if out of
// memory.
bool machines_find(const struct pmon_schema *schema, struct machines *out);
bool machines_add(struct machines *machines, struct pmon_span name);
void machines_free(struct machines *machines);

// Its index in the list; PMON_MAP_NONE if it is missing.
uint32_t machines_place(const struct machines *machines, struct pmon_span name);

#define MACHINES_TEXT 128 // for headings

// The name of a single machine; for several, their number and as many names as fit; "" if there is
// none. Returns the length.
size_t machines_text(const struct machines *machines, char *buf, size_t size);

#endif
