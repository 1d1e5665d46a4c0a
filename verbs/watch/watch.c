// watch.c - pmon watch: raise alerts while sampling this machine
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/judged.h"
#include "shell/input/live.h"
#include "shell/input/rules_file.h"
#include "shell/output/say.h"
#include "shell/output/stream.h"
#include "shell/input/logs_apart.h"
#include "verbs/watch/actions.h"
#include "verbs/watch/groups.h"

#define SAMPLES_BEFORE_WORD 2 // by then rates have values

// An open alert.
struct open_alert {
	const struct rules_rule *rule;
	const struct pmon_series *series;
	enum rules_level level;
	pmon_time said;  // when it was last reported
	uint32_t before; // previous one of the same series, or NONE
	uint32_t group;
	bool is_untold; // a graver one of its resource is open
	bool is_held; // it has ended, and its end is not told yet: others of its resource are open
	bool is_over;
	struct rules_episode episode; // of one that is held
};

#define NONE UINT32_MAX
#define ALL  UINT32_MAX // groups

struct watch {
	struct judged judged;
	struct out out;
	struct actions *actions; // NULL: none
	int64_t repeat_100ns;    // 0: never
	struct open_alert *open; // in the order in which they began; some may have ended
	size_t n_open;
	size_t cap_open;
	size_t n_over;
	size_t n_held;
	struct alert_groups groups;
	uint32_t *newest; // newest alert of each series, or NONE
	size_t n_newest;
	size_t cap_newest;
	bool is_short; // out of memory
	uint64_t samples;
	uint64_t alerts;                  // that have begun
	const struct pmon_sample *sample; // the newest, and its values
	const struct pmon_value *values;
	struct pmon_value *of_series; // its values by series, while alerts of a sample are reported
	size_t n_of_series;
	size_t cap_of_series;
	bool has_of_series;
};

// ---- Alerts ---------------------------------------------------------------------------------

// Make room for each series. False if out of memory.
static bool
grow_values(struct watch *w)
{
	size_t n = pmon_schema_count(pmon_source_schema(w->judged.logs.source));

	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &w->of_series, &w->cap_of_series, n,
			   sizeof(*w->of_series)))
		return false;
	for (; w->n_of_series < n; w->n_of_series++)
		w->of_series[w->n_of_series] = (struct pmon_value){.status = PMON_V_NO_DATA};
	return true;
}

// All series may have an alert in one sample.
static struct pmon_value
value_now(struct watch *w, const struct pmon_series *series)
{
	if (!w->has_of_series && !grow_values(w)) {
		w->is_short = true;
		return (struct pmon_value){.status = PMON_V_NO_DATA};
	}
	for (size_t i = 0; !w->has_of_series && i < w->sample->n; i++)
		w->of_series[w->sample->series[i]] = w->values[i];
	w->has_of_series = true;
	return w->of_series[series->id];
}

static void
forget_values(struct watch *w)
{
	for (size_t i = 0; w->has_of_series && i < w->sample->n; i++)
		w->of_series[w->sample->series[i]] = (struct pmon_value){.status = PMON_V_NO_DATA};
	w->has_of_series = false;
}

static void
report(struct watch *w, enum alert_event event, const struct rules_episode *episode)
{
	const struct alert alert = {event, w->sample->time, value_now(w, episode->series), episode};

	alert_put(&w->out, &w->judged.logs, &alert);
	w->is_short |= !actions_send(w->actions, &alert);
}

static bool
grow_open(struct watch *w, const struct pmon_series *series)
{
	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &w->open, &w->cap_open, w->n_open + 1,
			   sizeof(*w->open)) ||
	    !pmon_mem_grow(pmon_mem_allocator(NULL), &w->newest, &w->cap_newest,
			   (size_t)series->id + 1, sizeof(*w->newest)))
		return false;
	while (w->n_newest <= series->id)
		w->newest[w->n_newest++] = NONE;
	return true;
}

// The caller made room.
static void
put_open(struct watch *w, struct open_alert alert)
{
	alert.before = w->newest[alert.series->id];
	w->newest[alert.series->id] = (uint32_t)w->n_open;
	w->open[w->n_open++] = alert;
}

static void
add_open(struct watch *w, const struct rules_episode *e, uint32_t group, bool is_untold)
{
	struct alert_group *g = &w->groups.list[group];

	if (!grow_open(w, e->series)) {
		w->is_short = true;
		return;
	}
	g->untold += is_untold;
	g->told[e->level] += !is_untold;
	put_open(w, (struct open_alert){.rule = e->rule,
					.series = e->series,
					.level = e->level,
					.said = w->sample->time,
					.group = group,
					.is_untold = is_untold});
}

