// test_metrics.c - what pmon serve answers a scraper
// SPDX-License-Identifier: MIT
//
// A source that tells processes apart is scraped once a sample, as this machine is. Expected counters are
// computed by hand beside the raw values.

#include "t.h"

#include <stdlib.h>
#include <string.h>

#include <pmon/query.h>

#include "memsource.h"
#include "place.h"
#include "web/call.h"
#include "web/metrics.h"

// A sample at second `now`.
static void
put(struct mem_source *m, const struct place *place, int64_t now, int64_t pid, int64_t start,
    int64_t reads)
{
	mem_source_sample(m, START + now * SECOND);
	t_put(m, place, now, pid, start, reads);
}

// The reads of x that the next scrape has; -1 where it has none.
static double
scrape(struct metrics *metrics)
{
	static const char name[] = "\npmon_process_io_read_operations_total{instance=\"x\",";
	struct call call = {.site = metrics, .path = "/metrics", .status = 200, .fd = -1};
	char *text = NULL;
	const char *line;
	double value = -1;
	size_t len;

	call.json.stream = open_memstream(&text, &len);
	assert_non_null(call.json.stream);
	metrics_answer(&call);
	assert_int_equal(fclose(call.json.stream), 0);
	assert_int_equal(call.status, 200);
	line = strstr(text, name);
	if (line != NULL)
		value = strtod(strchr(line, '}') + 1, NULL);
	free(text);
	return value;
}

// Scrapes of the log, which is taken over, have these reads.
static void
expect(struct mem_source *m, const double *want, size_t n)
{
	struct pmon_identity_options options = {.from_start = true};
	struct metrics_plan plan = {.interval_100ns = 1, .speed = 1, .is_classic = true};
	struct metrics *metrics;

	assert_int_equal(pmon_identity_open(mem_source_open(m), &options, &plan.source, NULL),
			 PMON_OK);
	assert_int_equal(metrics_open(&plan, &metrics, NULL), PMON_OK);
	for (size_t i = 0; i < n; i++)
		assert_true(scrape(metrics) == want[i]);
	metrics_close(metrics);
	pmon_source_close(plan.source);
}

// The second process is older than the sample before: its earlier counts belong to no interval. The third one
// began at second 3, and has made 40 reads since.
static void
counters_go_on_across_processes(void **state)
{
	static const double want[] = {100, 110, 110, 150, 151};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "", "x");

	(void)state;
	put(m, &x, 0, 10, -50, 100);
	put(m, &x, 1, 10, -50, 110);
	put(m, &x, 2, 20, -90, 9000);
	put(m, &x, 4, 30, 3, 40);
	put(m, &x, 5, 30, 3, 41);
	expect(m, want, T_LEN(want));
}

// An absent series is in no scrape, and a series that returns has not counted in between; a process that began
// since then has counted from 0.
static void
ended_series_leave_the_scrapes(void **state)
{
	static const double want[] = {100, -1, 100, 103, -1, 110};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "", "x");
	struct place y = t_new_place(m, "", "y");

	(void)state;
	put(m, &x, 0, 10, -50, 100);
	put(m, &y, 1, 11, -50, 0);
	put(m, &x, 2, 10, -50, 900);
	put(m, &x, 3, 10, -50, 903);
	put(m, &y, 4, 11, -50, 0);
	put(m, &x, 6, 40, 5, 7);
	expect(m, want, T_LEN(want));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_go_on_across_processes),
		cmocka_unit_test(ended_series_leave_the_scrapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
