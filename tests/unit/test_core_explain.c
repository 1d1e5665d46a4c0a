// test_core_explain.c - explanations say what was computed, and their arithmetic is right
// SPDX-License-Identifier: MIT

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <pmon/counter.h>

#include "t.h"

__extension__ typedef __int128 i128;

// ---- Reading the texts -------------------------------------------------------------------------

// Formulas with numbers in them: + - * /, parentheses, numbers with a sign.
static double expression(const char **text);

static void
blanks(const char **text)
{
	while (**text == ' ')
		(*text)++;
}

static double
factor(const char **text)
{
	double value;
	char *end;

	blanks(text);
	if (**text == '(') {
		(*text)++;
		value = expression(text);
		blanks(text);
		assert_int_equal(**text, ')');
		(*text)++;
		return value;
	}
	value = strtod(*text, &end);
	if (end == *text)
		fail_msg("no number at \"%s\"", *text);
	*text = end;
	return value;
}

static double
product(const char **text)
{
	double value = factor(text);

	for (;;) {
		blanks(text);
		if (**text == '*') {
			(*text)++;
			value *= factor(text);
		} else if (**text == '/') {
			(*text)++;
			value /= factor(text);
		} else {
			return value;
		}
	}
}

static double
expression(const char **text)
{
	double value = product(text);

	for (;;) {
		blanks(text);
		if (**text == '+') {
			(*text)++;
			value += product(text);
		} else if (**text == '-') {
			(*text)++;
			value -= product(text);
		} else {
			return value;
		}
	}
}

static double
evaluate(const char *text)
{
	double value = expression(&text);

	assert_int_equal(*text, '\0');
	return value;
}

// "newer - older = d" or "newer - older + 4294967296 = d", in integers.
static void
check_difference(const char *text)
{
	i128 newer;
	i128 older;
	i128 more = 0;
	char *end;

	newer = strtoll(text, &end, 10);
	assert_memory_equal(end, " - ", 3);
	older = strtoll(end + 3, &end, 10);
	if (end[1] == '+') {
		more = strtoll(end + 3, &end, 10);
		assert_true(more == (i128)1 << 32);
	}
	assert_memory_equal(end, " = ", 3);
	assert_true(newer - older + more == (i128)strtoull(end + 3, &end, 10));
	assert_int_equal(*end, '\0');
}

// "a op b = r", "a is above 100 = 100", "a * 10 ^ k = r"
static void
check_arithmetic(const char *text)
{
	char *end;
	double a = strtod(text, &end);
	char op = end[1];
	double b;
	double want;

	if (strncmp(end, " is above ", 10) == 0) {
		T_EQ_STR(end, " is above 100 = 100");
		assert_true(a > 100);
		return;
	}
	if (strncmp(end, " * 10 ^ ", 8) == 0) {
		b = strtod(end + 8, &end);
		want = b < 0 ? a / pow(10, -b) : a * pow(10, b);
	} else {
		b = strtod(end + 3, &end);
		want = op == '*' ? a * b : op == '/' ? a / b : a - b;
		assert_true(op == '*' || op == '/' || op == '-');
	}
	assert_memory_equal(end, " = ", 3);
	T_EQ_DBL_AT(strtod(end + 3, &end), want, text);
	assert_int_equal(*end, '\0');
}

static double
result_of(const struct pmon_explain_line *step)
{
	const char *equals = strrchr(step->text, '=');

	assert_non_null(equals);
	return strtod(equals + 1, NULL);
}

static void
check_step(const struct pmon_explain_line *step)
{
	if (strncmp(step->text, "sum over ", 9) == 0)
		return; // the sums have tests of their own
	if (strchr(step->name, '=') != NULL || strcmp(step->name, "D1 - N1") == 0 ||
	    strcmp(step->name, "Dx - Nx") == 0)
		check_difference(step->text);
	else
		check_arithmetic(step->text);
}

static void
check_text(const char *text, size_t size)
{
	size_t len = strnlen(text, size);

	assert_true(len > 0);
	assert_true(len < size - 1); // one byte less than full: nothing was cut
	for (size_t i = 0; i < len; i++)
		assert_true(isprint((unsigned char)text[i]));
	assert_null(strstr(text, "null"));
}

