// sink.c - send samples to Prometheus and VictoriaMetrics in batches of remote writes
// SPDX-License-Identifier: MIT
//
// These servers keep no ledger, so it is a file (ledger.h). Counting continues where earlier logs
// ended (memory.c), so that several logs form one series on the server.

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "os/clock.h"
#include "push/headers.h"
#include "push/prometheus/engine.h"
#include "query/slots.h"

#define BATCH_ROWS     ((size_t)10000)
#define REMEMBER_100NS (10 * PMON_TIME_PER_SEC) // how often a live source's state is saved

// ---- Series ---------------------------------------------------------------------------------

// What earlier pushes remembered of series i.
static const struct prom_memory *
find_memory(const struct prom_engine *e, size_t i)
{
	const struct pmon_push_key *key = &e->push.keys.list[i];
	const struct prom_memory *found = pmon_prom_memories_find(&e->queue->carried, key->key);

	return found != NULL ? found : pmon_prom_memories_find(&e->memories, key->key);
}

static enum pmon_status
add_series(struct pmon_push_sink *push, size_t i, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)push;
	struct prom_series series = {.first = PMON_TIME_NONE,
				     .last = PMON_TIME_NONE,
				     .start_ms = -1,
				     .last_ms = -1,
				     .described = -1,
				     .chain_first = PROM_NO_POINT,
				     .chain_last = PROM_NO_POINT};

	if (!pmon_om_registry_grow(&e->registry) ||
	    !pmon_mem_grow(push->allocator, &e->series, &e->series_cap, i + 1, sizeof(series)))
		return pmon_err_nomem(err);
	if (e->registry.tracks[i]->family != OM_NO_FAMILY &&
	    !pmon_prom_labels(&e->arena, e->registry.tracks[i], &series.labels))
		return pmon_err_nomem(err);
	series.before = find_memory(e, i);
	e->series[i] = series;
	e->n_series = i + 1;
	return PMON_OK;
}

// ---- Memory ---------------------------------------------------------------------------------

// Was a sample with this time pushed from an earlier log?
static bool
is_known(const struct prom_series *series, pmon_time time)
{
	return series->before != NULL && pmon_prom_interval_has(series->before, time);
}

// Continue where earlier logs ended, once this log gets past them.
static void
resume(struct prom_series *series, struct om_track *track, pmon_time time)
{
	const struct prom_memory *m = series->before;

	if (m == NULL || series->resumed || time <= pmon_prom_newest(m))
		return;
	series->resumed = true;
	track->counting = track->begun = true;
	track->raw = m->raw;
	track->n = m->n;
	track->d = m->d;
	track->pairs = m->pairs;
}

// Count nothing between the newest value of earlier logs and the first value of another process.
static void
compare_owners(struct prom_series *series, struct om_track *track)
{
	if (!series->resumed || series->is_compared || series->owner.multi == 0)
		return;
	series->is_compared = true;
	if (!pmon_owner_same(&series->before->owner, &series->owner))
		track->begun = false;
}

// What to remember of a series after this log; false if nothing.
static bool
remember(const struct prom_engine *e, uint32_t id, struct prom_memory *out)
{
	const struct prom_series *series = &e->series[id];
	const struct om_track *track = e->registry.tracks[id];
	bool needs_two = pmon_calc_needs_two(&track->calc);

	if (series->first == PMON_TIME_NONE ||
	    (needs_two && !track->counting && series->before == NULL))
		return false;
	*out = series->before != NULL ? *series->before : (struct prom_memory){.n = 0};
	out->key = e->push.keys.list[id].key;
	if (series->before == NULL || series->resumed) {
		out->raw = track->raw;
		out->owner = series->owner.multi != 0 ? series->owner : out->owner;
		out->n = track->n;
		out->d = track->d;
		out->pairs = track->pairs;
	}
	pmon_prom_interval_add(out, (struct prom_interval){series->first, series->last});
	return true;
}

