// statistics.h - statistics computed in parts
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_STATISTICS_H
#define PMON_QUERY_STATISTICS_H

#include <pmon/query.h>

// Number of samples used, without preceding ones, and how many of these were empty.
struct pmon_used {
	uint64_t samples;
	uint64_t empty;
};

static inline void
pmon_used_add(struct pmon_used *used, const struct pmon_sample *sample)
{
	used->samples += !sample->preceding;
	used->empty += !sample->preceding && sample->n == 0;
}

struct pmon_used pmon_statistics_used(const struct pmon_statistics *statistics);

// Subtract samples of logs that are read a second time.
void pmon_statistics_unuse(struct pmon_statistics *statistics, struct pmon_used used);

// Like pmon_statistics_new(), with options that select what is kept.
PMON_NODISCARD enum pmon_status pmon_statistics_begin(const struct pmon_schema *schema,
						      const struct pmon_statistics_options *options,
						      const struct pmon_allocator *allocator,
						      struct pmon_statistics **out,
						      struct pmon_err *err);

// Append the statistics of the samples right after those of `statistics`, in the same stream.
// map[i] is the series in `statistics` for series i of next. This moves the numbers out of next.
// PMON_E_NOMEM; PMON_E_ARG if a series belongs to a different counter.
PMON_NODISCARD enum pmon_status pmon_statistics_append(struct pmon_statistics *statistics,
						       struct pmon_statistics *next,
						       const uint32_t *map, struct pmon_err *err);

// pmon_statistics_add() for the sample that a source just returned, with its numbers (struct
// pmon_source), which may be NULL.
PMON_NODISCARD enum pmon_status pmon_statistics_add_numbers(struct pmon_statistics *statistics,
							    const struct pmon_sample *sample,
							    const double *numbers,
							    struct pmon_err *err);

// Like pmon_statistics_append(), for samples of other streams: a series missing from their first
// samples does not count as absent.
PMON_NODISCARD enum pmon_status pmon_statistics_follow(struct pmon_statistics *statistics,
						       struct pmon_statistics *next,
						       const uint32_t *map, struct pmon_err *err);

// Record that the first value of series i belongs to a different process than the values before
// these statistics. `started`, if not NULL, is the raw value with which that process started
// counting. False when memory is short.
PMON_NODISCARD bool pmon_statistics_changed(struct pmon_statistics *statistics, size_t i,
					    const struct pmon_raw *started);

// Whether the usual interval of a stream changed, so that statistics in parts would find different
// gaps than in one pass.
bool pmon_statistics_pace_changed(const struct pmon_statistics *statistics);

void pmon_statistics_forget(struct pmon_statistics *statistics, size_t i);

// The total seconds of all operations of a displayed latency, and their number (latency.h). False
// if series i is no such latency, or the log lacks the rate or values.
bool pmon_statistics_latency(const struct pmon_statistics *statistics, size_t i, double *seconds,
			     double *operations);

// The average of series i, and its kind: per operation for a displayed latency whose rate is in the
// log, otherwise pmon_stats_average().
struct pmon_value pmon_statistics_average(const struct pmon_statistics *statistics, size_t i,
					  enum pmon_average_kind *kind);

// Explain that average; series i must have values.
void pmon_statistics_explain_average(const struct pmon_statistics *statistics, size_t i,
				     enum pmon_average_kind *kind, struct pmon_explanation *out);

#endif
