// test_episodes.c - when a condition held: runs of intervals beyond a limit
// SPDX-License-Identifier: MIT
//
// The expected results are computed by hand from docs/reference/rules.md, "Episodes".

#include "t.h"

#include <math.h>

#include <pmon/pmon.h>

#include "memsource.h"
#include "moments.h"
#include "trial.h"

#define MOST 8

// ---- Conditions that are read ---------------------------------------------------------------

static void
conditions(void **state)
{
	static const struct {
		const char *text;
		const char *counter; // as it was written
		const char *second;
		enum rules_lasting lasting;
		int64_t time_100ns;
		uint64_t samples;
		double limit;
		bool below;
		bool or_equal;
	} rows[] = {
		{"\\A\\B > 5", "\\A\\B", NULL, RULES_SAMPLES, 0, 1, 5, false, false},
		{" \\A(*)\\B>=20ms for 1m ", "\\A(*)\\B", NULL, RULES_TIME, 60 * SECOND, 1, 0.02,
		 false, true},
		{"\\A\\B <= 1 for 3 samples while \\C(*)\\D > 2", "\\A\\B", "\\C(*)\\D",
		 RULES_SAMPLES, 0, 3, 1, true, true},
		// Names may have operators and the words.
		{"\\A(x>1)\\Batches >=000000ms & <000001ms > 7",
		 "\\A(x>1)\\Batches >=000000ms & <000001ms", NULL, RULES_SAMPLES, 0, 1, 7, false,
		 false},
		{"\\A\\Waits for a while < 2 for 2 samples", "\\A\\Waits for a while", NULL,
		 RULES_SAMPLES, 0, 2, 2, true, false},
		{"\\Jobs for me\\B > 5 while \\A\\Waits for B > 1", "\\Jobs for me\\B",
		 "\\A\\Waits for B", RULES_SAMPLES, 0, 1, 5, false, false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct rules rules;
		struct rules_error why;
		const struct rules_rule *r;

		if (!rules_parse_condition(t_span(rows[i].text), &rules, &why))
			fail_msg("%s: %u: %s", rows[i].text, why.column, why.text);
		r = rules.list;
		T_EQ_U64(rules.n, 1);
		T_EQ_SPAN(r->counters.list[0]->text, rows[i].counter);
		T_EQ_U64(r->whiles.n, rows[i].second != NULL);
		if (rows[i].second != NULL)
			T_EQ_SPAN(r->whiles.list[0]->text, rows[i].second);
		T_EQ_I64_AT(r->hold.lasting, rows[i].lasting, rows[i].text);
		T_EQ_I64_AT(r->hold.time_100ns, rows[i].time_100ns, rows[i].text);
		T_EQ_U64(r->hold.samples, rows[i].samples);
		T_EQ_DBL(r->limits[RULES_WARNING].threshold.value, rows[i].limit);
		T_EQ_I64_AT(r->limits[RULES_WARNING].threshold.below, rows[i].below, rows[i].text);
		T_EQ_I64_AT(r->limits[RULES_WARNING].or_equal, rows[i].or_equal, rows[i].text);
		rules_free(&rules);
	}
}

// The meaning of a rule's other keys in a condition, in any order.
static void
keys_of_conditions(void **state)
{
	static const char *const windows[] = {"\\A\\B > 5 share 10% within 1h",
					      "\\A\\B > 5 within 60m share 10% while \\A\\C > 1",
					      "\\A\\for 1m share\\B > 5 share 10% within 1h"};
	struct rules rules;
	struct rules_error why;

	(void)state;
	for (size_t i = 0; i < T_LEN(windows); i++) {
		assert_true(rules_parse_condition(t_span(windows[i]), &rules, &why));
		T_EQ_DBL(rules.list->window_share, 0.1);
		T_EQ_I64(rules.list->within_100ns, 3600 * SECOND);
		T_EQ_DBL(rules.list->limits[RULES_WARNING].threshold.value, 5);
		T_EQ_U64(rules.list->whiles.n, i == 1);
		rules_free(&rules);
	}
	assert_true(rules_parse_condition(t_span("\\A\\B > 20ms clear 15ms for 1m"), &rules, &why));
	T_EQ_DBL(rules.list->clear.threshold.value, 0.015);
	T_EQ_I64(rules.list->limits[RULES_WARNING].hold.time_100ns, 60 * SECOND);
	rules_free(&rules);
	assert_true(rules_parse_condition(
		t_span("\\A(*)\\A trend trend < -2MB/min for 3h while \\A\\C > 1"), &rules, &why));
	T_EQ_SPAN(rules.list->counters.list[0]->text, "\\A(*)\\A trend");
	T_EQ_I64(rules.list->trend_100ns, 3 * 3600 * SECOND);
	T_EQ_DBL(rules.list->limits[RULES_WARNING].threshold.value, -120 * 1048576.0);
	assert_true(rules.list->limits[RULES_WARNING].threshold.below);
	T_EQ_U64(rules.list->whiles.n, 1);
	rules_free(&rules);
}

static void
bad_conditions(void **state)
{
	static const struct {
		const char *text;
		unsigned column;
	} rows[] = {
		{"", 1},
		{"\\A\\B", 1},
		{"\\A\\B 5", 1},
		{"\\A > 5", 3},
		{"\\A\\B > ", 7},
		{"\\A\\B > 5 parsecs", 8},
		{"\\A\\B > 5 for", 8},
		{"\\A\\B > 5 for 1m for 2m", 10},
		{"\\A\\B > 5 share 10%", 1},
		{"\\A\\B > 5 share ten within 1h", 16},
		{"\\A\\B > 5 share 10% within 1h for 1m", 1},
		{"\\A\\B > 5 clear 6", 1},
		{"\\A\\B trend > 5 for 1h", 12},
		{"\\A\\B trend > 5/h for 1h clear 4", 12},
		{"trend > 5/h for 1h", 6},
		{"\\A\\B > 5 for ever", 14},
		{"\\A\\B > 5 while 7", 8},
		{"\\A\\B > 5 while \\C\\D", 16},
		{"\\A\\B > 5 while \\C\\D > x", 23},
		{"> 5", 1},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct rules rules;
		struct rules_error why;

		if (rules_parse_condition(t_span(rows[i].text), &rules, &why))
			fail_msg("was read: %s", rows[i].text);
		T_EQ_U64(why.line, 1);
		T_EQ_I64_AT(why.column, rows[i].column, rows[i].text);
		assert_null(rules.text);
	}
}

// ---- Episodes -------------------------------------------------------------------------------

// Samples at T0, T0 + 10 s, ...: one digit each. "-" is an invalid value, " " a sample without the series.
static void
put_values(struct trial *t, uint32_t series, const char *values)
{
	for (size_t i = 0; values[i] != '\0'; i++) {
		mem_source_sample(t->m, T0 + (pmon_time)i * 10 * SECOND);
		if (values[i] == '-')
			mem_source_bad(t->m, series, PMON_RAW_NO_INSTANCE);
		else if (values[i] != ' ')
			mem_source_raw(t->m, series, values[i] - '0', 0);
	}
}

// Levels, beyond 5 unless the condition says otherwise. A value covers the 10 s before it.
static const struct {
	const char *condition; // after the counter
	const char *values;
	size_t n;
	struct {
		int from; // seconds
		int to;
		unsigned samples;
		double excess; // seconds
		double average;
		double worst;
		int worst_at;
	} want[MOST];
} run_rows[] = {
	{"> 5", "1234", 0, {{0}}},
	{"> 5", "1611", 1, {{0, 10, 1, 2, 6, 6, 10}}},
	{"> 5", "1671", 1, {{0, 20, 2, 6, 6.5, 7, 20}}},
	// One interval within the limit does not end it; the average is of all three.
	{"> 5", "163711", 1, {{0, 30, 2, 6, 16 / 3.0, 7, 30}}},
	{"> 5", "16311711", 2, {{40, 50, 1, 4, 7, 7, 50}, {0, 10, 1, 2, 6, 6, 10}}},
	// ... not even one after the other.
	{"> 5", "1636361", 1, {{0, 50, 3, 6, 24 / 5.0, 6, 10}}},
	// The last one may continue to the end of the log.
	{"> 5", "1197", 1, {{10, 30, 2, 12, 8, 9, 20}}},
	// A sample without a value of the counter is as if it were not in the log: the next value is of 20 s.
	{"> 5", "16-71", 1, {{0, 30, 2, 10, 6.5, 7, 30}}},
	{"> 5", "16 71", 1, {{0, 30, 2, 10, 6.5, 7, 30}}},
	{"> 5", "16 31", 1, {{0, 10, 1, 2, 6, 6, 10}}},
	{"> 5", "11-71", 1, {{10, 30, 1, 8, 7, 7, 30}}},
	{"> 5 for 40s", "16-6-611", 1, {{0, 50, 3, 10, 6, 6, 10}}},
	// 30 s are more than 2.5 times the usual 10 s: a gap, after which a value is of 10 s.
	{"> 5", "16--71", 2, {{30, 40, 1, 4, 7, 7, 40}, {0, 10, 1, 2, 6, 6, 10}}},
	{"> 5", "16  71", 2, {{30, 40, 1, 4, 7, 7, 40}, {0, 10, 1, 2, 6, 6, 10}}},
	// The first value covers no time.
	{"> 5", "9111", 1, {{0, 0, 1, 0, 9, 9, 0}}},
	{"> 5", "9811", 1, {{0, 10, 2, 6, 8.5, 9, 0}}},
	{"> 5 for 20s", "161111", 0, {{0}}},
	{"> 5 for 20s", "1661111711", 1, {{0, 20, 2, 4, 6, 6, 10}}},
	{"> 5 for 21s", "166111", 0, {{0}}},
	{"> 5 for 21s", "161611", 1, {{0, 30, 2, 4, 13 / 3.0, 6, 10}}},
	{"> 5 for 2 samples", "161171711", 1, {{30, 60, 2, 8, 5, 7, 40}}},
	{">= 5", "151111", 1, {{0, 10, 1, 0, 5, 5, 10}}},
	{"< 5", "911999", 1, {{0, 20, 2, 16, 1, 1, 10}}},
	{"<= 5", "954999", 1, {{0, 20, 2, 2, 4.5, 4, 20}}},
	// Values between the level of `clear` and the limit continue the episode, but count neither
	// as samples nor as excess.
	{"> 5", "1644611", 2, {{0, 10, 1, 2, 6, 6, 10}, {30, 40, 1, 2, 6, 6, 40}}},
	{"> 5 clear 3", "1644611", 1, {{0, 40, 2, 4, 5, 6, 10}}},
	{"> 5 clear 3 for 40s", "16441161", 0, {{0}}},
	// 20 of 40 s.
	{"> 5 share 50% within 40s", "1616111", 1, {{0, 30, 2, 4, 13 / 3.0, 6, 10}}},
	{"> 5 share 50% within 40s", "1611116", 0, {{0}}},
	// If the limit is 0, the excess is the distance.
	{"> 0", "030000", 1, {{0, 10, 1, 30, 3, 3, 10}}},
};

static void
runs(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(run_rows); i++) {
		char condition[64];
		char label[128];
		struct trial t;

		(void)snprintf(condition, sizeof(condition), "\\Q\\N %s", run_rows[i].condition);
		t = trial_of_condition(condition);
		put_values(
			&t,
			mem_source_series(t.m, "\\\\S\\Q\\N", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0),
			run_rows[i].values);
		trial_judge(&t);
		(void)snprintf(label, sizeof(label), "%s, %s", condition, run_rows[i].values);
		T_EQ_I64_AT((int64_t)t.n_episodes, (int64_t)run_rows[i].n, label);
		for (size_t k = 0; k < t.n_episodes; k++) {
			const struct rules_episode *e = &t.episodes[k];

			T_EQ_I64_AT((e->from - T0) / SECOND, run_rows[i].want[k].from, label);
			T_EQ_I64_AT((e->to - T0) / SECOND, run_rows[i].want[k].to, label);
			T_EQ_I64_AT((int64_t)e->samples, run_rows[i].want[k].samples, label);
			T_EQ_DBL_AT(e->average.value, run_rows[i].want[k].average, label);
			T_EQ_DBL_AT(e->worst.value, run_rows[i].want[k].worst, label);
			T_EQ_I64_AT((e->worst_time - T0) / SECOND, run_rows[i].want[k].worst_at,
				    label);
			if (fabs(e->excess_seconds - run_rows[i].want[k].excess) > 1e-9)
				fail_msg("%s: an excess of %g", label, e->excess_seconds);
			assert_true(isnan(e->operations));
		}
		trial_end(&t);
	}
}

