// sink.c - samples into Prometheus and VictoriaMetrics, in batches of remote writes
// SPDX-License-Identifier: MIT
//
// A batch ends at the same sample whenever a log is pushed, so what was stored is known by its digest
// (ledger.h); and counting goes on where earlier logs ended (memory.c), so that what the server has of
// several logs is one row of numbers.

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "os/term.h"
#include "push/prometheus/engine.h"

#define BATCH_ROWS     ((size_t)10000)
#define REMEMBER_100NS (10 * PMON_TIME_PER_SEC) // between memories of a live source

// ---- Series ---------------------------------------------------------------------------------

static bool
add_series(struct prom_engine *e)
{
	uint32_t id = (uint32_t)e->n_series;
	struct prom_series series = {.first = PMON_TIME_NONE,
				     .last = PMON_TIME_NONE,
				     .last_ms = -1,
				     .chain_first = PROM_NO_POINT,
				     .chain_last = PROM_NO_POINT};

	if (e->book.tracks[id]->family != OM_NO_FAMILY &&
	    !pmon_prom_labels(&e->arena, e->book.tracks[id], &series.labels))
		return false;
	series.before = pmon_prom_memories_find(&e->memories, e->keys.list[id].key);
	e->series[e->n_series++] = series;
	return true;
}

static enum pmon_status
grow(struct prom_engine *e, struct pmon_err *err)
{
	enum pmon_status status = pmon_push_keys_grow(&e->keys, err);

	if (status != PMON_OK)
		return status;
	if (!pmon_om_book_grow(&e->book) || !pmon_mem_grow(e->allocator, &e->series, &e->series_cap,
							   e->book.n_tracks, sizeof(*e->series)))
		return pmon_err_nomem(err);
	while (e->n_series < e->book.n_tracks)
		if (!add_series(e))
			return pmon_err_nomem(err);
	e->push.counts.series = e->book.n_tracks;
	return PMON_OK;
}

// ---- Memory ---------------------------------------------------------------------------------

// Was a sample of this time pushed with an earlier log?
static bool
is_known(const struct prom_series *series, pmon_time time)
{
	return series->before != NULL && pmon_prom_stretch_has(series->before, time);
}

// Go on where earlier logs ended, when this log gets behind them.
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

// What to remember of a series after this log; false for nothing.
static bool
remember(const struct prom_engine *e, uint32_t id, struct prom_memory *out)
{
	const struct prom_series *series = &e->series[id];
	const struct om_track *track = e->book.tracks[id];
	bool needs_two = pmon_calc_needs_two(&track->calc);

	if (series->first == PMON_TIME_NONE ||
	    (needs_two && !track->counting && series->before == NULL))
		return false;
	*out = (struct prom_memory){.key = e->keys.list[id].key};
	if (series->before != NULL)
		*out = *series->before;
	if (series->before == NULL || series->resumed) {
		out->raw = track->raw;
		out->n = track->n;
		out->d = track->d;
		out->pairs = track->pairs;
	}
	pmon_prom_stretch_add(out, (struct prom_stretch){series->first, series->last});
	return true;
}

