// views.c - displayed values and true averages in SQL
// SPDX-License-Identifier: MIT
//
// The views compute what src/core/ computes, in the same order of operations, so that the numbers
// are the same to the last digit. The divisor, width and formula of a type come from the table
// pmon_type, which is generated from the table of counter types. The formulas and rules are those
// of core/sql.h, which other databases use too.
//
// SQLite's integers have 64 bits and overflow to floating point, which typeof() detects. Sums are
// computed for 32-bit halves, because sum() fails on overflow.

#include "format/sqlite/sqlite.h"

#include <pmon/model.h>

#include "core/sql.h"

static const struct pmon_sql_dialect dialect = {
	.no_type = "formula IS NULL",
	.no_older = "first0 IS NULL",
	.is_huge = "((first >> 52) & 2047) >= 1103",
	.raw_status = "status",
};

#define PIECE_SIZE 4096 // of an expression from core/sql.h

static void
append_piece(sqlite3_str *sql, void (*put)(struct pmon_text *, const struct pmon_sql_dialect *))
{
	char buf[PIECE_SIZE];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	put(&text, &dialect);
	sqlite3_str_appendall(sql, buf);
}

static void
append_step(sqlite3_str *sql, const char *wraps, const char *newer, const char *older)
{
	char buf[PIECE_SIZE];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	pmon_sql_put_step(&text, wraps, newer, older);
	sqlite3_str_appendall(sql, buf);
}

// Each raw value as one row of integers, preceded by the start value of its process, to pair with.
static const char view_raw[] =
	"CREATE VIEW pmon_raw AS\n"
	"SELECT d.CounterID AS series, d.Sample AS sample, s.time_100ns AS sample_100ns,\n"
	" s.lead_in AS lead_in, d.Run AS run, d.Time100ns AS time_100ns, d.Status AS status,\n"
	" (d.FirstValueB << 32) | (d.FirstValueA & 4294967295) AS first,\n"
	" (d.SecondValueB << 32) | (d.SecondValueA & 4294967295) AS second,\n"
	" d.MultiCount & 4294967295 AS multi, d.CounterValue AS shown\n"
	"FROM CounterData AS d JOIN pmon_sample AS s ON s.id = d.Sample\n"
	"UNION ALL\n"
	"SELECT b.series, b.sample, s.time_100ns, 1, b.run, b.time_100ns, " PMON_SQL_STARTED ",\n"
	" b.first, b.second, b.multi, 0.0\n"
	"FROM pmon_start AS b JOIN pmon_sample AS s ON s.id = b.sample";

// Each raw value with the usable one before it in its run. Unusable raw values are skipped; after
// an absence of the counter a new run begins.
static const char view_pair_inner[] =
	"SELECT r.*, status IN (" PMON_SQL_USABLE ") AS usable,\n"
	" status IN (" PMON_SQL_CHANGED ") AND lag(status) OVER w IS NOT " PMON_SQL_STARTED
	" AS changed,\n"
	" lag(first) OVER w AS first0, lag(second) OVER w AS second0\n"
	"FROM pmon_raw AS r\n"
	"WINDOW w AS (PARTITION BY series, run, status IN (" PMON_SQL_USABLE ") ORDER BY sample,\n"
	" lead_in DESC)";

// new - old as the nearest REAL, even if the difference needs 64 bits.
#define DIFFERENCE(new, old)                                                                                                             \
	"CASE WHEN typeof(" new " - " old                                                                                                \
				") = 'integer' THEN CAST(" new " - " old " AS REAL)\n"                                                   \
							       "  ELSE (((((" new " >> 32) - "                                           \
										  "(" old                                                \
										  " >> 32)) * "                                          \
										  "2147483648)\n"                                        \
										  "   + (((" new " & 4294967295) - (" old                \
												 " & 4294967295)) >> 1))\n"              \
												 "   | (((" new " & 4294967295) - (" old \
														" & 4294967295)) & 1)) * 2.0 END"

// Convert a time in 100 ns to ISO 8601, and back. Times in text must be UTC.
#define ISO(time)                                                                                  \
	"rtrim(rtrim(strftime('%Y-%m-%dT%H:%M:%S', " time " / 10000000 - 11644473600, "            \
	"'unixepoch')\n"                                                                           \
	"  || printf('.%07d', " time " % 10000000), '0'), '.') || 'Z'"
