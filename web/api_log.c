// api_log.c - what is open, how much of it is loaded, and where it has gaps
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "model/pace.h"
#include "shell/output/machines.h"
#include "web/api.h"
#include "web/view_private.h"

// As in pmon info, the usual interval is the median of the first ones.
#define INTERVALS 1001
#define MARKS     1000 // of each kind

#define PROGRAM "pmon " PMON_VERSION_TEXT

static const char *
state_name(enum set_state state)
{
	static const char *const names[] = {"loading", "complete", "live", "ended", "failed"};

	return names[state];
}

// ---- Intervals ------------------------------------------------------------------------------

static int
by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

// Computed as pmon info does; 0 if unknown. Call with the store locked.
static int64_t
usual_interval(const struct store *store)
{
	int64_t intervals[INTERVALS];
	size_t same = 0;
	size_t n = 0;

	for (uint32_t at = store_begin(store) + 1; at < store_end(store) && n < INTERVALS; at++) {
		int64_t length =
			store_sample_at(store, at)->time - store_sample_at(store, at - 1)->time;

		if (length >= 0)
			intervals[n++] = length;
	}
	qsort(intervals, n, sizeof(*intervals), by_length);
	// Several samples with the same time, as in logs with times in whole minutes, have no
	// interval between them.
	while (same < n && intervals[same] == 0)
		same++;
	return same < n ? intervals[same + (n - same) / 2] : 0;
}

static void
put_seconds(struct json *json, int64_t length_100ns)
{
	if (length_100ns == 0)
		json_none(json);
	else
		json_double(json, (double)length_100ns / (double)PMON_TIME_PER_SEC);
}

// ---- What is open ---------------------------------------------------------------------------

// List all machines, because the page names each. This and the functions below return false if
// memory runs out.
static bool
put_machines(struct json *json, const struct pmon_schema *schema)
{
	struct machines machines;
	bool found = machines_find(schema, &machines);

	json_key(json, "machines"), json_open(json, '[');
	for (size_t i = 0; i < machines.n; i++)
		json_text(json, machines.list[i]);
	json_close(json, ']');
	machines_free(&machines);
	return found;
}

static void
put_names(struct json *json, const struct set_plan *plan, const char *machine)
{
	char name[256];
	size_t len = 0;

	for (size_t i = 0; i < plan->n_files && len < sizeof(name); i++)
		len += (size_t)snprintf(name + len, sizeof(name) - len, "%s%s", i > 0 ? ", " : "",
					plan->files[i]);
	json_key(json, "name"), json_str(json, plan->n_files > 0 ? name : machine);
	json_key(json, "files"), json_open(json, '[');
	for (size_t i = 0; i < plan->n_files; i++)
		json_str(json, plan->files[i]);
	json_close(json, ']');
}

static void
put_progress(struct json *json, const struct set_facts *facts)
{
	const struct pmon_source_info *info = &facts->info;

	json_key(json, "live"), json_bool(json, info->live);
	json_key(json, "state"), json_str(json, state_name(facts->state));
	json_key(json, "error"), json_str(json, facts->state == SET_FAILED ? facts->err.msg : NULL);
	json_key(json, "fraction");
	if (facts->state == SET_COMPLETE)
		json_double(json, 1);
	else if (facts->state != SET_LOADING || info->size_bytes == 0)
		json_none(json);
	else if (info->bytes_read < info->size_bytes)
		json_double(json, (double)info->bytes_read / (double)info->size_bytes);
	else
		json_double(json, 1);
}

// Call with the store locked.
static bool
put_counts(struct json *json, const struct set *set)
{
	const struct store *store = set->store;
	struct store_extent all =
		store_extent(store, &(struct store_window){PMON_TIME_NONE, PMON_TIME_NONE});
	int64_t interval = set->plan.interval_100ns;
	bool good = put_machines(json, store_schema(store));

	json_key(json, "first_time"), json_time(json, all.first);
	json_key(json, "last_time"), json_time(json, all.last);
	json_key(json, "samples"), json_u64(json, all.samples);
	json_key(json, "counters"), json_u64(json, pmon_schema_count(store_schema(store)));
	json_key(json, "raw_values"), json_u64(json, store_raw_values(store));
	json_key(json, "interval_s");
	put_seconds(json, interval > 0 ? interval : usual_interval(store));
	json_key(json, "history_s"), put_seconds(json, set->plan.history_100ns);
	return good;
}

static bool
put_set(struct json *json, struct set *set, size_t number)
{
	struct set_facts facts = set_facts(set);
	const struct pmon_source_info *info = &facts.info;
	bool good;

	json_open(json, '{');
	json_key(json, "set"), json_u64(json, number);
	put_names(json, &set->plan, info->machine);
	put_progress(json, &facts);
	json_key(json, "format"), json_str(json, info->format);
	json_key(json, "writer"), json_str(json, info->writer);
	json_key(json, "machine"), json_str(json, info->machine);
	json_key(json, "zone"), json_str(json, info->zone);
	json_key(json, "utc_offset_min"), json_i64(json, info->utc_offset_min);
	store_lock(set->store);
	good = put_counts(json, set);
	store_unlock(set->store);
	json_key(json, "losses"), json_u64(json, info->losses);
	json_key(json, "bytes_lost"), json_u64(json, info->bytes_lost);
	json_key(json, "records_unknown"), json_u64(json, info->records_unknown);
	json_key(json, "opened"), json_u64(json, set->opened);
	json_close(json, '}');
	return good;
}

