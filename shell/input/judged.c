// judged.c - read logs once and evaluate rules on them
// SPDX-License-Identifier: MIT

#include "shell/input/judged.h"

#include <stdlib.h>
#include <string.h>

#include "shell/args/verb.h"
#include "shell/output/episode.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/output/sentences.h"
#include "shell/process/sandbox.h"
#include "shell/input/logs_apart.h"
#include "shell/input/rules_file.h"

// ---- Counters -------------------------------------------------------------------------------

static bool
add_pattern(void *ctx, struct pmon_span text, bool is_beside)
{
	struct judged *j = ctx;
	char *copy = strndup(text.ptr, text.len);
	char **grown = realloc(j->patterns, (j->n_patterns + 1) * sizeof(*grown));

	j->patterns = grown != NULL ? grown : j->patterns;
	if (copy == NULL || grown == NULL) {
		free(copy);
		return false;
	}
	j->patterns[j->n_patterns++] = copy;
	return words_add(is_beside || j->may_lack ? &j->request.added : &j->request.patterns, copy);
}

static bool
add_meaning(void *ctx, struct pmon_span pattern)
{
	return add_pattern(ctx, pattern, true);
}

// The counters that incidents are found in.
static bool
ask_for_incidents(struct judged *j)
{
	return !j->finds_incidents || (tracks_begin(&j->incidents.tracks) &&
				       tracks_needs(&j->incidents.tracks, add_meaning, j));
}

int
judged_ask(struct judged *j, const struct args *args)
{
	j->args = args;
	j->request = request_from(args);
	j->request.by_process |= args->identity != IDENTITY_WINDOWS;
	j->request.patterns = (struct words){.n = 0};
	return rules_needs(&j->rules, add_pattern, j) && ask_for_incidents(j)
		       ? EXIT_DONE
		       : say(EXIT_FAILED, "not enough memory");
}

// ---- Reading --------------------------------------------------------------------------------

int
judged_add(struct judged *j, const struct pmon_sample *sample, const struct pmon_value **values)
{
	struct pmon_err err;
	enum pmon_status status =
		j->only_values ? pmon_values_add(&j->values, sample, values, &err)
			       : pmon_statistics_add(j->statistics, sample, values, &err);

	if (status != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return rules_judge_add(j->judge, sample, *values) ? EXIT_DONE
							  : say(EXIT_FAILED, "not enough memory");
}

static int
read_all(struct judged *j)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	pmon_time first = INT64_MAX;
	pmon_time last = INT64_MIN;
	int status = EXIT_DONE;

	while (logs_next(&j->logs, &sample, &status)) {
		status = judged_add(j, sample, &values);
		if (status != EXIT_DONE)
			return status;
		if (j->finds_incidents &&
		    !tracks_add(&j->incidents.tracks, pmon_source_schema(j->logs.source), sample,
				values))
			return say(EXIT_FAILED, "not enough memory");
		if (j->each != NULL && !j->each(j->ctx, sample, values))
			return say(EXIT_FAILED, "not enough memory");
		first = sample->time < first ? sample->time : first;
		last = sample->time > last ? sample->time : last;
	}
	if (rules_judge_has_more_machines(j->judge))
		say(0, "only the first %d machines were judged; the log has more", RULES_MACHINES);
	j->spans_days = clock_spans_days(&j->logs.clock, first, last);
	j->first = first <= last ? first : PMON_TIME_NONE;
	j->last = first <= last ? last : PMON_TIME_NONE;
	return status;
}

static int
open_logs(struct judged *j)
{
	const struct apart_options apart = {.checks_patterns = !j->may_lack};

	return sandbox_is_apart(j->args) ? logs_open_apart(&j->logs, &j->request, &apart)
					 : logs_open(&j->logs, &j->request);
}

