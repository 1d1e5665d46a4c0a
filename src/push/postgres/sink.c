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
#include "base/time.h"
#include "push/postgres/sql.h"

#define BATCH_ROWS   ((size_t)100000)
#define SERIES_BYTES ((size_t)8 << 20) // of series that a batch holds, about
#define SQL_SIZE     4096

// ---- Sessions -------------------------------------------------------------------------------

static enum pmon_status
run_sql(struct pg_engine *e, const char *sql, const char **answer, bool *again,
	struct pmon_err *err)
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
		run_sql(e, "SELECT to_regclass('pmon_version') IS NOT NULL", &answer, again, err);

	*are_there = false;
	if (status != PMON_OK || strcmp(answer, "t") != 0)
		return status;
	status = run_sql(e, "SELECT keys || ' ' || views FROM pmon_version", &answer, again, err);
	if (status != PMON_OK)
		return status;
	if (sscanf(answer, "%d %d", &keys, &views) != 2 || keys != PMON_PUSH_KEYS_VERSION ||
	    views < PG_FIRST_VERSION)
		return pmon_err_set(
			err, PMON_E_UNSUPPORTED, 0,
			"the database was created by another version of pmon: its views have "
			"version %d and its series keys of version %d, and this pmon requires %d "
			"and %d; push to an empty database",
			views, keys, PG_FIRST_VERSION, PMON_PUSH_KEYS_VERSION);
	*are_there = views >= PG_VIEWS_VERSION;
	return PMON_OK;
}

// In one transaction: of several that come at the same time one makes them.
static enum pmon_status
make_all(struct pg_engine *e, char *buf, bool *again, struct pmon_err *err)
{
	struct pmon_text sql = pmon_text_init(buf, PG_SQL_SIZE);
	enum pmon_status status = run_sql(e, "BEGIN", NULL, again, err);

	pmon_pg_put_schema(&sql);
	if (status == PMON_OK)
		status = run_sql(e, pmon_pg_lock, NULL, again, err);
	if (status == PMON_OK)
		status = run_sql(e, buf, NULL, again, err);
	return status == PMON_OK ? run_sql(e, "COMMIT", NULL, again, err) : status;
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
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the database lacks some tables; use --again to create them "
				    "and send what is missing");
	buf = pmon_mem_alloc(e->push.allocator, PG_SQL_SIZE);
	if (buf == NULL)
		return pmon_err_nomem(err);
	status = make_all(e, buf, again, err);
	pmon_mem_free(e->push.allocator, buf, PG_SQL_SIZE);
	return status;
}

// A session knows no ids: all series of the log so far are to be sent.
static enum pmon_status
begin_session(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	static const struct pmon_push_name names[] = {{"columns", PG_SERIES_COLUMNS, 0},
						      {NULL, NULL, 0}};
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	enum pmon_status status;

	pmon_pg_put_sql(&sql, pmon_pg_sql_session, names);
	status = run_sql(e, buf, NULL, again, err);
	e->batch.series.n = 0;
	e->month = PMON_TIME_NONE;
	for (size_t i = 0; status == PMON_OK && i < e->push.counts.series; i++)
		if (!pmon_pg_batch_add_series(&e->push, &e->batch, i))
			status = pmon_err_nomem(err);
	return status;
}

// A session that is ready.
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
		status = pmon_pg_read_retention(e->pg, &e->push, &e->keep_days, again, err);
	return status == PMON_OK ? pmon_pg_keep(e->pg, &e->push, e->keep_days, again, err) : status;
}

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
	for (;;) {
		pmon_pg_limit(e->pg, pmon_push_retry_limit(&retry, &e->push.options));
		status = attempt(e, &again, err);
		if (status == PMON_OK || !again)
			return status;
		e->push.counts.retries++;
		if (!pmon_push_retry_wait(&retry, &e->push.options, err))
			return err->status;
	}
}

// ---- Machines -------------------------------------------------------------------------------

static enum pmon_status
try_statement(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	return status == PMON_OK ? run_sql(e, e->asked, &e->answer, again, err) : status;
}

static enum pmon_status
run_statement(struct pg_engine *e, const char *sql, const struct pmon_text *text,
	      struct pmon_err *err)
{
	if (text->len >= SQL_SIZE)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "the machine name is too long");
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

// ---- The clock ------------------------------------------------------------------------------

static enum pmon_status
read_clock(struct pmon_push_sink *push, pmon_time *now, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	long long seconds;
	enum pmon_status status;

	e->asked = "SELECT extract(epoch FROM clock_timestamp())::bigint";
	status = pmon_pg_insist(e, try_statement, err);
	if (status == PMON_OK && sscanf(e->answer, "%lld", &seconds) == 1 && seconds >= 0 &&
	    seconds < UINT32_MAX)
		*now = PMON_TIME_EARLIEST + seconds * PMON_TIME_PER_SEC;
	return status;
}

