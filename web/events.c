// events.c - send what is new as server-sent events
// SPDX-License-Identifier: MIT

#include "web/events.h"

#include <stdlib.h>
#include <string.h>

#include "os/clock.h"
#include "shell/output/stream.h"
#include "web/api.h"
#include "web/picture.h"
#include "web/view_private.h"

#define STREAMS      16
#define HEARTBEAT_MS 1000 // writing reveals that a client has gone; until then its stream counts

struct events {
	struct view *view;
	struct set *set;
	uint64_t number; // of the set
	struct call_ids ids;
	int64_t interval_100ns;
	uint64_t seen; // the newest change seen
	uint32_t next; // the first sample not sent yet
	int64_t sent_100ns;
	bool begun;
	enum set_state states[VIEW_SETS]; // as last sent
	uint64_t opened[VIEW_SETS];
	bool has_samples[VIEW_SETS];
	char *text; // still to be sent
	size_t len;
	size_t at;
};

// ---- Opening --------------------------------------------------------------------------------

static bool
enter(struct call *call)
{
	struct view *view = call->view;
	bool room;

	pmon_lock_take(&view->lock);
	room = view->streams < STREAMS;
	view->streams += room;
	pmon_lock_give(&view->lock);
	if (!room)
		call_fail(call, 503, NULL, "%d event streams are already open", STREAMS);
	return room;
}

void
api_events(struct call *call)
{
	struct events *events = calloc(1, sizeof(*events));
	uint64_t interval_ms = 0;

	if (events == NULL) {
		call_no_memory(call);
		return;
	}
	events->view = call->view;
	if (!call_set(call, "set", &events->set) ||
	    !call_number(call, "set", 0, VIEW_SETS - 1, &events->number) ||
	    !call_ids(call, events->set, false, &events->ids) ||
	    !call_number(call, "interval_ms", 0, 3600000, &interval_ms) || !enter(call)) {
		free(events);
		return;
	}
	(void)view_keep(call->view, events->set);
	events->interval_100ns = (int64_t)interval_ms * PMON_TIME_PER_MSEC;
	store_lock(events->set->store);
	events->next = store_end(events->set->store);
	store_unlock(events->set->store);
	call->type = "text/event-stream";
	call->events = events;
}

void
events_close(struct events *events)
{
	if (events == NULL)
		return;
	pmon_lock_take(&events->view->lock);
	events->view->streams--;
	pmon_lock_give(&events->view->lock);
	view_give(events->view, events->set);
	free(events->text);
	free(events);
}

// ---- Events ---------------------------------------------------------------------------------

static bool
has_samples(const struct set *set)
{
	bool has;

	store_lock(set->store);
	has = store_end(set->store) > 0;
	store_unlock(set->store);
	return has;
}

// Has anything about the sets changed since it was sent? While a set is loading, always. The first sample of a live set
// is a change too: it brings the counters that the page chooses from.
static bool
log_changed(struct events *e)
{
	bool changed = !e->begun;

	for (size_t i = 0; i < VIEW_SETS; i++) {
		struct set *set = view_take(e->view, i);
		enum set_state state = set != NULL ? set_facts(set).state : SET_COMPLETE;
		uint64_t opened = set != NULL ? set->opened : 0;
		bool filled = set != NULL && has_samples(set);

		changed |= state != e->states[i] || state == SET_LOADING ||
			   opened != e->opened[i] || filled != e->has_samples[i];
		e->states[i] = state;
		e->opened[i] = opened;
		e->has_samples[i] = filled;
		view_give(e->view, set);
	}
	e->begun = true;
	return changed;
}

static bool
put_log_event(struct events *e, FILE *stream)
{
	struct json json = {.stream = stream};
	bool good;

	fputs("event: log\ndata: ", stream);
	good = api_put_log(&json, e->view);
	fputs("\n\n", stream);
	return good;
}

// The displayed value of a series in a sample; no_data if it is absent.
static struct pmon_value
value_at(const struct events *e, uint32_t id, uint32_t at)
{
	const struct store *store = e->set->store;
	struct store_window window = {store_sample_at(store, at)->time, PMON_TIME_NONE};
	struct store_value value;
	struct store_walk walk;

	store_walk_open(&walk, store, id, &window, &e->view->calc);
	while (store_walk_next(&walk, &value) && value.at <= at) {
		struct pmon_value shown = pmon_stats_add(&walk.stats, &value.raw);

		if (value.at == at)
			return shown;
	}
	return (struct pmon_value){.status = PMON_V_NO_DATA};
}

static void
put_values(const struct events *e, struct json *json, uint32_t at)
{
	struct pmon_value values[CALL_IDS];

	json_key(json, "ids"), json_open(json, '[');
	for (size_t i = 0; i < e->ids.n; i++) {
		values[i] = value_at(e, e->ids.list[i], at);
		json_u64(json, e->ids.list[i]);
	}
	json_close(json, ']');
	json_key(json, "value"), json_open(json, '[');
	for (size_t i = 0; i < e->ids.n; i++)
		json_value(json, &values[i]);
	json_close(json, ']');
	json_key(json, "status"), json_open(json, '[');
	for (size_t i = 0; i < e->ids.n; i++)
		json_str(json, pmon_vstat_name(values[i].status));
	json_close(json, ']');
}

// The newest sample. Call with the store locked.
static void
put_sample_event(struct events *e, FILE *stream)
{
	uint32_t at = store_end(e->set->store) - 1;
	pmon_time time = store_sample_at(e->set->store, at)->time;
	struct json json = {.stream = stream};

	fprintf(stream, "event: sample\nid: %lu\ndata: ", (unsigned long)at);
	json_open(&json, '{');
	json_key(&json, "set"), json_u64(&json, e->number);
	json_key(&json, "time"), json_time(&json, time);
	json_key(&json, "ms"), json_double(&json, picture_ms(time));
	put_values(e, &json, at);
	json_close(&json, '}');
	fputs("\n\n", stream);
	e->next = at + 1;
}

static void
put_sample(struct events *e, FILE *stream)
{
	int64_t now = pmon_os_monotonic_100ns();

	if (!set_facts(e->set).info.live ||
	    (e->sent_100ns != 0 && now - e->sent_100ns < e->interval_100ns))
		return;
	store_lock(e->set->store);
	if (store_end(e->set->store) > e->next) {
		put_sample_event(e, stream);
		e->sent_100ns = now;
	}
	store_unlock(e->set->store);
}

// Write what is new. Returns false if memory runs out.
static bool
compose(struct events *e, bool waited_in_vain)
{
	FILE *stream;
	bool good;

	free(e->text);
	e->text = NULL;
	e->len = e->at = 0;
	stream = text_stream_open(&e->text, &e->len);
	if (stream == NULL)
		return false;
	good = !log_changed(e) || put_log_event(e, stream);
	put_sample(e, stream);
	if (waited_in_vain)
		fputs(":\n\n", stream);
	return text_stream_close(stream, &e->text) && good;
}

size_t
events_read(struct events *e, char *buf, size_t size)
{
	size_t n;

	while (e->at == e->len) {
		uint64_t seen = e->seen;

		if (e->begun)
			seen = notify_wait(&e->view->notifier, e->seen, HEARTBEAT_MS);
		if (notify_is_stopped(&e->view->notifier) ||
		    !compose(e, e->begun && seen == e->seen))
			return 0;
		e->seen = seen;
	}
	n = e->len - e->at < size ? e->len - e->at : size;
	memcpy(buf, e->text + e->at, n);
	e->at += n;
	return n;
}
