// judged_json.c - what was wrong, as a JSON document
// SPDX-License-Identifier: MIT

#include "shell/input/judged_json.h"

#include <stdlib.h>

#include "shell/output/episode.h"
#include "shell/output/incident_json.h"

#define REASON 256

static const char *const severities[RULES_LEVELS] = {"warning", "critical"};

// ---- Findings -------------------------------------------------------------------------------

static void
json_finding(struct json *json, const struct incident_json *from, const struct rules_finding *f)
{
	json_open(json, '{');
	json_key(json, "rule"), json_text(json, f->rule->name);
	json_key(json, "pack");
	f->rule->pack.len > 0 ? json_text(json, f->rule->pack) : json_none(json);
	json_key(json, "severity"), json_str(json, severities[f->level]);
	json_episode(json, f->gravest);
	json_episodes(json, from, f);
	json_rule(json, f->rule);
	json_limit(json, f->gravest);
	json_close(json, '}');
}

// What is beyond a limit now, and how long the rule requires.
static void
json_unfinished(struct json *json, const struct rules_unfinished *now)
{
	const struct rules_rule *rule = now->episode.rule;
	const struct rules_hold *hold = &rule->limits[now->episode.level].hold;

	json_open(json, '{');
	json_key(json, "rule"), json_text(json, rule->name);
	json_key(json, "pack");
	rule->pack.len > 0 ? json_text(json, rule->pack) : json_none(json);
	json_key(json, "severity"), json_str(json, severities[now->episode.level]);
	json_episode(json, &now->episode);
	json_key(json, "at_least"), json_bool(json, now->may_be_longer);
	json_key(json, "required_seconds");
	if (rule->within_100ns == 0 && hold->lasting == RULES_TIME)
		json_double(json, (double)hold->time_100ns / PMON_TIME_PER_SEC);
	else
		json_none(json);
	json_rule(json, rule);
	json_limit(json, &now->episode);
	json_close(json, '}');
}

static void
json_now(struct json *json, const struct judged *j)
{
	json_key(json, "now"), json_open(json, '[');
	for (size_t i = 0; i < j->n_now; i++)
		json_unfinished(json, &j->now[i]);
	json_close(json, ']');
}

static void
json_other(struct json *json, const struct judged *j, size_t rule, size_t machine)
{
	const struct rules_judge *judge = j->judge;
	const struct rules_rule *r = &j->rules.list[rule];
	bool is_pack = judged_lacks_pack(j, rule, machine);
	char reason[REASON];
	struct pmon_text t = pmon_text_init(reason, sizeof(reason));

	judged_put_reason(j, &t, rule, machine);
	json_open(json, '{');
	json_key(json, "rule");
	is_pack ? json_none(json) : json_text(json, r->name);
	if (is_pack)
		json_key(json, "pack"), json_text(json, r->pack);
	json_key(json, "machine"), json_text(json, rules_judge_machine(judge, machine));
	if (t.len > 0)
		json_key(json, "reason"), json_str(json, reason);
	json_close(json, '}');
}

static void
json_others(struct json *json, const struct judged *j, const char *key, enum judged_as as)
{
	json_key(json, key), json_open(json, '[');
	for (size_t m = 0; m < rules_judge_machines(j->judge); m++)
		for (size_t i = 0; i < j->rules.n; i++)
			if (judged_as(j, i, m) == as)
				json_other(json, j, i, m);
	json_close(json, ']');
}

static void
json_machines(struct json *json, const struct judged *j)
{
	json_key(json, "machines"), json_open(json, '[');
	for (size_t m = 0; m < rules_judge_machines(j->judge); m++)
		json_text(json, rules_judge_machine(j->judge, m));
	json_close(json, ']');
}

// ---- The document ---------------------------------------------------------------------------

static void
json_summary(struct json *json, const struct judged *j)
{
	const struct events *events = &j->incidents.tracks.events;

	json_key(json, "summary"), json_open(json, '{');
	for (int s = INCIDENT_SEVERITIES; s-- > 0;) {
		json_key(json, incident_severity_name((enum incident_severity)s));
		json_u64(json, incidents_count(&j->incidents, (enum incident_severity)s));
	}
	json_key(json, "events"), json_u64(json, events->n + events->others);
	json_key(json, "crossed"), json_u64(json, j->n_findings);
	json_key(json, "within"), json_u64(json, j->within);
	json_key(json, "not_judged"), json_u64(json, j->not_judged);
	json_key(json, "beyond"), json_u64(json, j->beyond);
	json_close(json, '}');
}

// Without a command line, on the page of view, all.
static size_t
rows_of(const struct judged *j, size_t n)
{
	return j->args != NULL ? args_rows(j->args, n) : n;
}

static void
json_what_was_wrong(struct json *json, const struct judged *j, const struct incident_json *from)
{
	const struct events *events = &j->incidents.tracks.events;
	size_t rows =
		rows_of(j, j->incidents.n + events->n); // as in a table: incidents, then events

	json_machines(json, j);
	json_key(json, "from"), json_time(json, j->first);
	json_key(json, "to"), json_time(json, j->last);
	json_incidents(json, from);
	json_events(json, events, rows - from->n_incidents);
	json_summary(json, j);
}

static bool
json_document(struct json *json, const struct judged *j, const struct incident_json *from)
{
	bool good;

	json_open(json, '{');
	json_key(json, "version"), json_i64(json, 2);
	json_what_was_wrong(json, j, from);
	json_key(json, "findings"), json_open(json, '[');
	for (size_t i = 0; i < rows_of(j, j->n_findings); i++)
		json_finding(json, from, &j->findings[i]);
	json_close(json, ']');
	json_others(json, j, "within", JUDGED_WITHIN);
	json_others(json, j, "not_judged", JUDGED_NOT);
	json_others(json, j, "beyond", JUDGED_BEYOND);
	if (j->now != NULL)
		json_now(json, j);
	good = j->more_json == NULL || j->more_json(json, j);
	json_used(json, &j->logs.used);
	json_close(json, '}');
	return good;
}

// The caller frees from->episodes. False when memory is short.
static bool
sort_episodes(const struct judged *j, struct incident_json *from)
{
	const struct rules_episode *list = rules_judge_episodes(j->judge, &from->n_episodes);

	from->episodes = calloc(from->n_episodes + 1, sizeof(*from->episodes));
	if (list == NULL || from->episodes == NULL)
		return false;
	for (size_t i = 0; i < from->n_episodes; i++)
		from->episodes[i] = &list[i];
	qsort(from->episodes, from->n_episodes, sizeof(*from->episodes), incident_json_order);
	return true;
}

bool
judged_json(struct json *json, const struct judged *j, const struct judged_numbers *numbers)
{
	struct incident_json from = {.incidents = &j->incidents,
				     .n_incidents = rows_of(j, j->incidents.n),
				     .number = numbers->of,
				     .ctx = numbers->ctx};
	bool good = sort_episodes(j, &from);

	if (good)
		good = json_document(json, j, &from);
	free(from.episodes);
	return good;
}

bool
judged_json_incidents(struct json *json, const struct judged *j)
{
	struct incident_json from = {.incidents = &j->incidents,
				     .n_incidents = rows_of(j, j->incidents.n)};
	bool good = sort_episodes(j, &from);

	if (good)
		json_what_was_wrong(json, j, &from);
	free(from.episodes);
	return good;
}