// What holds for every explanation.
static void
check_whole(const struct pmon_explanation *e)
{
	assert_non_null(e->formula);
	assert_non_null(e->unit);
	assert_non_null(e->source);
	T_EQ_STR(e->status_text, pmon_vstat_text(e->value.status));
	assert_true(e->n_operands <= PMON_EXPLAIN_LINES);
	assert_true(e->n_steps <= PMON_EXPLAIN_LINES);
	assert_true(strlen(e->with_operands) < sizeof(e->with_operands) - 1);
	for (size_t i = 0; i < e->n_operands; i++) {
		check_text(e->operands[i].name, sizeof(e->operands[i].name));
		check_text(e->operands[i].text, sizeof(e->operands[i].text));
		assert_true(e->operands[i].what[0] != '\0');
		assert_non_null(strstr(e->formula, e->operands[i].name));
	}
	for (size_t i = 0; i < e->n_steps; i++) {
		check_text(e->steps[i].name, sizeof(e->steps[i].name));
		check_text(e->steps[i].text, sizeof(e->steps[i].text));
		assert_non_null(e->steps[i].what);
		check_step(&e->steps[i]);
	}
	if (e->n_steps > 0 && (e->value.status == PMON_V_OK || e->value.status == PMON_V_WRAPPED))
		T_EQ_DBL(result_of(&e->steps[e->n_steps - 1]), e->value.value);
}

static void
same_value(const struct pmon_value *a, const struct pmon_value *b)
{
	T_EQ_I64(a->status, b->status);
	T_EQ_I64(a->policy, b->policy);
	assert_memory_equal(&a->value, &b->value, sizeof(a->value));
}

static void
explain(const struct pmon_calc *calc, const struct pmon_raw *older, const struct pmon_raw *newer,
	struct pmon_explanation *e)
{
	struct pmon_value want = pmon_calc_value(calc, older, newer);

	memset(e, 0xA5, sizeof(*e));
	pmon_explain_value(calc, older, newer, e);
	same_value(&e->value, &want);
	check_whole(e);
}

static void
explain_average(const struct pmon_stats *stats, struct pmon_explanation *e)
{
	struct pmon_value want = pmon_stats_average(stats);

	memset(e, 0xA5, sizeof(*e));
	pmon_explain_average(stats, e);
	same_value(&e->value, &want);
	check_whole(e);
}

static const char *
operand(const struct pmon_explanation *e, const char *name)
{
	for (size_t i = 0; i < e->n_operands; i++)
		if (strcmp(e->operands[i].name, name) == 0)
			return e->operands[i].text;
	return NULL;
}

static const char *
step_text(const struct pmon_explanation *e, const char *name)
{
	for (size_t i = 0; i < e->n_steps; i++)
		if (strcmp(e->steps[i].name, name) == 0)
			return e->steps[i].text;
	return NULL;
}

static void
check_near(double got, double want, const char *label)
{
	if (!(fabs(got - want) <= fabs(want) * 8 * DBL_EPSILON))
		T_EQ_DBL_AT(got, want, label);
}

static struct pmon_calc
calc_of(uint32_t type)
{
	struct pmon_counter counter = {.type = type, .time_base = 50};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, NULL);
	return calc;
}

// ---- Values ------------------------------------------------------------------------------------

// Which raw value each name of a formula stands for; NULL for a name that the type must not have.
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
			T_EQ_STR_AT(operand(e, values[i].name), values[i].text, e->type->name);
		else
			assert_null(operand(e, values[i].name));
	if (base)
		T_EQ_STR_AT(operand(e, "B1"), "300", e->type->name);
	else
		T_EQ_STR_AT(operand(e, "B1"), multi ? "3" : NULL, e->type->name);
	if (strstr(e->type->formula_text, "B0") != NULL)
		T_EQ_STR_AT(operand(e, "B0"), "100", e->type->name);
	else
		assert_null(operand(e, "B0"));
}

// The next name in a text, "N1" or "dB" or "sum"; NULL at the end. Words of plain English are skipped
// by their blanks alone: names of formulas have no letters beside them.
static const char *
next_name(const char **text, char name[16])
{
	size_t n;

	while (**text != '\0' && !isalpha((unsigned char)**text))
		(*text)++;
	for (n = 0; isalnum((unsigned char)(*text)[n]) && n < 15; n++)
		name[n] = (*text)[n];
	name[n] = '\0';
	*text += n;
	return n > 0 ? name : NULL;
}

