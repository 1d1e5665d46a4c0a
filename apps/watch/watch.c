// watch.c - pmon watch: alerts while this machine is sampled
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>
#include <string.h>

#include "apps/watch/actions.h"
#include "base/mem.h"
#include "cli/input/judged.h"
#include "cli/input/live.h"
#include "cli/input/rules_file.h"
#include "cli/output/say.h"

#define SAMPLES_BEFORE_WORD 2 // rates have values then

// An alert that has begun.
struct open_alert {
	const struct rules_rule *rule;
	const struct pmon_series *series;
	enum rules_level level;
	pmon_time said;  // when it was reported last
	uint32_t before; // of the same series, or NONE
	bool is_over;
};

#define NONE UINT32_MAX

struct watch {
	struct judged judged;
	struct out out;
	struct actions *actions; // NULL: none
	int64_t repeat_100ns;    // 0: never
	struct open_alert *open; // in the order in which they began; some may be over
	size_t n_open;
	size_t cap_open;
	size_t n_over;
	uint32_t *newest; // alert of each series, or NONE
	size_t n_newest;
	size_t cap_newest;
	bool is_short; // of memory
	uint64_t samples;
	uint64_t alerts;                  // that have begun
	const struct pmon_sample *sample; // the newest, and its values
	const struct pmon_value *values;
	struct pmon_value *of_series; // the same by series, while alerts of a sample are reported
	size_t n_of_series;
	size_t cap_of_series;
	bool has_of_series;
};

// ---- Alerts ---------------------------------------------------------------------------------

// Make room for each series; false when memory is short.
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

// There is room.
static void
put_open(struct watch *w, struct open_alert alert)
{
	alert.before = w->newest[alert.series->id];
	w->newest[alert.series->id] = (uint32_t)w->n_open;
	w->open[w->n_open++] = alert;
}

static void
add_open(struct watch *w, const struct rules_episode *e)
{
	if (grow_open(w, e->series))
		put_open(w, (struct open_alert){e->rule, e->series, e->level, w->sample->time, NONE,
						false});
	else
		w->is_short = true;
}

// Remove those that are over.
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

static void
remove_open(struct watch *w, const struct rules_episode *e)
{
	uint32_t i = e->series->id < w->n_newest ? w->newest[e->series->id] : NONE;

	for (; i != NONE; i = w->open[i].before) {
		struct open_alert *open = &w->open[i];

		if (open->is_over || open->rule != e->rule || open->level != e->level)
			continue;
		open->is_over = true;
		if (++w->n_over * 2 >= w->n_open)
			tidy_open(w);
		return;
	}
}

// A rules_options.on_event. A share of all the time is not known while time goes on.
static void
on_event(void *ctx, enum rules_event event, const struct rules_episode *episode)
{
	struct watch *w = ctx;

	if (episode->rule->hold.lasting == RULES_SHARE)
		return;
	w->alerts += event == RULES_BEGINS;
	if (event == RULES_BEGINS)
		add_open(w, episode);
	else
		remove_open(w, episode);
	report(w, event == RULES_BEGINS ? ALERT_BEGIN : ALERT_END, episode);
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

static void
repeat(struct watch *w)
{
	for (size_t i = 0; w->repeat_100ns > 0 && i < w->n_open; i++)
		if (!w->open[i].is_over && w->sample->time - w->open[i].said >= w->repeat_100ns)
			report_open(w, &w->open[i], ALERT_REPEAT);
}

// ---- What cannot be judged ------------------------------------------------------------------

// Is the rule to be named among those with this result? Of a pack without any counter the pack is named.
static bool
is_named(const struct watch *w, size_t rule, size_t machine, enum rules_outcome outcome, bool packs)
{
	const struct judged *j = &w->judged;
	bool lacks_pack = judged_lacks_pack(j, rule, machine);

	return rules_judge_outcome_on(j->judge, rule, machine) == outcome &&
	       j->rules.list[rule].hold.lasting != RULES_SHARE && lacks_pack == packs &&
	       (!packs || judged_lists(j, rule, machine));
}

// The rules, or packs, that have this result on a machine, in one line.
static void
say_rules(const struct watch *w, size_t machine, enum rules_outcome outcome, bool packs)
{
	struct pmon_span name = rules_judge_machine(w->judged.judge, machine);
	char *text = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&text, &len);
	size_t n = 0;

	for (size_t i = 0; stream != NULL && i < w->judged.rules.n; i++) {
		const struct rules_rule *rule = &w->judged.rules.list[i];
		struct pmon_span shown = packs ? rule->pack : rule->name;

		if (is_named(w, i, machine, outcome, packs))
			fprintf(stream, "%s%.*s", n++ > 0 ? ", " : "", (int)shown.len, shown.ptr);
	}
	if (stream != NULL && fclose(stream) == 0 && n > 0)
		say(0, "not judged on %.*s, as %s: %s", (int)name.len, name.ptr,
		    packs ? "it has no counters of these packs" : rules_reason(outcome), text);
	free(text);
}

// Rules for other kinds of machines are not missed, and a trend that is too short is not known yet.
static void
say_not_judged(struct watch *w)
{
	bool live = pmon_source_info(w->judged.logs.source)->live;

	rules_judge_look(w->judged.judge);
	if (rules_judge_machines(w->judged.judge) == 0)
		say(0, "no rule can be judged: there are no values of their counters");
	for (size_t m = 0; m < rules_judge_machines(w->judged.judge); m++) {
		for (unsigned i = RULES_NO_COUNTER; i < RULES_KEPT; i++)
			if (!live || i != RULES_TOO_SHORT)
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
			    "not judged: %.*s: it asks for a share of a whole log; `for` with a "
			    "time, such as 5m, can be watched",
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
		say(0, "%zu alert%s still open", n_open, n_open == 1 ? " is" : "s are");
	else if (w->alerts == 0)
		say(0, "there was no alert");
}

static int
watch(struct watch *w)
{
	int status;

	logs_hide_machine(&w->judged.logs);
	alert_begin(&w->out, &w->judged.logs, &w->judged.rules);
	status = watch_all(w);
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
	if (args_text(args, "--rules") != NULL || args_words(args, "--pack")->n > 0)
		return say(EXIT_USAGE, "watch: name a condition, or --rules or --pack, not both");
	return rules_of_condition(args, &w->judged.rules);
}

int
watch_run(const struct args *args)
{
	struct watch w = {.judged.only_values = true};
	const struct rules_options options = {.calc = args->calc, .on_event = on_event, .ctx = &w};
	int status = live_length("--repeat", args_text(args, "--repeat"), &w.repeat_100ns);

	if (status == EXIT_DONE)
		status = load_rules(&w, args);
	if (status == EXIT_DONE) {
		say_shares(&w);
		status = judged_ask(&w.judged, args);
	}
	w.judged.args.own_patterns = args->condition == NULL; // no machine has the counters of all
	if (status == EXIT_DONE)
		status = judged_open(&w.judged, &options);
	if (status == EXIT_DONE)
		status = actions_open(args, &w.actions);
	if (status == EXIT_DONE)
		status = watch(&w);
	if (status == EXIT_DONE && args->condition != NULL)
		status = logs_apart_patterns(&w.judged.logs);
	actions_close(w.actions);
	free(w.open);
	free(w.newest);
	free(w.of_series);
	return judged_close(&w.judged, status);
}
