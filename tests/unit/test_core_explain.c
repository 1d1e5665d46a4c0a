// test_core_explain.c - explanations describe the computation, and their arithmetic is right
// SPDX-License-Identifier: MIT

#include <pmon/counter.h>

#include "explained.h"
#include "t.h"

// The raw value that each name of a formula means; NULL for a name that the type must not have.
static void
check_operands(const struct pmon_explanation *e)
{
	static const struct {
		const char *name;
		const char *text;
	} values[] = {{"N1", "40"}, {"N0", "10"}, {"D1", "300"}, {"D0", "100"}, {"F", "50"}};
	bool base = e->type->second == PMON_SECOND_BASE;
	bool multi = strstr(e->type->formula_text, "/ B1") != NULL ||
		     strstr(e->type->formula_text, "(B1 -") != NULL;

	for (size_t i = 0; i < T_LEN(values); i++)
		if (strstr(e->type->formula_text, values[i].name) != NULL)
			T_EQ_STR_AT(t_operand(e, values[i].name), values[i].text, e->type->name);
		else
			assert_null(t_operand(e, values[i].name));
	if (base)
		T_EQ_STR_AT(t_operand(e, "B1"), "300", e->type->name);
	else
		T_EQ_STR_AT(t_operand(e, "B1"), multi ? "3" : NULL, e->type->name);
	if (strstr(e->type->formula_text, "B0") != NULL)
		T_EQ_STR_AT(t_operand(e, "B0"), "100", e->type->name);
	else
		assert_null(t_operand(e, "B0"));
}

static struct pmon_raw
extreme_raw(struct t_rand *r)
{
	static const int64_t extremes[] = {INT64_MIN, INT64_MAX, -1, 0, 1, 0xFFFFFFFF};

	return (struct pmon_raw){
		.status = t_rand_below(r, 10) == 0 ? PMON_RAW_INVALID : PMON_RAW_VALID,
		.multi = t_rand_below(r, 2) == 0 ? UINT32_MAX : (uint32_t)t_rand_u64(r),
		.first = t_rand_below(r, 3) == 0 ? (int64_t)t_rand_u64(r)
						 : extremes[t_rand_below(r, T_LEN(extremes))],
		.second = t_rand_below(r, 3) == 0 ? (int64_t)t_rand_u64(r)
						  : extremes[t_rand_below(r, T_LEN(extremes))],
	};
}

static void
check_extremes(struct t_rand *r, uint32_t type)
{
	static const int64_t bases[] = {INT64_MAX, INT64_MIN, 0, 1, 3579545};
	struct pmon_counter counter = {.type = type,
				       .default_scale = (int32_t)t_rand_below(r, 19) - 9,
				       .time_base = bases[t_rand_below(r, T_LEN(bases))]};
	struct pmon_calc_options options = {.size = sizeof(options),
					    .policy = (enum pmon_policy)t_rand_below(r, 3),
					    .cap_100 = t_rand_below(r, 2) == 0,
					    .default_scale = t_rand_below(r, 2) == 0,
					    .times_1000 = t_rand_below(r, 2) == 0};
	struct pmon_raw older = extreme_raw(r);
	struct pmon_explanation e;
	struct pmon_stats stats;
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, &options);
	pmon_stats_init(&stats, &calc);
	for (int i = 0; i < 10; i++) {
		struct pmon_raw newer = extreme_raw(r);

		if (type != PMON_PERF_DOUBLE_RAW) // whose bits may be NaN, which has no number
			t_explain(&calc, i == 0 ? NULL : &older, &newer, &e);
		(void)pmon_stats_add(&stats, &newer);
		t_explain_average(&stats, &e);
		older = newer;
	}
}

static void
test_value_of_every_type(void **state)
{
	const struct pmon_raw older = {.first = 10, .second = 100, .multi = 9};
	const struct pmon_raw newer = {.first = 40, .second = 300, .multi = 3};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		struct pmon_calc calc = t_calc_of(type->word);

		t_explain(&calc, &older, &newer, &e);
		T_EQ_U64(e.word, type->word);
		assert_true(e.source[0] != '\0');
		T_EQ_STR(e.formula, type->formula_text);
		T_EQ_STR(e.unit, type->unit);
		if (type->formula == PMON_FORMULA_NONE) {
			T_EQ_U64(e.n_operands, 0);
			T_EQ_U64(e.n_steps, 0);
			T_EQ_STR(e.with_operands, "");
			continue;
		}
		if (type->formula == PMON_FORMULA_DOUBLE)
			continue;
		T_EQ_I64_AT(e.value.status, PMON_V_OK, type->name);
		check_operands(&e);
		t_check_names(&e);
		t_check_near(t_evaluate(e.with_operands), e.value.value, type->name);
		T_EQ_BOOL_AT(e.n_steps == 0, type->formula == PMON_FORMULA_COUNT, type->name);
	}
}

