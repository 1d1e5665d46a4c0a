// query.c - ask ClickHouse for values and averages
// SPDX-License-Identifier: MIT

#include "push/query.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "push/clickhouse/engine.h"
#include "push/clickhouse/rollup.h"

#define ANSWER_MAX ((size_t)1 << 30)
#define ALL_TIMES  9000000000000000000

// Older servers move a condition into a view only with this setting.
#define CH_PUSH_DOWN "\nSETTINGS enable_optimize_predicate_expression = 1"

static const struct ch_engine *
engine_of(const struct pmon_query *q)
{
	return (const struct ch_engine *)q->push;
}

// ---- Answers --------------------------------------------------------------------------------

// Undo the escapes of a cell in its place.
static struct pmon_span
unescaped(char *text, size_t len)
{
	static const char escapes[] = "bfnrt0";
	static const char meant[] = "\b\f\n\r\t";
	size_t n = 0;

	if (len == 2 && text[0] == '\\' && text[1] == 'N')
		return (struct pmon_span){NULL, 0};
	for (size_t i = 0; i < len; i++) {
		const char *found = NULL;

		if (text[i] == '\\' && i + 1 < len)
			found = strchr(escapes, text[++i]);
		text[n++] = found != NULL ? meant[found - escapes] : text[i];
	}
	return (struct pmon_span){text, n};
}

static size_t
count(struct pmon_span text, char c)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		n += text.ptr[i] == c;
	return n;
}

// Cut the answer into cells: tabs between them, a line a row.
static enum pmon_status
cut(struct pmon_query *q, struct pmon_span answer, struct pmon_err *err)
{
	struct pmon_query_cells *cells = &q->cells;
	const char *line_end = answer.len > 0 ? memchr(answer.ptr, '\n', answer.len) : NULL;
	char *at = (char *)(uintptr_t)answer.ptr; // the buffer is that of our own connection
	char *end = at + answer.len;
	size_t n = 0;

	cells->n_rows = count(answer, '\n');
	cells->n_columns = 0;
	if (line_end == NULL)
		return PMON_OK;
	cells->n_columns =
		1 + count((struct pmon_span){answer.ptr, (size_t)(line_end - answer.ptr)}, '\t');
	if (!pmon_mem_grow(q->push->allocator, &cells->list, &cells->cap,
			   cells->n_rows * cells->n_columns, sizeof(*cells->list)))
		return pmon_err_nomem(err);
	while (at < end && n < cells->n_rows * cells->n_columns) {
		char *stop = at;

		while (stop < end && *stop != '\t' && *stop != '\n')
			stop++;
		cells->list[n++] = unescaped(at, (size_t)(stop - at));
		at = stop + 1;
	}
	return n == cells->n_rows * cells->n_columns
		       ? PMON_OK
		       : pmon_err_set(err, PMON_E_FORMAT, 0, "ClickHouse answers with rows of %s",
				      "different lengths");
}

static enum pmon_status
ask(struct pmon_query *q, const char *sql, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)q->push;
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	e->answer_max = ANSWER_MAX;
	status = pmon_ch_run(e, 0, sql, &answer, err);
	if (status == PMON_E_LIMIT)
		return pmon_err_set(err, status, 0,
				    "the answer is longer than 1 GiB; choose fewer counters with "
				    "-c, or a shorter time with --from and --to");
	return status == PMON_OK ? cut(q, answer, err) : status;
}

// ---- Is it there? ---------------------------------------------------------------------------

static enum pmon_status
ask_number(struct pmon_query *q, const char *sql, long long *out, struct pmon_err *err)
{
	enum pmon_status status = ask(q, sql, err);
	char text[32];

	*out = 0;
	if (status != PMON_OK || q->cells.n_rows == 0 || q->cells.list[0].ptr == NULL)
		return status;
	(void)snprintf(text, sizeof(text), "%.*s", (int)q->cells.list[0].len, q->cells.list[0].ptr);
	(void)sscanf(text, "%lld", out);
	return status;
}

static enum pmon_status
check_versions(struct pmon_query *q, const char *database, struct pmon_err *err)
{
	char sql[256];
	long long keys = 0;
	long long views = 0;
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql), "SELECT keys FROM %s." CH_VERSION_VIEW, database);
	status = ask_number(q, sql, &keys, err);
	(void)snprintf(sql, sizeof(sql), "SELECT views FROM %s." CH_VERSION_VIEW, database);
	if (status == PMON_OK)
		status = ask_number(q, sql, &views, err);
	if (status != PMON_OK)
		return status;
	if (keys > PMON_PUSH_KEYS_VERSION)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the database %s was made by a newer pmon (keys of version "
				    "%lld); query it with that one",
				    database, keys);
	if (views < CH_VIEWS_VERSION)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the views in the database %s are of version %lld, and this "
				    "pmon needs %d; pmon push of any log makes them anew",
				    database, views, CH_VIEWS_VERSION);
	return PMON_OK;
}

