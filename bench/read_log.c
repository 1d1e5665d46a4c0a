// read_log.c - how long the statistics of a log take: read_log [--values] FILE THREADS [PATTERN]
// SPDX-License-Identifier: MIT
//
//	read_log FILE THREADS [PATTERN]            seconds from opening to statistics, the best of five,
//	                                           then the number of counters
//	read_log --values FILE THREADS [PATTERN]   average, minimum and maximum of each counter

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pmon/pmon.h>

#include "bench.h"

#define BEST 5

struct reading {
	struct pmon_select *select;
	struct pmon_source *source;
	struct pmon_statistics *statistics;
};

static double
read_log(const char *file, unsigned threads, const char *pattern, struct reading *r)
{
	struct pmon_statistics_options options = {.size = sizeof(options), .threads = threads};
	struct pmon_log_options log = {
		.size = sizeof(log), .want = pmon_select_want, .stream = true};
	struct pmon_err err;
	double start = bench_seconds(CLOCK_MONOTONIC);

	if (pmon_select_new(NULL, &r->select, &err) != PMON_OK ||
	    (pattern != NULL &&
	     pmon_select_add(r->select, (struct pmon_span){pattern, strlen(pattern)}, &err) !=
		     PMON_OK))
		bench_fail(err.msg);
	log.want_ctx = r->select;
	if (pattern == NULL)
		log.want = NULL;
	if (pmon_log_open(file, &log, &r->source, &err) != PMON_OK ||
	    pmon_statistics_read(r->source, &options, NULL, &r->statistics, &err) != PMON_OK)
		bench_fail(err.msg);
	return bench_seconds(CLOCK_MONOTONIC) - start;
}

static void
finish(struct reading *r)
{
	pmon_statistics_free(r->statistics);
	pmon_source_close(r->source);
	pmon_select_free(r->select);
}

static void
print_values(const struct reading *r)
{
	const struct pmon_schema *schema = pmon_source_schema(r->source);

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_stats *stats = pmon_statistics_at(r->statistics, i);

		if (stats != NULL)
			printf("%.17g %.17g %.17g\n", pmon_stats_average(stats).value,
			       stats->minimum.value, stats->maximum.value);
	}
}

int
main(int argc, char **argv)
{
	bool values = argc > 1 && strcmp(argv[1], "--values") == 0;
	char **args = argv + 1 + values;
	int n = argc - 1 - values;
	struct reading r;
	double best = 1e9;
	size_t n_series = 0;

	if (n < 2)
		bench_fail("usage: read_log [--values] FILE THREADS [PATTERN]");
	for (int i = 0; i < (values ? 1 : BEST); i++) {
		double took = read_log(args[0], (unsigned)strtoul(args[1], NULL, 10),
				       n > 2 ? args[2] : NULL, &r);

		best = took < best ? took : best;
		n_series = pmon_schema_count(pmon_source_schema(r.source));
		if (values)
			print_values(&r);
		finish(&r);
	}
	if (!values)
		printf("%.6f %zu\n", best, n_series);
	return 0;
}
