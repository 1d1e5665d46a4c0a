// first.c - pmon FILE: what a log is, what was wrong, the most important numbers, and what to do
// next
// SPDX-License-Identifier: MIT

#include "verbs/first/first.h"

#include <stdlib.h>
#include <string.h>

#include "query/rates.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/rules_file.h"
#include "shell/output/say.h"
#include "shell/output/screen.h"
#include "verbs/run.h"

#define LEAST_WIDTH    60
#define MOST_PICKED    512
#define MOST_UNSETTLED 128 // series that are picked before it is known whether others can be chosen
#define KNOWN          64  // samples after which it is known which counters have values
#define MOST_QUESTIONS 16
#define MOST_ORDERS    32

// ---- Reading --------------------------------------------------------------------------------

static bool
add_need(void *select, struct pmon_span pattern, bool is_beside)
{
	(void)is_beside;
	return pmon_select_add(select, pattern, NULL) == PMON_OK;
}

// Add the counters from which the busiest processes and the latencies of text logs are computed.
static bool
add_sums(struct pmon_select *select)
{
	const char *const *need = pmon_latency_needs;
	bool good = add_need(select, PMON_SPAN("\\Process(*)\\% Processor Time"), false);

	for (; good && *need != NULL; need++)
		good = add_need(select, (struct pmon_span){*need, strlen(*need)}, false);
	return good;
}

static bool
make_selects(struct first *f)
{
	return pmon_select_new(NULL, &f->sums, NULL) == PMON_OK &&
	       pmon_select_new(NULL, &f->shows, NULL) == PMON_OK && add_sums(f->sums) &&
	       add_sums(f->shows) && rules_needs(&f->judged.rules, add_need, f->shows) &&
	       pmon_identity_select(f->shows, NULL, &f->needs, NULL) == PMON_OK;
}

// Read the logs through a filter, and distinguish processes in its output.
static int
open_filter(void *ctx)
{
	struct first *f = ctx;
	struct logs *logs = &f->judged.logs;
	int status;

	if (!make_selects(f) || !tracks_begin(&f->judged.incidents.tracks))
		return say(EXIT_FAILED, "not enough memory");
	f->filter = filter_open(logs->source, f->shows, f->needs, &f->judged.incidents.tracks,
				&f->judged.args->calc);
	logs->source = f->filter != NULL ? filter_source(f->filter) : NULL;
	if (f->filter == NULL)
		return say(EXIT_FAILED, "not enough memory");
	status = logs_identify_shown(logs, filter_hides, f->filter);
	if (status == EXIT_DONE &&
	    pmon_statistics_new(pmon_source_schema(logs->source), &f->judged.args->calc, NULL,
				&f->judged.statistics, NULL) != PMON_OK)
		status = say(EXIT_FAILED, "not enough memory");
	return status;
}

// Pick the series that the overview may choose. While none of those has a value it may have to choose from all.
static bool
pick_series(struct first *f, const struct pmon_series *series)
{
	struct pmon_choice choice;
	bool could = pmon_choose_could(pmon_series_english(series), &choice) ||
		     (!f->is_settled && series->id < MOST_UNSETTLED);

	if (could && !picked_add(&f->picked, series->id))
		return false;
	if (!could)
		picked_drop(&f->picked, series->id);
	if ((!f->is_settled && series->id < MOST_PICKED) || could ||
	    pmon_select_shows(f->sums, series))
		return picked_add(&f->summed, series->id);
	picked_drop(&f->summed, series->id);
	return true;
}

static bool
pick(struct first *f, const struct pmon_schema *schema)
{
	if (f->is_settled != filter_is_settled(f->filter)) {
		f->is_settled = true;
		f->seen = 0;
	}
	for (; f->seen < pmon_schema_count(schema); f->seen++)
		if (!pick_series(f, pmon_schema_at(schema, f->seen)))
			return false;
	return true;
}

// How many series have values that answer a question in the same order.
static void
count_answers(const struct first *f, const struct pmon_schema *schema,
	      size_t n[MOST_QUESTIONS][MOST_ORDERS])
{
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_stats *stats = pmon_statistics_at(f->spread, i);
		struct pmon_choice choice;

		if (stats != NULL &&
		    pmon_choose_could(pmon_series_english(pmon_schema_at(schema, i)), &choice) &&
		    choice.question < MOST_QUESTIONS && choice.order < MOST_ORDERS)
			n[choice.question][choice.order] +=
				pmon_vstat_has_value(stats->minimum.status) &&
				pmon_vstat_has_value(pmon_stats_average(stats).status);
	}
}

// Is there a better answer, whatever the values to come are? One that has two instances answers each question.
static bool
has_better(size_t n[MOST_QUESTIONS][MOST_ORDERS], const struct pmon_choice *choice)
{
	if (choice->question >= MOST_QUESTIONS)
		return false;
	for (size_t order = 0; order < choice->order && order < MOST_ORDERS; order++)
		if (n[choice->question][order] >= 2)
			return true;
	return false;
}

// No longer compute percentiles of what can no longer be chosen.
static void
drop_picks(struct first *f, const struct pmon_schema *schema)
{
	size_t n[MOST_QUESTIONS][MOST_ORDERS] = {{0}};

	count_answers(f, schema, n);
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		struct pmon_choice choice;

		if (!pmon_choose_could(pmon_series_english(pmon_schema_at(schema, i)), &choice) ||
		    !has_better(n, &choice))
			continue;
		picked_drop(&f->picked, (uint32_t)i);
		pmon_statistics_forget(f->spread, i);
	}
}

