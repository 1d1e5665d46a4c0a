// statistics.h - statistics that were made in parts
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_STATISTICS_H
#define PMON_QUERY_STATISTICS_H

#include <pmon/query.h>

// New statistics that keep what the options say. The other arguments are those of pmon_statistics_new().
PMON_NODISCARD enum pmon_status pmon_statistics_begin(const struct pmon_schema *schema,
						      const struct pmon_statistics_options *options,
						      const struct pmon_allocator *allocator,
						      struct pmon_statistics **out,
						      struct pmon_err *err);

// Add the statistics of the samples that follow directly on those of `statistics`, all of one stream.
// map[i] is the series of series i of next, whose numbers are taken away from it. PMON_E_NOMEM;
// PMON_E_ARG when a series is of another counter.
PMON_NODISCARD enum pmon_status pmon_statistics_append(struct pmon_statistics *statistics,
						       struct pmon_statistics *next,
						       const uint32_t *map, struct pmon_err *err);

// pmon_statistics_add() for the sample that a source has just given, with its numbers (struct
// pmon_source), which may be NULL.
PMON_NODISCARD enum pmon_status pmon_statistics_add_numbers(struct pmon_statistics *statistics,
							    const struct pmon_sample *sample,
							    const double *numbers,
							    struct pmon_err *err);

// The same for the samples of other streams: if a series is missing from some of them at first,
// that does not count as an absence.
PMON_NODISCARD enum pmon_status pmon_statistics_follow(struct pmon_statistics *statistics,
						       struct pmon_statistics *next,
						       const uint32_t *map, struct pmon_err *err);

// The first value of series i is of another process than what comes before these statistics;
// `started`, if not NULL, is where that process began to count, after that. False when memory is short.
PMON_NODISCARD bool pmon_statistics_changed(struct pmon_statistics *statistics, size_t i,
					    const struct pmon_raw *started);

// Forget everything of a series.
void pmon_statistics_forget(struct pmon_statistics *statistics, size_t i);

#endif
