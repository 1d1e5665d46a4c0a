// judge.c - what a source has to say to rules: which thresholds were crossed, for how long, how far
// SPDX-License-Identifier: MIT

#include "rules/judge.h"

#include <stdlib.h>
#include <string.h>

#define MACHINES_MOST 1024 // whose series are judged
#define NONE          UINT32_MAX

// Time and samples beyond one limit.
struct tally {
	uint64_t beyond;
	int64_t beyond_100ns;
	uint64_t run_samples; // of the run that goes on
	int64_t run_100ns;
	pmon_time run_from;
	uint64_t longest_samples;
	int64_t longest_100ns;
	pmon_time longest_from;
	double measure; // the worst, as it is compared
	struct pmon_value worst;
	pmon_time worst_time;
};

// One series under one rule.
struct check {
	const struct pmon_series *series;
	uint32_t rule;
	uint32_t pattern; // of the rule, that matched
	uint32_t machine;
	uint32_t next;              // check of the same series
	uint32_t reference;         // series of `of`, or NONE
	uint32_t reference_pattern; // its pattern
	struct draw_unit unit;
	double reference_factor;
	uint64_t samples;
	int64_t time_100ns;
	bool begun; // the sample before had the series, at `time`
	pmon_time time;
	uint64_t ordinal;
	struct tally tallies[RULES_LEVELS];
};

struct machine {
	struct pmon_span name;
	struct pmon_span object;  // that processors are counted by
	struct pmon_span counter; // one of its counters, so that each is counted once
	size_t processors;
	uint32_t *patterns; // the first pattern of each rule that has a judged series here, or NONE
};

// A series that some rule refers to.
struct candidate {
	const struct pmon_series *series;
	uint32_t rule;
	uint32_t pattern;
};

struct rules_judge {
	const struct rules *rules;
	const struct pmon_schema *schema;
	size_t seen; // series of the schema
	struct check *checks;
	size_t n_checks;
	size_t cap_checks;
	struct candidate *candidates;
	size_t n_candidates;
	size_t cap_candidates;
	struct machine *machines;
	size_t n_machines;
	size_t cap_machines;
	uint32_t *first; // check of each series, or NONE
	size_t cap_first;
	struct pmon_value *values; // the newest of each series
	size_t cap_values;
	bool *unfit; // of each rule: a counter measures something else
	enum rules_outcome *outcomes;
	struct rules_finding *findings;
};

static bool
grow(void *list, size_t *cap, size_t n, size_t size)
{
	void *grown;
	size_t want = *cap == 0 ? 16 : *cap;

	if (n <= *cap)
		return true;
	while (want < n)
		want *= 2;
	memcpy(&grown, list, sizeof(grown));
	grown = realloc(grown, want * size);
	if (grown == NULL)
		return false;
	memcpy(list, &grown, sizeof(grown));
	*cap = want;
	return true;
}

struct rules_judge *
rules_judge_new(const struct rules *rules, const struct pmon_schema *schema)
{
	struct rules_judge *judge = calloc(1, sizeof(*judge));

	if (judge == NULL)
		return NULL;
	judge->rules = rules;
	judge->schema = schema;
	judge->unfit = calloc(rules->n + 1, sizeof(*judge->unfit));
	judge->outcomes = calloc(rules->n + 1, sizeof(*judge->outcomes));
	if (judge->unfit == NULL || judge->outcomes == NULL) {
		rules_judge_free(judge);
		return NULL;
	}
	return judge;
}

void
rules_judge_free(struct rules_judge *judge)
{
	if (judge == NULL)
		return;
	for (size_t i = 0; i < judge->n_machines; i++)
		free(judge->machines[i].patterns);
	free(judge->checks);
	free(judge->candidates);
	free(judge->machines);
	free(judge->first);
	free(judge->values);
	free(judge->unfit);
	free(judge->outcomes);
	free(judge->findings);
	free(judge);
}

