// api_findings.c - what rules, or one condition, find in a set
// SPDX-License-Identifier: MIT
//
// The judge is that of pmon health and pmon find. It reads the series that the rules need from the store.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rules/judge.h"
#include "web/api.h"
#include "web/extract.h"
#include "web/series.h"
#include "web/view_private.h"

#define MOST_SERIES   16384 // that are judged
#define MOST_EPISODES 300   // in an answer, the gravest
#define MOST_PACKS    32

struct search {
	struct rules rules;
	struct pmon_select *select; // what the rules need
	uint32_t *ids;              // of the series that are read
	size_t n;
	size_t left_out; // more than MOST_SERIES
	struct extract_names names;
	struct pmon_source *source;
	struct pmon_statistics *statistics;
	struct rules_judge *judge;
	bool is_condition; // not the rules that are shipped
};

// ---- Rules ----------------------------------------------------------------------------------

static bool
read_packs(struct search *s)
{
	struct pmon_span texts[MOST_PACKS];
	struct rules_error why;
	size_t n = 0;

	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL && n < MOST_PACKS;
	     pack++)
		texts[n++] = pack->text;
	return rules_parse_texts(texts, n, &s->rules, &why);
}

static bool
read_rules(struct call *call, struct search *s)
{
	struct pmon_span q = call_param(call, "q");
	struct rules_error why;

	s->is_condition = q.ptr != NULL;
	if (q.ptr == NULL && read_packs(s))
		return true;
	if (q.len > CALL_TEXT)
		call_fail(call, 400, "q", "too long");
	else if (q.ptr == NULL)
		call_no_memory(call);
	else if (rules_parse_condition(q, &s->rules, &why))
		return true;
	else
		call_fail(call, 400, "q", "byte %u: %s", why.column, why.text);
	return false;
}

static bool
add_pattern(void *ctx, struct pmon_span pattern, bool is_beside)
{
	(void)is_beside;
	return pmon_select_add(ctx, pattern, NULL) == PMON_OK;
}

// What the rules need, and what tells processes apart.
static bool
select_for(struct search *s)
{
	struct pmon_select *wider;

	if (pmon_select_new(NULL, &s->select, NULL) != PMON_OK ||
	    !rules_needs(&s->rules, add_pattern, s->select) ||
	    pmon_identity_select(s->select, NULL, &wider, NULL) != PMON_OK)
		return false;
	if (wider != NULL) {
		pmon_select_free(s->select);
		s->select = wider;
	}
	return true;
}

// ---- Judging --------------------------------------------------------------------------------

static bool
find_series(struct call *call, struct set *set, struct search *s)
{
	size_t n;
	const struct pmon_series **list = series_all(call, set, &n);

	s->ids = list != NULL ? calloc(n + 1, sizeof(*s->ids)) : NULL;
	for (size_t i = 0; s->ids != NULL && i < n; i++) {
		if (!pmon_select_shows(s->select, list[i]))
			continue;
		if (s->n < MOST_SERIES)
			s->ids[s->n++] = list[i]->id;
		else
			s->left_out++;
	}
	free(list);
	return s->ids != NULL;
}

static bool
read_all(struct search *s)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	enum pmon_status status;

	while ((status = pmon_source_next(s->source, &sample, NULL)) == PMON_OK)
		if (pmon_statistics_add(s->statistics, sample, &values, NULL) != PMON_OK ||
		    !rules_judge_add(s->judge, sample, values))
			return false;
	return status == PMON_END;
}

static bool
judge(struct call *call, struct set *set, struct search *s)
{
	const struct rules_options options = {.calc = call->view->calc, .episodes = true};
	struct store_window window;
	const struct pmon_schema *schema;

	if (!call_window(call, &window))
		return false;
	if (extract_processes(set, s->ids, s->n, &window, &s->source, NULL) != PMON_OK)
		return false;
	if (!extract_names_open(&s->names, set, s->ids, s->n))
		return false;
	schema = pmon_source_schema(s->source);
	s->judge = rules_judge_new(&s->rules, schema, &options);
	return s->judge != NULL &&
	       pmon_statistics_new(schema, &call->view->calc, NULL, &s->statistics, NULL) ==
		       PMON_OK &&
	       read_all(s);
}

