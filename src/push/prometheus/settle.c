// settle.c - keep what VictoriaMetrics accepted until it is safe
// SPDX-License-Identifier: MIT
//
// VictoriaMetrics loses the newest data when it is killed, because it is only in memory. Nothing
// makes the server write its files at once, not even /internal/force_flush. So batches are kept for
// as long as that takes, and are resent if the server was restarted meanwhile. Only then are they
// recorded in the ledger and the memory of series.
//
// The batches of all logs of a session are in one queue, in the order in which they were accepted.
// The end of each log is in it too, with what to remember of its series. So the disk always has
// exactly what is safe of a beginning of the queue, and an interrupted push continues from there.

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "os/clock.h"
#include "push/prometheus/engine.h"

// Points are put into parts once a second; every five seconds VictoriaMetrics looks for parts that
// are five seconds old and writes them. The rest is time to do so.
#define SAFE_100NS (13 * PMON_TIME_PER_SEC)
#define ASK_100NS  PMON_TIME_PER_SEC // between two checks whether it is the same server
// the longest wait for the server to have been up for a second
#define YOUNG_100NS (5 * PMON_TIME_PER_SEC)
#define SLICE_100NS (100 * PMON_TIME_PER_MSEC) // of a wait
#define KEPT_BYTES  ((size_t)64 << 20)         // the most that is kept until it is safe, roughly
#define METRICS_MAX ((size_t)4 << 20)

// ---- Questions ------------------------------------------------------------------------------

static enum pmon_status
ask(struct prom_engine *e, const char *target, struct pmon_span *answer, struct pmon_err *err)
{
	struct pmon_http_request request = {.target = target, .answer_max = METRICS_MAX};

	return pmon_http_ask(e->http, &request, answer, err);
}

// The text after a name in the server's own metrics, up to a blank or quote; "" if the name is
// missing.
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

// The retention period of a server, from its -retentionPeriod such as "100y", in seconds; months if
// there is no unit. 0: unknown.
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

static void
read_metrics(struct prom_queue *q, struct pmon_span metrics, char started[PROM_METRIC])
{
	char text[PROM_METRIC];
	double start;
	double kept;

	find_metric(metrics, "\nvm_app_uptime_seconds ", text);
	if (!parse_number(text, &q->up_s))
		q->up_s = NAN;
	find_metric(metrics, "name=\"retentionPeriod\", value=\"", text);
	kept = retention_s(text);
	find_metric(metrics, "\nvm_app_start_timestamp ", started);
	q->oldest_ms = INT64_MIN;
	if (parse_number(started, &start) && !isnan(q->up_s) && kept > 0 && kept < 1e12)
		q->oldest_ms = (int64_t)((start + q->up_s - kept) * 1000);
}

// The server's start time, as it reports it; "" if it does not.
static enum pmon_status
ask_start(struct prom_engine *e, char out[PROM_METRIC], struct pmon_err *err)
{
	struct prom_queue *q = e->queue;
	struct pmon_span answer;
	enum pmon_status status = ask(e, "/metrics", &answer, err);

	out[0] = '\0';
	if (status != PMON_OK)
		return status == PMON_E_FORMAT || status == PMON_E_LIMIT ? PMON_OK : status;
	read_metrics(q, answer, out);
	q->asked_100ns = pmon_os_monotonic_100ns();
	return PMON_OK;
}

// Sleep for one slice.
static enum pmon_status
wait_a_little(struct prom_engine *e, struct pmon_err *err)
{
	if (pmon_push_is_cancelled(&e->push.options))
		return pmon_err_set(
			err, PMON_E_STATE, 0,
			"interrupted before VictoriaMetrics had flushed all samples to disk");
	pmon_os_sleep(SLICE_100NS);
	return PMON_OK;
}

// The same, but only once the answer distinguishes this server from one started later. The start
// time is in whole seconds, so the server must have been up for one second: another one then starts
// in a later second.
static enum pmon_status
identify(struct prom_engine *e, char started[PROM_METRIC], struct pmon_err *err)
{
	struct prom_queue *q = e->queue;
	int64_t begun_100ns = pmon_os_monotonic_100ns();
	enum pmon_status status = ask_start(e, started, err);

	while (status == PMON_OK && started[0] != '\0' && q->up_s < 1 &&
	       q->asked_100ns - begun_100ns < YOUNG_100NS) {
		status = wait_a_little(e, err);
		if (status == PMON_OK && pmon_os_monotonic_100ns() - q->asked_100ns >= ASK_100NS)
			status = ask_start(e, started, err);
	}
	return status;
}

