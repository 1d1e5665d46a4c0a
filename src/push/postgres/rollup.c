// rollup.c - compute sums of whole hours in PostgreSQL
// SPDX-License-Identifier: MIT
//
// Day by day, and a day in chunks of its series, each a transaction: so memory stays bounded, and no statement takes
// longer than a connection may be silent.

#include "push/postgres/rollup.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"

#define ROW_BYTES 70 // of a raw row, about

struct day {
	pmon_time day;
	pmon_time begin; // of the hours that are looked at
	pmon_time end;
	uint64_t bytes;
};

struct pg_rollup {
	struct pg_engine *e;
	const struct pmon_rollup_options *options;
	struct pmon_rollup_counts *counts;
	struct pg_hours hours;
	pmon_time begin; // of all
	pmon_time end;
	struct pmon_rollup_day of_day;
	uint64_t numbers[5]; // of the chunk: as pmon_rollup_day_add() takes them, and how many stay
	struct day *days;
	size_t n_days;
	size_t days_cap;
	pmon_time *list; // hours of the chunk
	size_t n_list;
	size_t list_cap;
	char *sql; // PG_SQL_SIZE
};

// ---- Asking ---------------------------------------------------------------------------------

static enum pmon_status
run_step(struct pg_rollup *r, enum pg_step step, bool *again, struct pmon_err *err)
{
	struct pmon_text sql = pmon_text_init(r->sql, PG_SQL_SIZE);

	pmon_pg_put_hours(&r->hours, step, &sql);
	return pmon_pg_run(r->e->pg, r->sql, NULL, again, err);
}

static int64_t
number_at(const struct pg_rollup *r, size_t row, int column)
{
	int64_t number = 0;

	(void)pmon_num_parse_i64(pmon_pg_cell(r->e->pg, row, column), &number);
	return number;
}

// n numbers of the first row.
static enum pmon_status
ask_numbers(struct pg_rollup *r, enum pg_step step, uint64_t *numbers, int n, bool *again,
	    struct pmon_err *err)
{
	enum pmon_status status = run_step(r, step, again, err);

	for (int i = 0; status == PMON_OK && i < n; i++)
		numbers[i] = pmon_pg_count_rows(r->e->pg) > 0 ? (uint64_t)number_at(r, 0, i) : 0;
	return status;
}

// ---- What is there --------------------------------------------------------------------------

// Who has no raw values is not given tables.
enum pmon_status
pmon_pg_rollup_refuse(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	const char *answer = "";
	enum pmon_status status =
		pmon_pg_run(e->pg,
			    "SELECT (to_regclass('pmon_push') IS NOT NULL)::integer\n"
			    " + (to_regclass('pmon_hour') IS NOT NULL)::integer",
			    &answer, again, err);

	if (status == PMON_OK && answer[0] == '0')
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the database has no raw values; store some with pmon push");
	if (status == PMON_OK && answer[0] == '1' && e->rollup->options->dry_run)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the database has no tables for sums yet, so all hours are to "
				    "be computed; without --dry-run pmon rollup makes them");
	return status;
}

static enum pmon_status
take_days(struct pg_rollup *r, struct pmon_err *err)
{
	size_t n = pmon_pg_count_rows(r->e->pg);

	if (!pmon_mem_grow(r->e->push.allocator, &r->days, &r->days_cap, n, sizeof(*r->days)))
		return pmon_err_nomem(err);
	for (r->n_days = 0; r->n_days < n; r->n_days++)
		r->days[r->n_days] = (struct day){
			number_at(r, r->n_days, 0) * PMON_DAY_100NS, number_at(r, r->n_days, 1),
			number_at(r, r->n_days, 2), (uint64_t)number_at(r, r->n_days, 3)};
	return PMON_OK;
}

static enum pmon_status
try_take(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	struct pg_rollup *r = e->rollup;
	uint64_t run = 0;
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	pmon_rollup_bounds(r->options, e->push.keep_from, &r->begin, &r->end);
	r->hours.begin = r->begin;
	r->hours.end = r->end;
	if (status == PMON_OK && !r->options->dry_run)
		status = ask_numbers(r, PG_HOURS_TAKE, &run, 1, again, err);
	r->hours.run = (int64_t)run;
	if (status == PMON_OK)
		status = run_step(r, PG_HOURS_DAYS, again, err);
	return status == PMON_OK ? take_days(r, err) : status;
}

static enum pmon_status
try_close(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	return status == PMON_OK ? run_step(e->rollup, PG_HOURS_CLOSE, again, err) : status;
}

