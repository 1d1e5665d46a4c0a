// judge.c - evaluate rule limits: which values are beyond them, for how long, by how much
// SPDX-License-Identifier: MIT

#include "rules/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/prefetch.h"
#include "core/calc.h"
#include "rules/state.h"

#define AHEAD 4 // checks that are prefetched

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
		return rules_run_length(run) >= hold->time_100ns;
	case RULES_SHARE:
		break;
	}
	return true;
}

// The list of busy instances is owned by the list of all episodes or, without one, by each series' worst episode.
static void
note_episode(struct rules_judge *judge, struct tally *t, const struct rules_episode *episode)
{
	bool is_gravest = t->episodes == 0 || episode->excess_seconds > t->gravest.excess_seconds;

	if (!judge->options.episodes)
		free(is_gravest ? t->gravest.who : episode->who);
	t->episodes++;
	if (is_gravest)
		t->gravest = *episode;
	if (t->episodes > 1 && episode->length_100ns <= t->longest_100ns)
		return;
	t->longest_samples = episode->samples;
	t->longest_100ns = episode->length_100ns;
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

static bool
is_trend(const struct rules_judge *judge, const struct check *check)
{
	return judge->rules->list[check->rule].trend_100ns > 0;
}

// Slopes are compared in the unit of the limit; episodes store them in the unit of the series.
static double
slope_unit(const struct rules_rule *rule, const struct check *check)
{
	return rule->limits[RULES_WARNING].threshold.any || rule->of.n > 0 ? 1 : check->unit.factor;
}

bool
rules_make_episode(const struct rules_judge *judge, const struct check *check, size_t level,
		   struct rules_episode *out)
{
	const struct rules_run *run = check->tallies[level].run;

	*out = (struct rules_episode){.rule = &judge->rules->list[check->rule],
				      .series = check->series,
				      .level = (enum rules_level)level,
				      .limit = rules_limit_of(judge, check, level)};
	rules_run_result(run, out);
	rules_average_latency(run, out);
	out->slope = is_trend(judge, check) ? run->measure / slope_unit(out->rule, check) : NAN;
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

// End a check's run. False if memory runs out.
static bool
end_run(struct rules_judge *judge, struct check *check, size_t level)
{
	struct tally *t = check->tallies != NULL ? &check->tallies[level] : NULL;
	bool good = true;

	if (t == NULL || t->run == NULL)
		return true;
	if (t->run->is_raised) {
		struct rules_episode episode;

		good = rules_make_episode(judge, check, level, &episode);
		tell(judge, t->run, RULES_ENDS, &episode);
		judge->n_raised--;
		note_episode(judge, t, &episode);
		good = good && (!judge->options.episodes || keep_episode(judge, &episode));
	}
	t->may_be_longer |= t->run->is_cut && !t->run->is_raised;
	free_run(t->run);
	t->run = NULL;
	return good;
}

// The same if the data after it is unknown.
static bool
cut_run(struct rules_judge *judge, struct check *check, size_t level)
{
	if (check->tallies != NULL && check->tallies[level].run != NULL)
		check->tallies[level].run->is_cut = true;
	return end_run(judge, check, level);
}

bool
rules_judge_end(struct rules_judge *judge)
{
	bool good = true;

	for (size_t i = 0; good && i < judge->n_checks; i++)
		for (size_t level = RULES_LEVELS; good && level-- > 0;)
			good = cut_run(judge, &judge->checks[i], level);
	return good;
}

static bool
begin_run(struct rules_judge *judge, const struct check *check, struct tally *t,
	  struct rules_interval *interval)
{
	const struct rules_moment from = {interval->from, interval->steady - interval->length_100ns,
					  interval->elapsed_100ns - interval->length_100ns};
	struct pmon_calc calc;

	t->run = malloc(sizeof(*t->run));
	if (t->run == NULL)
		return false;
	pmon_calc_init(&calc, &check->series->counter, judge->options.calc);
	if (is_trend(judge, check)) {
		rules_slope_begin(check, &calc, interval, t->run);
		interval->length_100ns = interval->elapsed_100ns - t->run->from.elapsed_100ns;
	} else
		rules_run_begin(t->run, &calc,
				check->last.begun && interval->length_100ns > 0 ? &check->raw
										: NULL,
				&from);
	// One interval within the limit before it would not have ended an earlier run.
	t->run->is_cut = interval->length_100ns == 0 || check->in_row < 2;
	t->run->flow_from = rules_read_flow(judge, check);
	return interval->length_100ns == 0 || judge->rules->list[check->rule].shows.n == 0 ||
	       (t->run->began = rules_read_meters(judge, check)) != NULL;
}

// Record that the newest sample extended a run.
static bool
meet(struct rules_judge *judge, const struct check *check, size_t level)
{
	if (!rules_grow(&judge->met, &judge->cap_met, judge->n_met + 1, sizeof(*judge->met)))
		return false;
	judge->met[judge->n_met++] =
		(struct met){(uint32_t)(check - judge->checks), (uint32_t)level};
	return true;
}

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

	if (run == NULL || run->is_raised)
		return true;
	run->is_raised = true;
	judge->n_raised++;
	if (judge->options.on_event == NULL)
		return true;
	run->is_reported = rules_is_first(judge, check);
	good = rules_make_episode(judge, check, level, &episode);
	tell(judge, run, RULES_BEGINS, &episode);
	free(episode.who);
	return good;
}

// Did enough operations take so long that it means something? They did, where their number is not known.
static bool
has_operations(const struct rules_rule *rule, const struct rules_run *run)
{
	struct rules_episode episode;

	if (rule->operations == 0)
		return true;
	rules_run_result(run, &episode);
	rules_average_latency(run, &episode);
	return !(episode.operations < (double)rule->operations);
}

// A critical episode raises the warning that contains it, which begins no later.
static bool
raise_runs(struct rules_judge *judge, const struct check *check, size_t level)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	struct tally *t = &check->tallies[level];
	bool good = true;

	if (t->run->is_raised || !lasts_long_enough(rule, level, t))
		return true;
	t->had_few = !has_operations(rule, t->run);
	if (t->had_few)
		return true;
	for (size_t i = 0; good && i <= level; i++)
		good = raise_run(judge, check, i);
	return good;
}

