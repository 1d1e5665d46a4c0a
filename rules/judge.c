// judge.c - which values are beyond the limits of rules, for how long, how far
// SPDX-License-Identifier: MIT

#include "rules/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "rules/state.h"

struct rules_judge *
rules_judge_new(const struct rules *rules, const struct pmon_schema *schema,
		const struct rules_options *options)
{
	struct rules_judge *judge = calloc(1, sizeof(*judge));

	if (judge == NULL)
		return NULL;
	judge->rules = rules;
	judge->seed = pmon_hash_seed();
	judge->schema = schema;
	judge->options = *options;
	judge->matches = calloc(rules->n_patterns + 1, sizeof(*judge->matches));
	if (judge->matches != NULL)
		return judge;
	free(judge);
	return NULL;
}

// ---- Episodes -------------------------------------------------------------------------------

static bool
lasts_long_enough(const struct rules_rule *rule, size_t level, const struct tally *t)
{
	const struct rules_hold *hold = &rule->limits[level].hold;
	const struct rules_run *run = t->run;

	if (rule->within_100ns > 0)
		return rules_window_holds(t, rule);
	switch (hold->lasting) {
	case RULES_SAMPLES:
		return run->samples >= hold->samples;
	case RULES_TIME:
		return run->to - run->from >= hold->time_100ns;
	case RULES_SHARE:
		break;
	}
	return true;
}

// Who was busy belongs to the list of all episodes, or else to the gravest of each series.
static void
note_episode(struct rules_judge *judge, struct tally *t, const struct rules_episode *episode)
{
	bool is_gravest = t->episodes == 0 || episode->excess_seconds > t->gravest.excess_seconds;

	if (!judge->options.episodes)
		free(is_gravest ? t->gravest.who : episode->who);
	t->episodes++;
	if (is_gravest)
		t->gravest = *episode;
	if (t->episodes > 1 && episode->to - episode->from <= t->longest_100ns)
		return;
	t->longest_samples = episode->samples;
	t->longest_100ns = episode->to - episode->from;
	t->longest_from = episode->from;
}

static bool
keep_episode(struct rules_judge *judge, const struct rules_episode *episode)
{
	if (!rules_grow(&judge->episodes, &judge->cap_episodes, judge->n_episodes + 1,
			sizeof(*episode)))
		return false;
	judge->episodes[judge->n_episodes++] = *episode;
	return true;
}

// Slopes are compared in the unit of the limit; episodes have them in the unit of the series.
static double
slope_unit(const struct rules_rule *rule, const struct check *check)
{
	return rule->limits[RULES_WARNING].threshold.any || rule->of.n > 0 ? 1 : check->unit.factor;
}

// What is known of the run of a check. False when memory is short.
static bool
make_episode(const struct rules_judge *judge, const struct check *check, size_t level,
	     struct rules_episode *out)
{
	const struct rules_run *run = check->tallies[level].run;

	*out = (struct rules_episode){.rule = &judge->rules->list[check->rule],
				      .series = check->series,
				      .level = (enum rules_level)level,
				      .limit = rules_limit_of(judge, check, level)};
	rules_run_result(run, out);
	rules_average_latency(run, out);
	out->slope = out->rule->trend_100ns > 0 ? run->measure / slope_unit(out->rule, check) : NAN;
	return rules_busiest(judge, check, run->began, run->ended, out);
}

static void
free_run(struct rules_run *run)
{
	if (run == NULL)
		return;
	rules_forget_readings(run->began);
	rules_forget_readings(run->ended);
	free(run);
}

static void
tell(const struct rules_judge *judge, const struct rules_run *run, enum rules_event event,
     const struct rules_episode *episode)
{
	if (run->is_reported)
		judge->options.on_event(judge->options.ctx, event, episode);
}

// The run of a check ends here. False when memory is short.
static bool
end_run(struct rules_judge *judge, struct check *check, size_t level)
{
	struct tally *t = check->tallies != NULL ? &check->tallies[level] : NULL;
	bool good = true;

	if (t == NULL || t->run == NULL)
		return true;
	if (t->run->is_raised) {
		struct rules_episode episode;

		good = make_episode(judge, check, level, &episode);
		tell(judge, t->run, RULES_ENDS, &episode);
		judge->n_raised--;
		note_episode(judge, t, &episode);
		good = good && (!judge->options.episodes || keep_episode(judge, &episode));
	}
	free_run(t->run);
	t->run = NULL;
	return good;
}

bool
rules_judge_end(struct rules_judge *judge)
{
	bool good = true;

	for (size_t i = 0; good && i < judge->n_checks; i++)
		for (size_t level = 0; good && level < RULES_LEVELS; level++)
			good = end_run(judge, &judge->checks[i], level);
	return good;
}