// ---- Series that come -----------------------------------------------------------------------

// The machine of that name, which may be new; NONE when there are too many, or memory is short.
static uint32_t
machine_of(struct rules_judge *judge, struct pmon_span name)
{
	struct machine *m;

	for (size_t i = judge->n_machines; i-- > 0;)
		if (pmon_text_same(judge->machines[i].name, name))
			return (uint32_t)i;
	if (judge->n_machines == MACHINES_MOST ||
	    !grow(&judge->machines, &judge->cap_machines, judge->n_machines + 1, sizeof(*m)))
		return NONE;
	m = &judge->machines[judge->n_machines];
	*m = (struct machine){.name = name};
	m->patterns = malloc((judge->rules->n + 1) * sizeof(*m->patterns));
	if (m->patterns == NULL)
		return NONE;
	for (size_t i = 0; i < judge->rules->n; i++)
		m->patterns[i] = NONE;
	return (uint32_t)judge->n_machines++;
}

static bool
is_total(const struct pmon_path *path)
{
	return pmon_text_match(PMON_SPAN("*_Total"), path->instance);
}

// Processors are the instances of Processor; where those come second, Processor Information stands in.
static void
count_processor(struct machine *m, const struct pmon_path *path)
{
	bool plain = pmon_text_same(path->object, PMON_SPAN("Processor"));

	if ((!plain && !pmon_text_same(path->object, PMON_SPAN("Processor Information"))) ||
	    path->instance.ptr == NULL || is_total(path))
		return;
	if (m->object.ptr == NULL || (plain && !pmon_text_same(m->object, path->object))) {
		m->object = path->object;
		m->counter = path->counter;
		m->processors = 0;
	}
	m->processors += pmon_text_same(m->object, path->object) &&
			 pmon_text_same(m->counter, path->counter);
}

static bool
is_excepted(const struct rules_rule *rule, const struct pmon_path *path)
{
	for (size_t i = 0; i < rule->excepts.n; i++)
		if (pmon_text_match(rule->excepts.list[i], path->instance))
			return true;
	return false;
}

static uint32_t
matching(const struct rules_patterns *patterns, const struct pmon_path *path)
{
	for (size_t i = 0; i < patterns->n; i++)
		if (pmon_path_match(&patterns->list[i], path))
			return (uint32_t)i;
	return NONE;
}

// Is the limit in what the counter measures? One without a unit is for any, one of `of` for a share.
static bool
fits(const struct rules_rule *rule, struct draw_unit unit)
{
	for (size_t i = 0; rule->of.n == 0 && i < RULES_LEVELS; i++) {
		const struct draw_threshold *t = &rule->limits[i].threshold;

		if (rule->limits[i].given && !t->any && t->quantity != unit.quantity)
			return false;
	}
	return true;
}

static bool
add_check(struct rules_judge *judge, const struct pmon_series *series, uint32_t rule,
	  uint32_t machine)
{
	const struct rules_rule *r = &judge->rules->list[rule];
	uint32_t pattern = matching(&r->counters, &series->path);
	struct check check = {.series = series,
			      .rule = rule,
			      .pattern = pattern,
			      .machine = machine,
			      .next = judge->first[series->id],
			      .reference = NONE,
			      .reference_pattern = NONE,
			      .unit = draw_unit_of(series)};

	if (pattern == NONE || machine == NONE || is_excepted(r, &series->path))
		return true;
	if (!fits(r, check.unit)) {
		judge->unfit[rule] = true;
		return true;
	}
	if (!grow(&judge->checks, &judge->cap_checks, judge->n_checks + 1, sizeof(check)))
		return false;
	judge->first[series->id] = (uint32_t)judge->n_checks;
	judge->checks[judge->n_checks++] = check;
	return true;
}

