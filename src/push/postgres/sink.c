// sink.c - raw values into PostgreSQL, in batches by COPY
// SPDX-License-Identifier: MIT
//
// A batch is one transaction: the rows, the counters and samples that they are of, and its line in the
// ledger are stored together or not at all. Whether a commit went through whose answer was lost, the
// ledger tells the next session. So nothing is stored twice, and what was sent once is never sent again.

#include "push/postgres/postgres.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf.h"
#include "push/ledger.h"

#define BATCH_ROWS   ((size_t)100000)
#define VALUE_SIZE   118 // of a row of COPY, at most
#define SAMPLE_SIZE  78
#define SERIES_SIZE  220               // and its texts
#define SERIES_BYTES ((size_t)8 << 20) // of series that a batch holds, about
#define SQL_SIZE     4096
#define SHOWN_ROWS   10 // of what is described

// Bytes that are being put together.
struct bytes {
	uint8_t *list;
	size_t n;
	size_t cap;
};

struct engine {
	struct pmon_push_sink push; // first
	const struct pmon_allocator *allocator;
	struct pg_connection *pg;
	struct pmon_push_keys keys;
	struct pmon_push_ledger ledger;
	const struct pmon_source_info *info;
	bool has_log;
	char log[PMON_PUSH_DIGEST_SIZE];
	int64_t stream; // number of the log there
	size_t batch_rows;
	uint64_t n_all; // samples so far
	// the batch
	struct bytes series;
	struct bytes samples;
	struct bytes values;
	size_t n_series; // of the schema that were put, in all
	size_t n_rows;
	struct pmon_push_digest digest;
	pmon_time first;
	pmon_time last;
	uint64_t n_new; // rows of it that were not there
};

// ---- Rows of COPY ---------------------------------------------------------------------------

static bool
room(struct engine *e, struct bytes *bytes, size_t more)
{
	size_t need;

	return pmon_add(bytes->n, more, &need) &&
	       pmon_mem_grow(e->allocator, &bytes->list, &bytes->cap, need, 1);
}

static void
put_big(struct bytes *b, uint64_t number, unsigned size)
{
	for (unsigned i = size; i-- > 0;)
		b->list[b->n++] = (uint8_t)(number >> (8 * i));
}

static void
put_i64(struct bytes *b, int64_t number)
{
	put_big(b, 8, 4);
	put_big(b, (uint64_t)number, 8);
}

static void
put_i32(struct bytes *b, int32_t number)
{
	put_big(b, 4, 4);
	put_big(b, (uint32_t)number, 4);
}

static void
put_null(struct bytes *b)
{
	put_big(b, UINT32_MAX, 4);
}

static void
put_time(struct bytes *b, pmon_time time)
{
	if (time == PMON_TIME_NONE)
		put_null(b);
	else
		put_i64(b, time);
}

// Text that the server takes: no NULs, and nothing that is not UTF-8. Room is for three bytes each.
static void
put_text(struct bytes *b, struct pmon_span text)
{
	size_t at = b->n;

	put_big(b, 0, 4);
	for (size_t pos = 0; pos < text.len;) {
		size_t begin = pos;
		uint32_t c = pmon_utf8_next(text, &pos);

		if (c == 0 || (c >= 0xD800 && c < 0xE000)) {
			memcpy(b->list + b->n, "\xEF\xBF\xBD", 3);
			b->n += 3;
		} else {
			memcpy(b->list + b->n, text.ptr + begin, pos - begin);
			b->n += pos - begin;
		}
	}
	for (unsigned i = 0; i < 4; i++)
		b->list[at + i] = (uint8_t)((b->n - at - 4) >> (24 - 8 * i));
}

static void
put_text_or_null(struct bytes *b, struct pmon_span text)
{
	if (text.ptr == NULL)
		put_null(b);
	else
		put_text(b, text);
}

