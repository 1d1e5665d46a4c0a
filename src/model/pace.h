// pace.h - the time between samples: the usual interval, gaps, and clocks that were set
// SPDX-License-Identifier: MIT
//
// A sample's time is from the system clock, which people and time services set, and which jumps
// when a paused machine continues. The performance clock does neither. If a sample has both (struct
// pmon_sample.perf_100ns) and they disagree, the performance clock determines the interval. A text
// log has one clock: where its times go back, the interval counts as a usual one. This file defines
// a gap: an interval of more than 2.5 times the usual one.
//
//	pace = pmon_paces_add(&paces, sample);     // each sample of each stream, in order
//	seconds += pace->length_100ns;             // what its values stand for

#ifndef PMON_MODEL_PACE_H
#define PMON_MODEL_PACE_H

#include <pmon/model.h>

#define PMON_PACE_RECENT 9 // recent intervals, to detect a change of the usual one

// A reading of the performance clock in 100 ns; 0 if it is not valid.
int64_t pmon_perf_100ns(int64_t ticks, int64_t ticks_per_second);

// Is the second raw value of counters of this type a reading of the performance clock?
bool pmon_perf_tells(uint32_t type_word, int64_t time_base);

// The series of a source whose raw values contain the performance clock, once one was found; all
// zero bytes before.
struct pmon_perf_place {
	bool is_known;
	uint32_t series;
	size_t at; // its index in the newest sample
};

// The performance clock in the raw values of a sample; 0 if they do not contain it.
int64_t pmon_perf_of(struct pmon_perf_place *place, const struct pmon_schema *schema,
		     const struct pmon_sample *sample);

// One stream, up to its newest sample; or several together, if their samples are added in order.
struct pmon_pace {
	uint64_t samples;
	uint32_t stream; // of that sample
	pmon_time first;
	int64_t first_perf_100ns;
	pmon_time time; // of that sample
	int64_t perf_100ns;
	int64_t usual_100ns; // 0: not known yet
	int64_t recent[PMON_PACE_RECENT];
	size_t n_recent;  // intervals seen so far
	bool has_changed; // the usual interval has changed
	// The newest interval.
	int64_t interval_100ns; // since the preceding sample; 0 for the first
	// the time that its values stand for: after a gap at most one usual interval
	int64_t length_100ns;
	int64_t set_100ns;  // how far the system clock jumped ahead; 0: the clocks agree
	int64_t jump_100ns; // length_100ns minus the difference of the times
	bool is_gap;
	bool is_back; // the time went back, and no other clock measured the interval: it is assumed
	// Totals of all intervals.
	int64_t all_set_100ns;
	int64_t all_jumps_100ns;
	int64_t elapsed_100ns; // sum of the lengths
};

// The time that the newest sample would have if the system clock had not been set since the first
// one.
static inline pmon_time
pmon_pace_steady(const struct pmon_pace *pace)
{
	return (pmon_time)((uint64_t)pace->time - (uint64_t)pace->all_set_100ns);
}

// Do the system clock and the performance clock disagree about an interval so much that one was
// set?
bool pmon_pace_disagree(int64_t system_100ns, int64_t perf_100ns);

// Is an interval of this length a gap? Not as long as the usual one is unknown.
bool pmon_pace_is_gap(const struct pmon_pace *pace, int64_t interval_100ns);

// The correction to add to the difference of two times. With is_whole, the result is the elapsed
// time, which a value from two raw values describes; otherwise it is the time that a momentary
// value stands for, at most one usual interval.
static inline int64_t
pmon_pace_jumps(const struct pmon_pace *pace, bool is_whole)
{
	return is_whole ? (int64_t)(0 - (uint64_t)pace->all_set_100ns) : pace->all_jumps_100ns;
}

// Begin with all zero bytes, then add each sample. One with start values of processes (`starts`)
// changes nothing.
void pmon_pace_add(struct pmon_pace *pace, const struct pmon_sample *sample);

// The same for a pace plus the interval between its newest sample and the first of another that
// follows.
int64_t pmon_pace_jumps_until(const struct pmon_pace *pace, const struct pmon_pace *next,
			      bool is_whole);

// That interval, as in pmon_pace.interval_100ns.
int64_t pmon_pace_interval_to(const struct pmon_pace *pace, const struct pmon_pace *next);

void pmon_pace_append(struct pmon_pace *pace, const struct pmon_pace *next);

// The streams of a source; all zero bytes at the beginning.
struct pmon_paces {
	const struct pmon_allocator *allocator; // NULL: libc
	struct pmon_pace *list;                 // sorted by stream
	size_t n;
	size_t cap;
};

// Add a sample to the pace of its stream and return that pace; NULL if out of memory. It is valid
// until the next call.
PMON_NODISCARD const struct pmon_pace *pmon_paces_add(struct pmon_paces *paces,
						      const struct pmon_sample *sample);
void pmon_paces_free(struct pmon_paces *paces);

// The pace of a stream so far; all zero bytes if it had no sample.
struct pmon_pace pmon_paces_at(const struct pmon_paces *paces, uint32_t stream);

// Append the paces of the samples that follow. False if out of memory.
PMON_NODISCARD bool pmon_paces_append(struct pmon_paces *paces, const struct pmon_paces *next);

// Add a sample, and change its time to that on a chart's axis, on which clocks are never set. False
// if out of memory.
PMON_NODISCARD bool pmon_paces_axis(struct pmon_paces *paces, const struct pmon_sample *sample,
				    struct pmon_sample *out);

#endif
