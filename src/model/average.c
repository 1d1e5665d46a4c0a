// average.c - the quality of a series' average, and the explanation for it
// SPDX-License-Identifier: MIT
//
// This is the only place that decides whether an average is the type's own. Logs of displayed
// values have no raw values; the mean of displayed values is the average for some types and not for
// others.

#include <pmon/model.h>

#include <stddef.h>

#include "base/text.h"

enum pmon_average_kind
pmon_series_average_kind(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);

	if (!series->formatted)
		return PMON_AVERAGE_TRUE;
	if (type == NULL)
		return PMON_AVERAGE_UNKNOWN;
	if (series->type_inferred)
		return PMON_AVERAGE_INFERRED;
	return pmon_type_mean_flaw(type) == NULL ? PMON_AVERAGE_TRUE : PMON_AVERAGE_MEAN;
}

enum pmon_average_kind
pmon_series_group_kind(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);

	if (series->formatted && type != NULL && !series->type_inferred &&
	    type->formula == PMON_FORMULA_FRACTION)
		return PMON_AVERAGE_MEAN;
	return pmon_series_average_kind(series);
}

const char *
pmon_average_kind_name(enum pmon_average_kind kind)
{
	static const char *const names[] = {[PMON_AVERAGE_TRUE] = "true",
					    [PMON_AVERAGE_MEAN] = "mean",
					    [PMON_AVERAGE_UNKNOWN] = "unknown",
					    [PMON_AVERAGE_INFERRED] = "inferred",
					    [PMON_AVERAGE_DERIVED] = "derived"};

	return names[kind];
}

const char *
pmon_average_kind_mark(enum pmon_average_kind kind)
{
	static const char *const marks[] = {[PMON_AVERAGE_TRUE] = "",
					    [PMON_AVERAGE_MEAN] = "~",
					    [PMON_AVERAGE_UNKNOWN] = "?",
					    [PMON_AVERAGE_INFERRED] = "?",
					    [PMON_AVERAGE_DERIVED] = "*"};

	return marks[kind];
}

#define MEAN       "This is the mean of displayed values: the log has no raw values of this counter. "
#define NO_AVERAGE MEAN "It is not the average of this type"

// What the mean of displayed values means for this type. The texts are static, because an
// explanation does not own texts.
static const char *
mean_note(const struct pmon_counter_type *type, bool inferred)
{
	if (type == NULL)
		return MEAN "The type of the counter is unknown, so this may not be its average.";
	if (inferred)
		return MEAN "The type of the counter is inferred from its name, so this may not be "
			    "its average.";
	if (pmon_type_mean_flaw(type) == NULL)
		return MEAN "It is the average of this type, which weights all samples equally.";
	if (type->formula == PMON_FORMULA_ELAPSED)
		return NO_AVERAGE ", which is the newest value.";
	if (type->second == PMON_SECOND_BASE)
		return NO_AVERAGE ": it weights all intervals equally, regardless of the number of "
				  "operations.";
	return NO_AVERAGE ": it weights all intervals equally, regardless of their length. If all "
			  "intervals have the same length, the two are equal.";
}

// The status of a mean of displayed values, which alone is not a good average.
static const char *
mean_status(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);

	if (type == NULL || series->type_inferred)
		return "the mean of displayed values, which may not be the average";
	return pmon_type_mean_flaw(type) == NULL
		       ? "the mean of displayed values, which is the average of this type"
		       : "the mean of displayed values, not the average of this type";
}

// Turn the explanation of a plain number into that of a displayed value.
static void
name_type(const struct pmon_series *series, struct pmon_explanation *out)
{
	out->is_displayed = true;
	out->type = pmon_series_type(series);
	out->word = series->type_known ? series->known_type : 0;
	out->source = "the log, which has displayed values but no raw values";
	out->note = NULL;
}

static void
rename_operand(struct pmon_explain_line *line, const char *name, const char *what)
{
	struct pmon_text t = pmon_text_init(line->name, sizeof(line->name));

	pmon_text_str(&t, name);
	line->what = what;
}

void
pmon_series_explain_value(const struct pmon_series *series, const struct pmon_calc *calc,
			  const struct pmon_raw *older, const struct pmon_raw *newer,
			  struct pmon_explanation *out)
{
	pmon_explain_value(calc, older, newer, out);
	if (series != NULL)
		out->unit = pmon_series_unit(series);
	if (series == NULL || !series->formatted)
		return;
	name_type(series, out);
	out->formula = "displayed value";
	if (out->value.status == PMON_V_BAD_RAW)
		out->n_operands = 0;
	for (size_t i = 0; i < out->n_operands; i++)
		rename_operand(&out->operands[i], "displayed value", "as in the log");
}

void
pmon_series_explain_average(const struct pmon_series *series, const struct pmon_stats *stats,
			    struct pmon_explanation *out)
{
	struct pmon_text t;

	pmon_explain_average(stats, out);
	if (series != NULL)
		out->unit = pmon_series_unit(series);
	if (series == NULL || !series->formatted)
		return;
	name_type(series, out);
	out->note = mean_note(out->type, series->type_inferred);
	if (out->value.status == PMON_V_OK)
		out->status_text = mean_status(series);
	out->formula = "sum(displayed values) / x";
	if (out->n_operands != 2)
		return;
	rename_operand(&out->operands[0], "sum(displayed values)", "sum of the displayed values");
	rename_operand(&out->operands[1], "x", "number of displayed values");
	t = pmon_text_init(out->with_operands, sizeof(out->with_operands));
	pmon_text_str(&t, out->operands[0].text);
	pmon_text_str(&t, " / ");
	pmon_text_str(&t, out->operands[1].text);
}
