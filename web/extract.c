// extract.c - some series of a store, in a window, as a source
// SPDX-License-Identifier: MIT

#include "web/extract.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/source.h"
#include "query/slots.h"

#define NONE UINT32_MAX // no value

// One series: its cursor and current value.
struct lane {
	struct store_cursor cursor;
	struct store_value value;
	struct store_value before; // outside the window, which precedes the current one
	struct store_sample before_sample;
};

// The position of each series. All of them are scanned for each sample, so they are kept together
// in memory, apart from the large lanes.
struct place {
	uint32_t at;        // the sample of the current value, or NONE
	uint32_t before_at; // and of the value before it outside the window
	bool starts;        // the current value is a process's start value
};

struct extract {
	struct pmon_source base;
	struct set *set;
	struct store_window window;
	uint32_t end; // the number of samples when it was opened
	size_t n;
	size_t n_before; // series that have a value outside the window to return
	bool failed;     // a series could not be read
	struct lane *lanes;
	struct place *places;
	uint32_t *series;
	struct pmon_raw *raw;
	struct pmon_sample sample;
};

// Keep a value outside the window.
static void
keep_before(struct extract *e, size_t i, const struct store_value *value)
{
	const struct store *store = e->set->store;
	struct lane *lane = &e->lanes[i];
	struct place *place = &e->places[i];
	bool has_before = place->before_at != NONE;

	e->n_before += !has_before;
	store_lead_add(store, &lane->before, &has_before, value);
	lane->before_sample = *store_sample_at(store, value->at);
	place->before_at = value->at;
}

// Move to the next value of a series within the window.
static void
advance(struct extract *e, size_t i)
{
	struct lane *lane = &e->lanes[i];
	struct place *place = &e->places[i];
	bool has_value;

	for (;;) {
		has_value =
			store_cursor_next(&lane->cursor, &lane->value) && lane->value.at < e->end;
		if (!has_value || store_is_inside(e->set->store, &e->window, lane->value.at))
			break;
		keep_before(e, i, &lane->value);
	}
	place->at = has_value ? lane->value.at : NONE;
	place->starts = has_value && lane->cursor.starts;
	e->failed |= lane->cursor.failed;
}

static void
begin_sample(struct extract *e, const struct store_sample *from, bool preceding)
{
	e->sample = (struct pmon_sample){.time = from->time,
					 .utc_offset_min = from->utc_offset_min,
					 .perf_100ns = from->perf_100ns,
					 .usual_100ns = store_usual_interval(e->set->store),
					 .stream = from->stream,
					 .ordinal = from->ordinal,
					 .preceding = preceding,
					 .series = e->series,
					 .raw = e->raw};
}

static void
take_raw(struct extract *e, size_t i, const struct pmon_raw *raw)
{
	e->series[e->sample.n] = (uint32_t)i;
	e->raw[e->sample.n++] = *raw;
}

// The earliest sample, outside or in the window, for which a series still has a value. Returns the
// index of that series, or n if there is none.
static size_t
earliest(const struct extract *e, bool preceding)
{
	uint32_t least = NONE;
	size_t best = e->n;

	for (size_t i = 0; i < e->n; i++) {
		uint32_t at = preceding ? e->places[i].before_at : e->places[i].at;

		if (at < least) {
			least = at;
			best = i;
		}
	}
	return best;
}

// Build a sample outside the window from all series whose newest value there is in that sample.
static void
gather_lead(struct extract *e, size_t first)
{
	uint32_t at = e->places[first].before_at;

	begin_sample(e, &e->lanes[first].before_sample, true);
	for (size_t i = first; i < e->n; i++) {
		if (e->places[i].before_at != at)
			continue;
		take_raw(e, i, &e->lanes[i].before.raw);
		e->places[i].before_at = NONE;
		e->n_before--;
	}
}

// Does any series have a process's start value to deliver before its value in this sample?
static bool
any_starts(const struct extract *e, uint32_t at)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->places[i].starts && e->places[i].at == at)
			return true;
	return false;
}

