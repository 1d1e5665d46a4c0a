// fill.c - the second reading of a chart: the values of its series, column by column
// SPDX-License-Identifier: MIT

#include "apps/chart/chart.h"
#include "apps/chart/stack.h"
#include "cli/input/notices.h"
#include "cli/input/picked.h"
#include "cli/output/say.h"

// A pmon_want_fn: the series of the figure. Paths are those of the schema, so comparing addresses is enough.
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
	struct pmon_err err;
	int status = EXIT_DONE;

	while (logs_next(&chart->logs, &sample, &status)) {
		sample = picked_of(picked, sample);
		if (sample == NULL)
			return say(EXIT_FAILED, "not enough memory");
		if (pmon_statistics_add(statistics, sample, &values, &err) != PMON_OK ||
		    (chart->figure.kind == DRAW_STACKED
			     ? stack_add(stack, chart, sample, values, &err)
			     : pmon_envelope_add(chart->envelope, sample, values, &err)) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
	}
	return status;
}

// The series of the figure are the only ones of the second reading.
static int
pick_series(struct chart *chart, struct stack *stack, struct picked *picked)
{
	if (chart->figure.kind == DRAW_STACKED)
		return stack_begin(stack, chart, picked);
	for (size_t i = 0; i < chart->figure.n; i++)
		if (!picked_add(picked, chart->chosen[i]->id))
			return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

int
chart_fill(struct chart *chart, size_t columns)
{
	struct draw_figure *f = &chart->figure;
	struct pmon_envelope_options options = {.from = f->from,
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
	     pmon_statistics_new(schema, &chart->args.calc, NULL, &statistics, &err) != PMON_OK))
		status = say(EXIT_FAILED, "%s", err.msg);
	if (status == EXIT_DONE)
		status = pick_series(chart, &stack, &picked);
	if (status == EXIT_DONE)
		status = read_columns(chart, &stack, &picked, statistics);
	stack_end(&stack, chart);
	pmon_statistics_free(statistics);
	picked_free(&picked);
	f->columns = columns;
	for (size_t i = 0; status == EXIT_DONE && i < f->n; i++)
		f->series[i].columns = pmon_envelope_at(chart->envelope, chart->chosen[i]->id);
	return status;
}