// Reads of a disk: 2 in 0.1 s, 10 in 1 s, 1 in 0.001 s, 30 in 0.9 s. The three intervals from 10 s on are one
// episode, in which 41 reads took 1.901 s.
static void
the_average_is_of_the_type(void **state)
{
	static const int64_t ticks[] = {0, 100, 1100, 1101, 2001}; // of a millisecond
	static const int64_t reads[] = {0, 2, 12, 13, 43};
	struct trial t = trial_of_condition("\\D(*)\\Read > 20ms");
	uint32_t series =
		mem_source_series(t.m, "\\\\S\\D(C:)\\Read", PMON_PERF_AVERAGE_TIMER, 1000);
	const struct rules_episode *e;

	(void)state;
	for (size_t i = 0; i < T_LEN(ticks); i++) {
		mem_source_sample(t.m, T0 + (pmon_time)i * 10 * SECOND);
		mem_source_raw(t.m, series, ticks[i], reads[i]);
	}
	trial_judge(&t);
	T_EQ_U64(t.n_episodes, 1);
	e = &t.episodes[0];
	T_EQ_I64((e->from - T0) / SECOND, 0);
	T_EQ_I64((e->to - T0) / SECOND, 40);
	T_EQ_U64(e->samples, 3);
	T_EQ_DBL(e->average.value, 2.001 / 43);
	T_EQ_DBL(e->operations, 43);
	T_EQ_DBL(e->worst.value, 0.1);
	T_EQ_I64((e->worst_time - T0) / SECOND, 20);
	trial_end(&t);
}

