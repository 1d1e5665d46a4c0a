// test_choose.c - a first selection
// SPDX-License-Identifier: MIT
//
// The logs are of two samples of plain values; which is the larger one can be seen.

#include <pmon/pmon.h>

#include "memsource.h"
#include "t.h"

#define SEC PMON_TIME_PER_SEC

struct counter {
	const char *path;
	int64_t value; // -1: it has none
};

// The counters chosen from these, as numbers of counters.
static size_t
choose(const struct counter *counters, size_t n, uint32_t *series, size_t max)
{
	struct mem_source *m = mem_source_new();
	struct pmon_source *source = mem_source_open(m);
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	size_t chosen;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(
			mem_source_series(m, counters[i].path, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0),
			i);
	for (int64_t t = 0; t < 2; t++) {
		mem_source_sample(m, t * SEC);
		for (uint32_t i = 0; i < n; i++) {
			if (counters[i].value >= 0)
				mem_source_raw(m, i, counters[i].value, 0);
			else
				mem_source_bad(m, i, PMON_RAW_NO_INSTANCE);
		}
	}
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, NULL),
		PMON_OK);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK)
		assert_int_equal(pmon_statistics_add(statistics, sample, NULL, NULL), PMON_OK);
	chosen = pmon_choose(pmon_source_schema(source), statistics, series, max);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	return chosen;
}

static void
a_server(void **state)
{
	const struct counter counters[] = {
		{"\\\\S\\Process(x)\\% Processor Time", 99},
		{"\\\\S\\Processor(0)\\% Processor Time", 20},
		{"\\\\S\\Processor(1)\\% Processor Time", 60},
		{"\\\\S\\Processor(_Total)\\% Processor Time", 40},
		{"\\\\S\\Memory\\Available Bytes", 5000},
		{"\\\\S\\Memory\\Available MBytes", 7},
		{"\\\\S\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read", 3},
		{"\\\\S\\PhysicalDisk(1 D:)\\Avg. Disk sec/Read", 9},
		{"\\\\S\\PhysicalDisk(_Total)\\Avg. Disk sec/Read", 12},
		{"\\\\S\\network interface(a)\\bytes total/sec", 1},
		{"\\\\S\\Network Interface(b)\\Bytes Total/sec", -1},
	};
	const uint32_t want[] = {3, 5, 7, 9, 2};
	uint32_t series[8];

	(void)state;
	assert_int_equal(choose(counters, T_LEN(counters), series, 8), 5);
	assert_memory_equal(series, want, sizeof(want));
	assert_int_equal(choose(counters, T_LEN(counters), series, 2), 2);
	assert_memory_equal(series, want, 2 * sizeof(*want));
}

// A machine's traffic with itself says nothing about its network.
static void
no_loopback(void **state)
{
	const struct counter counters[] = {
		{"\\\\A\\Network Interface(lo)\\Bytes Total/sec", 900},
		{"\\\\A\\Network Interface(MS TCP Loopback interface)\\Bytes Total/sec", 800},
		{"\\\\A\\Network Interface(eth0)\\Bytes Total/sec", 1},
	};
	uint32_t series[8];

	(void)state;
	assert_int_equal(choose(counters, T_LEN(counters), series, 8), 1);
	assert_int_equal(series[0], 2);
}

// If there are two machines, the one in the worse state is chosen.
static void
two_machines(void **state)
{
	const struct counter counters[] = {
		{"\\\\A\\Processor(_Total)\\% Processor Time", 40},
		{"\\\\B\\Processor(_Total)\\% Processor Time", 80},
		{"\\\\A\\Memory\\Available MBytes", 10},
		{"\\\\B\\Memory\\Available MBytes", 1000},
	};
	const uint32_t want[] = {1, 2};
	uint32_t series[8];

	(void)state;
	assert_int_equal(choose(counters, T_LEN(counters), series, 8), 2);
	assert_memory_equal(series, want, sizeof(want));
}

// A sum that is all there is of processors, and of one processor no busiest.
static void
one_processor(void **state)
{
	const struct counter counters[] = {
		{"\\\\A\\Processor(0)\\% Processor Time", 40},
		{"\\\\A\\Processor(_Total)\\% Processor Time", 40},
		{"\\\\A\\Processor Information(0,_Total)\\% Processor Time", 40},
	};
	uint32_t series[8];

	(void)state;
	assert_int_equal(choose(counters, T_LEN(counters), series, 8), 1);
	assert_int_equal(series[0], 1);
}