static enum pmon_status
save_memories(struct prom_engine *e, struct pmon_err *err)
{
	struct prom_memories ours = {.n = 0};
	enum pmon_status status;

	e->remembered_100ns = pmon_os_monotonic_100ns();
	if (e->push.options.state_dir == NULL)
		return PMON_OK;
	if (!pmon_mem_grow(e->allocator, &ours.list, &ours.cap, e->n_series, sizeof(*ours.list)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < e->n_series; i++)
		if (remember(e, (uint32_t)i, &ours.list[ours.n]))
			ours.n++;
	status = pmon_prom_memories_save(&ours, e->allocator, e->push.options.state_dir,
					 e->url_text, err);
	pmon_prom_memories_free(&ours, e->allocator);
	return status;
}

// ---- Points ---------------------------------------------------------------------------------

static bool
add_point(struct prom_engine *e, uint32_t id, const struct prom_number *point)
{
	struct prom_series *series = &e->series[id];
	uint32_t at = (uint32_t)e->n_points;

	if (!pmon_mem_grow(e->allocator, &e->points, &e->points_cap, e->n_points + 1,
			   sizeof(*e->points)) ||
	    !pmon_mem_grow(e->allocator, &e->touched, &e->touched_cap, e->n_touched + 1,
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
	if (!pmon_mem_grow(e->allocator, &e->present, &e->present_cap, e->n_present + 1,
			   sizeof(*e->present)))
		return false;
	e->present[e->n_present++] = id;
	e->series[id].present = true;
	return true;
}

// Count a raw value, and have its numbers sent.
static bool
take_value(struct prom_engine *e, uint32_t id, const struct pmon_sample *sample,
	   const struct pmon_raw *raw)
{
	struct prom_series *series = &e->series[id];
	struct om_track *track = e->book.tracks[id];
	struct prom_number point = {
		.ms = pmon_om_unix_ms(raw->time != PMON_TIME_NONE ? raw->time : sample->time)};

	resume(series, track, sample->time);
	if (!pmon_om_take(track, sample, raw, point.numbers)) {
		e->unwritten++;
		return true;
	}
	e->push.counts.rows++;
	if (!pmon_om_place(point.ms, &series->last_ms)) {
		e->push.counts.repeated++;
		return true;
	}
	point.ms = series->last_ms;
	e->n_sent++;
	return add_point(e, id, &point);
}

static bool
take_raw(struct prom_engine *e, const struct pmon_sample *sample, size_t i)
{
	uint32_t id = sample->series[i];
	struct prom_series *series = &e->series[id];
	struct pmon_push_row row;

	(void)pmon_push_keys_row(&e->keys, sample, i, &row);
	pmon_push_digest_row(&e->digest, &row);
	e->n_rows++;
	if (e->book.tracks[id]->family == OM_NO_FAMILY) {
		e->unwritten++;
		return true;
	}
	if (series->first == PMON_TIME_NONE)
		series->first = sample->time;
	series->last = sample->time;
	if (!note_present(e, id))
		return false;
	if (!is_known(series, sample->time))
		return take_value(e, id, sample, &sample->raw[i]);
	pmon_om_pass(e->book.tracks[id], sample);
	e->n_known++;
	e->push.counts.rows++;
	return true;
}

// Say of series that were there before and are not in this sample that they are gone.
static bool
mark_absent(struct prom_engine *e, const struct pmon_sample *sample)
{
	struct prom_number marker = {.ms = pmon_om_unix_ms(sample->time), .is_stale = true};

	for (size_t i = 0; i < e->n_present;) {
		uint32_t id = e->present[i];
		const struct om_track *track = e->book.tracks[id];
		struct prom_series *series = &e->series[id];

		if (track->stream != sample->stream || track->ordinal == sample->ordinal) {
			i++;
			continue;
		}
		e->present[i] = e->present[--e->n_present];
		series->present = false;
		if (series->last_ms < 0 || marker.ms <= series->last_ms ||
		    is_known(series, sample->time))
			continue;
		series->last_ms = marker.ms;
		if (!add_point(e, id, &marker))
			return false;
	}
	return true;
}

static enum pmon_status
take_sample(struct prom_engine *e, const struct pmon_sample *sample, struct pmon_err *err)
{
	for (size_t i = 0; i < sample->n; i++)
		if (!take_raw(e, sample, i))
			return pmon_err_nomem(err);
	e->push.counts.samples++;
	return mark_absent(e, sample) ? PMON_OK : pmon_err_nomem(err);
}

// ---- Batches --------------------------------------------------------------------------------

// What earlier pushes have left. It is read when the log is known, before its first series is.
static enum pmon_status
read_state(struct prom_engine *e, const struct pmon_sample *first, struct pmon_err *err)
{
	const char *folder = e->push.options.state_dir;
	enum pmon_status status = pmon_push_keys_grow(&e->keys, err);

	e->has_log = true;
	if (status != PMON_OK || folder == NULL)
		return status;
	e->log = pmon_push_log_digest(&e->keys, first);
	status = pmon_push_ledger_load(&e->ledger, folder, e->url_text, &e->log, err);
	if (status == PMON_OK)
		status = pmon_prom_memories_load(&e->memories, e->allocator, folder, e->url_text,
						 err);
	return status;
}

static void
tell_progress(struct prom_engine *e)
{
	const struct pmon_push_options *options = &e->push.options;

	e->push.counts.bytes = pmon_http_bytes(e->http);
	e->push.counts.retries = pmon_http_retries(e->http);
	if (options->progress != NULL)
		options->progress(options->progress_ctx, &e->push.counts);
}

static void
begin_batch(struct prom_engine *e)
{
	for (size_t i = 0; i < e->n_touched; i++)
		e->series[e->touched[i]].chain_first = PROM_NO_POINT;
	e->n_points = e->n_touched = e->n_rows = e->n_known = e->n_sent = 0;
	e->digest = (struct pmon_push_digest){0};
}

// The batch is done: it is sent, unless it is there.
static enum pmon_status
send_batch(struct prom_engine *e, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	e->was_there = e->n_points > 0 && pmon_push_ledger_has(&e->ledger, &e->digest);
	if (e->n_points > 0 && !e->was_there)
		status = pmon_prom_send(e, err);
	if (status == PMON_OK) {
		e->push.counts.stored += e->n_known + (e->was_there ? e->n_sent : 0);
		e->push.counts.sent += e->was_there ? 0 : e->n_sent;
		begin_batch(e);
	}
	tell_progress(e);
	return status;
}

static enum pmon_status
engine_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	   const struct pmon_value *values, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)sink;
	enum pmon_status status = e->has_log ? PMON_OK : read_state(e, sample, err);

	(void)values;
	if (pmon_om_unix_ms(sample->time) < e->oldest_ms)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the server would drop samples that are as old as this log: "
				    "its -retentionPeriod is shorter");
	if (status == PMON_OK)
		status = grow(e, err);
	if (status == PMON_OK && e->n_rows > 0 && e->n_rows + sample->n > e->batch_rows)
		status = send_batch(e, err);
	return status == PMON_OK ? take_sample(e, sample, err) : status;
}