// The rate of the NT Debugging blog's disk: every text of it, written out by hand.
static void
test_texts_of_an_average_timer(void **state)
{
	struct pmon_counter counter = {.type = PMON_PERF_AVERAGE_TIMER, .time_base = 14318180};
	const struct pmon_raw older = {.first = 0, .second = 0};
	const struct pmon_raw newer = {.first = 2147727, .second = 1};
	struct pmon_explanation e;
	struct pmon_calc calc;

	(void)state;
	pmon_calc_init(&calc, &counter, NULL);
	t_explain(&calc, &older, &newer, &e);
	T_EQ_STR(e.formula, "((N1 - N0) / F) / (B1 - B0)");
	T_EQ_STR(e.with_operands, "((2147727 - 0) / 14318180) / (1 - 0)");
	T_EQ_U64(e.n_steps, 4);
	T_EQ_STR(e.steps[0].name, "dN = N1 - N0");
	T_EQ_STR(e.steps[0].text, "2147727 - 0 = 2147727");
	T_EQ_STR(e.steps[1].name, "dB = B1 - B0");
	T_EQ_STR(e.steps[1].text, "1 - 0 = 1");
	T_EQ_STR(e.steps[2].text, "2147727 / 14318180 = 0.15");
	T_EQ_STR(e.steps[3].text, "0.15 / 1 = 0.15");
	T_EQ_STR(e.unit, "s");
}

// KB177655: the addition of 2^32 is shown.
static void
test_wrap_is_shown(void **state)
{
	struct pmon_calc calc = t_calc_of(PMON_PERF_COUNTER_COUNTER);
	const struct pmon_raw older = {.first = 0xFFFFFF80, .second = 0};
	const struct pmon_raw newer = {.first = 0xC0, .second = 50};
	struct pmon_explanation e;

	(void)state;
	t_explain(&calc, &older, &newer, &e);
	T_EQ_STR(e.steps[0].text, "192 - 4294967168 + 4294967296 = 320");
	T_EQ_STR(e.steps[0].what, "counted across the wrap at 2^32");
	T_EQ_STR(e.steps[1].text, "50 - 0 = 50");
	T_EQ_STR(e.steps[1].what, "");
}

static void
test_elapsed_shows_its_difference(void **state)
{
	struct pmon_calc calc = t_calc_of(PMON_PERF_ELAPSED_TIME);
	struct pmon_raw raw = {.first = 75, .second = 200};
	struct pmon_explanation e;

	(void)state;
	t_explain(&calc, NULL, &raw, &e);
	T_EQ_STR(e.with_operands, "(200 - 75) / 50");
	T_EQ_STR(t_step_text(&e, "D1 - N1"), "200 - 75 = 125");
	T_EQ_STR(t_step_text(&e, "(D1 - N1) / F"), "125 / 50 = 2.5");
	raw.first = 0; // not started: nothing is computed
	t_explain(&calc, NULL, &raw, &e);
	T_EQ_U64(e.n_steps, 0);
	raw.first = 201;
	t_explain(&calc, NULL, &raw, &e);
	T_EQ_I64(e.value.status, PMON_V_BELOW_ZERO);
	T_EQ_U64(e.n_steps, 0);
}

static void
test_double_is_shown_as_a_number(void **state)
{
	struct pmon_calc calc = t_calc_of(PMON_PERF_DOUBLE_RAW);
	const double number = -0.375;
	struct pmon_explanation e;
	struct pmon_raw raw = {0};

	(void)state;
	memcpy(&raw.first, &number, sizeof(number));
	t_explain(&calc, NULL, &raw, &e);
	T_EQ_STR(t_operand(&e, "N1"), "-0.375");
	T_EQ_STR(e.with_operands, "-0.375");
}

static void
test_no_value(void **state)
{
	struct pmon_calc calc = t_calc_of(PMON_PERF_COUNTER_BULK_COUNT);
	struct pmon_raw older = {.first = 10, .second = 100};
	struct pmon_raw newer = {.first = 5, .second = 300};
	struct pmon_explanation e;

	(void)state;
	t_explain(&calc, NULL, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_FIRST);
	T_EQ_STR(t_operand(&e, "N1"), "5");
	assert_null(t_operand(&e, "N0"));
	T_EQ_U64(e.n_steps, 0);
	t_explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_COUNTER_BACK);
	T_EQ_STR(e.with_operands, "(5 - 10) / ((300 - 100) / 50)");
	T_EQ_U64(e.n_steps, 0);
	older.status = PMON_RAW_NO_INSTANCE;
	t_explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_BAD_RAW);
	T_EQ_STR(e.with_operands, "");
	T_EQ_U64(e.n_steps, 0);
	older.status = 0;
	newer.first = 20;
	calc.counter.time_base = 0; // and nothing is divided by it
	t_explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_BAD_TIME_BASE);
	T_EQ_STR(e.with_operands, "(20 - 10) / ((300 - 100) / 0)");
	T_EQ_U64(e.n_steps, 0);
	calc = t_calc_of(0x12345678);
	t_explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_UNKNOWN_TYPE);
	assert_null(e.type);
	assert_null(e.note);
	T_EQ_U64(e.word, 0x12345678);
	T_EQ_STR(e.formula, "");
	T_EQ_U64(e.n_operands + e.n_steps, 0);
}

