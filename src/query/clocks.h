// clocks.h - find raw values between which the system clock was set
// SPDX-License-Identifier: MIT
//
// Timers on the 100 ns clock divide by the difference of the system clock. If the clock was set or
// the machine was paused, that difference is not the time during which they counted. The
// performance clock of the sample reveals this.

#ifndef PMON_QUERY_CLOCKS_H
#define PMON_QUERY_CLOCKS_H

#include <pmon/model.h>

// One series that follows the system clock.
struct pmon_clock {
	int64_t second;     // of its newest usable raw value
	int64_t perf_100ns; // at that time; 0: unknown
	// If `first` is a start time: the start time seen before the clock was set, and the error
	// of values until it changes.
	int64_t start;
	int64_t wrong_100ns;
	uint32_t machine; // its number
	bool is_elapsed;
	bool is_stepped; // the raw value of the newest sample
};

struct pmon_clocks {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_clock *list; // by series
	bool *follows;           // by series: whether it follows the system clock
	size_t n;
	size_t cap;
	size_t follows_cap;
	size_t n_stepped; // raw values of the newest sample
	bool had_steps;   // whether any sample so far had some
	// First and newest sample.
	pmon_time first_time;
	int64_t first_perf_100ns; // 0: unknown
	pmon_time time;
	int64_t perf_100ns;
	uint32_t n_machines;
	size_t newest; // newest series with an entry
};

void pmon_clocks_init(struct pmon_clocks *clocks, const struct pmon_allocator *allocator,
		      const struct pmon_schema *schema);
void pmon_clocks_free(struct pmon_clocks *clocks);
void pmon_clocks_rewind(struct pmon_clocks *clocks);

// Compare the clocks of a sample with those of the previous one. If the sample carries the earlier
// clock state, use that instead of its raw values. False when memory is short.
PMON_NODISCARD bool pmon_clocks_see(struct pmon_clocks *clocks, const struct pmon_sample *sample);

// Whether parts of a source must be read in one pass because a clock was set within or between
// them. before is NULL for the first part.
bool pmon_clocks_are_apart(const struct pmon_clocks *before, const struct pmon_clocks *part);

// Whether the clock of this series was set before its raw value in the newest sample.
static inline bool
pmon_clocks_stepped(const struct pmon_clocks *clocks, uint32_t series)
{
	return clocks->n_stepped > 0 && clocks->follows[series] && clocks->list[series].is_stepped;
}

#endif