// The columns of pmon_series, in their order.
static bool
put_series(struct engine *e, size_t i)
{
	const struct pmon_series *s = pmon_schema_at(e->keys.schema, i);
	const struct pmon_path *path = &s->path;
	struct bytes *b = &e->series;

	if (!room(e, b, SERIES_SIZE + 3 * (2 * s->name.len + 64)))
		return false;
	put_big(b, 18, 2);
	put_i64(b, (int64_t)e->keys.list[i].key);
	put_text(b, s->name);
	put_i64(b, s->counter.type);
	put_i64(b, s->counter.time_base);
	put_i32(b, s->counter.size_bytes);
	put_i64(b, (int64_t)s->order);
	put_i32(b, (int32_t)s->source);
	put_i32(b, s->wildcard);
	put_i32(b, s->formatted);
	if (s->formatted && s->type_known)
		put_i64(b, s->known_type);
	else
		put_null(b);
	put_i32(b, s->counter.default_scale);
	put_text(b, path->machine);
	put_text(b, path->object);
	put_text_or_null(b, path->parent);
	put_text_or_null(b, path->instance);
	put_i32(b, (int32_t)path->index);
	put_text(b, path->counter);
	put_i64(b, e->keys.list[i].twin);
	return true;
}

static int64_t
sample_id(const struct engine *e)
{
	return e->stream << 32 | (int64_t)(e->n_all & UINT32_MAX);
}

static bool
put_sample(struct engine *e, const struct pmon_sample *sample)
{
	struct bytes *b = &e->samples;

	if (!room(e, b, SAMPLE_SIZE))
		return false;
	put_big(b, 7, 2);
	put_i64(b, sample_id(e));
	put_i32(b, (int32_t)e->stream);
	put_i64(b, (int64_t)e->n_all + 1);
	put_i64(b, (int64_t)sample->ordinal);
	put_i64(b, sample->time);
	put_i32(b, sample->utc_offset_min);
	put_i32(b, sample->lead_in);
	return true;
}

static void
put_value(struct engine *e, const struct pmon_push_row *row)
{
	struct bytes *b = &e->values;

	put_big(b, 10, 2);
	put_i64(b, (int64_t)row->series);
	put_i64(b, row->time);
	put_i32(b, (int32_t)row->nth);
	put_i64(b, row->raw->multi);
	put_i64(b, row->raw->status);
	put_i64(b, row->raw->first);
	put_i64(b, row->raw->second);
	put_time(b, row->raw->time);
	put_i64(b, row->absent_after);
	put_i64(b, sample_id(e));
}

// ---- Sessions -------------------------------------------------------------------------------

static enum pmon_status
run(struct engine *e, const char *sql, const char **answer, bool *again, struct pmon_err *err)
{
	return pmon_pg_run(e->pg, sql, answer, again, err);
}

// Make what is missing. Who may not make anything uses what is there.
static enum pmon_status
make_tables(struct engine *e, bool *again, struct pmon_err *err)
{
	struct pmon_text sql;
	const char *answer;
	char *buf;
	enum pmon_status status = run(e,
				      "SELECT to_regclass('pmon_push') IS NOT NULL AND "
				      "to_regclass('counterdata') IS NOT NULL",
				      &answer, again, err);

	if (status != PMON_OK || strcmp(answer, "t") == 0)
		return status;
	buf = pmon_mem_alloc(e->allocator, PG_SQL_SIZE);
	if (buf == NULL)
		return pmon_err_nomem(err);
	status = run(e, "BEGIN", NULL, again, err);
	for (size_t i = 0; status == PMON_OK; i++) {
		sql = pmon_text_init(buf, PG_SQL_SIZE);
		if (!pmon_pg_statement(i, &sql))
			break;
		status = run(e, buf, NULL, again, err);
	}
	if (status == PMON_OK)
		status = run(e, "COMMIT", NULL, again, err);
	pmon_mem_free(e->allocator, buf, PG_SQL_SIZE);
	return status;
}

// Where COPY puts the rows of a batch.
static const char temporary[] =
	"SET synchronous_commit = on;"
	"CREATE TEMPORARY TABLE pmon_in_series (LIKE pmon_series) ON COMMIT DELETE ROWS;"
	"CREATE TEMPORARY TABLE pmon_in_sample (LIKE pmon_sample) ON COMMIT DELETE ROWS;"
	"CREATE TEMPORARY TABLE pmon_in_value (LIKE pmon_value) ON COMMIT DELETE ROWS";

