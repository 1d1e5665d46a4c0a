// bench_view.c - how soon a large log is on the page of pmon view, and how quick each zoom is
// SPDX-License-Identifier: MIT
//
//	bench_view [SAMPLES [SERIES [FILE]]]
//
// Writes a BLG of 20,000 samples of 500 counters (10,000,000 raw values), opens it as `pmon view` does,
// and asks what a page asks, past HTTP. FILE is taken as it is when it is there, and else kept. Answers
// are made by one thread; "cpu" is what they would take on a machine that does nothing else.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/time.h"
#include "bench.h"
#include "model/schema.h"
#include "web/api.h"
#include "web/view.h"
#include "web/view_private.h"

#define START INT64_C(134396604000000000) // 2026-11-20T15:00:00Z
#define SHOWN 8                           // series on the page
#define ZOOMS 200

// ---- The log --------------------------------------------------------------------------------

static void
add_series(struct pmon_schema *schema, size_t n)
{
	static const uint32_t types[] = {PMON_PERF_100NSEC_TIMER_INV, PMON_PERF_COUNTER_BULK_COUNT,
					 PMON_PERF_COUNTER_LARGE_RAWCOUNT,
					 PMON_PERF_PRECISION_100NS_TIMER};
	char instance[24];
	uint32_t id;

	pmon_schema_init(schema, pmon_mem_allocator(NULL));
	for (size_t i = 0; i < n; i++) {
		struct pmon_counter counter = {
			.type = types[i % 4], .size_bytes = 8, .time_base = 10000000};
		struct pmon_path path = {.machine = PMON_SPAN("SERVER"),
					 .object = PMON_SPAN("Processor"),
					 .counter = PMON_SPAN("% Processor Time")};

		(void)snprintf(instance, sizeof(instance), "%zu", i);
		path.instance = (struct pmon_span){instance, strlen(instance)};
		if (pmon_schema_add(schema, &path, &counter, i, PMON_SERIES_NONE, &id) != PMON_OK)
			bench_fail("not enough memory");
	}
}

static void
fill(struct pmon_raw *raw, size_t n, uint64_t sample, uint64_t *random)
{
	for (size_t i = 0; i < n; i++) {
		raw[i].time = START + (int64_t)sample * PMON_TIME_PER_SEC;
		raw[i].second = (int64_t)sample * PMON_TIME_PER_SEC;
		raw[i].first += (int64_t)(bench_random(random) % PMON_TIME_PER_SEC);
		raw[i].multi = 1;
	}
}

static void
write_log(const char *path, uint64_t samples, size_t n)
{
	struct pmon_source_info info = {.format = "",
					.writer = "",
					.machine = "SERVER",
					.zone = "UTC",
					.log_start = START,
					.log_end = START};
	struct pmon_raw *raw = calloc(n, sizeof(*raw));
	uint32_t *series = calloc(n, sizeof(*series));
	struct pmon_create_options options = {.overwrite = true};
	struct pmon_schema schema;
	struct pmon_sink *sink;
	struct pmon_err err;
	uint64_t random = 1;

	if (raw == NULL || series == NULL)
		bench_fail("not enough memory");
	for (size_t i = 0; i < n; i++)
		series[i] = (uint32_t)i;
	add_series(&schema, n);
	if (pmon_log_create(path, "blg", &options, &sink, &err) != PMON_OK ||
	    pmon_sink_begin(sink, &schema, &info, &err) != PMON_OK)
		bench_fail(err.msg);
	for (uint64_t i = 0; i < samples; i++) {
		struct pmon_sample sample = {.time = START + (int64_t)i * PMON_TIME_PER_SEC,
					     .ordinal = i,
					     .n = n,
					     .series = series,
					     .raw = raw};

		fill(raw, n, i, &random);
		if (pmon_sink_add(sink, &sample, NULL, &err) != PMON_OK)
			bench_fail(err.msg);
	}
	if (pmon_sink_finish(sink, &err) != PMON_OK)
		bench_fail(err.msg);
	pmon_sink_close(sink);
	pmon_schema_free(&schema);
	free(raw), free(series);
}