// A live source is sent as it comes; what is remembered of it may be some seconds old.
static enum pmon_status
engine_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)sink;
	enum pmon_status status = send_batch(e, err);
	int64_t since = pmon_os_monotonic_100ns() - e->remembered_100ns;

	if (status == PMON_OK && (sync || pmon_prom_is_settling_due(e)))
		status = pmon_prom_settle(e, err);
	if (status == PMON_OK && e->is_live && (sync || since >= REMEMBER_100NS))
		status = save_memories(e, err);
	return status;
}

static void
tell_count(const struct prom_engine *e, uint64_t n, const char *what)
{
	char buf[160];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	pmon_text_u64(&text, n);
	pmon_text_str(&text, what);
	if (n > 0)
		pmon_push_tell(&e->push.options, false, buf);
}

static enum pmon_status
engine_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)sink;
	enum pmon_status status = send_batch(e, err);

	if (status == PMON_OK)
		status = pmon_prom_settle(e, err);
	if (status == PMON_OK)
		status = save_memories(e, err);
	tell_count(e, e->unwritten,
		   " raw values have no number of their own: not usable, or of bases and texts");
	tell_count(e, e->push.counts.repeated,
		   " values are of times before those of the values before them: they are "
		   "counted, and not written");
	return status;
}

// ---- Beginning and end ----------------------------------------------------------------------

static enum pmon_status
engine_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	     const struct pmon_source_info *info, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)sink;
	enum pmon_status status = PMON_OK;

	pmon_push_keys_init(&e->keys, schema, e->allocator);
	e->book.schema = schema;
	e->is_live = info->live;
	e->remembered_100ns = pmon_os_monotonic_100ns();
	if (e->settles)
		status = pmon_prom_ask_start(e, e->started, err);
	e->settles = e->settles && e->started[0] != '\0';
	return status;
}

