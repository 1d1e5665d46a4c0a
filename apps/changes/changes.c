// changes.c - pmon changes: what is different since a time, or during one
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include "apps/changes/differences.h"
#include "base/time.h"
#include "cli/args/verb.h"
#include "cli/input/live.h"
#include "cli/output/say.h"

#define WINDOW       (5 * PMON_TIME_PER_MIN)
#define LIVE_SAMPLES 60 // LIVE_MINUTE

struct changes {
	struct args args; // without the window, which is one side here
	struct logs logs;
	struct differences differences;
	int64_t window_100ns; // --window; of this machine half the time that it is sampled
	uint64_t half;        // ... or half of the samples
	uint64_t read;        // samples so far
	// The sides: after is what is later than `from`, up to `to`; before is what is later than
	// `begin` and not after.
	pmon_time begin;
	pmon_time from;
	pmon_time to;
	pmon_time end; // nothing later is read
};

// ---- The times ------------------------------------------------------------------------------

static int
check_options(const struct args *args)
{
	bool has_at = args_text(args, "--at") != NULL;
	bool has_window = args->from != NULL || args->to != NULL;

	if (args_text(args, "--window") != NULL && !has_at)
		return say(EXIT_USAGE, "changes: --window goes with --at");
	if (has_at && has_window)
		return say(EXIT_USAGE, "changes: give either --at, or --from and --to");
	if (args->operands.n > 0 && !has_at && !has_window)
		return say(EXIT_USAGE,
			   "changes: name a time: --at 10:32, or --from 10:30 --to 11:00 "
			   "to compare that with the rest");
	if (args->operands.n == 0 && (has_at || has_window))
		return say(EXIT_USAGE,
			   "changes: this machine is compared in two halves; %s applies "
			   "to logs",
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

// What is exactly at --from belongs to the window, as in other verbs.
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

// The second half of what is planned for this machine: by samples, or by time.
static int
read_half(struct changes *c)
{
	struct live_plan plan;
	int status = live_plan(&c->args, &plan);

	c->from = INT64_MAX;
	c->window_100ns = plan.duration_100ns / 2;
	c->half = plan.count > 0 ? plan.count / 2 : LIVE_SAMPLES / 2;
	return status;
}

// The second half begins after this sample.
static void
note_half(struct changes *c, const struct pmon_sample *sample)
{
	c->read += !sample->lead_in;
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
	if (args_text(args, "--at") != NULL)
		return read_at(c, args_text(args, "--at"), args_text(args, "--window"));
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

		copy.lead_in |= !is_on(c, (enum time_side)side, sample->time);
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
		if (c->args.operands.n == 0)
			note_half(c, sample);
		if (sample->time > c->end)
			continue;
		status = add_sample(c, sample);
	}
	return status;
}

// Say what every verb says of a window without samples.
static int
check_not_empty(const struct changes *c, const struct args *args)
{
	struct logs logs;
	int status;

	if (c->differences.changed.samples[AFTER] > 0 || (args->from == NULL && args->to == NULL))
		return EXIT_DONE;
	status = logs_open(&logs, args);
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

int
changes_run(const struct args *args)
{
	struct changes c = {.args = *args, .differences = {.args = args}};
	int status = check_options(args);

	if (status != EXIT_DONE)
		return status;
	c.args.from = c.args.to = NULL;
	if (args->identity == IDENTITY_PROCESS)
		c.args.by = "process";
	status = logs_open(&c.logs, &c.args);
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
