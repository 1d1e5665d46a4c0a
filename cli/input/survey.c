// survey.c - the times of a log: range, usual interval, gaps
// SPDX-License-Identifier: MIT

#include "cli/input/survey.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output/out.h"
#include "cli/process/memory.h"

static int
by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void
look_at_interval(struct survey *s, pmon_time from, pmon_time to)
{
	if (to - from <= s->usual + s->usual / 2)
		return;
	if (s->n_gaps < SURVEY_GAPS)
		s->gaps[s->n_gaps] = (struct survey_gap){from, to};
	s->n_gaps++;
}

// Enough intervals were seen, or all: take the median, and look at those that waited for it.
void
survey_finish(struct survey *s)
{
	int64_t *sorted;
	size_t same = 0;

	if (s->usual != 0 || s->n_intervals == 0)
		return;
	sorted = malloc(s->n_intervals * sizeof(*sorted));
	if (sorted == NULL) {
		memory_was_short();
		return;
	}
	memcpy(sorted, s->intervals, s->n_intervals * sizeof(*sorted));
	qsort(sorted, s->n_intervals, sizeof(*sorted), by_length);
	// Samples of the same time, as in logs with times by the minute, give no interval.
	while (same < s->n_intervals && sorted[same] == 0)
		same++;
	if (same < s->n_intervals)
		s->usual = sorted[same + (s->n_intervals - same) / 2];
	free(sorted);
	for (size_t i = 0; s->usual != 0 && i < s->n_intervals; i++)
		look_at_interval(s, s->starts[i], s->starts[i] + s->intervals[i]);
}

static void
add_interval(struct survey *s, pmon_time to)
{
	if (to < s->last) {
		s->steps_back++;
		return;
	}
	if (s->usual != 0 || s->n_intervals == SURVEY_INTERVALS) {
		if (s->usual != 0)
			look_at_interval(s, s->last, to);
		return;
	}
	s->starts[s->n_intervals] = s->last;
	s->intervals[s->n_intervals++] = to - s->last;
	if (s->n_intervals == SURVEY_INTERVALS)
		survey_finish(s);
}

void
survey_add(struct survey *s, const struct pmon_sample *sample)
{
	if (s->samples == 0)
		s->first = sample->time;
	else
		add_interval(s, sample->time);
	s->last = sample->time;
	s->samples++;
	s->values += sample->n;
}