// ---- Ledger ---------------------------------------------------------------------------------

static enum pmon_status
read_ledger(struct pmon_push_sink *push, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	char sql[160];
	enum pmon_status status;

	pmon_hash128_print(push->log, e->log);
	(void)snprintf(sql, sizeof(sql),
		       "SELECT string_agg(batch || E'\\t' || rows, E'\\n') FROM pmon_push WHERE "
		       "log = '%s'",
		       e->log);
	e->asked = sql;
	status = pmon_pg_insist(e, try_statement, err);
	return status == PMON_OK
		       ? pmon_push_ledger_add_text(&push->ledger,
						   (struct pmon_span){e->answer, strlen(e->answer)},
						   err)
		       : status;
}

// ---- Batches --------------------------------------------------------------------------------

enum pmon_status
pmon_pg_copy_into(struct pg_engine *e, const char *table, const struct pmon_push_bytes *rows,
		  bool *again, struct pmon_err *err)
{
	char sql[256];

	if (rows->n == 0)
		return PMON_OK;
	(void)snprintf(sql, sizeof(sql), "COPY pmon_in_%s FROM STDIN BINARY", table);
	return pmon_pg_copy(e->pg, sql, rows->list, rows->n, again, err);
}

static enum pmon_status
copy_facts(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	if (!pmon_pg_batch_put_firsts(&e->push, &e->batch))
		return pmon_err_nomem(err);
	return pmon_pg_copy_into(e, "fact (series, " PG_FACT_COLUMNS ")", &e->batch.facts, again,
				 err);
}

// Run a template over the rows that were copied.
static enum pmon_status
run_about(struct pg_engine *e, const char *template, const char **answer, bool *again,
	  struct pmon_err *err)
{
	const struct pmon_push_name names[] = {{"from", NULL, e->batch.first},
					       {"to", NULL, e->batch.last},
					       {"columns", PG_FACT_COLUMNS, 0},
					       {NULL, NULL, 0}};
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));

	pmon_pg_put_sql(&sql, template, names);
	return run_sql(e, buf, answer, again, err);
}

// Add the number of rows that a template has stored.
static enum pmon_status
store(struct pg_engine *e, const char *template, uint64_t *sum, bool *again, struct pmon_err *err)
{
	const char *answer = "";
	long long n = 0;
	enum pmon_status status = run_about(e, template, &answer, again, err);

	if (status == PMON_OK)
		(void)sscanf(answer, "%lld", &n);
	*sum += (uint64_t)n;
	return status;
}

// The series that the session does not know yet get ids. What is stored under their keys has to be of the same
// counters.
enum pmon_status
pmon_pg_store_series(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	const struct pmon_push_keys *keys = &e->push.keys;
	const char *answer = "";
	int n;
	static const struct pmon_push_name names[] = {{"columns", PG_SERIES_COLUMNS, 0},
						      {NULL, NULL, 0}};
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	enum pmon_status status = pmon_pg_copy_into(e, "series", &e->batch.series, again, err);

	pmon_pg_put_sql(&sql, pmon_pg_sql_series, names);
	if (status == PMON_OK && e->batch.series.n > 0)
		status = run_sql(e, buf, &answer, again, err);
	if (status != PMON_OK || sscanf(answer, "%d", &n) != 1)
		return status;
	status = run_sql(e, "ROLLBACK", NULL, again, err);
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
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	const char *answer = "1";
	enum pmon_status status;

	*is_stored = false;
	if (batch->n == 0)
		return run_sql(e, "BEGIN", NULL, again, err);
	pmon_hash128_print(batch->digest, digest);
	pmon_text_str(&sql, "BEGIN; INSERT INTO pmon_push (name, log, batch, rows, time_from, "
			    "time_to) VALUES (");
	pmon_pg_put_quoted(&sql, e->push.info->machine); // for people
	if (sql.len >= SQL_SIZE / 2)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "the machine name is too long");
	(void)snprintf(buf + sql.len, sizeof(buf) - sql.len,
		       ", '%s', '%s', %zu, %lld, %lld) ON CONFLICT (log, batch) DO UPDATE "
		       "SET rows = excluded.rows WHERE pmon_push.rows < excluded.rows",
		       e->log, digest, pmon_push_batch_kept(batch), (long long)batch->first,
		       (long long)batch->last);
	status = run_sql(e, buf, &answer, again, err);
	*is_stored = status == PMON_OK && strcmp(answer, "0") == 0;
	return status;
}

static enum pmon_status
make_month(struct pg_engine *e, pmon_time day, bool *again, struct pmon_err *err)
{
	char sql[64];
	enum pmon_status status;

	if (day == e->month)
		return PMON_OK;
	(void)snprintf(sql, sizeof(sql), "SELECT pmon_make_month(%lld)", (long long)day);
	status = run_sql(e, sql, NULL, again, err);
	if (status == PMON_OK)
		e->month = day;
	return status;
}

