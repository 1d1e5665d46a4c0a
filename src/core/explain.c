// explain.c - explain how a number was computed
// SPDX-License-Identifier: MIT
//
// An explanation runs the calculation itself with a recorder attached (formula.h), so it cannot
// differ from it.

#include <string.h>

#include "base/text.h"
#include "core/calc.h"
#include "core/sum.h"

static struct pmon_text
line_text(struct pmon_explain_line *line)
{
	return pmon_text_init(line->text, sizeof(line->text));
}

static struct pmon_explain_line *
new_line(struct pmon_explain_line *lines, size_t *n, const char *name, const char *what)
{
	struct pmon_explain_line *line;
	struct pmon_text t;

	if (*n == PMON_EXPLAIN_LINES)
		(*n)--; // cannot happen: no formula has that many
	line = &lines[(*n)++];
	t = pmon_text_init(line->name, sizeof(line->name));
	pmon_text_str(&t, name);
	line->what = what;
	return line;
}

static bool
is_word(char c)
{
	return strchr(" ()*/+-=", c) == NULL; // strchr() would find the NUL too
}

// Print the name of a step, using the names of this explanation's operands. formula.h uses the same
// names for all types: its dD is dB for a type that divides by a base, its B is the number of units
// in the newest sample, and the newest sample of an average is x, not 1.
static void
put_step_name(const struct pmon_explanation *out, struct pmon_text *t, const char *name)
{
	bool has_base = out->type->second == PMON_SECOND_BASE;
	bool has_units = pmon_formula_is_multi(out->type->formula);
	char newest = out->formula == out->type->average_text ? 'x' : '1';
	char before = ' ';

	for (; *name != '\0'; before = *name++) {
		bool whole = !is_word(before) && !is_word(name[1]);
		bool newer = !is_word(before) && name[1] == '1';

		if (name[0] == 'D' && before == 'd' && has_base) {
			pmon_text_char(t, 'B');
		} else if (name[0] == 'B' && whole && has_units) {
			pmon_text_char(t, 'B');
			pmon_text_char(t, newest);
		} else if (newer && (name[0] == 'N' || name[0] == 'D' || name[0] == 'B')) {
			pmon_text_char(t, *name++);
			pmon_text_char(t, newest);
		} else {
			pmon_text_char(t, *name);
		}
	}
}

static struct pmon_explain_line *
new_step(struct pmon_explanation *out, const char *name)
{
	struct pmon_explain_line *line = new_line(out->steps, &out->n_steps, "", "");
	struct pmon_text t = pmon_text_init(line->name, sizeof(line->name));

	put_step_name(out, &t, name);
	return line;
}

void
pmon_explain_step(struct pmon_explanation *record, const char *name, double a, char op, double b,
		  double result)
{
	struct pmon_explain_line *line = new_step(record, name);
	struct pmon_text t = line_text(line);

	pmon_text_double(&t, a);
	pmon_text_char(&t, ' ');
	if (op == '>')
		pmon_text_str(&t, "is above");
	else if (op == '^')
		pmon_text_str(&t, "* 10 ^");
	else
		pmon_text_char(&t, op);
	pmon_text_char(&t, ' ');
	pmon_text_double(&t, b);
	pmon_text_str(&t, " = ");
	pmon_text_double(&t, result);
}

// Add an operand: its name in the formula, its number, and what it is.
static void
bind(struct pmon_explanation *out, const char *name, int64_t value, const char *what)
{
	struct pmon_text t = line_text(new_line(out->operands, &out->n_operands, name, what));

	pmon_text_i64(&t, value);
}

static void
bind_double(struct pmon_explanation *out, const char *name, double value, const char *what)
{
	struct pmon_text t = line_text(new_line(out->operands, &out->n_operands, name, what));

	pmon_text_double(&t, value);
}

static const struct pmon_explain_line *
operand_at(const struct pmon_explanation *out, const char *text)
{
	for (size_t i = 0; i < out->n_operands; i++)
		if (strncmp(text, out->operands[i].name, strlen(out->operands[i].name)) == 0)
			return &out->operands[i];
	return NULL;
}

// Replace the names in the formula with the numbers of the operands.
static void
substitute(struct pmon_explanation *out)
{
	struct pmon_text t = pmon_text_init(out->with_operands, sizeof(out->with_operands));
	const char *formula = out->formula;

	while (*formula != '\0') {
		const struct pmon_explain_line *operand = operand_at(out, formula);

		if (operand != NULL) {
			pmon_text_str(&t, operand->text);
			formula += strlen(operand->name);
		} else {
			pmon_text_char(&t, *formula++);
		}
	}
}

