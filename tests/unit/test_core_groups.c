// test_core_groups.c - statistics of groups of series
// SPDX-License-Identifier: MIT

#include <pmon/counter.h>

#include "same_stats.h"
#include "t.h"

static struct pmon_stats
stats_of(uint32_t type, const struct pmon_raw *raw, size_t n)
{
	struct pmon_counter counter = {.type = type, .time_base = 10};
	struct pmon_calc calc;
	struct pmon_stats stats;

	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	for (size_t i = 0; i < n; i++)
		(void)pmon_stats_add(&stats, &raw[i]);
	return stats;
}

// Two disks: 3 reads of 10 ticks together, and 1 read of 50. By ((N1 - N0) / F) / (B1 - B0) with F = 10
// the group took (10 + 50) / 10 / (3 + 1) = 1.5 seconds a read.
static void
test_groups_add_up(void **state)
{
	static const struct pmon_raw one[] = {{.time = 1}, {.time = 3, .first = 10, .second = 3}};
	static const struct pmon_raw two[] = {{.time = 2}, {.time = 4, .first = 50, .second = 1}};
	struct pmon_stats group = stats_of(PMON_PERF_AVERAGE_TIMER, one, 2);
	struct pmon_stats member = stats_of(PMON_PERF_AVERAGE_TIMER, two, 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 1.5);
	T_EQ_DBL(group.minimum.value, 10.0 / 10 / 3);
	T_EQ_DBL(group.maximum.value, 5);
	T_EQ_I64(group.maximum_time, 4);
	T_EQ_U64(pmon_stats_samples(&group), 4);
	T_EQ_I64(group.first_raw_time, 1);
	T_EQ_I64(group.last_raw_time, 4);
	T_EQ_I64(group.last.status, PMON_V_NO_DATA);
}

// If extremes are equal, the earliest is reported, whichever member has it.
static void
test_groups_report_the_earliest(void **state)
{
	static const struct pmon_raw late = {.time = 9, .first = 7};
	static const struct pmon_raw early = {.time = 5, .first = 7};
	struct pmon_stats group = stats_of(PMON_PERF_COUNTER_RAWCOUNT, &late, 1);
	struct pmon_stats member = stats_of(PMON_PERF_COUNTER_RAWCOUNT, &early, 1);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_I64(group.minimum_time, 5);
	T_EQ_I64(group.maximum_time, 5);
}

// A log that has the size of its counters and one that does not; the same disks as above.
static void
test_sizes_and_scales_add_up(void **state)
{
	static const struct pmon_raw one[] = {{.time = 1}, {.time = 3, .first = 10, .second = 3}};
	static const struct pmon_raw two[] = {{.time = 2}, {.time = 4, .first = 50, .second = 1}};
	struct pmon_stats group = stats_of(PMON_PERF_AVERAGE_TIMER, one, 2);
	struct pmon_stats member = stats_of(PMON_PERF_AVERAGE_TIMER, two, 2);

	(void)state;
	member.calc.counter.size_bytes = 4;
	member.calc.wraps_32bit = !group.calc.wraps_32bit;
	member.calc.counter.default_scale = 3;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 1.5);
	group.calc.options.default_scale = member.calc.options.default_scale = true;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_E_ARG);
}

// A disk of 100 and then 200 units of which 10 % are free, another of 100 units of which 90 are: 120 of
// 400 units, 30 %. The mean of the displayed values, 10, 10 and 90 %, would be 36.7 %. A whole of 0 has
// no part.
static void
test_fractions_of_a_group_are_parts_of_wholes(void **state)
{
	static const struct pmon_raw small[] = {{.first = 10, .second = 100},
						{.first = 20, .second = 200}};
	static const struct pmon_raw full[] = {{.first = 90, .second = 100}, {.first = 7}};
	struct pmon_stats group = stats_of(PMON_PERF_RAW_FRACTION, small, 2);
	struct pmon_stats member = stats_of(PMON_PERF_RAW_FRACTION, full, 2);
	struct pmon_stats none = stats_of(PMON_PERF_RAW_FRACTION, &full[1], 1);
	struct pmon_stats nothing = none;

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 30);
	T_EQ_U64(group.members, 2);
	T_EQ_I64(pmon_stats_gather(&none, &nothing), PMON_OK);
	T_EQ_I64(pmon_stats_average(&none).status, PMON_V_BASE_ZERO);
	none = member = stats_of(PMON_PERF_RAW_FRACTION, &(struct pmon_raw){.second = 9}, 1);
	T_EQ_I64(pmon_stats_gather(&none, &member), PMON_OK); // nothing of something is 0 %
	T_EQ_I64(pmon_stats_average(&none).status, PMON_V_OK);
	T_EQ_DBL(pmon_stats_average(&none).value, 0);
}

