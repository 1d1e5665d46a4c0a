// stack.c - the running sums of a stack, and the sum of its small parts
// SPDX-License-Identifier: MIT

#include "verbs/chart/stack.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "shell/output/say.h"
#include "draw/colour.h"

#define GROUPS (DRAW_SERIES / 2) // counters, each of which needs at least one part and a rest

// The series of one counter, the largest first.
struct group {
	const struct pmon_series *first;
	size_t n;
	size_t own;  // parts that are drawn individually
	size_t rest; // the series of the figure that sums the rest; valid if there is a rest
};

static struct group *
group_of(struct group *groups, size_t *n, const struct pmon_series *series)
{
	for (size_t i = 0; i < *n; i++)
		if (pmon_text_same(groups[i].first->path.object, series->path.object) &&
		    pmon_text_same(groups[i].first->path.counter, series->path.counter))
			return &groups[i];
	if (*n == GROUPS)
		return NULL;
	groups[*n] = (struct group){.first = series};
	return &groups[(*n)++];
}

// The series of the figure that contains a part.
static size_t
slot_of(struct chart *chart, struct group *group, size_t own, const struct pmon_series *series)
{
	struct draw_figure *f = &chart->figure;

	if (group->own < own || group->own == group->n) {
		group->own++;
	} else if (group->rest < f->n && group->own == own + 1) {
		chart->rest[group->rest]++;
		return group->rest;
	} else {
		group->own++;
		group->rest = f->n;
		chart->rest[f->n] = 1;
	}
	chart->chosen[f->n] = series;
	return f->n++;
}

int
stack_choose(struct chart *chart, const struct pmon_series *const *list, size_t n)
{
	struct group groups[GROUPS];
	size_t n_groups = 0;
	size_t own;

	chart->parts = calloc(n + 1, sizeof(*chart->parts));
	if (chart->parts == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < n; i++) {
		struct group *group = group_of(groups, &n_groups, list[i]);

		if (group != NULL)
			group->n++;
	}
	own = n_groups > 0 ? 2 * DRAW_PALETTE / n_groups : 0;
	own = own < 1 ? 1 : own > DRAW_PALETTE ? DRAW_PALETTE : own;
	for (size_t i = 0; i < n; i++) {
		struct group *group = group_of(groups, &n_groups, list[i]);

		if (group != NULL)
			chart->parts[chart->n_parts++] = (struct chart_part){
				list[i]->id, slot_of(chart, group, own, list[i])};
	}
	if (chart->n_parts < n)
		say(0, "%zu counters match; drawing %zu of them (use -c to choose)", n,
		    chart->n_parts);
	chart->n_stacked = chart->figure.n;
	return EXIT_DONE;
}

// ---- Sums -----------------------------------------------------------------------------------

int
stack_begin(struct stack *stack, struct chart *chart, struct picked *picked)
{
	*stack = (struct stack){.by_series = BY_SERIES_OF(struct stack_part)};
	for (size_t i = 0; i < chart->n_parts; i++) {
		struct stack_part *part = by_series_get(&stack->by_series, chart->parts[i].id);

		if (part == NULL || !picked_add(picked, chart->parts[i].id))
			return say(EXIT_FAILED, "not enough memory");
		*part = (struct stack_part){.slot = chart->parts[i].slot, .counts = true};
	}
	for (size_t i = 0; i < chart->n_stacked; i++)
		stack->ids[i] = chart->chosen[i]->id;
	return EXIT_DONE;
}

static void
take_values(struct stack *stack, const struct chart *chart, const struct pmon_sample *sample,
	    const struct pmon_value *values)
{
	for (size_t i = 0; i < chart->n_parts; i++) {
		struct stack_part *part = by_series_find(&stack->by_series, chart->parts[i].id);

		if (part->stream == sample->stream)
			part->here = false;
	}
	for (size_t j = 0; j < sample->n; j++) {
		struct stack_part *part = by_series_find(&stack->by_series, sample->series[j]);

		if (part == NULL || !part->counts)
			continue;
		part->newest = values[j].value * chart->series[part->slot].unit.factor;
		part->stream = sample->stream;
		part->here = pmon_vstat_has_value(values[j].status);
	}
}

static void
add_total(struct stack_total *total, double value)
{
	total->least = total->n == 0 ? value : fmin(total->least, value);
	total->largest = total->n == 0 ? value : fmax(total->largest, value);
	total->last = value;
	total->sum += value;
	total->n++;
}

// Add up each panel, from its first series up. If none of them has a value, there is no sum.
static void
sum_up(struct stack *stack, const struct chart *chart)
{
	double sum[DRAW_PANELS] = {0};
	bool any[DRAW_PANELS] = {false};
	double own[DRAW_SERIES] = {0};
	bool here[DRAW_SERIES] = {false};

	for (size_t i = 0; i < chart->n_parts; i++) {
		const struct stack_part *part =
			by_series_find(&stack->by_series, chart->parts[i].id);

		if (!part->here)
			continue;
		own[part->slot] += part->newest;
		here[part->slot] = true;
		any[chart->series[part->slot].panel] = true;
	}
	for (size_t i = 0; i < chart->n_stacked; i++) {
		size_t panel = chart->series[i].panel;

		if (here[i])
			add_total(&stack->totals[i], own[i]);
		sum[panel] += own[i];
		stack->sums[i] = (struct pmon_value){
			.value = sum[panel], .status = any[panel] ? PMON_V_OK : PMON_V_FIRST};
	}
}

enum pmon_status
stack_add(struct stack *stack, struct chart *chart, const struct pmon_sample *sample,
	  const struct pmon_value *values, struct pmon_err *err)
{
	uint64_t ordinal = stack->sample.ordinal + 1;

	take_values(stack, chart, sample, values);
	sum_up(stack, chart);
	stack->sample = *sample;
	stack->sample.ordinal = ordinal;
	stack->sample.stream = 0;
	stack->sample.n = chart->n_stacked;
	stack->sample.series = stack->ids;
	return pmon_envelope_add(chart->sums, &stack->sample, stack->sums, err);
}

void
stack_end(struct stack *stack, struct chart *chart)
{
	for (size_t i = 0; i < chart->n_stacked; i++) {
		const struct stack_total *total = &stack->totals[i];
		struct draw_series *s = &chart->series[i];
		double factor = s->unit.factor;

		if (chart->rest[i] < 2 || total->n == 0)
			continue;
		s->last = (struct pmon_value){.value = total->last / factor};
		s->minimum = (struct pmon_value){.value = total->least / factor};
		s->maximum = (struct pmon_value){.value = total->largest / factor};
		s->average = (struct pmon_value){.value = total->sum / (double)total->n / factor};
		if (s->average_mark[0] == '\0')
			s->average_mark = pmon_average_kind_mark(PMON_AVERAGE_MEAN);
	}
	by_series_free(&stack->by_series);
}
