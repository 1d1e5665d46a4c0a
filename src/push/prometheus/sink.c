// sink.c - samples into Prometheus and VictoriaMetrics, in batches of remote writes
// SPDX-License-Identifier: MIT
//
// A batch ends at the same sample whenever a log is pushed, so what was stored is known by its digest
// (ledger.h); and counting goes on where earlier logs ended (memory.c), so that what the server has of
// several logs is one row of numbers.
//
// Prometheus takes a request whole or not at all, has it on the disk when it answers, and refuses what
// is not newer than it has. So when an answer was lost and the batch is refused the second time, it is
// asked for again with the last sample of each series alone: these it takes twice if it has them.
// VictoriaMetrics takes everything, but may lose what it took last when it is killed. So batches are
// kept until it has them in its files, and are sent again if it was started anew meanwhile.

#include "push/prometheus/prometheus.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "os/term.h"
#include "push/http.h"
#include "push/ledger.h"

#define BATCH_ROWS  ((size_t)10000)
#define KEPT_MAX    16                       // batches that are not safe yet
#define KEPT_BYTES  ((size_t)8 << 20)        // of them, about
#define KEPT_100NS  (10 * PMON_TIME_PER_SEC) // how long, and between memories of a live source
#define METRICS_MAX ((size_t)4 << 20)
#define TARGET_SIZE (PMON_PUSH_URL_SIZE + 32)
#define NO_POINT    UINT32_MAX

// What a series is on its way to the server.
struct series {
	struct prom_labels labels;
	const struct prom_memory *before; // of earlier logs, or NULL
	bool resumed;                     // counting goes on where they ended
	bool present;                     // in the newest sample of its stream
	pmon_time first;                  // of this log; PMON_TIME_NONE before
	pmon_time last;
	int64_t last_ms;      // of the newest point, -1 before
	uint32_t chain_first; // of the batch
	uint32_t chain_last;
};

struct point {
	int64_t ms;
	uint32_t next; // of its series, NO_POINT behind the last
	bool is_stale; // a marker that the series is gone
	double numbers[OM_PARTS];
};

// A batch that was taken, and may still be lost.
struct kept {
	uint8_t *body;
	size_t len;
	struct pmon_push_digest digest;
};

struct engine {
	struct pmon_push_sink push; // first
	const struct pmon_allocator *allocator;
	const char *url_text;
	struct pmon_push_url url;
	char target[TARGET_SIZE];
	struct pmon_http *http;
	struct pmon_push_keys keys;
	struct pmon_push_ledger ledger;
	struct pmon_push_digest log;
	bool has_log;
	bool is_live;
	struct prom_memories memories;
	int64_t remembered_100ns; // when, on the monotonic clock
	struct om_book book;
	struct pmon_arena arena; // labels
	struct series *series;
	size_t n_series;
	size_t series_cap;
	uint32_t *present; // series that are, in no order
	size_t n_present;
	size_t present_cap;
	uint64_t unwritten; // raw values that are not usable, or of nothing that is displayed
	// the batch
	struct point *points;
	size_t n_points;
	size_t points_cap;
	uint32_t *touched; // series with points
	size_t n_touched;
	size_t touched_cap;
	struct prom_point *scratch; // of one series
	size_t scratch_cap;
	struct prom_bytes body;
	struct prom_bytes packed;
	size_t n_rows;  // raw values in it
	size_t n_known; // of them passed over
	size_t n_sent;  // of them on their way
	bool was_there; // the server had it already
	size_t batch_rows;
	struct pmon_push_digest digest;
	// VictoriaMetrics
	bool settles; // it says when it was started, and can be told to write its files
	char started[32];
	struct kept kept[KEPT_MAX];
	size_t n_kept;
	size_t kept_bytes;
	int64_t kept_100ns; // since when
};

// ---- Series ---------------------------------------------------------------------------------

