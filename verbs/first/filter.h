// filter.h - a log of which only the counters on the first screen are read to the end
// SPDX-License-Identifier: MIT
//
// Other counters are read only until they have a value other than 0: the screen shows how many were
// always 0.

#ifndef PMON_VERBS_FIRST_FILTER_H
#define PMON_VERBS_FIRST_FILTER_H

#include <pmon/query.h>

#include "analyze/tracks.h"

struct filter;

// Read source through a filter, which closes it. Until a series that the overview may choose has a
// value, all counters are read and returned; then only those that it may choose, those of `shows`,
// and those that incidents are found in. Those of `needs` are read but hidden, like all others.
// NULL if out of memory.
struct filter *filter_open(struct pmon_source *source, const struct pmon_select *shows,
			   const struct pmon_select *needs, const struct tracks *tracks,
			   const struct pmon_calc_options *calc);
struct pmon_source *filter_source(struct filter *filter);

// Has such a series a value by now?
bool filter_is_settled(const struct filter *filter);

// For struct pmon_identity_options: is the series hidden? filter is a struct filter.
bool filter_hides(void *filter, const struct pmon_series *series);

// The number of series of the log whose values were all 0.
size_t filter_count_zero(const struct filter *filter);

// The number of series that need two samples but have only one.
size_t filter_count_waiting(const struct filter *filter);

#endif