// Remove those that have ended.
static void
tidy_open(struct watch *w)
{
	size_t n = w->n_open;

	for (size_t i = 0; i < n; i++)
		w->newest[w->open[i].series->id] = NONE;
	w->n_open = 0;
	w->n_over = 0;
	for (size_t i = 0; i < n; i++)
		if (!w->open[i].is_over)
			put_open(w, w->open[i]);
}

static struct open_alert *
find_open(struct watch *w, const struct rules_episode *e)
{
	uint32_t i = e->series->id < w->n_newest ? w->newest[e->series->id] : NONE;

	for (; i != NONE; i = w->open[i].before)
		if (!w->open[i].is_over && !w->open[i].is_held && w->open[i].rule == e->rule &&
		    w->open[i].level == e->level)
			return &w->open[i];
	return NULL;
}

static void
close_open(struct watch *w, struct open_alert *open)
{
	struct alert_group *g = &w->groups.list[open->group];

	open->is_over = true;
	g->untold -= open->is_untold;
	g->told[open->level] -= !open->is_untold;
	w->n_over++;
}

// Tell the ends of alerts that waited for others of their resource; ALL: of each.
static void
tell_held(struct watch *w, uint32_t group)
{
	for (size_t i = 0; i < w->n_open && w->n_held > 0; i++) {
		struct open_alert *open = &w->open[i];

		if ((group != ALL && open->group != group) || !open->is_held || open->is_over)
			continue;
		close_open(w, open);
		w->n_held--;
		report(w, ALERT_END, &open->episode);
	}
}

// While a critical alert of a resource is open, its warnings are not told: severity only rises.
static void
begin_alert(struct watch *w, const struct rules_episode *e)
{
	uint32_t group = alert_groups_of(&w->groups, e->series);
	bool is_untold;

	if (group == PMON_MAP_NONE) {
		w->is_short = true;
		return;
	}
	if (e->level == RULES_CRITICAL && w->groups.list[group].untold > 0)
		tell_held(w, group);
	is_untold = e->level == RULES_WARNING && w->groups.list[group].told[RULES_CRITICAL] > 0;
	add_open(w, e, group, is_untold);
	if (is_untold)
		return;
	w->alerts++;
	report(w, ALERT_BEGIN, e);
}

// Such a resource is not all right before its warnings have ended too.
static void
end_alert(struct watch *w, const struct rules_episode *e)
{
	struct open_alert *open = find_open(w, e);
	const struct alert_group *g;

	if (open == NULL)
		return;
	g = &w->groups.list[open->group];
	if (open->level == RULES_CRITICAL && g->told[RULES_CRITICAL] == 1 && g->untold > 0) {
		open->is_held = true;
		w->n_held++;
		open->episode = *e;
		open->episode.who = NULL;
		open->episode.n_who = 0;
		return;
	}
	close_open(w, open);
	if (!open->is_untold)
		report(w, ALERT_END, e);
	else if (g->untold == 0)
		tell_held(w, open->group);
	if (w->n_over * 2 >= w->n_open)
		tidy_open(w);
}

// A rules_options.on_event. A share of the whole time is not known before the end.
static void
on_event(void *ctx, enum rules_event event, const struct rules_episode *episode)
{
	struct watch *w = ctx;

	if (episode->rule->hold.lasting == RULES_SHARE)
		return;
	if (event == RULES_BEGINS)
		begin_alert(w, episode);
	else
		end_alert(w, episode);
}

static void
report_open(struct watch *w, struct open_alert *open, enum alert_event event)
{
	struct rules_episode episode = {
		.rule = open->rule, .series = open->series, .level = open->level};
	bool ended = true;

	w->is_short |= !rules_judge_going_on(w->judged.judge, &episode, &ended);
	if (!ended) {
		open->said = w->sample->time;
		report(w, event, &episode);
	}
	free(episode.who);
}

static bool
is_told(const struct open_alert *open)
{
	return !open->is_over && !open->is_untold && !open->is_held;
}

static void
repeat(struct watch *w)
{
	for (size_t i = 0; w->repeat_100ns > 0 && i < w->n_open; i++)
		if (is_told(&w->open[i]) && w->sample->time - w->open[i].said >= w->repeat_100ns)
			report_open(w, &w->open[i], ALERT_REPEAT);
}

// ---- What cannot be judged ------------------------------------------------------------------

