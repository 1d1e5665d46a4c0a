// test_totals.c - what counters add up to over time, by their types
// SPDX-License-Identifier: MIT
//
// The expected totals are computed next to the raw values. tests/oracle/test_stats.py has those of
// real logs.

#include <pmon/counter.h>

#include "t.h"

#define FREQUENCY 1000 // of the performance clock and of the object's own one

struct total {
	uint32_t type;
	int64_t first[3]; // of three samples
	int64_t second[3];
	uint32_t multi;
	double total;
};

static const struct total totals[] = {
	// Counts: the difference of the ends.
	{PMON_PERF_COUNTER_COUNTER, {5, 10, 47}, {0, 1000, 3000}, 0, 42},
	{PMON_PERF_COUNTER_BULK_COUNT, {5, 10, 47}, {0, 1000, 3000}, 0, 42},
	{PMON_PERF_COUNTER_DELTA, {5, 10, 47}, {0, 0, 0}, 0, 42},
	{PMON_PERF_SAMPLE_FRACTION, {5, 10, 47}, {0, 100, 200}, 0, 42},
	{PMON_PERF_AVERAGE_BULK, {5, 10, 47}, {0, 1, 2}, 0, 42},
	// 500 of 1,000 ticks a second; 5,000,000 of 10,000,000.
	{PMON_PERF_COUNTER_TIMER, {0, 100, 500}, {0, 1000, 3000}, 0, 0.5},
	{PMON_PERF_100NSEC_TIMER, {0, 1, 5000000}, {0, 10000000, 20000000}, 0, 0.5},
	{PMON_PERF_AVERAGE_TIMER, {0, 100, 500}, {0, 1, 9}, 0, 0.5},
	{PMON_PERF_COUNTER_QUEUELEN_TYPE, {0, 100, 500}, {0, 1000, 3000}, 0, 0.5},
	{PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE, {0, 1, 5000000}, {0, 10000000, 20000000}, 0, 0.5},
	// 3 s without 0.5 s; 2 s without 0.5 s.
	{PMON_PERF_COUNTER_TIMER_INV, {0, 100, 500}, {0, 1000, 3000}, 0, 2.5},
	{PMON_PERF_100NSEC_TIMER_INV, {0, 1, 5000000}, {0, 10000000, 20000000}, 0, 1.5},
	// In four units: 0.5 s used; 4 times 3 s, minus 0.5 s.
	{PMON_PERF_COUNTER_MULTI_TIMER, {0, 100, 500}, {0, 1000, 3000}, 4, 0.5},
	{PMON_PERF_COUNTER_MULTI_TIMER_INV, {0, 100, 500}, {0, 1000, 3000}, 4, 11.5},
	// A reset costs its own pair: 5 and 3.
	{PMON_PERF_COUNTER_LARGE_DELTA, {5, 10, 3}, {0, 0, 0}, 0, 5},
};

static void
totals_are_by_type(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(totals); i++) {
		const struct total *t = &totals[i];
		struct pmon_counter counter = {.type = t->type, .time_base = FREQUENCY};
		struct pmon_calc_options options = {
			.size = sizeof(options), .cap_100 = true, .times_1000 = true};
		struct pmon_stats stats;
		struct pmon_calc calc;

		pmon_calc_init(&calc, &counter, &options); // which do not change a total
		pmon_stats_init(&stats, &calc);
		for (int k = 0; k < 3; k++)
			(void)pmon_stats_add(&stats, &(struct pmon_raw){.time = k * 10000000,
									.first = t->first[k],
									.second = t->second[k],
									.multi = t->multi});
		T_EQ_DBL_AT(pmon_stats_total(&stats).value, t->total,
			    pmon_type_by_word(t->type)->name);
		T_EQ_I64(pmon_stats_total(&stats).status, PMON_V_OK);
	}
}

static enum pmon_vstat
status_of(uint32_t type, int64_t time_base, int64_t first, int64_t second, int n)
{
	struct pmon_counter counter = {.type = type, .time_base = time_base};
	struct pmon_stats stats;
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	for (int k = 0; k < n; k++)
		(void)pmon_stats_add(&stats, &(struct pmon_raw){.time = k * 10000000,
								.first = k * first,
								.second = k * second});
	return pmon_stats_total(&stats).status;
}

static void
some_have_none(void **state)
{
	(void)state;
	T_EQ_I64(status_of(PMON_PERF_COUNTER_TIMER, 1000, 1, 1, 1), PMON_V_FIRST);
	T_EQ_I64(status_of(PMON_PERF_COUNTER_TIMER, 0, 1, 1, 2), PMON_V_BAD_TIME_BASE);
	T_EQ_I64(status_of(PMON_PERF_COUNTER_TIMER_INV, 1000, 2, 1, 2), PMON_V_BELOW_ZERO);
	T_EQ_I64(status_of(PMON_PERF_COUNTER_RAWCOUNT, 0, 1, 0, 2), PMON_V_NO_DATA);
	T_EQ_I64(status_of(PMON_PERF_ELAPSED_TIME, 1000, 1, 5, 2), PMON_V_NO_DATA);
	T_EQ_I64(status_of(0x12345678, 0, 1, 0, 2), PMON_V_UNKNOWN_TYPE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_are_by_type),
		cmocka_unit_test(some_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
