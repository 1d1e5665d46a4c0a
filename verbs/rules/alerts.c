// alerts.c - pmon rules --alerts: convert rules to alerting rules for Prometheus
// SPDX-License-Identifier: MIT
//
// An alert uses the recording rules of the same counters, whose values are the displayed ones for
// which rules are written. If PromQL cannot express a rule exactly, the output is a comment, never
// a weaker alert.

#include "verbs/rules/alerts.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "shell/args/args.h"
#include "shell/input/rules_file.h"
#include "shell/output/say.h"
#include "draw/unit.h"
#include "rules/rules.h"

struct alerts {
	const struct om_registry *registry;
	const char *instance; // the label for the instance of a counter
	const char *machine;  // the labels for its machine
	bool processes;       // Process and Thread have recording rules
	bool begun;
};

// ---- Counters -------------------------------------------------------------------------------

static bool
matches(const struct rules_pattern *pattern, const struct pmon_series *series)
{
	struct pmon_path path = series->path;

	path.machine = pattern->path.machine;
	return pmon_path_match(&pattern->path, &path);
}

static bool
has_series(const struct alerts *a, const struct om_family *family,
	   const struct rules_pattern *pattern)
{
	const struct om_registry *registry = a->registry;

	for (uint32_t id = family->first; id != PMON_SERIES_NONE; id = registry->tracks[id]->next)
		if (matches(pattern, registry->tracks[id]->series))
			return true;
	return false;
}

// The first family of the first pattern that has one; NULL if none has.
static const struct om_family *
find_family(const struct alerts *a, const struct rules_patterns *patterns,
	    const struct rules_pattern **which)
{
	for (size_t i = 0; i < patterns->n; i++)
		for (size_t k = 0; k < a->registry->n_families; k++) {
			*which = patterns->list[i];
			if (pmon_om_has_rules(&a->registry->families[k], a->processes) &&
			    has_series(a, &a->registry->families[k], *which))
				return &a->registry->families[k];
		}
	return NULL;
}

// ---- Text -----------------------------------------------------------------------------------

// Write a text in YAML double quotes. Two braces would begin a Prometheus template.
static void
put_text(struct pmon_span text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '"' || c == '\\')
			putchar('\\');
		putchar((unsigned char)c < ' ' ? ' ' : c);
		if (c == '{' && i + 1 < text.len && text.ptr[i + 1] == '{')
			putchar(' ');
	}
}

static void
put_lines(const char *key, const struct rules_lines *lines)
{
	if (lines->n == 0)
		return;
	printf("          %s: \"", key);
	for (size_t i = 0; i < lines->n; i++) {
		printf("%s", i > 0 ? " " : "");
		put_text(lines->list[i]);
	}
	printf("\"\n");
}

// Write a pattern of instances as a regular expression, in a PromQL string in YAML single quotes.
static void
put_regex(struct pmon_span pattern)
{
	for (size_t i = 0; i < pattern.len; i++) {
		char c = pattern.ptr[i];

		if (c == '*')
			printf(".*");
		else if (c == '?' || (unsigned char)c < ' ')
			printf(".");
		else if (c == '\\')
			printf("\\\\\\\\");
		else if (c == '"')
			printf("\\\"");
		else if (c == '\'')
			printf("''");
		else if (strchr(".+()[]{}|^$", c) != NULL)
			printf("\\\\%c", c);
		else
			putchar(c);
	}
}

// ---- Expressions ----------------------------------------------------------------------------

static bool
is_any(struct pmon_span text)
{
	return text.ptr == NULL || pmon_text_same(text, PMON_SPAN("*"));
}

static void
put_labels(const struct alerts *a, const struct pmon_path *path, const struct rules_lines *excepts)
{
	bool comma = !is_any(path->instance);

	if (!comma && (excepts == NULL || excepts->n == 0))
		return;
	printf("{");
	if (comma) {
		printf("%s=~\"(?i)", a->instance);
		put_regex(path->instance);
		printf("\"");
	}
	for (size_t i = 0; excepts != NULL && i < excepts->n; i++) {
		printf("%s%s!~\"(?i)", comma ? "," : "", a->instance);
		put_regex(excepts->list[i]);
		printf("\"");
		comma = true;
	}
	printf("}");
}

// Write the recorded values, scaled to the unit of the limit, and the limit.
static void
put_condition(const struct alerts *a, const struct om_family *family, const struct pmon_path *path,
	      const struct rules_lines *excepts, double times, const struct rules_limit *limit)
{
	char number[PMON_NUM_SIZE];

	if (!limit->threshold.any)
		times *= draw_unit_of(family->series).factor;
	times /= family->plan.scale;
	printf("instance:%s:value", family->names[OM_MAIN]);
	put_labels(a, path, excepts);
	if (times != 1) {
		pmon_num_shortest(times, number);
		printf(" * %s", number);
	}
	pmon_num_shortest(limit->threshold.value, number);
	printf(" %s%s %s", limit->threshold.below ? "<" : ">", limit->or_equal ? "=" : "", number);
}

