// survey.h - the times of a log: range, usual interval, gaps, clock steps
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_SURVEY_H
#define PMON_SHELL_INPUT_SURVEY_H

#include <pmon/pmon.h>

#include "base/text.h"
#include "model/pace.h"

// the usual interval is the median of at most this many at the beginning
#define SURVEY_INTERVALS 1001
#define SURVEY_GAPS      100 // the most gaps listed; further ones are only counted
#define SURVEY_STEPS     100 // the same of steps

struct survey_gap {
	pmon_time from;
	pmon_time to;
	int64_t length_100ns;
};

// The system clock jumped ahead of the performance clock, or back: it was set, or the machine was paused.
struct survey_step {
	pmon_time from; // the sample before
	pmon_time to;
	int64_t set_100ns;
};

// The findings of one pass over a log.
struct survey {
	uint64_t samples;
	uint64_t values;
	uint64_t counters; // filled in by the caller
	pmon_time first;
	pmon_time last;
	struct pmon_pace pace; // of all samples, in any stream
	uint64_t steps_back;   // samples earlier than their predecessor
	int64_t intervals[SURVEY_INTERVALS];
	size_t n_intervals;
	int64_t usual; // 0 until survey_finish()
	struct survey_gap gaps[SURVEY_GAPS];
	uint64_t n_gaps;
	struct survey_step steps[SURVEY_STEPS];
	uint64_t n_steps;
};

// The duration of the log on a clock that was never set.
static inline int64_t
survey_length(const struct survey *s)
{
	return s->samples > 0 ? pmon_pace_steady(&s->pace) - s->first : 0;
}

// Add each sample, then finish. Preceding samples do not count, as in statistics.
void survey_add(struct survey *s, const struct pmon_sample *sample);
void survey_finish(struct survey *s);

#endif
