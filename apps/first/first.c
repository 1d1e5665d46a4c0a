// first.c - pmon FILE: what a log is, what was wrong, the most important numbers, and where to go on
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>

#include "apps/first/first.h"
#include "cli/input/rules_file.h"
#include "cli/output/say.h"
#include "os/term.h"

#define LEAST_WIDTH 60

// ---- Reading --------------------------------------------------------------------------------

// A pmon_want_fn: the series that the overview may choose. It chooses the first ones of a log that has none.
static bool
is_wanted(void *ctx, const struct pmon_path *path)
{
	struct first *f = ctx;
	struct pmon_choice choice;

	return f->asked++ < FIRST_SERIES || pmon_choose_could(path, &choice);
}

static bool
begin_envelope(struct first *f, pmon_time from)
{
	const struct pmon_envelope_options options = {.from = from,
						      .to = from + FIRST_COLUMNS,
						      .columns = FIRST_COLUMNS,
						      .max_series = 512,
						      .want = is_wanted,
						      .want_ctx = f,
						      .grows = true};

	return pmon_envelope_new(pmon_source_schema(f->judged.logs.source), &options, NULL,
				 &f->envelope, NULL) == PMON_OK;
}

static bool
add_sample(void *ctx, const struct pmon_sample *sample, const struct pmon_value *values)
{
	struct first *f = ctx;

	if (sample->lead_in)
		return true;
	survey_add(&f->survey, sample);
	if (f->envelope == NULL && !begin_envelope(f, sample->time))
		return false;
	return pmon_envelope_add(f->envelope, sample, values, NULL) == PMON_OK;
}

static int
read_log(struct first *f, const struct args *args)
{
	int status = rules_load(args, &f->judged.rules);

	f->judged.args = *args;
	f->judged.args.by = "process";
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
	machines_free(&f->machines);
	status = judged_close(&f->judged, status);
	free(f);
	return status;
}
