// survey.c - the times of a log: range, usual interval, gaps, clock steps
// SPDX-License-Identifier: MIT

#include "shell/input/survey.h"

#include <stdlib.h>

static int
by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void
note_gap(struct survey *s, pmon_time to)
{
	if (s->n_gaps < SURVEY_GAPS)
		s->gaps[s->n_gaps] = (struct survey_gap){s->last, to, s->pace.interval_100ns};
	s->n_gaps++;
}

static void
note_step(struct survey *s, pmon_time to)
{
	if (s->n_steps < SURVEY_STEPS)
		s->steps[s->n_steps] = (struct survey_step){s->last, to, s->pace.set_100ns};
	s->n_steps++;
}

void
survey_finish(struct survey *s)
{
	size_t same = 0;

	qsort(s->intervals, s->n_intervals, sizeof(s->intervals[0]), by_length);
	// Samples with the same time, as in logs with times by the minute, have no interval.
	while (same < s->n_intervals && s->intervals[same] == 0)
		same++;
	if (same < s->n_intervals)
		s->usual = s->intervals[same + (s->n_intervals - same) / 2];
}

static void
add_interval(struct survey *s, pmon_time to)
{
	if (to < s->last)
		s->steps_back++;
	if (s->pace.set_100ns != 0)
		note_step(s, to);
	if (s->pace.is_back)
		return;
	if (s->pace.is_gap)
		note_gap(s, to);
	if (s->n_intervals < SURVEY_INTERVALS)
		s->intervals[s->n_intervals++] = s->pace.interval_100ns;
}

void
survey_add(struct survey *s, const struct pmon_sample *sample)
{
	if (sample->preceding)
		return;
	pmon_pace_add(&s->pace, sample);
	if (s->samples == 0)
		s->first = sample->time;
	else
		add_interval(s, sample->time);
	s->last = sample->time;
	s->samples++;
	s->values += sample->n;
}
