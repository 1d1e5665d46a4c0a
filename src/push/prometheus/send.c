// send.c - batches on their way to the server
// SPDX-License-Identifier: MIT
//
// Prometheus takes a request whole or not at all, has it on the disk when it answers, and refuses what
// is not newer than it has. So when an answer was lost and the batch is refused the second time, it is
// asked for again with the last sample of each series alone: these it takes twice if it has them.
// VictoriaMetrics takes everything, but loses what it took last when it is killed: it has it in memory, and
// nothing makes it write its files at once, /internal/force_flush neither. So batches are kept for as long
// as that takes, and are sent again if it was started anew meanwhile.

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "os/term.h"
#include "push/prometheus/engine.h"

// Points are put into parts once a second; every five seconds VictoriaMetrics looks for parts that are five
// seconds old and writes them. The rest is for doing so.
#define SAFE_100NS  (13 * PMON_TIME_PER_SEC)
#define ASK_100NS   PMON_TIME_PER_SEC          // between two questions whether it is the same
#define SLICE_100NS (100 * PMON_TIME_PER_MSEC) // of waiting
#define KEPT_BYTES  ((size_t)64 << 20)         // of batches that are not safe yet, about
#define METRICS_MAX ((size_t)4 << 20)

// ---- Bodies ---------------------------------------------------------------------------------

