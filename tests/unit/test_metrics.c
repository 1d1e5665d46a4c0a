// test_metrics.c - what pmon serve answers a scraper
// SPDX-License-Identifier: MIT
//
// A source that distinguishes processes is scraped once per sample, as with the local machine.
// Expected counters are computed by hand next to the raw values.

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

static char *
scrape_text(struct metrics *metrics)
{
	struct call call = {.site = metrics, .path = "/metrics", .status = 200, .fd = -1};
	char *text = NULL;
	size_t len;

	call.json.stream = open_memstream(&text, &len);
	assert_non_null(call.json.stream);
	metrics_answer(&call);
	assert_int_equal(fclose(call.json.stream), 0);
	assert_int_equal(call.status, 200);
	return text;
}

// The number of the line that begins so; -1 where there is none.
static double
number_in(const char *text, const char *name, const char *instance)
{
	char beginning[128];
	const char *line;

	(void)snprintf(beginning, sizeof(beginning), "\npmon_process_%s{instance=\"%s\",", name,
		       instance);
	line = strstr(text, beginning);
	return line != NULL ? strtod(strchr(line, '}') + 1, NULL) : -1;
}

// The reads of x that the next scrape has.
static double
scrape(struct metrics *metrics)
{
	char *text = scrape_text(metrics);
	double value = number_in(text, "io_read_operations_total", "x");

	free(text);
	return value;
}

// Scrapes of the log, which is taken over, have these reads.
static void
expect(struct mem_source *m, const double *want, size_t n)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = true};
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

// The second process is older than the previous sample: its earlier counts belong to no interval.
// The third began at second 3, and has made 40 reads since.
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

// Processor time in seconds and memory of processes, in samples a second apart; -1: there is no such process.
enum {
	N_PROCESSES = 5,
	N_SAMPLES = 4
};

struct moment {
	int64_t seconds;
	int64_t bytes;
};

static struct mem_source *
processes(void)
{
	static const char *const names[N_PROCESSES] = {"a", "a#1", "b", "c", "_Total"};
	static const struct moment moments[N_SAMPLES][N_PROCESSES] = {
		{{100, 10}, {50, 20}, {7, 300}, {1000, 5}, {1157, 335}},
		{{130, 11}, {-1, 0}, {8, 301}, {1000, 5}, {1188, 317}},
		{{130, 11}, {60, 20}, {8, 301}, {1500, 5}, {1698, 337}},
		{{131, 11}, {62, 20}, {8, 301}, {-1, 0}, {1701, 332}},
	};
	struct mem_source *m = mem_source_new();
	uint32_t series[N_PROCESSES][2];
	char path[64];

	for (size_t i = 0; i < N_PROCESSES; i++) {
		(void)snprintf(path, sizeof(path), "\\Process(%s)\\%% Processor Time", names[i]);
		series[i][0] = mem_source_series(m, path, PMON_PERF_100NSEC_TIMER, 0);
		(void)snprintf(path, sizeof(path), "\\Process(%s)\\Working Set", names[i]);
		series[i][1] = mem_source_series(m, path, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
	}
	for (int t = 0; t < N_SAMPLES; t++) {
		mem_source_sample(m, START + t * SECOND);
		for (size_t i = 0; i < N_PROCESSES; i++) {
			if (moments[t][i].seconds < 0)
				continue;
			mem_source_raw(m, series[i][0], moments[t][i].seconds * SECOND, t * SECOND);
			mem_source_raw(m, series[i][1], moments[t][i].bytes, 0);
		}
	}
	return m;
}

// Groups of one name, the first by time and the first by memory. a: 30 s of a; nothing of the second, which returns
// after an absence; then 1 s of a and 2 s of the second. The clock is that of one process. c has 500 s, then ends.
static void
processes_of_a_name_are_summed(void **state)
{
	static const struct {
		const char *name;
		double seconds[N_SAMPLES];
		double base[N_SAMPLES];
		double bytes[N_SAMPLES];
	} want[] = {
		{"a", {0, 30, -1, 33}, {0, 1, -1, 3}, {30, 11, -1, 31}},
		{"b", {0, 1, 1, 1}, {0, 1, 2, 3}, {300, 301, 301, 301}},
		{"c", {-1, -1, 500, -1}, {-1, -1, 2, -1}, {-1, -1, 5, -1}},
		{"_Total", {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}},
	};
	struct metrics_plan plan = {.interval_100ns = 1, .speed = 1, .is_classic = true, .top = 1};
	struct metrics *metrics;

	(void)state;
	plan.source = mem_source_open(processes());
	assert_int_equal(metrics_open(&plan, &metrics, NULL), PMON_OK);
	for (int t = 0; t < N_SAMPLES; t++) {
		char *text = scrape_text(metrics);

		assert_null(strstr(text, "index="));
		for (size_t i = 0; i < T_LEN(want); i++) {
			const char *name = want[i].name;

			assert_true(number_in(text, "processor_time_seconds_total", name) ==
				    want[i].seconds[t]);
			assert_true(number_in(text, "processor_time_seconds_base_seconds_total",
					      name) == want[i].base[t]);
			assert_true(number_in(text, "working_set", name) == want[i].bytes[t]);
		}
		free(text);
	}
	metrics_close(metrics);
	pmon_source_close(plan.source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_go_on_across_processes),
		cmocka_unit_test(ended_series_leave_the_scrapes),
		cmocka_unit_test(processes_of_a_name_are_summed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
