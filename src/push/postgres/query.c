// query.c - ask PostgreSQL for values and averages
// SPDX-License-Identifier: MIT

#include "push/query.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "push/postgres/postgres.h"
#include "push/postgres/rollup.h"

// ---- Answers --------------------------------------------------------------------------------

static enum pmon_status
attempt(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	bool is_new;
	char words[sizeof(err->msg)];
	enum pmon_status status = pmon_pg_open(e->pg, &is_new, again, err);

	if (status == PMON_OK && is_new) // compiling takes longer than the query
		status = pmon_pg_run(e->pg, "SET jit = off", NULL, again, err);
	if (status == PMON_OK)
		return pmon_pg_run(e->pg, e->asked, NULL, again, err);
	if (strstr(err->msg, "database") == NULL || strstr(err->msg, "does not exist") == NULL)
		return status;
	memcpy(words, err->msg, sizeof(words));
	return pmon_err_set(err, PMON_E_NOTFOUND, 0, "%s; create it, and fill it by pmon push",
			    words);
}

// The cells stay in the memory of libpq.
static enum pmon_status
ask(struct pmon_query *q, const char *sql, struct pmon_err *err)
{
	struct pg_engine *e = (struct pg_engine *)q->push;
	struct pmon_query_cells *cells = &q->cells;
	enum pmon_status status;

	e->asked = sql;
	status = pmon_pg_insist(e, attempt, err);
	if (status != PMON_OK)
		return status;
	cells->n_rows = pmon_pg_count_rows(e->pg);
	cells->n_columns = pmon_pg_count_columns(e->pg);
	if (!pmon_mem_grow(q->push->allocator, &cells->list, &cells->cap,
			   cells->n_rows * cells->n_columns, sizeof(*cells->list)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < cells->n_rows * cells->n_columns; i++)
		cells->list[i] =
			pmon_pg_cell(e->pg, i / cells->n_columns, (int)(i % cells->n_columns));
	return PMON_OK;
}

// ---- Is it there? ---------------------------------------------------------------------------

static enum pmon_status
check_versions(struct pmon_query *q, struct pmon_err *err)
{
	int keys = 0;
	int views = 0;
	enum pmon_status status = ask(q, "SELECT keys || ' ' || views FROM pmon_version", err);

	if (status != PMON_OK)
		return status;
	if (q->cells.n_rows > 0)
		(void)sscanf(q->cells.list[0].ptr, "%d %d", &keys, &views);
	if (keys > PMON_PUSH_KEYS_VERSION)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the database was made by a newer pmon (keys of version %d); "
				    "query it with that one",
				    keys);
	if (views < PG_VIEWS_VERSION)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the views in the database are of version %d, and this pmon "
				    "needs %d; pmon push of any log makes them anew",
				    views, PG_VIEWS_VERSION);
	return PMON_OK;
}

static enum pmon_status
check(struct pmon_query *q, struct pmon_err *err)
{
	enum pmon_status status = ask(q, "SELECT to_regclass('pmon_version')", err);

	if (status != PMON_OK)
		return status;
	if (q->cells.n_rows == 0 || q->cells.list[0].ptr == NULL)
		return pmon_err_set(err, PMON_E_NOTFOUND, 0,
				    "the database has no tables of this pmon; pmon push makes "
				    "them");
	return check_versions(q, err);
}

// ---- Statements -----------------------------------------------------------------------------

static void
put_quoted(struct pmon_text *sql, struct pmon_span text)
{
	pmon_text_str(sql, "E'");
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\'' || text.ptr[i] == '\\')
			pmon_text_char(sql, text.ptr[i]);
		pmon_text_char(sql, text.ptr[i]);
	}
	pmon_text_char(sql, '\'');
}

static void
put_names(const struct pmon_query *q, struct pmon_text *sql)
{
	(void)q;
	pmon_text_str(sql, "SELECT DISTINCT object, counter FROM pmon_series");
}

static void
put_series(const struct pmon_query *q, const char *where, struct pmon_text *sql)
{
	(void)q;
	pmon_text_str(sql, "SELECT id, machine, object, parent, instance, instance_index,\n"
			   " counter, type_word, time_base, scale, size_bytes FROM pmon_series\n");
	pmon_text_str(sql, where);
	pmon_text_str(sql, " ORDER BY path COLLATE \"C\", duplicate, id");
}

static void
put_range(const struct pmon_query *q, struct pmon_text *sql)
{
	(void)q;
	pmon_text_str(sql, "SELECT min(time_from), max(time_to) FROM pmon_push");
}

// Before the first batch that is not in the sums; without any that is there are no sums.
static void
put_hours_end(const struct pmon_query *q, struct pmon_text *sql)
{
	(void)q;
	pmon_text_str(sql,
		      "SELECT coalesce((SELECT min(time_from) FROM pmon_push\n"
		      "  WHERE rollup IS DISTINCT FROM 0),\n"
		      " CASE WHEN EXISTS (SELECT FROM pmon_push WHERE rollup = 0) THEN " PG_LAST
		      "\n  ELSE 0 END)");
}

static void
put_ids(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "ARRAY[");
	for (size_t i = 0; i < what->n; i++) {
		pmon_text_str(sql, i > 0 ? ", " : "");
		pmon_text_str(sql, q->ids[what->series[i]]);
	}
	pmon_text_str(sql, "]::bigint[]");
}