// Process the runs that the newest sample extended, after the meters counted it.
static bool
finish_runs(struct rules_judge *judge)
{
	bool good = true;

	for (size_t i = 0; good && i < judge->n_met; i++) {
		const struct check *check = &judge->checks[judge->met[i].check];
		struct rules_run *run = check->tallies[judge->met[i].level].run;

		run->flow_to = rules_read_flow(judge, check);
		good = read_meters(judge, check, run);
	}
	for (size_t i = 0; good && i < judge->n_met; i++)
		good = raise_runs(judge, &judge->checks[judge->met[i].check], judge->met[i].level);
	judge->n_met = 0;
	return good;
}

// Add a judged interval. False if memory runs out.
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
			is_over = rules_window_is_over(t, rule, interval->elapsed_100ns);
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
		t->run->worst = *interval->value; // the worst value so far
		t->run->worst_time = interval->time;
	}
	return meet(judge, check, level);
}

// ---- Tallies --------------------------------------------------------------------------------

// End the run and the window at a gap or at a value that could not be computed. A trend continues
// across it. False if memory runs out.
static bool
end_here(struct rules_judge *judge, struct check *check, size_t level)
{
	if (is_trend(judge, check))
		return true;
	rules_slope_forget(check);
	if (check->tallies == NULL)
		return true;
	rules_window_forget(&check->tallies[level]);
	return cut_run(judge, check, level);
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
	NOT_YET, // the range of a trend is not covered yet
	SKIPPED, // the clock was set, so nothing is known about the interval
	MISSING, // no raw value: the next one is the end of an interval that begins with the last one
	CANNOT, // no value, or no reference to compare it with
	NO_MEMORY,
};