// 10 of 100 and 60 of 200 are 10 % and 30 %: the series alone has their mean, 20 %, and so has a group
// of it and of a series without values; 70 of 300 would be 23.3 %.
static void
test_a_group_of_one_equals_its_series(void **state)
{
	static const struct pmon_raw raw[] = {{.first = 10, .second = 100},
					      {.first = 60, .second = 200}};
	static const struct pmon_raw bad = {.status = PMON_RAW_INVALID};
	static const struct pmon_raw elapsed = {.first = 1, .second = 11};
	struct pmon_stats group = stats_of(PMON_PERF_RAW_FRACTION, raw, 2);
	struct pmon_stats empty = stats_of(PMON_PERF_RAW_FRACTION, &bad, 1);
	struct pmon_stats late = empty;

	(void)state;
	T_EQ_I64(pmon_stats_gather(&late, &group), PMON_OK);
	T_EQ_I64(pmon_stats_gather(&group, &empty), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 20);
	T_EQ_DBL(pmon_stats_average(&late).value, 20);
	empty = stats_of(PMON_PERF_ELAPSED_TIME, &bad, 1);
	group = stats_of(PMON_PERF_ELAPSED_TIME, &elapsed, 1);
	group.calc.counter.time_base = empty.calc.counter.time_base;
	T_EQ_I64(pmon_stats_gather(&group, &empty), PMON_OK);
}

// Two units that were busy for 5 of 10 ticks, and four that were: 10 of 60 ticks of one unit. With the
// inverse type, 5 of 20 and 5 of 40 were idle, 50 of 60 busy in 20 ticks: 250 %.
static void
test_units_of_a_group_weigh_its_time(void **state)
{
	static const struct pmon_raw units[2][2] = {
		{{.multi = 2}, {.first = 5, .second = 10, .multi = 2}},
		{{.multi = 4}, {.first = 5, .second = 10, .multi = 4}}};
	static const struct pmon_raw bad = {.status = PMON_RAW_INVALID, .multi = 9};
	struct pmon_stats group = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, units[0], 2);
	struct pmon_stats member = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, units[1], 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 100 * (10.0 / 20) / 3);
	T_EQ_U64(pmon_stats_samples(&group), 4);
	member = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, &bad, 1);
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 100 * (10.0 / 20) / 3);
	group = stats_of(PMON_PERF_COUNTER_MULTI_TIMER_INV, units[0], 2);
	member = stats_of(PMON_PERF_COUNTER_MULTI_TIMER_INV, units[1], 2);
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 250);
}

// Never idle: (2 + 4) / 2 units were busy in all of their time.
static void
test_units_of_a_group_that_was_never_idle(void **state)
{
	static const struct pmon_raw busy[2][2] = {{{.multi = 2}, {.second = 10, .multi = 2}},
						   {{.multi = 4}, {.second = 10, .multi = 4}}};
	struct pmon_stats group = stats_of(PMON_PERF_COUNTER_MULTI_TIMER_INV, busy[0], 2);
	struct pmon_stats member = stats_of(PMON_PERF_COUNTER_MULTI_TIMER_INV, busy[1], 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 300);
}

static void
test_groups_that_do_not_add_up(void **state)
{
	static const struct pmon_raw units[] = {{.multi = 2},
						{.first = 5, .second = 10, .multi = 2}};
	static const struct pmon_raw elapsed = {.first = 1, .second = 11};
	struct pmon_stats group = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, units, 2);
	struct pmon_stats member = stats_of(PMON_PERF_100NSEC_TIMER, units, 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_E_ARG);
	group = stats_of(PMON_PERF_ELAPSED_TIME, &elapsed, 1);
	member = group;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_E_UNSUPPORTED);
}