static bool
begin_run(struct rules_judge *judge, const struct check *check, struct tally *t,
	  struct rules_interval *interval)
{
	struct pmon_calc calc;

	t->run = malloc(sizeof(*t->run));
	if (t->run == NULL)
		return false;
	pmon_calc_init(&calc, &check->series->counter, &judge->options.calc);
	if (judge->rules->list[check->rule].trend_100ns > 0) {
		rules_slope_begin(check, &calc, interval, t->run);
		interval->length_100ns = interval->time - t->run->from;
	} else
		rules_run_begin(t->run, &calc, interval->length_100ns > 0 ? &check->raw : NULL,
				interval->time - interval->length_100ns);
	t->run->flow_from = rules_read_flow(judge, check);
	return interval->length_100ns == 0 || judge->rules->list[check->rule].shows.n == 0 ||
	       (t->run->began = rules_read_meters(judge, check)) != NULL;
}

// The newest sample has prolonged a run.
static bool
meet(struct rules_judge *judge, const struct check *check, size_t level)
{
	if (!rules_grow(&judge->met, &judge->cap_met, judge->n_met + 1, sizeof(*judge->met)))
		return false;
	judge->met[judge->n_met++] =
		(struct met){(uint32_t)(check - judge->checks), (uint32_t)level};
	return true;
}

// Read the meters at the end of what a run has come to.
static bool
read_meters(struct rules_judge *judge, const struct check *check, struct rules_run *run)
{
	if (judge->rules->list[check->rule].shows.n == 0)
		return true;
	rules_forget_readings(run->ended);
	run->ended = rules_read_meters(judge, check);
	if (run->began == NULL && run->ended != NULL)
		run->began = rules_read_meters(judge, check);
	return run->began != NULL && run->ended != NULL;
}

static bool
raise_run(struct rules_judge *judge, const struct check *check, size_t level)
{
	struct rules_run *run = check->tallies[level].run;
	struct rules_episode episode;
	bool good = true;

	if (run->is_raised ||
	    !lasts_long_enough(&judge->rules->list[check->rule], level, &check->tallies[level]))
		return true;
	run->is_raised = true;
	judge->n_raised++;
	if (judge->options.on_event == NULL)
		return true;
	run->is_reported = rules_is_first(judge, check);
	good = make_episode(judge, check, level, &episode);
	tell(judge, run, RULES_BEGINS, &episode);
	free(episode.who);
	return good;
}

// Runs that the newest sample has prolonged, after the meters have counted it.
static bool
finish_runs(struct rules_judge *judge)
{
	bool good = true;

	for (size_t i = 0; good && i < judge->n_met; i++) {
		const struct check *check = &judge->checks[judge->met[i].check];
		size_t level = judge->met[i].level;

		check->tallies[level].run->flow_to = rules_read_flow(judge, check);
		good = read_meters(judge, check, check->tallies[level].run) &&
		       raise_run(judge, check, level);
	}
	judge->n_met = 0;
	return good;
}

// An interval that was judged. False when memory is short.
static bool
add_to_run(struct rules_judge *judge, struct check *check, size_t level, enum standing standing,
	   struct rules_interval *interval)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	const struct rules_limit *limit = &rule->limits[level];
	struct tally *t = &check->tallies[level];
	double scale;

	if (standing == NEAR && t->run != NULL && t->run->is_raised) {
		rules_run_hold(t->run, interval);
		return meet(judge, check, level);
	}
	if (rule->within_100ns > 0 &&
	    !rules_window_add(t, rule->within_100ns, interval, standing == BEYOND))
		return false;
	if (standing != BEYOND && t->run != NULL) {
		bool is_over = rules_run_within(t->run, interval);

		if (rule->within_100ns > 0)
			is_over = rules_window_is_over(t, rule, interval->time);
		return !is_over || end_run(judge, check, level);
	}
	if (standing != BEYOND)
		return true;
	if (t->run == NULL && !begin_run(judge, check, t, interval))
		return false;
	scale = limit->threshold.value == 0 ? 1 : fabs(limit->threshold.value);
	interval->excess = fabs(interval->measure - limit->threshold.value) / scale;
	rules_run_beyond(t->run, interval, limit->threshold.below);
	if (rule->trend_100ns > 0) {
		t->run->worst = *interval->value; // what it has come to
		t->run->worst_time = interval->time;
	}
	return meet(judge, check, level);
}

// ---- Tallies --------------------------------------------------------------------------------

