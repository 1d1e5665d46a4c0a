// sink.c - raw values into PostgreSQL, in batches by COPY
// SPDX-License-Identifier: MIT
//
// A batch is one transaction: the rows, the counters and samples that they are of, and its line in the
// ledger are stored together or not at all. If the answer to a commit was lost, the next session
// learns from the ledger whether it succeeded. So nothing is stored twice, and what was sent once
// is never sent again.

#include "push/postgres/postgres.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/sql.h"

#define BATCH_ROWS   ((size_t)100000)
#define SERIES_BYTES ((size_t)8 << 20) // of series that a batch holds, about
#define SQL_SIZE     4096

// ---- Sessions -------------------------------------------------------------------------------

static enum pmon_status
run(struct pg_engine *e, const char *sql, const char **answer, bool *again, struct pmon_err *err)
{
	return pmon_pg_run(e->pg, sql, answer, again, err);
}

// Is all there, and as it is now? What a newer pmon made is used as it is, unless it has other keys.
static enum pmon_status
look_for_tables(struct pg_engine *e, bool *are_there, bool *again, struct pmon_err *err)
{
	const char *answer;
	int keys = 0;
	int views = 0;
	enum pmon_status status =
		run(e, "SELECT to_regclass('pmon_version') IS NOT NULL", &answer, again, err);

	*are_there = false;
	if (status != PMON_OK || strcmp(answer, "t") != 0)
		return status;
	status = run(e, "SELECT keys || ' ' || views FROM pmon_version", &answer, again, err);
	if (status != PMON_OK || sscanf(answer, "%d %d", &keys, &views) != 2)
		return status;
	if (keys > PMON_PUSH_KEYS_VERSION)
		return pmon_err_set(
			err, PMON_E_UNSUPPORTED, 0,
			"the database was made by a newer pmon: its series have keys of "
			"version %d",
			keys);
	*are_there = keys == PMON_PUSH_KEYS_VERSION && views >= PG_VIEWS_VERSION;
	return PMON_OK;
}

// In one transaction: of several that come at the same time one makes them.
static enum pmon_status
make_all(struct pg_engine *e, char *buf, bool *again, struct pmon_err *err)
{
	enum pmon_status status = run(e, "BEGIN", NULL, again, err);

	if (status == PMON_OK)
		status = run(e, pmon_pg_lock, NULL, again, err);
	if (status == PMON_OK)
		status = pmon_pg_migrate(e->pg, &e->push, again, err);
	for (size_t i = 0; status == PMON_OK; i++) {
		struct pmon_text sql = pmon_text_init(buf, PG_SQL_SIZE);

		if (i == pmon_pg_count_tables())
			status = pmon_pg_move_values(e->pg, &e->push, again, err);
		if (status != PMON_OK || !pmon_pg_statement(i, &sql))
			break;
		status = run(e, buf, NULL, again, err);
	}
	return status == PMON_OK ? run(e, "COMMIT", NULL, again, err) : status;
}

// Make what is missing. Who may not make anything uses what is there.
static enum pmon_status
make_tables(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	bool are_there;
	char *buf;
	enum pmon_status status = look_for_tables(e, &are_there, again, err);

	if (status != PMON_OK || are_there)
		return status;
	if (e->push.options.check == PMON_PUSH_VERIFY)
		return pmon_err_set(
			err, PMON_E_UNSUPPORTED, 0,
			"the database does not have all tables; --again makes them, and "
			"sends what is missing");
	buf = pmon_mem_alloc(e->push.allocator, PG_SQL_SIZE);
	if (buf == NULL)
		return pmon_err_nomem(err);
	status = make_all(e, buf, again, err);
	pmon_mem_free(e->push.allocator, buf, PG_SQL_SIZE);
	return status;
}

