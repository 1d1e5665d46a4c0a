// average.c - what the average of a series is worth, and why
// SPDX-License-Identifier: MIT
//
// The one place that decides whether an average is the type's own. Logs of displayed values hold no raw
// values; the mean of what was displayed is the average of some types and not of others.

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
					    [PMON_AVERAGE_INFERRED] = "inferred"};

	return names[kind];
}

const char *
pmon_average_kind_mark(enum pmon_average_kind kind)
{
	return kind == PMON_AVERAGE_TRUE ? "" : kind == PMON_AVERAGE_MEAN ? "~" : "?";
}

#define MEAN       "This is the mean of displayed values: the log holds no raw values of this counter. "
#define NO_AVERAGE MEAN "It is not the average of this type"

// What the mean of displayed values is worth. The texts are whole and static: an explanation owns none.
static const char *
mean_note(const struct pmon_counter_type *type, bool inferred)
{
	if (type == NULL)
		return MEAN
			"The type of the counter is not known, so neither is whether this is its "
			"average.";
	if (inferred)
		return MEAN "The type of the counter is inferred from its name, so whether this "
			    "is its average is not certain.";
	if (pmon_type_mean_flaw(type) == NULL)
		return MEAN "It is the average of this type, which counts every sample alike.";
	if (type->formula == PMON_FORMULA_ELAPSED)
		return NO_AVERAGE ", which is the newest value.";
	if (type->second == PMON_SECOND_BASE)
		return NO_AVERAGE ": it counts every interval alike, however much happened in it.";
	return NO_AVERAGE ": it counts every interval alike, however long it was. Where all "
			  "intervals are equally long the two agree.";
}

// The explanation of the number as such becomes that of a displayed value.
static void
name_type(const struct pmon_series *series, struct pmon_explanation *out)
{
	out->is_displayed = true;
	out->type = pmon_series_type(series);
	out->word = series->type_known ? series->known_type : 0;
	out->unit = out->type != NULL ? out->type->unit : "";
	out->source = "the log, which holds displayed values and no raw values";
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
	if (series == NULL || !series->formatted)
		return;
	name_type(series, out);
	out->formula = "displayed value";
	if (out->value.status == PMON_V_BAD_RAW)
		out->n_operands = 0;
	for (size_t i = 0; i < out->n_operands; i++)
		rename_operand(&out->operands[i], "displayed value", "as the log holds it");
}

void
pmon_series_explain_average(const struct pmon_series *series, const struct pmon_stats *stats,
			    struct pmon_explanation *out)
{
	struct pmon_text t;

	pmon_explain_average(stats, out);
	if (series == NULL || !series->formatted)
		return;
	name_type(series, out);
	out->note = mean_note(out->type, series->type_inferred);
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