#define FROM_ISO(text)                                                                             \
	"((CAST(strftime('%s', substr(" text ", 1, 19)) AS INTEGER) + 11644473600) * 10000000\n"   \
	"  + CASE WHEN substr(" text ", 20, 1) = '.'\n"                                            \
	"    THEN CAST(substr(rtrim(substr(" text ", 21), 'Z') || '0000000', 1, 7) AS INTEGER)\n"  \
	"    ELSE 0 END)"

// Is a time in the window of a row?
#define IN_WINDOW(time, row)                                                                       \
	"(" row ".time_from IS NULL OR " time                                                      \
	" >= " FROM_ISO(row ".time_from") ")\n AND (" row ".time_to IS NULL OR " time              \
					  " <= " FROM_ISO(row ".time_to") ")"

// Sums of halves as the nearest REAL; beyond 64 bits the last digit may differ.
#define TOTAL(high, low)                                                                           \
	"CASE WHEN " high " + (" low " >> 32) BETWEEN -2147483648 AND 2147483647\n"                \
	"  THEN CAST((" high " + (" low " >> 32)) * 4294967296 + (" low                            \
	" & 4294967295) AS REAL)\n"                                                                \
	"  ELSE " high " * 4294967296.0 + " low " END"

// Each raw value with its operands: the steps, n, d, f and b, and its status except for what
// depends on its value.
static void
append_view_pair(sqlite3_str *sql)
{
	sqlite3_str_appendall(sql, "CREATE VIEW pmon_pair AS\nSELECT *, ");
	append_piece(sql, pmon_sql_put_status);
	sqlite3_str_appendf(
		sql,
		" AS status0,\n"
		" CASE formula WHEN 'double' THEN shown\n"
		"  WHEN 'elapsed' THEN CASE WHEN first = 0 THEN 0.0 ELSE\n  %s END\n"
		"  WHEN 'count' THEN CAST(first AS REAL) WHEN 'fraction' THEN CAST(first AS REAL)\n"
		"  ELSE CASE WHEN n_step = 1 THEN CAST(first - first0 + 4294967296 AS REAL)\n"
		"   ELSE %s END END AS n,\n"
		" CASE WHEN is_single THEN CAST(second AS REAL)\n"
		"  WHEN d_step = 1 THEN CAST(second - second0 + 4294967296 AS REAL)\n"
		"  ELSE %s END AS d,\n"
		" CAST(time_base AS REAL) AS f, CAST(multi AS REAL) AS b\n"
		"FROM (SELECT p.*, c.path AS path, c.time_base AS time_base, t.formula AS "
		"formula,\n"
		" c.unit AS unit, t.is_single AS is_single, t.divides AS divides,\n"
		" t.by_base AS by_base, t.needs_ticks AS needs_ticks,\n ",
		DIFFERENCE("second", "first"), DIFFERENCE("first", "first0"),
		DIFFERENCE("second", "second0"));
	append_step(sql,
		    "CASE WHEN t.formula = 'delta' THEN 0 WHEN c.size_bytes = 0 THEN t.wraps\n"
		    "   ELSE c.size_bytes = 4 END",
		    "first", "first0");
	sqlite3_str_appendall(sql, " AS n_step,\n ");
	append_step(sql, "t.base_wraps", "second", "second0");
	sqlite3_str_appendf(sql,
			    " AS d_step\n"
			    "FROM (%s) AS p\n"
			    "JOIN pmon_series AS c ON c.id = p.series\n"
			    "LEFT JOIN pmon_type AS t ON t.word = c.type_word)",
			    view_pair_inner);
}

// The displayed values. Their status is that of the pair, unless the value changes it.
static void
append_view_displayed(sqlite3_str *sql)
{
	sqlite3_str_appendall(sql, "CREATE VIEW pmon_displayed AS\n"
				   "SELECT series, path, sample, " ISO(
					   "time_100ns") " AS time,\n"
							 " time_100ns, sample_100ns,\n"
							 " ");
	sqlite3_str_appendf(sql,
			    "%s AS value,\n"
			    " status1 AS status, unit\n"
			    "FROM (SELECT *, %s AS status1\n"
			    " FROM (SELECT *, ",
			    pmon_sql_number_of_x, pmon_sql_status_of_x);
	append_piece(sql, pmon_sql_put_formula);
	sqlite3_str_appendall(sql, " AS x\n FROM pmon_pair WHERE NOT lead_in))");
}

