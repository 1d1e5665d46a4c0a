// changes.c - pmon changes: what changed at a time, or during one
// SPDX-License-Identifier: MIT

#include "base/time.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/live.h"
#include "shell/output/say.h"
#include "verbs/changes/differences.h"
#include "verbs/changes/shifts.h"

// Options of pmon changes only.
struct changes_options {
	const char *at;
	const char *window;
};

#define WINDOW       (5 * PMON_TIME_PER_MIN)
#define LIVE_SAMPLES 60 // LIVE_MINUTE

struct changes {
	const struct args *args;
	struct logs logs;
	struct differences differences;
	int64_t window_100ns; // --window; for this machine half of the sampling time
	uint64_t half;        // ... or half of the samples
	uint64_t read;        // samples so far
	// The sides: "after" is later than `from`, up to `to`; "before" is later than `begin` and
	// not in "after".
	pmon_time begin;
	pmon_time from;
	pmon_time to;
	pmon_time end; // reading stops here
};

// ---- The times ------------------------------------------------------------------------------

static int
check_options(const struct args *args)
{
	bool has_at = OWN_OPTIONS(changes, args)->at != NULL;
	bool has_window = args->from != NULL || args->to != NULL;

	if (OWN_OPTIONS(changes, args)->window != NULL && !has_at)
		return say(EXIT_USAGE, "changes: --window requires --at");
	if (has_at && has_window)
		return say(EXIT_USAGE, "changes: --at cannot be combined with --from and --to");
	if (args->operands.n == 0 && (has_at || has_window))
		return say(
			EXIT_USAGE,
			"changes: %s applies only to logs; this machine is compared in two halves",
			has_at ? "--at" : "--from");
	return EXIT_DONE;
}

static int
read_at(struct changes *c, const char *at, const char *window)
{
	int status = live_length("--window", window, &c->window_100ns);

	if (status == EXIT_DONE)
		status = logs_time(&c->logs, at, &c->from);
	if (status != EXIT_DONE)
		return status;
	c->begin = pmon_time_clamp(c->from - c->window_100ns);
	c->to = c->end = pmon_time_clamp(c->from + c->window_100ns);
	return EXIT_DONE;
}

// A sample exactly at --from belongs to the window, as for other verbs.
static int
read_window(struct changes *c, const struct args *args)
{
	int status = EXIT_DONE;

	if (args->from != NULL)
		status = logs_time(&c->logs, args->from, &c->from);
	if (status == EXIT_DONE && args->to != NULL)
		status = logs_time(&c->logs, args->to, &c->to);
	if (status == EXIT_DONE && c->from != INT64_MIN)
		c->from--;
	if (status == EXIT_DONE && c->from >= c->to)
		status = say(EXIT_USAGE,
			     "changes: the window ends before it begins: --from %s is "
			     "after --to %s",
			     args->from, args->to);
	return status;
}

// For this machine, compare with the second half of the plan: by samples, or by time.
static int
read_half(struct changes *c)
{
	struct live_plan plan;
	int status = live_plan(&c->args->sampling, &plan);

	c->from = INT64_MAX;
	c->window_100ns = plan.duration_100ns / 2;
	c->half = plan.count > 0 ? plan.count / 2 : LIVE_SAMPLES / 2;
	return status;
}

// The second half begins after this sample.
static void
note_half(struct changes *c, const struct pmon_sample *sample)
{
	c->read += !sample->preceding;
	if (c->from != INT64_MAX)
		return;
	if (c->window_100ns > 0)
		c->from = sample->time + c->window_100ns;
	else if (c->read == c->half)
		c->from = sample->time;
}

static int
read_times(struct changes *c, const struct args *args)
{
	c->begin = c->from = INT64_MIN;
	c->to = c->end = INT64_MAX;
	c->window_100ns = WINDOW;
	if (args->operands.n == 0)
		return read_half(c);
	if (OWN_OPTIONS(changes, args)->at != NULL)
		return read_at(c, OWN_OPTIONS(changes, args)->at,
			       OWN_OPTIONS(changes, args)->window);
	return read_window(c, args);
}

// ---- Reading --------------------------------------------------------------------------------

static bool
is_on(const struct changes *c, enum time_side side, pmon_time t)
{
	bool is_after = t > c->from && t <= c->to;

	return side == AFTER ? is_after : t > c->begin && t <= c->end && !is_after;
}

// A sample of the other side begins the first interval of this one.
static int
add_sample(struct changes *c, const struct pmon_sample *sample)
{
	int status = EXIT_DONE;

	for (int side = BEFORE; status == EXIT_DONE && side <= AFTER; side++) {
		struct pmon_sample copy = *sample;

		copy.preceding |= !is_on(c, (enum time_side)side, sample->time);
		status = differences_add(&c->differences, (enum time_side)side, &copy, NULL);
	}
	return status;
}

