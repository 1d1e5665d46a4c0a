// moment.c - the samples nearest to one time: --at
// SPDX-License-Identifier: MIT
//
// A value is that of the interval that ends at its sample, so the sample of a machine that is
// nearest to the time tells what happened then. Samples of several machines are rarely at the same
// time.

#include "shell/input/moment.h"

#include "base/mem.h"

struct moment
moment_of(pmon_time at)
{
	return (struct moment){.at = at, .first = PMON_TIME_NONE, .last = PMON_TIME_NONE};
}

static int64_t
distance(pmon_time a, pmon_time b)
{
	return a > b ? a - b : b - a;
}

bool
moment_add(struct moment *moment, const struct pmon_sample *sample)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);
	uint32_t i = pmon_streams_index(&moment->streams, allocator, sample->stream);

	if (i == PMON_STREAM_NONE || !pmon_mem_grow(allocator, &moment->nearest, &moment->cap,
						    (size_t)i + 1, sizeof(*moment->nearest)))
		return false;
	if (i >= moment->n) {
		moment->n = (size_t)i + 1;
		moment->nearest[i] = sample->time;
	}
	if (distance(sample->time, moment->at) < distance(moment->nearest[i], moment->at))
		moment->nearest[i] = sample->time;
	if (moment->first == PMON_TIME_NONE || sample->time < moment->first)
		moment->first = sample->time;
	if (moment->last == PMON_TIME_NONE || sample->time > moment->last)
		moment->last = sample->time;
	return true;
}

void
moment_window(const struct moment *moment, pmon_time *from, pmon_time *to)
{
	*from = *to = moment->at;
	if (moment->n == 0 || moment->at < moment->first || moment->at > moment->last)
		return;
	*from = *to = moment->nearest[0];
	for (size_t i = 1; i < moment->n; i++) {
		*from = moment->nearest[i] < *from ? moment->nearest[i] : *from;
		*to = moment->nearest[i] > *to ? moment->nearest[i] : *to;
	}
}

void
moment_free(struct moment *moment)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);

	pmon_streams_free(&moment->streams, allocator);
	pmon_mem_free(allocator, moment->nearest, moment->cap * sizeof(*moment->nearest));
}
