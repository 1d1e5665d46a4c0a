// rates.h - counters in text logs from which averages per operation are computed
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_RATES_H
#define PMON_QUERY_RATES_H

#include <pmon/query.h>

#include "base/map.h"

// Whether the pattern can match an average of a disk, or any average here.
bool pmon_may_be_latency(const struct pmon_path *pattern);
bool pmon_may_be_average(const struct pmon_path *pattern);

// Patterns of the counters to read in addition if it can; NULL after the last.
extern const char *const pmon_latency_needs[];
extern const char *const pmon_average_needs[];

// The displayed averages per operation with their rates, and the queue lengths of disks. Zero-initialize
// it.
struct pmon_rates {
	const struct pmon_allocator *allocator; // NULL: libc
	const struct pmon_series **list;
	size_t n;
	size_t cap;
	struct pmon_map map; // by path
	uint64_t seed;       // of the hashes
};

// Add a series if an average needs it, or all those of a schema. The series must outlive
// this. False when memory is short.
bool pmon_rates_note(struct pmon_rates *rates, const struct pmon_series *series);
bool pmon_rates_find(struct pmon_rates *rates, const struct pmon_schema *schema);
void pmon_rates_free(struct pmon_rates *rates);

// Find the queue length and the rate for a displayed average. False if the series is no such
// average, or if one of them is missing from the log, which is then NULL.
bool pmon_rates_of(const struct pmon_rates *rates, const struct pmon_series *series,
		   const struct pmon_series **queue, const struct pmon_series **rate);

// The averages that use a rate or queue length; an average returns itself. *at begins with 0. NULL
// after the last one that was added.
const struct pmon_series *pmon_rates_average(const struct pmon_rates *rates,
					     const struct pmon_series *series, size_t *at);

#endif
