// sieve.h - a log of which only the counters that the first screen shows are read to the end
// SPDX-License-Identifier: MIT
//
// Others are only read until a value is not 0: the screen says how many counters stayed at 0.

#ifndef PMON_APPS_FIRST_SIEVE_H
#define PMON_APPS_FIRST_SIEVE_H

#include <pmon/query.h>

struct sieve;

// Read source through a sieve, which closes it. While no series that the overview may choose has a value, all counters
// are read and shown; then those that it may choose and those of `shows`. Of `needs` they are read, and hidden like
// all others. NULL when memory is short.
struct sieve *sieve_open(struct pmon_source *source, const struct pmon_select *shows,
			 const struct pmon_select *needs, const struct pmon_calc_options *calc);
struct pmon_source *sieve_source(struct sieve *sieve);

// Has any of those a value?
bool sieve_is_settled(const struct sieve *sieve);

// For struct pmon_identity_options: is the series not shown? sieve is a struct sieve.
bool sieve_hides(void *sieve, const struct pmon_series *series);

// The series of the log that had values, all of which were 0.
size_t sieve_count_zero(const struct sieve *sieve);

// The series whose values need two samples, where each has but one.
size_t sieve_count_waiting(const struct sieve *sieve);

#endif