// A gap: the run ends, and the range of a trend begins anew. False when memory is short.
static bool
end_here(struct rules_judge *judge, struct check *check, size_t level)
{
	rules_slope_forget(check);
	if (check->tallies == NULL)
		return true;
	rules_window_forget(&check->tallies[level]);
	return end_run(judge, check, level);
}

// False when memory is short.
static bool
need_tallies(struct check *check)
{
	if (check->tallies == NULL)
		check->tallies = calloc(RULES_LEVELS, sizeof(*check->tallies));
	return check->tallies != NULL;
}

static void
keep_worst(struct tally *t, const struct rules_limit *limit, const struct rules_interval *interval)
{
	double measure = interval->measure;

	if (t->beyond > 1 &&
	    (limit->threshold.below ? measure >= t->measure : measure <= t->measure))
		return;
	t->measure = measure;
	t->worst = *interval->value;
	t->worst_time = interval->time;
}

enum answer {
	JUDGED,
	NOT_YET, // the range of a trend has just begun
	CANNOT,  // no value, or none of what it is compared with
	NO_MEMORY,
};

// Can the value be compared, and where is it?
static enum answer
compare(struct rules_judge *judge, struct check *check, size_t level,
	struct rules_interval *interval, enum standing *standing)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	bool known = true;

	if (!pmon_vstat_has_value(interval->value->status) ||
	    !rules_measure(judge, check, &rule->limits[level], interval->value, &interval->measure))
		return CANNOT;
	if (rule->trend_100ns > 0) {
		if (!rules_slope_add(check, rule, interval))
			return NO_MEMORY;
		if (!rules_slope_of(check, &interval->measure))
			return NOT_YET;
	}
	*standing = rules_standing(judge, check, level, interval->measure, &known);
	return known ? JUDGED : CANNOT;
}

// One level of a rule. *judged becomes true when the value could be compared. False when memory is short.
static bool
judge_level(struct rules_judge *judge, struct check *check, size_t level, bool joined,
	    struct rules_interval *interval, bool *judged)
{
	const struct rules_limit *limit = &judge->rules->list[check->rule].limits[level];
	enum standing standing = WITHIN;

	if (!joined && !end_here(judge, check, level))
		return false;
	switch (compare(judge, check, level, interval, &standing)) {
	case JUDGED:
		break;
	case NOT_YET:
		return true;
	case CANNOT:
		return end_here(judge, check, level);
	case NO_MEMORY:
		return false;
	}
	*judged = true;
	if (standing == BEYOND) {
		struct tally *t;

		if (!need_tallies(check))
			return false;
		t = &check->tallies[level];
		t->beyond++;
		t->beyond_100ns += interval->length_100ns;
		keep_worst(t, limit, interval);
	}
	return check->tallies == NULL || add_to_run(judge, check, level, standing, interval);
}

static void
note_sample(struct check *check, const struct pmon_sample *sample, const struct pmon_raw *raw,
	    const struct pmon_value *value)
{
	check->begun = true;
	check->has_value |= pmon_vstat_has_value(value->status);
	check->stream = sample->stream;
	check->ordinal = sample->ordinal;
	check->time = sample->time;
	check->raw = *raw;
}

// If a rule names several counters, the first that has values on a machine is the one that counts.
static void
note_judged(struct rules_judge *judge, struct check *check, int64_t length_100ns)
{
	if (check->samples == 0) {
		struct on_machine *here = &judge->machines[check->machine].rules[check->rule];

		if (check->pattern < here->pattern)
			here->pattern = check->pattern;
	}
	check->samples++;
	check->time_100ns += length_100ns;
}

static bool
goes_on(const struct check *check)
{
	for (size_t level = 0; check->tallies != NULL && level < RULES_LEVELS; level++)
		if (check->tallies[level].run != NULL || check->tallies[level].window != NULL)
			return true;
	return false;
}

// Is the value within all limits, and ends nothing? Nearly all are.
static bool
is_quiet(const struct rules_judge *judge, const struct check *check, const struct pmon_value *value)
{
	return value->value > check->above && value->value < check->below && !check->goes_on &&
	       pmon_vstat_has_value(value->status) &&
	       (check->when.series == RULES_NONE || rules_linked(judge, &check->when) != NULL);
}

// Does the value of a trend change neither its slope nor a run? All but the last of each part of the range do not.
static bool
is_quiet_trend(struct check *check, const struct rules_interval *interval, bool joined,
	       bool *judged)
{
	const struct pmon_value *value = interval->value;

	return check->is_plain_trend && joined && !check->goes_on &&
	       pmon_vstat_has_value(value->status) &&
	       rules_slope_goes_on(check, value->value * check->times * check->factor,
				   interval->time, judged);
}

