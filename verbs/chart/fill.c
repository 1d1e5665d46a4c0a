// fill.c - the second pass of a chart: the values of its series, column by column
// SPDX-License-Identifier: MIT

#include <stdlib.h>

#include "verbs/chart/chart.h"
#include "verbs/chart/stack.h"
#include "shell/input/notices.h"
#include "shell/input/picked.h"
#include "shell/output/say.h"
#include "model/pace.h"

// A pmon_want_fn for the series of the figure. Paths belong to the schema, so comparing addresses
// is enough.
static bool
is_chosen(void *ctx, const struct pmon_path *path)
{
	const struct chart *chart = ctx;

	for (size_t i = 0; i < chart->figure.n; i++)
		if (path == &chart->chosen[i]->path)
			return true;
	return false;
}

static int
read_columns(struct chart *chart, struct stack *stack, struct picked *picked,
	     struct pmon_statistics *statistics)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_paces paces = {.list = NULL};
	struct pmon_sample on_axis;
	struct pmon_err err;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && logs_next(&chart->logs, &sample, &status)) {
		sample = picked_of(picked, sample);
		if (sample == NULL || !pmon_paces_axis(&paces, sample, &on_axis))
			status = say(EXIT_FAILED, "not enough memory");
		else if (pmon_statistics_add(statistics, sample, &values, &err) != PMON_OK ||
			 pmon_envelope_add(chart->envelope, &on_axis, values, &err) != PMON_OK ||
			 (chart->n_stacked > 0 &&
			  stack_add(stack, chart, &on_axis, values, &err) != PMON_OK))
			status = say(EXIT_FAILED, "%s", err.msg);
	}
	pmon_paces_free(&paces);
	return status;
}

// Restrict the second pass to the series of the figure.
static int
pick_series(struct chart *chart, struct stack *stack, struct picked *picked)
{
	int status = stack_begin(stack, chart, picked);

	if (status != EXIT_DONE)
		return status;
	for (size_t i = chart->n_stacked; i < chart->figure.n; i++)
		if (!picked_add(picked, chart->chosen[i]->id))
			return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

// The shape of a distribution, after reading.
static int
take_percentiles(struct chart *chart, const struct pmon_statistics *statistics)
{
	chart->percentiles = calloc(chart->figure.n, sizeof(*chart->percentiles));
	if (chart->percentiles == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < chart->figure.n; i++) {
		struct pmon_value value = {.status = PMON_V_OK};

		for (int p = 0; p < DRAW_PERCENTILES && pmon_vstat_has_value(value.status); p++) {
			value = pmon_statistics_percentile(statistics, chart->chosen[i]->id, p);
			chart->percentiles[i][p] = value.value;
		}
		if (pmon_vstat_has_value(value.status))
			chart->series[i].percentiles = chart->percentiles[i];
	}
	return EXIT_DONE;
}

int
chart_fill(struct chart *chart, size_t columns)
{
	struct draw_figure *f = &chart->figure;
	struct pmon_envelope_options options = {.size = sizeof(options),
						.from = f->from,
						.to = f->to,
						.columns = columns,
						.want = is_chosen,
						.want_ctx = chart};
	const struct pmon_schema *schema = pmon_source_schema(chart->logs.source);
	struct pmon_statistics *statistics = NULL;
	struct stack stack = {.sample.n = 0};
	struct picked picked = PICKED;
	struct pmon_err err;
	int status = logs_rewind(&chart->logs);

	notices_mute();
	if (status == EXIT_DONE &&
	    (pmon_envelope_new(schema, &options, NULL, &chart->envelope, &err) != PMON_OK ||
	     pmon_envelope_new(schema, &options, NULL, &chart->sums, &err) != PMON_OK ||
	     pmon_statistics_new(schema, &chart->args->calc, NULL, &statistics, &err) != PMON_OK))
		status = say(EXIT_FAILED, "%s", err.msg);
	if (status == EXIT_DONE && f->kind == DRAW_DISTRIBUTION)
		pmon_statistics_keep(statistics, PMON_KEEP_PERCENTILES);
	if (status == EXIT_DONE)
		status = pick_series(chart, &stack, &picked);
	if (status == EXIT_DONE)
		status = read_columns(chart, &stack, &picked, statistics);
	if (status == EXIT_DONE && f->kind == DRAW_DISTRIBUTION)
		status = take_percentiles(chart, statistics);
	stack_end(&stack, chart);
	pmon_statistics_free(statistics);
	picked_free(&picked);
	f->columns = columns;
	for (size_t i = 0; status == EXIT_DONE && i < f->n; i++)
		f->series[i].columns = pmon_envelope_at(
			i < chart->n_stacked ? chart->sums : chart->envelope, chart->chosen[i]->id);
	return status;
}