// ---- The queue ------------------------------------------------------------------------------

static void
drop_first(struct prom_queue *q, const struct pmon_allocator *allocator, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		q->kept_bytes -= q->kept[i].len;
		if (q->kept[i].body != NULL)
			pmon_mem_free(allocator, q->kept[i].body, q->kept[i].len);
		pmon_prom_memories_free(&q->kept[i].memories, allocator);
	}
	q->n_kept -= n;
	for (size_t i = 0; i < q->n_kept; i++)
		q->kept[i] = q->kept[i + n];
}

void
pmon_prom_queue_free(void *queue, const struct pmon_allocator *allocator)
{
	struct prom_queue *q = queue;

	drop_first(q, allocator, q->n_kept);
	pmon_mem_free(allocator, q->kept, q->kept_cap * sizeof(*q->kept));
	pmon_prom_memories_free(&q->carried, allocator);
}

static enum pmon_status
post_again(struct prom_engine *e, struct pmon_err *err)
{
	struct prom_queue *q = e->queue;
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < q->n_kept; i++) {
		if (q->kept[i].body == NULL)
			continue;
		status = pmon_prom_post(e, q->kept[i].body, q->kept[i].len, err);
		q->kept[i].taken_100ns = pmon_os_monotonic_100ns();
	}
	return status;
}

// Is this still the server that accepted what is kept? If not, resend that.
static enum pmon_status
check_server(struct prom_engine *e, struct pmon_err *err)
{
	struct prom_queue *q = e->queue;
	char started[sizeof(q->started)];
	enum pmon_status status = identify(e, started, err);

	if (status != PMON_OK)
		return status;
	// Something in between blocks the question: then being accepted has to be enough.
	if (started[0] == '\0') {
		e->settles = false;
		return PMON_OK;
	}
	if (strcmp(started, q->started) == 0)
		return PMON_OK;
	memcpy(q->started, started, sizeof(started));
	return post_again(e, err);
}

// ---- What is safe ---------------------------------------------------------------------------

// Write the batches from *at on that belong to one log into its ledger. The ledger of the log being
// pushed is in memory.
static enum pmon_status
note_batches(struct prom_engine *e, size_t *at, size_t end, struct pmon_err *err)
{
	const struct prom_kept *kept = e->queue->kept;
	const char *folder = e->push.options.state_dir;
	struct pmon_hash128 log = kept[*at].log;
	bool is_own = e->push.has_log && pmon_hash128_compare(log, e->push.log) == 0;
	struct pmon_push_ledger other;
	struct pmon_push_ledger *ledger = is_own ? &e->push.ledger : &other;
	enum pmon_status status = PMON_OK;

	pmon_push_ledger_init(&other, e->push.allocator);
	if (!is_own)
		status = pmon_push_ledger_load(&other, folder, e->place, &log, err);
	for (; status == PMON_OK && *at < end && kept[*at].body != NULL &&
	       pmon_hash128_compare(kept[*at].log, log) == 0;
	     ++*at)
		status = pmon_push_ledger_add(ledger, &kept[*at].digest, err);
	if (status == PMON_OK)
		status = pmon_push_ledger_save(ledger, folder, e->place, &log, err);
	pmon_push_ledger_free(&other);
	return status;
}

// The first n are safe: record them in the ledgers and the memory of series, in this order, because
// the next log counts from where this one ended. Without a folder, or for a live source, the
// samples are not read again.
static enum pmon_status
note_safe(struct prom_engine *e, size_t n, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < n;) {
		struct prom_kept *kept = &e->queue->kept[i];

		if (kept->body != NULL && kept->is_noted) {
			status = note_batches(e, &i, n, err);
			continue;
		}
		if (kept->body == NULL)
			status = pmon_prom_memories_save(&kept->memories, e->push.allocator,
							 e->push.options.state_dir, e->place, err);
		i++;
	}
	return status;
}