static bool
add_candidate(struct rules_judge *judge, const struct pmon_series *series, uint32_t rule)
{
	uint32_t pattern = matching(&judge->rules->list[rule].of, &series->path);

	if (pattern == NONE)
		return true;
	if (!grow(&judge->candidates, &judge->cap_candidates, judge->n_candidates + 1,
		  sizeof(*judge->candidates)))
		return false;
	judge->candidates[judge->n_candidates++] = (struct candidate){series, rule, pattern};
	return true;
}

// Is the candidate what the series is compared with? Where its pattern leaves the instance open, it is
// the same one.
static bool
belongs(const struct rules_rule *rule, const struct candidate *c, const struct pmon_path *path)
{
	const struct pmon_path *other = &c->series->path;
	struct pmon_span open = rule->of.list[c->pattern].instance;

	if (!pmon_text_same(other->machine, path->machine))
		return false;
	if (open.len == 0 ||
	    (memchr(open.ptr, '*', open.len) == NULL && memchr(open.ptr, '?', open.len) == NULL))
		return true;
	return pmon_text_same(other->instance, path->instance) &&
	       pmon_text_same(other->parent, path->parent) && other->index == path->index;
}

static void
refer(struct rules_judge *judge, struct check *check, size_t from)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];

	for (size_t i = from; rule->of.n > 0 && i < judge->n_candidates; i++) {
		const struct candidate *c = &judge->candidates[i];

		if (c->rule != check->rule || c->pattern >= check->reference_pattern ||
		    !belongs(rule, c, &check->series->path))
			continue;
		check->reference = c->series->id;
		check->reference_pattern = c->pattern;
		check->reference_factor = draw_unit_of(c->series).factor;
	}
}

// Look at the series that have come since.
static bool
take_series(struct rules_judge *judge)
{
	size_t n = pmon_schema_count(judge->schema);
	size_t old_checks = judge->n_checks;
	size_t old_candidates = judge->n_candidates;

	if (!grow(&judge->first, &judge->cap_first, n, sizeof(*judge->first)) ||
	    !grow(&judge->values, &judge->cap_values, n, sizeof(*judge->values)))
		return false;
	for (; judge->seen < n; judge->seen++) {
		const struct pmon_series *series = pmon_schema_at(judge->schema, judge->seen);
		uint32_t machine = machine_of(judge, series->path.machine);

		judge->first[judge->seen] = NONE;
		judge->values[judge->seen] = (struct pmon_value){.status = PMON_V_NO_DATA};
		if (machine != NONE)
			count_processor(&judge->machines[machine], &series->path);
		for (uint32_t i = 0; i < judge->rules->n; i++)
			if (!add_check(judge, series, i, machine) ||
			    !add_candidate(judge, series, i))
				return false;
	}
	for (size_t i = judge->n_candidates > old_candidates ? 0 : old_checks; i < judge->n_checks;
	     i++)
		refer(judge, &judge->checks[i], i < old_checks ? old_candidates : 0);
	return true;
}

// ---- Values ---------------------------------------------------------------------------------

// The value as it is compared with a limit; false when it cannot be.
static bool
measure_of(const struct rules_judge *judge, const struct check *check,
	   const struct rules_limit *limit, const struct pmon_value *value, double *out)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	const struct machine *machine = &judge->machines[check->machine];
	double factor = limit->threshold.any ? 1 : check->unit.factor;

	*out = value->value * rule->times;
	if (rule->per_processor && machine->processors == 0)
		return false;
	if (rule->per_processor)
		*out /= (double)machine->processors;
	if (rule->of.n > 0) {
		const struct pmon_value *whole =
			check->reference != NONE ? &judge->values[check->reference] : NULL;

		if (whole == NULL || !pmon_vstat_has_value(whole->status) || whole->value <= 0)
			return false;
		*out *= 100 * check->unit.factor / (whole->value * check->reference_factor);
		return true;
	}
	*out *= factor;
	return true;
}

static bool
is_beyond(const struct rules_limit *limit, double measure)
{
	double value = limit->threshold.value;

	if (limit->or_equal && measure == value)
		return true;
	return limit->threshold.below ? measure < value : measure > value;
}

