// patterns.h - the patterns of a request, and which of them matched
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_PATTERNS_H
#define PMON_SHELL_INPUT_PATTERNS_H

#include "shell/input/live.h"
#include "shell/input/request.h"

struct patterns {
	struct pmon_select
		*select; // the user's patterns, then the verb's; NULL: everything is read
	struct pmon_select *
		// what is read, if that is more: counters that identify processes, and the like
		reading;
	size_t n_asked;              // the user's patterns
	size_t n_counted;            // series whose hits were counted
	enum live_patience patience; // for patterns that match nothing yet
	bool is_waiting;             // at the start, patterns that may match later matched nothing
	bool is_checked;             // those without a match were reported
};

// Initialize with zeros. Returns an exit status.
int patterns_open(struct patterns *patterns, const struct request *request);
void patterns_free(struct patterns *patterns);

// The patterns that the source has to read.
struct pmon_select *patterns_read(const struct patterns *patterns);

// Should the series be read, by its path? Counts the matches of patterns.
bool patterns_want(const struct patterns *patterns, const struct pmon_path *path);

// Count the matches of the user's patterns if they were counted together with other input. input is
// the input of the step that distinguishes processes.
void patterns_count_hits(struct patterns *patterns, const struct pmon_source *input);

// How many of the user's patterns matched nothing?
size_t patterns_unmatched(const struct patterns *patterns);

// May a series be ranked? Not sums and the idle process, unless a pattern names that very instance.
bool patterns_rank(const struct patterns *patterns, const struct pmon_series *series);

#endif
