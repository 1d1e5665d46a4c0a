// sink.c - raw values into ClickHouse, in batches over HTTP
// SPDX-License-Identifier: MIT
//
// A batch is made as RowBinary in one buffer, sent, and written into the ledger when the server has
// acknowledged it. Whatever goes wrong in between is healed by sending it again.

#include "push/clickhouse/engine.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/scan.h"
#include "base/wr.h"
#include "core/sql.h"
#include "push/rollup.h"

#define BATCH_ROWS    ((size_t)500000)
#define SERIES_BYTES  ((size_t)1 << 20)   // of series that are sent at once, about
#define SERIES_MAX    ((size_t)4096)      // as servers take statements of up to 256 KiB
#define KEY_CHARS     ((size_t)40)        // of a key in a statement, with a comma
#define QUESTION_SIZE ((size_t)256)       // of the statement around them
#define ROW_NUMBERS   ((size_t)256)       // of a row of pmon_series: all but its texts
#define SQL_USUAL     ((size_t)200 << 10) // of a statement that every server takes
#define LIMITS_SIZE   256
#define TARGET_SIZE   1024

// ---- Asking the server ----------------------------------------------------------------------

// The number of the error that ClickHouse reports, "Code: 241, ..."; 0 for another answer.
static unsigned
reason(struct pmon_span answer)
{
	struct pmon_scan s = pmon_scan_init(answer);
	uint64_t number;

	if (answer.len < 7 || memcmp(answer.ptr, "Code: ", 6) != 0)
		return 0;
	s.at += 6;
	return pmon_scan_u64(&s, &number) && number < UINT_MAX ? (unsigned)number : 0;
}

// ClickHouse answers 500 to everything that it does not do. These may go better the next time: another
// node broke off (32, 101, 209, 210, 279, 1000) or has no address now (198), too long (159), read-only
// now (242), no memory (173, 241), too many queries (202), an earlier attempt still runs (216), no
// Keeper (225, 999), shutting down (236), disk full (75, 243), too many parts (252). Where the user's
// profile sets insert_quorum: too few replicas (285), another such insert (286), no word from the
// others in time (319).
bool
pmon_ch_may_pass(long code, struct pmon_span answer)
{
	static const unsigned reasons[] = {32,  75,  101, 159, 173, 198, 202, 209, 210, 216, 225,
					   236, 241, 242, 243, 252, 279, 285, 286, 319, 999, 1000};
	unsigned why = reason(answer);

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (why == reasons[i])
			return true;
	return why == 0 && (code == 429 || code == 408 || code >= 500);
}

// Where several begin to recreate the views at the same time, a view is there already (57), or gone
// for a moment (60, 218).
static bool
may_pass_making(long code, struct pmon_span answer)
{
	unsigned why = reason(answer);

	return why == 57 || why == 60 || why == 218 || pmon_ch_may_pass(code, answer);
}

// By default a server takes statements of 256 KiB and of 50,000 elements, which lists of series exceed. The limits
// are raised for these only: who may read only may not set them.
static void
put_target(const char *id, size_t sql_len, char buf[LIMITS_SIZE])
{
	int len = snprintf(buf, LIMITS_SIZE, "/?query_id=%s", id);

	if (sql_len >= SQL_USUAL)
		(void)snprintf(
			buf + len, LIMITS_SIZE - (size_t)len,
			"&max_query_size=%zu&max_ast_elements=%zu&max_expanded_ast_elements=%zu",
			sql_len + 1, sql_len, sql_len);
}

void
pmon_ch_next_id(struct ch_engine *e, char id[PMON_HASH128_SIZE])
{
	const uint64_t parts[] = {e->seed, ++e->n_statements};

	pmon_hash128_print(pmon_hash128(parts, sizeof(parts)), id);
}

// One attempt: without it the server computes an answer that nobody reads.
static void
cancel_statement(struct ch_engine *e, const char *id)
{
	char sql[64 + PMON_HASH128_SIZE];
	struct pmon_http_request request = {.target = "/", .body = sql, .is_once = true};
	struct pmon_err err;

	request.body_len =
		(size_t)snprintf(sql, sizeof(sql), "KILL QUERY WHERE query_id = '%s' ASYNC", id);
	if (pmon_http_ask(e->http, &request, NULL, &err) != PMON_OK)
		return; // the statement's own error is reported
}