static void
put_time(pmon_time time, const char *none, struct pmon_text *sql)
{
	if (time != PMON_TIME_NONE)
		pmon_text_i64(sql, time);
	else
		pmon_text_str(sql, none);
}

static void
put_bounds(pmon_time from, pmon_time to, struct pmon_text *sql)
{
	put_time(from, PG_FIRST, sql);
	pmon_text_str(sql, ", ");
	put_time(to, PG_LAST, sql);
}

static void
put_values(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT series, nth, sample_100ns, time_100ns, value, status\n"
			   "FROM pmon_values(");
	put_bounds(what->from, what->to, sql);
	pmon_text_str(sql, ") WHERE series = ANY(");
	put_ids(q, what, sql);
	pmon_text_str(sql, ")\nORDER BY sample_100ns, nth");
}

// ---- Sums of a range ------------------------------------------------------------------------

// Of raw values.
static void
put_raw_sums(pmon_time from, pmon_time to, struct pmon_text *sql)
{
	pmon_text_str(sql, "pmon_sums(");
	put_bounds(from, to, sql);
	pmon_text_str(sql, ", 0)");
}

// "SELECT begin AS hour, * FROM pmon_sums(...) WHERE series = ANY(...)"
static void
put_part_head(pmon_time from, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT ");
	put_time(from, PG_FIRST, sql);
	pmon_text_str(sql, " AS hour, * FROM ");
}

static void
put_part_tail(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "\n WHERE series = ANY(");
	put_ids(q, what, sql);
	pmon_text_char(sql, ')');
}

// Whole hours, and raw values before and after them.
static void
put_parts(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_char(sql, '(');
	put_part_head(what->hours_from, sql);
	pmon_text_str(sql, "pmon_hour_sums(");
	put_bounds(what->hours_from, what->hours_to - 1, sql);
	pmon_text_char(sql, ')');
	put_part_tail(q, what, sql);
	if (what->from != PMON_TIME_NONE && what->from < what->hours_from) {
		pmon_text_str(sql, "\nUNION ALL ");
		put_part_head(what->from, sql);
		put_raw_sums(what->from, what->hours_from - 1, sql);
		put_part_tail(q, what, sql);
	}
	if (what->to == PMON_TIME_NONE || what->to >= what->hours_to) {
		pmon_text_str(sql, "\nUNION ALL ");
		put_part_head(what->hours_to, sql);
		put_raw_sums(what->hours_to, what->to, sql);
		put_part_tail(q, what, sql);
	}
	pmon_text_str(sql, ") AS p");
}

static void
put_added(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "(SELECT series, path, formula, unit, by_base, divides, f,\n" PG_ADDED
			   "FROM ");
	put_parts(q, what, sql);
	pmon_text_str(sql, "\nGROUP BY series, path, formula, unit, by_base, divides, f)");
}

// The sums of the series, in the range.
static void
put_sums(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	if (what->groups != NULL) {
		pmon_text_str(sql, "(SELECT unnest(");
		put_ids(q, what, sql);
		pmon_text_str(sql, ") AS series, unnest(ARRAY[");
		for (size_t i = 0; i < what->n; i++) {
			pmon_text_str(sql, i > 0 ? ", " : "");
			pmon_text_u64(sql, (uint64_t)what->groups[i] + 1);
		}
		pmon_text_str(sql, "]) AS group_name OFFSET 0) AS g\nJOIN ");
	}
	if (what->hours_to > 0)
		put_added(q, what, sql);
	else
		put_raw_sums(what->from, what->to, sql);
	pmon_text_str(sql, what->groups != NULL ? " AS s USING (series)" : " AS s");
	pmon_text_str(sql, " WHERE s.series = ANY(");
	put_ids(q, what, sql);
	pmon_text_char(sql, ')');
}

// ---- What is asked --------------------------------------------------------------------------

static void
put_names_of_groups(const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "(ARRAY[");
	for (size_t i = 0; i < what->n_groups; i++) {
		pmon_text_str(sql, i > 0 ? ", " : "");
		put_quoted(sql, (struct pmon_span){what->names[i], strlen(what->names[i])});
	}
	pmon_text_str(sql, "])[group_name] AS path");
}

static void
put_averages(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	bool in_groups = what->groups != NULL;

	pmon_text_str(sql, in_groups ? "SELECT group_name, " : "SELECT series, path");
	if (in_groups)
		put_names_of_groups(what, sql);
	pmon_text_str(sql, ", average, status, unit, samples, pairs FROM (\n");
	pmon_pg_put_average_head(sql, in_groups ? "group_name" : "series, path", in_groups);
	put_sums(q, what, sql);
	pmon_pg_put_average_tail(sql, in_groups);
	pmon_text_str(sql, ") AS a");
	if (what->top == 0) {
		pmon_text_str(sql, "\nORDER BY 2");
		return;
	}
	pmon_text_str(sql, "\nWHERE average IS NOT NULL ORDER BY average DESC, 2 LIMIT ");
	pmon_text_u64(sql, what->top);
}

static void
put(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	if (what->what == PMON_QUERY_VALUES)
		put_values(q, what, sql);
	else
		put_averages(q, what, sql);
}

const struct pmon_query_engine pmon_pg_query = {
	.check = check,
	.ask = ask,
	.put_quoted = put_quoted,
	.put_names = put_names,
	.put_series = put_series,
	.put_range = put_range,
	.put_hours_end = put_hours_end,
	.put = put,
};