// A rejected result is shown as far as it was computed: 1 - 12 / 10 is below zero.
static void
test_below_zero_shows_how(void **state)
{
	struct pmon_calc calc = t_calc_of(PMON_PERF_100NSEC_TIMER_INV);
	const struct pmon_raw older = {.first = 0, .second = 0};
	const struct pmon_raw newer = {.first = 12, .second = 8};
	struct pmon_explanation e;

	(void)state;
	t_explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_BELOW_ZERO);
	T_EQ_STR(t_step_text(&e, "dN / dD"), "12 / 8 = 1.5");
	T_EQ_STR(t_step_text(&e, "1 - dN / dD"), "1 - 1.5 = -0.5");
}

static void
test_options_are_steps(void **state)
{
	struct pmon_counter counter = {.type = PMON_PERF_100NSEC_TIMER, .default_scale = -1};
	struct pmon_calc_options options = {.size = sizeof(options),
					    .cap_100 = true,
					    .default_scale = true,
					    .times_1000 = true};
	const struct pmon_raw older = {.first = 0, .second = 0};
	const struct pmon_raw newer = {.first = 155, .second = 100};
	struct pmon_explanation e;
	struct pmon_calc calc;

	(void)state;
	pmon_calc_init(&calc, &counter, &options);
	t_explain(&calc, &older, &newer, &e);
	T_EQ_STR(t_step_text(&e, "capped"), "155 is above 100 = 100");
	T_EQ_STR(t_step_text(&e, "default scale"), "100 * 10 ^ -1 = 10");
	T_EQ_STR(t_step_text(&e, "times 1000"), "10 * 1000 = 10000");
	counter.default_scale = 9; // beyond what is applied: no step either
	pmon_calc_init(&calc, &counter, &options);
	t_explain(&calc, &older, &newer, &e);
	assert_null(t_step_text(&e, "default scale"));
	T_EQ_DBL(e.value.value, 100000);
}

// Types whose descriptions disagree, or that differ from what their name suggests, have a note.
static void
test_notes_where_texts_differ(void **state)
{
	static const uint32_t differ[] = {
		PMON_PERF_COUNTER_QUEUELEN_TYPE,
		PMON_PERF_COUNTER_LARGE_QUEUELEN_TYPE,
		PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE,
		PMON_PERF_COUNTER_RAWCOUNT,
		PMON_PERF_SAMPLE_COUNTER,
		PMON_PERF_COUNTER_MULTI_TIMER,
		PMON_PERF_100NSEC_MULTI_TIMER,
		PMON_PERF_COUNTER_MULTI_TIMER_INV,
		PMON_PERF_100NSEC_MULTI_TIMER_INV,
		PMON_PERF_ELAPSED_TIME,
		PMON_PERF_LARGE_RAW_BASE,
		PMON_PERF_AVERAGE_TIMER,
		PMON_PERF_AVERAGE_BULK,
		PMON_PERF_DOUBLE_RAW,
	};
	const struct pmon_raw raw = {.first = 1, .second = 2, .multi = 1};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < T_LEN(differ); i++) {
		struct pmon_calc calc = t_calc_of(differ[i]);

		t_explain(&calc, &raw, &raw, &e);
		assert_non_null(e.note);
		assert_true(e.note[0] != '\0');
	}
}

