// rollup.c - repair intervals in PostgreSQL, and sum up whole hours
// SPDX-License-Identifier: MIT
//
// First the intervals between rows of several logs are made (push/repair.h), of some series in a transaction, then the
// sums of hours that differ from their rows, day by day: so memory stays bounded, and no statement takes longer than a
// connection may be silent.

#include "push/rollup.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "push/postgres/postgres.h"
#include "push/postgres/sql.h"
#include "push/repair.h"

#define CHUNK      ((size_t)20) // series that are repaired at once
#define SQL_SIZE   ((size_t)8 << 10)
#define HOURS_SIZE ((size_t)4 << 10)

int64_t
pmon_pg_number(const struct pg_connection *pg, size_t row, int column)
{
	int64_t number = 0;

	(void)pmon_num_parse_i64(pmon_pg_cell(pg, row, column), &number);
	return number;
}

// ---- Hours ----------------------------------------------------------------------------------

// Which hours are summed up, and how.
struct sums {
	const char *template;
	const char *where; // "AND ..." over the facts `f`, or ""
	bool again;        // all, not only those that differ
	pmon_time from;
	pmon_time to;
};

static enum pmon_status
run_sums(struct pg_engine *e, const struct sums *sums, bool *again, struct pmon_err *err)
{
	char hours[HOURS_SIZE];
	char buf[SQL_SIZE];
	const struct pmon_push_name inner[] = {{"from", NULL, sums->from},
					       {"to", NULL, sums->to},
					       {"where", sums->where, 0},
					       {NULL, NULL, 0}};
	const struct pmon_push_name outer[] = {
		{"hours", hours, 0}, {"again", sums->again ? "TRUE" : "FALSE", 0}, {NULL, NULL, 0}};
	struct pmon_text text = pmon_text_init(hours, sizeof(hours));
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));

	pmon_pg_put_sql(&text, pmon_pg_sql_hours, inner);
	pmon_pg_put_sql(&sql, sums->template, outer);
	return pmon_pg_run(e->pg, buf, NULL, again, err);
}

// The last of the days, of the series of the log, whose ids the session may not have yet.
static enum pmon_status
try_sum(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	pmon_time day = e->days[e->n_days - 1];
	pmon_time from = e->touched.from - e->touched.from % PMON_HOUR_100NS;
	pmon_time to = e->touched.to - e->touched.to % PMON_HOUR_100NS + PMON_HOUR_100NS;
	const struct sums sums = {
		.template = pmon_pg_sql_sum,
		.where = "AND f.series IN (SELECT id FROM pmon_in_id)",
		.from = from > day ? from : day,
		.to = to < day + PMON_DAY_100NS ? to : day + PMON_DAY_100NS,
	};
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	if (status == PMON_OK)
		status = pmon_pg_run(e->pg, "BEGIN", NULL, again, err);
	if (status == PMON_OK)
		status = pmon_pg_store_series(e, again, err);
	if (status == PMON_OK)
		status = run_sums(e, &sums, again, err);
	if (status == PMON_OK)
		status = pmon_pg_run(e->pg, "COMMIT", NULL, again, err);
	if (status == PMON_OK)
		e->batch.series.n = 0;
	return status;
}

enum pmon_status
pmon_pg_sum_hours(struct pg_engine *e, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && e->n_days > 0) {
		status = pmon_pg_insist(e, try_sum, err);
		e->n_days -= status == PMON_OK;
	}
	e->touched.is_any = status != PMON_OK;
	return status;
}

// ---- A run ----------------------------------------------------------------------------------

// A series with rows to repair.
struct unsettled {
	uint32_t series;
	struct pmon_calc calc;
	pmon_time from; // where the first interval begins that may change
	pmon_time to;   // the last row that may change
};

struct pg_rollup {
	struct pg_engine *e;
	const struct pmon_rollup_options *options;
	struct pmon_rollup_counts *counts;
	pmon_time begin;
	pmon_time end;
	struct unsettled *list;
	size_t n;
	size_t cap;
	size_t at;                       // the chunk begins here
	struct pmon_push_repaired *rows; // of one series
	size_t rows_cap;
	struct pmon_push_bytes out; // rows that are stored again
	uint64_t n_kept;            // series of the chunk that stay as they are
	pmon_time *days;
	size_t n_days;
	size_t days_cap;
	pmon_time day;
	uint64_t numbers[4]; // as pmon_rollup_day_add() takes them
	struct pmon_rollup_day of_day;
};

// Nothing is made in an empty database.
enum pmon_status
pmon_pg_rollup_refuse(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	const char *answer = "";
	enum pmon_status status =
		pmon_pg_run(e->pg, "SELECT (to_regclass('pmon_version') IS NULL)::integer", &answer,
			    again, err);

	if (status == PMON_OK && answer[0] == '1')
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the database has no values; store some with pmon push");
	return status;
}