// Where COPY puts the rows of a batch, and the ids of the series by their numbers in the log.
static const char temporary[] =
	"SET synchronous_commit = on; SET jit = off;"
	// The marks of rows need what other sessions have stored since this one began.
	"SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;"
	"CREATE TEMPORARY TABLE pmon_in_series ON COMMIT DELETE ROWS AS\n"
	" SELECT 0 AS n, " PG_SERIES_COLUMNS " FROM pmon_series WITH NO DATA;"
	"CREATE TEMPORARY TABLE pmon_in_sample (LIKE pmon_sample) ON COMMIT DELETE ROWS;"
	"CREATE TEMPORARY TABLE pmon_in_value (series bigint, sample_100ns bigint, nth integer,\n"
	" multi bigint, status bigint, first bigint, second bigint, time_100ns bigint,\n"
	" absent_after bigint, sample bigint) ON COMMIT DELETE ROWS;"
	"CREATE TEMPORARY TABLE pmon_in_id (n integer PRIMARY KEY, id bigint NOT NULL)";

// A session knows no ids: all series of the log so far are to be sent.
static enum pmon_status
begin_session(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	enum pmon_status status = run(e, temporary, NULL, again, err);

	e->batch.series.n = 0;
	for (size_t i = 0; status == PMON_OK && i < e->push.counts.series; i++)
		if (!pmon_pg_batch_add_series(&e->push, &e->batch, i))
			status = pmon_err_nomem(err);
	return status;
}

// Have the log there.
static void
put_log(struct pmon_text *sql, const char *digest, const struct pmon_source_info *info)
{
	const char *const texts[] = {digest,       digest,        info->machine, info->format,
				     info->writer, info->machine, info->zone};
	const pmon_time times[] = {info->log_start, info->log_end};

	pmon_text_str(sql, "INSERT INTO pmon_log (digest, guid, name, format, writer, machine, "
			   "zone, utc_offset_min, log_start_100ns, log_end_100ns) VALUES (");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		pmon_pg_put_quoted(sql, texts[i]);
		pmon_text_str(sql, ", ");
	}
	pmon_text_i64(sql, info->utc_offset_min);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		pmon_text_str(sql, ", ");
		if (times[i] != PMON_TIME_NONE)
			pmon_text_i64(sql, times[i]);
		else
			pmon_text_str(sql, "NULL");
	}
	pmon_text_str(sql, ") ON CONFLICT (digest) DO UPDATE SET digest = excluded.digest "
			   "RETURNING stream");
}

// Nothing is made, so the log may have no number.
static enum pmon_status
look_for_log(struct pg_engine *e, const char *digest, bool *again, struct pmon_err *err)
{
	char sql[128];
	const char *answer = "";
	long long stream = 0;
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql), "SELECT stream FROM pmon_log WHERE digest = '%s'", digest);
	status = run(e, sql, &answer, again, err);
	if (status == PMON_OK)
		(void)sscanf(answer, "%lld", &stream);
	e->stream = stream;
	return status;
}

// The number that the log has there, which stays the same.
static enum pmon_status
find_log(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	char digest[PMON_HASH128_SIZE];
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	const char *answer;
	long long stream = 0;
	enum pmon_status status;

	pmon_hash128_print(e->push.log, digest);
	if (e->push.options.check == PMON_PUSH_VERIFY)
		return look_for_log(e, digest, again, err);
	put_log(&sql, digest, e->push.info);
	if (sql.len >= sizeof(buf))
		return pmon_err_set(err, PMON_E_LIMIT, 0, "the description of the log is too long");
	status = run(e, buf, &answer, again, err);
	if (status != PMON_OK)
		return status;
	if (sscanf(answer, "%lld", &stream) != 1 || (e->stream != 0 && stream != e->stream))
		return pmon_err_set(err, PMON_E_STATE, 0,
				    "the database changed since the last push (it was restored or "
				    "replaced)");
	e->stream = stream;
	return PMON_OK;
}

// A session that is ready, and is with the database that has the log, once it is known.
enum pmon_status
pmon_pg_try_session(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	bool is_new;
	enum pmon_status status = pmon_pg_open(e->pg, &is_new, again, err);

	if (status == PMON_OK && is_new && e->rollup != NULL)
		status = pmon_pg_rollup_refuse(e, again, err);
	if (status == PMON_OK && is_new)
		status = make_tables(e, again, err);
	if (status == PMON_OK && is_new)
		status = begin_session(e, again, err);
	if (status == PMON_OK && is_new)
		status = pmon_pg_read_retention(e->pg, &e->push, &e->days, again, err);
	if (status == PMON_OK && is_new && e->stream != 0)
		status = find_log(e, again, err);
	return status == PMON_OK ? pmon_pg_keep(e->pg, &e->push, e->days, again, err) : status;
}