// If pmon differs from the texts that its formulas are based on, the note of the type says so. The
// wording comes from the Platform SDK (the average of PERF_ELAPSED_TIME) and the Resource Kit (raw
// counts).
static void
test_notes_name_the_difference(void **state)
{
	static const struct {
		uint32_t word;
		const char *text;
	} notes[] = {
		{PMON_PERF_ELAPSED_TIME, "(Dx - N0) / F"},
		{PMON_PERF_COUNTER_NODATA, "gives 0"},
		{PMON_PERF_COUNTER_RAWCOUNT, "should not be averaged"},
		{PMON_PERF_COUNTER_LARGE_RAWCOUNT, "should not be averaged"},
		{PMON_PERF_COUNTER_RAWCOUNT_HEX, "should not be averaged"},
		{PMON_PERF_COUNTER_LARGE_RAWCOUNT_HEX, "should not be averaged"},
		{PMON_PERF_COUNTER_DELTA, "number of intervals"},
		{PMON_PERF_COUNTER_TEXT, "pmon follows winperf.h"},
		{PMON_PERF_RAW_FRACTION, "factor 100"},
		{PMON_PERF_PRECISION_100NS_TIMER, "KB269481"},
	};
	const struct pmon_raw raw = {.first = 1, .second = 2, .multi = 1};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < T_LEN(notes); i++) {
		struct pmon_calc calc = t_calc_of(notes[i].word);

		t_explain(&calc, &raw, &raw, &e);
		assert_non_null(e.note);
		if (strstr(e.note, notes[i].text) == NULL)
			fail_msg("%s: \"%s\" is not in the note", e.type->name, notes[i].text);
	}
}

// The divisor of an average of operations is a base, and that of a step too.
static void
test_steps_name_the_base(void **state)
{
	const struct pmon_raw older = {.first = 10, .second = 100, .multi = 9};
	const struct pmon_raw newer = {.first = 40, .second = 300, .multi = 3};
	struct pmon_explanation e;
	struct pmon_calc calc = t_calc_of(PMON_PERF_AVERAGE_BULK);

	(void)state;
	t_explain(&calc, &older, &newer, &e);
	T_EQ_STR(t_step_text(&e, "dN / dB"), "30 / 200 = 0.15");
	calc = t_calc_of(PMON_PERF_SAMPLE_FRACTION);
	t_explain(&calc, &older, &newer, &e);
	T_EQ_STR(t_step_text(&e, "100 * (dN / dB)"), "100 * 0.15 = 15");
	calc = t_calc_of(PMON_PERF_COUNTER_MULTI_TIMER);
	t_explain(&calc, &older, &newer, &e);
	T_EQ_STR(t_step_text(&e, "100 * (dN / dD) / B1"), "15 / 3 = 5");
}

static void
test_extreme_operands(void **state)
{
	struct t_rand r = {.state = 21};

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++)
		for (int round = 0; round < 200; round++)
			check_extremes(&r, pmon_type_at(i)->word);
}

static void
test_operands_of_values(void **state)
{
	static const struct {
		uint32_t type;
		const char *name;
		const char *what;
	} rows[] = {
		{PMON_PERF_COUNTER_BULK_COUNT, "N1", "the count"},
		{PMON_PERF_COUNTER_BULK_COUNT, "N0", "the same, one sample earlier"},
		{PMON_PERF_COUNTER_BULK_COUNT, "D1", "performance clock, in ticks"},
		{PMON_PERF_COUNTER_BULK_COUNT, "D0", "the same, one sample earlier"},
		{PMON_PERF_COUNTER_BULK_COUNT, "F", "clock frequency, in ticks per second"},
		{PMON_PERF_100NSEC_TIMER, "N1", "busy time"},
		{PMON_PERF_100NSEC_TIMER, "D1", "system clock, in 100 ns"},
		{PMON_PERF_OBJ_TIME_TIMER, "D1", "the object's own clock"},
		{PMON_PERF_PRECISION_100NS_TIMER, "D1", "time stamp taken with the value"},
		{PMON_PERF_AVERAGE_BULK, "B1", "PERF_AVERAGE_BASE"},
		{PMON_PERF_COUNTER_MULTI_TIMER, "B1", "number of units"},
		{PMON_PERF_ELAPSED_TIME, "N1", "start time"},
	};
	const struct pmon_raw older = {.first = 10, .second = 100, .multi = 9};
	const struct pmon_raw newer = {.first = 40, .second = 300, .multi = 3};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_calc calc = t_calc_of(rows[i].type);

		t_explain(&calc, &older, &newer, &e);
		T_EQ_STR_AT(t_what_of(&e, rows[i].name), rows[i].what, rows[i].name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_value_of_every_type),
		cmocka_unit_test(test_texts_of_an_average_timer),
		cmocka_unit_test(test_wrap_is_shown),
		cmocka_unit_test(test_elapsed_shows_its_difference),
		cmocka_unit_test(test_double_is_shown_as_a_number),
		cmocka_unit_test(test_no_value),
		cmocka_unit_test(test_below_zero_shows_how),
		cmocka_unit_test(test_options_are_steps),
		cmocka_unit_test(test_notes_where_texts_differ),
		cmocka_unit_test(test_notes_name_the_difference),
		cmocka_unit_test(test_steps_name_the_base),
		cmocka_unit_test(test_extreme_operands),
		cmocka_unit_test(test_operands_of_values),
	};

	return cmocka_run_group_tests_name("core_explain", tests, NULL, NULL);
}