// Ask about the range of the run.
static enum pmon_status
ask_range(struct pg_rollup *r, const char *template, bool *again, struct pmon_err *err)
{
	const struct pmon_push_name names[] = {
		{"from", NULL, r->begin}, {"to", NULL, r->end}, {NULL, NULL, 0}};
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));

	pmon_pg_put_sql(&sql, template, names);
	return pmon_pg_run(r->e->pg, buf, NULL, again, err);
}

// ---- Series to repair -----------------------------------------------------------------------

static struct unsettled
unsettled_at(const struct pg_connection *pg, size_t row)
{
	struct unsettled one = {.series = (uint32_t)pmon_pg_number(pg, row, 0),
				.from = pmon_pg_number(pg, row, 4),
				.to = pmon_pg_number(pg, row, 5)};
	struct pmon_counter counter = {.type = (uint32_t)pmon_pg_number(pg, row, 1),
				       .time_base = pmon_pg_number(pg, row, 2),
				       .size_bytes = (uint8_t)pmon_pg_number(pg, row, 3)};

	(void)pmon_calc_init(&one.calc, &counter, NULL);
	return one;
}

static enum pmon_status
try_unsettled(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	struct pg_rollup *r = e->rollup;
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	pmon_rollup_bounds(r->options, e->push.keep_from, &r->begin, &r->end);
	r->n = 0;
	if (status == PMON_OK && !r->options->dry_run)
		status = ask_range(r, pmon_pg_sql_unsettled, again, err);
	if (status != PMON_OK || r->options->dry_run)
		return status;
	if (!pmon_mem_grow(e->push.allocator, &r->list, &r->cap, pmon_pg_count_rows(e->pg),
			   sizeof(*r->list)))
		return pmon_err_nomem(err);
	for (; r->n < pmon_pg_count_rows(e->pg); r->n++)
		r->list[r->n] = unsettled_at(e->pg, r->n);
	return PMON_OK;
}

// ---- Their rows -----------------------------------------------------------------------------

static struct pmon_push_repaired
row_at(const struct pg_connection *pg, size_t row)
{
	struct pmon_push_repaired out = {.is_new = false};
	struct pmon_push_fact *fact = &out.fact;
	int64_t a[16];

	for (int i = 0; i < 16; i++)
		a[i] = pmon_pg_number(pg, row, i);
	*fact = (struct pmon_push_fact){.time = a[1],
					.nth = (uint32_t)a[2],
					.span = a[6],
					.owner = {a[10], a[11], (uint32_t)a[12]}};
	fact->row = (struct pmon_increment){.time = fact->time + a[7],
					    .n = a[3],
					    .d = a[4],
					    .b = a[5],
					    .multi = (uint32_t)a[8],
					    .raw_status = (uint32_t)a[9],
					    .wrapped = (uint32_t)a[13],
					    .kind = (enum pmon_increment_kind)a[14],
					    .status = (enum pmon_vstat)a[15]};
	fact->same_owner =
		fact->row.kind == PMON_INCREMENT_PAIR && pmon_pg_cell(pg, row, 12).ptr == NULL;
	return out;
}

static enum pmon_status
repair_series(struct pg_rollup *r, const struct unsettled *one, size_t n, struct pmon_err *err)
{
	if (!pmon_push_repair(&one->calc, r->rows, n)) {
		r->n_kept++;
		return PMON_OK;
	}
	for (size_t i = 0; i < n; i++)
		if (r->rows[i].is_new &&
		    !pmon_pg_put_fact(&r->e->push, &r->out, one->series, &r->rows[i].fact, false))
			return pmon_err_nomem(err);
	return PMON_OK;
}

static const struct unsettled *
find_series(const struct pg_rollup *r, uint32_t series)
{
	for (size_t i = r->at; i < r->n && i < r->at + CHUNK; i++)
		if (r->list[i].series == series)
			return &r->list[i];
	return NULL;
}

// The rows of the answer from number *row on that are of one series; those before its first start are needed by none.
static enum pmon_status
repair_next(struct pg_rollup *r, size_t *row, struct pmon_err *err)
{
	const struct pg_connection *pg = r->e->pg;
	int64_t series = pmon_pg_number(pg, *row, 0);
	const struct unsettled *one = find_series(r, (uint32_t)series);
	size_t n = 0;

	for (; *row < pmon_pg_count_rows(pg) && pmon_pg_number(pg, *row, 0) == series; ++*row) {
		if (!pmon_mem_grow(r->e->push.allocator, &r->rows, &r->rows_cap, n + 1,
				   sizeof(*r->rows)))
			return pmon_err_nomem(err);
		r->rows[n] = row_at(pg, *row);
		n += n > 0 || r->rows[n].fact.row.kind == PMON_INCREMENT_START;
	}
	return one != NULL ? repair_series(r, one, n, err) : PMON_OK;
}