bool
api_put_log(struct json *json, struct view *view)
{
	bool good = true;

	json_open(json, '{');
	json_key(json, "version"), json_u64(json, 1);
	json_key(json, "program"), json_str(json, PROGRAM);
	json_key(json, "sets"), json_open(json, '[');
	for (size_t i = 0; i < VIEW_SETS; i++) {
		struct set *set = view_take(view, i);

		if (set != NULL)
			good &= put_set(json, set, i);
		view_give(view, set);
	}
	json_close(json, ']');
	json_key(json, "takes_bytes");
	if (view->opener.most_bytes > 0)
		json_u64(json, view->opener.most_bytes);
	else
		json_none(json);
	json_close(json, '}');
	return good;
}

void
api_log(struct call *call)
{
	if (!api_put_log(&call->json, call->view))
		call_no_memory(call);
}

// ---- Marks ----------------------------------------------------------------------------------

struct gap {
	pmon_time from;
	pmon_time to;
};

// Does any part of it lie in the window?
static bool
touches(const struct store_window *window, pmon_time from, pmon_time to)
{
	return (window->from == PMON_TIME_NONE || to >= window->from) &&
	       (window->to == PMON_TIME_NONE || from <= window->to);
}

static uint64_t
find_gaps(const struct store *store, const struct store_window *window, struct gap *gaps)
{
	struct pmon_pace pace = {.samples = 0};
	uint64_t n = 0;

	for (uint32_t at = store_begin(store); at < store_end(store); at++) {
		const struct store_sample *sample = store_sample_at(store, at);
		pmon_time from = pace.time;

		pmon_pace_add(&pace,
			      &(struct pmon_sample){.time = sample->time,
						    .stream = sample->stream,
						    .perf_100ns = sample->perf_100ns,
						    .usual_100ns = store_usual_interval(store)});
		if (!pace.is_gap || pace.is_back || !touches(window, from, sample->time))
			continue;
		if (n < MARKS)
			gaps[n] = (struct gap){from, sample->time};
		n++;
	}
	return n;
}

static bool
put_gaps(struct call *call, const struct store *store, const struct store_window *window)
{
	struct json *json = &call->json;
	struct gap *gaps = calloc(MARKS, sizeof(*gaps));
	uint64_t n;

	if (gaps == NULL) {
		call_no_memory(call);
		return false;
	}
	n = find_gaps(store, window, gaps);
	json_key(json, "gap_count"), json_u64(json, n);
	json_key(json, "gaps"), json_open(json, '[');
	for (size_t i = 0; i < n && i < MARKS; i++) {
		json_open(json, '{');
		json_key(json, "from"), json_time(json, gaps[i].from);
		json_key(json, "to"), json_time(json, gaps[i].to);
		json_close(json, '}');
	}
	json_close(json, ']');
	free(gaps);
	return true;
}

struct reset {
	uint32_t id;
	enum pmon_vstat status;
	pmon_time time;
};

static uint64_t
find_resets(struct call *call, const struct store *store, const struct store_window *window,
	    const struct call_ids *ids, struct reset *resets)
{
	struct store_value value;
	struct store_walk walk;
	uint64_t n = 0;

	for (size_t i = 0; i < ids->n; i++) {
		store_walk_open(&walk, store, ids->list[i], window, &call->view->calc);
		while (store_walk_next(&walk, &value)) {
			enum pmon_vstat status = pmon_stats_add(&walk.stats, &value.raw).status;

			if (status != PMON_V_COUNTER_BACK && status != PMON_V_CLOCK_BACK &&
			    status != PMON_V_BASE_BACK)
				continue;
			if (n < MARKS)
				resets[n] = (struct reset){ids->list[i], status, value.raw.time};
			n++;
		}
	}
	return n;
}

static bool
put_resets(struct call *call, const struct store *store, const struct store_window *window,
	   const struct call_ids *ids)
{
	struct json *json = &call->json;
	struct reset *resets = calloc(MARKS, sizeof(*resets));
	uint64_t n;

	if (resets == NULL) {
		call_no_memory(call);
		return false;
	}
	n = find_resets(call, store, window, ids, resets);
	json_key(json, "reset_count"), json_u64(json, n);
	json_key(json, "resets"), json_open(json, '[');
	for (size_t i = 0; i < n && i < MARKS; i++) {
		json_open(json, '{');
		json_key(json, "id"), json_u64(json, resets[i].id);
		json_key(json, "time"), json_time(json, resets[i].time);
		json_key(json, "status"), json_str(json, pmon_vstat_name(resets[i].status));
		json_close(json, '}');
	}
	json_close(json, ']');
	free(resets);
	return true;
}

static void
put_damage(struct json *json, struct set *set, const struct store_window *window)
{
	pmon_lock_take(&set->lock);
	json_key(json, "damage_count"), json_u64(json, set->damage_count);
	json_key(json, "damage"), json_open(json, '[');
	for (size_t i = 0; i < set->n_damage; i++) {
		const struct set_damage *d = &set->damage[i];

		if (d->time != PMON_TIME_NONE && !touches(window, d->time, d->time))
			continue;
		json_open(json, '{');
		json_key(json, "time"), json_time(json, d->time);
		json_key(json, "bytes");
		if (d->bytes > 0)
			json_u64(json, d->bytes);
		else
			json_none(json);
		json_key(json, "text"), json_str(json, d->text);
		json_close(json, '}');
	}
	json_close(json, ']');
	pmon_lock_give(&set->lock);
}

void
api_marks(struct call *call)
{
	struct store_window window;
	struct call_ids ids;
	struct set *set;
	bool done;

	if (!call_set(call, "set", &set) || !call_ids(call, set, false, &ids) ||
	    !call_window(call, &window))
		return;
	json_open(&call->json, '{');
	store_lock(set->store);
	done = put_gaps(call, set->store, &window) && put_resets(call, set->store, &window, &ids);
	store_unlock(set->store);
	if (done)
		put_damage(&call->json, set, &window);
	json_close(&call->json, '}');
}