static void
end_run(struct tally *t)
{
	t->run_samples = 0;
	t->run_100ns = 0;
}

static void
add_beyond(struct tally *t, pmon_time time, int64_t length_100ns)
{
	if (t->run_samples == 0)
		t->run_from = time - length_100ns;
	t->beyond++;
	t->beyond_100ns += length_100ns;
	t->run_samples++;
	t->run_100ns += length_100ns;
	if (t->run_samples > t->longest_samples)
		t->longest_samples = t->run_samples;
	if (t->run_100ns > t->longest_100ns || t->beyond == 1) {
		t->longest_100ns = t->run_100ns;
		t->longest_from = t->run_from;
	}
}

static void
keep_worst(struct tally *t, const struct rules_limit *limit, double measure,
	   const struct pmon_value *value, pmon_time time)
{
	if (t->beyond > 1 &&
	    (limit->threshold.below ? measure >= t->measure : measure <= t->measure))
		return;
	t->measure = measure;
	t->worst = *value;
	t->worst_time = time;
}

static void
judge_value(struct rules_judge *judge, struct check *check, const struct pmon_sample *sample,
	    const struct pmon_value *value)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	bool joined = check->begun && sample->ordinal == check->ordinal + 1 &&
		      sample->time >= check->time;
	int64_t length = joined ? sample->time - check->time : 0;
	bool judged = false;

	check->begun = true;
	check->ordinal = sample->ordinal;
	check->time = sample->time;
	for (size_t i = 0; i < RULES_LEVELS; i++) {
		const struct rules_limit *limit = &rule->limits[i];
		struct tally *t = &check->tallies[i];
		double measure;

		if (!limit->given)
			continue;
		if (!joined || !pmon_vstat_has_value(value->status))
			end_run(t);
		if (!pmon_vstat_has_value(value->status) ||
		    !measure_of(judge, check, limit, value, &measure))
			continue;
		judged = true;
		if (!is_beyond(limit, measure)) {
			end_run(t);
			continue;
		}
		add_beyond(t, sample->time, length);
		keep_worst(t, limit, measure, value, sample->time);
	}
	check->samples += judged;
	check->time_100ns += judged ? length : 0;
}

bool
rules_judge_add(struct rules_judge *judge, const struct pmon_sample *sample,
		const struct pmon_value *values)
{
	if (judge->seen < pmon_schema_count(judge->schema) && !take_series(judge))
		return false;
	// The operands of a comparison are in the same sample, at any position.
	for (size_t i = 0; i < sample->n; i++)
		if (pmon_vstat_has_value(values[i].status))
			judge->values[sample->series[i]] = values[i];
	for (size_t i = 0; i < sample->n; i++) {
		uint32_t c = judge->first[sample->series[i]];

		for (; c != NONE; c = judge->checks[c].next) {
			struct check *check = &judge->checks[c];

			if (!sample->lead_in) {
				judge_value(judge, check, sample, &values[i]);
				continue;
			}
			check->begun = true;
			check->ordinal = sample->ordinal;
			check->time = sample->time;
		}
	}
	return true;
}

// ---- Findings -------------------------------------------------------------------------------

static double
share_of(const struct check *check, const struct tally *t)
{
	if (check->time_100ns > 0)
		return (double)t->beyond_100ns / (double)check->time_100ns;
	return check->samples > 0 ? (double)t->beyond / (double)check->samples : 0;
}

static bool
lasts(const struct rules_rule *rule, const struct check *check, const struct tally *t)
{
	if (t->beyond == 0)
		return false;
	switch (rule->lasting) {
	case RULES_SAMPLES:
		return t->longest_samples >= rule->samples;
	case RULES_TIME:
		return t->longest_100ns >= rule->time_100ns;
	case RULES_SHARE:
		return share_of(check, t) >= rule->share;
	}
	return false;
}