static enum pmon_status
ask_rows(struct pg_rollup *r, bool *again, struct pmon_err *err)
{
	char series[CHUNK * 12];
	char buf[SQL_SIZE];
	struct pmon_text list = pmon_text_init(series, sizeof(series));
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	pmon_time from = r->list[r->at].from;
	pmon_time to = r->list[r->at].to;

	for (size_t i = r->at; i < r->n && i < r->at + CHUNK; i++) {
		pmon_text_str(&list, i > r->at ? ", " : "");
		pmon_text_u64(&list, r->list[i].series);
		from = r->list[i].from < from ? r->list[i].from : from;
		to = r->list[i].to > to ? r->list[i].to : to;
	}
	const struct pmon_push_name names[] = {
		{"series", series, 0}, {"from", NULL, from}, {"to", NULL, to}, {NULL, NULL, 0}};
	pmon_pg_put_sql(&sql, pmon_pg_sql_rows, names);
	return pmon_pg_run(r->e->pg, buf, NULL, again, err);
}

static enum pmon_status
store_repaired(struct pg_rollup *r, bool *again, struct pmon_err *err)
{
	enum pmon_status status =
		pmon_pg_copy_into(r->e, "fact (series, " PG_FACT_COLUMNS ")", &r->out, again, err);

	return status == PMON_OK && r->out.n > 0
		       ? pmon_pg_run(r->e->pg, pmon_pg_sql_repair, NULL, again, err)
		       : status;
}

static enum pmon_status
try_chunk(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	struct pg_rollup *r = e->rollup;
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	r->out.n = 0;
	r->n_kept = 0;
	if (status == PMON_OK)
		status = pmon_pg_run(e->pg, "BEGIN", NULL, again, err);
	if (status == PMON_OK)
		status = ask_rows(r, again, err);
	for (size_t row = 0; status == PMON_OK && row < pmon_pg_count_rows(e->pg);)
		status = repair_next(r, &row, err);
	if (status == PMON_OK)
		status = store_repaired(r, again, err);
	return status == PMON_OK ? pmon_pg_run(e->pg, "COMMIT", NULL, again, err) : status;
}

static enum pmon_status
repair_all(struct pg_rollup *r, struct pmon_err *err)
{
	enum pmon_status status = pmon_pg_insist(r->e, try_unsettled, err);

	for (r->at = 0; status == PMON_OK && r->at < r->n; r->at += CHUNK) {
		status = pmon_pg_insist(r->e, try_chunk, err);
		r->counts->kept += status == PMON_OK ? r->n_kept : 0;
	}
	return status;
}

// ---- Days -----------------------------------------------------------------------------------

static enum pmon_status
try_days(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	struct pg_rollup *r = e->rollup;
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	if (status == PMON_OK)
		status = ask_range(r, pmon_pg_sql_days, again, err);
	if (status != PMON_OK)
		return status;
	if (!pmon_mem_grow(e->push.allocator, &r->days, &r->days_cap, pmon_pg_count_rows(e->pg),
			   sizeof(*r->days)))
		return pmon_err_nomem(err);
	for (r->n_days = 0; r->n_days < pmon_pg_count_rows(e->pg); r->n_days++)
		r->days[r->n_days] = pmon_pg_number(e->pg, r->n_days, 0) * PMON_DAY_100NS;
	return PMON_OK;
}

static enum pmon_status
try_day(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	struct pg_rollup *r = e->rollup;
	pmon_time end = r->day + PMON_DAY_100NS;
	const struct sums sums = {
		.template = r->options->dry_run ? pmon_pg_sql_sum_dry : pmon_pg_sql_sum,
		.where = "",
		.again = r->options->again,
		.from = r->day > r->begin ? r->day : r->begin,
		.to = end < r->end ? end : r->end,
	};
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	if (status == PMON_OK)
		status = run_sums(e, &sums, again, err);
	for (int i = 0; status == PMON_OK && i < 4; i++)
		r->numbers[i] = (uint64_t)pmon_pg_number(e->pg, 0, i);
	return status;
}

static enum pmon_status
sum_days(struct pg_rollup *r, struct pmon_err *err)
{
	enum pmon_status status = pmon_pg_insist(r->e, try_days, err);

	for (size_t i = 0; status == PMON_OK && i < r->n_days; i++) {
		r->day = r->days[i];
		status = pmon_pg_insist(r->e, try_day, err);
		if (status != PMON_OK)
			return status;
		pmon_rollup_day_add(&r->of_day, r->numbers);
		pmon_rollup_day_end(&r->of_day, r->day, r->options, r->counts);
	}
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
	status = repair_all(&r, err);
	if (status == PMON_OK)
		status = sum_days(&r, err);
	e->rollup = NULL;
	pmon_push_free(push, &r.out);
	pmon_mem_free(push->allocator, r.list, r.cap * sizeof(*r.list));
	pmon_mem_free(push->allocator, r.rows, r.rows_cap * sizeof(*r.rows));
	pmon_mem_free(push->allocator, r.days, r.days_cap * sizeof(*r.days));
	return status;
}