// Until it goes well, or there is no hope.
enum pmon_status
pmon_pg_insist(struct pg_engine *e,
	       enum pmon_status (*attempt)(struct pg_engine *, bool *, struct pmon_err *),
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

// ---- Machines -------------------------------------------------------------------------------

static enum pmon_status
try_statement(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	return status == PMON_OK ? run(e, e->asked, &e->answer, again, err) : status;
}

static enum pmon_status
run_statement(struct pg_engine *e, const char *sql, const struct pmon_text *text,
	      struct pmon_err *err)
{
	if (text->len >= SQL_SIZE)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "the name of the machine is too long");
	e->asked = sql;
	return pmon_pg_insist(e, try_statement, err);
}

static enum pmon_status
read_machine(struct pmon_push_sink *push, const char *name, struct pmon_push_machines *out,
	     struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	char sql[SQL_SIZE];
	struct pmon_text text = pmon_text_init(sql, sizeof(sql));
	enum pmon_status status;

	pmon_pg_put_machine_query(&text, name);
	status = run_statement(e, sql, &text, err);
	if (status == PMON_OK)
		pmon_push_machines_add_text(out, (struct pmon_span){e->answer, strlen(e->answer)});
	return status;
}

static enum pmon_status
write_machine(struct pmon_push_sink *push, const char *name, const char *id, bool is_accepted,
	      struct pmon_err *err)
{
	char sql[SQL_SIZE];
	struct pmon_text text = pmon_text_init(sql, sizeof(sql));

	pmon_pg_put_machine_insert(&text, name, id, is_accepted);
	return run_statement((struct pg_engine *)push, sql, &text, err);
}

// ---- Ledger ---------------------------------------------------------------------------------

static enum pmon_status
try_ledger(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	char sql[160];
	const char *answer;
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	if (status == PMON_OK && e->stream == 0)
		status = find_log(e, again, err);
	(void)snprintf(sql, sizeof(sql),
		       "SELECT string_agg(batch || E'\\t' || rows, E'\\n') FROM pmon_push WHERE "
		       "stream = %lld",
		       (long long)e->stream);
	if (status == PMON_OK)
		status = run(e, sql, &answer, again, err);
	if (status == PMON_OK)
		status = pmon_push_ledger_add_text(&e->push.ledger,
						   (struct pmon_span){answer, strlen(answer)}, err);
	return status;
}

static enum pmon_status
read_ledger(struct pmon_push_sink *push, struct pmon_err *err)
{
	return pmon_pg_insist((struct pg_engine *)push, try_ledger, err);
}

// ---- Batches --------------------------------------------------------------------------------

static enum pmon_status
copy(struct pg_engine *e, const char *table, const struct pmon_push_bytes *rows, bool *again,
     struct pmon_err *err)
{
	char sql[64];

	if (rows->n == 0)
		return PMON_OK;
	(void)snprintf(sql, sizeof(sql), "COPY pmon_in_%s FROM STDIN BINARY", table);
	return pmon_pg_copy(e->pg, sql, rows->list, rows->n, again, err);
}

// The series that the session does not know yet get ids. What is stored under their keys has to be of the same
// counters.
static enum pmon_status
store_series(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	const struct pmon_push_keys *keys = &e->push.keys;
	const char *answer = "";
	int n;
	enum pmon_status status = copy(e, "series", &e->batch.series, again, err);

	if (status == PMON_OK && e->batch.series.n > 0)
		status = run(e, pmon_pg_insert_series, &answer, again, err);
	if (status != PMON_OK || sscanf(answer, "%d", &n) != 1)
		return status;
	status = run(e, "ROLLBACK", NULL, again, err);
	if (status != PMON_OK)
		return status;
	return pmon_push_keys_collide(&keys->list[n].key,
				      pmon_schema_at(keys->schema, (size_t)n)->name,
				      PMON_PUSH_STORED, err);
}