static bool
judge_value(struct rules_judge *judge, struct check *check, const struct pmon_sample *sample,
	    size_t i, const struct pmon_value *value)
{
	bool joined = check->begun && sample->ordinal == check->ordinal + 1 &&
		      sample->time >= check->time;
	struct rules_interval interval = {.raw = &sample->raw[i],
					  .value = value,
					  .time = sample->time,
					  .length_100ns = joined ? sample->time - check->time : 0};
	bool judged = is_quiet(judge, check, value);
	bool good = true;

	if (!judged && !is_quiet_trend(check, &interval, joined, &judged)) {
		const struct rules_rule *rule = &judge->rules->list[check->rule];

		for (size_t level = 0; good && level < RULES_LEVELS; level++)
			if (rule->limits[level].given)
				good = judge_level(judge, check, level, joined, &interval, &judged);
		check->goes_on = goes_on(check);
	}
	note_sample(check, sample, &sample->raw[i], value);
	if (judged)
		note_judged(judge, check, interval.length_100ns);
	return good;
}

// For on_event(): an episode ends when its series is missing in a sample, which may be the last of it. False when
// memory is short.
static bool
end_missing(struct rules_judge *judge, const struct pmon_sample *sample)
{
	bool good = true;

	if (judge->options.on_event == NULL || judge->n_raised == 0)
		return true;
	for (size_t i = 0; good && i < judge->n_checks; i++) {
		struct check *check = &judge->checks[i];

		for (size_t level = 0; good && level < RULES_LEVELS; level++)
			if (check->stream == sample->stream && check->ordinal < sample->ordinal)
				good = end_run(judge, check, level);
	}
	return good;
}

bool
rules_judge_going_on(const struct rules_judge *judge, struct rules_episode *episode, bool *ended)
{
	uint32_t rule = (uint32_t)(episode->rule - judge->rules->list);
	uint32_t c = judge->first[episode->series->id];

	while (c != RULES_NONE && judge->checks[c].rule != rule)
		c = judge->checks[c].next;
	*ended = c == RULES_NONE || judge->checks[c].tallies == NULL ||
		 judge->checks[c].tallies[episode->level].run == NULL;
	return *ended || make_episode(judge, &judge->checks[c], episode->level, episode);
}

bool
rules_judge_add(struct rules_judge *judge, const struct pmon_sample *sample,
		const struct pmon_value *values)
{
	const struct layout *l = &judge->layout;

	if ((judge->seen < pmon_schema_count(judge->schema) && !rules_take_series(judge)) ||
	    !rules_lay_out(judge, sample))
		return false;
	// The operands of a comparison are in the same sample, at any position.
	for (size_t i = 0; i < l->n_linked; i++)
		if (pmon_vstat_has_value(values[l->linked[i]].status))
			judge->values[sample->series[l->linked[i]]] = values[l->linked[i]];
	for (size_t i = 0; i < l->n_checked; i++) {
		struct check *check = &judge->checks[l->checked[i].of];
		size_t at = l->checked[i].at;

		if (sample->lead_in)
			note_sample(check, sample, &sample->raw[at], &values[at]);
		else if (!judge_value(judge, check, sample, at, &values[at]))
			return false;
	}
	rules_meter(judge, sample, values);
	return finish_runs(judge) && end_missing(judge, sample);
}

// ---- The end --------------------------------------------------------------------------------

static void
free_tally(const struct rules_judge *judge, struct tally *t)
{
	free_run(t->run);
	rules_window_forget(t);
	if (!judge->options.episodes)
		free(t->gravest.who);
}

void
rules_judge_free(struct rules_judge *judge)
{
	if (judge == NULL)
		return;
	rules_free_machines(judge);
	for (size_t i = 0; i < judge->n_checks; i++) {
		struct check *check = &judge->checks[i];

		for (size_t level = 0; check->tallies != NULL && level < RULES_LEVELS; level++)
			free_tally(judge, &check->tallies[level]);
		free(check->tallies);
		rules_slope_forget(check);
	}
	free(judge->checks);
	free(judge->candidates);
	free(judge->matches);
	pmon_map_free(&judge->candidate_map, pmon_mem_allocator(NULL));
	rules_disks_free(&judge->disks);
	rules_processors_free(&judge->processors);
	free(judge->first);
	free(judge->values);
	free(judge->is_linked);
	rules_free_layout(&judge->layout);
	free(judge->findings);
	for (size_t i = 0; i < judge->n_episodes; i++)
		free(judge->episodes[i].who);
	free(judge->episodes);
	free(judge->meters);
	free(judge->meter_of);
	free(judge->met);
	free(judge);
}
