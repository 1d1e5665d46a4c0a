// first.c - pmon FILE: what a log is, what was wrong, the most important numbers, and where to go on
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>
#include <string.h>

#include "apps/first/first.h"
#include "cli/input/rules_file.h"
#include "cli/output/say.h"
#include "os/term.h"
#include "rules/disks.h"

#define LEAST_WIDTH 60
#define MOST_PICKED 512

// ---- Reading --------------------------------------------------------------------------------

static bool
add_need(void *select, struct pmon_span pattern, bool is_beside)
{
	(void)is_beside;
	return pmon_select_add(select, pattern, NULL) == PMON_OK;
}

// What the busiest processes and the latencies of text logs follow from.
static bool
add_sums(struct pmon_select *select)
{
	static const char *const sums[] = {"\\Process(*)\\% Processor Time", RULES_LATENCY_NEEDS};

	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
		if (!add_need(select, (struct pmon_span){sums[i], strlen(sums[i])}, false))
			return false;
	return true;
}

static bool
make_selects(struct first *f)
{
	return pmon_select_new(NULL, &f->sums, NULL) == PMON_OK &&
	       pmon_select_new(NULL, &f->shows, NULL) == PMON_OK && add_sums(f->sums) &&
	       add_sums(f->shows) && rules_needs(&f->judged.rules, add_need, f->shows) &&
	       pmon_identity_select(f->shows, NULL, &f->needs, NULL) == PMON_OK;
}

// Read the logs through a filter, and distinguish processes in what comes through.
static int
open_filter(void *ctx)
{
	struct first *f = ctx;
	struct logs *logs = &f->judged.logs;
	int status;

	if (!make_selects(f))
		return say(EXIT_FAILED, "not enough memory");
	f->filter = filter_open(logs->source, f->shows, f->needs, &f->judged.args.calc);
	logs->source = f->filter != NULL ? filter_source(f->filter) : NULL;
	if (f->filter == NULL)
		return say(EXIT_FAILED, "not enough memory");
	logs->hides = filter_hides;
	logs->hides_ctx = f->filter;
	status = logs_identify(logs);
	if (status == EXIT_DONE &&
	    pmon_statistics_new(pmon_source_schema(logs->source), &f->judged.args.calc, NULL,
				&f->judged.statistics, NULL) != PMON_OK)
		status = say(EXIT_FAILED, "not enough memory");
	return status;
}

// Pick the series that the overview may choose. It chooses the first ones of a log that has none.
static bool
pick_series(struct first *f, const struct pmon_series *series)
{
	struct pmon_choice choice;
	bool could = pmon_choose_could(pmon_series_english(series), &choice);

	if ((could || series->id < FIRST_SERIES) && !picked_add(&f->picked, series->id))
		return false;
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

static bool
begin(struct first *f, const struct pmon_schema *schema, pmon_time from)
{
	const struct pmon_envelope_options options = {.from = from,
						      .to = from + FIRST_COLUMNS,
						      .columns = FIRST_COLUMNS,
						      .max_series = MOST_PICKED,
						      .grows = true};

	if (pmon_envelope_new(schema, &options, NULL, &f->envelope, NULL) != PMON_OK ||
	    pmon_statistics_new(schema, &f->judged.args.calc, NULL, &f->spread, NULL) != PMON_OK)
		return false;
	pmon_statistics_keep(f->spread, PMON_KEEP_PERCENTILES);
	return true;
}

// Values come from f->spread: they are the same, and in the order of the sample that was picked.
static bool
add_sample(void *ctx, const struct pmon_sample *sample, const struct pmon_value *values)
{
	struct first *f = ctx;
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	const struct pmon_sample *summed;

	if (f->envelope == NULL && !begin(f, schema, sample->time))
		return false;
	if (!sample->lead_in)
		survey_add(&f->survey, sample);
	if (!pick(f, schema))
		return false;
	summed = picked_of(&f->summed, sample);
	sample = picked_of(&f->picked, sample);
	return summed != NULL &&
	       pmon_statistics_add(f->judged.statistics, summed, NULL, NULL) == PMON_OK &&
	       sample != NULL && pmon_statistics_add(f->spread, sample, &values, NULL) == PMON_OK &&
	       pmon_envelope_add(f->envelope, sample, values, NULL) == PMON_OK;
}

static int
read_log(struct first *f, const struct args *args)
{
	int status = rules_load(args, &f->judged.rules);

	f->judged.args = *args;
	f->judged.args.by = "process";
	f->judged.args.tells_processes = true;
	f->judged.args.identifies_later = true;
	f->judged.opened = open_filter;
	f->judged.only_values = true;
	f->picked = f->summed = PICKED;
	f->judged.each = add_sample;
	f->judged.ctx = f;
	if (status == EXIT_DONE)
		status = judged_read(&f->judged, false);
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
print(const struct first *f)
{
	bool good;

	first_facts(f);
	putchar('\n');
	first_findings(f);
	good = f->machines.n > 1 ? first_machines(f) : first_overview(f) && first_top(f);
	putchar('\n');
	first_commands(f);
	return good ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

int
first_run(const struct args *args)
{
	struct first *f = calloc(1, sizeof(*f));
	unsigned columns = pmon_term_columns();
	int status;

	if (f == NULL)
		return say(EXIT_FAILED, "not enough memory");
	f->width = columns == 0 || columns > FIRST_WIDTH ? FIRST_WIDTH : columns;
	f->width = f->width < LEAST_WIDTH ? LEAST_WIDTH : f->width;
	f->ascii = out_is_ascii();
	status = read_log(f, args);
	if (status == EXIT_DONE)
		status = print(f);
	if (status == EXIT_DONE)
		logs_say_need_two(filter_count_waiting(f->filter));
	pmon_envelope_free(f->envelope);
	pmon_statistics_free(f->spread);
	picked_free(&f->picked);
	picked_free(&f->summed);
	machines_free(&f->machines);
	status = judged_close(&f->judged, status);
	pmon_select_free(f->sums);
	pmon_select_free(f->shows);
	pmon_select_free(f->needs);
	free(f);
	return status;
}