// The number that the log has there, which stays the same.
static enum pmon_status
find_log(struct engine *e, bool *again, struct pmon_err *err)
{
	const struct pmon_source_info *info = e->info;
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	const char *const texts[] = {e->log,       e->log,        info->machine, info->format,
				     info->writer, info->machine, info->zone};
	const pmon_time times[] = {info->log_start, info->log_end};
	const char *answer;
	long long stream = 0;
	enum pmon_status status;

	pmon_text_str(&sql, "INSERT INTO pmon_log (digest, guid, name, format, writer, machine, "
			    "zone, utc_offset_min, log_start_100ns, log_end_100ns) VALUES (");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		pmon_pg_put_quoted(&sql, texts[i]);
		pmon_text_str(&sql, ", ");
	}
	pmon_text_i64(&sql, info->utc_offset_min);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		pmon_text_str(&sql, ", ");
		if (times[i] != PMON_TIME_NONE)
			pmon_text_i64(&sql, times[i]);
		else
			pmon_text_str(&sql, "NULL");
	}
	pmon_text_str(&sql, ") ON CONFLICT (digest) DO UPDATE SET digest = excluded.digest "
			    "RETURNING stream");
	if (sql.len >= sizeof(buf))
		return pmon_err_set(err, PMON_E_LIMIT, 0, "the log's own words are too long");
	status = run(e, buf, &answer, again, err);
	if (status != PMON_OK)
		return status;
	if (sscanf(answer, "%lld", &stream) != 1 || (e->has_log && stream != e->stream))
		return pmon_err_set(err, PMON_E_STATE, 0,
				    "the database is not the one that it was");
	e->stream = stream;
	return PMON_OK;
}

// A session that is ready, once the log is known with the number that it has there.
static enum pmon_status
try_session(struct engine *e, bool *again, struct pmon_err *err)
{
	bool is_new;
	enum pmon_status status = pmon_pg_open(e->pg, &is_new, again, err);

	if (status == PMON_OK && is_new)
		status = make_tables(e, again, err);
	if (status == PMON_OK && is_new)
		status = run(e, temporary, NULL, again, err);
	if (status == PMON_OK && e->log[0] != '\0' && (is_new || !e->has_log))
		status = find_log(e, again, err);
	return status;
}

// ---- Ledger ---------------------------------------------------------------------------------

static enum pmon_status
try_ledger(struct engine *e, bool *again, struct pmon_err *err)
{
	char sql[128];
	const char *answer;
	enum pmon_status status = try_session(e, again, err);

	(void)snprintf(sql, sizeof(sql),
		       "SELECT string_agg(batch, E'\\n') FROM pmon_push WHERE stream = %lld",
		       (long long)e->stream);
	if (status == PMON_OK)
		status = run(e, sql, &answer, again, err);
	if (status == PMON_OK)
		status = pmon_push_ledger_add_text(&e->ledger,
						   (struct pmon_span){answer, strlen(answer)}, err);
	e->has_log = status == PMON_OK;
	return status;
}

// ---- Batches --------------------------------------------------------------------------------

// Of two values of one counter at one time the one that tells of an absence stays, and then the
// smaller one, whichever came first.
#define IN "-i.absent_after, i.first, i.second, i.multi, i.status, coalesce(i.time_100ns, 0)"
#define NEW                                                                                        \
	"-excluded.absent_after, excluded.first, excluded.second, excluded.multi, "                \
	"excluded.status, coalesce(excluded.time_100ns, 0)"
#define OLD "-v.absent_after, v.first, v.second, v.multi, v.status, coalesce(v.time_100ns, 0)"

static const char insert[] =
	"INSERT INTO pmon_series SELECT DISTINCT ON (id) * FROM pmon_in_series ORDER BY id\n"
	" ON CONFLICT DO NOTHING;\n"
	"INSERT INTO pmon_sample SELECT * FROM pmon_in_sample ORDER BY id ON CONFLICT DO NOTHING;\n"
	"INSERT INTO pmon_value AS v SELECT DISTINCT ON (series, sample_100ns, nth) *\n"
	" FROM pmon_in_value AS i ORDER BY series, sample_100ns, nth, " IN "\n"
	" ON CONFLICT (series, sample_100ns, nth) DO UPDATE SET multi = excluded.multi,\n"
	"  status = excluded.status, first = excluded.first, second = excluded.second,\n"
	"  time_100ns = excluded.time_100ns, absent_after = excluded.absent_after\n"
	" WHERE (" NEW ") < (" OLD ")";