// Is the name an operand, or part of one that is a sum, as N0 of "(Nx - N0)"?
static bool
is_operand(const struct pmon_explanation *e, const char *name)
{
	char got[16];

	for (size_t i = 0; i < e->n_operands; i++)
		for (const char *text = e->operands[i].name; next_name(&text, got) != NULL;)
			if (strcmp(got, name) == 0)
				return true;
	return false;
}

// Was the name given to the result of a step before? "dN = N1 - N0" gives dN.
static bool
is_result(const struct pmon_explanation *e, size_t step, const char *name)
{
	char got[16];

	for (size_t i = 0; i < step; i++) {
		const char *text = e->steps[i].name;

		if (next_name(&text, got) != NULL && strcmp(got, name) == 0)
			return true;
	}
	return false;
}

// Formula, operands, the formula with numbers, and steps use one set of names.
static void
check_names(const struct pmon_explanation *e)
{
	const char *text = e->formula;
	char name[16];

	while (next_name(&text, name) != NULL)
		if (!is_operand(e, name))
			fail_msg("%s: the formula has %s, no operand has", e->type->name, name);
	for (size_t i = 0; i < e->n_operands; i++)
		if (strstr(e->formula, e->operands[i].name) == NULL)
			fail_msg("%s: no %s in the formula", e->type->name, e->operands[i].name);
	text = e->with_operands;
	while (next_name(&text, name) != NULL)
		assert_string_equal(name, "e"); // 1e+20
	for (size_t i = 0; i < e->n_steps; i++) {
		text = e->steps[i].name;
		while (next_name(&text, name) != NULL)
			if (name[0] == 'd' ? !is_result(e, i + 1, name) : !is_operand(e, name))
				fail_msg("%s: step \"%s\" has %s, which nothing is", e->type->name,
					 e->steps[i].name, name);
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
		struct pmon_calc calc = calc_of(type->word);

		explain(&calc, &older, &newer, &e);
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
		check_names(&e);
		check_near(evaluate(e.with_operands), e.value.value, type->name);
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
	explain(&calc, &older, &newer, &e);
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
	struct pmon_calc calc = calc_of(PMON_PERF_COUNTER_COUNTER);
	const struct pmon_raw older = {.first = 0xFFFFFF80, .second = 0};
	const struct pmon_raw newer = {.first = 0xC0, .second = 50};
	struct pmon_explanation e;

	(void)state;
	explain(&calc, &older, &newer, &e);
	T_EQ_STR(e.steps[0].text, "192 - 4294967168 + 4294967296 = 320");
	T_EQ_STR(e.steps[0].what, "counted through 2^32");
	T_EQ_STR(e.steps[1].text, "50 - 0 = 50");
	T_EQ_STR(e.steps[1].what, "");
}

static void
test_elapsed_shows_its_difference(void **state)
{
	struct pmon_calc calc = calc_of(PMON_PERF_ELAPSED_TIME);
	struct pmon_raw raw = {.first = 75, .second = 200};
	struct pmon_explanation e;

	(void)state;
	explain(&calc, NULL, &raw, &e);
	T_EQ_STR(e.with_operands, "(200 - 75) / 50");
	T_EQ_STR(step_text(&e, "D1 - N1"), "200 - 75 = 125");
	T_EQ_STR(step_text(&e, "(D1 - N1) / F"), "125 / 50 = 2.5");
	raw.first = 0; // not started: nothing is computed
	explain(&calc, NULL, &raw, &e);
	T_EQ_U64(e.n_steps, 0);
	raw.first = 201;
	explain(&calc, NULL, &raw, &e);
	T_EQ_I64(e.value.status, PMON_V_BELOW_ZERO);
	T_EQ_U64(e.n_steps, 0);
}

static void
test_double_is_shown_as_a_number(void **state)
{
	struct pmon_calc calc = calc_of(PMON_PERF_DOUBLE_RAW);
	const double number = -0.375;
	struct pmon_explanation e;
	struct pmon_raw raw = {0};

	(void)state;
	memcpy(&raw.first, &number, sizeof(number));
	explain(&calc, NULL, &raw, &e);
	T_EQ_STR(operand(&e, "N1"), "-0.375");
	T_EQ_STR(e.with_operands, "-0.375");
}

static void
test_no_value(void **state)
{
	struct pmon_calc calc = calc_of(PMON_PERF_COUNTER_BULK_COUNT);
	struct pmon_raw older = {.first = 10, .second = 100};
	struct pmon_raw newer = {.first = 5, .second = 300};
	struct pmon_explanation e;

	(void)state;
	explain(&calc, NULL, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_FIRST);
	T_EQ_STR(operand(&e, "N1"), "5");
	assert_null(operand(&e, "N0"));
	T_EQ_U64(e.n_steps, 0);
	explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_COUNTER_BACK);
	T_EQ_STR(e.with_operands, "(5 - 10) / ((300 - 100) / 50)");
	T_EQ_U64(e.n_steps, 0);
	older.status = PMON_RAW_NO_INSTANCE;
	explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_BAD_RAW);
	T_EQ_STR(e.with_operands, "");
	T_EQ_U64(e.n_steps, 0);
	older.status = 0;
	newer.first = 20;
	calc.counter.time_base = 0; // and nothing is divided by it
	explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_BAD_TIME_BASE);
	T_EQ_STR(e.with_operands, "(20 - 10) / ((300 - 100) / 0)");
	T_EQ_U64(e.n_steps, 0);
	calc = calc_of(0x12345678);
	explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_UNKNOWN_TYPE);
	assert_null(e.type);
	assert_null(e.note);
	T_EQ_U64(e.word, 0x12345678);
	T_EQ_STR(e.formula, "");
	T_EQ_U64(e.n_operands + e.n_steps, 0);
}