enum pmon_status
pmon_ch_ask(struct ch_engine *e, const struct pmon_http_request *request, const char *id,
	    struct pmon_span *answer, struct pmon_err *err)
{
	enum pmon_status status = pmon_http_ask(e->http, request, answer, err);

	if (status == PMON_E_IO || status == PMON_E_STATE)
		cancel_statement(e, id);
	return status;
}

enum pmon_status
pmon_ch_run(struct ch_engine *e, const char *sql, struct pmon_span *answer, struct pmon_err *err)
{
	char target[LIMITS_SIZE];
	char id[PMON_HASH128_SIZE];
	size_t sql_len = strlen(sql);
	struct pmon_http_request request = {
		.target = target,
		.body = sql,
		.body_len = sql_len,
		.answer_max = e->answer_max != 0 ? e->answer_max : CH_ANSWER_MAX,
		.may_pass = e->is_making ? may_pass_making : pmon_ch_may_pass};

	pmon_ch_next_id(e, id);
	put_target(id, sql_len, target);
	return pmon_ch_ask(e, &request, id, answer, err);
}

// A small insert waits in the server for those of other senders, and is acknowledged when it is stored.
#define SMALL_BYTES ((size_t)1 << 20)

// Rows as the body, the statement in the query.
enum pmon_status
pmon_ch_insert(struct ch_engine *e, const char *table, const char *columns, const void *rows,
	       size_t len, struct pmon_err *err)
{
	char sql[TARGET_SIZE / 2];
	char target[TARGET_SIZE];
	struct pmon_http_request request = {.target = target,
					    .body = rows,
					    .body_len = len,
					    .may_pack = true,
					    .may_pass = pmon_ch_may_pass};
	int sql_len = snprintf(sql, sizeof(sql), "INSERT INTO %s.%s (%s) FORMAT RowBinary",
			       e->place.database, table, columns);
	char *escaped = pmon_http_escape(e->http, (struct pmon_span){sql, (size_t)sql_len});

	if (escaped == NULL)
		return pmon_err_nomem(err);
	(void)snprintf(target, sizeof(target), "/?%squery=%s",
		       len < SMALL_BYTES ? "async_insert=1&wait_for_async_insert=1&" : "", escaped);
	pmon_http_escape_free(e->http, escaped);
	return pmon_http_ask(e->http, &request, NULL, err);
}

// ---- Rows -----------------------------------------------------------------------------------

// Room for n more bytes, as a writer over it.
static bool
room(const struct ch_engine *e, struct pmon_push_bytes *bytes, size_t n, struct pmon_wr *w)
{
	if (!pmon_push_room(&e->push, bytes, n))
		return false;
	*w = pmon_wr_init(bytes->list + bytes->n, n);
	return true;
}

static void
put_str(struct pmon_wr *w, const char *text)
{
	pmon_ch_put_text(w, (struct pmon_span){text, strlen(text)});
}

static void
put_double(struct pmon_wr *w, double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	pmon_wr_u64(w, bits);
}

// The machine as identities begin with it.
static struct pmon_span
machine_of(const struct pmon_push_identity *identity)
{
	const char *text = (const char *)identity->text;
	const char *tab = memchr(text, '\t', identity->len);

	return (struct pmon_span){text, (size_t)(tab - text)};
}

static void
put_form(struct pmon_wr *w, const struct pmon_counter *counter)
{
	struct pmon_push_form form = pmon_push_form(counter);

	put_double(w, form.add);
	put_double(w, form.mul);
	pmon_wr_u8(w, form.is_real);
	pmon_wr_u8(w, form.by_base);
	pmon_wr_u8(w, form.has_average);
}

static void
put_labels(struct pmon_wr *w, const struct pmon_labels *labels)
{
	pmon_wr_u8(w, (uint8_t)labels->n);
	for (size_t i = 0; i < labels->n; i++) {
		put_str(w, labels->list[i].name);
		put_str(w, labels->list[i].value);
	}
}