// The partitions of its months, in transactions of their own, as others wait for those who make one.
static enum pmon_status
make_months(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < e->batch.n_days; i++)
		status = make_month(e, e->batch.days[i], again, err);
	return status;
}

// The ledger lacks what is not stored, so that it is compared whenever the log is pushed.
static enum pmon_status
correct_ledger(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	char digest[PMON_HASH128_SIZE];
	char sql[200];

	if (e->n_different == 0)
		return PMON_OK;
	pmon_hash128_print(e->push.batch.digest, digest);
	(void)snprintf(sql, sizeof(sql),
		       "UPDATE pmon_push SET rows = rows - %llu WHERE log = '%s' AND batch = '%s'",
		       (unsigned long long)e->n_different, e->log, digest);
	return run_sql(e, sql, NULL, again, err);
}

// How many of the rows that were copied are missing, and for how many another value is stored.
static enum pmon_status
compare(struct pg_engine *e, uint64_t *n_missing, bool *again, struct pmon_err *err)
{
	enum pmon_status status = run_about(e, pmon_pg_sql_compare, NULL, again, err);

	if (status != PMON_OK)
		return status;
	*n_missing = (uint64_t)pmon_pg_number(e->pg, 0, 0);
	e->n_different = (uint64_t)pmon_pg_number(e->pg, 0, 1);
	return PMON_OK;
}

// Only if some keys are stored already are their rows compared, and replaced where ours know more.
static enum pmon_status
store_facts(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	uint64_t n_missing = 0;
	enum pmon_status status = store(e, pmon_pg_sql_insert, &e->n_new, again, err);

	if (status != PMON_OK)
		return status;
	if (e->n_new == e->batch.n) {
		e->n_new = e->batch.n_taken;
		return PMON_OK;
	}
	status = compare(e, &n_missing, again, err);
	if (status == PMON_OK)
		status = correct_ledger(e, again, err);
	return status == PMON_OK ? store(e, pmon_pg_sql_newer, &e->n_new, again, err) : status;
}

// The whole batch in one transaction.
static enum pmon_status
try_batch(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	bool is_stored;
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	if (status == PMON_OK)
		status = make_months(e, again, err);
	if (status == PMON_OK)
		status = write_ledger(e, &is_stored, again, err);
	if (status == PMON_OK && is_stored && e->push.options.check != PMON_PUSH_AGAIN)
		return run_sql(e, "ROLLBACK", NULL, again, err);
	if (status == PMON_OK)
		status = pmon_pg_store_series(e, again, err);
	if (status == PMON_OK)
		status = pmon_pg_join(e, again, err);
	if (status == PMON_OK)
		status = copy_facts(e, again, err);
	e->n_new = 0;
	e->n_different = 0;
	if (status == PMON_OK && e->batch.n > 0)
		status = store_facts(e, again, err);
	if (status == PMON_OK)
		status = run_sql(e, "COMMIT", NULL, again, err);
	if (status == PMON_OK)
		e->batch.series.n = 0;
	return status;
}

// One value is stored for a key: these are neither sent nor were they there.
static void
note_different(struct pg_engine *e)
{
	struct pmon_push_sink *push = &e->push;

	push->counts.different += e->n_different;
	if (push->options.check == PMON_PUSH_VERIFY)
		return;
	push->counts.repeated += e->n_different;
	push->batch.left_out += (size_t)e->n_different; // rows of a batch
}

// Note which hours and days the batch belongs to.
static bool
touch(struct pg_engine *e)
{
	const struct pg_batch *batch = &e->batch;

	if (batch->n > 0)
		pmon_push_touch(&e->touched, batch->first, batch->last);
	for (size_t i = 0; i < batch->n_days; i++)
		if (!pmon_pg_add_day(&e->push, &e->days, &e->n_days, &e->days_cap, batch->days[i]))
			return false;
	return true;
}

static enum pmon_status
send_batch(struct pmon_push_sink *push, uint64_t *n_new, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	uint64_t n_unsettled = e->batch.firsts.n_unsettled;
	enum pmon_status status;

	if (push->batch.n == 0 && e->batch.series.n == 0)
		return PMON_OK;
	e->n_new = pmon_push_batch_kept(&push->batch);
	e->n_different = 0;
	status = pmon_pg_insist(e, try_batch, err);
	*n_new = e->n_new;
	if (*n_new == 0) // all were there, and so are their intervals
		e->batch.firsts.n_unsettled = n_unsettled;
	if (status == PMON_OK && push->options.check == PMON_PUSH_NEW)
		note_different(e);
	return status == PMON_OK && !touch(e) ? pmon_err_nomem(err) : status;
}