// In a process of its own, so that its memory is not counted.
static void
make_log(const char *path, uint64_t samples, size_t n)
{
	int status = 1;
	pid_t child = fork();

	if (child == 0) {
		write_log(path, samples, n);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
		bench_fail("the log could not be written");
}

// ---- Questions ------------------------------------------------------------------------------

// Ask as a request would; returns the length of the answer.
static size_t
ask(struct view *view, const char *path, const struct call_param *params, size_t n)
{
	struct call call = {.view = view, .path = path, .status = 200, .fd = -1, .n_params = n};
	char *text = NULL;
	size_t len = 0;

	memcpy(call.params, params, n * sizeof(*params));
	call.json.stream = open_memstream(&text, &len);
	if (call.json.stream == NULL)
		bench_fail("not enough memory");
	api_find(path)->answer(&call);
	fclose(call.json.stream);
	free(text);
	if (call.status != 200)
		bench_fail(call.error);
	return len;
}

static struct call_param
param(const char *name, const char *value)
{
	return (struct call_param){name, value, strlen(value)};
}

static size_t
zoom(struct view *view, const char *ids, uint64_t from, uint64_t to)
{
	char a[PMON_TIME_SIZE];
	char b[PMON_TIME_SIZE];
	struct call_param params[4];

	pmon_time_iso(START + (int64_t)from * PMON_TIME_PER_SEC, a);
	pmon_time_iso(START + (int64_t)to * PMON_TIME_PER_SEC, b);
	params[0] = param("ids", ids);
	params[1] = param("columns", "1200");
	params[2] = param("from", a);
	params[3] = param("to", b);
	return ask(view, "/api/data", params, 4);
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
print_times(double *times, size_t n, const char *what)
{
	qsort(times, n, sizeof(*times), by_size);
	printf("  %s median %6.1f ms, most %6.1f ms", what, times[n / 2] * 1000,
	       times[n - 1] * 1000);
}

// Random windows, the first of them the whole log.
static void
print_zooms(struct view *view, const char *ids, const char *what, uint64_t samples)
{
	double wall[ZOOMS];
	double cpu[ZOOMS];
	uint64_t random = 7;

	for (size_t i = 0; i < ZOOMS; i++) {
		uint64_t from = i == 0 ? 0 : bench_random(&random) % samples;
		uint64_t to = i == 0 ? samples : from + bench_random(&random) % (samples - from);

		wall[i] = bench_seconds(CLOCK_MONOTONIC);
		cpu[i] = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
		(void)zoom(view, ids, from, to);
		wall[i] = bench_seconds(CLOCK_MONOTONIC) - wall[i];
		cpu[i] = bench_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu[i];
	}
	printf("%-24s", what);
	print_times(wall, ZOOMS, "time");
	print_times(cpu, ZOOMS, "cpu");
	putchar('\n');
}

static void
print_question(struct view *view, const char *path, const struct call_param *params, size_t n)
{
	double wall = bench_seconds(CLOCK_MONOTONIC);
	double cpu = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
	size_t len = ask(view, path, params, n);

	printf("%-24s  time %6.1f ms, cpu %6.1f ms, %zu KiB\n", path,
	       (bench_seconds(CLOCK_MONOTONIC) - wall) * 1000,
	       (bench_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu) * 1000, len / 1024);
}

static void
print_questions(struct view *view)
{
	struct call_param leaf[] = {param("machine", "SERVER"), param("object", "Processor"),
				    param("counter", "% Processor Time")};
	struct call_param search[] = {param("machine", "SERVER"), param("q", "proc 99 time")};
	struct call_param words[] = {param("q", "proc 99 time")};

	print_question(view, "/api/tree", leaf, 1);
	print_question(view, "/api/tree", leaf, 2);
	print_question(view, "/api/tree", leaf, 3);
	print_question(view, "/api/tree", search, 2);
	print_question(view, "/api/select", words, 1);
	print_question(view, "/api/first", NULL, 0);
}

static void
print_memory(void)
{
	char line[128];
	FILE *file = fopen("/proc/self/status", "r");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, "VmHWM:", 6) == 0 || strncmp(line, "VmRSS:", 6) == 0)
			printf("%s", line);
	if (file != NULL)
		fclose(file);
}

static void
wait_for_state(struct view *view, bool complete)
{
	struct timespec moment = {0, 1000000};
	struct set_facts facts;

	do {
		(void)nanosleep(&moment, NULL);
		facts = set_facts(view->sets[0]);
	} while (facts.state == SET_LOADING && (complete || facts.info.bytes_read == 0));
	if (facts.state == SET_FAILED)
		bench_fail(facts.err.msg);
}

static void
list_ids(char *buf, size_t size, size_t n, size_t of)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%zu", i > 0 ? "," : "",
					i * (of / n));
}

static void
run(const char *path, uint64_t samples, size_t n)
{
	static const char *const files[] = {"bench.blg"};
	struct set_plan plans[2] = {{.files = files, .n_files = 1}, {.source = NULL}};
	struct pmon_calc_options calc = {.cap_100 = false};
	struct view *view;
	struct pmon_err err;
	char few[256];
	char many[2048];
	double start = bench_seconds(CLOCK_MONOTONIC);

	if (pmon_log_open(path, NULL, &plans[0].source, &err) != PMON_OK ||
	    view_new(&view, &err) != PMON_OK || view_open(view, plans, &calc, &err) != PMON_OK)
		bench_fail(err.msg);
	list_ids(few, sizeof(few), n < SHOWN ? n : SHOWN, n);
	list_ids(many, sizeof(many), n < 64 ? n : 64, n);
	wait_for_state(view, false);
	(void)ask(view, "/api/first", NULL, 0);
	(void)zoom(view, few, 0, samples);
	printf("first picture, of what is loaded after %.3f s\n",
	       bench_seconds(CLOCK_MONOTONIC) - start);
	wait_for_state(view, true);
	printf("all is loaded after                    %.3f s\n",
	       bench_seconds(CLOCK_MONOTONIC) - start);
	(void)ask(view, "/api/first", NULL, 0);
	(void)zoom(view, few, 0, samples);
	printf("first picture of all after             %.3f s; cpu of all threads %.3f s\n",
	       bench_seconds(CLOCK_MONOTONIC) - start, bench_seconds(CLOCK_PROCESS_CPUTIME_ID));
	print_memory();
	print_zooms(view, few, "8 series", samples);
	print_zooms(view, many, "64 series", samples);
	print_questions(view);
	print_memory();
	view_free(view);
	pmon_source_close(plans[0].source);
}

int
main(int argc, char **argv)
{
	uint64_t samples = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
	size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 500;
	char temporary[] = "/var/tmp/bench-view-XXXXXX";
	const char *path = argc > 3 ? argv[3] : temporary;

	if (samples < 2 || n == 0)
		bench_fail("at least two samples of one series");
	if (argc <= 3 && mkstemp(temporary) < 0)
		bench_fail("no temporary file");
	if (argc <= 3 || access(path, R_OK) != 0)
		make_log(path, samples, n);
	printf("%" PRIu64 " samples of %zu series\n", samples, n);
	run(path, samples, n);
	if (argc <= 3)
		(void)unlink(path);
	return 0;
}