// Where the tables are over those of a cluster, subqueries have to be made once for all of it.
static enum pmon_status
check_cluster(struct pmon_query *q, const char *database, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)q->push;
	char sql[256];
	long long n = 0;
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql),
		       "SELECT count() FROM system.tables WHERE database = '%s' AND name = "
		       "'pmon_raw' AND engine = 'Distributed'",
		       database);
	status = ask_number(q, sql, &n, err);
	if (n > 0 && e->place.cluster[0] == '\0')
		memcpy(e->place.cluster, "any", sizeof("any"));
	return status;
}

static enum pmon_status
check(struct pmon_query *q, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)q->push;
	const char *database = e->place.database;
	char sql[256];
	long long n = 0;
	struct pmon_err why;
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql), "SELECT count() FROM system.databases WHERE name = '%s'",
		       database);
	status = ask_number(q, sql, &n, err);
	if (status == PMON_OK && n == 0)
		return pmon_err_set(err, PMON_E_NOTFOUND, 0,
				    "there is no database %s; pmon push makes it", database);
	(void)snprintf(sql, sizeof(sql),
		       "SELECT count() FROM system.tables WHERE database = '%s' AND name = "
		       "'" CH_VERSION_VIEW "'",
		       database);
	if (status == PMON_OK)
		status = ask_number(q, sql, &n, err);
	if (status == PMON_OK && n == 0)
		return pmon_err_set(err, PMON_E_NOTFOUND, 0,
				    "the database %s has no tables of this pmon; pmon push makes "
				    "them",
				    database);
	if (status == PMON_OK)
		status = ask_number(q, "SELECT toUInt32OrZero(splitByChar('.', version())[1]) < 20",
				    &n, err);
	if (status == PMON_OK)
		status = check_cluster(q, database, err);
	// Who may only read may not set this either; then whole tables are read.
	e->is_old = status == PMON_OK && n != 0 &&
		    ask_number(q, "SELECT 1" CH_PUSH_DOWN, &n, &why) == PMON_OK;
	return status == PMON_OK ? check_versions(q, database, err) : status;
}

// ---- Statements -----------------------------------------------------------------------------

static void
put_name(const struct pmon_query *q, const char *name, struct pmon_text *sql)
{
	pmon_ch_put_name(&engine_of(q)->place, name, false, sql);
}

static void
put_names(const struct pmon_query *q, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT DISTINCT object, counter FROM ");
	put_name(q, "pmon_series", sql);
}

static void
put_series(const struct pmon_query *q, const char *where, struct pmon_text *sql)
{
	pmon_text_str(sql,
		      "SELECT key, any(machine), any(object), any(parent),\n"
		      " if(any(has_instance) = 1, any(instance), NULL), any(instance_index),\n"
		      " any(counter), any(type), any(time_base), any(scale), any(size)\nFROM ");
	put_name(q, "pmon_series", sql);
	pmon_text_char(sql, '\n');
	pmon_text_str(sql, where);
	pmon_text_str(sql, " GROUP BY key ORDER BY any(path), any(duplicate), key");
}

static void
put_range(const struct pmon_query *q, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT min(time_from), max(time_to) FROM ");
	put_name(q, "pmon_push", sql);
	pmon_text_str(sql, " HAVING count() > 0");
}

static void
put_hours_end(const struct pmon_query *q, struct pmon_text *sql)
{
	pmon_ch_put_hours_end(&engine_of(q)->place, sql);
}

static void
put_ids(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	for (size_t i = 0; i < what->n; i++) {
		pmon_text_str(sql, i > 0 ? ", '" : "'");
		pmon_text_str(sql, q->ids[what->series[i]]);
		pmon_text_char(sql, '\'');
	}
}

// ---- Ranges ---------------------------------------------------------------------------------

struct asked {
	const struct pmon_query *q;
	const struct pmon_query_ask *what;
};

static void
put_asked(const void *ctx, struct pmon_text *sql)
{
	const struct asked *asked = ctx;

	put_ids(asked->q, asked->what, sql);
}

typedef void (*put_range_fn)(const struct ch_place *place, const struct ch_range *range,
			     struct pmon_text *sql);

// What is asked, from one time to another. Neither is known: all times.
static void
put_in_range(const struct asked *asked, pmon_time from, pmon_time to, put_range_fn put_it,
	     struct pmon_text *sql)
{
	char texts[2][48];
	const struct ch_range range = {texts[0], texts[1], put_asked, asked, true};

	(void)snprintf(texts[0], sizeof(texts[0]), "toInt64(%lld)",
		       from != PMON_TIME_NONE ? (long long)from : -ALL_TIMES);
	(void)snprintf(texts[1], sizeof(texts[1]), "toInt64(%lld)",
		       to != PMON_TIME_NONE ? (long long)to : ALL_TIMES);
	put_it(&engine_of(asked->q)->place, &range, sql);
}

static bool
is_of_all_times(const struct pmon_query_ask *what)
{
	return what->from == PMON_TIME_NONE && what->to == PMON_TIME_NONE;
}

static void
put_where(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "\nWHERE series IN (");
	put_ids(q, what, sql);
	pmon_text_char(sql, ')');
}