// The line of the batch in the ledger. *is_stored: it is there, from a commit whose answer was lost.
static enum pmon_status
write_ledger(struct pg_engine *e, bool *is_stored, bool *again, struct pmon_err *err)
{
	const struct pmon_push_batch *batch = &e->push.batch;
	char digest[PMON_HASH128_SIZE];
	char sql[512];
	const char *answer = "1";
	enum pmon_status status = PMON_OK;

	pmon_hash128_print(batch->digest, digest);
	(void)snprintf(
		sql, sizeof(sql),
		"BEGIN; INSERT INTO pmon_push (stream, batch, rows, time_from, time_to) "
		"VALUES (%lld, '%s', %zu, %lld, %lld) ON CONFLICT (stream, batch) DO UPDATE "
		"SET rows = excluded.rows, rollup = NULL WHERE pmon_push.rows < excluded.rows",
		(long long)e->stream, digest, batch->n - batch->n_expired, (long long)batch->first,
		(long long)batch->last);
	if (batch->n > 0)
		status = run(e, sql, &answer, again, err);
	else
		status = run(e, "BEGIN", NULL, again, err);
	*is_stored = status == PMON_OK && strcmp(answer, "0") == 0;
	return status;
}

#define DAYS_AT_ONCE 64

// The partitions of its days, in transactions of their own, as others wait for those who make one.
static enum pmon_status
make_days(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	const struct pg_batch *batch = &e->batch;
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < batch->n_days; i += DAYS_AT_ONCE) {
		char buf[SQL_SIZE];
		struct pmon_text sql = pmon_text_init(buf, sizeof(buf));

		pmon_text_str(&sql, "SELECT pmon_make_day(day) FROM unnest(ARRAY[0");
		for (size_t k = i; k < batch->n_days && k < i + DAYS_AT_ONCE; k++) {
			pmon_text_str(&sql, ", ");
			pmon_text_i64(&sql, batch->days[k]);
		}
		pmon_text_str(&sql, "]) AS day WHERE day > 0");
		status = run(e, buf, NULL, again, err);
	}
	return status;
}

// A batch of the ledger that was sent again has raw values now that a rollup may not know.
static enum pmon_status
forget_rollup(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	char digest[PMON_HASH128_SIZE];
	char sql[160];

	pmon_hash128_print(e->push.batch.digest, digest);
	(void)snprintf(sql, sizeof(sql),
		       "UPDATE pmon_push SET rollup = NULL WHERE stream = %lld AND batch = '%s'",
		       (long long)e->stream, digest);
	return run(e, sql, NULL, again, err);
}

// Count the rows that a statement has stored.
static enum pmon_status
store(struct pg_engine *e, const char *sql, bool *again, struct pmon_err *err)
{
	const char *answer = "";
	long long n = 0;
	enum pmon_status status = run(e, sql, &answer, again, err);

	if (status == PMON_OK)
		(void)sscanf(answer, "%lld", &n);
	e->n_new += (uint64_t)n;
	return status;
}

// The whole batch in one transaction.
static enum pmon_status
try_batch(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	bool is_stored;
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	if (status == PMON_OK)
		status = make_days(e, again, err);
	if (status == PMON_OK)
		status = write_ledger(e, &is_stored, again, err);
	if (status == PMON_OK && is_stored && e->push.options.check != PMON_PUSH_AGAIN)
		return run(e, "ROLLBACK", NULL, again, err);
	if (status == PMON_OK)
		status = store_series(e, again, err);
	if (status == PMON_OK)
		status = copy(e, "sample", &e->batch.samples, again, err);
	if (status == PMON_OK)
		status = copy(e, "value", &e->batch.values, again, err);
	e->n_new = 0;
	if (status == PMON_OK)
		status = store(e, pmon_pg_insert_owners, again, err);
	if (status == PMON_OK)
		status = store(e, pmon_pg_insert_values, again, err);
	if (status == PMON_OK && is_stored)
		status = forget_rollup(e, again, err);
	if (status == PMON_OK)
		status = run(e, "COMMIT", NULL, again, err);
	if (status == PMON_OK)
		e->batch.series.n = 0;
	return status;
}