static void
close_search(struct search *s)
{
	extract_names_close(&s->names);
	rules_judge_free(s->judge);
	pmon_statistics_free(s->statistics);
	if (s->source != NULL)
		pmon_source_close(s->source);
	pmon_select_free(s->select);
	rules_free(&s->rules);
	free(s->ids);
}

// ---- The answer -----------------------------------------------------------------------------

static void
put_lines(struct json *json, const char *key, const struct rules_lines *lines)
{
	json_key(json, key), json_open(json, '[');
	for (size_t i = 0; i < lines->n; i++)
		json_text(json, lines->list[i]);
	json_close(json, ']');
}

static void
put_sources(struct json *json, const struct rules_rule *rule)
{
	json_key(json, "sources"), json_open(json, '[');
	for (size_t i = 0; i < rule->n_sources; i++) {
		json_open(json, '{');
		put_lines(json, "text", &rule->sources[i].texts);
		json_key(json, "link");
		if (rule->sources[i].link.len > 0)
			json_text(json, rule->sources[i].link);
		else
			json_none(json);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static uint32_t
id_of(const struct search *s, const struct pmon_series *series)
{
	return extract_id(&s->names, series);
}

static void
put_who(struct json *json, const struct search *s, const struct rules_episode *e)
{
	json_key(json, "who"), json_open(json, '[');
	for (size_t i = 0; i < e->n_who; i++) {
		json_open(json, '{');
		json_key(json, "id"), json_u64(json, id_of(s, e->who[i].series));
		json_key(json, "path"), json_text(json, e->who[i].series->name);
		json_key(json, "share"), json_double(json, e->who[i].share);
		json_close(json, '}');
	}
	json_close(json, ']');
}

// The limit can be drawn beside the values unless it is for something else: a slope, or a share of another counter.
static void
put_limit(struct json *json, const struct rules_episode *e)
{
	const struct rules_limit *limit = &e->rule->limits[e->level];
	bool is_of_values = e->rule->of.n == 0 && e->rule->trend_100ns == 0;

	json_key(json, "limit"), json_double(json, is_of_values ? e->limit / e->rule->times : NAN);
	json_key(json, "below"), json_bool(json, limit->threshold.below);
	json_key(json, "limit_text"), json_str(json, limit->threshold.text);
}

static void
put_episode(struct json *json, const struct search *s, const struct rules_episode *e)
{
	static const char *const severities[RULES_LEVELS] = {"warning", "critical"};

	json_open(json, '{');
	json_key(json, "rule"), json_u64(json, (uint64_t)(e->rule - s->rules.list));
	json_key(json, "severity"), json_str(json, severities[e->level]);
	json_key(json, "id"), json_u64(json, id_of(s, e->series));
	json_key(json, "path"), json_text(json, e->series->name);
	json_key(json, "from"), json_time(json, e->from);
	json_key(json, "to"), json_time(json, e->to);
	json_key(json, "seconds"), json_double(json, (double)(e->to - e->from) / PMON_TIME_PER_SEC);
	json_key(json, "average"), json_value(json, &e->average);
	json_key(json, "worst"), json_value(json, &e->worst);
	json_key(json, "worst_time"), json_time(json, e->worst_time);
	json_key(json, "samples"), json_u64(json, e->samples);
	json_key(json, "operations"), json_double(json, e->operations);
	json_key(json, "excess"), json_double(json, e->excess_seconds);
	put_limit(json, e);
	put_who(json, s, e);
	json_close(json, '}');
}

static void
put_rules(struct json *json, const struct rules *rules)
{
	json_key(json, "rules"), json_open(json, '[');
	for (size_t i = 0; i < rules->n; i++) {
		json_open(json, '{');
		json_key(json, "name"), json_text(json, rules->list[i].name);
		put_lines(json, "text", &rules->list[i].texts);
		put_lines(json, "advice", &rules->list[i].advice);
		put_sources(json, &rules->list[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

// Rules on a machine by their result. A pack of which a machine has no counter counts as one.
static void
put_counts(struct json *json, const struct search *s)
{
	uint64_t within = 0;
	uint64_t not_judged = 0;

	for (size_t m = 0; m < rules_judge_machines(s->judge); m++)
		for (size_t i = 0; i < s->rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(s->judge, i, m);

			bool is_listed = !rules_judge_lacks_pack(s->judge, &s->rules, i, m) ||
					 rules_begins_pack(&s->rules, i);

			within += outcome == RULES_KEPT;
			not_judged += rules_reason(outcome) != NULL && is_listed;
		}
	json_key(json, "within"), json_u64(json, within);
	json_key(json, "not_judged"), json_u64(json, not_judged);
	json_key(json, "left_out"), json_u64(json, s->left_out);
}

static bool
put_found(struct call *call, struct search *s)
{
	struct json *json = &call->json;
	size_t n;
	const struct rules_episode *list = rules_judge_episodes(s->judge, &n);

	if (list == NULL)
		return false;
	json_open(json, '{');
	json_key(json, "total"), json_u64(json, n);
	json_key(json, "episodes"), json_open(json, '[');
	for (size_t i = 0; i < n && i < MOST_EPISODES; i++)
		put_episode(json, s, &list[i]);
	json_close(json, ']');
	put_rules(json, &s->rules);
	if (rules_judge_findings(s->judge, &n) == NULL)
		return false;
	json_key(json, "findings"), json_u64(json, n);
	put_counts(json, s);
	json_close(json, '}');
	return true;
}

static void
put_nothing(struct json *json)
{
	json_open(json, '{');
	json_key(json, "total"), json_u64(json, 0);
	json_key(json, "episodes"), json_open(json, '['), json_close(json, ']');
	json_key(json, "rules"), json_open(json, '['), json_close(json, ']');
	json_key(json, "findings"), json_u64(json, 0);
	json_key(json, "within"), json_u64(json, 0);
	json_key(json, "not_judged"), json_u64(json, 0);
	json_key(json, "left_out"), json_u64(json, 0);
	json_close(json, '}');
}

static void
find(struct call *call, struct set *set)
{
	struct search s = {.n = 0};

	if (!read_rules(call, &s))
		return;
	if (!select_for(&s) || !find_series(call, set, &s))
		call_no_memory(call);
	else if (s.n == 0)
		put_nothing(&call->json);
	else if ((!judge(call, set, &s) || !put_found(call, &s)) && call->status == 200)
		call_fail(call, 500, NULL, "the log could not be judged: memory is short");
	close_search(&s);
}

// Judge again what the rules find in the whole set. Under the lock of the answer.
static void
renew(struct call *call, struct set *set, struct set_answer *answer)
{
	FILE *stream = call->json.stream;

	free(answer->text);
	answer->text = NULL;
	call->json.stream = open_memstream(&answer->text, &answer->len);
	if (call->json.stream == NULL) {
		call_no_memory(call);
	} else {
		find(call, set);
		if (fclose(call->json.stream) != 0 && call->status == 200)
			call_no_memory(call);
	}
	call->json.stream = stream;
	if (call->status != 200) {
		free(answer->text);
		answer->text = NULL;
	}
}

void
api_findings(struct call *call)
{
	bool is_whole = call_param(call, "q").ptr == NULL && call_param(call, "from").ptr == NULL &&
			call_param(call, "to").ptr == NULL;
	struct set_answer *answer;
	uint64_t raw_values;
	struct set *set;

	if (!call_set(call, "set", &set))
		return;
	if (!is_whole) {
		find(call, set);
		return;
	}
	answer = &set->findings;
	pmon_lock_take(&answer->lock);
	store_lock(set->store);
	raw_values = store_raw_values(set->store);
	store_unlock(set->store);
	if (answer->text == NULL || answer->raw_values != raw_values) {
		answer->raw_values = raw_values;
		renew(call, set, answer);
	}
	if (answer->text != NULL)
		(void)fwrite(answer->text, 1, answer->len, call->json.stream);
	pmon_lock_give(&answer->lock);
}