// Save what to remember after this log: now, or later when all of it is safe.
static enum pmon_status
keep_memories(struct prom_engine *e, bool later, struct pmon_err *err)
{
	struct prom_memories ours = {.n = 0};
	enum pmon_status status;

	e->remembered_100ns = pmon_os_monotonic_100ns();
	if (e->push.options.state_dir == NULL)
		return PMON_OK;
	if (!pmon_mem_grow(e->push.allocator, &ours.list, &ours.cap, e->n_series,
			   sizeof(*ours.list)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < e->n_series; i++)
		if (remember(e, (uint32_t)i, &ours.list[ours.n]))
			ours.n++;
	pmon_prom_memories_sort(&ours);
	status = later ? pmon_prom_keep_end(e, &ours, err)
		       : pmon_prom_memories_save(&ours, e->push.allocator,
						 e->push.options.state_dir, e->place, err);
	pmon_prom_memories_free(&ours, e->push.allocator);
	return status;
}

// ---- Points ---------------------------------------------------------------------------------

static bool
add_point(struct prom_engine *e, uint32_t id, const struct prom_number *point)
{
	struct prom_series *series = &e->series[id];
	uint32_t at = (uint32_t)e->n_points;

	if (!pmon_mem_grow(e->push.allocator, &e->points, &e->points_cap, e->n_points + 1,
			   sizeof(*e->points)) ||
	    !pmon_mem_grow(e->push.allocator, &e->touched, &e->touched_cap, e->n_touched + 1,
			   sizeof(*e->touched)))
		return false;
	e->points[e->n_points] = *point;
	e->points[e->n_points++].next = PROM_NO_POINT;
	if (series->chain_first == PROM_NO_POINT) {
		e->touched[e->n_touched++] = id;
		series->chain_first = at;
	} else {
		e->points[series->chain_last].next = at;
	}
	series->chain_last = at;
	return true;
}

static bool
note_present(struct prom_engine *e, uint32_t id)
{
	if (e->series[id].present)
		return true;
	if (!pmon_mem_grow(e->push.allocator, &e->present, &e->present_cap, e->n_present + 1,
			   sizeof(*e->present)))
		return false;
	e->present[e->n_present++] = id;
	e->series[id].present = true;
	return true;
}

// The row has no number of its own; report that, unless it belongs to no sample.
static void
pass_over(struct prom_engine *e, bool is_told)
{
	e->unwritten += is_told;
	e->push.counts.rows--;
	e->push.batch.left_out++;
}

// Mark that a series has no value any more, unless that was already done.
static bool
mark_stale(struct prom_engine *e, uint32_t id, int64_t ms)
{
	struct prom_series *series = &e->series[id];
	struct prom_number marker = {.ms = ms, .is_stale = true};

	// Before its first point there is nothing to mark, except for what earlier logs sent.
	if (series->stale || ms <= series->last_ms || (series->last_ms < 0 && !series->resumed))
		return true;
	series->stale = true;
	series->last_ms = ms;
	return add_point(e, id, &marker);
}

// Count a raw value, and queue the resulting numbers.
static bool
take_value(struct prom_engine *e, uint32_t id, const struct pmon_sample *sample,
	   const struct pmon_raw *raw)
{
	struct prom_series *series = &e->series[id];
	struct om_track *track = e->registry.tracks[id];
	struct prom_number point = {
		.ms = pmon_om_unix_ms(raw->time != PMON_TIME_NONE ? raw->time : sample->time)};

	resume(series, track, sample->time);
	compare_owners(series, track);
	if (!pmon_om_take(track, sample, raw, point.numbers)) {
		pass_over(e, !sample->starts);
		return sample->starts || mark_stale(e, id, point.ms);
	}
	if (!pmon_om_place(point.ms, &series->last_ms)) {
		e->push.counts.repeated++;
		e->push.batch.left_out++;
		return true;
	}
	point.ms = series->last_ms;
	if (series->start_ms < 0)
		series->start_ms = point.ms;
	series->stale = false;
	e->n_values++;
	return add_point(e, id, &point);
}

static bool
take_raw(struct prom_engine *e, const struct pmon_sample *sample, size_t i)
{
	uint32_t id = sample->series[i];
	struct prom_series *series = &e->series[id];

	if (sample->starts && sample->raw[i].status == PMON_RAW_OWNER) {
		series->owner = sample->raw[i];
		pass_over(e, false);
		return true;
	}
	if (e->registry.tracks[id]->family == OM_NO_FAMILY) {
		pass_over(e, !sample->starts);
		return true;
	}
	if (series->first == PMON_TIME_NONE)
		series->first = sample->time;
	series->last = sample->time;
	if (!note_present(e, id))
		return false;
	if (!is_known(series, sample->time))
		return take_value(e, id, sample, &sample->raw[i]);
	pmon_om_pass(e->registry.tracks[id], sample);
	return true;
}

// Mark series that were present before and are missing in this sample.
static bool
mark_absent(struct prom_engine *e, const struct pmon_sample *sample)
{
	int64_t ms = pmon_om_unix_ms(sample->time);

	for (size_t i = 0; i < e->n_present;) {
		uint32_t id = e->present[i];
		const struct om_track *track = e->registry.tracks[id];
		struct prom_series *series = &e->series[id];

		if (track->stream != sample->stream || track->ordinal == sample->ordinal) {
			i++;
			continue;
		}
		e->present[i] = e->present[--e->n_present];
		series->present = false;
		if (!is_known(series, sample->time) && !mark_stale(e, id, ms))
			return false;
	}
	return true;
}

static enum pmon_status
add_sample(struct pmon_push_sink *push, const struct pmon_sample *sample,
	   const struct pmon_push_row *rows, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)push;

	(void)rows; // a series has the same points whatever its key
	if (pmon_om_unix_ms(sample->time) < e->queue->oldest_ms)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the server would drop samples as old as this log: its "
				    "-retentionPeriod is too short");
	for (size_t i = 0; i < sample->n; i++)
		if (!take_raw(e, sample, i))
			return pmon_err_nomem(err);
	if (sample->starts)
		return PMON_OK;
	return mark_absent(e, sample) ? PMON_OK : pmon_err_nomem(err);
}

