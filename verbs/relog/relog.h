// relog.h - the parts of pmon relog (private)
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_RELOG_RELOG_H
#define PMON_VERBS_RELOG_RELOG_H

#include "base/time.h"
#include "shell/compat/words.h"
#include "shell/input/logs.h"

#define RELOG_SERIES_BYTES 896 // memory for a series of a log, without averages

struct relog {
	const struct args *args;
	struct request request;           // for the logs
	const struct pmon_writer *format; // of the output
	bool append;
	bool query;
	bool overwrite; // for this output: yes, or the answer
	bool merge;
	bool dry_run;
	size_t left_out; // counters whose names the format cannot store
	bool lost_some;  // the format cannot store something else
	bool verify;     // read the output back before it gets its name
	uint64_t every;
	int64_t step_100ns;
	uint64_t digits;
	struct words_reader *reader;
	char zone[PMON_TIME_SIZE]; // --tz of the existing output, if all times are on its clock
	bool own_zone;
};

struct range {
	pmon_time first;
	pmon_time last;
	uint64_t samples;
	uint64_t empty; // ... without values
};

// ---- relog_convert.c ------------------------------------------------------------------------

// Print the times of the inputs, and with -q their counters. Returns an exit status.
int relog_query(const struct relog *r, struct logs *logs);

// Write what is chosen of the inputs to path. Returns an exit status.
int relog_convert(struct relog *r, const char *path);

bool relog_is_directory(const char *path);

// How many series are displayed values.
size_t relog_count_formatted(const struct pmon_source *source);

// ---- relog_append.c -------------------------------------------------------------------------

// Open the existing output. *old is NULL if there is none yet. Returns an exit status.
int relog_open_old(struct relog *r, const char *path, struct pmon_source **old);

// Put the contents of the existing output before the inputs. Takes ownership of old. Returns an
// exit status.
int relog_add_old(struct relog *r, struct logs *logs, struct pmon_source *old, const char *path);

#endif
