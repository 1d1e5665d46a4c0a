// seams.h - where a log follows on another one that is stored
// SPDX-License-Identifier: MIT
//
// The first row of a series in a log is a start: nothing in the log precedes it. If the newest raw value
// that is stored of the series is older, the two make a pair. Where values lie between the two, or the log is
// older than what is stored, the rollup makes the pairs (repair.h).

#ifndef PMON_PUSH_SEAMS_H
#define PMON_PUSH_SEAMS_H

#include "push/facts.h"
#include "push/push.h"

// The first row of a series in a log.
struct pmon_push_first {
	size_t at; // where the engine has it
	uint32_t series;
	struct pmon_raw raw;
	struct pmon_push_fact fact;
};

// Those of a batch, and how many of the log have no pair.
struct pmon_push_seams {
	struct pmon_push_first *list;
	size_t n;
	size_t cap;
	uint64_t n_unknown;   // as their process is not known
	uint64_t n_unsettled; // as other values of their series are stored around them
};

// The newest raw value of a series that is stored.
struct pmon_push_tail {
	pmon_time time;
	struct pmon_raw raw;
	struct pmon_push_owner owner;
	bool is_followed; // other rows are between it and the first one of the log
};

void pmon_push_seams_free(struct pmon_push_seams *seams, const struct pmon_allocator *allocator);

// The fact of the next row of a series, which the engine is to have at `at`. *is_first: it was added to the list.
// *is_fact: see pmon_push_fact(). false: out of memory.
bool pmon_push_seams_take(struct pmon_push_seams *seams, struct pmon_push_states *states,
			  uint32_t series, const struct pmon_push_row *row, size_t at,
			  struct pmon_push_fact *fact, bool *is_fact, bool *is_first);

// Make the pair of a first row and the newest value that is stored. false: there is none, and the row stays.
bool pmon_push_seams_join(struct pmon_push_seams *seams, const struct pmon_push_states *states,
			  struct pmon_push_first *first, const struct pmon_push_tail *tail);

// The fact of a raw value that follows on an older one, which another log has.
enum pmon_push_same pmon_push_make_pair(struct pmon_increments *rows, const struct pmon_raw *older,
					pmon_time older_time,
					const struct pmon_push_owner *older_owner,
					const struct pmon_raw *raw, struct pmon_push_fact *fact);

// Report at the end how many have no pair.
void pmon_push_seams_tell(const struct pmon_push_sink *push, const struct pmon_push_seams *seams);

// ---- Hours ----------------------------------------------------------------------------------

// When the facts are of that were sent, and whose hours are not summed up yet.
struct pmon_push_touched {
	pmon_time from;
	pmon_time to;
	bool is_any;
};

void pmon_push_touch(struct pmon_push_touched *touched, pmon_time from, pmon_time to);

// Has at least one of these hours ended? A live source flushes after each sample, and sums are due only then.
bool pmon_push_touched_is_over(const struct pmon_push_touched *touched);

#endif