static enum pmon_status
copy(struct engine *e, const char *table, const struct bytes *rows, bool *again,
     struct pmon_err *err)
{
	char sql[64];

	if (rows->n == 0)
		return PMON_OK;
	(void)snprintf(sql, sizeof(sql), "COPY pmon_in_%s FROM STDIN BINARY", table);
	return pmon_pg_copy(e->pg, sql, rows->list, rows->n, again, err);
}

// The line of the batch in the ledger. *is_stored: it is there, from a commit whose answer was lost.
static enum pmon_status
write_ledger(struct engine *e, bool *is_stored, bool *again, struct pmon_err *err)
{
	char digest[PMON_PUSH_DIGEST_SIZE];
	char sql[512];
	const char *answer = "1";
	enum pmon_status status = PMON_OK;

	pmon_push_digest_print(&e->digest, digest);
	(void)snprintf(sql, sizeof(sql),
		       "BEGIN; INSERT INTO pmon_push (stream, batch, rows, time_from, time_to) "
		       "VALUES (%lld, '%s', %zu, %lld, %lld) ON CONFLICT DO NOTHING",
		       (long long)e->stream, digest, e->n_rows, (long long)e->first,
		       (long long)e->last);
	if (e->n_rows > 0)
		status = run(e, sql, &answer, again, err);
	else
		status = run(e, "BEGIN", NULL, again, err);
	*is_stored = status == PMON_OK && strcmp(answer, "0") == 0;
	return status;
}

// The whole batch in one transaction.
static enum pmon_status
try_batch(struct engine *e, bool *again, struct pmon_err *err)
{
	const char *answer;
	bool is_stored;
	long long n_new = 0;
	enum pmon_status status = try_session(e, again, err);

	if (status == PMON_OK)
		status = write_ledger(e, &is_stored, again, err);
	if (status == PMON_OK && is_stored)
		return run(e, "ROLLBACK", NULL, again, err);
	if (status == PMON_OK)
		status = copy(e, "series", &e->series, again, err);
	if (status == PMON_OK)
		status = copy(e, "sample", &e->samples, again, err);
	if (status == PMON_OK)
		status = copy(e, "value", &e->values, again, err);
	if (status == PMON_OK)
		status = run(e, insert, &answer, again, err);
	if (status != PMON_OK)
		return status;
	(void)sscanf(answer, "%lld", &n_new);
	e->n_new = (uint64_t)n_new;
	return run(e, "COMMIT", NULL, again, err);
}

// Until it goes well, or there is no hope.
static enum pmon_status
insist(struct engine *e, enum pmon_status (*attempt)(struct engine *, bool *, struct pmon_err *),
       struct pmon_err *err)
{
	struct pmon_push_retry retry = {0};
	struct pmon_err own;
	enum pmon_status status;
	bool again;

	err = err != NULL ? err : &own;
	while ((status = attempt(e, &again, err)) != PMON_OK && again) {
		e->push.counts.retries++;
		if (!pmon_push_retry_wait(&retry, &e->push.options, err))
			return err->status;
	}
	return status;
}

static void
tell_progress(struct engine *e)
{
	const struct pmon_push_options *options = &e->push.options;

	e->push.counts.bytes = pmon_pg_bytes(e->pg);
	if (options->progress != NULL)
		options->progress(options->progress_ctx, &e->push.counts);
}

// Series go with the first batch that is sent after they came.
static enum pmon_status
send_rows(struct engine *e, struct pmon_err *err)
{
	enum pmon_status status;

	e->n_new = e->n_rows;
	status = insist(e, try_batch, err);
	if (status != PMON_OK)
		return status;
	e->push.counts.sent += e->n_new;
	e->push.counts.stored += e->n_rows - e->n_new;
	e->series.n = 0;
	return PMON_OK;
}