// The terms of averages, by pair: n in halves and, for non-integer types, in units of 2^-20 with
// the remainder; d in halves. For fractions d is the whole, and the part is in ph and pl.
static const char view_part[] =
	"SELECT *, CASE WHEN good AND NOT is_real THEN\n"
	"   CASE WHEN is_single THEN first >> 32\n"
	"    ELSE (first >> 32) - (first0 >> 32) + (n_step = 1) END\n"
	"  WHEN good AND abs(y) < 4398046511104.0 THEN CAST(y * 1048576.0 AS INTEGER) >> 32\n"
	"  ELSE 0 END AS nh,\n"
	" CASE WHEN good AND NOT is_real THEN\n"
	"   CASE WHEN is_single THEN first & 4294967295\n"
	"    ELSE (first & 4294967295) - (first0 & 4294967295) END\n"
	"  WHEN good AND abs(y) < 4398046511104.0 THEN\n"
	"   CAST(y * 1048576.0 AS INTEGER) & 4294967295\n"
	"  ELSE 0 END AS nl,\n"
	" CASE WHEN good AND is_real THEN CASE WHEN abs(y) < 4398046511104.0\n"
	"    THEN y * 1048576.0 - CAST(y * 1048576.0 AS INTEGER) ELSE y * 1048576.0 END\n"
	"  ELSE 0.0 END AS nr,\n"
	" CASE WHEN good AND divides\n"
	"   THEN (second >> 32) - (second0 >> 32) + (d_step = 1)\n"
	"  WHEN good AND has_part THEN second >> 32 ELSE 0 END AS dh,\n"
	" CASE WHEN good AND divides\n"
	"   THEN (second & 4294967295) - (second0 & 4294967295)\n"
	"  WHEN good AND has_part THEN second & 4294967295 ELSE 0 END AS dl,\n"
	" CASE WHEN good AND has_part THEN first >> 32 ELSE 0 END AS ph,\n"
	" CASE WHEN good AND has_part THEN first & 4294967295 ELSE 0 END AS pl\n"
	"FROM (SELECT *, formula IN ('double', 'fraction') AS is_real,\n"
	"  formula = 'fraction' AND second > 0 AS has_part, ";

static const char view_part_end[] =
	" AS good,\n"
	"  CASE WHEN formula = 'double' THEN n WHEN formula <> 'fraction' THEN NULL\n"
	"   WHEN second = 0 THEN 0.0 ELSE " PMON_SQL_FRACTION " END AS y\n"
	" FROM pmon_pair WHERE NOT lead_in) AS p";

// The intervals of a disk latency, as in src/query/latency.c: their length, the operations per
// second, and the seconds that these took per second. l is the row of pmon_mean, s the sample at
// the end of the interval, r the value of the rate, and q that of the queue length or, without one,
// of the latency.
#define LENGTH                                                                                     \
	"(SELECT s.time_100ns - p.time_100ns FROM pmon_sample AS p\n"                              \
	"    WHERE p.stream = s.stream AND p.id < s.id ORDER BY p.id DESC LIMIT 1)"
#define NEXT_LENGTH                                                                                \
	"(SELECT p.time_100ns - s.time_100ns FROM pmon_sample AS p\n"                              \
	"    WHERE p.stream = s.stream AND p.id > s.id AND p.time_100ns > s.time_100ns\n"          \
	"    ORDER BY p.id LIMIT 1)"
#define OPERATIONS "r.CounterValue"
#define SECONDS    "q.CounterValue * CASE WHEN l.queue IS NULL THEN r.CounterValue ELSE 1.0 END"

// Is a displayed value a number that is not negative? Not if it is 2^80 or more.
#define IS_NUMBER(v)                                                                               \
	v ".Status IN (" PMON_SQL_USABLE ") AND (" v ".FirstValueB >> 20) & 2047 < 1103 AND " v    \
	  ".CounterValue >= 0"
#define BOUND "1208925819614629174706176.0" // 2^80

static void
append_intervals(sqlite3_str *sql)
{
	static const char tables[] =
		"FROM pmon_mean AS l CROSS JOIN CounterData AS r ON r.CounterID = l.rate\n"
		"    CROSS JOIN pmon_sample AS s ON s.id = r.Sample\n"
		"    CROSS JOIN CounterData AS q ON q.CounterID = ifnull(l.queue, l.series)\n"
		"     AND q.RecordIndex = r.RecordIndex AND q.GUID = r.GUID\n"
		"   WHERE l.series = a.series AND NOT s.lead_in";

	sqlite3_str_appendall(sql, tables);
	sqlite3_str_appendall(sql, "\n    AND " IS_NUMBER("r"));
	sqlite3_str_appendall(sql, "\n    AND " IS_NUMBER("q"));
	sqlite3_str_appendall(sql, "\n    AND " SECONDS " < " BOUND);
	sqlite3_str_appendall(sql, "\n    AND " IN_WINDOW("s.time_100ns", "a"));
}

