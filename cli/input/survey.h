// survey.h - the times of a log: range, usual interval, gaps
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INPUT_SURVEY_H
#define PMON_CLI_INPUT_SURVEY_H

#include <pmon/pmon.h>

#include "base/text.h"

#define SURVEY_INTERVALS 1001 // the usual interval is the median of so many at the beginning
#define SURVEY_GAPS      100  // gaps that are listed; more are counted

struct survey_gap {
	pmon_time from;
	pmon_time to;
};

// What one reading of a log found out.
struct survey {
	uint64_t samples;
	uint64_t values;
	uint64_t counters; // filled in by the caller
	pmon_time first;
	pmon_time last;
	uint64_t steps_back; // samples earlier than the one before
	int64_t intervals[SURVEY_INTERVALS];
	pmon_time starts[SURVEY_INTERVALS]; // where each of them begins
	size_t n_intervals;
	int64_t usual; // 0 until it is known
	struct survey_gap gaps[SURVEY_GAPS];
	uint64_t n_gaps;
};

// Add each sample, then finish.
void survey_add(struct survey *s, const struct pmon_sample *sample);
void survey_finish(struct survey *s);

#endif