// A refused result is shown as far as it was computed: 1 - 12 / 10 is below zero.
static void
test_below_zero_shows_how(void **state)
{
	struct pmon_calc calc = calc_of(PMON_PERF_100NSEC_TIMER_INV);
	const struct pmon_raw older = {.first = 0, .second = 0};
	const struct pmon_raw newer = {.first = 12, .second = 8};
	struct pmon_explanation e;

	(void)state;
	explain(&calc, &older, &newer, &e);
	T_EQ_I64(e.value.status, PMON_V_BELOW_ZERO);
	T_EQ_STR(step_text(&e, "dN / dD"), "12 / 8 = 1.5");
	T_EQ_STR(step_text(&e, "1 - dN / dD"), "1 - 1.5 = -0.5");
}

static void
test_options_are_steps(void **state)
{
	struct pmon_counter counter = {.type = PMON_PERF_100NSEC_TIMER, .default_scale = -1};
	struct pmon_calc_options options = {
		.cap_100 = true, .default_scale = true, .times_1000 = true};
	const struct pmon_raw older = {.first = 0, .second = 0};
	const struct pmon_raw newer = {.first = 155, .second = 100};
	struct pmon_explanation e;
	struct pmon_calc calc;

	(void)state;
	pmon_calc_init(&calc, &counter, &options);
	explain(&calc, &older, &newer, &e);
	T_EQ_STR(step_text(&e, "capped"), "155 is above 100 = 100");
	T_EQ_STR(step_text(&e, "default scale"), "100 * 10 ^ -1 = 10");
	T_EQ_STR(step_text(&e, "times 1000"), "10 * 1000 = 10000");
	counter.default_scale = 9; // beyond what is applied: no step either
	pmon_calc_init(&calc, &counter, &options);
	explain(&calc, &older, &newer, &e);
	assert_null(step_text(&e, "default scale"));
	T_EQ_DBL(e.value.value, 100000);
}

// The types on which texts disagree, or that are otherwise than their word says, say so.
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
		struct pmon_calc calc = calc_of(differ[i]);

		explain(&calc, &raw, &raw, &e);
		assert_non_null(e.note);
		assert_true(e.note[0] != '\0');
	}
}

// Where pmon differs from the texts that its formulas are from, the note of the type says so. The
// words are those of the texts: the Platform SDK's average of PERF_ELAPSED_TIME and the Resource Kit's
// on raw counts.
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
		{PMON_PERF_COUNTER_TEXT, "winperf.h is followed"},
		{PMON_PERF_RAW_FRACTION, "factor 100"},
		{PMON_PERF_PRECISION_100NS_TIMER, "KB269481"},
	};
	const struct pmon_raw raw = {.first = 1, .second = 2, .multi = 1};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < T_LEN(notes); i++) {
		struct pmon_calc calc = calc_of(notes[i].word);

		explain(&calc, &raw, &raw, &e);
		assert_non_null(e.note);
		if (strstr(e.note, notes[i].text) == NULL)
			fail_msg("%s: \"%s\" is not in the note", e.type->name, notes[i].text);
	}
}