static int
read_all(struct changes *c)
{
	const struct pmon_sample *sample;
	int status = differences_open(&c->differences, BEFORE, &c->logs);

	if (status == EXIT_DONE)
		status = differences_open(&c->differences, AFTER, &c->logs);
	while (status == EXIT_DONE && logs_next(&c->logs, &sample, &status)) {
		if (c->args->operands.n == 0)
			note_half(c, sample);
		if (sample->time > c->end)
			continue;
		status = add_sample(c, sample);
	}
	return status;
}

// Print the usual message for a window without samples.
static int
check_not_empty(const struct changes *c, const struct args *args)
{
	struct request quiet = request_from(args);
	struct logs logs;
	int status;

	if (c->differences.changed.samples[AFTER] > 0 || (args->from == NULL && args->to == NULL))
		return EXIT_DONE;
	quiet.verbose = false;
	status = logs_open(&logs, &quiet);
	return logs_close(&logs, status);
}

static int
pair_all(struct changes *c)
{
	const struct pmon_schema *schema = pmon_source_schema(c->logs.source);
	int status = EXIT_DONE;

	for (size_t i = 0; status == EXIT_DONE && i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);
		bool before = differences_has(&c->differences, BEFORE, series);
		bool after = differences_has(&c->differences, AFTER, series);

		if ((before || after) && differences_is_wanted(&c->differences, series))
			status = differences_pair(&c->differences, before ? series : NULL,
						  after ? series : NULL);
	}
	return status;
}

// Without a time the log has to tell when it changed.
static bool
finds_times(const struct args *args)
{
	return args->operands.n > 0 && OWN_OPTIONS(changes, args)->at == NULL &&
	       args->from == NULL && args->to == NULL;
}

static int
changes_run(const struct args *args)
{
	struct changes c = {.args = args, .differences = {.args = args}};
	struct request request = request_from(args);
	int status = check_options(args);

	if (status != EXIT_DONE)
		return status;
	if (finds_times(args))
		return changes_shifts(args);
	request.from = request.to = NULL; // here the window is one of the sides
	request.by_process |= args->identity == IDENTITY_PROCESS;
	status = logs_open(&c.logs, &request);
	if (status == EXIT_DONE)
		status = read_times(&c, args);
	if (status == EXIT_DONE)
		status = read_all(&c);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&c.logs);
	if (status == EXIT_DONE)
		status = check_not_empty(&c, args);
	if (status == EXIT_DONE)
		status = pair_all(&c);
	if (status == EXIT_DONE)
		status = differences_print(&c.differences, &c.logs, "changed");
	differences_free(&c.differences);
	return logs_close(&c.logs, status);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	OPTION_FOR(LOGS, TEXT, changes, at, "--at", NULL, "TIME",
		   "compare the log after this time with the log before it"),
	OPTION_FOR(LOGS, TEXT, changes, window, "--window", NULL, "LENGTH",
		   "how much to compare before and after --at; 5m by default"),
	GROUP(options_range),
	GROUP(options_select),
	GROUP(options_limit),
	GROUP(options_any_format),
	GROUP(options_analysis),
	OPTION_END,
};

const struct verb verb_changes = {
	.name = "changes",
	.operands = "[FILE...]",
	.summary = "what changed, when, and by how much, largest change first",
	.details =
		"Without a time, compares each counter with its own usual level in the log, "
		"and\nlists the times in which it differed, the most unusual first; pmon health "
		"joins\nthem to incidents. --at compares the five minutes after a time with "
		"the five\nminutes before it; --from and --to compare that window with the rest of "
		"the log.\nWithout a file, pmon samples this machine and compares the second half "
		"with the\nfirst.\n\nThe effect is the difference between the medians, measured "
		"in median absolute\ndeviations of both sides. A counter is listed if the effect "
		"is at least 3 and\nthe medians differ by at least a fifth. Before and After are "
		"averages according\nto the counter's type, computed from raw end points; "
		"Factor is their ratio. p95\nis the 95th percentile over time, or over "
		"operations.\n\nExamples:\n  pmon changes server.blg\n  pmon changes --at 10:32 "
		"server.blg\n  pmon changes "
		"--at 10:32 --window 15m -c '\\Process(*)\\*' server.blg\n  pmon changes --from "
		"10:32 --to 10:37 --format json server.blg\n  pmon changes --interval 1s "
		"--duration 2m         this machine\n",
	.options = options,
	.own_size = sizeof(struct changes_options),
	.run = changes_run,
	.live = LIVE_MINUTE,
	.series_bytes = 6400,
};
