// bench_live.c - what a sample of this machine costs
// SPDX-License-Identifier: MIT
//
//	bench_live [WHAT [SAMPLES]]
//
// WHAT is system (all objects that are sampled unasked, but Process), process, thread, all (default),
// or a pattern.
// Samples are taken one after the other, without waiting. CPU time is that of the benchmark, in
// microseconds a sample: "samples" takes them, "values" computes each displayed value and its
// statistics too. The first sample, in which files are opened, does not count. Memory is VmRSS, after
// the first samples and after the last.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <pmon/live.h>
#include <pmon/pmon.h>

#include "os/limit.h"

#define WARM_UP 10

static _Noreturn void
fail(const char *what, const struct pmon_err *err)
{
	fprintf(stderr, "bench_live: %s: %s\n", what, err->msg);
	exit(1);
}

static double
cpu_us(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static unsigned long
rss_kib(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	unsigned long kib = 0;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "VmRSS: %lu", &kib) == 1)
			break;
	if (file != NULL)
		fclose(file);
	return kib;
}

// ---- What is asked for ----------------------------------------------------------------------

static bool
is_asked(const char *what, const struct pmon_live_counter *counter)
{
	if (strcmp(what, "process") == 0)
		return strcmp(counter->object, "Process") == 0;
	if (strcmp(what, "thread") == 0)
		return strcmp(counter->object, "Thread") == 0;
	if (strcmp(what, "system") == 0)
		return !counter->on_request && strcmp(counter->object, "Process") != 0;
	return !counter->on_request;
}

static void
add(struct pmon_select *select, const char *pattern)
{
	struct pmon_err err;

	if (pmon_select_add(select, (struct pmon_span){pattern, strlen(pattern)}, &err) != PMON_OK)
		fail(pattern, &err);
}

static struct pmon_select *
select_what(const char *what)
{
	struct pmon_live_counter counter;
	struct pmon_select *select;
	struct pmon_err err;
	char pattern[256];
	const char *before = "";

	if (pmon_select_new(NULL, &select, &err) != PMON_OK)
		fail("select", &err);
	if (what[0] == '\\')
		add(select, what);
	for (size_t i = 0; what[0] != '\\' && pmon_live_counter_at(i, &counter); i++) {
		if (strcmp(counter.object, before) == 0 || !is_asked(what, &counter))
			continue;
		before = counter.object;
		snprintf(pattern, sizeof(pattern), "\\%s%s\\*", counter.object,
			 counter.instances ? "(*)" : "");
		add(select, pattern);
	}
	return select;
}

// ---- Measuring ------------------------------------------------------------------------------

struct bench {
	struct pmon_source *source;
	const struct pmon_sample *sample;
	struct pmon_statistics *statistics; // NULL: samples only
};

static void
take(struct bench *bench, unsigned long samples)
{
	struct pmon_err err;

	for (unsigned long i = 0; i < samples; i++) {
		if (pmon_source_next(bench->source, &bench->sample, &err) != PMON_OK)
			fail("sample", &err);
		if (bench->statistics != NULL &&
		    pmon_statistics_add(bench->statistics, bench->sample, NULL, &err) != PMON_OK)
			fail("values", &err);
	}
}

static void
measure(const char *what, struct pmon_select *select, unsigned long samples, bool values)
{
	struct pmon_live_options options = {.select = select};
	struct bench bench = {.statistics = NULL};
	struct pmon_err err;
	unsigned long before;
	double start;

	if (pmon_live_open(&options, &bench.source, &err) != PMON_OK)
		fail("open", &err);
	if (values && pmon_statistics_new(pmon_source_schema(bench.source), NULL, NULL,
					  &bench.statistics, &err) != PMON_OK)
		fail("values", &err);
	take(&bench, WARM_UP);
	before = rss_kib();
	start = cpu_us();
	take(&bench, samples);
	printf("%s: %s: %.1f us a sample, %zu counters, memory %lu KiB after %d samples, %lu KiB "
	       "after "
	       "%lu\n",
	       what, values ? "values" : "samples", (cpu_us() - start) / (double)samples,
	       bench.sample->n, before, WARM_UP, rss_kib(), samples + WARM_UP);
	pmon_statistics_free(bench.statistics);
	pmon_source_close(bench.source);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "all";
	unsigned long samples = argc > 2 ? strtoul(argv[2], NULL, 10) : 200;
	struct pmon_select *select = select_what(what);

	pmon_os_raise_open_files();
	measure(what, select, samples, false);
	measure(what, select, samples, true);
	pmon_select_free(select);
	return 0;
}
