// filter.h - a log of which only the counters that the first screen shows are read to the end
// SPDX-License-Identifier: MIT
//
// Others are only read until a value is not 0: the screen says how many counters stayed at 0.

#ifndef PMON_APPS_FIRST_FILTER_H
#define PMON_APPS_FIRST_FILTER_H

#include <pmon/query.h>

struct filter;

// Read source through a filter, which closes it. While no series that the overview may choose has a value, all counters
// are read and shown; then those that it may choose and those of `shows`. Of `needs` they are read, and hidden like
// all others. NULL when memory is short.
struct filter *filter_open(struct pmon_source *source, const struct pmon_select *shows,
			   const struct pmon_select *needs, const struct pmon_calc_options *calc);
struct pmon_source *filter_source(struct filter *filter);

// Has any of those a value?
bool filter_is_settled(const struct filter *filter);

// For struct pmon_identity_options: is the series not shown? filter is a struct filter.
bool filter_hides(void *filter, const struct pmon_series *series);

// The series of the log that had values, all of which were 0.
size_t filter_count_zero(const struct filter *filter);

// The series whose values need two samples, where each has but one.
size_t filter_count_waiting(const struct filter *filter);

#endif
