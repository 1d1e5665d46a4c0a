// trial.c - rules over a log that a test builds series by series and sample by sample
// SPDX-License-Identifier: MIT

#include "trial.h"

#include "t.h"

struct trial
trial_of(const char *rules_text)
{
	struct trial t = {.m = mem_source_new(), .options = {.episodes = true}};
	struct rules_error why;

	if (!rules_parse(t_span(rules_text), &t.rules, &why))
		fail_msg("%u:%u: %s", why.line, why.column, why.text);
	return t;
}

struct trial
trial_of_condition(const char *condition)
{
	struct trial t = {.m = mem_source_new(), .options = {.episodes = true}};
	struct rules_error why;

	if (!rules_parse_condition(t_span(condition), &t.rules, &why))
		fail_msg("%s: %u: %s", condition, why.column, why.text);
	return t;
}

void
trial_judge(struct trial *t)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	const struct pmon_schema *schema;

	t->source = mem_source_open(t->m);
	schema = pmon_source_schema(t->source);
	t->judge = rules_judge_new(&t->rules, schema, &t->options);
	assert_non_null(t->judge);
	assert_int_equal(pmon_statistics_new(schema, NULL, NULL, &t->statistics, NULL), PMON_OK);
	while (pmon_source_next(t->source, &sample, NULL) == PMON_OK) {
		assert_int_equal(pmon_statistics_add(t->statistics, sample, &values, NULL),
				 PMON_OK);
		assert_true(rules_judge_add(t->judge, sample, values));
	}
	t->now = rules_judge_unfinished(t->judge, &t->n_now);
	assert_non_null(t->now);
	t->episodes = rules_judge_episodes(t->judge, &t->n_episodes);
	assert_non_null(t->episodes);
	t->findings = rules_judge_findings(t->judge, &t->n_findings);
	assert_non_null(t->findings);
}

void
trial_end(struct trial *t)
{
	rules_free_unfinished(t->now, t->n_now);
	rules_judge_free(t->judge);
	pmon_statistics_free(t->statistics);
	pmon_source_close(t->source);
	rules_free(&t->rules);
}