static bool
add_series(struct engine *e)
{
	uint32_t id = (uint32_t)e->n_series;
	struct series series = {.first = PMON_TIME_NONE,
				.last = PMON_TIME_NONE,
				.last_ms = -1,
				.chain_first = NO_POINT,
				.chain_last = NO_POINT};

	if (e->book.tracks[id]->family != OM_NO_FAMILY &&
	    !pmon_prom_labels(&e->arena, e->book.tracks[id], &series.labels))
		return false;
	series.before = pmon_prom_memories_find(&e->memories, e->keys.list[id].key);
	e->series[e->n_series++] = series;
	return true;
}

static enum pmon_status
grow(struct engine *e, struct pmon_err *err)
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
is_known(const struct series *series, pmon_time time)
{
	return series->before != NULL && pmon_prom_stretch_has(series->before, time);
}

// Go on where earlier logs ended, when this log gets behind them.
static void
resume(struct series *series, struct om_track *track, pmon_time time)
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
remember(const struct engine *e, uint32_t id, struct prom_memory *out)
{
	const struct series *series = &e->series[id];
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
save_memories(struct engine *e, struct pmon_err *err)
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
add_point(struct engine *e, uint32_t id, const struct point *point)
{
	struct series *series = &e->series[id];
	uint32_t at = (uint32_t)e->n_points;

	if (!pmon_mem_grow(e->allocator, &e->points, &e->points_cap, e->n_points + 1,
			   sizeof(*e->points)) ||
	    !pmon_mem_grow(e->allocator, &e->touched, &e->touched_cap, e->n_touched + 1,
			   sizeof(*e->touched)))
		return false;
	e->points[e->n_points] = *point;
	e->points[e->n_points++].next = NO_POINT;
	if (series->chain_first == NO_POINT) {
		e->touched[e->n_touched++] = id;
		series->chain_first = at;
	} else {
		e->points[series->chain_last].next = at;
	}
	series->chain_last = at;
	series->last_ms = point->ms;
	return true;
}

static bool
note_present(struct engine *e, uint32_t id)
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
take_value(struct engine *e, uint32_t id, const struct pmon_sample *sample,
	   const struct pmon_raw *raw)
{
	struct series *series = &e->series[id];
	struct om_track *track = e->book.tracks[id];
	struct point point = {
		.ms = pmon_om_unix_ms(raw->time != PMON_TIME_NONE ? raw->time : sample->time)};

	resume(series, track, sample->time);
	if (!pmon_om_take(track, sample, raw, point.numbers)) {
		e->unwritten++;
		return true;
	}
	e->push.counts.rows++;
	// Times have to go up, and begin with 1970.
	if (point.ms <= series->last_ms) {
		e->push.counts.repeated++;
		return true;
	}
	e->n_sent++;
	return add_point(e, id, &point);
}

static bool
take_raw(struct engine *e, const struct pmon_sample *sample, size_t i)
{
	uint32_t id = sample->series[i];
	struct series *series = &e->series[id];
	struct pmon_push_row row;

	if (!pmon_push_keys_row(&e->keys, sample, i, &row)) {
		e->push.counts.rows++;
		e->push.counts.repeated++;
		return true;
	}
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
mark_absent(struct engine *e, const struct pmon_sample *sample)
{
	struct point marker = {.ms = pmon_om_unix_ms(sample->time), .is_stale = true};

	for (size_t i = 0; i < e->n_present;) {
		uint32_t id = e->present[i];
		const struct om_track *track = e->book.tracks[id];
		struct series *series = &e->series[id];

		if (track->stream != sample->stream || track->ordinal == sample->ordinal) {
			i++;
			continue;
		}
		e->present[i] = e->present[--e->n_present];
		series->present = false;
		if (series->last_ms >= 0 && marker.ms > series->last_ms &&
		    !is_known(series, sample->time) && !add_point(e, id, &marker))
			return false;
	}
	return true;
}

static enum pmon_status
take_sample(struct engine *e, const struct pmon_sample *sample, struct pmon_err *err)
{
	for (size_t i = 0; i < sample->n; i++)
		if (!take_raw(e, sample, i))
			return pmon_err_nomem(err);
	e->push.counts.samples++;
	return mark_absent(e, sample) ? PMON_OK : pmon_err_nomem(err);
}

// ---- Bodies ---------------------------------------------------------------------------------

// The points of a part of a series, in scratch; all, or the last alone.
static size_t
gather(struct engine *e, const struct series *series, int part, bool last_alone)
{
	size_t n = 0;

	for (uint32_t at = series->chain_first; at != NO_POINT; at = e->points[at].next) {
		const struct point *point = &e->points[at];
		struct prom_point *out = &e->scratch[last_alone ? 0 : n];

		if (!point->is_stale && isnan(point->numbers[part]))
			continue;
		out->ms = point->ms;
		memcpy(&out->bits, &point->numbers[part], sizeof(out->bits));
		if (point->is_stale)
			out->bits = PROM_STALE;
		n = last_alone ? 1 : n + 1;
	}
	return n;
}

static bool
put_series(struct engine *e, uint32_t id, bool last_alone)
{
	const struct om_family *family = &e->book.families[e->book.tracks[id]->family];
	struct series *series = &e->series[id];

	for (int part = 0; part < OM_PARTS; part++) {
		size_t n = family->names[part] != NULL ? gather(e, series, part, last_alone) : 0;

		if (n > 0 &&
		    !pmon_prom_add(e->allocator, &e->body, &series->labels, family->names[part],
				   pmon_om_is_counter(&family->plan.parts[part]), e->scratch, n))
			return false;
	}
	return true;
}

// The batch as it is sent, in `packed`.
static enum pmon_status
make_body(struct engine *e, bool last_alone, struct pmon_err *err)
{
	e->body.n = 0;
	if (!pmon_mem_grow(e->allocator, &e->scratch, &e->scratch_cap, e->n_points,
			   sizeof(*e->scratch)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < e->n_touched; i++)
		if (!put_series(e, e->touched[i], last_alone))
			return pmon_err_nomem(err);
	return pmon_prom_compress(e->allocator, &e->body, &e->packed) ? PMON_OK
								      : pmon_err_nomem(err);
}

static enum pmon_status
post(struct engine *e, const uint8_t *body, size_t len, struct pmon_err *err)
{
	static const char *const headers[] = {"Content-Type: application/x-protobuf",
					      "Content-Encoding: snappy",
					      "X-Prometheus-Remote-Write-Version: 0.1.0", NULL};
	struct pmon_http_request request = {
		.target = e->target, .headers = headers, .body = body, .body_len = len, .host = -1};

	return pmon_http_ask(e->http, &request, NULL, err);
}

// ---- The ledger -----------------------------------------------------------------------------

static enum pmon_status
save_ledger(struct engine *e, struct pmon_err *err)
{
	if (e->push.options.state_dir == NULL)
		return PMON_OK;
	return pmon_push_ledger_save(&e->ledger, e->push.options.state_dir, e->url_text, &e->log,
				     err);
}

static enum pmon_status
note_stored(struct engine *e, const struct pmon_push_digest *digest, struct pmon_err *err)
{
	// Without a folder, and of a live source, nobody asks for it again.
	if (e->push.options.state_dir == NULL || e->is_live)
		return PMON_OK;
	return pmon_push_ledger_add(&e->ledger, digest, err);
}

// What earlier pushes have left. It is read when the log is known, before its first series is.
static enum pmon_status
read_state(struct engine *e, const struct pmon_sample *first, struct pmon_err *err)
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

// ---- VictoriaMetrics ------------------------------------------------------------------------

static enum pmon_status
ask(struct engine *e, const char *target, struct pmon_span *answer, struct pmon_err *err)
{
	struct pmon_http_request request = {
		.target = target, .host = -1, .answer_max = METRICS_MAX};

	return pmon_http_ask(e->http, &request, answer, err);
}

// When the server was started, as it says itself; "" when it does not.
static enum pmon_status
ask_start(struct engine *e, char out[32], struct pmon_err *err)
{
	static const char name[] = "vm_app_start_timestamp ";
	struct pmon_span answer;
	enum pmon_status status = ask(e, "/metrics", &answer, err);
	size_t len = 0;

	out[0] = '\0';
	if (status != PMON_OK)
		return status == PMON_E_FORMAT || status == PMON_E_LIMIT ? PMON_OK : status;
	for (size_t i = 0; i + sizeof(name) < answer.len; i++) {
		if (memcmp(answer.ptr + i, name, sizeof(name) - 1) != 0)
			continue;
		i += sizeof(name) - 1;
		while (i < answer.len && answer.ptr[i] > ' ' && len < 31)
			out[len++] = answer.ptr[i++];
		break;
	}
	out[len] = '\0';
	return PMON_OK;
}

static void
drop_kept(struct engine *e)
{
	for (size_t i = 0; i < e->n_kept; i++)
		pmon_mem_free(e->allocator, e->kept[i].body, e->kept[i].len);
	e->n_kept = e->kept_bytes = 0;
}

// Have everything that was taken written to files; *safe tells whether it was the same server all the
// time that took it.
static enum pmon_status
flush_server(struct engine *e, bool *safe, struct pmon_err *err)
{
	char started[sizeof(e->started)];
	enum pmon_status status = ask(e, "/internal/force_flush", NULL, err);

	// Something in between does not let us: then its word is all there is.
	if (status == PMON_E_FORMAT) {
		e->settles = false;
		status = PMON_OK;
	}
	*safe = true;
	if (status != PMON_OK || !e->settles)
		return status;
	status = ask_start(e, started, err);
	*safe = strcmp(started, e->started) == 0;
	memcpy(e->started, started, sizeof(started));
	return status;
}

// See that what is kept is safe; then it need not be.
static enum pmon_status
settle(struct engine *e, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool safe = e->n_kept == 0 || !e->settles;

	while (status == PMON_OK && !safe) {
		status = flush_server(e, &safe, err);
		for (size_t i = 0; status == PMON_OK && !safe && i < e->n_kept; i++)
			status = post(e, e->kept[i].body, e->kept[i].len, err);
	}
	for (size_t i = 0; status == PMON_OK && i < e->n_kept; i++)
		status = note_stored(e, &e->kept[i].digest, err);
	if (status == PMON_OK && e->n_kept > 0)
		status = save_ledger(e, err);
	if (status == PMON_OK)
		drop_kept(e);
	return status;
}

static bool
is_settling_due(const struct engine *e)
{
	return e->n_kept == KEPT_MAX || e->kept_bytes >= KEPT_BYTES ||
	       (e->n_kept > 0 && pmon_os_monotonic_100ns() - e->kept_100ns >= KEPT_100NS);
}

static enum pmon_status
keep(struct engine *e, struct pmon_err *err)
{
	struct kept *kept = &e->kept[e->n_kept];

	kept->body = pmon_mem_alloc(e->allocator, e->packed.n);
	if (kept->body == NULL)
		return pmon_err_nomem(err);
	memcpy(kept->body, e->packed.list, e->packed.n);
	kept->len = e->packed.n;
	kept->digest = e->digest;
	if (e->n_kept++ == 0)
		e->kept_100ns = pmon_os_monotonic_100ns();
	e->kept_bytes += e->packed.n;
	return is_settling_due(e) ? settle(e, err) : PMON_OK;
}

// ---- Prometheus -----------------------------------------------------------------------------

// Does the server say that it has newer samples?
static bool
is_disorder(const struct pmon_err *err)
{
	static const char *const words[] = {"out of order", "duplicate sample", "out of bounds",
					    "too old"};

	if (err->status != PMON_E_FORMAT)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(err->msg, words[i]) != NULL)
			return true;
	return false;
}

// The batch was refused because the server has newer samples. They may be those of the batch.
static enum pmon_status
check_stored(struct engine *e, struct pmon_err *err)
{
	struct pmon_err other = {.status = PMON_OK};
	enum pmon_status status = make_body(e, true, &other);

	if (status == PMON_OK)
		status = post(e, e->packed.list, e->packed.n, &other);
	e->was_there = status == PMON_OK;
	if (status == PMON_OK)
		return PMON_OK;
	if (!is_disorder(&other))
		return pmon_err_set(err, other.status, 0, "%s", other.msg);
	pmon_push_tell(&e->push.options, true,
		       "Prometheus has newer samples of these counters, or of others, and takes no "
		       "older ones: history goes in by pmon relog -f openmetrics and promtool tsdb "
		       "create-blocks-from, or where its configuration has an "
		       "out_of_order_time_window");
	return err->status;
}

// ---- Batches --------------------------------------------------------------------------------

static enum pmon_status
send_points(struct engine *e, struct pmon_err *err)
{
	enum pmon_status status = make_body(e, false, err);

	if (status == PMON_OK)
		status = post(e, e->packed.list, e->packed.n, err);
	if (status == PMON_E_FORMAT && is_disorder(err))
		status = check_stored(e, err);
	if (status == PMON_OK && e->settles)
		return keep(e, err);
	if (status == PMON_OK)
		status = note_stored(e, &e->digest, err);
	return status == PMON_OK ? save_ledger(e, err) : status;
}

static void
tell_progress(struct engine *e)
{
	const struct pmon_push_options *options = &e->push.options;

	e->push.counts.bytes = pmon_http_bytes(e->http);
	e->push.counts.retries = pmon_http_retries(e->http);
	if (options->progress != NULL)
		options->progress(options->progress_ctx, &e->push.counts);
}

static void
begin_batch(struct engine *e)
{
	for (size_t i = 0; i < e->n_touched; i++)
		e->series[e->touched[i]].chain_first = NO_POINT;
	e->n_points = e->n_touched = e->n_rows = e->n_known = e->n_sent = 0;
	e->digest = (struct pmon_push_digest){0};
}

// The batch is done: it is sent, unless it is there.
static enum pmon_status
send_batch(struct engine *e, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	e->was_there = e->n_points > 0 && pmon_push_ledger_has(&e->ledger, &e->digest);
	if (e->n_points > 0 && !e->was_there)
		status = send_points(e, err);
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
	struct engine *e = (struct engine *)sink;
	enum pmon_status status = e->has_log ? PMON_OK : read_state(e, sample, err);

	(void)values;
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
	struct engine *e = (struct engine *)sink;
	enum pmon_status status = send_batch(e, err);
	int64_t since = pmon_os_monotonic_100ns() - e->remembered_100ns;

	if (status == PMON_OK && (sync || is_settling_due(e)))
		status = settle(e, err);
	if (status == PMON_OK && e->is_live && (sync || since >= KEPT_100NS))
		status = save_memories(e, err);
	return status;
}

static void
tell_unwritten(const struct engine *e)
{
	char buf[160];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	if (e->unwritten == 0)
		return;
	pmon_text_u64(&text, e->unwritten);
	pmon_text_str(&text, " raw values have no number of their own: not usable, or of bases and "
			     "texts");
	pmon_push_tell(&e->push.options, false, buf);
}

static enum pmon_status
engine_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct engine *e = (struct engine *)sink;
	enum pmon_status status = send_batch(e, err);

	if (status == PMON_OK)
		status = settle(e, err);
	if (status == PMON_OK)
		status = save_memories(e, err);
	tell_unwritten(e);
	pmon_push_tell_left_out(&e->push);
	return status;
}

// ---- Beginning and end ----------------------------------------------------------------------

static enum pmon_status
engine_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	     const struct pmon_source_info *info, struct pmon_err *err)
{
	struct engine *e = (struct engine *)sink;
	enum pmon_status status = PMON_OK;

	pmon_push_keys_init(&e->keys, schema, e->allocator);
	e->book.schema = schema;
	e->is_live = info->live;
	e->remembered_100ns = pmon_os_monotonic_100ns();
	if (e->settles)
		status = ask_start(e, e->started, err);
	e->settles = e->settles && e->started[0] != '\0';
	return status;
}

