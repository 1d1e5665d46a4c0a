// rollup.c - pmon rollup: sums of whole hours in an engine
// SPDX-License-Identifier: MIT

#include <string.h>

#include <pmon/push.h>

#include "apps/apps.h"
#include "apps/push/engine.h"
#include "base/time.h"
#include "cli/args/args.h"
#include "cli/input/logs.h"
#include "cli/output/number.h"
#include "cli/output/out.h"
#include "cli/output/say.h"
#include "cli/process/signals.h"
#include "draw/label.h"
#include "os/term.h"
#include "os/ticker.h"

struct rollup {
	const struct args *args;
	struct pmon_push_options options;
	struct pmon_rollup_options hours;
	struct engine_login login;
};

// A time of the command line, in UTC, or relative to now.
static int
take_time(const struct args *args, const char *option, pmon_time *out)
{
	static const struct clock utc = {.mode = CLOCK_FIXED};
	const char *text = args_text(args, option);
	pmon_time now = pmon_os_clocks().wall;

	*out = PMON_TIME_NONE;
	if (text == NULL || logs_time_alone(text, &utc, out))
		return EXIT_DONE;
	return logs_time_within(text, &utc, now, now, out);
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
	print_count("", counts->hours, counts->hours == 1 ? " hour" : " hours");
	print_count(" of ", counts->series, counts->series == 1 ? " counter" : " counters");
	print_count(", ", counts->sums, counts->sums == 1 ? " sum" : " sums");
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

	if (counts->sums == 0) {
		printf("no hour changed\n");
		return;
	}
	(void)draw_amount(seconds, &unit, took, sizeof(took));
	print_sums(counts);
	printf(r->hours.dry_run ? " to compute\n" : "; computed in %s\n", took);
	if (counts->kept > 0)
		print_count("sums that stay, as raw values that they were made of are gone: ",
			    counts->kept, "; --again replaces them\n");
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
	int status = take_time(args, "--begin", &hours->begin);

	if (status == EXIT_DONE)
		status = take_time(args, "--end", &hours->end);
	if (status == EXIT_DONE && hours->begin != PMON_TIME_NONE && hours->end != PMON_TIME_NONE &&
	    hours->begin >= hours->end)
		status = say(EXIT_USAGE, "rollup: --begin must be before --end");
	hours->again = args_flag(args, "--again");
	hours->dry_run = args_flag(args, "--dry-run");
	hours->day = args_flag(args, "--verbose") ? print_day : NULL;
	return status;
}

int
rollup_run(const struct args *args)
{
	struct rollup r = {.args = args};
	int status;

	if (args->operands.n != 1)
		return say(EXIT_USAGE,
			   "rollup: give the URL of one engine; see pmon rollup --help");
	r.options = (struct pmon_push_options){.notice = print_notice, .cancel = wants_end};
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
