// api.c - the table of endpoints, and the short ones
// SPDX-License-Identifier: MIT

#include "web/api.h"

#include <stdlib.h>
#include <string.h>

#include "query/latency.h"
#include "shell/output/explain_json.h"
#include "web/latency.h"
#include "web/series.h"
#include "web/view_private.h"

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const no_params[] = {NULL};

static const struct api_route routes[] = {
	{"/api/log", no_params, api_log},
	{"/api/tree", NAMES("set", "machine", "object", "counter", "q", "offset", "limit"),
	 api_tree},
	{"/api/select", NAMES("set", "pattern", "q", "offset", "limit"), api_select},
	{"/api/first", NAMES("set", "machine", "max"), api_first},
	{"/api/series", NAMES("set", "ids"), api_series},
	{"/api/matching", NAMES("set", "ids", "to_set"), api_matching},
	{"/api/data", NAMES("set", "ids", "from", "to", "columns"), api_data},
	{"/api/usual", NAMES("set", "ids", "without"), api_usual},
	{"/api/explain", NAMES("set", "id", "at", "from", "to"), api_explain},
	{"/api/marks", NAMES("set", "ids", "from", "to"), api_marks},
	{"/api/findings", NAMES("set", "q", "from", "to"), api_findings},
	{"/api/incidents", NAMES("set", "from", "to"), api_incidents},
	{"/api/changes", NAMES("set", "from", "to", "max"), api_changes},
	{"/api/top", NAMES("set", "pattern", "q", "from", "to", "max"), api_top},
	{"/api/export", NAMES("set", "ids", "from", "to", "format"), api_export},
	{"/api/events", NAMES("set", "ids", "interval_ms"), api_events},
};

const struct api_route *
api_find(const char *path)
{
	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++)
		if (strcmp(routes[i].path, path) == 0)
			return &routes[i];
	return NULL;
}

void
api_series(struct call *call)
{
	const struct pmon_schema *schema;
	const struct pmon_series *list[CALL_IDS];
	struct call_ids ids;
	struct set *set;

	if (!call_set(call, "set", &set) || !call_ids(call, set, true, &ids))
		return;
	schema = store_schema(set->store);
	store_lock(set->store);
	for (size_t i = 0; i < ids.n; i++)
		list[i] = pmon_schema_at(schema, ids.list[i]);
	store_unlock(set->store);
	json_open(&call->json, '{');
	json_key(&call->json, "series"), json_open(&call->json, '[');
	for (size_t i = 0; i < ids.n; i++)
		series_put_details(&call->json, list[i], set->plan.interval_100ns > 0);
	json_close(&call->json, ']');
	json_close(&call->json, '}');
}

void
api_explain(struct call *call)
{
	struct explain_subject subject = {.found = false};
	struct explain_average average;
	struct latency latency;
	struct pmon_live_counter origin;
	const struct pmon_series *series;
	struct store_window window;
	struct store_value value;
	struct store_walk walk;
	struct set *set;
	pmon_time at;
	uint32_t id;

	if (!call_set(call, "set", &set) || !call_id(call, set, &id) ||
	    !call_time(call, "at", &at) || !call_window(call, &window))
		return;
	store_lock(set->store);
	series = pmon_schema_at(store_schema(set->store), id);
	store_walk_open(&walk, set->store, id, &window, &call->view->calc);
	while (store_walk_next(&walk, &value)) {
		struct pmon_value shown;

		explain_see(&subject, &walk.stats, &value.raw, at);
		shown = pmon_stats_add(&walk.stats, &value.raw);
		explain_note(&subject, &shown);
	}
	(void)latency_in_window(call, set->store, id, &window, &latency);
	store_unlock(set->store);
	if (walk.cursor.failed)
		call_fail(call, 500, NULL, "cannot read the temporary file");
	else if (!subject.found)
		call_fail(call, 404, "from", "the window has no samples of this series");
	if (call->status != 200)
		return;
	explain_average_of(series, &walk.stats, &average);
	if (latency.known)
		average.kind = PMON_AVERAGE_DERIVED;
	if (latency.known && latency.operations > 0)
		pmon_latency_explain(latency.seconds, latency.operations, &average.why);
	explain_subject_json(&call->json, &subject, &walk.stats.calc, &average, series,
			     series_origin(set, series, &origin));
}

// ---- The same counter elsewhere -------------------------------------------------------------

static bool
is_one_machine(const struct pmon_series *const *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!pmon_text_same(list[i]->path.machine, list[0]->path.machine))
			return false;
	return true;
}

// The series with the same path; on any machine, if the machine does not count.
static const struct pmon_series *
find_matching(const struct pmon_series *const *list, size_t n, struct pmon_path path,
	      bool any_machine)
{
	for (size_t i = 0; i < n; i++) {
		if (any_machine)
			path.machine = list[i]->path.machine;
		if (pmon_path_same(&path, &list[i]->path))
			return list[i];
	}
	return NULL;
}

static void
put_matching(struct call *call, struct set *set, const struct pmon_series *const *list, size_t n,
	     const struct call_ids *ids)
{
	struct json *json = &call->json;
	bool any_machine = is_one_machine(list, n);

	json_key(json, "matching"), json_open(json, '[');
	for (size_t i = 0; i < ids->n; i++) {
		const struct pmon_series *series;
		const struct pmon_series *other;

		store_lock(set->store);
		series = pmon_schema_at(store_schema(set->store), ids->list[i]);
		store_unlock(set->store);
		other = find_matching(list, n, series->path, false);
		if (other == NULL && any_machine)
			other = find_matching(list, n, series->path, true);
		if (other == NULL)
			json_none(json);
		else
			json_u64(json, other->id);
	}
	json_close(json, ']');
}

void
api_matching(struct call *call)
{
	const struct pmon_series **list;
	struct call_ids ids;
	struct set *set;
	struct set *to;
	size_t n;

	if (!call_set(call, "set", &set) || !call_set(call, "to_set", &to) ||
	    !call_ids(call, set, true, &ids))
		return;
	list = series_all(call, to, &n);
	if (list == NULL)
		return;
	json_open(&call->json, '{');
	json_key(&call->json, "ids"), json_open(&call->json, '[');
	for (size_t i = 0; i < ids.n; i++)
		json_u64(&call->json, ids.list[i]);
	json_close(&call->json, ']');
	put_matching(call, set, list, n, &ids);
	json_close(&call->json, '}');
	free(list);
}
