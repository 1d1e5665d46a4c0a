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

#define BATCH_ROWS    ((size_t)500000)
#define SERIES_BYTES  ((size_t)1 << 20) // of series that are sent at once, about
#define SERIES_MAX    ((size_t)4096)    // as servers take statements of up to 256 KiB
#define KEY_CHARS     ((size_t)40)      // of a key in a statement, with a comma
#define QUESTION_SIZE ((size_t)256)     // of the statement around them
#define ROW_NUMBERS   ((size_t)256)     // of a row of pmon_series: all but its texts
#define LEDGER_MAX    ((size_t)64 << 20)
#define SQL_USUAL     ((size_t)200 << 10) // of a statement that every server takes
#define LIMITS_SIZE   160
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
// now (242), no memory (173, 241), too many queries (202), no Keeper (225, 999), shutting down (236), disk
// full (75, 243), too many parts (252). Where the user's profile sets insert_quorum: too few replicas (285), another such
// insert (286), no word from the others in time (319).
bool
pmon_ch_may_pass(long code, struct pmon_span answer)
{
	static const unsigned reasons[] = {32,  75,  101, 159, 173, 198, 202, 209, 210, 225, 236,
					   241, 242, 243, 252, 279, 285, 286, 319, 999, 1000};
	unsigned why = reason(answer);

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (why == reasons[i])
			return true;
	return why == 0 && (code == 429 || code == 408 || code >= 500);
}

// Where several begin at the same time to make the views anew, a view is there already (57), or gone
// for a moment (60, 218).
static bool
may_pass_making(long code, struct pmon_span answer)
{
	unsigned why = reason(answer);

	return why == 57 || why == 60 || why == 218 || pmon_ch_may_pass(code, answer);
}

// By default a server takes statements of 256 KiB and of 50,000 elements, which lists of series exceed. The limits
// are raised for these only: who may read only may not set them.
static const char *
target_of(size_t sql_len, char buf[LIMITS_SIZE])
{
	if (sql_len < SQL_USUAL)
		return "/";
	(void)snprintf(buf, LIMITS_SIZE,
		       "/?max_query_size=%zu&max_ast_elements=%zu&max_expanded_ast_elements=%zu",
		       sql_len + 1, sql_len, sql_len);
	return buf;
}

enum pmon_status
pmon_ch_run(struct ch_engine *e, uint64_t hosts, const char *sql, struct pmon_span *answer,
	    struct pmon_err *err)
{
	char target[LIMITS_SIZE];
	size_t sql_len = strlen(sql);
	struct pmon_http_request request = {
		.target = target_of(sql_len, target),
		.body = sql,
		.body_len = sql_len,
		.hosts = hosts,
		.once = e->asks_once,
		.answer_max = e->answer_max != 0 ? e->answer_max : LEDGER_MAX,
		.may_pass = e->is_making ? may_pass_making : pmon_ch_may_pass};

	return pmon_http_ask(e->http, &request, answer, err);
}

