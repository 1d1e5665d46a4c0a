// pace.c - the time between samples: the usual interval, gaps, and clocks that were set
// SPDX-License-Identifier: MIT

#include "model/pace.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "base/time.h"

#define FIRST_INTERVALS 5 // the usual interval is their median

static bool
is_far_above(int64_t a, int64_t b)
{
	return (double)a > 2.5 * (double)b;
}

// Wraps, as pmon_time_minus() does.
static int64_t
plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

bool
pmon_pace_disagree(int64_t system_100ns, int64_t perf_100ns)
{
	int64_t apart = system_100ns > perf_100ns ? pmon_time_minus(system_100ns, perf_100ns)
						  : pmon_time_minus(perf_100ns, system_100ns);

	return apart < 0 || (apart > PMON_TIME_PER_SEC && apart > perf_100ns / 100);
}

#define MOST_SECONDS (INT64_MAX / PMON_TIME_PER_SEC)

int64_t
pmon_perf_100ns(int64_t ticks, int64_t ticks_per_second)
{
	int64_t seconds, rest;

	if (ticks <= 0 || ticks_per_second <= 0)
		return 0;
	seconds = ticks / ticks_per_second;
	rest = ticks % ticks_per_second;
	if (seconds >= MOST_SECONDS || rest > MOST_SECONDS)
		return 0;
	return seconds * PMON_TIME_PER_SEC + rest * PMON_TIME_PER_SEC / ticks_per_second;
}

bool
pmon_perf_tells(uint32_t type_word, int64_t time_base)
{
	const struct pmon_counter_type *type = pmon_type_by_word(type_word);

	return type != NULL && type->second == PMON_SECOND_PERFTIME && time_base > 0;
}

static bool
tells_perf(const struct pmon_series *series)
{
	return pmon_perf_tells(series->counter.type, series->counter.time_base);
}

static bool
find_place(struct pmon_perf_place *place, const struct pmon_schema *schema,
	   const struct pmon_sample *sample)
{
	for (place->at = 0; place->at < sample->n; place->at++) {
		uint32_t series = sample->series[place->at];

		if (place->is_known ? series == place->series
				    : tells_perf(pmon_schema_at(schema, series))) {
			place->is_known = true;
			place->series = series;
			return true;
		}
	}
	return false;
}

int64_t
pmon_perf_of(struct pmon_perf_place *place, const struct pmon_schema *schema,
	     const struct pmon_sample *sample)
{
	const struct pmon_raw *raw;
	bool is_there = place->is_known && place->at < sample->n &&
			sample->series[place->at] == place->series;

	if (!is_there && !find_place(place, schema, sample))
		return 0;
	raw = &sample->raw[place->at];
	if (raw->status != PMON_RAW_VALID && raw->status != PMON_RAW_NEW)
		return 0;
	return pmon_perf_100ns(raw->second,
			       pmon_schema_at(schema, place->series)->counter.time_base);
}

static int
ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