static void
gather(struct extract *e, size_t first)
{
	uint32_t at = e->places[first].at;
	bool starts = any_starts(e, at);

	begin_sample(e, store_sample_at(e->set->store, at), starts);
	e->sample.starts = starts;
	e->sample.ordinal -= starts;
	for (size_t i = first; i < e->n; i++) {
		if (e->places[i].at != at || e->places[i].starts != starts)
			continue;
		take_raw(e, i, &e->lanes[i].value.raw);
		advance(e, i);
	}
}

static enum pmon_status
next_locked(struct extract *e, const struct pmon_sample **sample, struct pmon_err *err)
{
	uint32_t begin = store_begin(e->set->store);
	size_t first;
	size_t lead;

	*sample = &e->sample;
	// Skip values that were dropped since the last sample.
	for (size_t i = 0; i < e->n; i++)
		while (e->places[i].at < begin)
			advance(e, i);
	if (e->failed)
		return pmon_err_set(err, PMON_E_IO, 0, "cannot read the temporary file");
	first = earliest(e, false);
	lead = e->n_before > 0 ? earliest(e, true) : e->n;
	if (lead != e->n && (first == e->n || e->places[lead].before_at < e->places[first].at)) {
		gather_lead(e, lead);
		return PMON_OK;
	}
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

// Move every series to the beginning of the window.
static void
start(struct extract *e)
{
	const struct store *store = e->set->store;
	struct store_range range = store_find(store, &e->window);

	e->end = range.end;
	e->n_before = 0;
	e->failed = false;
	for (size_t i = 0; i < e->n; i++) {
		struct lane *lane = &e->lanes[i];
		struct store_value before;

		e->places[i].before_at = NONE;
		if (store_cursor_open(&lane->cursor, store, lane->cursor.id, range.begin, &before))
			keep_before(e, i, &before);
		advance(e, i);
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
	free(e->places);
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
	e->places = calloc(n, sizeof(*e->places));
	e->series = calloc(n, sizeof(*e->series));
	e->raw = calloc(n, sizeof(*e->raw));
	if (e->lanes == NULL || e->places == NULL || e->series == NULL || e->raw == NULL) {
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
	const struct pmon_identity_options options = {.size = sizeof(options), .by_process = true};
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

bool
extract_names_open(struct extract_names *names, struct set *set, const uint32_t *ids, size_t n)
{
	const struct pmon_schema *schema = store_schema(set->store);
	bool good;

	*names = (struct extract_names){.set = set, .ids = ids, .seed = pmon_hash_seed()};
	good = pmon_map_reserve(&names->map, pmon_mem_allocator(NULL), n);
	store_lock(set->store);
	for (size_t i = 0; good && i < n; i++) {
		struct pmon_span name = pmon_schema_at(schema, ids[i])->name;

		pmon_map_add(&names->map, pmon_hash64(names->seed, name.ptr, name.len),
			     (uint32_t)i);
	}
	store_unlock(set->store);
	return good;
}

void
extract_names_close(struct extract_names *names)
{
	pmon_map_free(&names->map, pmon_mem_allocator(NULL));
}

uint32_t
extract_id(const struct extract_names *names, const struct pmon_series *series)
{
	const struct pmon_schema *schema = store_schema(names->set->store);
	uint64_t hash = pmon_hash64(names->seed, series->name.ptr, series->name.len);
	uint32_t id = names->ids[0];
	uint32_t i;
	size_t at = 0;

	store_lock(names->set->store);
	while ((i = pmon_map_next(&names->map, hash, &at)) != PMON_MAP_NONE) {
		struct pmon_span name = pmon_schema_at(schema, names->ids[i])->name;

		if (name.len == series->name.len &&
		    memcmp(name.ptr, series->name.ptr, name.len) == 0) {
			id = names->ids[i];
			break;
		}
	}
	store_unlock(names->set->store);
	return id;
}