static void
put_series(struct pmon_wr *w, const struct pmon_series *series, const struct pmon_push_key *key,
	   const struct pmon_push_identity *identity, const struct pmon_labels *labels)
{
	const struct pmon_path *path = &series->path;
	const struct pmon_counter_type *type = pmon_type_by_word(series->counter.type);

	pmon_ch_put_text(w, machine_of(identity));
	pmon_ch_put_key(w, key->key);
	pmon_ch_put_text(w, path->machine);
	pmon_ch_put_text(w, (struct pmon_span){(const char *)identity->text, identity->len});
	pmon_ch_put_text(w, path->object);
	pmon_ch_put_text(w, path->parent);
	pmon_ch_put_text(w, path->instance);
	pmon_wr_u8(w, path->instance.ptr != NULL);
	pmon_wr_i32(w, path->index);
	pmon_ch_put_text(w, path->counter);
	pmon_ch_put_text(w, series->name);
	pmon_wr_u32(w, series->counter.type);
	put_str(w, type != NULL ? type->name : "");
	put_str(w, pmon_sql_formula_name(type != NULL ? type->formula : PMON_FORMULA_NONE));
	put_str(w, type != NULL ? type->unit : "");
	pmon_wr_i64(w, series->counter.time_base);
	pmon_wr_i32(w, series->counter.default_scale);
	pmon_wr_u8(w, series->counter.size_bytes);
	pmon_wr_u32(w, key->duplicate);
	put_form(w, &series->counter);
	put_labels(w, labels);
}

// Ask which of the series that were sent, from e->n_sent up to n, have the key of another.
static bool
put_question(struct ch_engine *e, size_t n, struct pmon_push_bytes *sql)
{
	size_t most = QUESTION_SIZE + (n - e->n_sent) * KEY_CHARS;
	struct pmon_text text;

	if (!pmon_push_room(&e->push, sql, most))
		return false;
	text = pmon_text_init((char *)sql->list, most);
	pmon_text_str(&text, "SELECT toString(series) FROM ");
	pmon_ch_put_name(&e->place, "pmon_series", &text);
	pmon_text_str(&text, " WHERE series IN (");
	for (size_t i = e->n_sent; i < n; i++) {
		pmon_text_str(&text, i > e->n_sent ? ", " : "");
		pmon_ch_put_key_literal(&text, e->push.keys.list[i].key);
	}
	pmon_text_str(&text, ") GROUP BY series HAVING uniqExact(identity) > 1 LIMIT 1");
	return true;
}

// The server has found this key twice.
static enum pmon_status
refuse_key(const struct ch_engine *e, size_t n, struct pmon_span answer, struct pmon_err *err)
{
	const struct pmon_push_keys *keys = &e->push.keys;
	char text[PMON_HASH128_UUID_SIZE];

	for (size_t i = e->n_sent; i < n; i++) {
		pmon_hash128_print_uuid(keys->list[i].key, text);
		if (answer.len >= sizeof(text) - 1 &&
		    memcmp(answer.ptr, text, sizeof(text) - 1) == 0)
			return pmon_push_keys_collide(&keys->list[i].key,
						      pmon_schema_at(keys->schema, i)->name,
						      PMON_PUSH_STORED, err);
	}
	return pmon_err_set(err, PMON_E_FORMAT, 0,
			    "ClickHouse returned a key that was not requested");
}

// Do the series that were sent have keys of their own? The sender of the second identity of a key sees both, as
// rows of other identities do not replace each other; and it sees so before any value is sent.
static enum pmon_status
check_series(struct ch_engine *e, size_t n, struct pmon_err *err)
{
	struct pmon_push_bytes sql = {NULL, 0, 0};
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = put_question(e, n, &sql) ? PMON_OK : pmon_err_nomem(err);

	if (status == PMON_OK)
		status = pmon_ch_run(e, (const char *)sql.list, &answer, err);
	if (status == PMON_OK && answer.len > 0)
		status = refuse_key(e, n, answer, err);
	pmon_push_free(&e->push, &sql);
	return status;
}

// Send series up to number n.
static enum pmon_status
send_series_to(struct ch_engine *e, size_t n, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (e->n_sent == n)
		return PMON_OK;
	if (e->series.n > 0)
		status = pmon_ch_insert(e, "pmon_series", CH_SERIES_COLUMNS, e->series.list,
					e->series.n, err);
	if (status == PMON_OK)
		status = check_series(e, n, err);
	if (status != PMON_OK)
		return status;
	e->series.n = 0;
	e->n_sent = n;
	return PMON_OK;
}

static enum pmon_status
send_series(struct pmon_push_sink *push, struct pmon_err *err)
{
	return send_series_to((struct ch_engine *)push, (size_t)push->counts.series, err);
}

