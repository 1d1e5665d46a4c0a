// diff.c - pmon diff: compare two logs, or two ranges of one log
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/output/say.h"
#include "shell/input/logs_apart.h"
#include "verbs/diff/incidents.h"
#include "verbs/diff/pairs.h"

// Options of pmon diff only.
struct diff_options {
	const char *before;
	const char *after;
};

struct range {
	pmon_time from;
	pmon_time to;
};

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

// Live options apply to this machine, and the window to the log.
static int
open_side(struct logs *logs, const struct args *args, size_t side)
{
	const struct apart_options apart = {.checks_patterns = true};
	struct request request = request_from(args);

	request.by_process |= args->identity == IDENTITY_PROCESS;
	request.logs = (struct words){.list = args->operands.list + side,
				      .n = side < args->operands.n ? 1 : 0};
	if (request.logs.n == 0)
		request.from = request.to = request.at = NULL;
	if (args->operands.n == 2)
		return logs_open(logs, &request);
	request.misplaced = NULL;
	return logs_open_apart(logs, &request, &apart);
}

static int
compare_sides(const struct args *args, struct differences *d)
{
	struct logs logs[2];
	int opened = 0;
	int status = EXIT_DONE;

	for (int side = BEFORE; status == EXIT_DONE && side <= AFTER; side++) {
		status = open_side(&logs[side], args, (size_t)side);
		opened++;
		if (status == EXIT_DONE)
			status = read_side(d, (enum time_side)side, &logs[side]);
	}
	if (status == EXIT_DONE)
		status = pairs_compare(d, &logs[BEFORE], &logs[AFTER]);
	if (status == EXIT_DONE)
		status = differences_print(d, &logs[AFTER], "differ");
	differences_free(d);
	while (opened-- > 0)
		status = logs_close(&logs[opened], status);
	return status;
}

// CSV has no place for incidents, and a pattern asks for certain counters only.
static bool
looks_for_incidents(const struct args *args)
{
	bool shows = args->format != OUT_CSV && args->patterns.n + args->pattern_files.n == 0;

	return args->operands.n == 2 && (shows || args->fail_on != FAIL_ON_NOTHING);
}

static int
compare_logs(const struct args *args)
{
	struct differences d = {.args = args, .changed = {.tails = true}};
	struct judged judged[2] = {{.args = args}, {.args = args}};
	int status = EXIT_DONE;

	for (int side = BEFORE; side <= AFTER && looks_for_incidents(args); side++) {
		const struct words log = {.list = args->operands.list + side, .n = 1};

		if (status == EXIT_DONE)
			status = judged_logs(&judged[side], args, &log);
		tracks_free_bins(&judged[side].incidents.tracks);
		d.judged[side] = &judged[side];
	}
	if (status == EXIT_DONE)
		status = compare_sides(args, &d);
	if (status == EXIT_DONE && out_is_for_people(args->format))
		status = diff_print_incidents(d.judged);
	if (d.judged[AFTER] != NULL)
		status = judged_fail(&judged[AFTER], status);
	status = judged_close(&judged[BEFORE], status);
	return judged_close(&judged[AFTER], status);
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
		return say(EXIT_USAGE,
			   "diff: %s must be two times such as 10:00..11:00, not \"%s\"", option,
			   text);
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

// A sample outside a range begins the interval of the one after it.
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
			copy.preceding |= sample->time < ranges[side].from;
			status = differences_add(d, (enum time_side)side, &copy, NULL);
		}
	return status == EXIT_DONE ? logs_check_patterns(logs) : status;
}

static int
compare_ranges(const struct args *args, const char *before, const char *after)
{
	struct differences d = {.args = args, .changed = {.tails = true}};
	struct request request = request_from(args);
	struct range ranges[2];
	struct logs logs;
	int status;

	request.by_process |= args->identity == IDENTITY_PROCESS;
	status = logs_open(&logs, &request);
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

// Does an option request comparing the only log with this machine?
static bool
asks_for_machine(const struct args *args)
{
	const struct option *option;

	for (size_t i = 0; (option = option_at(args->verb->options, i)) != NULL; i++)
		if (option->scope == OPTION_MACHINE && args_has(args, i))
			return true;
	return false;
}

static int
check_operands(const struct args *args)
{
	const char *log = args->operands.n == 1 ? args->operands.list[0] : NULL;

	if (args->operands.n == 2 || (log != NULL && asks_for_machine(args)))
		return EXIT_DONE;
	if (log == NULL)
		return say(EXIT_USAGE, "diff: name two logs, or one log and two time ranges, as in "
				       "--before 10:00..11:00 --after 11:00..12:00");
	return say(
		EXIT_USAGE,
		"diff: nothing to compare %s with; name a second log, two time ranges (--before "
		"10:00..11:00 --after 11:00..12:00), or --duration 1m to compare it with this "
		"machine; to compare a window with the rest of a log, use pmon changes --from --to",
		log);
}

// A single log is compared with this machine, which requires access to all of it.
static bool
diff_is_apart(const struct args *args)
{
	return args->operands.n == 1 && OWN_OPTIONS(diff, args)->before == NULL;
}

static int
diff_run(const struct args *args)
{
	const char *before = OWN_OPTIONS(diff, args)->before;
	const char *after = OWN_OPTIONS(diff, args)->after;
	int status;

	if ((before != NULL) != (after != NULL))
		return say(EXIT_USAGE, "diff: --before and --after must be used together");
	if (before != NULL)
		return compare_ranges(args, before, after);
	status = check_operands(args);
	return status == EXIT_DONE ? compare_logs(args) : status;
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	OPTION(TEXT, diff, before, "--before", NULL, "FROM..TO",
	       "first time range, such as 10:00..11:00"),
	OPTION(TEXT, diff, after, "--after", NULL, "FROM..TO",
	       "second time range, compared with the first"),
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_limit),
	GROUP(options_any_format),
	GROUP(options_fail_on),
	GROUP(options_analysis),
	OPTION_END,
};

const struct verb verb_diff = {
	.name = "diff",
	.operands = "BEFORE [AFTER]",
	.summary = "compare two logs or two time ranges, largest difference first",
	.details = "Compares each counter of the second log with that of the first, using the "
		   "same\nmethod as pmon changes. If each log has only one machine, the machine "
		   "names may\ndiffer. Processes with the same name and ID are compared with each "
		   "other; the\nremaining ones with the same name are paired by average, largest "
		   "first. --from\nand --to apply to both logs; a time of day refers to each log's "
		   "first day. A\nsingle log is compared with this machine only if --duration, "
		   "--count or\n--interval is given.\n\nOf two logs the incidents are listed too; "
		   "--fail-on looks at those of the\nsecond.\n\nExamples:\n  pmon diff monday.blg "
		   "tuesday.blg\n  pmon diff --from 9:00 --to 17:00 monday.blg tuesday.blg\n  pmon "
		   "diff --before 10:00..11:00 --after 14:00..15:00 server.blg\n  pmon diff "
		   "--duration 10m monday.blg              with this machine\n  pmon diff -c "
		   "'\\Process(*)\\Private Bytes' --format csv monday.blg tuesday.blg\n",
	.options = options,
	.own_size = sizeof(struct diff_options),
	.is_apart = diff_is_apart,
	.run = diff_run,
	.live = LIVE_MINUTE,
	.traits = VERB_OR_MACHINE,
	.series_bytes = 8192, // for both logs
};