static bool
begin_statistics(struct first *f, const struct pmon_schema *schema, pmon_time from)
{
	const struct pmon_envelope_options options = {.size = sizeof(options),
						      .from = from,
						      .to = from + FIRST_COLUMNS,
						      .columns = FIRST_COLUMNS,
						      .max_series = MOST_PICKED,
						      .grows = true};

	if (pmon_envelope_new(schema, &options, NULL, &f->envelope, NULL) != PMON_OK ||
	    pmon_statistics_new(schema, &f->judged.args->calc, NULL, &f->spread, NULL) != PMON_OK)
		return false;
	pmon_statistics_keep(f->spread, PMON_KEEP_PERCENTILES);
	return true;
}

// Values come from f->spread: they are the same, and in the order of the picked sample.
static bool
add_sample(void *ctx, const struct pmon_sample *sample, const struct pmon_value *values)
{
	struct first *f = ctx;
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	const struct pmon_sample *summed;
	struct pmon_sample on_axis;

	if (f->envelope == NULL && !begin_statistics(f, schema, sample->time))
		return false;
	if (!sample->preceding)
		survey_add(&f->survey, sample);
	if (!pick(f, schema))
		return false;
	if (f->survey.samples == KNOWN && !sample->preceding)
		drop_picks(f, schema);
	summed = picked_of(&f->summed, sample);
	sample = picked_of(&f->picked, sample);
	return summed != NULL &&
	       pmon_statistics_add(f->judged.statistics, summed, NULL, NULL) == PMON_OK &&
	       sample != NULL && pmon_statistics_add(f->spread, sample, &values, NULL) == PMON_OK &&
	       pmon_paces_axis(&f->paces, sample, &on_axis) &&
	       pmon_envelope_add(f->envelope, &on_axis, values, NULL) == PMON_OK;
}

static int
read_log(struct first *f, const struct args *args)
{
	int status = rules_load(args, &f->judged.rules);

	f->judged.args = args;
	f->judged.request = request_from(args);
	f->judged.request.by_process = f->judged.request.tells_processes = true;
	f->judged.request.identifies_later = true;
	f->judged.opened = open_filter;
	f->judged.only_values = f->judged.finds_incidents = true;
	f->picked = f->summed = PICKED;
	f->judged.each = add_sample;
	f->judged.ctx = f;
	if (status == EXIT_DONE)
		status = judged_read(&f->judged, args->format == OUT_JSON);
	if (status == EXIT_DONE)
		status = judged_rank(&f->judged);
	survey_finish(&f->survey);
	if (status == EXIT_DONE &&
	    !machines_find(pmon_source_schema(f->judged.logs.source), &f->machines))
		status = say(EXIT_FAILED, "not enough memory");
	return status;
}

// ---- The screen -----------------------------------------------------------------------------

static int
print_screen(const struct first *f)
{
	bool good;

	if (f->judged.args->format == OUT_JSON)
		return first_json(f);
	if (f->markdown)
		return first_markdown(f);

	first_facts(f);
	putchar('\n');
	first_findings(f);
	if (f->machines.n <= 1)
		first_overview(f);
	good = f->machines.n > 1 ? first_machines(f) : first_top(f);
	putchar('\n');
	first_commands(f);
	return good ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

static int
check_args(const struct args *args)
{
	if (args->format == OUT_CSV)
		return say(EXIT_USAGE,
			   "the first screen is not a table: use --format text, json or "
			   "markdown, or pmon health and pmon stats with --format csv");
	return EXIT_DONE;
}

static int
show(const struct args *args)
{
	struct first *f = calloc(1, sizeof(*f));
	unsigned columns = screen_columns();
	int status;

	if (f == NULL)
		return say(EXIT_FAILED, "not enough memory");
	f->markdown = args->format == OUT_MARKDOWN;
	f->width = columns == 0 || columns > FIRST_WIDTH ? FIRST_WIDTH : columns;
	f->width = f->width < LEAST_WIDTH ? LEAST_WIDTH : f->width;
	f->ascii = out_is_ascii();
	status = read_log(f, args);
	if (status == EXIT_DONE)
		status = print_screen(f);
	if (status == EXIT_DONE)
		logs_say_need_two(filter_count_waiting(f->filter));
	pmon_envelope_free(f->envelope);
	pmon_paces_free(&f->paces);
	pmon_statistics_free(f->spread);
	picked_free(&f->picked);
	picked_free(&f->summed);
	machines_free(&f->machines);
	status = judged_close(&f->judged, judged_fail(&f->judged, status));
	pmon_select_free(f->sums);
	pmon_select_free(f->shows);
	pmon_select_free(f->needs);
	free(f);
	return status;
}

static int
first_run(const struct args *args)
{
	int status = check_args(args);

	return status == EXIT_DONE ? show(args) : status;
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_tz),         GROUP(options_any_format),
	GROUP(options_fail_on),    GROUP(options_digits),
	GROUP(options_read),       GROUP(options_color),
	GROUP(options_pager),      GROUP(options_verbose),
	GROUP(options_no_sandbox), OPTION_END,
};

// It has no verb on the command line.
const struct verb verb_file = {
	.name = "FILE",
	.operands = "FILE...",
	.summary = "what a log contains and what was wrong",
	.details = "",
	.options = options,
	.run = first_run,
	.traits = VERB_BY_PROCESS,
	.series_bytes = 2560,
};