// Write the second condition of a rule: for the same instance, or else for the machine.
static void
put_while(const struct alerts *a, const struct rules_rule *rule)
{
	const struct rules_pattern *pattern;
	const struct om_family *family = find_family(a, &rule->whiles, &pattern);
	size_t i = 0;
	bool same = pattern->path.instance.ptr != NULL &&
		    memchr(pattern->path.instance.ptr, '*', pattern->path.instance.len) != NULL;

	while (rule->whiles.list[i] != pattern)
		i++;
	printf(" and on (%s%s%s) ", a->machine, same ? ", index, parent, " : "",
	       same ? a->instance : "");
	put_condition(a, family, &pattern->path, NULL, 1, &rule->while_limits[i]);
}

// ---- Rules ----------------------------------------------------------------------------------

// Why an alerting rule cannot express the rule; NULL if it can.
static const char *
why_not(const struct alerts *a, const struct rules_rule *rule)
{
	const struct rules_pattern *pattern;

	if (find_family(a, &rule->counters, &pattern) == NULL)
		return "none of its counters exists here";
	if (rule->with.n > 0 && find_family(a, &rule->with, &pattern) == NULL)
		return "it applies to machines with other counters";
	if (rule->without.n > 0 && find_family(a, &rule->without, &pattern) != NULL)
		return "it applies to another kind of machine";
	if (rule->trend_100ns > 0)
		return "its limit is a trend";
	if (rule->of.n > 0)
		return "its limit is a share of another counter";
	if (rule->per_processor)
		return "its limit is per processor";
	if (rule->window_share > 0 || rule->hold.lasting == RULES_SHARE)
		return "its limit is for a share of the time";
	if (rule->hold.lasting == RULES_SAMPLES && rule->hold.samples > 1)
		return "its limit is for a number of samples";
	if (rule->clear.given)
		return "it has a separate limit for the end of an episode";
	if (rule->whiles.n > 0 && find_family(a, &rule->whiles, &pattern) == NULL)
		return "the counter of its second condition does not exist here";
	return NULL;
}

// The first source with a link, or else the first.
static void
put_sources(const struct rules_rule *rule)
{
	size_t i = 0;

	while (i < rule->n_sources && rule->sources[i].link.len == 0)
		i++;
	if (rule->n_sources > 0)
		put_lines("source", &rule->sources[i < rule->n_sources ? i : 0].texts);
	if (i == rule->n_sources)
		return;
	printf("          link: \"");
	put_text(rule->sources[i].link);
	printf("\"\n");
}

static void
put_alert(const struct alerts *a, const struct rules_rule *rule, enum rules_level level)
{
	const struct rules_limit *limit = &rule->limits[level];
	const struct rules_hold *hold = limit->has_own_hold ? &limit->hold : &rule->hold;
	const struct rules_pattern *pattern;
	const struct om_family *family = find_family(a, &rule->counters, &pattern);

	printf("      - alert: \"");
	put_text(rule->name);
	printf("\"\n        expr: '");
	put_condition(a, family, &pattern->path, &rule->excepts, rule->times, limit);
	if (rule->whiles.n > 0)
		put_while(a, rule);
	printf("'\n");
	if (hold->lasting == RULES_TIME)
		printf("        for: %llds\n", (long long)(hold->time_100ns / PMON_TIME_PER_SEC));
	printf("        labels:\n          severity: %s\n        annotations:\n",
	       level == RULES_CRITICAL ? "critical" : "warning");
	put_lines("summary", &rule->texts);
	put_lines("description", &rule->advice);
	put_sources(rule);
}

static void
put_rule(struct alerts *a, const struct rules_rule *rule)
{
	const char *why = why_not(a, rule);

	if (why != NULL) {
		printf("# %.*s: left out, %s\n", (int)rule->name.len, rule->name.ptr, why);
		return;
	}
	if (!a->begun)
		printf("groups:\n  - name: \"pmon alerts\"\n    rules:\n");
	a->begun = true;
	for (int level = RULES_CRITICAL; level >= RULES_WARNING; level--)
		if (rule->limits[level].given)
			put_alert(a, rule, (enum rules_level)level);
}

int
rules_put_alerts(const struct args *args, const struct om_registry *registry, bool processes)
{
	bool is_classic = args->labels == LABELS_CLASSIC;
	struct alerts alerts = {.registry = registry,
				.instance = is_classic ? "instance" : "counter_instance",
				.machine = is_classic ? "machine" : "instance, machine",
				.processes = processes};
	struct rules rules;
	int status = rules_load(args, &rules);

	if (status != EXIT_DONE)
		return status;
	for (size_t i = 0; i < rules.n; i++)
		put_rule(&alerts, &rules.list[i]);
	rules_free(&rules);
	return alerts.begun ? EXIT_DONE
			    : say(EXIT_FAILED, "rules: no rule has a counter that exists here");
}