static struct rules_finding
finding_of(const struct rules_judge *judge, const struct check *check, enum rules_level level)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	const struct tally *t = &check->tallies[level];
	double limit = rule->limits[level].threshold.value;

	if (rule->per_processor)
		limit *= (double)judge->machines[check->machine].processors;
	return (struct rules_finding){.rule = rule,
				      .series = check->series,
				      .level = level,
				      .limit = limit,
				      .samples = check->samples,
				      .beyond = t->beyond,
				      .time_100ns = check->time_100ns,
				      .beyond_100ns = t->beyond_100ns,
				      .share = share_of(check, t),
				      .longest_100ns = t->longest_100ns,
				      .longest_samples = t->longest_samples,
				      .longest_from = t->longest_from,
				      .worst = t->worst,
				      .worst_time = t->worst_time};
}

static int
graver_first(const void *a, const void *b)
{
	const struct rules_finding *x = a;
	const struct rules_finding *y = b;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	if (x->share != y->share)
		return x->share > y->share ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

// If a rule names several counters, the first that has values on a machine is judged.
static void
choose_patterns(struct rules_judge *judge)
{
	for (size_t i = 0; i < judge->n_checks; i++) {
		const struct check *check = &judge->checks[i];
		uint32_t *first = &judge->machines[check->machine].patterns[check->rule];

		if (check->samples > 0 && check->pattern < *first)
			*first = check->pattern;
	}
}

static bool
is_first(const struct rules_judge *judge, const struct check *check)
{
	return check->pattern == judge->machines[check->machine].patterns[check->rule];
}

static void
note_outcome(struct rules_judge *judge, const struct check *check, bool crossed)
{
	enum rules_outcome *outcome = &judge->outcomes[check->rule];
	enum rules_outcome mine = crossed              ? RULES_CROSSED
				  : check->samples > 0 ? RULES_KEPT
						       : RULES_NO_REFERENCE;

	// A series without any value does not need a reference.
	if (mine == RULES_NO_REFERENCE &&
	    !pmon_vstat_has_value(judge->values[check->series->id].status))
		return;
	*outcome = mine > *outcome ? mine : *outcome;
}

const struct rules_finding *
rules_judge_findings(struct rules_judge *judge, size_t *n)
{
	*n = 0;
	free(judge->findings);
	judge->findings = calloc(judge->n_checks + 1, sizeof(*judge->findings));
	if (judge->findings == NULL)
		return NULL;
	choose_patterns(judge);
	for (size_t i = 0; i < judge->rules->n; i++)
		judge->outcomes[i] = judge->unfit[i] ? RULES_NO_UNIT : RULES_NO_COUNTER;
	for (size_t i = 0; i < judge->n_checks; i++) {
		const struct check *check = &judge->checks[i];
		const struct rules_rule *rule = &judge->rules->list[check->rule];
		bool crossed = false;

		for (int level = RULES_LEVELS - 1; level >= 0 && !crossed; level--)
			if (is_first(judge, check) && lasts(rule, check, &check->tallies[level])) {
				judge->findings[(*n)++] =
					finding_of(judge, check, (enum rules_level)level);
				crossed = true;
			}
		note_outcome(judge, check, crossed);
	}
	qsort(judge->findings, *n, sizeof(*judge->findings), graver_first);
	return judge->findings;
}

enum rules_outcome
rules_judge_outcome(const struct rules_judge *judge, size_t i, size_t *series)
{
	*series = 0;
	for (size_t j = 0; j < judge->n_checks; j++)
		*series += judge->checks[j].rule == i && judge->checks[j].samples > 0 &&
			   is_first(judge, &judge->checks[j]);
	return judge->outcomes[i];
}

size_t
rules_judge_processors(const struct rules_judge *judge, struct pmon_span machine)
{
	for (size_t i = 0; i < judge->n_machines; i++)
		if (pmon_text_same(judge->machines[i].name, machine))
			return judge->machines[i].processors;
	return 0;
}