// ---- A second condition ---------------------------------------------------------------------

// put VALUES of two series, sample by sample
static void
put_both(struct trial *t, uint32_t a, const char *of_a, uint32_t b, const char *of_b)
{
	for (size_t i = 0; of_a[i] != '\0'; i++) {
		mem_source_sample(t->m, T0 + (pmon_time)i * 10 * SECOND);
		mem_source_raw(t->m, a, of_a[i] - '0', 0);
		if (of_b[i] != '-')
			mem_source_raw(t->m, b, of_b[i] - '0', 0);
	}
}

static void
both_conditions(void **state)
{
	static const struct {
		const char *second;
		const char *of_b;
		size_t n;
		int to;
		enum rules_outcome outcome;
	} rows[] = {
		{"\\\\S\\Q(x)\\B", "999999", 1, 30, RULES_CROSSED}, // of the same instance
		{"\\\\S\\Q(x)\\B", "990000", 1, 10, RULES_CROSSED},
		{"\\\\S\\Q(x)\\B", "000000", 0, 0, RULES_KEPT},
		{"\\\\S\\Q(y)\\B", "999999", 0, 0, RULES_NO_WHILE},
		{"\\\\T\\Q(x)\\B", "999999", 0, 0, RULES_NO_WHILE},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct trial t = trial_of_condition("\\Q(*)\\A > 5 while \\Q(*)\\B > 1");
		uint32_t a = mem_source_series(t.m, "\\\\S\\Q(x)\\A",
					       PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
		uint32_t b =
			mem_source_series(t.m, rows[i].second, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);

		put_both(&t, a, "166611", b, rows[i].of_b);
		trial_judge(&t);
		T_EQ_I64_AT((int64_t)t.n_episodes, (int64_t)rows[i].n, rows[i].second);
		if (t.n_episodes > 0)
			T_EQ_I64_AT((t.episodes[0].to - T0) / SECOND, rows[i].to, rows[i].of_b);
		T_EQ_I64_AT(rules_judge_outcome_on(t.judge, 0, 0), rows[i].outcome, rows[i].second);
		trial_end(&t);
	}
}

// A counter of the machine goes with each instance.
static void
a_condition_of_the_machine(void **state)
{
	struct trial t = trial_of_condition("\\Q(*)\\A > 5 while \\M\\B > 1");
	uint32_t a = mem_source_series(t.m, "\\\\S\\Q(x)\\A", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
	uint32_t b = mem_source_series(t.m, "\\\\S\\M\\B", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);

	(void)state;
	put_both(&t, a, "166611", b, "002200");
	trial_judge(&t);
	T_EQ_U64(t.n_episodes, 1);
	T_EQ_I64((t.episodes[0].from - T0) / SECOND, 10);
	T_EQ_I64((t.episodes[0].to - T0) / SECOND, 30);
	trial_end(&t);
}

static void
machines(void **state)
{
	struct trial t = trial_of_condition("\\Q\\A > 5");
	uint32_t a = mem_source_series(t.m, "\\\\S\\Q\\A", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
	uint32_t b = mem_source_series(t.m, "\\\\T\\Q\\A", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);

	(void)state;
	(void)mem_source_series(t.m, "\\\\U\\Q\\B", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
	put_both(&t, a, "1666", b, "1111");
	trial_judge(&t);
	T_EQ_U64(rules_judge_machines(t.judge), 3);
	T_EQ_I64(rules_judge_outcome_on(t.judge, 0, 0), RULES_CROSSED);
	T_EQ_I64(rules_judge_outcome_on(t.judge, 0, 1), RULES_KEPT);
	T_EQ_I64(rules_judge_outcome_on(t.judge, 0, 2), RULES_NO_COUNTER);
	assert_true(pmon_text_same(rules_judge_machine(t.judge, 1), PMON_SPAN("T")));
	trial_end(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions),
		cmocka_unit_test(keys_of_conditions),
		cmocka_unit_test(bad_conditions),
		cmocka_unit_test(runs),
		cmocka_unit_test(the_average_is_of_the_type),
		cmocka_unit_test(both_conditions),
		cmocka_unit_test(a_condition_of_the_machine),
		cmocka_unit_test(machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