// Series i as a row.
static bool
add_row(struct ch_engine *e, size_t i)
{
	const struct pmon_push_key *key = &e->push.keys.list[i];
	const struct pmon_series *series = pmon_schema_at(e->push.keys.schema, i);
	struct pmon_push_bytes *rows = &e->series;
	struct pmon_wr w;

	if (!room(e, rows, 3 * e->identity.len + 2 * series->name.len + ROW_NUMBERS, &w))
		return false;
	put_series(&w, series, key, &e->identity, &e->push.labels);
	rows->n += pmon_wr_pos(&w);
	return true;
}

static enum pmon_status
add_series(struct pmon_push_sink *push, size_t i, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	enum pmon_status status = PMON_OK;

	if (!pmon_push_identity_put(&e->identity, push->allocator,
				    pmon_schema_at(push->keys.schema, i), &push->labels,
				    push->keys.list[i].duplicate) ||
	    !pmon_ch_batch_add_machine(&e->batch, machine_of(&e->identity)))
		return pmon_err_nomem(err);
	if (push->options.check == PMON_PUSH_VERIFY)
		return PMON_OK; // nothing is sent
	if (e->series.n >= SERIES_BYTES || i - e->n_sent >= SERIES_MAX)
		status = send_series_to(e, i, err);
	if (status == PMON_OK && !add_row(e, i))
		status = pmon_err_nomem(err);
	return status;
}

// ---- The ledger -----------------------------------------------------------------------------

static enum pmon_status
read_ledger(struct pmon_push_sink *push, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	char sql[256];
	struct pmon_span answer;
	enum pmon_status status;

	pmon_hash128_print(push->log, e->log);
	(void)snprintf(sql, sizeof(sql),
		       "SELECT batch, max(rows) FROM %s.pmon_push WHERE log = '%s' GROUP BY batch",
		       e->place.database, e->log);
	status = pmon_ch_run(e, sql, &answer, err);
	return status == PMON_OK ? pmon_push_ledger_add_text(&push->ledger, answer, err) : status;
}

// `rows` of the batch are stored.
static enum pmon_status
write_ledger(struct ch_engine *e, uint64_t rows, struct pmon_err *err)
{
	const struct pmon_push_batch *batch = &e->push.batch;
	const char *name = e->push.info->machine; // for people
	char digest[PMON_HASH128_SIZE];
	struct pmon_push_bytes row = {NULL, 0, 0};
	struct pmon_wr w;
	enum pmon_status status;

	if (!room(e, &row, 256 + strlen(name), &w))
		return pmon_err_nomem(err);
	pmon_hash128_print(batch->digest, digest);
	put_str(&w, e->log);
	put_str(&w, digest);
	put_str(&w, name);
	pmon_wr_u64(&w, rows);
	pmon_wr_i64(&w, batch->first - CH_EPOCH);
	pmon_wr_i64(&w, batch->last - CH_EPOCH);
	row.n = pmon_wr_pos(&w);
	status = pmon_ch_insert(e, "pmon_push", CH_PUSH_COLUMNS, row.list, row.n, err);
	pmon_push_free(&e->push, &row);
	return status;
}

// ---- Batches --------------------------------------------------------------------------------

static bool
is_full(const struct pmon_push_sink *push, const struct pmon_sample *sample)
{
	return pmon_ch_batch_is_full(&((const struct ch_engine *)push)->batch, sample);
}

static enum pmon_status
add_sample(struct pmon_push_sink *push, const struct pmon_sample *sample,
	   const struct pmon_push_row *rows, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;

	if (!pmon_push_states_grow(&e->states, push->keys.schema))
		return pmon_err_nomem(err);
	return pmon_ch_batch_add(&e->batch, &e->states, sample, rows, err);
}

static enum pmon_status
store_rows(struct ch_engine *e, const uint8_t *rows, uint64_t *n_new, struct pmon_err *err)
{
	uint64_t n_different = 0;
	bool is_new;
	enum pmon_status status = pmon_ch_store_among(e, rows, &is_new, n_new, &n_different, err);

	if (status == PMON_OK && is_new) {
		status = pmon_ch_insert(e, "pmon_fact", CH_FACT_COLUMNS, rows, e->batch.bytes, err);
		*n_new = e->batch.n_taken; // a row that comes twice is one
	}
	if (status == PMON_OK)
		status = write_ledger(e, e->batch.n_taken - n_different, err);
	if (status == PMON_OK && e->push.options.check == PMON_PUSH_NEW)
		pmon_ch_note_different(e, n_different);
	return status;
}

