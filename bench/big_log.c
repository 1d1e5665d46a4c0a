// big_log.c - write a big log for benchmarks: big_log KIND FORMAT BYTES OUT [SEED]
// SPDX-License-Identifier: MIT
//
//	KIND     single   1,000 counters, each by its own path, of the types that logs are made of
//	         many     5,000 of them
//	         churn    10 counters of 1,000 instances, of which 1 % give way to others in each sample
//	FORMAT   as in pmon relog: blg csv tsv sqlite jsonl
//	BYTES    about how large the log becomes; K, M and G may stand behind
//
// The same arguments write the same samples on every machine.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmon/pmon.h>

#include "base/mem.h"
#include "model/source.h"

#define START        INT64_C(133485408000000000) // 2024-01-01T00:00:00Z
#define PERF_FREQ    INT64_C(10000000)
#define CHURN        10 // instances that give way, of 1,000
#define INSTANCES    1000
#define PER_INSTANCE 10

static const struct {
	uint32_t type;
	const char *name;
} kinds[PER_INSTANCE] = {
	{PMON_PERF_100NSEC_TIMER_INV, "% Processor Time"},
	{PMON_PERF_100NSEC_TIMER, "% User Time"},
	{PMON_PERF_COUNTER_COUNTER, "Page Faults/sec"},
	{PMON_PERF_COUNTER_BULK_COUNT, "IO Data Bytes/sec"},
	{PMON_PERF_COUNTER_LARGE_RAWCOUNT, "Working Set"},
	{PMON_PERF_COUNTER_RAWCOUNT, "Thread Count"},
	{PMON_PERF_AVERAGE_TIMER, "Avg. Wait sec"},
	{PMON_PERF_AVERAGE_BULK, "Avg. Bytes/Read"},
	{PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE, "Avg. Queue Length"},
	{PMON_PERF_PRECISION_100NS_TIMER, "% Busy Time"},
};

struct big {
	struct pmon_source source; // first, as every source has it
	bool churns;
	size_t width; // series in a sample
	uint64_t left;
	uint64_t seed;
	pmon_time time;
	uint64_t number; // of the next instance
	uint32_t *series;
	struct pmon_raw *raw;
	struct pmon_sample sample;
};

static void
die(const char *what)
{
	fprintf(stderr, "big_log: %s\n", what);
	exit(1);
}

static uint64_t
next_random(struct big *b)
{
	b->seed ^= b->seed << 13;
	b->seed ^= b->seed >> 7;
	b->seed ^= b->seed << 17;
	return b->seed;
}

// ---- Series ---------------------------------------------------------------------------------

static uint32_t
add_series(struct big *b, const char *object, const char *instance, size_t kind)
{
	struct pmon_path path = {.machine = PMON_SPAN("BENCH")};
	struct pmon_counter counter = {
		.type = kinds[kind].type, .size_bytes = 8, .time_base = PERF_FREQ};
	uint32_t id;

	path.object = (struct pmon_span){object, strlen(object)};
	path.instance = (struct pmon_span){instance, strlen(instance)};
	path.counter = (struct pmon_span){kinds[kind].name, strlen(kinds[kind].name)};
	if (pmon_schema_add(&b->source.schema, &path, &counter, b->source.schema.n, SIZE_MAX,
			    &id) != PMON_OK)
		die("not enough memory");
	b->source.schema.list[id]->wildcard = b->churns;
	return id;
}

// An instance in a place: its counters begin anew.
static void
put_instance(struct big *b, size_t place)
{
	char name[40];
	size_t first = place * PER_INSTANCE;

	(void)snprintf(name, sizeof(name), "process%" PRIu64, b->number++);
	for (size_t kind = 0; kind < PER_INSTANCE; kind++) {
		b->series[first + kind] =
			add_series(b, b->churns ? "Process" : "Instance Data", name, kind);
		b->raw[first + kind] = (struct pmon_raw){.multi = 1};
	}
}

// ---- Samples --------------------------------------------------------------------------------