static enum pmon_status
send_batch(struct pmon_push_sink *push, uint64_t *n_new, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	enum pmon_status status;

	if (push->batch.n == 0 && e->batch.series.n == 0)
		return PMON_OK;
	e->n_new = push->batch.n - push->batch.n_expired;
	status = pmon_pg_insist(e, try_batch, err);
	*n_new = e->n_new;
	return status;
}

// In a transaction that is rolled back: the series that were copied are still to be sent.
static enum pmon_status
try_missing(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	pmon_pg_put_count_missing(&sql, &e->batch);
	e->n_new = 0;
	if (status == PMON_OK)
		status = run(e, "BEGIN", NULL, again, err);
	if (status == PMON_OK)
		status = copy(e, "series", &e->batch.series, again, err);
	if (status == PMON_OK)
		status = copy(e, "value", &e->batch.values, again, err);
	if (status == PMON_OK)
		status = store(e, buf, again, err);
	return status == PMON_OK ? run(e, "ROLLBACK", NULL, again, err) : status;
}

static enum pmon_status
count_missing(struct pmon_push_sink *push, uint64_t *n, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	enum pmon_status status = pmon_pg_insist(e, try_missing, err);

	*n = e->n_new;
	return status;
}

// Series go with the first batch that is sent after they came.
static void
clear_batch(struct pmon_push_sink *push)
{
	struct pg_engine *e = (struct pg_engine *)push;

	e->batch.samples.n = e->batch.values.n = 0;
	e->batch.n_days = 0;
	e->series_bytes = 0;
}

static enum pmon_status
add_series(struct pmon_push_sink *push, size_t i, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	size_t before = e->batch.series.n;

	if (!pmon_pg_batch_add_series(push, &e->batch, i))
		return pmon_err_nomem(err);
	e->series_bytes += e->batch.series.n - before;
	return PMON_OK;
}

// By the series that came with the batch, sent or not: so it ends at the same sample whenever the log is pushed.
static bool
is_full(const struct pmon_push_sink *push, const struct pmon_sample *sample)
{
	(void)sample;
	return ((const struct pg_engine *)push)->series_bytes > SERIES_BYTES;
}

static enum pmon_status
add_sample(struct pmon_push_sink *push, const struct pmon_sample *sample,
	   const struct pmon_push_row *rows, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	bool is_added = pmon_pg_batch_add(push, &e->batch, sample, rows, e->stream);

	return is_added ? PMON_OK : pmon_err_nomem(err);
}

// ---- Beginning and end ----------------------------------------------------------------------

static enum pmon_status
begin_log(struct pmon_push_sink *push, struct pmon_err *err)
{
	return pmon_pg_insist((struct pg_engine *)push, pmon_pg_try_session, err);
}

static void
close_engine(struct pmon_push_sink *push)
{
	struct pg_engine *e = (struct pg_engine *)push;

	pmon_pg_free(e->pg);
	pmon_pg_batch_free(push, &e->batch);
}

static enum pmon_status
open_engine(struct pmon_push_sink *push, const char *url, struct pmon_err *err)
{
	if (push->options.cluster != NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0, "PostgreSQL has no clusters");
	if (push->options.token != NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "PostgreSQL takes a user and a password, not a token");
	return pmon_pg_new(url, push, &((struct pg_engine *)push)->pg, err);
}

static const char *const schemes[] = {"postgresql", "postgres", NULL};

const struct pmon_push_engine pmon_push_postgres = {
	.schemes = schemes,
	.size = sizeof(struct pg_engine),
	.batch_rows = BATCH_ROWS,
	.has_retention = true,
	.open = open_engine,
	.close = close_engine,
	.begin = begin_log,
	.read_machine = read_machine,
	.write_machine = write_machine,
	.read_ledger = read_ledger,
	.add_series = add_series,
	.is_full = is_full,
	.add = add_sample,
	.send = send_batch,
	.count_missing = count_missing,
	.clear = clear_batch,
	.tell = pmon_push_tell_backward,
	.rollup = pmon_pg_rollup,
	.describe = pmon_pg_describe,
	.query = &pmon_pg_query,
};