static enum pmon_status
send_batch(struct pmon_push_sink *push, uint64_t *n_new, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	uint64_t n_unsettled = e->batch.firsts.n_unsettled;
	const uint8_t *rows;
	enum pmon_status status;

	if (e->batch.n_taken == 0)
		return PMON_OK;
	status = pmon_ch_join(e, err);
	if (status != PMON_OK)
		return status;
	rows = pmon_ch_batch_sort(&e->batch, &push->keys);
	if (rows == NULL)
		return pmon_err_nomem(err);
	status = store_rows(e, rows, n_new, err);
	if (*n_new == 0) // all were there, and so are their intervals
		e->batch.firsts.n_unsettled = n_unsettled;
	if (status == PMON_OK)
		pmon_push_touch(&e->touched, e->batch.from, e->batch.to);
	return status;
}

static void
clear_batch(struct pmon_push_sink *push)
{
	pmon_ch_batch_clear(&((struct ch_engine *)push)->batch);
}

// ---- The end --------------------------------------------------------------------------------

static enum pmon_status
flush_engine(struct pmon_push_sink *push, bool sync, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;

	(void)sync;
	return pmon_push_touched_is_over(&e->touched) ? pmon_ch_sum_hours(e, err) : PMON_OK;
}

static enum pmon_status
finish_engine(struct pmon_push_sink *push, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	enum pmon_status status = PMON_OK;

	// The newest raw values of logs that have other values are not those of what is stored.
	if (push->options.check != PMON_PUSH_VERIFY && push->counts.different == 0)
		status = pmon_ch_store_tails(e, err);
	return status == PMON_OK && e->touched.is_any ? pmon_ch_sum_hours(e, err) : status;
}

static void
tell(const struct pmon_push_sink *push)
{
	const struct ch_engine *e = (const struct ch_engine *)push;

	pmon_push_tell_backward(push);
	pmon_push_seams_tell(push, &e->batch.firsts);
}

// ---- The engine -----------------------------------------------------------------------------

static enum pmon_status
begin_log(struct pmon_push_sink *push, struct pmon_err *err)
{
	return pmon_ch_begin((struct ch_engine *)push, err);
}

static enum pmon_status
read_clock(struct pmon_push_sink *push, pmon_time *now, struct pmon_err *err)
{
	return pmon_http_clock(((struct ch_engine *)push)->http, now, err);
}

static void
close_engine(struct pmon_push_sink *push)
{
	struct ch_engine *e = (struct ch_engine *)push;

	pmon_http_close(e->http);
	pmon_push_free(push, &e->series);
	pmon_push_identity_free(&e->identity, push->allocator);
	pmon_push_states_free(&e->states);
	pmon_ch_batch_free(&e->batch);
}

static enum pmon_status
open_engine(struct pmon_push_sink *push, const char *url, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	enum pmon_status status;

	e->seed = pmon_hash_seed();
	pmon_ch_batch_init(&e->batch, push->allocator);
	pmon_push_states_init(&e->states, push->allocator);
	status = pmon_ch_find_place(url, &e->url, &e->place, err);
	if (status == PMON_OK)
		status = pmon_http_open(&e->url, push, &e->http, err);
	return status;
}

static const char *const schemes[] = {"clickhouse+http", "clickhouse+https", NULL};

const struct pmon_push_engine pmon_push_clickhouse = {
	.schemes = schemes,
	.size = sizeof(struct ch_engine),
	.batch_rows = BATCH_ROWS,
	.has_retention = true,
	.asked_by = "ask ClickHouse with its own client: SELECT path, average FROM "
		    "pmon_average(begin = '2026-11-01', end = '2026-12-01'), or SELECT time, path, "
		    "value FROM pmon_value; see docs/engines/clickhouse.md",
	.open = open_engine,
	.close = close_engine,
	.begin = begin_log,
	.read_clock = read_clock,
	.read_machine = pmon_ch_read_machine,
	.write_machine = pmon_ch_write_machine,
	.read_ledger = read_ledger,
	.add_series = add_series,
	.is_full = is_full,
	.add = add_sample,
	.send_series = send_series,
	.send = send_batch,
	.count_missing = pmon_ch_count_missing,
	.clear = clear_batch,
	.flush = flush_engine,
	.finish = finish_engine,
	.tell = tell,
	.rollup = pmon_ch_rollup,
	.describe = pmon_ch_describe,
};