// In a transaction that is rolled back: the series that were copied are still to be sent.
static enum pmon_status
try_missing(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	e->n_new = 0;
	e->n_different = 0;
	if (status == PMON_OK)
		status = run_sql(e, "BEGIN", NULL, again, err);
	if (status == PMON_OK)
		status = pmon_pg_copy_into(e, "series", &e->batch.series, again, err);
	if (status == PMON_OK)
		status = run_sql(e,
				 "INSERT INTO pmon_in_id SELECT i.number, s.series FROM "
				 "pmon_in_series AS i JOIN pmon_series AS s USING (key) ON "
				 "CONFLICT DO NOTHING",
				 NULL, again, err);
	if (status == PMON_OK)
		status = copy_facts(e, again, err);
	if (status == PMON_OK && e->batch.n > 0)
		status = compare(e, &e->n_new, again, err);
	return status == PMON_OK ? run_sql(e, "ROLLBACK", NULL, again, err) : status;
}

static enum pmon_status
count_missing(struct pmon_push_sink *push, uint64_t *n, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	enum pmon_status status = pmon_pg_insist(e, try_missing, err);

	*n = e->n_new;
	if (status == PMON_OK)
		note_different(e);
	return status;
}

// Series go with the first batch that is sent after they came.
static void
clear_batch(struct pmon_push_sink *push)
{
	struct pg_engine *e = (struct pg_engine *)push;

	pmon_pg_batch_clear(&e->batch);
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

	if (!pmon_push_states_grow(&e->states, push->keys.schema) ||
	    !pmon_pg_batch_add(push, &e->batch, &e->states, sample, rows))
		return pmon_err_nomem(err);
	return PMON_OK;
}

// ---- Beginning and end ----------------------------------------------------------------------

static enum pmon_status
begin_log(struct pmon_push_sink *push, struct pmon_err *err)
{
	return pmon_pg_insist((struct pg_engine *)push, pmon_pg_try_session, err);
}

static enum pmon_status
flush_engine(struct pmon_push_sink *push, bool sync, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;

	(void)sync;
	return pmon_push_touched_is_over(&e->touched) ? pmon_pg_sum_hours(e, err) : PMON_OK;
}

static enum pmon_status
finish_engine(struct pmon_push_sink *push, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	enum pmon_status status = PMON_OK;

	// The newest raw values of logs that have other values are not those of what is stored.
	if (push->options.check != PMON_PUSH_VERIFY && push->counts.different == 0)
		status = pmon_pg_insist(e, pmon_pg_try_tails, err);
	return status == PMON_OK && e->touched.is_any ? pmon_pg_sum_hours(e, err) : status;
}

static void
tell(const struct pmon_push_sink *push)
{
	pmon_push_tell_backward(push);
	pmon_push_seams_tell(push, &((const struct pg_engine *)push)->batch.firsts);
}

static void
close_engine(struct pmon_push_sink *push)
{
	struct pg_engine *e = (struct pg_engine *)push;

	pmon_pg_free(e->pg);
	pmon_pg_batch_free(push, &e->batch);
	pmon_push_states_free(&e->states);
	pmon_mem_free(push->allocator, e->days, e->days_cap * sizeof(*e->days));
}

static enum pmon_status
open_engine(struct pmon_push_sink *push, const char *url, struct pmon_err *err)
{
	if (push->options.token != NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "PostgreSQL requires a user and a password, not a token");
	if (push->options.headers != NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "PostgreSQL does not use HTTP; omit --header");
	pmon_push_states_init(&((struct pg_engine *)push)->states, push->allocator);
	return pmon_pg_new(url, push, &((struct pg_engine *)push)->pg, err);
}

static const char *const schemes[] = {"postgresql", "postgres", NULL};

const struct pmon_push_engine pmon_push_postgres = {
	.schemes = schemes,
	.size = sizeof(struct pg_engine),
	.batch_rows = BATCH_ROWS,
	.has_retention = true,
	.asked_by = "ask PostgreSQL with its own client: SELECT path, average FROM "
		    "pmon_average('2026-11-01', '2026-12-01'), or SELECT at, path, value FROM "
		    "pmon_value; see docs/engines/postgresql.md",
	.open = open_engine,
	.close = close_engine,
	.begin = begin_log,
	.read_clock = read_clock,
	.read_machine = read_machine,
	.write_machine = write_machine,
	.read_ledger = read_ledger,
	.add_series = add_series,
	.is_full = is_full,
	.add = add_sample,
	.send = send_batch,
	.count_missing = count_missing,
	.clear = clear_batch,
	.flush = flush_engine,
	.finish = finish_engine,
	.tell = tell,
	.rollup = pmon_pg_rollup,
	.describe = pmon_pg_describe,
};