static void
step_raw(struct big *b, struct pmon_raw *raw, uint32_t type)
{
	uint64_t random = next_random(b);

	raw->time = b->time;
	switch (type) {
	case PMON_PERF_COUNTER_RAWCOUNT:
	case PMON_PERF_COUNTER_LARGE_RAWCOUNT:
		raw->first = (int64_t)(random >> 40);
		break;
	case PMON_PERF_AVERAGE_TIMER:
	case PMON_PERF_AVERAGE_BULK:
		raw->first += (int64_t)(random >> 44);
		raw->second = (raw->second + (int64_t)(random & 15)) & 0xFFFFFFFF;
		break;
	case PMON_PERF_COUNTER_COUNTER:
		raw->first = (raw->first + (int64_t)(random >> 52)) & 0xFFFFFFFF;
		raw->second = b->time - START;
		break;
	default:
		raw->first += (int64_t)(random >> 42);
		raw->second = b->time;
	}
}

static enum pmon_status
big_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct big *b = (struct big *)source;

	(void)err;
	if (b->left == 0)
		return PMON_END;
	b->left--;
	b->time += PMON_TIME_PER_SEC + (int64_t)(next_random(b) >> 50);
	for (int i = 0; b->churns && i < CHURN; i++)
		put_instance(b, next_random(b) % INSTANCES);
	for (size_t i = 0; i < b->width; i++)
		step_raw(b, &b->raw[i], kinds[i % PER_INSTANCE].type);
	b->sample.time = b->time;
	b->sample.ordinal++;
	*sample = &b->sample;
	return PMON_OK;
}

static enum pmon_status
big_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)source;
	(void)err;
	return PMON_E_STATE;
}

static void
big_close(struct pmon_source *source)
{
	(void)source; // the process ends
}

static const struct pmon_source_ops ops = {big_next, big_rewind, big_close};

// ---- The log --------------------------------------------------------------------------------

static struct pmon_source *
open_big(const char *kind, uint64_t seed)
{
	static struct big b;
	size_t instances = strcmp(kind, "many") == 0 ? INSTANCES / 2 : INSTANCES / 10;

	b.churns = strcmp(kind, "churn") == 0;
	if (!b.churns && strcmp(kind, "single") != 0 && strcmp(kind, "many") != 0)
		die("KIND is single, many or churn");
	if (b.churns)
		instances = INSTANCES;
	b.source.ops = &ops;
	b.seed = seed;
	b.time = START;
	b.width = instances * PER_INSTANCE;
	pmon_schema_init(&b.source.schema, pmon_mem_allocator(NULL));
	b.source.info = (struct pmon_source_info){.format = "bench",
						  .live = true, // cannot be rewound
						  .writer = "",
						  .machine = "BENCH",
						  .zone = "",
						  .log_start = START,
						  .log_end = PMON_TIME_NONE};
	b.series = calloc(b.width, sizeof(*b.series));
	b.raw = calloc(b.width, sizeof(*b.raw));
	if (b.series == NULL || b.raw == NULL)
		die("not enough memory");
	for (size_t i = 0; i < instances; i++)
		put_instance(&b, i);
	b.sample = (struct pmon_sample){.n = b.width, .series = b.series, .raw = b.raw};
	b.sample.ordinal = UINT64_MAX; // the next is 0
	b.left = UINT64_MAX;
	return &b.source;
}

// How many samples make a log of this size, by the bytes that a value takes in each format.
static uint64_t
samples_for(const char *format, uint64_t bytes, size_t width)
{
	static const struct {
		const char *format;
		uint64_t bytes;
	} sizes[] = {{"csv", 16}, {"tsv", 16}, {"blg", 48}, {"sqlite", 60}, {"jsonl", 80}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (strcmp(sizes[i].format, format) == 0)
			return bytes / sizes[i].bytes / width + 2;
	die("FORMAT is csv, tsv, blg, sqlite or jsonl");
	return 0;
}

static uint64_t
read_size(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : *end == 'G' ? n << 30 : n;
}

int
main(int argc, char **argv)
{
	struct pmon_create_options create = {.overwrite = true};
	struct pmon_source *source;
	struct pmon_sink *sink;
	struct pmon_err err;

	if (argc < 5) {
		fprintf(stderr, "usage: big_log single|many|churn FORMAT BYTES OUT [SEED]\n");
		return 2;
	}
	source = open_big(argv[1], argc > 5 ? strtoull(argv[5], NULL, 10) + 1 : 88172645463325252);
	((struct big *)source)->left =
		samples_for(argv[2], read_size(argv[3]), ((struct big *)source)->width);
	if (pmon_log_create(argv[4], argv[2], &create, &sink, &err) != PMON_OK ||
	    pmon_copy(source, sink, NULL, &err) != PMON_OK)
		die(err.msg);
	pmon_sink_close(sink);
	return 0;
}