// ---- Averages ----------------------------------------------------------------------------------

static void
test_average_of_every_type(void **state)
{
	static const int64_t first[] = {10, 40, 50, 130};
	static const int64_t second[] = {100, 300, 450, 1000};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		struct pmon_calc calc = calc_of(type->word);
		struct pmon_stats stats;

		pmon_stats_init(&stats, &calc);
		explain_average(&stats, &e); // of nothing
		T_EQ_U64(e.n_operands + e.n_steps, 0);
		for (size_t k = 0; k < T_LEN(first); k++) {
			struct pmon_raw raw = {.first = first[k], .second = second[k], .multi = 2};

			(void)pmon_stats_add(&stats, &raw);
		}
		explain_average(&stats, &e);
		T_EQ_STR(e.formula, type->average_text);
		if (type->formula == PMON_FORMULA_NONE)
			continue;
		assert_true(e.n_steps > 0);
		check_names(&e);
		check_near(evaluate(e.with_operands), e.value.value, type->name);
		// A reset: the sums in place of the end points.
		(void)pmon_stats_add(&stats,
				     &(struct pmon_raw){.first = 1, .second = 9, .multi = 2});
		(void)pmon_stats_add(&stats,
				     &(struct pmon_raw){.first = 5, .second = 99, .multi = 2});
		explain_average(&stats, &e);
		check_names(&e);
		check_near(evaluate(e.with_operands), e.value.value, type->name);
	}
}

// The divisor of an average of operations is a base, and that of a step too.
static void
test_steps_name_the_base(void **state)
{
	const struct pmon_raw older = {.first = 10, .second = 100, .multi = 9};
	const struct pmon_raw newer = {.first = 40, .second = 300, .multi = 3};
	struct pmon_explanation e;
	struct pmon_calc calc = calc_of(PMON_PERF_AVERAGE_BULK);

	(void)state;
	explain(&calc, &older, &newer, &e);
	T_EQ_STR(step_text(&e, "dN / dB"), "30 / 200 = 0.15");
	calc = calc_of(PMON_PERF_SAMPLE_FRACTION);
	explain(&calc, &older, &newer, &e);
	T_EQ_STR(step_text(&e, "100 * (dN / dB)"), "100 * 0.15 = 15");
	calc = calc_of(PMON_PERF_COUNTER_MULTI_TIMER);
	explain(&calc, &older, &newer, &e);
	T_EQ_STR(step_text(&e, "100 * (dN / dD) / B1"), "15 / 3 = 5");
}

// End points are shown when they tell all; else the sums over the good pairs.
static void
test_average_shows_ends_or_sums(void **state)
{
	struct pmon_calc calc = calc_of(PMON_PERF_COUNTER_BULK_COUNT);
	struct pmon_explanation e;
	struct pmon_stats stats;

	(void)state;
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 10, .second = 0});
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.status = PMON_RAW_NO_INSTANCE});
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 20, .second = 10});
	explain_average(&stats, &e);
	T_EQ_STR(e.with_operands, "(20 - 10) / ((10 - 0) / 50)");
	T_EQ_STR(step_text(&e, "dN"), "sum over 1 pair = 10");
	T_EQ_STR(step_text(&e, "dD"), "sum over 1 pair = 10");
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 5, .second = 20}); // a reset
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 25, .second = 30});
	explain_average(&stats, &e);
	T_EQ_STR(operand(&e, "(Nx - N0)"), "30");
	T_EQ_STR(operand(&e, "(Dx - D0)"), "20");
	T_EQ_STR(e.with_operands, "30 / (20 / 50)");
	T_EQ_STR(step_text(&e, "dN"), "sum over 2 pairs = 30");
	check_near(evaluate(e.with_operands), 75, "");
	// KB177655: with a wrap the ends alone would tell something else.
	calc = calc_of(PMON_PERF_COUNTER_COUNTER);
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 0xFFFFFF80, .second = 0});
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 0xC0, .second = 50});
	explain_average(&stats, &e);
	T_EQ_STR(e.with_operands, "320 / (50 / 50)");
}

