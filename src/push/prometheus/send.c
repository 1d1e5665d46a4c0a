// send.c - send batches to the server
// SPDX-License-Identifier: MIT
//
// Prometheus accepts a request completely or not at all, has it on disk when it answers, and
// rejects samples that are not newer than those it has. So if an answer was lost and the batch is
// rejected the second time, it is sent again with only the last sample of each series: the server
// accepts duplicates of these. VictoriaMetrics accepts everything, but does not store it durably at
// once (settle.c).

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "push/prometheus/engine.h"

// ---- Bodies ---------------------------------------------------------------------------------

size_t
pmon_prom_gather(struct prom_engine *e, const struct prom_series *series, int part, bool last_alone)
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

// The times at which to describe its family: the first in each day, and for one family of a machine
// also the newest.
static size_t
gather_descriptions(struct prom_engine *e, const struct prom_series *series, bool also_newest,
		    bool last_alone)
{
	int64_t day = series->described;
	size_t n = 0;

	for (uint32_t at = series->chain_first; at != PROM_NO_POINT; at = e->points[at].next) {
		const struct prom_number *point = &e->points[at];
		bool is_newest = also_newest && point->next == PROM_NO_POINT;
		double seconds = (double)point->ms / 1000;

		if (point->is_stale || (point->ms / PROM_DAY_MS <= day && !is_newest))
			continue;
		day = point->ms / PROM_DAY_MS;
		n = last_alone ? 0 : n;
		e->scratch[n].ms = point->ms;
		memcpy(&e->scratch[n++].bits, &seconds, sizeof(seconds));
	}
	return n;
}

static bool
put_description(struct prom_engine *e, uint32_t id, bool last_alone)
{
	const struct om_track *track = e->registry.tracks[id];
	const struct om_family *family = &e->registry.families[track->family];
	size_t n = gather_descriptions(e, &e->series[id], track->describes == OM_DESCRIBES_MACHINE,
				       last_alone);
	struct prom_labels labels;
	struct pmon_arena arena;
	bool good;

	if (n == 0)
		return true;
	pmon_arena_init(&arena, e->push.allocator);
	good = pmon_prom_description(&arena, family, track, &labels) &&
	       pmon_prom_add(e->push.allocator, &e->body, &labels, OM_DESCRIPTION, false,
			     e->scratch, n);
	pmon_arena_free(&arena);
	return good;
}

static bool
put_series(struct prom_engine *e, uint32_t id, bool last_alone)
{
	const struct om_family *family = &e->registry.families[e->registry.tracks[id]->family];
	struct prom_series *series = &e->series[id];

	for (int part = 0; part < OM_PARTS; part++) {
		size_t n = family->names[part] != NULL
				   ? pmon_prom_gather(e, series, part, last_alone)
				   : 0;

		if (n > 0 &&
		    !pmon_prom_add(e->push.allocator, &e->body, &series->labels,
				   family->names[part],
				   pmon_om_is_counter(&family->plan.parts[part]), e->scratch, n))
			return false;
	}
	return e->registry.tracks[id]->describes == OM_DESCRIBES_NOTHING ||
	       put_description(e, id, last_alone);
}

static bool
make_remote_write(struct prom_engine *e, bool last_alone)
{
	e->body.n = 0;
	for (size_t i = 0; i < e->n_touched; i++)
		if (!put_series(e, e->touched[i], last_alone))
			return false;
	return pmon_prom_compress(&e->snappy, e->push.allocator, &e->body, &e->packed);
}

static const char *const remote_write_headers[] = {
	"Content-Type: application/x-protobuf", "Content-Encoding: snappy",
	"X-Prometheus-Remote-Write-Version: 0.1.0", NULL};

const struct prom_wire pmon_prom_remote_write = {
	.path = "api/v1/write",
	.headers = remote_write_headers,
	.make_body = make_remote_write,
};

// Put the batch as it is sent into `packed`.
static enum pmon_status
make_body(struct prom_engine *e, bool last_alone, struct pmon_err *err)
{
	return pmon_mem_grow(e->push.allocator, &e->scratch, &e->scratch_cap, e->n_points,
			     sizeof(*e->scratch)) &&
			       e->wire->make_body(e, last_alone)
		       ? PMON_OK
		       : pmon_err_nomem(err);
}

enum pmon_status
pmon_prom_post(struct prom_engine *e, const uint8_t *body, size_t len, struct pmon_err *err)
{
	struct pmon_http_request request = {.target = e->target,
					    .headers = e->wire->headers,
					    .body = body,
					    .body_len = len,
					    .may_pass = e->wire->may_pass,
					    .words = e->wire->words};
	struct pmon_span answer;
	enum pmon_status status = pmon_http_ask(e->http, &request, &answer, err);

	if (status == PMON_OK && e->wire->take_answer != NULL)
		e->wire->take_answer(e, answer);
	return status;
}

// ---- The ledger -----------------------------------------------------------------------------

static enum pmon_status
save_ledger(struct prom_engine *e, struct pmon_err *err)
{
	if (e->push.options.state_dir == NULL)
		return PMON_OK;
	return pmon_push_ledger_save(&e->push.ledger, e->push.options.state_dir, e->place,
				     &e->push.log, err);
}

bool
pmon_prom_is_noted(const struct pmon_push_sink *push)
{
	return push->options.state_dir != NULL && !push->info->live && push->batch.n_ahead == 0;
}

static enum pmon_status
note_stored(struct prom_engine *e, const struct pmon_hash128 *digest, struct pmon_err *err)
{
	if (!pmon_prom_is_noted(&e->push))
		return PMON_OK;
	return pmon_push_ledger_add(&e->push.ledger, digest, err);
}

// ---- Prometheus -----------------------------------------------------------------------------

// Does the server report that it has newer samples?
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

// The batch was rejected because the server has newer samples. They may be those of this batch.
static enum pmon_status
check_stored(struct prom_engine *e, bool *was_there, struct pmon_err *err)
{
	struct pmon_err other = {.status = PMON_OK};
	enum pmon_status status = make_body(e, true, &other);

	if (status == PMON_OK)
		status = pmon_prom_post(e, e->packed.list, e->packed.n, &other);
	*was_there = status == PMON_OK;
	if (status == PMON_OK)
		return PMON_OK;
	if (!is_disorder(&other))
		return pmon_err_set(err, other.status, 0, "%s", other.msg);
	pmon_push_tell(&e->push.options, true,
		       "Prometheus has newer samples and rejects older ones: import history with "
		       "pmon relog -f openmetrics and promtool tsdb create-blocks-from, or set "
		       "out_of_order_time_window in its configuration");
	return err->status;
}

// ---- Sending --------------------------------------------------------------------------------

enum pmon_status
pmon_prom_send(struct prom_engine *e, bool *was_there, struct pmon_err *err)
{
	enum pmon_status status = make_body(e, false, err);

	*was_there = false;
	if (status == PMON_OK)
		status = pmon_prom_post(e, e->packed.list, e->packed.n, err);
	if (status == PMON_E_FORMAT && is_disorder(err))
		status = check_stored(e, was_there, err);
	if (status == PMON_OK && e->settles)
		return pmon_prom_keep(e, err);
	if (status == PMON_OK)
		status = note_stored(e, &e->push.batch.digest, err);
	return status == PMON_OK ? save_ledger(e, err) : status;
}
