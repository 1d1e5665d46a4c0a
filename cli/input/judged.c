// judged.c - logs that are read once and judged by rules
// SPDX-License-Identifier: MIT

#include "cli/input/judged.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output/out.h"
#include "cli/output/say.h"
#include "cli/process/sandbox.h"

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
	j->args.n_own += is_beside;
	return words_add(&j->args.patterns, copy);
}

int
judged_ask(struct judged *j, const struct args *args)
{
	j->args = *args;
	if (args->identity != IDENTITY_WINDOWS)
		j->args.by = "process";
	j->args.patterns = (struct words){.n = 0};
	return rules_needs(&j->rules, add_pattern, j) ? EXIT_DONE
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
		if (j->each != NULL && !j->each(j->ctx, sample, values))
			return say(EXIT_FAILED, "not enough memory");
		first = sample->time < first ? sample->time : first;
		last = sample->time > last ? sample->time : last;
	}
	if (rules_judge_has_more_machines(j->judge))
		say(0, "only the first %d machines were judged; the log has more", RULES_MACHINES);
	j->spans_days = clock_spans_days(&j->logs.clock, first, last);
	return status;
}

static int
open_logs(struct judged *j)
{
	const struct apart_options apart = {.checks_patterns = !j->args.own_patterns};

	return sandbox_is_apart(&j->args) ? logs_open_apart(&j->logs, &j->args, &apart)
					  : logs_open(&j->logs, &j->args);
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
		pmon_values_init(&j->values, schema, &j->args.calc, NULL);
	if (j->judge == NULL ||
	    (!j->only_values &&
	     pmon_statistics_new(schema, &j->args.calc, NULL, &j->statistics, &err) != PMON_OK))
		return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

int
judged_read(struct judged *j, bool keep_episodes)
{
	const struct rules_options options = {.calc = j->args.calc, .episodes = keep_episodes};
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

static void
count_others(struct judged *j)
{
	for (size_t m = 0; m < rules_judge_machines(j->judge); m++)
		for (size_t i = 0; i < j->rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(j->judge, i, m);

			j->within += outcome == RULES_KEPT;
			j->not_judged += rules_reason(outcome) != NULL && judged_lists(j, i, m);
		}
}

static bool
note_name(struct judged *j, const char *name)
{
	return rules_judge_note_machine(j->judge, (struct pmon_span){name, strlen(name)});
}

// Machines without any counter that a rule needs have no series here: no rule could be judged on them.
static bool
note_machines(struct judged *j)
{
	const char *name;

	for (size_t i = 0; (name = logs_machine(&j->logs, i)) != NULL; i++)
		if (!note_name(j, name))
			return false;
	if (rules_judge_machines(j->judge) > 0 || j->logs.source == NULL)
		return true;
	return note_name(j, pmon_source_info(j->logs.source)->machine);
}

int
judged_rank(struct judged *j)
{
	size_t n;
	const struct rules_finding *list =
		note_machines(j) ? rules_judge_findings(j->judge, &n) : NULL;

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
	return EXIT_DONE;
}

int
judged_close(struct judged *j, int status)
{
	rules_judge_free(j->judge);
	pmon_values_free(&j->values);
	pmon_statistics_free(j->statistics);
	if (j->is_open)
		status = logs_close(&j->logs, status);
	for (size_t i = 0; i < j->n_patterns; i++)
		free(j->patterns[i]);
	free(j->patterns);
	free(j->findings);
	free(j->args.patterns.list);
	rules_free(&j->rules);
	return status;
}