// 4 s, then a start in the future: the explanation is of the sample that has the value.
static void
test_elapsed_average_explains_its_sample(void **state)
{
	struct pmon_calc calc = calc_of(PMON_PERF_ELAPSED_TIME);
	struct pmon_explanation e;
	struct pmon_stats stats;

	(void)state;
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 100, .second = 300});
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 401, .second = 400});
	explain_average(&stats, &e);
	T_EQ_DBL(e.value.value, 4);
	T_EQ_STR(e.with_operands, "(300 - 100) / 50");
}

// ---- Extremes ----------------------------------------------------------------------------------

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
	struct pmon_calc_options options = {.policy = (enum pmon_policy)t_rand_below(r, 3),
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
			explain(&calc, i == 0 ? NULL : &older, &newer, &e);
		(void)pmon_stats_add(&stats, &newer);
		explain_average(&stats, &e);
		older = newer;
	}
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

// ---- What operands are -------------------------------------------------------------------------

static const char *
what_of(const struct pmon_explanation *e, const char *name)
{
	for (size_t i = 0; i < e->n_operands; i++)
		if (strcmp(e->operands[i].name, name) == 0)
			return e->operands[i].what;
	fail_msg("no operand \"%s\"", name);
	return "";
}

static void
test_what_operands_of_values_are(void **state)
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
		{PMON_PERF_COUNTER_BULK_COUNT, "F", "ticks of the clock in a second"},
		{PMON_PERF_100NSEC_TIMER, "N1", "time in use"},
		{PMON_PERF_100NSEC_TIMER, "D1", "system clock, in 100 ns"},
		{PMON_PERF_OBJ_TIME_TIMER, "D1", "the object's own clock"},
		{PMON_PERF_PRECISION_100NS_TIMER, "D1", "time stamp taken with the value"},
		{PMON_PERF_AVERAGE_BULK, "B1", "PERF_AVERAGE_BASE"},
		{PMON_PERF_COUNTER_MULTI_TIMER, "B1", "number of units"},
		{PMON_PERF_ELAPSED_TIME, "N1", "time of the start"},
	};
	const struct pmon_raw older = {.first = 10, .second = 100, .multi = 9};
	const struct pmon_raw newer = {.first = 40, .second = 300, .multi = 3};
	struct pmon_explanation e;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_calc calc = calc_of(rows[i].type);

		explain(&calc, &older, &newer, &e);
		T_EQ_STR_AT(what_of(&e, rows[i].name), rows[i].what, rows[i].name);
	}
}

// Of a series without and with a reset.
static void
test_what_operands_of_averages_are(void **state)
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
		 "sum of N1 - N0 over the good pairs"},
		{PMON_PERF_COUNTER_BULK_COUNT, true, "(Dx - D0)",
		 "sum of the same differences of the divisor"},
		{PMON_PERF_AVERAGE_BULK, true, "(Bx - B0)",
		 "sum of the same differences of the divisor"},
		{PMON_PERF_ELAPSED_TIME, false, "Nx", "time of the start"},
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
		struct pmon_calc calc = calc_of(rows[i].type);
		struct pmon_stats stats;

		pmon_stats_init(&stats, &calc);
		for (size_t k = 0; k < (rows[i].with_reset ? 4 : 2); k++)
			(void)pmon_stats_add(&stats, &raws[k]);
		explain_average(&stats, &e);
		T_EQ_STR_AT(what_of(&e, rows[i].name), rows[i].what, rows[i].name);
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
		struct pmon_calc calc = calc_of(rows[i].type);
		struct pmon_stats stats;

		pmon_stats_init(&stats, &calc);
		(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 1, .second = 2});
		(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 3, .second = 4});
		explain_average(&stats, &e);
		T_EQ_STR(e.steps[e.n_steps - 1].name, rows[i].name);
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
		cmocka_unit_test(test_what_operands_of_values_are),
		cmocka_unit_test(test_what_operands_of_averages_are),
		cmocka_unit_test(test_names_of_the_steps_of_means),
		cmocka_unit_test(test_notes_name_the_difference),
		cmocka_unit_test(test_average_of_every_type),
		cmocka_unit_test(test_steps_name_the_base),
		cmocka_unit_test(test_average_shows_ends_or_sums),
		cmocka_unit_test(test_elapsed_average_explains_its_sample),
		cmocka_unit_test(test_extreme_operands),
	};

	return cmocka_run_group_tests_name("core_explain", tests, NULL, NULL);
}
