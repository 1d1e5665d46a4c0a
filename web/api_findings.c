// api_findings.c - what was wrong in a set: incidents, and what rules, or one condition, find
// SPDX-License-Identifier: MIT
//
// It uses the judge of pmon health and pmon find, and reads the series that they need from the
// store.

#include <stdlib.h>
#include <string.h>

#include "shell/input/judged_json.h"
#include "shell/output/episode.h"
#include "shell/output/say.h"
#include "shell/output/stream.h"
#include "web/api.h"
#include "web/extract.h"
#include "web/series.h"
#include "web/view_private.h"

#define MOST_SERIES   16384 // judged at most
#define MOST_EPISODES 300   // in an answer: the most severe ones
#define MOST_PACKS    32

struct search {
	struct judged judged;
	struct pmon_select *select; // the counters that are judged
	uint32_t *ids;              // the series to read
	size_t n;
	size_t left_out; // series beyond MOST_SERIES
	struct extract_names names;
	struct pmon_source *source;
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
	return rules_parse_texts(texts, n, &s->judged.rules, &why);
}

static bool
read_rules(struct call *call, struct search *s)
{
	struct pmon_span q = call_param(call, "q");
	struct rules_error why;

	if (q.ptr == NULL && read_packs(s))
		return true;
	if (q.len > CALL_TEXT)
		call_fail(call, 400, "q", "too long");
	else if (q.ptr == NULL)
		call_no_memory(call);
	else if (rules_parse_condition(q, &s->judged.rules, &why))
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

static bool
add_meaning(void *ctx, struct pmon_span pattern)
{
	return add_pattern(ctx, pattern, true);
}

static bool
select_for_incidents(struct search *s)
{
	struct tracks *tracks = &s->judged.incidents.tracks;

	return !s->judged.finds_incidents ||
	       (tracks_begin(tracks) && tracks_needs(tracks, add_meaning, s->select));
}

// Select what the rules and incidents need, and what identifies processes.
static bool
select_for(struct search *s)
{
	struct pmon_select *wider;

	if (pmon_select_new(NULL, &s->select, NULL) != PMON_OK ||
	    !rules_needs(&s->judged.rules, add_pattern, s->select) || !select_for_incidents(s) ||
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
judge_sample(struct judged *j, const struct pmon_schema *schema, const struct pmon_sample *sample)
{
	const struct pmon_value *values;

	return pmon_statistics_add(j->statistics, sample, &values, NULL) == PMON_OK &&
	       rules_judge_add(j->judge, sample, values) &&
	       (!j->finds_incidents || tracks_add(&j->incidents.tracks, schema, sample, values));
}

static bool
read_all(struct search *s)
{
	const struct pmon_schema *schema = pmon_source_schema(s->source);
	const struct pmon_sample *sample;
	enum pmon_status status;

	while ((status = pmon_source_next(s->source, &sample, NULL)) == PMON_OK)
		if (!judge_sample(&s->judged, schema, sample))
			return false;
	return status == PMON_END;
}

// The source skips samples that contain none of the selected series.
static void
count_used(struct set *set, const struct store_window *window, struct search *s)
{
	struct store_extent extent;

	store_lock(set->store);
	extent = store_extent(set->store, window);
	store_unlock(set->store);
	s->judged.first = extent.first;
	s->judged.last = extent.last;
	s->judged.logs.used = pmon_statistics_used(s->judged.statistics);
	if (extent.samples <= s->judged.logs.used.samples)
		return;
	s->judged.logs.used.empty += extent.samples - s->judged.logs.used.samples;
	s->judged.logs.used.samples = extent.samples;
}

static bool
judge(struct call *call, struct set *set, struct search *s)
{
	const struct rules_options options = {.calc = &call->view->calc, .episodes = true};
	struct store_window window;
	const struct pmon_schema *schema;
	bool good;

	if (!call_window(call, &window))
		return false;
	if (extract_processes(set, s->ids, s->n, &window, &s->source, NULL) != PMON_OK)
		return false;
	if (!extract_names_open(&s->names, set, s->ids, s->n))
		return false;
	schema = pmon_source_schema(s->source);
	s->judged.judge = rules_judge_new(&s->judged.rules, schema, &options);
	good = s->judged.judge != NULL &&
	       pmon_statistics_new(schema, &call->view->calc, NULL, &s->judged.statistics, NULL) ==
		       PMON_OK &&
	       read_all(s);
	if (good)
		count_used(set, &window, s);
	return good;
}

static void
close_search(struct search *s)
{
	extract_names_close(&s->names);
	(void)judged_close(&s->judged, EXIT_DONE);
	if (s->source != NULL)
		pmon_source_close(s->source);
	pmon_select_free(s->select);
	free(s->ids);
}

// ---- The answer -----------------------------------------------------------------------------

static uint32_t
id_of(const struct search *s, const struct pmon_series *series)
{
	return extract_id(&s->names, series);
}

// The same keys as in pmon health and pmon find, plus what the page needs to request the series and
// to draw the limit.
static void
put_episode(struct json *json, const struct search *s, const struct rules_episode *e)
{
	static const char *const severities[RULES_LEVELS] = {"warning", "critical"};
	const struct draw_threshold *threshold = &e->rule->limits[e->level].threshold;

	json_open(json, '{');
	json_key(json, "rule"), json_u64(json, (uint64_t)(e->rule - s->judged.rules.list));
	json_key(json, "severity"), json_str(json, severities[e->level]);
	json_key(json, "id"), json_u64(json, id_of(s, e->series));
	json_episode(json, e);
	json_key(json, "who_ids"), json_open(json, '[');
	for (size_t i = 0; i < e->n_who; i++)
		json_u64(json, id_of(s, e->who[i].series));
	json_close(json, ']');
	json_limit(json, e);
	json_key(json, "below"), json_bool(json, threshold->below);
	json_key(json, "limit_text"), json_str(json, threshold->text);
	json_close(json, '}');
}

static void
put_rules(struct json *json, const struct rules *rules)
{
	json_key(json, "rules"), json_open(json, '[');
	for (size_t i = 0; i < rules->n; i++) {
		json_open(json, '{');
		json_key(json, "name"), json_text(json, rules->list[i].name);
		json_rule(json, &rules->list[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

// Count the rules per machine by their outcome. A pack without counters on a machine counts as one
// rule.
static void
put_counts(struct json *json, const struct search *s)
{
	uint64_t within = 0;
	uint64_t beyond = 0;
	uint64_t not_judged = 0;

	for (size_t m = 0; m < rules_judge_machines(s->judged.judge); m++)
		for (size_t i = 0; i < s->judged.rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(s->judged.judge, i, m);

			bool is_listed =
				!rules_judge_lacks_pack(s->judged.judge, &s->judged.rules, i, m) ||
				rules_begins_pack(&s->judged.rules, i);

			within += outcome == RULES_KEPT;
			beyond += outcome == RULES_BEYOND;
			not_judged +=
				outcome != RULES_BEYOND && !rules_is_judged(outcome) && is_listed;
		}
	json_key(json, "within"), json_u64(json, within);
	json_key(json, "not_judged"), json_u64(json, not_judged);
	json_key(json, "left_out"), json_u64(json, s->left_out);
	json_key(json, "beyond"), json_u64(json, beyond);
}

static bool
put_found(struct call *call, struct search *s)
{
	struct json *json = &call->json;
	size_t n;
	const struct rules_episode *list = rules_judge_episodes(s->judged.judge, &n);

	if (list == NULL)
		return false;
	json_open(json, '{');
	json_key(json, "total"), json_u64(json, n);
	json_key(json, "episodes"), json_open(json, '[');
	for (size_t i = 0; i < n && i < MOST_EPISODES; i++)
		put_episode(json, s, &list[i]);
	json_close(json, ']');
	put_rules(json, &s->judged.rules);
	if (rules_judge_findings(s->judged.judge, &n) == NULL)
		return false;
	json_key(json, "findings"), json_u64(json, n);
	put_counts(json, s);
	json_used(json, &s->judged.logs.used);
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
	json_key(json, "beyond"), json_u64(json, 0);
	json_used(json, &(struct pmon_used){.samples = 0});
	json_close(json, '}');
}

static void
find_episodes(struct call *call, struct set *set)
{
	struct search s = {.n = 0};

	if (!read_rules(call, &s))
		return;
	if (!select_for(&s) || !find_series(call, set, &s))
		call_no_memory(call);
	else if (s.n == 0)
		put_nothing(&call->json);
	else if ((!judge(call, set, &s) || !put_found(call, &s)) && call->status == 200)
		call_fail(call, 500, NULL, "the log could not be judged: not enough memory");
	close_search(&s);
}

// ---- Incidents ------------------------------------------------------------------------------

static uint32_t
number_of(const void *ctx, const struct pmon_series *series)
{
	return id_of(ctx, series);
}

// Machines without any counter that a rule needs have results too.
static bool
note_machines(struct call *call, struct set *set, struct search *s)
{
	size_t n;
	const struct pmon_series **list = series_all(call, set, &n);
	bool good = list != NULL;

	for (size_t i = 0; good && i < n; i++)
		good = (i > 0 &&
			pmon_text_same(list[i]->path.machine, list[i - 1]->path.machine)) ||
		       rules_judge_note_machine(s->judged.judge, list[i]->path.machine);
	free(list);
	return good;
}

static bool
put_incidents(struct call *call, struct set *set, struct search *s)
{
	const struct judged_numbers numbers = {number_of, s};

	return note_machines(call, set, s) && judged_rank(&s->judged) == EXIT_DONE &&
	       judged_json(&call->json, &s->judged, &numbers);
}

static void
find_incidents(struct call *call, struct set *set)
{
	struct search s = {.judged = {.finds_incidents = true}};

	if (!read_packs(&s) || !select_for(&s) || !find_series(call, set, &s))
		call_no_memory(call);
	else if ((!judge(call, set, &s) || !put_incidents(call, set, &s)) && call->status == 200)
		call_fail(call, 500, NULL, "the log could not be judged: not enough memory");
	close_search(&s);
}

// ---- Answers that are kept ------------------------------------------------------------------

typedef void (*search_fn)(struct call *call, struct set *set);

// Judge the whole set again. Call with the answer locked.
static void
renew(struct call *call, struct set *set, struct set_answer *answer, search_fn search)
{
	FILE *stream = call->json.stream;

	free(answer->text);
	answer->text = NULL;
	call->json.stream = text_stream_open(&answer->text, &answer->len);
	if (call->json.stream == NULL) {
		call_no_memory(call);
	} else {
		search(call, set);
		if (!text_stream_close(call->json.stream, &answer->text) && call->status == 200)
			call_no_memory(call);
	}
	call->json.stream = stream;
	if (call->status != 200) {
		free(answer->text);
		answer->text = NULL;
	}
}

// Answer with what is kept for the whole set, which is judged again when it has more samples.
static void
answer_whole(struct call *call, struct set *set, struct set_answer *answer, search_fn search)
{
	uint64_t raw_values;

	pmon_lock_take(&answer->lock);
	store_lock(set->store);
	raw_values = store_raw_values(set->store);
	store_unlock(set->store);
	if (answer->text == NULL || answer->raw_values != raw_values) {
		answer->raw_values = raw_values;
		renew(call, set, answer, search);
	}
	if (answer->text != NULL)
		(void)fwrite(answer->text, 1, answer->len, call->json.stream);
	pmon_lock_give(&answer->lock);
}

static bool
has_window(const struct call *call)
{
	return call_param(call, "from").ptr != NULL || call_param(call, "to").ptr != NULL;
}

void
api_findings(struct call *call)
{
	struct set *set;

	if (!call_set(call, "set", &set))
		return;
	if (has_window(call) || call_param(call, "q").ptr != NULL)
		find_episodes(call, set);
	else
		answer_whole(call, set, &set->findings, find_episodes);
}

void
api_incidents(struct call *call)
{
	struct set *set;

	if (!call_set(call, "set", &set))
		return;
	if (has_window(call))
		find_incidents(call, set);
	else
		answer_whole(call, set, &set->incidents, find_incidents);
}