static void
engine_close(struct pmon_sink *sink)
{
	struct prom_engine *e = (struct prom_engine *)sink;
	const struct pmon_allocator *allocator = e->allocator;

	pmon_http_close(e->http);
	pmon_prom_drop_kept(e);
	pmon_push_keys_free(&e->keys);
	pmon_push_ledger_free(&e->ledger);
	pmon_prom_memories_free(&e->memories, allocator);
	pmon_om_book_close(&e->book);
	pmon_arena_free(&e->arena);
	pmon_mem_free(allocator, e->series, e->series_cap * sizeof(*e->series));
	pmon_mem_free(allocator, e->present, e->present_cap * sizeof(*e->present));
	pmon_mem_free(allocator, e->points, e->points_cap * sizeof(*e->points));
	pmon_mem_free(allocator, e->touched, e->touched_cap * sizeof(*e->touched));
	pmon_mem_free(allocator, e->scratch, e->scratch_cap * sizeof(*e->scratch));
	pmon_mem_free(allocator, e->body.list, e->body.cap);
	pmon_mem_free(allocator, e->packed.list, e->packed.cap);
	pmon_mem_free(allocator, e, sizeof(*e));
}

static const struct pmon_sink_ops ops = {
	.begin = engine_begin,
	.add = engine_add,
	.finish = engine_finish,
	.close = engine_close,
	.flush = engine_flush,
};

enum pmon_status
pmon_prom_target(const char *text, struct pmon_push_url *url, char target[PROM_TARGET_SIZE],
		 struct pmon_err *err)
{
	enum pmon_status status = pmon_push_url_parse(text, url, err);
	bool is_plain = strncmp(text, "http", 4) == 0;
	size_t len = strlen(url->path);

	if (status != PMON_OK)
		return status;
	if (url->n_hosts != 1)
		return pmon_err_set(err, PMON_E_ARG, 0, "one host can be named, not several");
	if (is_plain && len == 0)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "a plain URL names where the remote write is, as in "
				    "http://HOST:9090/api/v1/write");
	while (len > 0 && url->path[len - 1] == '/')
		len--;
	(void)snprintf(target, PROM_TARGET_SIZE, "/%.*s%s%s", (int)len, url->path,
		       len > 0 && !is_plain ? "/" : "", is_plain ? "" : "api/v1/write");
	return PMON_OK;
}

static enum pmon_status
engine_open(const char *url, const struct pmon_push_options *options, struct pmon_sink **sink,
	    struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct prom_engine *e = pmon_mem_alloc0(allocator, sizeof(*e));
	enum pmon_status status;

	if (e == NULL)
		return pmon_err_nomem(err);
	e->push.sink.ops = &ops;
	e->push.options = *options;
	e->allocator = allocator;
	e->url_text = url;
	e->oldest_ms = INT64_MIN;
	e->settles = strncmp(url, "victoriametrics", 15) == 0;
	e->batch_rows = options->batch_rows != 0 ? options->batch_rows : BATCH_ROWS;
	pmon_push_ledger_init(&e->ledger, allocator);
	pmon_om_book_open(&e->book, NULL, allocator);
	pmon_arena_init(&e->arena, allocator);
	status = pmon_prom_target(url, &e->url, e->target, err);
	if (status == PMON_OK)
		status = pmon_http_open(&e->url, &e->push.options, &e->http, err);
	if (status != PMON_OK) {
		engine_close(&e->push.sink);
		return status;
	}
	*sink = &e->push.sink;
	return PMON_OK;
}

static const char *const schemes[] = {"prometheus+http",
				      "prometheus+https",
				      "victoriametrics+http",
				      "victoriametrics+https",
				      "http",
				      "https",
				      NULL};

const struct pmon_push_engine pmon_push_prometheus = {
	.schemes = schemes, .open = engine_open, .describe = pmon_prom_describe};