// The lower median.
static int64_t
median_of(const struct pmon_pace *pace)
{
	size_t n = pace->n_recent < PMON_PACE_RECENT ? pace->n_recent : PMON_PACE_RECENT;
	int64_t sorted[PMON_PACE_RECENT];

	memcpy(sorted, pace->recent, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	return sorted[(n - 1) / 2];
}

// Samples with the same time, as in logs with times by the minute, have no interval.
static void
note_interval(struct pmon_pace *pace, const struct pmon_sample *sample)
{
	int64_t median;

	if (sample->usual_100ns > 0 && pace->n_recent == 0)
		pace->usual_100ns = sample->usual_100ns;
	if (pace->interval_100ns <= 0 || pace->is_back)
		return;
	pace->recent[pace->n_recent++ % PMON_PACE_RECENT] = pace->interval_100ns;
	if (sample->usual_100ns <= 0 && pace->n_recent <= FIRST_INTERVALS) {
		pace->usual_100ns = median_of(pace);
	} else if (pace->n_recent >= PMON_PACE_RECENT &&
		   (is_far_above(pace->interval_100ns, pace->usual_100ns) ||
		    is_far_above(pace->usual_100ns, pace->interval_100ns))) {
		median = median_of(pace);
		if (is_far_above(median, pace->usual_100ns) ||
		    is_far_above(pace->usual_100ns, median)) {
			pace->usual_100ns = median;
			pace->has_changed = true;
		}
	}
}

// Measure the time since the preceding sample with the clocks of both.
static void
measure(struct pmon_pace *pace, const struct pmon_sample *sample)
{
	int64_t system = pmon_time_minus(sample->time, pace->time);
	int64_t perf = pmon_time_minus(sample->perf_100ns, pace->perf_100ns);
	bool has_perf = sample->stream == pace->stream && sample->perf_100ns > 0 &&
			pace->perf_100ns > 0 && perf >= 0;

	pace->is_back = system < 0 && !has_perf;
	if (pace->is_back)
		pace->interval_100ns = pace->usual_100ns;
	else if (has_perf && (system < 0 || pmon_pace_disagree(system, perf)))
		pace->interval_100ns = perf;
	else
		pace->interval_100ns = system;
	pace->set_100ns = pmon_time_minus(system, pace->interval_100ns);
}

bool
pmon_pace_is_gap(const struct pmon_pace *pace, int64_t interval_100ns)
{
	return pace->usual_100ns > 0 && is_far_above(interval_100ns, pace->usual_100ns);
}

void
pmon_pace_add(struct pmon_pace *pace, const struct pmon_sample *sample)
{
	pmon_time before = pace->time;

	if (sample->starts || sample->time == PMON_TIME_NONE)
		return;
	pace->interval_100ns = pace->length_100ns = pace->set_100ns = pace->jump_100ns = 0;
	pace->is_gap = pace->is_back = false;
	if (pace->samples++ == 0) {
		pace->first = sample->time;
		pace->first_perf_100ns = sample->perf_100ns;
		pace->usual_100ns = sample->usual_100ns;
	} else {
		measure(pace, sample);
		note_interval(pace, sample);
		pace->is_gap = pmon_pace_is_gap(pace, pace->interval_100ns);
		pace->length_100ns = pace->is_gap ? pace->usual_100ns : pace->interval_100ns;
		pace->jump_100ns =
			pmon_time_minus(pace->length_100ns, pmon_time_minus(sample->time, before));
	}
	pace->stream = sample->stream;
	pace->time = sample->time;
	pace->perf_100ns = sample->perf_100ns;
	pace->all_set_100ns = plus(pace->all_set_100ns, pace->set_100ns);
	pace->all_jumps_100ns = plus(pace->all_jumps_100ns, pace->jump_100ns);
	pace->elapsed_100ns = plus(pace->elapsed_100ns, pace->length_100ns);
}

// A pace extended by the first sample of another that follows.
static struct pmon_pace
until(const struct pmon_pace *pace, const struct pmon_pace *next)
{
	struct pmon_sample first = {
		.time = next->first, .perf_100ns = next->first_perf_100ns, .stream = pace->stream};
	struct pmon_pace both = *pace;

	if (next->samples > 0)
		pmon_pace_add(&both, &first);
	return both;
}

int64_t
pmon_pace_jumps_until(const struct pmon_pace *pace, const struct pmon_pace *next, bool is_whole)
{
	struct pmon_pace both = until(pace, next);

	return pmon_pace_jumps(&both, is_whole);
}

int64_t
pmon_pace_interval_to(const struct pmon_pace *pace, const struct pmon_pace *next)
{
	return until(pace, next).interval_100ns;
}

void
pmon_pace_append(struct pmon_pace *pace, const struct pmon_pace *next)
{
	struct pmon_pace before = until(pace, next);

	if (next->samples == 0)
		return;
	before.samples = pace->samples;
	*pace = *next;
	pace->samples += before.samples;
	pace->first = before.first;
	pace->first_perf_100ns = before.first_perf_100ns;
	pace->has_changed = before.has_changed || next->has_changed;
	pace->all_set_100ns = plus(before.all_set_100ns, next->all_set_100ns);
	pace->all_jumps_100ns = plus(before.all_jumps_100ns, next->all_jumps_100ns);
	pace->elapsed_100ns = plus(before.elapsed_100ns, next->elapsed_100ns);
}

static bool
is_before(const void *list, size_t at, uint64_t stream)
{
	return ((const struct pmon_pace *)list)[at].stream < stream;
}

// The index of a stream's pace in the list, or where to insert it.
static size_t
place_of(const struct pmon_paces *paces, uint32_t stream)
{
	return pmon_search(paces->list, 0, paces->n, stream, is_before);
}

static bool
is_at(const struct pmon_paces *paces, size_t place, uint32_t stream)
{
	return place < paces->n && paces->list[place].stream == stream;
}

// The pace of a stream, without samples if it is new; NULL if out of memory.
static struct pmon_pace *
need(struct pmon_paces *paces, uint32_t stream)
{
	size_t place = place_of(paces, stream);

	if (is_at(paces, place, stream))
		return &paces->list[place];
	if (!pmon_mem_grow(pmon_mem_allocator(paces->allocator), &paces->list, &paces->cap,
			   paces->n + 1, sizeof(*paces->list)))
		return NULL;
	memmove(&paces->list[place + 1], &paces->list[place],
		(paces->n - place) * sizeof(*paces->list));
	paces->n++;
	paces->list[place] = (struct pmon_pace){.stream = stream};
	return &paces->list[place];
}

const struct pmon_pace *
pmon_paces_add(struct pmon_paces *paces, const struct pmon_sample *sample)
{
	struct pmon_pace *pace = need(paces, sample->stream);

	if (pace != NULL)
		pmon_pace_add(pace, sample);
	return pace;
}

bool
pmon_paces_axis(struct pmon_paces *paces, const struct pmon_sample *sample, struct pmon_sample *out)
{
	const struct pmon_pace *pace = pmon_paces_add(paces, sample);

	*out = *sample;
	if (pace != NULL)
		out->time = pmon_time_minus(sample->time, pace->all_set_100ns);
	return pace != NULL;
}

void
pmon_paces_free(struct pmon_paces *paces)
{
	pmon_mem_free(pmon_mem_allocator(paces->allocator), paces->list,
		      paces->cap * sizeof(*paces->list));
	*paces = (struct pmon_paces){.allocator = paces->allocator};
}

struct pmon_pace
pmon_paces_at(const struct pmon_paces *paces, uint32_t stream)
{
	size_t place = place_of(paces, stream);

	return is_at(paces, place, stream) ? paces->list[place]
					   : (struct pmon_pace){.stream = stream};
}

bool
pmon_paces_append(struct pmon_paces *paces, const struct pmon_paces *next)
{
	for (size_t i = 0; i < next->n; i++) {
		struct pmon_pace *pace = need(paces, next->list[i].stream);

		if (pace == NULL)
			return false;
		pmon_pace_append(pace, &next->list[i]);
	}
	return true;
}
