// merge.h - what a merge knows of its inputs
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_MERGE_H
#define PMON_QUERY_MERGE_H

#include <pmon/query.h>

#include "model/machine.h"
#include "model/source.h"
#include "query/join.h"

// The last value of a merged series, to recognize a sample that two logs share.
struct merge_newest {
	pmon_time time;
	int64_t first;
	int64_t second;
	size_t input; // plus 1; 0: none yet
	bool is_usable;
	uint32_t stream; // its stream, and its ordinal there
	uint64_t ordinal;
};

// A log that repeats a sample of another log belongs to the same stream: its later samples continue
// the ordinals of that stream, so a series missing from them counts as absent regardless of which
// log had it last.
struct merge_link {
	bool is_made;
	uint32_t from;  // stream of the input
	uint32_t to;    // stream of the merge
	uint64_t ahead; // added to the ordinals of samples; wraps around
};

// One of the sources that are merged.
struct merge_input {
	struct pmon_source *source; // NULL while it is not open
	const struct pmon_sample
		*sample; // the next one; NULL after the last and while waits is set
	struct pmon_join_map map;
	struct merge_link link;
	bool waits;                   // a log whose first sample has not been reached
	pmon_time first;              // time of that sample
	bool is_read;                 // its source is open and reports its progress
	struct pmon_source_info info; // its last report, for when it is not open
};

struct merge {
	struct pmon_source base;
	const struct pmon_allocator *allocator;
	struct pmon_logs logs; // open is NULL if the inputs were passed as sources
	struct merge_input *inputs;
	size_t n;
	struct pmon_machines machines; // of all inputs
	struct pmon_arena texts;       // of them
	size_t facts;                  // the input whose metadata the merge reports; it stays open
	bool primed;                   // each input has its next sample, or waits
	struct merge_input *current;   // the input of the sample returned last
	struct pmon_join join;
	struct pmon_sample sample;
	uint32_t *series;
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
	struct merge_newest *newest; // by merged series
	size_t newest_n;
	size_t newest_cap;
	struct pmon_clash clash;
	bool clash_told;
};

// The source as a merge of logs; NULL if it is none.
struct merge *pmon_merge_of_logs(struct pmon_source *source);

// Report conflicting values for the same time, once.
void pmon_merge_tell_clash(struct merge *merge);

// Sum the readers' counts over the inputs, from the latest report of each.
void pmon_merge_sum_info(struct merge *merge);

#endif
