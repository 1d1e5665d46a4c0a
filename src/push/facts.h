// facts.h - rows of a log as increments (pmon/increments.h): what an engine stores of each raw value
// SPDX-License-Identifier: MIT
//
// A fact holds what its interval adds to an average, and where the interval begins. That is enough to rebuild
// the raw values of a series: a `start` stores them, and a pair adds its difference to those at `span` before it.

#ifndef PMON_PUSH_FACTS_H
#define PMON_PUSH_FACTS_H

#include <pmon/increments.h>

#include "push/keys.h"

// The process of a value, as PMON_RAW_OWNER has it.
struct pmon_push_owner {
	int64_t id;
	int64_t start;
	uint32_t known; // PMON_OWNER_*; 0: nothing
};

// What two owners are to each other. Starts may differ by the precision of `Elapsed Time`.
enum pmon_push_same {
	PMON_PUSH_SAME, // as far as is known of both
	PMON_PUSH_OTHER,
	PMON_PUSH_UNKNOWN // one of them is not known at all
};
enum pmon_push_same pmon_push_compare_owners(const struct pmon_push_owner *a,
					     const struct pmon_push_owner *b);

struct pmon_push_fact {
	struct pmon_hash128 series;
	pmon_time time; // of the sample
	uint32_t nth;
	int64_t span; // since the usable raw value before it in its log; 0: it is the first
	struct pmon_push_owner owner;
	bool same_owner; // as the usable raw value before it in its log
	struct pmon_increment row;
};

// Rank of a row among those of the same key: a pair replaces a start; and a start that knows which raw value is before
// it one that does not. Rows that were repaired have the time of the repair.
static inline uint64_t
pmon_push_version(const struct pmon_push_fact *fact)
{
	return 2 * (uint64_t)fact->row.kind + (fact->span != 0);
}

// The constants of a series that engines store with it.
struct pmon_push_form {
	double add;
	double mul;
	bool is_real;     // the operand is x
	bool by_base;     // divided by a base, not by a clock
	bool has_average; // else the others are 0
};
struct pmon_push_form pmon_push_form(const struct pmon_counter *counter);

// The state of a series.
struct pmon_push_state {
	struct pmon_increments rows;
	pmon_time time; // of the sample of rows.tail
	uint32_t nth;
	struct pmon_push_owner owner; // of it
	struct pmon_push_owner owner_next;
	bool is_real; // the operand of a pair is x
	bool has_tail;
	bool is_new; // since the tail was stored
	bool begun;
};

// Those of a log, by the numbers of its series.
struct pmon_push_states {
	const struct pmon_allocator *allocator;
	struct pmon_push_state *list;
	size_t n;
	size_t cap;
};

void pmon_push_states_init(struct pmon_push_states *states, const struct pmon_allocator *allocator);
void pmon_push_states_free(struct pmon_push_states *states);

// Begin the series that are new in the schema. false: out of memory.
bool pmon_push_states_grow(struct pmon_push_states *states, const struct pmon_schema *schema);

// The fact of the next row of a series. false: the row says only whose process the next one is
// (PMON_RAW_OWNER), and is no fact.
bool pmon_push_fact(struct pmon_push_states *states, uint32_t series,
		    const struct pmon_push_row *row, struct pmon_push_fact *fact);

#endif