// ---- Batches --------------------------------------------------------------------------------

// Read what earlier pushes left, before any series is added.
static enum pmon_status
read_ledger(struct pmon_push_sink *push, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)push;
	const char *folder = push->options.state_dir;
	enum pmon_status status;

	if (folder == NULL)
		return PMON_OK;
	pmon_prom_forget_carried(e);
	status = pmon_push_ledger_load(&push->ledger, folder, e->place, &push->log, err);
	if (status == PMON_OK)
		status = pmon_prom_memories_load(&e->memories, push->allocator, folder, e->place,
						 err);
	return status;
}

static enum pmon_status
send_batch(struct pmon_push_sink *push, uint64_t *n_new, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)push;
	bool was_there = false;
	enum pmon_status status = PMON_OK;

	if (e->n_points > 0)
		status = pmon_prom_send(e, &was_there, err);
	*n_new = was_there ? 0 : e->n_values;
	return status;
}

static void
clear_batch(struct pmon_push_sink *push)
{
	struct prom_engine *e = (struct prom_engine *)push;

	for (size_t i = 0; i < e->n_touched; i++) {
		struct prom_series *series = &e->series[e->touched[i]];

		series->chain_first = PROM_NO_POINT;
		series->described = series->last_ms / PROM_DAY_MS;
	}
	e->n_points = e->n_touched = e->n_values = 0;
}

// A live source is sent as it comes; its saved state may be some seconds old.
static enum pmon_status
flush_log(struct pmon_push_sink *push, bool sync, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)push;
	int64_t since = pmon_os_monotonic_100ns() - e->remembered_100ns;
	enum pmon_status status = pmon_prom_settle(e, sync, err);

	if (status == PMON_OK && push->info->live && (sync || since >= REMEMBER_100NS))
		status = keep_memories(e, false, err);
	return status;
}

static enum pmon_status
finish_log(struct pmon_push_sink *push, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)push;
	enum pmon_status status;

	if (e->settles && e->queue != &e->own_queue && !push->info->live)
		return keep_memories(e, true, err);
	status = pmon_prom_settle(e, true, err);
	return status == PMON_OK ? keep_memories(e, false, err) : status;
}

static bool
is_waiting(const void *session)
{
	return ((const struct prom_queue *)session)->n_kept > 0;
}

// End the session: make all that its logs left safe.
static enum pmon_status
finish_session(struct pmon_push_sink *push, struct pmon_err *err)
{
	return pmon_prom_settle((struct prom_engine *)push, true, err);
}

static void
tell_left_out(const struct pmon_push_sink *push)
{
	const struct prom_engine *e = (const struct prom_engine *)push;

	pmon_push_tell_count(
		push, false, e->unwritten,
		" raw values have no number of their own: they are invalid, or bases or texts");
	pmon_push_tell_count(
		push, false, push->counts.repeated,
		" values are older than the values before them: they are counted, but not written");
	pmon_push_tell_count(push, true, e->n_rejected, " data points were rejected by the server");
}

// ---- Beginning and end ----------------------------------------------------------------------

static enum pmon_status
begin_log(struct pmon_push_sink *push, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)push;

	e->registry.schema = push->keys.schema;
	e->remembered_100ns = pmon_os_monotonic_100ns();
	return pmon_prom_begin_settling(e, err);
}

static enum pmon_status
read_clock(struct pmon_push_sink *push, pmon_time *now, struct pmon_err *err)
{
	return pmon_http_clock(((struct prom_engine *)push)->http, now, err);
}

static void
close_engine(struct pmon_push_sink *push)
{
	struct prom_engine *e = (struct prom_engine *)push;
	const struct pmon_allocator *allocator = push->allocator;

	pmon_http_close(e->http);
#ifdef PMON_WITH_JSON
	pmon_prom_asking_free(e);
#endif
	pmon_prom_queue_free(&e->own_queue, allocator);
	pmon_prom_memories_free(&e->memories, allocator);
	pmon_om_registry_close(&e->registry);
	pmon_arena_free(&e->arena);
	pmon_mem_free(allocator, e->series, e->series_cap * sizeof(*e->series));
	pmon_mem_free(allocator, e->present, e->present_cap * sizeof(*e->present));
	pmon_mem_free(allocator, e->points, e->points_cap * sizeof(*e->points));
	pmon_mem_free(allocator, e->touched, e->touched_cap * sizeof(*e->touched));
	pmon_mem_free(allocator, e->scratch, e->scratch_cap * sizeof(*e->scratch));
	pmon_push_free(push, &e->body);
	pmon_push_free(push, &e->packed);
}