// ---- A chunk of a day -----------------------------------------------------------------------

static enum pmon_status
list_hours(struct pg_rollup *r, bool *again, struct pmon_err *err)
{
	enum pmon_status status = run_step(r, PG_HOURS_LIST, again, err);
	size_t n = pmon_pg_count_rows(r->e->pg);

	if (status != PMON_OK)
		return status;
	if (!pmon_mem_grow(r->e->push.allocator, &r->list, &r->list_cap, n, sizeof(*r->list)))
		return pmon_err_nomem(err);
	for (r->n_list = 0; r->n_list < n; r->n_list++)
		r->list[r->n_list] = number_at(r, r->n_list, 0);
	return PMON_OK;
}

static enum pmon_status
compute(struct pg_rollup *r, bool *again, struct pmon_err *err)
{
	pmon_time begin = r->hours.begin;
	enum pmon_status status = run_step(r, PG_HOURS_FOLLOW, again, err);

	if (status == PMON_OK)
		status = list_hours(r, again, err);
	for (size_t i = 0; status == PMON_OK && i < r->n_list; i++) {
		r->hours.begin = r->list[i];
		status = run_step(r, PG_HOURS_COMPUTE, again, err);
	}
	r->hours.begin = begin;
	if (status == PMON_OK)
		status = ask_numbers(r, PG_HOURS_KEPT, &r->numbers[4], 1, again, err);
	return status == PMON_OK ? run_step(r, PG_HOURS_SEEN, again, err) : status;
}

// The hours are of one state of the database, and stored with what it was.
static enum pmon_status
try_chunk(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	struct pg_rollup *r = e->rollup;
	bool is_dry = r->options->dry_run;
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	r->numbers[4] = 0;
	if (status == PMON_OK && is_dry)
		status = pmon_pg_run(e->pg, "BEGIN", NULL, again, err);
	else if (status == PMON_OK)
		status = run_step(r, PG_HOURS_BEGIN, again, err);
	if (status == PMON_OK)
		status = run_step(r, PG_HOURS_FIND, again, err);
	if (status == PMON_OK)
		status = ask_numbers(r, PG_HOURS_COUNT, r->numbers, 4, again, err);
	if (status == PMON_OK && !is_dry)
		status = compute(r, again, err);
	return status == PMON_OK
		       ? pmon_pg_run(e->pg, is_dry ? "ROLLBACK" : "COMMIT", NULL, again, err)
		       : status;
}

static enum pmon_status
roll_day(struct pg_rollup *r, const struct day *day, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	r->hours.begin = day->begin;
	r->hours.end = day->end;
	r->hours.n_chunks = (unsigned)(day->bytes / ROW_BYTES / PMON_ROLLUP_CHUNK) + 1;
	for (unsigned chunk = 0; status == PMON_OK && chunk < r->hours.n_chunks; chunk++) {
		r->hours.chunk = chunk;
		status = pmon_pg_insist(r->e, try_chunk, err);
		if (status == PMON_OK) {
			pmon_rollup_day_add(&r->of_day, r->numbers);
			r->of_day.counts.kept += r->numbers[4];
		}
	}
	pmon_rollup_day_end(&r->of_day, day->day, r->options, r->counts);
	return status;
}

static enum pmon_status
roll_all(struct pg_rollup *r, struct pmon_err *err)
{
	enum pmon_status status = pmon_pg_insist(r->e, try_take, err);

	for (size_t i = 0; status == PMON_OK && i < r->n_days; i++)
		status = roll_day(r, &r->days[i], err);
	if (status == PMON_OK && !r->options->dry_run)
		status = pmon_pg_insist(r->e, try_close, err);
	return status;
}

enum pmon_status
pmon_pg_rollup(struct pmon_push_sink *push, const struct pmon_rollup_options *options,
	       struct pmon_rollup_counts *counts, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)push;
	struct pg_rollup r = {.e = e, .options = options, .counts = counts};
	enum pmon_status status;

	e->rollup = &r;
	r.hours.again = options->again;
	r.sql = pmon_mem_alloc(push->allocator, PG_SQL_SIZE);
	status = r.sql != NULL ? roll_all(&r, err) : pmon_err_nomem(err);
	pmon_mem_free(push->allocator, r.sql, PG_SQL_SIZE);
	pmon_mem_free(push->allocator, r.days, r.days_cap * sizeof(*r.days));
	pmon_mem_free(push->allocator, r.list, r.list_cap * sizeof(*r.list));
	e->rollup = NULL;
	return status;
}