// Rows as the body, the statement in the query, to a shard. They go into its own table: servers of
// 18.16 insert into a Distributed table only while all shards answer.
static enum pmon_status
insert(struct ch_engine *e, size_t shard, const char *table, const char *columns, const void *rows,
       size_t len, struct pmon_err *err)
{
	char sql[TARGET_SIZE / 2];
	char target[TARGET_SIZE];
	struct pmon_http_request request = {.target = target,
					    .body = rows,
					    .body_len = len,
					    .may_pack = e->may_pack,
					    .hosts = e->shards.hosts[shard],
					    .may_pass = pmon_ch_may_pass};
	int sql_len = snprintf(sql, sizeof(sql), "INSERT INTO %s.%s%s (%s) FORMAT RowBinary",
			       e->place.database, table,
			       e->place.cluster[0] != '\0' ? "_local" : "", columns);
	char *escaped = pmon_http_escape(e->http, (struct pmon_span){sql, (size_t)sql_len});

	if (escaped == NULL)
		return pmon_err_nomem(err);
	// A block that a replicated table had before is stored again: it may have been deleted since.
	(void)snprintf(target, sizeof(target), "/?%squery=%s",
		       e->place.is_replicated ? "insert_deduplicate=0&" : "", escaped);
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

// A text with its length in front, seven bits a byte.
static void
put_text(struct pmon_wr *w, struct pmon_span text)
{
	size_t left = text.len;

	for (; left >= 128; left >>= 7)
		pmon_wr_u8(w, (uint8_t)(left | 128));
	pmon_wr_u8(w, (uint8_t)left);
	pmon_wr_copy(w, text.ptr, text.len);
}

static void
put_str(struct pmon_wr *w, const char *text)
{
	put_text(w, (struct pmon_span){text, strlen(text)});
}

static void
put_series(struct pmon_wr *w, const struct pmon_series *series, const struct pmon_push_key *key,
	   const struct pmon_push_identity *identity)
{
	const struct pmon_path *path = &series->path;
	const struct pmon_counter_type *type = pmon_type_by_word(series->counter.type);

	pmon_ch_put_key(w, key->key);
	put_text(w, (struct pmon_span){(const char *)identity->text, identity->len});
	put_text(w, path->machine);
	put_text(w, path->object);
	put_text(w, path->parent);
	put_text(w, path->instance);
	pmon_wr_u8(w, path->instance.ptr != NULL);
	pmon_wr_i32(w, path->index);
	put_text(w, path->counter);
	put_text(w, series->name);
	pmon_wr_u32(w, series->counter.type);
	put_str(w, type != NULL ? type->name : "");
	put_str(w, type != NULL ? type->unit : "");
	pmon_wr_i64(w, series->counter.time_base);
	pmon_wr_i32(w, series->counter.default_scale);
	pmon_wr_u8(w, series->counter.size_bytes);
	pmon_wr_u32(w, key->duplicate);
}

// For questions that a shard which is away has no part in. Batches whose ledger is there are sent again,
// which does no harm, and series are asked for after their own shard has taken them.
static const char *
of_shards_that_answer(const struct ch_engine *e)
{
	return e->place.cluster[0] != '\0' ? " SETTINGS skip_unavailable_shards = 1" : "";
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
	pmon_text_str(&text, "SELECT toString(key) FROM ");
	pmon_ch_put_name(&e->place, "pmon_series", false, &text);
	pmon_text_str(&text, " WHERE key IN (");
	for (size_t i = e->n_sent; i < n; i++) {
		pmon_text_str(&text, i > e->n_sent ? ", " : "");
		pmon_ch_put_key_literal(&text, e->push.keys.list[i].key);
	}
	pmon_text_str(&text, ") GROUP BY key HAVING uniqExact(identity) > 1 LIMIT 1");
	pmon_text_str(&text, of_shards_that_answer(e));
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

// Do the series that were sent have keys of their own? Whoever sends the second of one key sees both, as
// rows of other identities do not replace each other; and it sees so before any value is sent.
static enum pmon_status
check_series(struct ch_engine *e, size_t n, struct pmon_err *err)
{
	struct pmon_push_bytes sql = {NULL, 0, 0};
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = put_question(e, n, &sql) ? PMON_OK : pmon_err_nomem(err);

	if (status == PMON_OK)
		status = pmon_ch_run(e, 0, (const char *)sql.list, &answer, err);
	if (status == PMON_OK && answer.len > 0)
		status = refuse_key(e, n, answer, err);
	pmon_push_free(&e->push, &sql);
	return status;
}

static enum pmon_status
insert_series(struct ch_engine *e, size_t shard, struct pmon_err *err)
{
	struct pmon_push_bytes *rows = &e->series[shard];
	enum pmon_status status = PMON_OK;

	if (rows->n == 0)
		return PMON_OK;
	if (e->shards.hosts[shard] == 0)
		status = pmon_ch_find_shard(e, shard, err);
	if (status == PMON_OK)
		status = insert(e, shard, "pmon_series", CH_SERIES_COLUMNS, rows->list, rows->n,
				err);
	return status;
}

// Send series up to number n.
static enum pmon_status
send_series_to(struct ch_engine *e, size_t n, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (e->n_sent == n)
		return PMON_OK;
	for (size_t shard = 0; status == PMON_OK && shard < e->shards.n; shard++)
		status = insert_series(e, shard, err);
	if (status == PMON_OK)
		status = check_series(e, n, err);
	if (status != PMON_OK)
		return status;
	for (size_t shard = 0; shard < e->shards.n; shard++)
		e->series[shard].n = 0;
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
	struct pmon_push_bytes *rows = &e->series[pmon_ch_shard_of(&e->shards, key->key)];
	struct pmon_wr w;

	if (!pmon_push_identity_put(&e->identity, e->push.allocator, series, key->duplicate) ||
	    !room(e, rows, e->identity.len + 2 * series->name.len + ROW_NUMBERS, &w))
		return false;
	put_series(&w, series, key, &e->identity);
	rows->n += pmon_wr_pos(&w);
	return true;
}

static enum pmon_status
add_series(struct pmon_push_sink *push, size_t i, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	enum pmon_status status = PMON_OK;

	if (push->options.check == PMON_PUSH_VERIFY)
		return PMON_OK; // nothing is sent
	if (e->series[pmon_ch_shard_of(&e->shards, push->keys.list[i].key)].n >= SERIES_BYTES ||
	    i - e->n_sent >= SERIES_MAX)
		status = send_series_to(e, i, err);
	if (status == PMON_OK && !add_row(e, i))
		status = pmon_err_nomem(err);
	return status;
}

// ---- The ledger -----------------------------------------------------------------------------

// Each shard has the ledger of its own rows, so what is lost with a shard is not taken for stored. The
// ledger of a shard that is away is empty; its batches are sent again, which does no harm.
static enum pmon_status
read_ledger(struct pmon_push_sink *push, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	char sql[256];
	struct pmon_span answer;
	enum pmon_status status = PMON_OK;

	pmon_hash128_print(push->log, e->log);
	(void)snprintf(
		sql, sizeof(sql),
		"SELECT batch, max(rows) FROM %s.pmon_push%s WHERE log = '%s' GROUP BY batch",
		e->place.database, e->place.cluster[0] != '\0' ? "_local" : "", e->log);
	for (size_t shard = 0; status == PMON_OK && shard < e->shards.n; shard++) {
		if (e->shards.hosts[shard] == 0)
			continue;
		status = pmon_ch_run(e, e->shards.hosts[shard], sql, &answer, err);
		if (status == PMON_OK)
			status = pmon_push_ledger_add_text(&push->ledger, answer, err);
	}
	return status;
}

static enum pmon_status
write_ledger(struct ch_engine *e, size_t shard, struct pmon_err *err)
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
	pmon_wr_u64(&w, e->batch.rows_of[shard]);
	pmon_wr_i64(&w, batch->first);
	pmon_wr_i64(&w, batch->last);
	row.n = pmon_wr_pos(&w);
	status = insert(e, shard, "pmon_push", CH_PUSH_COLUMNS, row.list, row.n, err);
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
	return pmon_ch_batch_add(&((struct ch_engine *)push)->batch, push->keys.schema, sample,
				 rows, err);
}

// The rows of a shard, and then that it has them.
static enum pmon_status
send_part(struct ch_engine *e, size_t shard, const uint8_t *rows, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (e->shards.hosts[shard] == 0)
		status = pmon_ch_find_shard(e, shard, err);
	if (status == PMON_OK)
		status = insert(e, shard, "pmon_raw", CH_RAW_COLUMNS, rows,
				e->batch.rows_of[shard] * CH_RAW_SIZE, err);
	return status == PMON_OK ? write_ledger(e, shard, err) : status;
}

static enum pmon_status
send_batch(struct pmon_push_sink *push, uint64_t *n_new, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	const uint8_t *rows;
	enum pmon_status status = PMON_OK;

	if (e->batch.n == 0)
		return PMON_OK;
	rows = pmon_ch_batch_sort(&e->batch, &push->keys, &e->shards);
	if (rows == NULL)
		return pmon_err_nomem(err);
	for (size_t shard = 0; status == PMON_OK && shard < e->shards.n; shard++) {
		if (e->batch.rows_of[shard] > 0)
			status = send_part(e, shard, rows, err);
		rows += e->batch.rows_of[shard] * CH_RAW_SIZE;
	}
	*n_new = e->batch.n; // a row that comes twice is one
	return status;
}

static void
clear_batch(struct pmon_push_sink *push)
{
	pmon_ch_batch_clear(&((struct ch_engine *)push)->batch);
}

// ---- The engine -----------------------------------------------------------------------------

static enum pmon_status
begin_log(struct pmon_push_sink *push, struct pmon_err *err)
{
	return pmon_ch_begin((struct ch_engine *)push, err);
}

static void
close_engine(struct pmon_push_sink *push)
{
	struct ch_engine *e = (struct ch_engine *)push;

	pmon_http_close(e->http);
	for (size_t shard = 0; shard < PMON_PUSH_HOSTS; shard++)
		pmon_push_free(push, &e->series[shard]);
	pmon_push_identity_free(&e->identity, push->allocator);
	pmon_ch_batch_free(&e->batch);
}

static enum pmon_status
open_engine(struct pmon_push_sink *push, const char *url, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	enum pmon_status status;

	pmon_ch_batch_init(&e->batch, push->allocator);
	status = pmon_ch_find_place(url, &push->options, &e->url, &e->place, err);
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
	.open = open_engine,
	.close = close_engine,
	.begin = begin_log,
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
	.tell = pmon_push_tell_backward,
	.rollup = pmon_ch_rollup,
	.describe = pmon_ch_describe,
	.query = &pmon_ch_query,
};
