// fleet.h - what is known of many logs while their statistics are put together
// SPDX-License-Identifier: MIT
//
// The work is in fleet.c; tangles.c reads the logs that have to be read together.

#ifndef PMON_QUERY_FLEET_H
#define PMON_QUERY_FLEET_H

#include <stdatomic.h>

#include "query/merge.h"
#include "query/seams.h"
#include "query/statistics.h"

// A log while it is read, and its results.
struct fleet_log {
	struct pmon_source *source; // through its window, and by processes
	struct pmon_source *window;
	struct pmon_statistics *statistics;
	enum pmon_status status;
	struct pmon_err err;
	bool is_lost;  // it could not be read, this time alone or before: why
	bool was_told; // ... which was reported
	struct pmon_err lost;
	uint64_t samples;
	size_t group;            // a log of the same group, nearer to the one that stands for all
	bool tangled;            // of the log that stands for its group
	struct pmon_clash clash; // of the group
};

// What is known of a series of the merge.
struct fleet_series {
	size_t log;       // plus 1, the first that has it; 0: none yet
	pmon_time newest; // sample of the logs that had values of it
};

struct fleet {
	struct merge *merge;
	struct pmon_fleet_options *options;
	const struct pmon_allocator *allocator;
	struct pmon_statistics *statistics;
	struct fleet_log *logs;
	size_t *order; // numbers of the logs that have samples, by the time of the first
	size_t n;      // of them
	struct fleet_series *series;
	size_t series_n;
	size_t series_cap;
	size_t *tangles; // the logs that stand for tangled groups
	size_t tangles_n;
	atomic_uint_fast64_t bytes_read;
	struct pmon_seams seams;
	struct pmon_err *err;
};

// The log that stands for the group of a log.
size_t pmon_fleet_group_of(struct fleet *fleet, size_t log);

// Put the window over a source, and begin its statistics.
enum pmon_status pmon_fleet_begin_log(struct fleet *fleet, struct fleet_log *log,
				      struct pmon_source *source);

// Read a log to its end into its statistics; thread 0 reports progress.
enum pmon_status pmon_fleet_read_all(struct fleet *fleet, struct fleet_log *log, size_t thread);
void pmon_fleet_end_log(struct fleet_log *log);

// Report once that a log could not be read.
void pmon_fleet_tell_failed(struct fleet *fleet, size_t number, const struct pmon_err *err);

// Read all tangled groups again. After all logs were read and put together.
enum pmon_status pmon_fleet_read_tangles(struct fleet *fleet);

#endif