// The sum of one of these over the intervals of a latency, a.series, from a.time_from to a.time_to;
// NULL if there are none. The interval of a log's first value is unknown, and is assumed to be as
// long as the next. For all other counters this is a search in the key of pmon_mean.
static void
append_latency_sum(sqlite3_str *sql, const char *what)
{
	sqlite3_str_appendf(sql,
			    "(SELECT CASE WHEN count(*) > 0 THEN\n"
			    "   total(CASE WHEN length > 0 THEN y * (length / 1e7) END)\n"
			    "   + CASE WHEN min(CASE WHEN ifnull(length, 0) <= 0 THEN sample END) "
			    "IS NULL THEN 0.0\n"
			    "    ELSE y * (ifnull(next_length, 10000000) / 1e7) END END\n"
			    "  FROM (SELECT s.id AS sample, %s AS y,\n   " LENGTH
			    " AS length,\n   " NEXT_LENGTH " AS next_length\n   ",
			    what);
	append_intervals(sql);
	sqlite3_str_appendall(sql, "))");
}

// The sums of a counter in a window. If several rows are grouped, the columns that are not summed
// are those of the newest usable one, as SQLite guarantees for max().
static void
append_counter_sums(sqlite3_str *sql, bool in_groups)
{
	sqlite3_str_appendf(
		sql,
		"SELECT w.name AS window_name, w.time_from AS time_from, w.time_to AS time_to,\n"
		" q.series AS series, path%s, formula, unit, by_base, "
		"divides,\n"
		" max(CASE WHEN usable AND (formula <> 'elapsed' OR status0 = 'ok') THEN sample "
		"END)\n"
		"  AS newest,\n"
		" n AS last_n, f, b, count(*) AS samples, sum(good) AS pairs, 1 AS members,\n"
		" total(good AND (n_step = 1 AND NOT is_single OR divides AND d_step = 1)) > 0\n"
		"  AS wrapped,\n"
		" sum(nh) AS nh, sum(nl) AS nl, sum(nr) AS nr, sum(dh) AS dh, sum(dl) AS dl,\n"
		" sum(ph) AS ph, sum(pl) AS pl\n"
		"FROM pmon_window AS w%s JOIN (",
		in_groups ? ", g.name AS group_name" : "",
		in_groups ? " JOIN (SELECT DISTINCT name, series FROM pmon_group) AS g" : "");
	sqlite3_str_appendall(sql, view_part);
	append_piece(sql, pmon_sql_put_good);
	sqlite3_str_appendall(sql, view_part_end);
	sqlite3_str_appendall(sql, ") AS q\n ON " IN_WINDOW("q.sample_100ns", "w"));
	sqlite3_str_appendall(sql, in_groups ? " AND g.series = q.series\nGROUP BY w.name, g.name, "
					     : "\nGROUP BY w.name, ");
	sqlite3_str_appendall(sql, "q.series");
}

// Add the quality of the mean of displayed values, and what replaces that of a latency.
static void
append_sums(sqlite3_str *sql, bool in_groups)
{
	sqlite3_str_appendf(sql,
			    "SELECT a.*,\n"
			    " ifnull((SELECT %s FROM pmon_mean AS l WHERE l.series = a.series), %d)"
			    " AS kind,\n ",
			    in_groups ? "l.group_kind" : "l.kind", PMON_AVERAGE_TRUE);
	append_latency_sum(sql, SECONDS);
	sqlite3_str_appendall(sql, " AS seconds,\n ");
	append_latency_sum(sql, OPERATIONS);
	sqlite3_str_appendall(sql, " AS operations\nFROM (");
	append_counter_sums(sql, in_groups);
	sqlite3_str_appendall(sql, ") AS a");
}