static const char *
second_text(const struct pmon_counter_type *type)
{
	switch (type->second) {
	case PMON_SECOND_NONE:
		return "";
	case PMON_SECOND_PERFTIME:
		return "performance clock, in ticks";
	case PMON_SECOND_100NS:
		return "system clock, in 100 ns";
	case PMON_SECOND_OBJECT:
		return "the object's own clock";
	case PMON_SECOND_BASE:
		return type->base_name;
	case PMON_SECOND_TIMESTAMP:
		return "time stamp taken with the value";
	}
	return "";
}

// The names that a type's second raw value may have in its formula.
static const char *
second_name(const struct pmon_counter_type *type, char sample)
{
	bool base = type->second == PMON_SECOND_BASE;

	switch (sample) {
	case '0':
		return base ? "B0" : "D0";
	case '1':
		return base ? "B1" : "D1";
	default:
		return base ? "Bx" : "Dx";
	}
}

static bool
uses_second(const struct pmon_counter_type *type)
{
	return type->second != PMON_SECOND_NONE;
}

static void
bind_clock_and_units(const struct pmon_calc *calc, const struct pmon_raw *newest,
		     struct pmon_explanation *out, const char *units_name)
{
	if (pmon_formula_needs_time_base(calc->type->formula))
		bind(out, "F", calc->counter.time_base, "clock frequency, in ticks per second");
	if (pmon_formula_is_multi(calc->type->formula))
		bind(out, units_name, newest->multi, "number of units");
}

static void
bind_value(const struct pmon_calc *calc, const struct pmon_raw *older, const struct pmon_raw *newer,
	   struct pmon_explanation *out)
{
	const struct pmon_counter_type *type = calc->type;

	if (type->formula == PMON_FORMULA_DOUBLE)
		bind_double(out, "N1", pmon_raw_double(newer), type->numerator);
	else
		bind(out, "N1", newer->first, type->numerator);
	if (pmon_calc_needs_two(calc) && older != NULL)
		bind(out, "N0", older->first, "the same, one sample earlier");
	if (uses_second(type))
		bind(out, second_name(type, '1'), newer->second, second_text(type));
	if (uses_second(type) && pmon_calc_needs_two(calc) && older != NULL)
		bind(out, second_name(type, '0'), older->second, "the same, one sample earlier");
	bind_clock_and_units(calc, newer, out, "B1");
}

static void
difference_step(struct pmon_explanation *out, const char *name, int64_t newer, int64_t older,
		uint64_t result)
{
	struct pmon_explain_line *line = new_step(out, name);
	struct pmon_text t = line_text(line);

	pmon_text_i64(&t, newer);
	pmon_text_str(&t, " - ");
	pmon_text_i64(&t, older);
	if (newer < older) {
		pmon_text_str(&t, " + 4294967296");
		line->what = "counted across the wrap at 2^32";
	}
	pmon_text_str(&t, " = ");
	pmon_text_u64(&t, result);
}

void
pmon_explain_delta(struct pmon_explanation *record, const struct pmon_calc *calc,
		   const struct pmon_raw *older, const struct pmon_raw *newer,
		   const struct pmon_delta *delta)
{
	difference_step(record, "dN = N1 - N0", newer->first, older->first, delta->n);
	if (pmon_formula_divides(calc->type->formula))
		difference_step(record,
				calc->type->second == PMON_SECOND_BASE ? "dB = B1 - B0"
								       : "dD = D1 - D0",
				newer->second, older->second, delta->d);
}

void
pmon_explain_elapsed(struct pmon_explanation *record, const struct pmon_raw *raw, uint64_t elapsed)
{
	difference_step(record, "D1 - N1", raw->second, raw->first, elapsed);
}

double
pmon_explain_formula(enum pmon_formula formula, const struct pmon_operands *o,
		     struct pmon_explanation *record)
{
	return pmon_formula_apply(formula, o, record);
}

static void
begin_explanation(const struct pmon_calc *calc, struct pmon_explanation *out)
{
	*out = (struct pmon_explanation){.type = calc->type,
					 .word = calc->counter.type,
					 .unit = "",
					 .formula = "",
					 .source = ""};
	if (calc->type == NULL)
		return;
	out->unit = calc->type->unit;
	out->source = calc->type->source;
	out->note = calc->type->note;
}

void
pmon_explain_value(const struct pmon_calc *calc, const struct pmon_raw *older,
		   const struct pmon_raw *newer, struct pmon_explanation *out)
{
	struct pmon_delta delta;

	begin_explanation(calc, out);
	out->value = pmon_calc_value(calc, older, newer);
	out->status_text = pmon_vstat_text(out->value.status);
	if (pmon_calc_check(calc) != PMON_V_OK)
		return;
	out->formula = calc->type->formula_text;
	bind_value(calc, older, newer, out);
	if (out->value.status == PMON_V_BAD_RAW || out->value.status == PMON_V_FIRST ||
	    out->value.status == PMON_V_CHANGED || out->value.status == PMON_V_STEPPED)
		return;
	substitute(out);
	if (pmon_formula_is_single(calc->type->formula))
		(void)pmon_calc_one(calc, newer, out);
	else
		(void)pmon_calc_pair(calc, older, newer, &delta, out);
}

