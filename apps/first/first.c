// first.c - pmon FILE: what a log is, what was wrong, the most important numbers, and where to go on
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>

#include "apps/first/first.h"
#include "cli/input/rules_file.h"
#include "cli/output/say.h"
#include "os/term.h"

#define LEAST_WIDTH 60
#define MOST_PICKED 512

// ---- Reading --------------------------------------------------------------------------------

// Pick the series that the overview may choose. It chooses the first ones of a log that has none.
static bool
pick(struct first *f, const struct pmon_schema *schema)
{
	struct pmon_choice choice;

	for (; f->seen < pmon_schema_count(schema); f->seen++) {
		const struct pmon_series *series = pmon_schema_at(schema, f->seen);

		if ((f->seen < FIRST_SERIES ||
		     pmon_choose_could(pmon_series_english(series), &choice)) &&
		    !picked_add(&f->picked, series->id))
			return false;
	}
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

	if (f->envelope == NULL && !begin(f, schema, sample->time))
		return false;
	if (!sample->lead_in)
		survey_add(&f->survey, sample);
	if (!pick(f, schema))
		return false;
	sample = picked_of(&f->picked, sample);
	return sample != NULL && pmon_statistics_add(f->spread, sample, &values, NULL) == PMON_OK &&
	       pmon_envelope_add(f->envelope, sample, values, NULL) == PMON_OK;
}

static int
read_log(struct first *f, const struct args *args)
{
	int status = rules_load(args, &f->judged.rules);

	f->judged.args = *args;
	f->judged.args.by = "process";
	f->judged.args.tells_processes = true;
	f->picked = PICKED;
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
		logs_say_one_sample(&f->judged.logs, f->judged.statistics);
	pmon_envelope_free(f->envelope);
	pmon_statistics_free(f->spread);
	picked_free(&f->picked);
	machines_free(&f->machines);
	status = judged_close(&f->judged, status);
	free(f);
	return status;
}