// The points of a part of a series, in scratch; all, or the last alone.
static size_t
gather(struct prom_engine *e, const struct prom_series *series, int part, bool last_alone)
{
	size_t n = 0;

	for (uint32_t at = series->chain_first; at != PROM_NO_POINT; at = e->points[at].next) {
		const struct prom_number *point = &e->points[at];
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
put_series(struct prom_engine *e, uint32_t id, bool last_alone)
{
	const struct om_family *family = &e->registry.families[e->registry.tracks[id]->family];
	struct prom_series *series = &e->series[id];

	for (int part = 0; part < OM_PARTS; part++) {
		size_t n = family->names[part] != NULL ? gather(e, series, part, last_alone) : 0;

		if (n > 0 &&
		    !pmon_prom_add(e->push.allocator, &e->body, &series->labels,
				   family->names[part],
				   pmon_om_is_counter(&family->plan.parts[part]), e->scratch, n))
			return false;
	}
	return true;
}

// The batch as it is sent, in `packed`.
static enum pmon_status
make_body(struct prom_engine *e, bool last_alone, struct pmon_err *err)
{
	e->body.n = 0;
	if (!pmon_mem_grow(e->push.allocator, &e->scratch, &e->scratch_cap, e->n_points,
			   sizeof(*e->scratch)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < e->n_touched; i++)
		if (!put_series(e, e->touched[i], last_alone))
			return pmon_err_nomem(err);
	return pmon_prom_compress(&e->snappy, e->push.allocator, &e->body, &e->packed)
		       ? PMON_OK
		       : pmon_err_nomem(err);
}

static enum pmon_status
post(struct prom_engine *e, const uint8_t *body, size_t len, struct pmon_err *err)
{
	static const char *const headers[] = {"Content-Type: application/x-protobuf",
					      "Content-Encoding: snappy",
					      "X-Prometheus-Remote-Write-Version: 0.1.0", NULL};
	struct pmon_http_request request = {
		.target = e->target, .headers = headers, .body = body, .body_len = len};

	return pmon_http_ask(e->http, &request, NULL, err);
}

// ---- The ledger -----------------------------------------------------------------------------

static enum pmon_status
save_ledger(struct prom_engine *e, struct pmon_err *err)
{
	if (e->push.options.state_dir == NULL)
		return PMON_OK;
	return pmon_push_ledger_save(&e->push.ledger, e->push.options.state_dir, e->url_text,
				     &e->push.log, err);
}

static enum pmon_status
note_stored(struct prom_engine *e, const struct pmon_hash128 *digest, struct pmon_err *err)
{
	// Without a folder, and of a live source, nobody asks for it again.
	if (e->push.options.state_dir == NULL || e->push.info->live)
		return PMON_OK;
	return pmon_push_ledger_add(&e->push.ledger, digest, err);
}

// ---- VictoriaMetrics ------------------------------------------------------------------------

static enum pmon_status
ask(struct prom_engine *e, const char *target, struct pmon_span *answer, struct pmon_err *err)
{
	struct pmon_http_request request = {.target = target, .answer_max = METRICS_MAX};

	return pmon_http_ask(e->http, &request, answer, err);
}

// What comes after a name in the server's own metrics, up to a blank or a quote; "" when the name
// is missing.
static void
find_metric(struct pmon_span metrics, const char *name, char out[PROM_METRIC])
{
	size_t len = strlen(name);
	size_t n = 0;

	for (size_t i = 0; i + len < metrics.len && n == 0; i++) {
		if (memcmp(metrics.ptr + i, name, len) != 0)
			continue;
		for (i += len; i < metrics.len && n < PROM_METRIC - 1; i++) {
			if (metrics.ptr[i] <= ' ' || metrics.ptr[i] == '"')
				break;
			out[n++] = metrics.ptr[i];
		}
	}
	out[n] = '\0';
}

// How long a server keeps samples by its -retentionPeriod, as "100y", in seconds; months without a unit. 0:
// not known.
static double
retention_s(const char *text)
{
	static const struct {
		char unit;
		double days;
	} units[] = {{'h', 1.0 / 24}, {'d', 1}, {'w', 7}, {'y', 365}};
	size_t len = strlen(text);
	double days = 31;
	double n;

	for (size_t i = 0; len > 0 && i < sizeof(units) / sizeof(units[0]); i++) {
		if (text[len - 1] != units[i].unit)
			continue;
		days = units[i].days;
		len--;
		break;
	}
	return pmon_num_parse_double((struct pmon_span){text, len}, &n) ? n * days * 86400 : 0;
}

static bool
parse_number(const char *text, double *out)
{
	return pmon_num_parse_double((struct pmon_span){text, strlen(text)}, out);
}

// Before when the server would drop samples without a word, by its own clock.
static int64_t
find_oldest(struct pmon_span metrics, const char *started)
{
	char text[PROM_METRIC];
	double start;
	double up;
	double kept;

	find_metric(metrics, "\nvm_app_uptime_seconds ", text);
	if (!parse_number(started, &start) || !parse_number(text, &up))
		return INT64_MIN;
	find_metric(metrics, "name=\"retentionPeriod\", value=\"", text);
	kept = retention_s(text);
	return kept > 0 && kept < 1e12 ? (int64_t)((start + up - kept) * 1000) : INT64_MIN;
}

enum pmon_status
pmon_prom_ask_start(struct prom_engine *e, char out[PROM_METRIC], struct pmon_err *err)
{
	struct pmon_span answer;
	enum pmon_status status = ask(e, "/metrics", &answer, err);
	char writes[PROM_METRIC];

	out[0] = '\0';
	if (status != PMON_OK)
		return status == PMON_E_FORMAT || status == PMON_E_LIMIT ? PMON_OK : status;
	find_metric(answer, "\nvm_app_start_timestamp ", out);
	e->oldest_ms = find_oldest(answer, out);
	find_metric(
		answer,
		"\nvm_http_requests_total{path=\"/api/v1/write\", protocol=\"promremotewrite\"} ",
		writes);
	if (!parse_number(writes, &e->writes))
		e->writes = NAN;
	e->n_posted = 0;
	e->asked_100ns = pmon_os_monotonic_100ns();
	return PMON_OK;
}

// Let go of the first few batches.
static void
drop_first(struct prom_engine *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		e->kept_bytes -= e->kept[i].len;
		pmon_mem_free(e->push.allocator, e->kept[i].body, e->kept[i].len);
	}
	e->n_kept -= n;
	for (size_t i = 0; i < e->n_kept; i++)
		e->kept[i] = e->kept[i + n];
}

void
pmon_prom_drop_kept(struct prom_engine *e)
{
	drop_first(e, e->n_kept);
	pmon_mem_free(e->push.allocator, e->kept, e->kept_cap * sizeof(*e->kept));
}

static enum pmon_status
post_again(struct prom_engine *e, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < e->n_kept; i++) {
		status = post(e, e->kept[i].body, e->kept[i].len, err);
		e->kept[i].taken_100ns = pmon_os_monotonic_100ns();
		e->n_posted++;
	}
	return status;
}

// Is it still the server that took what is kept? If not, that is sent again.
static enum pmon_status
check_server(struct prom_engine *e, struct pmon_err *err)
{
	char started[sizeof(e->started)];
	double least = e->writes + (double)e->n_posted;
	enum pmon_status status = pmon_prom_ask_start(e, started, err);
	bool same;

	if (status != PMON_OK)
		return status;
	// Something in between does not let us ask: then its word is all there is.
	if (started[0] == '\0') {
		e->settles = false;
		return PMON_OK;
	}
	// The server gives its start in whole seconds: one that was started twice in the same
	// second is recognized by missing writes.
	same = strcmp(started, e->started) == 0 && !(e->writes < least);
	memcpy(e->started, started, sizeof(started));
	return same ? PMON_OK : post_again(e, err);
}

// Let go of what is safe, as the server was the same all the time.
static enum pmon_status
drop_safe(struct prom_engine *e, struct pmon_err *err)
{
	int64_t safe_100ns = pmon_os_monotonic_100ns() - SAFE_100NS;
	enum pmon_status status = check_server(e, err);
	size_t n = 0;

	while (status == PMON_OK && n < e->n_kept &&
	       (!e->settles || e->kept[n].taken_100ns <= safe_100ns))
		status = note_stored(e, &e->kept[n++].digest, err);
	if (status == PMON_OK && n > 0)
		status = save_ledger(e, err);
	if (status == PMON_OK)
		drop_first(e, n);
	return status;
}

static enum pmon_status
wait_a_little(struct prom_engine *e, struct pmon_err *err)
{
	if (pmon_push_is_cancelled(&e->push.options))
		return pmon_err_set(err, PMON_E_STATE, 0,
				    "interrupted before VictoriaMetrics had everything in its "
				    "files");
	pmon_os_sleep(SLICE_100NS);
	return PMON_OK;
}

enum pmon_status
pmon_prom_settle(struct prom_engine *e, bool all, struct pmon_err *err)
{
	size_t most = all ? 0 : KEPT_BYTES;
	enum pmon_status status = PMON_OK;

	if (all && e->n_kept > 0)
		pmon_push_tell(&e->push.options, false,
			       "waiting some seconds, until VictoriaMetrics has it in its files");
	while (status == PMON_OK && e->n_kept > 0) {
		int64_t now = pmon_os_monotonic_100ns();
		bool is_full = e->kept_bytes > most;

		if (!is_full && now - e->kept[0].taken_100ns < SAFE_100NS)
			break;
		if (now - e->asked_100ns >= ASK_100NS)
			status = drop_safe(e, err);
		else if (is_full)
			status = wait_a_little(e, err);
		else
			break;
	}
	return status;
}

static enum pmon_status
keep(struct prom_engine *e, struct pmon_err *err)
{
	struct prom_kept kept = {.len = e->packed.n, .digest = e->push.batch.digest};

	if (!pmon_mem_grow(e->push.allocator, &e->kept, &e->kept_cap, e->n_kept + 1,
			   sizeof(*e->kept)))
		return pmon_err_nomem(err);
	kept.body = pmon_mem_alloc(e->push.allocator, kept.len);
	if (kept.body == NULL)
		return pmon_err_nomem(err);
	memcpy(kept.body, e->packed.list, kept.len);
	kept.taken_100ns = pmon_os_monotonic_100ns();
	e->kept[e->n_kept++] = kept;
	e->kept_bytes += kept.len;
	e->n_posted++;
	return pmon_prom_settle(e, false, err);
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
check_stored(struct prom_engine *e, bool *was_there, struct pmon_err *err)
{
	struct pmon_err other = {.status = PMON_OK};
	enum pmon_status status = make_body(e, true, &other);

	if (status == PMON_OK)
		status = post(e, e->packed.list, e->packed.n, &other);
	*was_there = status == PMON_OK;
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

// ---- Sending --------------------------------------------------------------------------------

enum pmon_status
pmon_prom_send(struct prom_engine *e, bool *was_there, struct pmon_err *err)
{
	enum pmon_status status = make_body(e, false, err);

	*was_there = false;
	if (status == PMON_OK)
		status = post(e, e->packed.list, e->packed.n, err);
	if (status == PMON_E_FORMAT && is_disorder(err))
		status = check_stored(e, was_there, err);
	if (status == PMON_OK && e->settles)
		return keep(e, err);
	if (status == PMON_OK)
		status = note_stored(e, &e->push.batch.digest, err);
	return status == PMON_OK ? save_ledger(e, err) : status;
}