// Compare the value, if possible, and return its standing.
static enum answer
compare(struct rules_judge *judge, struct check *check, size_t level,
	struct rules_interval *interval, enum standing *standing)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	bool known = true;

	if (interval->value->status == PMON_V_STEPPED)
		return SKIPPED;
	if (!pmon_raw_usable(interval->raw))
		return MISSING;
	if (judge->pace->is_back && !pmon_vstat_has_value(interval->value->status))
		return SKIPPED;
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

// Judge one level of a rule. *judged becomes true if the value could be compared. False if memory
// runs out.
static bool
judge_level(struct rules_judge *judge, struct check *check, size_t level,
	    struct rules_interval *interval, bool *judged)
{
	const struct rules_limit *limit = &judge->rules->list[check->rule].limits[level];
	enum standing standing = WITHIN;

	if (interval->is_apart && !end_here(judge, check, level))
		return false;
	switch (compare(judge, check, level, interval, &standing)) {
	case JUDGED:
		break;
	case NOT_YET: // also after a gap too long for the range
		return cut_run(judge, check, level);
	case SKIPPED:
		if (check->tallies != NULL && check->tallies[level].run != NULL)
			rules_run_skip(check->tallies[level].run, interval->raw);
		return true;
	case MISSING:
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

// A sample without a raw value of the series changes nothing, as if it were not in the log.
static void
note_sample(struct rules_judge *judge, struct check *check, const struct pmon_sample *sample,
	    const struct pmon_raw *raw, const struct pmon_value *value)
{
	check->newest = sample->ordinal;
	if (!pmon_raw_usable(raw))
		return;
	check->has_value |= pmon_vstat_has_value(value->status);
	check->raw = *raw;
	rules_seen(&check->last, judge->pace, sample);
}

// If a rule names several counters, the first that has values on a machine is used.
static void
note_judged(struct rules_judge *judge, struct check *check, int64_t length_100ns)
{
	if (check->samples == 0) {
		struct on_machine *here = &judge->machines[check->machine].rules[check->rule];

		if (check->pattern < here->pattern)
			here->pattern = check->pattern;
	}
	check->samples++;
	check->in_row++;
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

// Is the value within all limits without ending a run? Nearly all values are.
static bool
is_quiet(const struct rules_judge *judge, const struct check *check, const struct pmon_value *value)
{
	return value->value > check->above && value->value < check->below && !check->goes_on &&
	       pmon_vstat_has_value(value->status) &&
	       (check->when.series == RULES_NONE || rules_linked(judge, &check->when) != NULL);
}

// Does the value leave the slope of a trend and its run unchanged? Only the last value of each part
// of the range does not.
static bool
is_quiet_trend(struct check *check, const struct rules_interval *interval, bool *judged)
{
	const struct pmon_value *value = interval->value;

	return check->is_plain_trend && !interval->is_apart && !check->goes_on &&
	       pmon_vstat_has_value(value->status) &&
	       rules_slope_goes_on(check, value->value * check->times * check->factor,
				   interval->steady, judged);
}

static bool
judge_value(struct rules_judge *judge, struct check *check, const struct pmon_sample *sample,
	    size_t i, const struct pmon_value *value)
{
	struct rules_since since = rules_since(&check->last, judge->pace, sample);
	struct rules_interval interval = {.raw = &sample->raw[i],
					  .value = value,
					  .from = since.from,
					  .time = sample->time,
					  .steady = pmon_pace_steady(judge->pace),
					  .elapsed_100ns = judge->pace->elapsed_100ns,
					  .length_100ns = since.length_100ns,
					  .is_apart = since.is_apart};
	bool judged = is_quiet(judge, check, value);
	bool good = true;

	if (since.is_apart)
		check->in_row = 0;
	if (!judged && !is_quiet_trend(check, &interval, &judged)) {
		const struct rules_rule *rule = &judge->rules->list[check->rule];

		// A critical episode lies within a warning, so it must end first.
		for (size_t level = RULES_LEVELS; good && level-- > 0;)
			if (rule->limits[level].given)
				good = judge_level(judge, check, level, &interval, &judged);
		check->goes_on = goes_on(check);
	}
	note_sample(judge, check, sample, &sample->raw[i], value);
	if (!judged && value->status != PMON_V_STEPPED && pmon_raw_usable(&sample->raw[i]))
		check->in_row = 0;
	if (judged)
		note_judged(judge, check, interval.length_100ns);
	return good;
}

// Is a series gone, as far as anyone can tell yet? It has had no raw value for so long that it is a gap. A trend continues
// across gaps, and across samples without any values, but needs the series in the others.
static bool
is_gone(const struct rules_judge *judge, const struct check *check,
	const struct pmon_sample *sample)
{
	if (check->last.stream != sample->stream)
		return false;
	if (is_trend(judge, check))
		return check->newest < sample->ordinal && sample->n > 0;
	return check->last.ordinal < sample->ordinal &&
	       rules_since(&check->last, judge->pace, sample).is_apart;
}

// For on_event(): end the episodes of series that are missing, because this sample may be the last.
// False if memory runs out.
static bool
end_missing(struct rules_judge *judge, const struct pmon_sample *sample)
{
	bool good = true;

	if (judge->options.on_event == NULL || judge->n_raised == 0)
		return true;
	for (size_t i = 0; good && i < judge->n_checks; i++) {
		struct check *check = &judge->checks[i];

		for (size_t level = RULES_LEVELS; good && level-- > 0;)
			if (is_gone(judge, check, sample))
				good = cut_run(judge, check, level);
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
	return *ended || rules_make_episode(judge, &judge->checks[c], episode->level, episode);
}

// A sample between two parts of the window ends what lasted in the part before.
static bool
leave_part(struct rules_judge *judge, struct check *check)
{
	bool good = true;

	check->in_row = 0;
	for (size_t level = RULES_LEVELS; good && level-- > 0;)
		good = end_here(judge, check, level);
	check->goes_on = goes_on(check);
	return good;
}

static bool
note_lead(struct rules_judge *judge, struct check *check, const struct pmon_sample *sample,
	  size_t at, const struct pmon_value *value)
{
	bool good = sample->starts || leave_part(judge, check);

	note_sample(judge, check, sample, &sample->raw[at], value);
	return good;
}

// Fields used for each value come first.
static inline void
prefetch(const struct check *check)
{
	pmon_prefetch(&check->above);
	pmon_prefetch(&check->samples);
	pmon_prefetch(&check->factor);
}

bool
rules_judge_add(struct rules_judge *judge, const struct pmon_sample *sample,
		const struct pmon_value *values)
{
	const struct layout *l = &judge->layout;

	judge->pace = pmon_paces_add(&judge->paces, sample);
	if (judge->pace == NULL ||
	    (judge->seen < pmon_schema_count(judge->schema) && !rules_take_series(judge)) ||
	    !rules_lay_out(judge, sample))
		return false;
	// The operands of a comparison are somewhere in the same sample.
	for (size_t i = 0; i < l->n_linked; i++)
		if (pmon_vstat_has_value(values[l->linked[i]].status))
			judge->values[sample->series[l->linked[i]]] = values[l->linked[i]];
	for (size_t i = 0; i < l->n_checked; i++) {
		struct check *check = &judge->checks[l->checked[i].of];
		size_t at = l->checked[i].at;

		if (i + AHEAD < l->n_checked)
			prefetch(&judge->checks[l->checked[i + AHEAD].of]);
		if (!(sample->preceding ? note_lead(judge, check, sample, at, &values[at])
					: judge_value(judge, check, sample, at, &values[at])))
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
	pmon_paces_free(&judge->paces);
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
	pmon_rates_free(&judge->rates);
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
