// rollup.c - pmon rollup: compute sums of whole hours in an engine
// SPDX-License-Identifier: MIT

#include <string.h>

#include <pmon/push.h>

#include "base/text.h"
#include "base/time.h"
#include "draw/label.h"
#include "os/clock.h"
#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/output/number.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/process/signals.h"
#include "verbs/push/engine.h"

// Options of pmon rollup only.
struct rollup_options {
	const char *begin;
	const char *end;
	bool again;
	bool dry_run;
	bool verbose;
};

struct rollup {
	const struct args *args;
	struct pmon_push_options options;
	struct pmon_rollup_options hours;
	struct engine_login login;
};

// Parse a time in UTC, or relative to now.
static int
take_time(const char *text, pmon_time *out)
{
	static const struct clock utc = {.mode = CLOCK_FIXED};
	pmon_time now = pmon_os_clocks().wall;

	*out = PMON_TIME_NONE;
	if (text == NULL || times_read_alone(text, &utc, out))
		return EXIT_DONE;
	return times_read_within(text, &utc, now, now, out);
}

static bool
wants_end(void *ctx)
{
	(void)ctx;
	return signals_take().end;
}

static void
print_notice(void *ctx, const struct pmon_notice *notice)
{
	(void)ctx;
	say(0, "rollup: %s%s", notice->is_loss ? "" : "note: ", notice->text);
}

static void
print_count(const char *before, uint64_t n, const char *after)
{
	char number[DRAW_NUMBER];

	(void)out_count(n, number, sizeof(number));
	printf("%s%s%s", before, number, after);
}

// "2026-11-22: 24 hours of 1,000 counters, 24,000 sums of 5,760,000 raw values"
static void
print_sums(const struct pmon_rollup_counts *counts)
{
	print_count("", counts->hours, pmon_text_word(counts->hours, " hour", " hours"));
	print_count(" of ", counts->series,
		    pmon_text_word(counts->series, " counter", " counters"));
	print_count(", ", counts->sums, pmon_text_word(counts->sums, " sum", " sums"));
	print_count(" of ", counts->rows, " raw values");
}

static void
print_day(void *ctx, pmon_time day, const struct pmon_rollup_counts *counts)
{
	char text[PMON_TIME_SIZE];

	(void)ctx;
	(void)pmon_time_iso(day, text);
	printf("%.10s: ", text);
	print_sums(counts);
	printf("\n");
	fflush(stdout);
}

// "24 hours of 1,000 counters, 24,000 sums of 5,760,000 raw values; computed in 3.1 s"
static void
tell_end(const struct rollup *r, const struct pmon_rollup_counts *counts, double seconds)
{
	const struct draw_unit unit = {.quantity = DRAW_SECONDS, .factor = 1};
	char took[2 * DRAW_NUMBER];

	if (counts->kept > 0)
		print_count("", counts->kept,
			    pmon_text_word(counts->kept,
					   " counter has intervals that begin at deleted values; "
					   "these stay as they are\n",
					   " counters have intervals that begin at deleted values; "
					   "these stay as they are\n"));
	if (counts->sums == 0) {
		printf("no hour changed\n");
		return;
	}
	(void)draw_amount(seconds, &unit, took, sizeof(took));
	print_sums(counts);
	printf(r->hours.dry_run ? " to compute\n" : "; computed in %s\n", took);
}

static int
roll(struct rollup *r)
{
	struct pmon_rollup_counts counts;
	struct pmon_err err;
	int64_t begun = pmon_os_monotonic_100ns();
	enum pmon_status status =
		pmon_push_rollup(r->args->operands.list[0], &r->options, &r->hours, &counts, &err);

	if (status != PMON_OK)
		return say(status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "rollup: %s%s", err.msg,
			   status == PMON_E_STATE ? "; run it again to continue" : "");
	tell_end(r, &counts, (double)(pmon_os_monotonic_100ns() - begun) / PMON_TIME_PER_SEC);
	return EXIT_DONE;
}

static int
take_hours(const struct args *args, struct pmon_rollup_options *hours)
{
	const struct rollup_options *options = args->own;
	int status = take_time(options->begin, &hours->begin);

	if (status == EXIT_DONE)
		status = take_time(options->end, &hours->end);
	if (status == EXIT_DONE && hours->begin != PMON_TIME_NONE && hours->end != PMON_TIME_NONE &&
	    hours->begin >= hours->end)
		status = say(EXIT_USAGE, "rollup: --begin must be before --end");
	hours->again = options->again;
	hours->dry_run = options->dry_run;
	hours->day = options->verbose ? print_day : NULL;
	return status;
}

static int
rollup_run(const struct args *args)
{
	struct rollup r = {.args = args};
	int status;

	if (args->operands.n != 1)
		return say(EXIT_USAGE,
			   "rollup: give the URL of one engine; see pmon rollup --help");
	r.hours = (struct pmon_rollup_options){.size = sizeof(r.hours)};
	r.options = (struct pmon_push_options){.size = sizeof(struct pmon_push_options),
					       .notice = print_notice,
					       .cancel = wants_end};
	status = engine_check_url("rollup", args->operands.list[0]);
	if (status == EXIT_DONE)
		status = engine_take_options(args, &r.login, &r.options);
	if (status == EXIT_DONE)
		status = take_hours(args, &r.hours);
	if (status != EXIT_DONE)
		return status;
	(void)signals_catch();
	return roll(&r);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	OPTION(TEXT, rollup, begin, "--begin", NULL, "TIME",
	       "start time in UTC: 2026-11-21T10:00, or -2d (before now)"),
	OPTION(TEXT, rollup, end, "--end", NULL, "TIME",
	       "end time in UTC, exclusive, in the same formats as --begin"),
	OPTION(FLAG, rollup, again, "--again", NULL, NULL,
	       "recompute all hours of the window, even unchanged ones"),
	OPTION(FLAG, rollup, dry_run, "--dry-run", NULL, NULL,
	       "show what would be computed, and store nothing"),
	OPTION(FLAG, rollup, verbose, "-v", "--verbose", NULL, "name each day"),
	GROUP(options_engine),
	OPTION_END,
};

const struct verb verb_rollup = {
	.name = "rollup",
	.operands = "URL",
	.summary = "precompute hourly sums in an engine, for fast averages over weeks",
	.details = "Computes the sums behind averages for each counter and hour whose raw "
		   "values\nchanged since the last rollup: new values, late ones, and values "
		   "pushed again\nafter a loss. Averages over whole hours equal those from raw "
		   "values to the last\ndigit. A rollup can be stopped at any time, and several "
		   "can run concurrently.\ndocs/push.md, \"Rollups\", describes the "
		   "views.\n\nExamples:\n  pmon rollup clickhouse+http://db:8123/perf\n  pmon "
		   "rollup -v postgresql://db/perf\n  pmon rollup --begin -2d "
		   "clickhouse+http://db:8123/perf    every hour, from cron\n  pmon rollup "
		   "--dry-run -v clickhouse+http://db:8123/perf\n",
	.options = options,
	.own_size = sizeof(struct rollup_options),
	.run = rollup_run,
	.live = LIVE_NONE,
	.traits = VERB_NETWORK,
};