// Whole hours, and raw values before and after them.
static void
put_parts(const struct asked *asked, struct pmon_text *sql)
{
	const struct pmon_query_ask *what = asked->what;

	pmon_ch_put_added(sql);
	pmon_text_char(sql, '(');
	put_in_range(asked, what->hours_from, what->hours_to - PMON_HOUR_100NS,
		     pmon_ch_put_hours_part, sql);
	if (what->from != PMON_TIME_NONE && what->from < what->hours_from) {
		pmon_text_str(sql, "\nUNION ALL ");
		put_in_range(asked, what->from, what->hours_from - 1, pmon_ch_put_part, sql);
	}
	if (what->to == PMON_TIME_NONE || what->to >= what->hours_to) {
		pmon_text_str(sql, "\nUNION ALL ");
		put_in_range(asked, what->hours_to, what->to, pmon_ch_put_part, sql);
	}
	pmon_text_char(sql, ')');
}

// The sums of each series.
static void
put_sums(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	const struct asked asked = {q, what};

	if (what->hours_to > 0) {
		put_parts(&asked, sql);
		return;
	}
	pmon_ch_put_sums(sql);
	if (is_of_all_times(what)) {
		put_name(q, "pmon_pair", sql);
		put_where(q, what, sql);
		return;
	}
	pmon_text_char(sql, '(');
	put_in_range(&asked, what->from, what->to, pmon_ch_put_pairs_in, sql);
	pmon_text_char(sql, ')');
}

// ---- What is asked --------------------------------------------------------------------------

static void
put_values(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	const struct asked asked = {q, what};

	pmon_text_str(sql, "SELECT series, nth, time, raw_time, value, status FROM ");
	if (is_of_all_times(what)) {
		put_name(q, "pmon_displayed", sql);
		put_where(q, what, sql);
	} else {
		pmon_text_char(sql, '(');
		put_in_range(&asked, what->from, what->to, pmon_ch_put_displayed_in, sql);
		pmon_text_char(sql, ')');
	}
	pmon_text_str(sql, "\nORDER BY time, nth");
}

static void
put_top(const struct pmon_query_ask *what, struct pmon_text *sql)
{
	if (what->top == 0) {
		pmon_text_str(sql, "\nORDER BY path");
		return;
	}
	pmon_text_str(sql, "\nORDER BY average DESC, path LIMIT ");
	pmon_text_u64(sql, what->top);
}

static void
put_averages(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT series, path, average, status, unit, samples, pairs FROM (\n");
	pmon_ch_put_average_head(sql);
	put_sums(q, what, sql);
	pmon_ch_put_average_tail(sql);
	pmon_text_str(sql, ") AS a\nALL INNER JOIN (SELECT key AS series, any(path) AS path FROM ");
	put_name(q, "pmon_series", sql);
	pmon_text_str(sql, " WHERE key IN (");
	put_ids(q, what, sql);
	pmon_text_str(sql, ") GROUP BY key) AS p USING series");
	put_top(what, sql);
}

// The number of the group of a series; groups are numbered from 1.
static void
put_group_of(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "transform(toString(series), [");
	put_ids(q, what, sql);
	pmon_text_str(sql, "], [");
	for (size_t i = 0; i < what->n; i++) {
		pmon_text_str(sql, i > 0 ? ", " : "");
		pmon_text_u64(sql, (uint64_t)what->groups[i] + 1);
	}
	pmon_text_str(sql, "], 0)");
}

static void
put_name_of_group(const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "transform(group_name, [");
	for (size_t i = 0; i < what->n_groups; i++) {
		pmon_text_str(sql, i > 0 ? ", " : "");
		pmon_text_u64(sql, i + 1);
	}
	pmon_text_str(sql, "], [");
	for (size_t i = 0; i < what->n_groups; i++) {
		pmon_text_str(sql, i > 0 ? ", " : "");
		pmon_ch_put_quoted(sql, (struct pmon_span){what->names[i], strlen(what->names[i])});
	}
	pmon_text_str(sql, "], '')");
}

static void
put_groups(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT * FROM (SELECT group_name, ");
	put_name_of_group(what, sql);
	pmon_text_str(sql, " AS path,\n average, status, unit, samples, pairs FROM (\n");
	pmon_ch_put_group_average_head(sql);
	put_group_of(q, what, sql);
	pmon_ch_put_group_average_middle(sql);
	put_sums(q, what, sql);
	pmon_ch_put_group_average_tail(sql);
	pmon_text_str(sql, "))");
	put_top(what, sql);
}

static void
put(const struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_text *sql)
{
	if (what->what == PMON_QUERY_VALUES)
		put_values(q, what, sql);
	else if (what->groups == NULL)
		put_averages(q, what, sql);
	else
		put_groups(q, what, sql);
	// Ranges name their series where they read them. The setting would make the statement take three times as long.
	pmon_text_str(sql, engine_of(q)->is_old && is_of_all_times(what) && what->hours_to == 0
				   ? CH_PUSH_DOWN
				   : "");
}

const struct pmon_query_engine pmon_ch_query = {
	.check = check,
	.ask = ask,
	.put_quoted = pmon_ch_put_quoted,
	.put_names = put_names,
	.put_series = put_series,
	.put_range = put_range,
	.put_hours_end = put_hours_end,
	.put = put,
};
