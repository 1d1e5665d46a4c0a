// extract.c - some series of a store, in a window, as a source
// SPDX-License-Identifier: MIT

#include "web/extract.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/source.h"
#include "query/places.h"

// One series: its cursor, and the present value.
struct lane {
	struct store_cursor cursor;
	struct store_value value;
	struct store_value before; // the window
	struct store_sample before_sample;
	bool has_value;
	bool starts; // it is what the process of the series counted from
	bool has_before;
};

struct extract {
	struct pmon_source base;
	struct set *set;
	struct store_window window;
	uint32_t end; // samples that were there when it was opened
	size_t n;
	struct lane *lanes;
	uint32_t *series;
	struct pmon_raw *raw;
	struct pmon_sample sample;
};

// The next value of a series that lies in the window.
static void
advance(struct extract *e, struct lane *lane)
{
	do
		lane->has_value =
			store_cursor_next(&lane->cursor, &lane->value) && lane->value.at < e->end;
	while (lane->has_value && !store_is_inside(e->set->store, &e->window, lane->value.at));
	lane->starts = lane->has_value && lane->cursor.starts;
}

static void
begin_sample(struct extract *e, const struct store_sample *from, bool lead_in)
{
	e->sample = (struct pmon_sample){.time = from->time,
					 .utc_offset_min = from->utc_offset_min,
					 .stream = from->stream,
					 .ordinal = from->ordinal,
					 .lead_in = lead_in,
					 .series = e->series,
					 .raw = e->raw};
}

static void
take(struct extract *e, size_t i, const struct pmon_raw *raw)
{
	e->series[e->sample.n] = (uint32_t)i;
	e->raw[e->sample.n++] = *raw;
}

// The earliest sample that any series has still to give, from before the window or in it; the number of
// that series, or n when there is none.
static size_t
earliest(const struct extract *e, bool lead_in)
{
	size_t best = e->n;

	for (size_t i = 0; i < e->n; i++) {
		const struct lane *lane = &e->lanes[i];

		if (lead_in && lane->has_before &&
		    (best == e->n || lane->before.at < e->lanes[best].before.at))
			best = i;
		if (!lead_in && lane->has_value &&
		    (best == e->n || lane->value.at < e->lanes[best].value.at))
			best = i;
	}
	return best;
}

// A sample from before the window, of all series whose newest value there is of it.
static void
gather_lead(struct extract *e, size_t first)
{
	uint32_t at = e->lanes[first].before.at;

	begin_sample(e, &e->lanes[first].before_sample, true);
	for (size_t i = first; i < e->n; i++) {
		struct lane *lane = &e->lanes[i];

		if (!lane->has_before || lane->before.at != at)
			continue;
		take(e, i, &lane->before.raw);
		lane->has_before = false;
	}
}

// Has any series to give where its process began, before what it has in this sample?
static bool
any_starts(const struct extract *e, uint32_t at)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->lanes[i].starts && e->lanes[i].value.at == at)
			return true;
	return false;
}

static void
gather(struct extract *e, size_t first)
{
	uint32_t at = e->lanes[first].value.at;
	bool starts = any_starts(e, at);

	begin_sample(e, store_sample_at(e->set->store, at), starts);
	e->sample.starts = starts;
	e->sample.ordinal -= starts;
	for (size_t i = first; i < e->n; i++) {
		struct lane *lane = &e->lanes[i];

		if (!lane->has_value || lane->value.at != at || lane->starts != starts)
			continue;
		take(e, i, &lane->value.raw);
		advance(e, lane);
	}
}

static enum pmon_status
next_locked(struct extract *e, const struct pmon_sample **sample, struct pmon_err *err)
{
	size_t lead = earliest(e, true);
	size_t first;

	*sample = &e->sample;
	if (lead < e->n) {
		gather_lead(e, lead);
		return PMON_OK;
	}
	for (size_t i = 0; i < e->n; i++) {
		struct lane *lane = &e->lanes[i];

		// Skip values that were dropped since the last sample.
		while (lane->has_value && lane->value.at < store_begin(e->set->store))
			advance(e, lane);
		if (lane->cursor.failed)
			return pmon_err_set(err, PMON_E_IO, 0, "the temporary file cannot be read");
	}
	first = earliest(e, false);
	if (first == e->n)
		return PMON_END;
	gather(e, first);
	return PMON_OK;
}