static void
engine_close(struct pmon_sink *sink)
{
	struct engine *e = (struct engine *)sink;
	const struct pmon_allocator *allocator = e->allocator;

	pmon_http_close(e->http);
	drop_kept(e);
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

// Where a URL has its remote write: as it says when it is a plain one, else where both servers have it.
static enum pmon_status
find_target(const char *text, struct pmon_push_url *url, char target[TARGET_SIZE],
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
	(void)snprintf(target, TARGET_SIZE, "/%.*s%s%s", (int)len, url->path,
		       len > 0 && !is_plain ? "/" : "", is_plain ? "" : "api/v1/write");
	return PMON_OK;
}

static enum pmon_status
engine_open(const char *url, const struct pmon_push_options *options, struct pmon_sink **sink,
	    struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct engine *e = pmon_mem_alloc0(allocator, sizeof(*e));
	enum pmon_status status;

	if (e == NULL)
		return pmon_err_nomem(err);
	e->push.sink.ops = &ops;
	e->push.options = *options;
	e->allocator = allocator;
	e->url_text = url;
	e->settles = strncmp(url, "victoriametrics", 15) == 0;
	e->batch_rows = options->batch_rows != 0 ? options->batch_rows : BATCH_ROWS;
	pmon_push_ledger_init(&e->ledger, allocator);
	pmon_om_book_open(&e->book, NULL, allocator);
	pmon_arena_init(&e->arena, allocator);
	status = find_target(url, &e->url, e->target, err);
	if (status == PMON_OK)
		status = pmon_http_open(&e->url, &e->push.options, &e->http, err);
	if (status != PMON_OK) {
		engine_close(&e->push.sink);
		return status;
	}
	*sink = &e->push.sink;
	return PMON_OK;
}

// ---- Describing -----------------------------------------------------------------------------

struct describing {
	pmon_push_text_fn out;
	void *ctx;
};

static void
put(void *ctx, const char *text, size_t len)
{
	const struct describing *describing = ctx;

	describing->out(describing->ctx, (struct pmon_span){text, len});
}

// The numbers of the first sample, series by series.
static void
put_sample(const struct om_out *out, struct om_book *book, const struct pmon_sample *sample)
{
	double numbers[OM_PARTS];

	for (size_t i = 0; i < sample->n; i++) {
		struct om_track *track = book->tracks[sample->series[i]];
		const struct pmon_raw *raw = &sample->raw[i];
		pmon_time time = raw->time != PMON_TIME_NONE ? raw->time : sample->time;

		if (!pmon_om_take(track, sample, raw, numbers) || pmon_om_unix_ms(time) < 0)
			continue;
		for (int part = 0; part < OM_PARTS; part++)
			if (!isnan(numbers[part]))
				pmon_om_put_line(out, &book->families[track->family], part, track,
						 numbers[part], time);
	}
}

static enum pmon_status
describe(const char *url, const struct pmon_push_options *options, const struct pmon_schema *schema,
	 const struct pmon_sample *sample, pmon_push_text_fn out, void *ctx, struct pmon_err *err)
{
	struct describing describing = {.out = out, .ctx = ctx};
	struct om_out text = {.put = put, .ctx = &describing};
	struct pmon_push_url parsed;
	char target[TARGET_SIZE];
	struct om_book book;
	enum pmon_status status = find_target(url, &parsed, target, err);

	if (status != PMON_OK)
		return status;
	pmon_om_book_open(&book, schema, pmon_mem_allocator(options->allocator));
	if (!pmon_om_book_grow(&book)) {
		status = pmon_err_nomem(err);
	} else {
		if (sample != NULL)
			put_sample(&text, &book, sample);
		put(&describing, "\n", 1);
		pmon_om_put_rules(&text, &book, "5m");
	}
	pmon_om_book_close(&book);
	return status;
}

static const char *const schemes[] = {"prometheus+http",
				      "prometheus+https",
				      "victoriametrics+http",
				      "victoriametrics+https",
				      "http",
				      "https",
				      NULL};

const struct pmon_push_engine pmon_push_prometheus = {
	.schemes = schemes, .open = engine_open, .describe = describe};
