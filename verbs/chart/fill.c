// fill.c - the second pass of a chart: the values of its series, column by column
// SPDX-License-Identifier: MIT
//
// chart_fill() reads the logs of one chart; a report fills its charts in a pass of its own.

#include <stdlib.h>

#include "verbs/chart/chart.h"
#include "verbs/chart/incident.h"
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

// Begin to fill the columns; the pass needs only the series of the figure.
int
chart_fill_begin(struct chart *chart, size_t columns, struct picked *picked)
{
	struct draw_figure *f = &chart->figure;
	const struct pmon_schema *schema = pmon_source_schema(chart->logs->source);
	struct pmon_envelope_options options = {.size = sizeof(options),
						.from = f->from,
						.to = f->to,
						.columns = columns,
						.want = is_chosen,
						.want_ctx = chart};
	struct pmon_err err;

	f->columns = columns;
	if (pmon_envelope_new(schema, &options, NULL, &chart->envelope, &err) != PMON_OK ||
	    pmon_envelope_new(schema, &options, NULL, &chart->sums, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	chart->stack = calloc(1, sizeof(*chart->stack));
	if (chart->stack == NULL)
		return say(EXIT_FAILED, "not enough memory");
	if (stack_begin(chart->stack, chart, picked) != EXIT_DONE)
		return EXIT_FAILED;
	for (size_t i = chart->n_stacked; i < f->n; i++)
		if (!picked_add(picked, chart->chosen[i]->id))
			return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

int
chart_fill_add(struct chart *chart, const struct pmon_sample *on_axis,
	       const struct pmon_value *values)
{
	struct pmon_err err;

	if (pmon_envelope_add(chart->envelope, on_axis, values, &err) != PMON_OK ||
	    (chart->n_stacked > 0 &&
	     stack_add(chart->stack, chart, on_axis, values, &err) != PMON_OK))
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

void
chart_fill_end(struct chart *chart)
{
	struct draw_figure *f = &chart->figure;

	if (chart->stack == NULL)
		return;
	stack_end(chart->stack, chart);
	free(chart->stack);
	chart->stack = NULL;
	for (size_t i = 0; i < f->n; i++)
		f->series[i].columns = pmon_envelope_at(
			i < chart->n_stacked ? chart->sums : chart->envelope, chart->chosen[i]->id);
}

// ---- One chart --------------------------------------------------------------------------------

static int
read_columns(struct chart *chart, struct picked *picked, struct pmon_statistics *statistics)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_paces paces = {.list = NULL};
	struct pmon_sample on_axis;
	struct pmon_sample before;
	struct pmon_err err;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && logs_next(chart->logs, &sample, &status)) {
		sample = picked_of(picked, sample);
		if (sample == NULL || !pmon_paces_axis(&paces, sample, &on_axis)) {
			status = say(EXIT_FAILED, "not enough memory");
			continue;
		}
		sample = incident_sample(chart, sample, on_axis.time, &before);
		if (sample == NULL)
			continue;
		on_axis.preceding = sample->preceding;
		if (pmon_statistics_add(statistics, sample, &values, &err) != PMON_OK)
			status = say(EXIT_FAILED, "%s", err.msg);
		else
			status = chart_fill_add(chart, &on_axis, values);
	}
	pmon_paces_free(&paces);
	return status;
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
	const struct pmon_schema *schema = pmon_source_schema(chart->logs->source);
	bool is_distribution = chart->figure.kind == DRAW_DISTRIBUTION;
	struct pmon_statistics *statistics = NULL;
	struct picked picked = PICKED;
	struct pmon_err err;
	int status = logs_rewind(chart->logs);

	notices_mute();
	if (status == EXIT_DONE &&
	    pmon_statistics_new(schema, &chart->args->calc, NULL, &statistics, &err) != PMON_OK)
		status = say(EXIT_FAILED, "%s", err.msg);
	if (status == EXIT_DONE && is_distribution)
		pmon_statistics_keep(statistics, PMON_KEEP_PERCENTILES);
	if (status == EXIT_DONE)
		status = chart_fill_begin(chart, columns, &picked);
	if (status == EXIT_DONE)
		status = read_columns(chart, &picked, statistics);
	if (status == EXIT_DONE && is_distribution)
		status = take_percentiles(chart, statistics);
	chart_fill_end(chart);
	pmon_statistics_free(statistics);
	picked_free(&picked);
	return status;
}