static enum pmon_status
extract_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct extract *e = (struct extract *)source;
	enum pmon_status status;

	store_lock(e->set->store);
	status = next_locked(e, sample, err);
	store_unlock(e->set->store);
	return status;
}

// Put every series at the beginning of the window.
static void
start(struct extract *e)
{
	const struct store *store = e->set->store;
	struct store_range range = store_find(store, &e->window);

	e->end = range.end;
	for (size_t i = 0; i < e->n; i++) {
		struct lane *lane = &e->lanes[i];

		lane->has_before = store_cursor_open(&lane->cursor, store, lane->cursor.id,
						     range.begin, &lane->before) &&
				   store_leads_in(store, &e->window, lane->before.at);
		if (lane->has_before)
			lane->before_sample = *store_sample_at(store, lane->before.at);
		advance(e, lane);
	}
}

static enum pmon_status
extract_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct extract *e = (struct extract *)source;

	(void)err;
	store_lock(e->set->store);
	start(e);
	store_unlock(e->set->store);
	return PMON_OK;
}

static void
extract_close(struct pmon_source *source)
{
	struct extract *e = (struct extract *)source;

	free(e->lanes);
	free(e->series);
	free(e->raw);
	pmon_schema_free(&e->base.schema);
	free(e);
}

static const struct pmon_source_ops extract_ops = {extract_next, extract_rewind, extract_close};

static enum pmon_status
copy_series(struct extract *e, const uint32_t *ids, size_t n)
{
	enum pmon_status status = PMON_OK;
	uint32_t id;

	for (size_t i = 0; status == PMON_OK && i < n; i++) {
		struct pmon_series copy = *pmon_schema_at(store_schema(e->set->store), ids[i]);

		copy.order = i;
		status = pmon_schema_copy(&e->base.schema, &copy, &id);
		e->lanes[i].cursor.id = ids[i];
	}
	return status;
}

enum pmon_status
extract_open(struct set *set, const uint32_t *ids, size_t n, const struct store_window *window,
	     struct pmon_source **out, struct pmon_err *err)
{
	struct extract *e = calloc(1, sizeof(*e));

	*out = NULL;
	if (e == NULL)
		return pmon_err_nomem(err);
	e->base.ops = &extract_ops;
	pmon_schema_init(&e->base.schema, pmon_mem_allocator(NULL));
	e->base.info = set_facts(set).info;
	e->base.info.live = false;
	e->set = set;
	e->window = *window;
	e->n = n;
	e->lanes = calloc(n, sizeof(*e->lanes));
	e->series = calloc(n, sizeof(*e->series));
	e->raw = calloc(n, sizeof(*e->raw));
	if (e->lanes == NULL || e->series == NULL || e->raw == NULL) {
		extract_close(&e->base);
		return pmon_err_nomem(err);
	}
	store_lock(set->store);
	if (copy_series(e, ids, n) != PMON_OK) {
		store_unlock(set->store);
		extract_close(&e->base);
		return pmon_err_nomem(err);
	}
	start(e);
	store_unlock(set->store);
	*out = &e->base;
	return PMON_OK;
}

enum pmon_status
extract_processes(struct set *set, const uint32_t *ids, size_t n, const struct store_window *window,
		  struct pmon_source **out, struct pmon_err *err)
{
	const struct pmon_identity_options options = {.by_process = true};
	struct pmon_source *source;
	enum pmon_status status = extract_open(set, ids, n, window, &source, err);

	*out = NULL;
	return status == PMON_OK ? pmon_identity_open(source, &options, out, err) : status;
}

bool
extract_tells(const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);
	const char *name;

	for (size_t i = 0; (name = pmon_role_counter(i)) != NULL; i++)
		if (pmon_text_same(path->counter, (struct pmon_span){name, strlen(name)}))
			return path->instance.ptr != NULL;
	return false;
}

uint32_t
extract_id(struct set *set, const uint32_t *ids, size_t n, const struct pmon_series *series)
{
	const struct pmon_schema *schema = store_schema(set->store);
	uint32_t id = ids[0];

	store_lock(set->store);
	for (size_t i = 0; i < n; i++) {
		struct pmon_span name = pmon_schema_at(schema, ids[i])->name;

		if (name.len == series->name.len &&
		    memcmp(name.ptr, series->name.ptr, name.len) == 0) {
			id = ids[i];
			break;
		}
	}
	store_unlock(set->store);
	return id;
}
