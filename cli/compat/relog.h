// relog.h - the parts of pmon relog (private)
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_COMPAT_RELOG_H
#define PMON_CLI_COMPAT_RELOG_H

#include "base/time.h"
#include "cli/compat/words.h"
#include "cli/input/logs.h"

#define RELOG_SERIES_BYTES 896 // memory for a series of a log, without averages

struct relog {
	struct args args;                 // what the logs are opened with
	const struct pmon_writer *format; // of the output
	bool append;
	bool query;
	bool overwrite; // this output: yes, or the answer
	bool merge;
	bool dry_run;
	uint64_t every;
	int64_t step_100ns;
	uint64_t digits;
	struct words_reader *reader;
	char zone[PMON_TIME_SIZE]; // --tz of the old output, where all times are on its clock
	bool own_zone;
};

struct range {
	pmon_time first;
	pmon_time last;
	uint64_t samples;
};

// ---- relog_convert.c ------------------------------------------------------------------------

// Print the counters and the times of the inputs. Returns an exit status.
int relog_query(const struct relog *r, struct logs *logs);

// Write what is chosen of the inputs to path. Returns an exit status.
int relog_convert(struct relog *r, const char *path);

bool relog_is_directory(const char *path);

// How many series have displayed values instead of raw ones.
size_t relog_count_formatted(const struct pmon_source *source);

// ---- relog_append.c -------------------------------------------------------------------------

// Open the output that is added to. *old is NULL when there is none yet. Returns an exit status.
int relog_open_old(struct relog *r, const char *path, struct pmon_source **old);

// What the output holds goes before what is chosen of the inputs. Takes old over. Returns an exit status.
int relog_add_old(struct relog *r, struct logs *logs, struct pmon_source *old, const char *path);

#endif
