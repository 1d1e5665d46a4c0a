// ranks.c - what the statistics of a sample cost, series by series and in ranks
// SPDX-License-Identifier: MIT
//
//	bench_ranks
//
// Samples of rates, timers and levels as logs of wildcards have them; of 10,000 series so many give way
// to others in each sample. "rows" takes each value by the row of its series (query/rows.h), "ranks"
// eight of them at a time (query/ranks.h). Nanoseconds a value, of the processor.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "model/schema.h"
#include "query/ranks.h"

#define ALL    10000 // churn is counted in parts of this
#define VALUES 4000000
#define BEST   5

static const uint32_t types[] = {
	PMON_PERF_100NSEC_TIMER_INV, PMON_PERF_100NSEC_TIMER,    PMON_PERF_COUNTER_COUNTER,
	PMON_PERF_COUNTER_RAWCOUNT,  PMON_PERF_AVERAGE_TIMER,    PMON_PERF_AVERAGE_BULK,
	PMON_PERF_COUNTER_COUNTER,   PMON_PERF_COUNTER_RAWCOUNT,
};
#define N_TYPES (sizeof(types) / sizeof(types[0]))

struct shape {
	size_t width; // series of a sample
	size_t churn;
};

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
die(void)
{
	fprintf(stderr, "ranks: not enough memory\n");
	exit(1);
}

// ---- Samples --------------------------------------------------------------------------------

struct samples {
	struct pmon_schema schema;
	struct pmon_sample sample;
	uint32_t *series;
	struct pmon_raw *raws;
	size_t due; // of a series, in parts of ALL
	size_t next;
};

static uint32_t
add_series(struct pmon_schema *schema, size_t kind)
{
	struct pmon_counter counter = {
		.type = types[kind % N_TYPES], .size_bytes = 8, .time_base = 10000000};
	struct pmon_path path = {.object = PMON_SPAN("Object"), .counter = PMON_SPAN("Counter")};
	uint32_t id;

	if (pmon_schema_add(schema, &path, &counter, 0, SIZE_MAX, &id) != PMON_OK)
		die();
	return id;
}

static void
begin(struct samples *s, const struct shape *shape)
{
	*s = (struct samples){.due = 0};
	pmon_schema_init(&s->schema, pmon_mem_allocator(NULL));
	s->series = calloc(shape->width, sizeof(*s->series));
	s->raws = calloc(shape->width, sizeof(*s->raws));
	if (s->series == NULL || s->raws == NULL)
		die();
	for (size_t i = 0; i < shape->width; i++)
		s->series[i] = add_series(&s->schema, i * N_TYPES / shape->width);
	s->sample = (struct pmon_sample){
		.ordinal = UINT64_MAX, .n = shape->width, .series = s->series, .raw = s->raws};
}

static void
next(struct samples *s, const struct shape *shape)
{
	s->sample.ordinal++;
	for (s->due += shape->churn * shape->width; s->due >= ALL; s->due -= ALL) {
		size_t at = s->next++ * 7919 % shape->width;

		s->series[at] = add_series(&s->schema, at * N_TYPES / shape->width);
	}
	for (size_t i = 0; i < shape->width; i++) {
		s->raws[i].multi = 1;
		s->raws[i].time = (pmon_time)s->sample.ordinal;
		s->raws[i].first += (int64_t)(i * 31 % 97);
		s->raws[i].second += 100;
	}
}

static void
end(struct samples *s)
{
	pmon_schema_free(&s->schema);
	free(s->series);
	free(s->raws);
}

// ---- Statistics -----------------------------------------------------------------------------

static void
add(struct pmon_rows *rows, struct pmon_ranks *ranks, const struct pmon_sample *sample)
{
	struct pmon_value value;

	if (!pmon_rows_grow(rows))
		die();
	if (ranks != NULL && pmon_ranks_add(ranks, rows, sample) == PMON_OK)
		return;
	for (size_t i = 0; i < sample->n; i++)
		if (!pmon_rows_add(rows, sample, i, &value))
			die();
}

// Nanoseconds a value; what the samples cost is taken off.
static double
measure(const struct shape *shape, bool in_ranks)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);
	struct pmon_rows rows = {.allocator = allocator};
	struct pmon_ranks *ranks = pmon_mem_alloc0(allocator, sizeof(*ranks));
	struct samples s;
	double took = 0;

	if (ranks == NULL)
		die();
	begin(&s, shape);
	ranks->allocator = allocator;
	rows.schema = &s.schema;
	pmon_arena_init(&rows.arena, allocator);
	for (size_t i = 0; i < VALUES / shape->width; i++) {
		double start;

		next(&s, shape);
		start = seconds();
		add(&rows, in_ranks ? ranks : NULL, &s.sample);
		took += seconds() - start;
	}
	pmon_ranks_free(ranks);
	pmon_rows_free(&rows);
	end(&s);
	return took * 1e9 / VALUES;
}

static double
best(const struct shape *shape, bool in_ranks)
{
	double least = 1e9;

	for (int i = 0; i < BEST; i++) {
		double took = measure(shape, in_ranks);

		least = took < least ? took : least;
	}
	return least;
}

int
main(void)
{
	static const struct shape shapes[] = {{100, 0},    {1000, 0},    {10000, 0},   {30000, 0},
					      {10000, 10}, {10000, 100}, {10000, 1000}};

	printf("%8s %8s %8s %8s\n", "series", "churn", "rows", "ranks");
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		printf("%8zu %6.1f %% %8.2f %8.2f\n", shapes[i].width,
		       (double)shapes[i].churn * 100 / ALL, best(&shapes[i], false),
		       best(&shapes[i], true));
	return 0;
}
