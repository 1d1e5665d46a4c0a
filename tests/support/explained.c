// explained.c - parse and check explanations
// SPDX-License-Identifier: MIT

#include "explained.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "t.h"

// ---- Reading the texts -------------------------------------------------------------------------

// Formulas with numbers filled in: + - * /, parentheses, signed numbers.
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

double
t_evaluate(const char *text)
{
	double value = expression(&text);

	assert_int_equal(*text, '\0');
	return value;
}

// "newer - older = d" or "newer - older + 4294967296 = d", in integers.
static void
check_difference(const char *text)
{
	int64_t newer;
	int64_t older;
	uint64_t more = 0;
	char *end;

	newer = strtoll(text, &end, 10);
	assert_memory_equal(end, " - ", 3);
	older = strtoll(end + 3, &end, 10);
	if (end[1] == '+') {
		more = strtoull(end + 3, &end, 10);
		T_EQ_U64(more, UINT64_C(1) << 32);
	}
	assert_memory_equal(end, " = ", 3);
	assert_true(newer >= older || (uint64_t)older - (uint64_t)newer <= more);
	T_EQ_U64((uint64_t)newer - (uint64_t)older + more, strtoull(end + 3, &end, 10));
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
		return; // sums have their own tests
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
	assert_true(len < size - 1); // one byte less than full, so nothing was cut off
	for (size_t i = 0; i < len; i++)
		assert_true(isprint((unsigned char)text[i]));
	assert_null(strstr(text, "null"));
}

// ---- Explanations ------------------------------------------------------------------------------

// Checks that apply to every explanation.
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

void
t_explain(const struct pmon_calc *calc, const struct pmon_raw *older, const struct pmon_raw *newer,
	  struct pmon_explanation *e)
{
	struct pmon_value want = pmon_calc_value(calc, older, newer);

	memset(e, 0xA5, sizeof(*e));
	pmon_explain_value(calc, older, newer, e);
	same_value(&e->value, &want);
	check_whole(e);
}

void
t_explain_average(const struct pmon_stats *stats, struct pmon_explanation *e)
{
	struct pmon_value want = pmon_stats_average(stats);

	memset(e, 0xA5, sizeof(*e));
	pmon_explain_average(stats, e);
	same_value(&e->value, &want);
	check_whole(e);
}

const char *
t_operand(const struct pmon_explanation *e, const char *name)
{
	for (size_t i = 0; i < e->n_operands; i++)
		if (strcmp(e->operands[i].name, name) == 0)
			return e->operands[i].text;
	return NULL;
}

const char *
t_step_text(const struct pmon_explanation *e, const char *name)
{
	for (size_t i = 0; i < e->n_steps; i++)
		if (strcmp(e->steps[i].name, name) == 0)
			return e->steps[i].text;
	return NULL;
}

const char *
t_what_of(const struct pmon_explanation *e, const char *name)
{
	for (size_t i = 0; i < e->n_operands; i++)
		if (strcmp(e->operands[i].name, name) == 0)
			return e->operands[i].what;
	fail_msg("no operand \"%s\"", name);
	return "";
}

void
t_check_near(double got, double want, const char *label)
{
	if (!(fabs(got - want) <= fabs(want) * 8 * DBL_EPSILON))
		T_EQ_DBL_AT(got, want, label);
}

struct pmon_calc
t_calc_of(uint32_t type)
{
	struct pmon_counter counter = {.type = type, .time_base = 50};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, NULL);
	return calc;
}

// ---- Names -------------------------------------------------------------------------------------

// The next name in a text, "N1" or "dB" or "sum"; NULL at the end. English words are skipped
// because the names in formulas are not next to letters.
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

// Is the name an operand, or part of an operand that is a sum, such as N0 in "(Nx - N0)"?
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

// Was the name defined by an earlier step? "dN = N1 - N0" defines dN.
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

// The formula, the operands, the formula with numbers, and the steps must use the same names.
void
t_check_names(const struct pmon_explanation *e)
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