// Should the rule be listed among those with this result? If a machine lacks all counters of a
// pack, the pack is listed instead.
static bool
is_named(const struct watch *w, size_t rule, size_t machine, enum rules_outcome outcome, bool packs)
{
	const struct judged *j = &w->judged;
	bool lacks_pack = judged_lacks_pack(j, rule, machine);

	return rules_judge_outcome_on(j->judge, rule, machine) == outcome &&
	       j->rules.list[rule].hold.lasting != RULES_SHARE && lacks_pack == packs &&
	       (!packs || judged_lists(j, rule, machine));
}

// Print the rules, or packs, with this result on a machine, on one line.
static void
say_rules(const struct watch *w, size_t machine, enum rules_outcome outcome, bool packs)
{
	struct pmon_span name = rules_judge_machine(w->judged.judge, machine);
	char *text = NULL;
	size_t len = 0;
	FILE *stream = text_stream_open(&text, &len);
	size_t n = 0;

	for (size_t i = 0; stream != NULL && i < w->judged.rules.n; i++) {
		const struct rules_rule *rule = &w->judged.rules.list[i];
		struct pmon_span shown = packs ? rule->pack : rule->name;

		if (is_named(w, i, machine, outcome, packs))
			fprintf(stream, "%s%.*s", n++ > 0 ? ", " : "", (int)shown.len, shown.ptr);
	}
	if (stream == NULL || !text_stream_close(stream, &text))
		n = 0;
	if (n > 0 && outcome == RULES_BEYOND)
		say(0, "%.*s: " RULES_ALL_BEYOND ": %s", (int)name.len, name.ptr, text);
	else if (n > 0)
		say(0, "not judged on %.*s, because %s: %s", (int)name.len, name.ptr,
		    packs ? "it has no counters of these packs" : rules_reason(outcome), text);
	free(text);
}

// Do not list rules for other kinds of machines, and those that have not been observed long enough.
static void
say_not_judged(struct watch *w)
{
	bool live = pmon_source_info(w->judged.logs.source)->live;

	rules_judge_look(w->judged.judge);
	if (rules_judge_machines(w->judged.judge) == 0)
		say(0, "no rule can be judged: their counters have no values");
	for (size_t m = 0; m < rules_judge_machines(w->judged.judge); m++) {
		for (unsigned i = RULES_NO_COUNTER; i < RULES_CROSSED; i++)
			if (i < RULES_TOO_SHORT || (!live && i != RULES_KEPT))
				say_rules(w, m, (enum rules_outcome)i, false);
		say_rules(w, m, RULES_NO_COUNTER, true);
	}
}

static void
say_shares(const struct watch *w)
{
	for (size_t i = 0; i < w->judged.rules.n; i++) {
		const struct rules_rule *rule = &w->judged.rules.list[i];

		if (rule->hold.lasting == RULES_SHARE)
			say(0,
			    "not judged: %.*s: it requires a share of a whole log; to watch it, "
			    "use `for` with a duration such as 5m",
			    (int)rule->name.len, rule->name.ptr);
	}
}

// ---- Watching -------------------------------------------------------------------------------

static int
judge_sample(struct watch *w, const struct pmon_sample *sample)
{
	int status;

	w->sample = sample;
	status = judged_add(&w->judged, sample, &w->values);
	if (status != EXIT_DONE)
		return status;
	if (w->is_short)
		return say(EXIT_FAILED, "not enough memory");
	repeat(w);
	forget_values(w);
	if (!sample->starts && ++w->samples == SAMPLES_BEFORE_WORD &&
	    pmon_source_info(w->judged.logs.source)->live)
		say_not_judged(w);
	return EXIT_DONE;
}

static int
watch_all(struct watch *w)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && logs_next(&w->judged.logs, &sample, &status))
		status = judge_sample(w, sample);
	return status;
}

static void
say_end(struct watch *w)
{
	bool live = pmon_source_info(w->judged.logs.source)->live;
	size_t n_open = w->n_open - w->n_over;

	if (!live)
		say_not_judged(w);
	if (n_open > 0)
		say(0, "%zu alert%s still open", n_open, pmon_text_word(n_open, " is", "s are"));
	else if (w->alerts == 0)
		say(0, "there was no alert");
}

