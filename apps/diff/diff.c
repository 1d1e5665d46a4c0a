// diff.c - pmon diff: how two logs, or two ranges of one, differ
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>
#include <string.h>

#include "apps/diff/pairs.h"
#include "cli/output/say.h"

struct range {
	pmon_time from;
	pmon_time to;
};

static struct args
args_by_process(const struct args *args)
{
	struct args copy = *args;

	if (args->identity == IDENTITY_PROCESS)
		copy.by = "process";
	return copy;
}

// ---- Two logs -------------------------------------------------------------------------------

static int
read_side(struct differences *d, enum time_side side, struct logs *logs)
{
	const struct pmon_sample *sample;
	int status = differences_open(d, side, logs);

	while (status == EXIT_DONE && logs_next(logs, &sample, &status))
		status = differences_add(d, side, sample, NULL);
	return status == EXIT_DONE ? logs_apart_patterns(logs) : status;
}

// A single log is compared with this machine, to which the window does not apply.
static struct args
args_of_side(const struct args *args, size_t side)
{
	struct args own = args_by_process(args);

	own.is_side = args->operands.n == 1;
	own.operands = (struct words){.list = args->operands.list + side,
				      .n = side < args->operands.n ? 1 : 0};
	if (own.operands.n == 0)
		own.from = own.to = NULL;
	return own;
}

static int
open_side(struct logs *logs, const struct args *args)
{
	const struct apart_options apart = {.checks_patterns = true};

	return args->is_side ? logs_open_apart(logs, args, &apart) : logs_open(logs, args);
}

static int
compare_logs(const struct args *args)
{
	struct differences d = {.args = args};
	struct args own[2];
	struct logs logs[2];
	int opened = 0;
	int status = EXIT_DONE;

	for (int side = BEFORE; status == EXIT_DONE && side <= AFTER; side++) {
		own[side] = args_of_side(args, (size_t)side);
		status = open_side(&logs[side], &own[side]);
		opened++;
		if (status == EXIT_DONE)
			status = read_side(&d, (enum time_side)side, &logs[side]);
	}
	if (status == EXIT_DONE)
		status = pairs_compare(&d, &logs[BEFORE], &logs[AFTER]);
	if (status == EXIT_DONE)
		status = differences_print(&d, &logs[AFTER], "differ");
	differences_free(&d);
	while (opened-- > 0)
		status = logs_close(&logs[opened], status);
	return status;
}

// ---- Two ranges -----------------------------------------------------------------------------

// "10:00..11:00"
static int
read_range(struct logs *logs, const char *option, const char *text, struct range *out)
{
	const char *dots = strstr(text, "..");
	char *from;
	int status;

	if (dots == NULL || dots == text || dots[2] == '\0')
		return say(EXIT_USAGE, "diff: %s takes two times as in 10:00..11:00, not \"%s\"",
			   option, text);
	from = strndup(text, (size_t)(dots - text));
	if (from == NULL)
		return say(EXIT_FAILED, "not enough memory");
	status = logs_time(logs, from, &out->from);
	free(from);
	if (status == EXIT_DONE)
		status = logs_time(logs, dots + 2, &out->to);
	if (status == EXIT_DONE && out->from > out->to)
		status = say(EXIT_USAGE, "diff: %s %s ends before it begins", option, text);
	return status;
}

// A sample outside of a range begins the interval of the one after it.
static int
read_ranges(struct differences *d, struct logs *logs, const struct range *ranges)
{
	const struct pmon_sample *sample;
	int status = differences_open(d, BEFORE, logs);

	if (status == EXIT_DONE)
		status = differences_open(d, AFTER, logs);
	while (status == EXIT_DONE && logs_next(logs, &sample, &status))
		for (int side = BEFORE; status == EXIT_DONE && side <= AFTER; side++) {
			struct pmon_sample copy = *sample;

			if (sample->time > ranges[side].to)
				continue;
			copy.lead_in |= sample->time < ranges[side].from;
			status = differences_add(d, (enum time_side)side, &copy, NULL);
		}
	return status == EXIT_DONE ? logs_check_patterns(logs) : status;
}

static int
compare_ranges(const struct args *args, const char *before, const char *after)
{
	struct differences d = {.args = args};
	struct args own = args_by_process(args);
	struct range ranges[2];
	struct logs logs;
	int status = logs_open(&logs, &own);

	if (status == EXIT_DONE)
		status = read_range(&logs, "--before", before, &ranges[BEFORE]);
	if (status == EXIT_DONE)
		status = read_range(&logs, "--after", after, &ranges[AFTER]);
	if (status == EXIT_DONE)
		status = read_ranges(&d, &logs, ranges);
	if (status == EXIT_DONE)
		status = pairs_compare(&d, &logs, &logs);
	if (status == EXIT_DONE)
		status = differences_print(&d, &logs, "differ");
	differences_free(&d);
	return logs_close(&logs, status);
}

int
diff_run(const struct args *args)
{
	const char *before = args_text(args, "--before");
	const char *after = args_text(args, "--after");

	if ((before != NULL) != (after != NULL))
		return say(EXIT_USAGE, "diff: give both --before and --after");
	if (before != NULL)
		return compare_ranges(args, before, after);
	if (args->operands.n < 1 || args->operands.n > 2)
		return say(EXIT_USAGE,
			   "diff: name two logs, one to compare it with this machine, or "
			   "two ranges as in --before 10:00..11:00 --after 11:00..12:00");
	return compare_logs(args);
}