// The sums of the members of a group. Timers with several units weight their time by the number of
// units. A group's average is per operation if the operations of each member are known.
static void
append_group_sums(sqlite3_str *sql)
{
	sqlite3_str_appendall(
		sql,
		"SELECT window_name, group_name, formula, unit, by_base, divides, f,\n"
		" max(CASE WHEN pairs > 0 THEN last_n END) AS last_n,\n"
		" total((dh * 4294967296.0 + dl) * b) / total(dh * 4294967296.0 + dl) AS b,\n"
		" sum(samples) AS samples, sum(pairs) AS pairs, sum(pairs > 0) AS members,\n"
		" max(wrapped) AS wrapped, sum(nh) AS nh, sum(nl) AS nl, sum(nr) AS nr,\n"
		" sum(dh) AS dh, sum(dl) AS dl, sum(ph) AS ph, sum(pl) AS pl,\n"
		" max(kind) AS kind,\n"
		" CASE WHEN count(operations) = count(*) THEN sum(seconds) END AS seconds,\n"
		" CASE WHEN count(operations) = count(*) THEN sum(operations) END AS operations\n"
		"FROM (");
	append_sums(sql, true);
	sqlite3_str_appendall(sql, ")\nGROUP BY window_name, group_name, formula, unit, by_base, "
				   "divides, f");
}

// The sums as operands, and the status except for what depends on the average.
static void
append_operands(sqlite3_str *sql, bool in_groups)
{
	sqlite3_str_appendf(sql,
			    "SELECT *, %s AS n,\n %s AS status0\n"
			    "FROM (SELECT *, (total_n + nr) / 1048576.0 AS real_n\n"
			    "FROM (SELECT *, %s AS total_n, %s AS d, %s AS part_n\n FROM (",
			    pmon_sql_average_n, pmon_sql_average_status, TOTAL("nh", "nl"),
			    TOTAL("dh", "dl"), TOTAL("ph", "pl"));
	if (in_groups)
		append_group_sums(sql);
	else
		append_sums(sql, false);
	sqlite3_str_appendall(sql, ")))");
}

static void
append_kind(sqlite3_str *sql)
{
	sqlite3_str_appendf(sql, "CASE WHEN operations IS NOT NULL THEN '%s'",
			    pmon_average_kind_name(PMON_AVERAGE_DERIVED));
	for (int kind = PMON_AVERAGE_TRUE; kind < PMON_AVERAGE_DERIVED; kind++)
		sqlite3_str_appendf(sql, " WHEN kind = %d THEN '%s'", kind,
				    pmon_average_kind_name((enum pmon_average_kind)kind));
	sqlite3_str_appendall(sql, " END AS average_kind\n");
}

static void
append_averages(sqlite3_str *sql, const char *view, const char *who, bool in_groups)
{
	sqlite3_str_appendf(
		sql,
		"CREATE VIEW %s AS\n"
		"SELECT window_name, %s,\n"
		" CASE WHEN operations > 0 THEN seconds / operations ELSE %s END AS average,\n"
		" CASE WHEN operations > 0 THEN 'ok' ELSE status1 END AS status,\n"
		" unit, samples, pairs,\n ",
		view, who, pmon_sql_number_of_x);
	append_kind(sql);
	sqlite3_str_appendf(sql,
			    "FROM (SELECT *, %s AS status1\n"
			    " FROM (SELECT *, ",
			    pmon_sql_status_of_x);
	append_piece(sql, pmon_sql_put_average);
	sqlite3_str_appendall(sql, " AS x\n FROM (");
	append_operands(sql, in_groups);
	sqlite3_str_appendall(sql, ")))");
}

// Averages by counter and window.
static void
append_view_average(sqlite3_str *sql)
{
	append_averages(sql, "pmon_average", "series, path", false);
}

static void
append_view_group_average(sqlite3_str *sql)
{
	append_averages(sql, "pmon_group_average", "group_name", true);
}

static int
make_view(sqlite3 *db, sqlite3_str *sql)
{
	char *text = sqlite3_str_finish(sql);
	int rc = text != NULL ? sqlite3_exec(db, text, NULL, NULL, NULL) : SQLITE_NOMEM;

	sqlite3_free(text);
	return rc;
}

int
pmon_sqlite_make_views(sqlite3 *db)
{
	static void (*const views[])(sqlite3_str *) = {
		append_view_pair,
		append_view_displayed,
		append_view_average,
		append_view_group_average,
	};
	int rc = sqlite3_exec(db, view_raw, NULL, NULL, NULL);

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(views) / sizeof(views[0]); i++) {
		sqlite3_str *sql = sqlite3_str_new(db);

		views[i](sql);
		rc = make_view(db, sql);
	}
	return rc;
}