// Remove what is safe, because the server was the same throughout.
static enum pmon_status
drop_safe(struct prom_engine *e, struct pmon_err *err)
{
	struct prom_queue *q = e->queue;
	int64_t safe_100ns = pmon_os_monotonic_100ns() - SAFE_100NS;
	enum pmon_status status = check_server(e, err);
	size_t n = 0;

	if (status != PMON_OK)
		return status;
	while (n < q->n_kept && (!e->settles || q->kept[n].taken_100ns <= safe_100ns))
		n++;
	status = note_safe(e, n, err);
	if (status == PMON_OK)
		drop_first(q, e->push.allocator, n);
	return status;
}

enum pmon_status
pmon_prom_begin_settling(struct prom_engine *e, struct pmon_err *err)
{
	return e->settles ? drop_safe(e, err) : PMON_OK;
}

// ---- Waiting --------------------------------------------------------------------------------

static void
tell_waiting(const struct prom_engine *e)
{
	size_t n_batches = 0;

	for (size_t i = 0; i < e->queue->n_kept; i++)
		n_batches += e->queue->kept[i].body != NULL;
	if (n_batches > 0)
		pmon_push_tell(&e->push.options, false,
			       "waiting some seconds until VictoriaMetrics has flushed the samples "
			       "to disk");
}

enum pmon_status
pmon_prom_settle(struct prom_engine *e, bool all, struct pmon_err *err)
{
	struct prom_queue *q = e->queue;
	size_t most = all ? 0 : KEPT_BYTES;
	enum pmon_status status = PMON_OK;

	if (all)
		tell_waiting(e);
	while (status == PMON_OK && q->n_kept > 0) {
		int64_t now = pmon_os_monotonic_100ns();
		bool is_full = q->kept_bytes > most;

		if (!is_full && now - q->kept[0].taken_100ns < SAFE_100NS)
			break;
		if (now - q->asked_100ns >= ASK_100NS)
			status = drop_safe(e, err);
		else if (is_full)
			status = wait_a_little(e, err);
		else
			break;
	}
	return status;
}

// ---- What is kept ---------------------------------------------------------------------------

static enum pmon_status
add_kept(struct prom_engine *e, const struct prom_kept *kept, struct pmon_err *err)
{
	struct prom_queue *q = e->queue;

	if (!pmon_mem_grow(e->push.allocator, &q->kept, &q->kept_cap, q->n_kept + 1,
			   sizeof(*q->kept)))
		return pmon_err_nomem(err);
	q->kept[q->n_kept++] = *kept;
	q->kept_bytes += kept->len;
	return PMON_OK;
}

enum pmon_status
pmon_prom_keep(struct prom_engine *e, struct pmon_err *err)
{
	struct prom_kept kept = {.len = e->packed.n,
				 .log = e->push.log,
				 .digest = e->push.batch.digest,
				 .is_noted = pmon_prom_is_noted(&e->push),
				 .taken_100ns = pmon_os_monotonic_100ns()};
	enum pmon_status status;

	kept.body = pmon_mem_alloc(e->push.allocator, kept.len);
	if (kept.body == NULL)
		return pmon_err_nomem(err);
	memcpy(kept.body, e->packed.list, kept.len);
	status = add_kept(e, &kept, err);
	if (status != PMON_OK) {
		pmon_mem_free(e->push.allocator, kept.body, kept.len);
		return status;
	}
	return pmon_prom_settle(e, false, err);
}

enum pmon_status
pmon_prom_keep_end(struct prom_engine *e, struct prom_memories *memories, struct pmon_err *err)
{
	struct prom_kept end = {.len = memories->n * sizeof(*memories->list),
				.memories = *memories};
	enum pmon_status status =
		pmon_prom_memories_merge(&e->queue->carried, memories, e->push.allocator, err);

	if (status == PMON_OK)
		status = add_kept(e, &end, err);
	if (status != PMON_OK)
		return status;
	*memories = (struct prom_memories){.n = 0};
	return pmon_prom_settle(e, false, err);
}

void
pmon_prom_forget_carried(struct prom_engine *e)
{
	struct prom_queue *q = e->queue;

	for (size_t i = 0; i < q->n_kept; i++)
		if (q->kept[i].body == NULL)
			return;
	pmon_prom_memories_free(&q->carried, e->push.allocator);
	q->carried = (struct prom_memories){.n = 0};
}
