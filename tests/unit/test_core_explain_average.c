// test_core_explain_average.c - explanations of averages
// SPDX-License-Identifier: MIT

#include <pmon/counter.h>

#include "explained.h"
#include "t.h"

static void
test_average_of_every_type(void **state)
{
	static const int64_t first[] = {10, 40, 50, 130};
	static const int64_t second[] = {100, 300, 450, 1000};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		struct pmon_calc calc = t_calc_of(type->word);
		struct pmon_stats stats;

		pmon_stats_init(&stats, &calc);
		t_explain_average(&stats, &e); // of nothing
		T_EQ_U64(e.n_operands + e.n_steps, 0);
		for (size_t k = 0; k < T_LEN(first); k++) {
			struct pmon_raw raw = {.first = first[k], .second = second[k], .multi = 2};

			(void)pmon_stats_add(&stats, &raw);
		}
		t_explain_average(&stats, &e);
		T_EQ_STR(e.formula, type->average_text);
		if (type->formula == PMON_FORMULA_NONE)
			continue;
		assert_true(e.n_steps > 0);
		t_check_names(&e);
		t_check_near(t_evaluate(e.with_operands), e.value.value, type->name);
		// After a reset, the sums are shown instead of the end points.
		(void)pmon_stats_add(&stats,
				     &(struct pmon_raw){.first = 1, .second = 9, .multi = 2});
		(void)pmon_stats_add(&stats,
				     &(struct pmon_raw){.first = 5, .second = 99, .multi = 2});
		t_explain_average(&stats, &e);
		t_check_names(&e);
		t_check_near(t_evaluate(e.with_operands), e.value.value, type->name);
	}
}

// End points are shown if they give the average; otherwise the sums over the valid pairs.
static void
test_average_shows_ends_or_sums(void **state)
{
	struct pmon_calc calc = t_calc_of(PMON_PERF_COUNTER_BULK_COUNT);
	struct pmon_explanation e;
	struct pmon_stats stats;

	(void)state;
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 10, .second = 0});
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.status = PMON_RAW_NO_INSTANCE});
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 20, .second = 10});
	t_explain_average(&stats, &e);
	T_EQ_STR(e.with_operands, "(20 - 10) / ((10 - 0) / 50)");
	T_EQ_STR(t_step_text(&e, "dN"), "sum over 1 pair = 10");
	T_EQ_STR(t_step_text(&e, "dD"), "sum over 1 pair = 10");
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 5, .second = 20}); // a reset
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 25, .second = 30});
	t_explain_average(&stats, &e);
	T_EQ_STR(t_operand(&e, "(Nx - N0)"), "30");
	T_EQ_STR(t_operand(&e, "(Dx - D0)"), "20");
	T_EQ_STR(e.with_operands, "30 / (20 / 50)");
	T_EQ_STR(t_step_text(&e, "dN"), "sum over 2 pairs = 30");
	t_check_near(t_evaluate(e.with_operands), 75, "");
	// KB177655: after a wraparound, the end points alone would give another value.
	calc = t_calc_of(PMON_PERF_COUNTER_COUNTER);
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 0xFFFFFF80, .second = 0});
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 0xC0, .second = 50});
	t_explain_average(&stats, &e);
	T_EQ_STR(e.with_operands, "320 / (50 / 50)");
}

// 4 s, then a start in the future: the explanation is of the sample that has the value.
static void
test_elapsed_average_explains_its_sample(void **state)
{
	struct pmon_calc calc = t_calc_of(PMON_PERF_ELAPSED_TIME);
	struct pmon_explanation e;
	struct pmon_stats stats;

	(void)state;
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 100, .second = 300});
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 401, .second = 400});
	t_explain_average(&stats, &e);
	T_EQ_DBL(e.value.value, 4);
	T_EQ_STR(e.with_operands, "(300 - 100) / 50");
}

// For a series without a reset and for one with a reset.
static void
test_operands_of_averages(void **state)
{
	static const struct {
		uint32_t type;
		bool with_reset;
		const char *name;
		const char *what;
	} rows[] = {
		{PMON_PERF_COUNTER_RAWCOUNT, false, "sum(N)", "sum of the values"},
		{PMON_PERF_COUNTER_RAWCOUNT, false, "x", "number of values"},
		{PMON_PERF_DOUBLE_RAW, false, "sum(N)", "sum of the values"},
		{PMON_PERF_RAW_FRACTION, false, "sum(100 * (N / B))", "sum of the values"},
		{PMON_PERF_RAW_FRACTION, false, "x", "number of values"},
		{PMON_PERF_COUNTER_DELTA, false, "Nx", "the count"},
		{PMON_PERF_COUNTER_DELTA, false, "x", "number of intervals"},
		{PMON_PERF_COUNTER_BULK_COUNT, false, "N0", "the same in the first sample"},
		{PMON_PERF_COUNTER_BULK_COUNT, false, "Dx", "performance clock, in ticks"},
		{PMON_PERF_COUNTER_BULK_COUNT, false, "D0", "the same in the first sample"},
		{PMON_PERF_COUNTER_BULK_COUNT, true, "(Nx - N0)",
		 "sum of N1 - N0 over all valid pairs"},
		{PMON_PERF_COUNTER_BULK_COUNT, true, "(Dx - D0)",
		 "sum of the corresponding differences of the divisor"},
		{PMON_PERF_AVERAGE_BULK, true, "(Bx - B0)",
		 "sum of the corresponding differences of the divisor"},
		{PMON_PERF_ELAPSED_TIME, false, "Nx", "start time"},
		{PMON_PERF_ELAPSED_TIME, false, "Dx", "the object's own clock"},
		{PMON_PERF_COUNTER_MULTI_TIMER, false, "Bx", "number of units"},
	};
	static const struct pmon_raw raws[] = {{.first = 10, .second = 100, .multi = 2},
					       {.first = 40, .second = 300, .multi = 2},
					       {.first = 5, .second = 400, .multi = 2},
					       {.first = 9, .second = 500, .multi = 2}};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_calc calc = t_calc_of(rows[i].type);
		struct pmon_stats stats;

		pmon_stats_init(&stats, &calc);
		for (size_t k = 0; k < (rows[i].with_reset ? 4 : 2); k++)
			(void)pmon_stats_add(&stats, &raws[k]);
		t_explain_average(&stats, &e);
		T_EQ_STR_AT(t_what_of(&e, rows[i].name), rows[i].what, rows[i].name);
	}
}

static void
test_names_of_the_steps_of_means(void **state)
{
	static const struct {
		uint32_t type;
		const char *name;
	} rows[] = {
		{PMON_PERF_COUNTER_RAWCOUNT, "sum(N) / x"},
		{PMON_PERF_RAW_FRACTION, "sum(100 * (N / B)) / x"},
		{PMON_PERF_COUNTER_DELTA, "dN / x"},
	};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_calc calc = t_calc_of(rows[i].type);
		struct pmon_stats stats;

		pmon_stats_init(&stats, &calc);
		(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 1, .second = 2});
		(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 3, .second = 4});
		t_explain_average(&stats, &e);
		T_EQ_STR(e.steps[e.n_steps - 1].name, rows[i].name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_average_of_every_type),
		cmocka_unit_test(test_average_shows_ends_or_sums),
		cmocka_unit_test(test_elapsed_average_explains_its_sample),
		cmocka_unit_test(test_operands_of_averages),
		cmocka_unit_test(test_names_of_the_steps_of_means),
	};

	return cmocka_run_group_tests_name("core_explain_average", tests, NULL, NULL);
}
