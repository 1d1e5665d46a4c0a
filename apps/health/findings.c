// findings.c - what rules find in logs, the worst first
// SPDX-License-Identifier: MIT

#include "apps/health/findings.h"

#include <stdlib.h>
#include <string.h>

#include "cli/input/rules_file.h"
#include "cli/output/out.h"
#include "cli/output/say.h"

// ---- Counters -------------------------------------------------------------------------------

static bool
add_pattern(struct health *h, struct pmon_span text)
{
	char *copy = strndup(text.ptr, text.len);
	char **grown = realloc(h->patterns, (h->n_patterns + 1) * sizeof(*grown));

	h->patterns = grown != NULL ? grown : h->patterns;
	if (copy == NULL || grown == NULL) {
		free(copy);
		return false;
	}
	h->patterns[h->n_patterns++] = copy;
	return words_add(&h->args.patterns, copy);
}

static bool
add_patterns(struct health *h, const struct rules_patterns *patterns)
{
	bool good = true;

	for (size_t i = 0; good && i < patterns->n; i++)
		good = add_pattern(h, patterns->texts[i]);
	return good;
}

// Only the counters of the rules are read, and the processors that some limits are for each of.
static int
ask(struct health *h)
{
	bool good = add_pattern(h, PMON_SPAN("\\Processor(*)\\% Processor Time")) &&
		    add_pattern(h, PMON_SPAN("\\Processor Information(*)\\% Processor Time"));

	for (size_t i = 0; good && i < h->rules.n; i++) {
		const struct rules_rule *rule = &h->rules.list[i];

		good = add_patterns(h, &rule->counters) && add_patterns(h, &rule->of) &&
		       add_patterns(h, &rule->whiles);
	}
	return good ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

// ---- Reading --------------------------------------------------------------------------------

static int
read_all(struct health *h)
{
	const struct pmon_schema *schema = pmon_source_schema(h->logs.source);
	const struct rules_options options = {.calc = h->args.calc, .episodes = true};
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_err err;
	pmon_time first = INT64_MAX;
	pmon_time last = INT64_MIN;
	int status = EXIT_DONE;

	h->judge = rules_judge_new(&h->rules, schema, &options);
	if (h->judge == NULL ||
	    pmon_statistics_new(schema, &h->args.calc, NULL, &h->statistics, &err) != PMON_OK)
		return say(EXIT_FAILED, "not enough memory");
	while (logs_next(&h->logs, &sample, &status)) {
		if (pmon_statistics_add(h->statistics, sample, &values, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		if (!rules_judge_add(h->judge, sample, values))
			return say(EXIT_FAILED, "not enough memory");
		first = sample->time < first ? sample->time : first;
		last = sample->time > last ? sample->time : last;
	}
	h->spans_days = clock_spans_days(&h->logs.clock, first, last);
	return status;
}

// ---- Findings -------------------------------------------------------------------------------

static int
gravest_first(const void *a, const void *b)
{
	const struct rules_episode *x = ((const struct health_finding *)a)->worst;
	const struct rules_episode *y = ((const struct health_finding *)b)->worst;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	if (x->excess_seconds != y->excess_seconds)
		return x->excess_seconds > y->excess_seconds ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

// The worst episode of a rule, a series and a level; episodes come in that order.
static const struct rules_episode *
worst_of(const struct rules_finding *finding, const struct rules_episode *episodes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (episodes[i].rule == finding->rule && episodes[i].series == finding->series &&
		    episodes[i].level == finding->level)
			return &episodes[i];
	return NULL;
}

static int
rank(struct health *h)
{
	size_t n_episodes;
	size_t n;
	const struct rules_episode *episodes = rules_judge_episodes(h->judge, &n_episodes);
	const struct rules_finding *list = rules_judge_findings(h->judge, &n);

	h->findings = calloc(n + 1, sizeof(*h->findings));
	if (episodes == NULL || list == NULL || h->findings == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < n; i++) {
		const struct rules_episode *worst = worst_of(&list[i], episodes, n_episodes);

		if (worst == NULL)
			continue;
		h->findings[h->n++] = (struct health_finding){worst, list[i].episodes};
		h->summary.of_level[worst->level]++;
	}
	qsort(h->findings, h->n, sizeof(*h->findings), gravest_first);
	return EXIT_DONE;
}

static void
count_others(struct health *h)
{
	for (size_t m = 0; m < rules_judge_machines(h->judge); m++)
		for (size_t i = 0; i < h->rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(h->judge, i, m);

			h->summary.within += outcome == RULES_KEPT;
			h->summary.not_judged += rules_reason(outcome) != NULL;
		}
}

int
health_find(struct health *h, const struct args *args)
{
	int status;

	*h = (struct health){.args = *args};
	h->args.patterns = (struct words){.n = 0};
	h->args.own_patterns = true;
	status = rules_load(args_text(args, "--rules"), &h->rules);
	if (status == EXIT_DONE)
		status = ask(h);
	if (status != EXIT_DONE)
		return status;
	h->is_open = true;
	status = logs_open(&h->logs, &h->args);
	if (status == EXIT_DONE)
		status = read_all(h);
	if (status == EXIT_DONE)
		status = rank(h);
	if (status == EXIT_DONE)
		count_others(h);
	return status;
}

int
health_close(struct health *h, int status)
{
	rules_judge_free(h->judge);
	pmon_statistics_free(h->statistics);
	if (h->is_open)
		status = logs_close(&h->logs, status);
	for (size_t i = 0; i < h->n_patterns; i++)
		free(h->patterns[i]);
	free(h->patterns);
	free(h->args.patterns.list);
	free(h->findings);
	rules_free(&h->rules);
	return status;
}