static struct pmon_raw
count_at(int64_t first, pmon_time time)
{
	return (struct pmon_raw){.first = first, .time = time};
}

// Members of 3 to 8 at 10 to 30, and of others next to it.
static void
check_extremes_with(const struct pmon_raw *raws, size_t n, double low, pmon_time low_at,
		    double high, pmon_time high_at)
{
	const struct pmon_raw own[] = {count_at(5, 10), count_at(3, 20), count_at(8, 30)};
	struct pmon_stats group = stats_of(PMON_PERF_COUNTER_RAWCOUNT, own, 3);
	struct pmon_stats member = stats_of(PMON_PERF_COUNTER_RAWCOUNT, raws, n);

	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(group.minimum.value, low);
	T_EQ_I64(group.minimum_time, low_at);
	T_EQ_DBL(group.maximum.value, high);
	T_EQ_I64(group.maximum_time, high_at);
	T_EQ_I64(group.first_raw_time, n > 0 && raws[0].time < 10 ? raws[0].time : 10);
	T_EQ_I64(group.last_raw_time, n > 0 && raws[n - 1].time > 30 ? raws[n - 1].time : 30);
}

static void
test_extremes_and_times_of_groups(void **state)
{
	const struct pmon_raw wider[] = {count_at(1, 1), count_at(9, 40)};
	const struct pmon_raw inside[] = {count_at(4, 2), count_at(7, 3)};
	const struct pmon_raw later[] = {count_at(3, 21), count_at(8, 31)};
	const struct pmon_raw earlier[] = {count_at(3, 19), count_at(8, 29)};

	(void)state;
	check_extremes_with(wider, 2, 1, 1, 9, 40);
	check_extremes_with(inside, 2, 3, 20, 8, 30);
	check_extremes_with(later, 2, 3, 20, 8, 30);
	check_extremes_with(earlier, 2, 3, 19, 8, 29);
	check_extremes_with(NULL, 0, 3, 20, 8, 30);
}

// A member without values has no extremes, though its fields are 0 there.
static void
test_groups_with_empty_members(void **state)
{
	const struct pmon_raw zero = count_at(0, 7);
	struct pmon_stats group = stats_of(PMON_PERF_COUNTER_RAWCOUNT, &zero, 1);
	struct pmon_stats empty = stats_of(PMON_PERF_COUNTER_RAWCOUNT, NULL, 0);
	const struct pmon_raw units[] = {{.time = 1, .multi = 2},
					 {.time = 2, .first = 5, .second = 10, .multi = 2}};
	struct pmon_stats member = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, units, 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &empty), PMON_OK);
	T_EQ_I64(group.minimum_time, 7);
	T_EQ_I64(group.maximum_time, 7);
	T_EQ_I64(group.first_raw_time, 7);
	T_EQ_I64(group.last_raw_time, 7);
	T_EQ_I64(pmon_stats_gather(&empty, &group), PMON_OK);
	T_EQ_I64(empty.minimum.status, PMON_V_OK);
	T_EQ_I64(empty.minimum_time, 7);
	T_EQ_I64(empty.maximum_time, 7);
	T_EQ_I64(empty.first_raw_time, 7);
	T_EQ_I64(empty.last_raw_time, 7);
	// The units of the first member that has any: 100 * (5 / 10) / 2.
	group = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, NULL, 0);
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 25);
	empty = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, NULL, 0);
	T_EQ_I64(pmon_stats_gather(&group, &empty), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 25);
	assert_true(group.has_tail);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups_add_up),
		cmocka_unit_test(test_groups_report_the_earliest),
		cmocka_unit_test(test_extremes_and_times_of_groups),
		cmocka_unit_test(test_groups_with_empty_members),
		cmocka_unit_test(test_sizes_and_scales_add_up),
		cmocka_unit_test(test_fractions_of_a_group_are_parts_of_wholes),
		cmocka_unit_test(test_a_group_of_one_equals_its_series),
		cmocka_unit_test(test_units_of_a_group_weigh_its_time),
		cmocka_unit_test(test_units_of_a_group_that_was_never_idle),
		cmocka_unit_test(test_groups_that_do_not_add_up),
	};

	return cmocka_run_group_tests_name("core_groups", tests, NULL, NULL);
}