// The batch is done: it is sent, unless it is there.
static enum pmon_status
send_batch(struct engine *e, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (e->n_rows > 0 && pmon_push_ledger_has(&e->ledger, &e->digest))
		e->push.counts.stored += e->n_rows;
	else if (e->n_rows > 0 || e->series.n > 0)
		status = send_rows(e, err);
	// What could not be sent is left, to be sent again or to be told.
	if (status != PMON_OK)
		return status;
	e->samples.n = e->values.n = e->n_rows = 0;
	e->digest = (struct pmon_push_digest){0};
	tell_progress(e);
	return PMON_OK;
}

static enum pmon_status
add_new_series(struct engine *e, struct pmon_err *err)
{
	enum pmon_status status = pmon_push_keys_grow(&e->keys, err);

	for (; status == PMON_OK && e->n_series < e->keys.n; e->n_series++)
		if (!put_series(e, e->n_series))
			status = pmon_err_nomem(err);
	e->push.counts.series = e->n_series;
	return status;
}

// A batch ends before a sample that would make it too large. So it ends at the same sample whenever the
// log is pushed.
static bool
is_full(const struct engine *e, const struct pmon_sample *sample)
{
	return e->n_rows > 0 && e->n_rows + sample->n > e->batch_rows;
}

static enum pmon_status
take_rows(struct engine *e, const struct pmon_sample *sample, struct pmon_err *err)
{
	struct pmon_push_row row;
	size_t size;

	if (!pmon_mul(sample->n, VALUE_SIZE, &size) || !room(e, &e->values, size + 1) ||
	    !put_sample(e, sample))
		return pmon_err_nomem(err);
	if (e->n_rows == 0)
		e->first = sample->time;
	e->push.counts.backward += e->n_all > 0 && sample->time < e->last;
	e->last = sample->time;
	for (size_t i = 0; i < sample->n; i++) {
		pmon_push_keys_row(&e->keys, sample, i, &row);
		pmon_push_digest_row(&e->digest, &row);
		put_value(e, &row);
	}
	e->n_all++;
	e->n_rows += sample->n;
	e->push.counts.samples++;
	e->push.counts.rows += sample->n;
	return PMON_OK;
}

// ---- The sink -------------------------------------------------------------------------------

static enum pmon_status
begin_log(struct engine *e, const struct pmon_sample *sample, struct pmon_err *err)
{
	struct pmon_push_digest log = pmon_push_log_digest(&e->keys, sample);

	pmon_push_digest_print(&log, e->log);
	return insist(e, try_ledger, err);
}

static enum pmon_status
engine_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	   const struct pmon_value *values, struct pmon_err *err)
{
	struct engine *e = (struct engine *)sink;
	enum pmon_status status = add_new_series(e, err);

	(void)values;
	if (status == PMON_OK && !e->has_log)
		status = begin_log(e, sample, err);
	if (status == PMON_OK && (is_full(e, sample) || e->series.n > SERIES_BYTES))
		status = send_batch(e, err);
	return status == PMON_OK ? take_rows(e, sample, err) : status;
}

static enum pmon_status
engine_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	(void)sync; // a commit has reached the disk
	return send_batch((struct engine *)sink, err);
}

static enum pmon_status
engine_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct engine *e = (struct engine *)sink;
	enum pmon_status status = add_new_series(e, err);

	if (status == PMON_OK)
		status = send_batch(e, err);
	pmon_push_tell_oddities(&e->push);
	return status;
}

static enum pmon_status
engine_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	     const struct pmon_source_info *info, struct pmon_err *err)
{
	struct engine *e = (struct engine *)sink;

	pmon_push_keys_init(&e->keys, schema, e->allocator);
	e->info = info;
	return insist(e, try_session, err);
}

static void
engine_close(struct pmon_sink *sink)
{
	struct engine *e = (struct engine *)sink;

	pmon_pg_free(e->pg);
	pmon_push_keys_free(&e->keys);
	pmon_push_ledger_free(&e->ledger);
	pmon_mem_free(e->allocator, e->series.list, e->series.cap);
	pmon_mem_free(e->allocator, e->samples.list, e->samples.cap);
	pmon_mem_free(e->allocator, e->values.list, e->values.cap);
	pmon_mem_free(e->allocator, e, sizeof(*e));
}