// Do the sums equal the differences between the end points? They do if nothing wrapped and each raw
// value, except the first and the bad ones, made a pair that is in the sums.
static bool
ends_tell_all(const struct pmon_stats *stats)
{
	return stats->has_head && !stats->wrapped &&
	       stats->pairs + 1 + stats->count[PMON_V_BAD_RAW] == pmon_stats_samples(stats);
}

static void
bind_pair_sums(const struct pmon_stats *stats, struct pmon_explanation *out)
{
	const struct pmon_counter_type *type = stats->calc.type;
	bool base = type->second == PMON_SECOND_BASE;

	if (ends_tell_all(stats)) {
		bind(out, "Nx", stats->tail.first, type->numerator);
		bind(out, "N0", stats->head.first, "the same in the first sample");
		if (uses_second(type)) {
			bind(out, second_name(type, 'x'), stats->tail.second, second_text(type));
			bind(out, second_name(type, '0'), stats->head.second,
			     "the same in the first sample");
		}
	} else {
		bind_double(out, "(Nx - N0)", pmon_sum_value(&stats->numerator, 0),
			    "sum of N1 - N0 over all valid pairs");
		if (uses_second(type))
			bind_double(out, base ? "(Bx - B0)" : "(Dx - D0)",
				    pmon_sum_value(&stats->denominator, 0),
				    "sum of the corresponding differences of the divisor");
	}
	bind_clock_and_units(&stats->calc, &stats->tail, out, "Bx");
}

static void
bind_average(const struct pmon_stats *stats, struct pmon_explanation *out)
{
	const struct pmon_counter_type *type = stats->calc.type;

	switch (type->formula) {
	case PMON_FORMULA_ELAPSED:
		bind(out, "Nx", stats->tail.first, type->numerator);
		bind(out, "Dx", stats->tail.second, second_text(type));
		bind_clock_and_units(&stats->calc, &stats->tail, out, "Bx");
		return;
	case PMON_FORMULA_COUNT:
		bind_double(out, "sum(N)", pmon_sum_value(&stats->numerator, 0),
			    "sum of the values");
		break;
	case PMON_FORMULA_FRACTION:
		bind_double(out, "sum(100 * (N / B))",
			    pmon_sum_value(&stats->numerator, PMON_SUM_FRACTION),
			    "sum of the values");
		break;
	case PMON_FORMULA_DOUBLE:
		bind_double(out, "sum(N)", pmon_sum_value(&stats->numerator, PMON_SUM_FRACTION),
			    "sum of the values");
		break;
	default:
		bind_pair_sums(stats, out);
		break;
	}
	if (!pmon_formula_divides(type->formula))
		bind(out, "x", (int64_t)stats->pairs,
		     type->formula == PMON_FORMULA_DELTA ? "number of intervals"
							 : "number of values");
}

static void
sums_step(const struct pmon_stats *stats, struct pmon_explanation *out, const char *name,
	  const struct pmon_sum *sum)
{
	struct pmon_explain_line *line = new_step(out, name);
	struct pmon_text t = line_text(line);

	pmon_text_str(&t, "sum over ");
	pmon_text_u64(&t, stats->pairs);
	pmon_text_str(&t, pmon_text_word(stats->pairs, " pair = ", " pairs = "));
	pmon_text_double(&t, pmon_sum_value(sum, 0));
}

void
pmon_explain_average(const struct pmon_stats *stats, struct pmon_explanation *out)
{
	const struct pmon_counter_type *type = stats->calc.type;

	begin_explanation(&stats->calc, out);
	out->value = pmon_stats_average(stats);
	out->status_text = pmon_vstat_text(out->value.status);
	if (pmon_calc_check(&stats->calc) != PMON_V_OK)
		return;
	out->formula = type->average_text;
	if (stats->pairs == 0)
		return;
	bind_average(stats, out);
	substitute(out);
	if (!pmon_formula_is_single(type->formula))
		sums_step(stats, out, "dN", &stats->numerator);
	if (pmon_formula_divides(type->formula))
		sums_step(stats, out, type->second == PMON_SECOND_BASE ? "dB" : "dD",
			  &stats->denominator);
	if (type->formula == PMON_FORMULA_ELAPSED)
		(void)pmon_calc_one(&stats->calc, &stats->tail, out);
	else
		(void)pmon_stats_average_recorded(stats, out);
}