int
judged_open(struct judged *j, const struct rules_options *options)
{
	const struct pmon_schema *schema;
	struct pmon_err err;
	int status = open_logs(j);

	j->is_open = true;
	if (status == EXIT_DONE && j->opened != NULL)
		status = j->opened(j->ctx);
	if (status != EXIT_DONE)
		return status;
	schema = pmon_source_schema(j->logs.source);
	j->judge = rules_judge_new(&j->rules, schema, options);
	if (j->only_values)
		pmon_values_init(&j->values, schema, &j->args->calc, NULL);
	if (j->judge == NULL ||
	    (!j->only_values &&
	     pmon_statistics_new(schema, &j->args->calc, NULL, &j->statistics, &err) != PMON_OK))
		return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

int
judged_read(struct judged *j, bool keep_episodes)
{
	const struct rules_options options = {.calc = &j->args->calc, .episodes = keep_episodes};
	int status = judged_open(j, &options);

	return status == EXIT_DONE ? read_all(j) : status;
}

// ---- Results --------------------------------------------------------------------------------

static int
gravest_first(const void *a, const void *b)
{
	const struct rules_episode *x = ((const struct rules_finding *)a)->gravest;
	const struct rules_episode *y = ((const struct rules_finding *)b)->gravest;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	if (x->excess_seconds != y->excess_seconds)
		return x->excess_seconds > y->excess_seconds ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

bool
judged_lacks_pack(const struct judged *j, size_t rule, size_t machine)
{
	return rules_judge_lacks_pack(j->judge, &j->rules, rule, machine);
}

bool
judged_lists(const struct judged *j, size_t rule, size_t machine)
{
	return !judged_lacks_pack(j, rule, machine) || rules_begins_pack(&j->rules, rule);
}

enum judged_as
judged_as(const struct judged *j, size_t rule, size_t machine)
{
	switch (rules_judge_outcome_on(j->judge, rule, machine)) {
	case RULES_CROSSED:
		return JUDGED_CROSSED;
	case RULES_KEPT:
		return JUDGED_WITHIN;
	case RULES_BEYOND:
		return JUDGED_BEYOND;
	default:
		return judged_lists(j, rule, machine) ? JUDGED_NOT : JUDGED_IN_PACK;
	}
}

static void
count_others(struct judged *j)
{
	for (size_t m = 0; m < rules_judge_machines(j->judge); m++)
		for (size_t i = 0; i < j->rules.n; i++) {
			enum judged_as as = judged_as(j, i, m);

			j->within += as == JUDGED_WITHIN;
			j->beyond += as == JUDGED_BEYOND;
			j->not_judged += as == JUDGED_NOT;
		}
}

// Print the name of a rule, with the machine if there are several.
static void
put_name(const struct judged *j, struct pmon_text *t, size_t rule, size_t machine)
{
	pmon_text_span(t, j->rules.list[rule].name);
	if (rules_judge_machines(j->judge) < 2)
		return;
	pmon_text_str(t, " (");
	pmon_text_span(t, rules_judge_machine(j->judge, machine));
	pmon_text_char(t, ')');
}

// The longest time that a rule requires; 0: none.
static int64_t
longest_hold(const struct rules_rule *rule)
{
	int64_t longest = rule->within_100ns;

	for (size_t level = 0; level < RULES_LEVELS; level++) {
		const struct rules_limit *limit = &rule->limits[level];
		const struct rules_hold *hold = limit->has_own_hold ? &limit->hold : &rule->hold;

		if (limit->given && hold->time_100ns > longest)
			longest = hold->time_100ns;
	}
	return longest;
}

void
judged_put_reason(const struct judged *j, struct pmon_text *t, size_t rule, size_t machine)
{
	enum rules_outcome outcome = rules_judge_outcome_on(j->judge, rule, machine);
	int64_t longest = longest_hold(&j->rules.list[rule]);
	const char *reason =
		judged_lacks_pack(j, rule, machine) ? "no counters" : rules_reason(outcome);

	pmon_text_str(t, reason != NULL ? reason : "");
	if (outcome != RULES_UNSETTLED || longest == 0)
		return;
	pmon_text_str(t, " (");
	episode_put_length(t, longest);
	pmon_text_char(t, ')');
}

void
judged_put_beyond(const struct judged *j, struct pmon_text *t)
{
	size_t n = 0;

	for (size_t m = 0; m < rules_judge_machines(j->judge); m++)
		for (size_t i = 0; i < j->rules.n; i++) {
			if (judged_as(j, i, m) != JUDGED_BEYOND)
				continue;
			pmon_text_str(t, n++ > 0 ? ", " : "");
			put_name(j, t, i, m);
		}
}

static bool
note_name(struct judged *j, const char *name)
{
	return rules_judge_note_machine(j->judge, (struct pmon_span){name, strlen(name)});
}

// Machines without any counter that a rule needs have no series here, so no rule could be evaluated
// for them.
static bool
note_machines(struct judged *j)
{
	const char *name;

	for (size_t i = 0; (name = files_machine(j->logs.files, i)) != NULL; i++)
		if (!note_name(j, name))
			return false;
	if (rules_judge_machines(j->judge) > 0 || j->logs.source == NULL)
		return true;
	return note_name(j, pmon_source_info(j->logs.source)->machine);
}

// ---- Incidents of chosen rules --------------------------------------------------------------

struct chosen {
	const struct judged *judged;
	struct pmon_select *select; // the counters that the rules judge
};

static bool
add_chosen(void *ctx, struct pmon_span pattern, bool is_beside)
{
	const struct chosen *chosen = ctx;

	return is_beside || pmon_select_add(chosen->select, pattern, NULL) == PMON_OK;
}

static bool
is_of_rules(const void *ctx, const struct incident *incident)
{
	const struct chosen *chosen = ctx;
	const struct evidence *list = &chosen->judged->incidents.evidence[incident->first];

	for (size_t i = 0; i < incident->n; i++)
		if (list[i].finding != NULL || pmon_select_shows(chosen->select, list[i].series))
			return true;
	return false;
}

// With --rules or --pack, those that a counter of these rules is a part of.
static bool
keep_chosen(struct judged *j)
{
	struct chosen chosen = {.judged = j};
	bool good;

	if (j->args == NULL || (j->args->rules.file == NULL && j->args->rules.packs.n == 0))
		return true;
	good = pmon_select_new(NULL, &chosen.select, NULL) == PMON_OK &&
	       rules_needs(&j->rules, add_chosen, &chosen);
	if (good)
		incidents_keep(&j->incidents, is_of_rules, &chosen);
	pmon_select_free(chosen.select);
	return good;
}

static bool
find_incidents(struct judged *j)
{
	return !j->finds_incidents ||
	       (incidents_judge(&j->incidents, j->findings, j->n_findings) && keep_chosen(j));
}

// The end of a log is not now.
static bool
look_at_now(struct judged *j)
{
	if (j->args == NULL || j->args->operands.n > 0)
		return true;
	j->now = rules_judge_unfinished(j->judge, &j->n_now);
	return j->now != NULL;
}

int
judged_rank(struct judged *j)
{
	size_t n;
	const struct rules_finding *list =
		note_machines(j) && look_at_now(j) ? rules_judge_findings(j->judge, &n) : NULL;

	if (list != NULL)
		j->findings = calloc(n + 1, sizeof(*j->findings));
	if (j->findings == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < n; i++) {
		if (list[i].gravest == NULL)
			continue;
		j->findings[j->n_findings++] = list[i];
		j->of_level[list[i].level]++;
	}
	qsort(j->findings, j->n_findings, sizeof(*j->findings), gravest_first);
	count_others(j);
	if (!find_incidents(j))
		return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

int
judged_logs(struct judged *j, const struct args *args, const struct words *logs)
{
	int status;

	*j = (struct judged){
		.args = args, .only_values = true, .finds_incidents = true, .may_lack = true};
	status = rules_load(args, &j->rules);
	if (status == EXIT_DONE)
		status = judged_ask(j, args);
	j->request.logs = *logs;
	j->request.by_process = true;
	if (status == EXIT_DONE)
		status = judged_read(j, args->format == OUT_JSON);
	return status == EXIT_DONE ? judged_rank(j) : status;
}

int
judged_find(const struct judged *j, const char *id, const struct incident **out)
{
	for (size_t i = 0; i < j->incidents.n; i++) {
		char text[16];
		struct pmon_text t = pmon_text_init(text, sizeof(text));

		incident_put_id(&t, &j->incidents.list[i]);
		if (strcmp(text, id) != 0)
			continue;
		*out = &j->incidents.list[i];
		return EXIT_DONE;
	}
	return say(EXIT_FAILED,
		   "%s: there is no incident %s; pmon health %s lists all with their IDs",
		   j->args->verb->name, id, j->args->operands.list[0]);
}

int
judged_fail(const struct judged *j, int status)
{
	size_t critical = incidents_count(&j->incidents, INCIDENT_CRITICAL);
	size_t warnings = incidents_count(&j->incidents, INCIDENT_WARNING) + j->beyond;

	if (status != EXIT_DONE || j->args->fail_on == FAIL_ON_NOTHING)
		return status;
	if (j->args->fail_on == FAIL_ON_CRITICAL)
		warnings = 0;
	return critical + warnings > 0 ? EXIT_FAILED : EXIT_DONE;
}

void
judged_free_ranking(struct judged *j)
{
	incidents_free(&j->incidents);
	rules_free_unfinished(j->now, j->n_now);
	free(j->findings);
}

int
judged_close(struct judged *j, int status)
{
	judged_free_ranking(j);
	rules_judge_free(j->judge);
	pmon_values_free(&j->values);
	pmon_statistics_free(j->statistics);
	if (j->is_open)
		status = logs_close(&j->logs, status);
	for (size_t i = 0; i < j->n_patterns; i++)
		free(j->patterns[i]);
	free(j->patterns);
	free(j->request.patterns.list);
	free(j->request.added.list);
	rules_free(&j->rules);
	return status;
}