static int
watch(struct watch *w)
{
	int status;

	logs_hide_machine(&w->judged.logs);
	alert_begin(&w->out, &w->judged);
	status = watch_all(w);
	tell_held(w, ALL);
	for (size_t i = 0; w->sample != NULL && i < w->n_open; i++)
		if (!w->open[i].is_over)
			report_open(w, &w->open[i], ALERT_OPEN);
	if (status == EXIT_DONE && w->is_short)
		status = say(EXIT_FAILED, "not enough memory");
	if (out_end(&w->out) != EXIT_DONE)
		status = EXIT_FAILED;
	if (status == EXIT_DONE)
		say_end(w);
	return status;
}

static int
load_rules(struct watch *w, const struct args *args)
{
	if (args->condition == NULL)
		return rules_load(args, &w->judged.rules);
	if (args->rules.file != NULL || args->rules.packs.n > 0)
		return say(EXIT_USAGE,
			   "watch: a condition cannot be combined with --rules or --pack");
	return rules_of_condition(args, &w->judged.rules);
}

// Actions start programs and use the network.
static bool
watch_is_apart(const struct args *args)
{
	const struct watch_options *options = args->own;

	return options->exec != NULL || options->webhook != NULL || options->journal;
}

static int
watch_run(const struct args *args)
{
	struct watch w = {.judged = {
				  .only_values = true,
				  .may_lack = args->condition ==
					      NULL, // no machine has the counters of all rules
			  }};
	const struct rules_options options = {.calc = &args->calc, .on_event = on_event, .ctx = &w};
	int status = live_length("--repeat", OWN_OPTIONS(watch, args)->repeat, &w.repeat_100ns);

	if (status == EXIT_DONE && !alert_groups_begin(&w.groups))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = load_rules(&w, args);
	if (status == EXIT_DONE) {
		say_shares(&w);
		status = judged_ask(&w.judged, args);
	}
	if (status == EXIT_DONE)
		status = judged_open(&w.judged, &options);
	if (status == EXIT_DONE)
		status = actions_open(args, &w.actions);
	if (status == EXIT_DONE)
		status = watch(&w);
	if (status == EXIT_DONE && args->condition != NULL)
		status = logs_apart_patterns(&w.judged.logs);
	actions_close(w.actions);
	alert_groups_free(&w.groups);
	free(w.open);
	free(w.newest);
	free(w.of_series);
	return judged_close(&w.judged, status);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_rules),
	GROUP(options_show),
	OPTION(TEXT, watch, repeat, "--repeat", NULL, "LENGTH",
	       "repeat an alert after this time, such as 30m, while it lasts; never by default"),
	OPTION(TEXT, watch, exec, "--exec", NULL, "COMMAND",
	       "run this shell command for each alert, described by the environment variables "
	       "PMON_MESSAGE, PMON_EVENT, PMON_SEVERITY and others"),
	OPTION(TEXT, watch, webhook, "--webhook", NULL, "URL",
	       "post each alert as JSON to this http:// or https:// URL; @FILE reads the URL from "
	       "a file"),
	OPTION(FLAG, watch, journal, "--journal", NULL, NULL,
	       "write each alert to the systemd journal"),
	OPTION_INTO(WORDS, operands, ANY, "--replay", NULL, "LOG",
		    "read this log instead of sampling this machine; may be repeated"),
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_window),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_sampling),
	GROUP(options_identity),
	GROUP(options_color),
	GROUP(options_raw_names),
	GROUP(options_verbose),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_watch = {
	.name = "watch",
	.operands = "[CONDITION] [--replay LOG...]",
	.summary = "sample this machine and report alerts, by rules or by a condition",
	.details = "Checks this machine until interrupted, by rules or by one condition as in "
		   "pmon\nfind. An alert starts when values have been beyond the limit for as long "
		   "as the\nrule requires. It ends with the second interval within the limit, or "
		   "within the\n`clear` level of the rule. After that it can start "
		   "again.\n\n--replay prints what would have been reported while a log was "
		   "recorded: the same\nepisodes as pmon find and pmon health.\n\nExamples:\n  "
		   "pmon watch\n  pmon watch '\\Processor(_Total)\\% Processor Time > 90% for 1m' "
		   "--repeat 30m\n  pmon watch --rules ours.rules --format json -i 5s\n  pmon "
		   "watch --exec 'echo \"$PMON_MESSAGE\" | mail -s pmon ops@example.com'\n  pmon "
		   "watch --rules ours.rules --replay monday.blg --replay tuesday.blg\n",
	.options = options,
	.own_size = sizeof(struct watch_options),
	.is_apart = watch_is_apart,
	.run = watch_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_STREAMS | VERB_CONDITION | VERB_MAYBE_CONDITION,
};