// The busiest of each counter in turn, without sums, Idle and zeros; where all are zeros, the first.
static void
a_log_of_something_else(void **state)
{
	const struct counter counters[] = {
		{"\\\\A\\Queue(x)\\Depth", -1},   {"\\\\A\\Queue(y)\\Depth", 0},
		{"\\\\A\\Queue(z)\\Depth", 4},    {"\\\\A\\Queue(w)\\Depth", 9},
		{"\\\\A\\Queue(z)\\Age", 4},      {"\\\\A\\Queue(_Total)\\Depth", 13},
		{"\\\\A\\Process(Idle)\\Age", 7},
	};
	const uint32_t want[] = {3, 4, 2};
	uint32_t series[8];

	(void)state;
	assert_int_equal(choose(counters, T_LEN(counters), series, 8), 3);
	assert_memory_equal(series, want, sizeof(want));
	assert_int_equal(choose(counters, T_LEN(counters), series, 2), 2);
	assert_memory_equal(series, want, 2 * sizeof(want[0]));
	assert_int_equal(choose(counters, 2, series, 8), 1);
	assert_int_equal(series[0], 1);
	assert_int_equal(choose(counters, 1, series, 8), 0);
}

// A counter that matches a pattern of the chooser is chosen, even if it is not the first with a value.
static void
patterns_are_of_what_is_chosen(void **state)
{
	static const char *const paths[] = {
		"\\\\A\\Hyper-V Hypervisor Logical Processor(_Total)\\% Total Run Time",
		"\\\\A\\Processor Information(_Total)\\% Processor Time",
		"\\\\A\\Processor(_Total)\\% Processor Time",
		"\\\\A\\Memory\\Available MBytes",
		"\\\\A\\Memory\\Pages/sec",
		"\\\\A\\PhysicalDisk(sda)\\Avg. Disk sec/Read",
		"\\\\A\\PhysicalDisk(sda)\\Avg. Disk sec/Write",
		"\\\\A\\PhysicalDisk(sda)\\Disk Bytes/sec",
		"\\\\A\\Network Interface(eth0)\\Bytes Total/sec",
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(paths); i++) {
		const struct counter counters[] = {{"\\\\A\\Other\\Thing", 1}, {paths[i], 1}};
		struct pmon_path pattern;
		struct pmon_path path;
		uint32_t series[8];

		assert_non_null(pmon_choose_pattern(i));
		assert_true(pmon_pattern_parse(t_span(pmon_choose_pattern(i)), &pattern, NULL));
		assert_true(pmon_path_parse(t_span(paths[i]), &path, NULL));
		T_EQ_BOOL_AT(pmon_path_match(&pattern, &path), true, paths[i]);
		T_EQ_U64_AT(choose(counters, 2, series, 8), 1, paths[i]);
		T_EQ_U64_AT(series[0], 1, paths[i]);
	}
	assert_null(pmon_choose_pattern(T_LEN(paths)));
}

static void
what_could_be_chosen(void **state)
{
	static const struct {
		const char *path;
		size_t question;
		size_t order;
		const char *label; // NULL: it could not
		bool least;
	} rows[] = {
		{"\\\\A\\Processor(_Total)\\% Processor Time", 0, 7, "Processor", false},
		{"\\\\A\\Processor Information(0,1)\\% Processor Time", 5, 4, "Busiest processor",
		 false},
		{"\\\\A\\Processor Information(0,_Total)\\% Processor Time", 0, 0, NULL, false},
		{"\\\\A\\Memory\\Available KBytes", 1, 1, "Memory available", true},
		{"\\\\A\\LogicalDisk(C:)\\Avg. Disk sec/Read", 2, 3, "Disk read", false},
		{"\\\\A\\PhysicalDisk(0)\\Disk Transfers/sec", 6, 1, "Disk transfers", false},
		{"\\\\A\\PhysicalDisk(_Total)\\Disk Transfers/sec", 0, 0, NULL, false},
		{"\\\\A\\Memory\\Cache Bytes", 0, 0, NULL, false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_choice choice;
		struct pmon_path path;

		assert_true(pmon_path_parse(t_span(rows[i].path), &path, NULL));
		T_EQ_BOOL_AT(pmon_choose_could(&path, &choice), rows[i].label != NULL,
			     rows[i].path);
		if (rows[i].label == NULL)
			continue;
		T_EQ_U64_AT(choice.question, rows[i].question, rows[i].path);
		T_EQ_U64_AT(choice.order, rows[i].order, rows[i].path);
		T_EQ_STR(choice.label, rows[i].label);
		T_EQ_BOOL_AT(choice.least, rows[i].least, rows[i].path);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server),
		cmocka_unit_test(no_loopback),
		cmocka_unit_test(two_machines),
		cmocka_unit_test(one_processor),
		cmocka_unit_test(a_log_of_something_else),
		cmocka_unit_test(patterns_are_of_what_is_chosen),
		cmocka_unit_test(what_could_be_chosen),
	};

	return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