static bool
is_otlp(const char *url)
{
	return strncmp(url, "otlp", 4) == 0;
}

static const struct prom_wire *
wire_of(const char *url)
{
	return is_otlp(url) ? &pmon_prom_otlp : &pmon_prom_remote_write;
}

static bool
ends_with(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && memcmp(text + len - n, end, n) == 0;
}

enum pmon_status
pmon_prom_target(const char *text, struct pmon_push_url *url, char target[PROM_TARGET_SIZE],
		 struct pmon_err *err)
{
	enum pmon_status status = pmon_push_url_parse(text, url, err);
	bool is_plain = strncmp(text, "http", 4) == 0;
	const char *path = wire_of(text)->path;
	size_t len = strlen(url->path);

	if (status != PMON_OK)
		return status;
	if (is_plain && len == 0)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "a plain URL must include the remote write path, such as "
				    "http://HOST:9090/api/v1/write");
	while (len > 0 && url->path[len - 1] == '/')
		len--;
	if (is_plain || ends_with(url->path, len, path))
		path = "";
	(void)snprintf(target, PROM_TARGET_SIZE, "/%.*s%s%s", (int)len, url->path,
		       len > 0 && path[0] != '\0' ? "/" : "", path);
	return PMON_OK;
}

// The URL, and the headers except secrets, which may change: one of them may select a tenant. NULL when memory is
// short.
static const char *
place_of(struct pmon_arena *arena, const char *url, const char *const *headers)
{
	size_t size = strlen(url) + 1;
	struct pmon_text text;
	char *buf;

	for (const char *const *h = headers; h != NULL && *h != NULL; h++)
		size += strlen(*h) + 1;
	buf = pmon_arena_alloc(arena, size);
	if (buf == NULL)
		return NULL;
	text = pmon_text_init(buf, size);
	pmon_text_str(&text, url);
	for (const char *const *h = headers; h != NULL && *h != NULL; h++)
		if (!pmon_push_header_is_secret(*h)) {
			pmon_text_char(&text, '\n');
			pmon_text_str(&text, *h);
		}
	return buf;
}

static enum pmon_status
open_engine(struct pmon_push_sink *push, const char *url, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)push;
	enum pmon_status status;

	e->wire = wire_of(url);
	e->queue = push->session != NULL ? push->session : &e->own_queue;
	if (e->queue->started[0] == '\0')
		e->queue->oldest_ms = INT64_MIN;
	e->settles = strncmp(url, "victoriametrics", 15) == 0;
	pmon_om_registry_open(&e->registry, NULL, push->allocator);
	e->registry.labels = &push->labels;
	pmon_arena_init(&e->arena, push->allocator);
	e->place = place_of(&e->arena, url, push->options.headers);
	status = e->place != NULL ? pmon_prom_target(url, &e->url, e->target, err)
				  : pmon_err_nomem(err);
	if (status == PMON_OK && !is_otlp(url))
		status = PMON_OS_LOAD(PMON_LIBRARY_SNAPPY, SNAPPY_CALLS, &e->snappy, err);
	if (status == PMON_OK)
		status = pmon_http_open(&e->url, push, &e->http, err);
	return status;
}

static const char *const schemes[] = {"prometheus+http",
				      "prometheus+https",
				      "victoriametrics+http",
				      "victoriametrics+https",
				      "http",
				      "https",
				      NULL};
static const char *const otlp_schemes[] = {"otlp+http", "otlp+https", NULL};

#define ENGINE                                                                                     \
	.size = sizeof(struct prom_engine), .batch_rows = BATCH_ROWS, .open = open_engine,         \
	.close = close_engine, .begin = begin_log, .read_clock = read_clock,                       \
	.read_ledger = read_ledger, .add_series = add_series, .add = add_sample,                   \
	.send = send_batch, .clear = clear_batch, .flush = flush_log, .finish = finish_log,        \
	.session_size = sizeof(struct prom_queue), .session_free = pmon_prom_queue_free,           \
	.session_is_open = is_waiting, .session_finish = finish_session, .tell = tell_left_out,    \
	.describe = pmon_prom_describe

const struct pmon_push_engine pmon_push_prometheus = {
	.schemes = schemes,
	ENGINE,
#ifdef PMON_WITH_JSON
	.query = &pmon_prom_query,
#endif
};

const struct pmon_push_engine pmon_push_otlp = {.schemes = otlp_schemes, ENGINE};
