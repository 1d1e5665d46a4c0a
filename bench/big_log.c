// big_log.c - write a big log for benchmarks: big_log KIND FORMAT BYTES OUT [NAME=NUMBER...]
// SPDX-License-Identifier: MIT
//
//	KIND     single   1,000 counters, each by its own path, of the types that logs are made of
//	         many     5,000 of them
//	         churn    10 counters of 1,000 instances, of which 1 % give way to others in each sample
//	FORMAT   as in pmon relog: blg csv tsv sqlite jsonl
//	BYTES    about how large the log becomes; may end in K, M or G
//	NAME     counters, churn (instances of 10,000 that give way in each sample), seed;
//	         values: how many raw values the log has, in place of BYTES
//
// The same arguments write the same samples on every machine.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmon/pmon.h>

#include "base/mem.h"
#include "bench.h"
#include "model/source.h"

#define START        INT64_C(133485408000000000) // 2024-01-01T00:00:00Z
#define PERF_FREQ    INT64_C(10000000)
#define PER_INSTANCE 10
#define ALL          10000 // churn is counted in parts of this

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

static const struct {
	const char *name;
	uint64_t counters;
	uint64_t churn;
} logs[] = {{"single", 1000, 0}, {"many", 5000, 0}, {"churn", 10000, 100}};

struct wanted {
	uint64_t counters;
	uint64_t churn;
	uint64_t seed;
	uint64_t values; // 0: as many as BYTES has room for
};

struct big {
	struct pmon_source source; // first, as every source has it
	bool churns;               // instances of one object, by wildcards
	uint64_t churn;            // of 10,000 instances, those that give way in each sample
	uint64_t due;              // of an instance, in parts of 10,000
	size_t width;              // series in a sample
	uint64_t left;
	uint64_t seed;
	pmon_time time;
	uint64_t number; // of the next instance
	uint32_t *series;
	struct pmon_raw *raw;
	struct pmon_sample sample;
};

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
		bench_fail("not enough memory");
	b->source.schema.list[id]->wildcard = b->churns;
	return id;
}

// A new instance in a slot: its counters start at 0.
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

// Some instances give way to others; what is less than one is kept for later samples.
static void
churn(struct big *b)
{
	size_t instances = b->width / PER_INSTANCE;

	for (b->due += b->churn * instances; b->due >= ALL; b->due -= ALL)
		put_instance(b, next_random(b) % instances);
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
	churn(b);
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
open_big(const char *kind, const struct wanted *wanted)
{
	static struct big b;
	size_t instances = (size_t)(wanted->counters / PER_INSTANCE);

	b.churns = strcmp(kind, "churn") == 0;
	b.churn = wanted->churn;
	b.source.ops = &ops;
	b.seed = wanted->seed;
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
		bench_fail("not enough memory");
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
	bench_fail("FORMAT is csv, tsv, blg, sqlite or jsonl");
	return 0;
}

static struct wanted
usual(const char *kind)
{
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		if (strcmp(logs[i].name, kind) == 0)
			return (struct wanted){.counters = logs[i].counters,
					       .churn = logs[i].churn,
					       .seed = UINT64_C(88172645463325252)};
	bench_fail("KIND is single, many or churn");
	return (struct wanted){0};
}

// NAME=NUMBER
static void
set_wanted(struct wanted *wanted, const char *text)
{
	struct {
		const char *name;
		uint64_t *number;
	} names[] = {{"counters=", &wanted->counters},
		     {"churn=", &wanted->churn},
		     {"seed=", &wanted->seed},
		     {"values=", &wanted->values}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t n = strlen(names[i].name);

		if (strncmp(text, names[i].name, n) == 0) {
			*names[i].number = strtoull(text + n, NULL, 10);
			return;
		}
	}
	bench_fail("NAME is counters, churn, seed or values");
}

static void
check_wanted(const struct wanted *wanted)
{
	if (wanted->counters < PER_INSTANCE || wanted->counters % PER_INSTANCE != 0)
		bench_fail("counters come by tens");
	if (wanted->churn > ALL || wanted->seed == 0)
		bench_fail("churn is 10000 at most, and a seed is not 0");
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
	struct pmon_create_options create = {.size = sizeof(create), .overwrite = true};
	struct pmon_source *source;
	struct pmon_sink *sink;
	struct wanted wanted;
	struct pmon_err err;

	if (argc < 5) {
		fprintf(stderr, "usage: big_log single|many|churn FORMAT BYTES OUT "
				"[NAME=NUMBER...]\n");
		return 2;
	}
	wanted = usual(argv[1]);
	for (int i = 5; i < argc; i++)
		set_wanted(&wanted, argv[i]);
	check_wanted(&wanted);
	source = open_big(argv[1], &wanted);
	((struct big *)source)->left =
		wanted.values != 0 ? wanted.values / wanted.counters
				   : samples_for(argv[2], read_size(argv[3]), wanted.counters);
	if (pmon_log_create(argv[4], argv[2], &create, &sink, &err) != PMON_OK ||
	    pmon_copy(source, sink, NULL, &err) != PMON_OK)
		bench_fail(err.msg);
	pmon_sink_close(sink);
	return 0;
}