static const struct pmon_sink_ops ops = {
	.begin = engine_begin,
	.add = engine_add,
	.finish = engine_finish,
	.close = engine_close,
	.flush = engine_flush,
};

static enum pmon_status
engine_open(const char *url, const struct pmon_push_options *options, struct pmon_sink **sink,
	    struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct engine *e;
	enum pmon_status status;

	if (options->cluster != NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0, "PostgreSQL has no clusters");
	if (options->token != NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "PostgreSQL takes a user and a password, and no token");
	e = pmon_mem_alloc0(allocator, sizeof(*e));
	if (e == NULL)
		return pmon_err_nomem(err);
	e->push.sink.ops = &ops;
	e->push.options = *options;
	e->allocator = allocator;
	e->batch_rows = options->batch_rows != 0 ? options->batch_rows : BATCH_ROWS;
	pmon_push_ledger_init(&e->ledger, allocator);
	status = pmon_pg_new(url, &e->push.options, &e->pg, err);
	if (status != PMON_OK) {
		engine_close(&e->push.sink);
		return status;
	}
	*sink = &e->push.sink;
	return PMON_OK;
}

// ---- Describing -----------------------------------------------------------------------------

static void
put_shown_row(struct pmon_text *text, const struct pmon_push_row *row)
{
	const int64_t cells[] = {(int64_t)row->series, row->time,        row->nth,
				 row->raw->multi,      row->raw->status, row->raw->first,
				 row->raw->second,     row->raw->time,   row->absent_after};

	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		if (cells[i] == PMON_TIME_NONE && i == 7)
			pmon_text_str(text, "\\N");
		else
			pmon_text_i64(text, cells[i]);
		pmon_text_char(text, i + 1 < sizeof(cells) / sizeof(cells[0]) ? '\t' : '\n');
	}
}

// How the first rows would stand in the table.
static enum pmon_status
describe_rows(const struct pmon_schema *schema, const struct pmon_sample *sample,
	      const struct pmon_allocator *allocator, struct pmon_text *text, struct pmon_err *err)
{
	struct pmon_push_keys keys;
	struct pmon_push_row row;
	enum pmon_status status;

	pmon_push_keys_init(&keys, schema, allocator);
	status = pmon_push_keys_grow(&keys, err);
	pmon_text_str(text, "-- series, sample_100ns, nth, multi, status, first, second, "
			    "time_100ns, absent_after\nCOPY pmon_value FROM STDIN;\n");
	for (size_t i = 0; status == PMON_OK && i < sample->n && i < SHOWN_ROWS; i++) {
		pmon_push_keys_row(&keys, sample, i, &row);
		put_shown_row(text, &row);
	}
	pmon_text_str(text, "\\.\n");
	pmon_push_keys_free(&keys);
	return status;
}

static enum pmon_status
describe(const char *url, const struct pmon_push_options *options, const struct pmon_schema *schema,
	 const struct pmon_sample *sample, pmon_push_text_fn out, void *ctx, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct pmon_sink *sink;
	struct pmon_text text;
	enum pmon_status status = engine_open(url, options, &sink, err);
	char *buf;

	if (status != PMON_OK)
		return status;
	engine_close(sink);
	buf = pmon_mem_alloc(allocator, PG_SQL_SIZE);
	if (buf == NULL)
		return pmon_err_nomem(err);
	for (size_t i = 0;; i++) {
		text = pmon_text_init(buf, PG_SQL_SIZE - 3);
		if (!pmon_pg_statement(i, &text))
			break;
		pmon_text_str(&text, ";\n\n");
		out(ctx, (struct pmon_span){buf, strlen(buf)});
	}
	text = pmon_text_init(buf, PG_SQL_SIZE);
	if (sample != NULL)
		status = describe_rows(schema, sample, allocator, &text, err);
	if (sample != NULL && status == PMON_OK)
		out(ctx, (struct pmon_span){buf, strlen(buf)});
	pmon_mem_free(allocator, buf, PG_SQL_SIZE);
	return status;
}

static const char *const schemes[] = {"postgresql", "postgres", NULL};

const struct pmon_push_engine pmon_push_postgres = {
	.schemes = schemes, .open = engine_open, .describe = describe};
