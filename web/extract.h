// extract.h - a source with some series of a store in a time window
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_EXTRACT_H
#define PMON_WEB_EXTRACT_H

#include "base/map.h"
#include "web/set.h"

// A source of these series of a set, renumbered in this order. The value before the window is in a sample
// marked preceding. The set is not locked between samples, so a slow reader does not block it; the set must
// outlive the source.
PMON_NODISCARD enum pmon_status extract_open(struct set *set, const uint32_t *ids, size_t n,
					     const struct store_window *window,
					     struct pmon_source **out, struct pmon_err *err);

// The same by process, through all places that each had (pmon_identity_options.by_process), as pmon health and
// pmon changes read a log. The series of the source have their own numbers. It needs the series that
// extract_tells() of their instances.
PMON_NODISCARD enum pmon_status extract_processes(struct set *set, const uint32_t *ids, size_t n,
						  const struct store_window *window,
						  struct pmon_source **out, struct pmon_err *err);

// Does the series identify the process of an instance?
bool extract_tells(const struct pmon_series *series);

// Some series of a set by their names; `ids` must outlive it. False when memory is short; close it in any case.
struct extract_names {
	struct set *set;
	const uint32_t *ids;
	struct pmon_map map; // of their positions
	uint64_t seed;
};
bool extract_names_open(struct extract_names *names, struct set *set, const uint32_t *ids,
			size_t n);
void extract_names_close(struct extract_names *names);

// The id of the set's series with the same path as a series of such a source.
uint32_t extract_id(const struct extract_names *names, const struct pmon_series *series);

#endif
