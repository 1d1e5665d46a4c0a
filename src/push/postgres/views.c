// views.c - displayed values and true averages in PostgreSQL
// SPDX-License-Identifier: MIT
//
// The views compute what src/core/ computes, by the formulas and rules of core/sql.h, so that numbers
// are the same to the last digit; names and columns are those of the database files of SQLite.
//
// Here dividing by zero is an error, and so is an integer that is too large: denominators of 0 are NULL
// where a formula sees them, and differences that need more than 64 bits are of type numeric. Sums are
// numeric and exact: of integers as they are, of other numbers in units of 2^-112, as in core/sum.h.
//
// What several expressions need is computed once, in LATERAL (SELECT ... OFFSET 0): the planner would put
// it into each of them, and compile that.

#include "push/postgres/postgres.h"

#include "core/sql.h"

static const struct pmon_sql_dialect dialect = {
	.no_type = "formula IS NULL",
	.no_older = "first0 IS NULL",
	.is_huge = "((first >> 52) & 2047) >= 1103",
};

static void
put_all(struct pmon_text *sql, const char *const *pieces)
{
	for (; *pieces != NULL; pieces++)
		pmon_text_str(sql, *pieces);
}

// ---- Functions ------------------------------------------------------------------------------

#define FUNCTION " LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$\n"

static const char *const functions[] = {
	// A moment in 100 ns since 1601 as a time of PostgreSQL, to the microsecond, and as ISO 8601.
	"CREATE OR REPLACE FUNCTION pmon_utc(moment bigint) RETURNS timestamp" FUNCTION
	"SELECT timestamp '1601-01-01' + (moment / 864000000000)::integer * interval '1 day'\n"
	" + (moment % 864000000000 / 10) * interval '1 microsecond'\n"
	"$$",
	"CREATE OR REPLACE FUNCTION pmon_iso(moment bigint) RETURNS text" FUNCTION
	"SELECT rtrim(rtrim(to_char(pmon_utc(moment - moment % 10000000),\n"
	" 'YYYY-MM-DD\"T\"HH24:MI:SS') || '.' || lpad((moment % 10000000)::text, 7, '0'), '0'),\n"
	" '.') || 'Z'\n"
	"$$",
	// And back. Times in text have to be UTC.
	"CREATE OR REPLACE FUNCTION pmon_from_iso(iso text) RETURNS bigint" FUNCTION
	"SELECT (extract(epoch FROM substr(iso, 1, 19)::timestamp)::bigint + 11644473600) * "
	"10000000\n"
	" + CASE WHEN substr(iso, 20, 1) = '.'\n"
	"    THEN rpad(substr(rtrim(iso, 'Z'), 21, 7), 7, '0')::bigint ELSE 0 END\n"
	"$$",
	// The number whose bits, as those of an IEEE double, these are; 0 where it is 2^80 or more.
	"CREATE OR REPLACE FUNCTION pmon_double(bits bigint) RETURNS float8" FUNCTION
	"SELECT CASE WHEN ((bits >> 52) & 2047) >= 1103 THEN 0::float8\n"
	" ELSE (CASE WHEN bits < 0 THEN -1 ELSE 1 END)::float8\n"
	"  * ((bits & 4503599627370495)\n"
	"   + CASE WHEN ((bits >> 52) & 2047) = 0 THEN 0 ELSE 4503599627370496 END)::float8\n"
	"  * power(2::float8, (greatest((bits >> 52) & 2047, 1) - 1075)::float8) END\n"
	"$$",
	// newer - older, where the newer is not smaller, as the nearest double. Of equal signs it fits.
	"CREATE OR REPLACE FUNCTION pmon_difference(newer bigint, older bigint) RETURNS "
	"float8" FUNCTION
	"SELECT CASE WHEN (newer >= 0) = (older >= 0) THEN (newer - older)::float8\n"
	" ELSE (newer::numeric - older)::float8 END\n"
	"$$",
	// One of the two columns that Windows keeps a number of 64 bits in.
	"CREATE OR REPLACE FUNCTION pmon_low(number bigint) RETURNS integer" FUNCTION
	"SELECT ((number << 32) >> 32)::integer\n"
	"$$",
};

#define N_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

// ---- Seams ----------------------------------------------------------------------------------

// The raw values whose process is another one than that of the log before: the first process of
// their log differs from the last one before it.
static void
put_seam(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"SELECT series, sample_100ns, -1 - nth AS nth\n"
		"FROM (SELECT *, lag(first) OVER w AS first0, lag(second) OVER w AS second0,\n"
		"  lag(multi) OVER w AS multi0 FROM pmon_value WHERE nth < 0\n"
		" WINDOW w AS (PARTITION BY series ORDER BY sample_100ns, nth DESC)) AS o\n"
		"WHERE multi & 8 <> 0 AND (multi & 3 = multi0 & 3 AND first <> first0\n"
		" OR multi & multi0 & 4 <> 0 AND abs(second - second0) > " PMON_SQL_SAME_START ")");
}

// ---- Raw values -----------------------------------------------------------------------------

// The number of a run goes up where the counter was absent, if that is what came last.
static void
put_raw(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"SELECT series, sample, sample_100ns,\n"
		" (status IN (" PMON_SQL_STARTED "))::integer AS lead_in,\n"
		" sum(CASE WHEN absent_after <> 0 AND absent_after = older_100ns THEN 1 ELSE 0 "
		"END)\n"
		"  OVER w AS run,\n"
		" time_100ns, status, first, second, multi, pmon_double(first) AS shown, nth\n"
		"FROM (SELECT *, lag(sample_100ns) OVER v AS older_100ns FROM pmon_value\n"
		" WHERE nth >= 0 WINDOW v AS (PARTITION BY series ORDER BY sample_100ns, nth)) AS "
		"r\n"
		"WINDOW w AS (PARTITION BY series ORDER BY sample_100ns, nth)");
}

// Each raw value with the usable one before it in its run. A raw value that is not usable is passed
// over.
static const char older[] =
	"\nFROM (SELECT r.*, status IN (" PMON_SQL_USABLE ") AS usable,\n"
	"  status IN (" PMON_SQL_CHANGED ") OR e.series IS NOT NULL AS changed,\n"
	" lag(first) OVER o AS first0, lag(second) OVER o AS second0\n"
	" FROM pmon_raw AS r LEFT JOIN pmon_seam AS e ON e.series = r.series\n"
	"  AND e.sample_100ns = r.sample_100ns AND e.nth = r.nth\n"
	" WINDOW o AS (PARTITION BY r.series, run, status IN (" PMON_SQL_USABLE ")\n"
	"  ORDER BY r.sample_100ns, r.nth)) AS p\n"
	"JOIN pmon_series AS c ON c.id = p.series\n"
	"LEFT JOIN pmon_type AS t ON t.word = c.type_word\n";

static const char operands[] =
	" CASE formula WHEN 'double' THEN pmon_double(first)\n"
	"  WHEN 'elapsed'\n"
	"   THEN CASE WHEN first = 0 THEN 0::float8 ELSE pmon_difference(second, first) END\n"
	"  WHEN 'count' THEN first::float8 WHEN 'fraction' THEN first::float8\n"
	"  ELSE CASE WHEN n_step = 1 THEN (first - first0 + 4294967296)::float8\n"
	"   ELSE pmon_difference(first, first0) END END AS n,\n"
	" CASE WHEN is_single THEN second::float8\n"
	"  WHEN d_step = 1 THEN (second - second0 + 4294967296)::float8\n"
	"  ELSE pmon_difference(second, second0) END AS d,\n"
	" time_base::float8 AS f, multi::float8 AS b OFFSET 0) AS l\n";

// Each raw value with what it is made of: the steps, the operands n, d, f and b, and its status
// except what depends on its value; and whether its differences can be summed up.
static void
put_pair(struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT p.*, c.path, c.time_base, t.formula, t.unit, t.is_single, "
			   "t.divides,\n t.by_base, t.needs_ticks, k.n_step, k.d_step, s.status0, "
			   "l.n, l.d, l.f, l.b, g.good");
	pmon_text_str(sql, older);
	pmon_text_str(sql, "CROSS JOIN LATERAL (SELECT ");
	pmon_sql_put_step(sql,
			  "CASE WHEN t.formula = 'delta' THEN FALSE\n"
			  "   WHEN c.size_bytes = 0 THEN t.wraps ELSE c.size_bytes = 4 END",
			  "first", "first0");
	pmon_text_str(sql, " AS n_step,\n ");
	pmon_sql_put_step(sql, "t.base_wraps", "second", "second0");
	pmon_text_str(sql, " AS d_step OFFSET 0) AS k\nCROSS JOIN LATERAL (SELECT ");
	pmon_sql_put_status(sql, &dialect);
	pmon_text_str(sql, " AS status0 OFFSET 0) AS s\nCROSS JOIN LATERAL (SELECT");
	pmon_text_str(sql, operands);
	pmon_text_str(sql, "CROSS JOIN LATERAL (SELECT ");
	pmon_sql_put_good(sql, &dialect);
	pmon_text_str(sql, " AS good OFFSET 0) AS g");
}

// ---- Displayed values -----------------------------------------------------------------------

static void
put_displayed(struct pmon_text *sql)
{
	const char *const after[] = {
		" AS x FROM (SELECT nullif(d, 0) AS d, nullif(f, 0) AS f, nullif(b, 0) AS b) AS o\n"
		" OFFSET 0) AS q\nCROSS JOIN LATERAL (SELECT ",
		pmon_sql_status_of_x, " AS status1 OFFSET 0) AS r\nWHERE lead_in = 0", NULL};

	pmon_text_str(sql, "SELECT series, path, sample, pmon_iso(time_100ns) AS time,\n"
			   " time_100ns, sample_100ns, ");
	pmon_text_str(sql, pmon_sql_number_of_x);
	pmon_text_str(sql, " AS value,\n status1 AS status, unit, nth\n"
			   "FROM pmon_pair CROSS JOIN LATERAL (SELECT ");
	pmon_sql_put_formula(sql, &dialect);
	put_all(sql, after);
}

// ---- Averages -------------------------------------------------------------------------------

// What a pair adds: whole numbers as they are, those of more than 64 bits apart. For types whose
// values are not integers y = high * 2^32 + low + p1 / 2^32 + p2 / 2^64 + p3 / 2^96 + p4 / 2^112,
// and what is below is cut off; each of these is a difference of two numbers that begin with the
// same bits, and so exact.
static const char parts[] =
	"CROSS JOIN LATERAL (SELECT formula IN ('double', 'fraction') AS is_real,\n"
	" good AND n_step = 1 AND NOT is_single OR good AND divides AND d_step = 1 AS wrapped\n"
	" OFFSET 0) AS a\n"
	"LEFT JOIN LATERAL (SELECT\n"
	" CASE WHEN is_single THEN first WHEN n_step = 1 THEN first - first0 + 4294967296\n"
	"  WHEN (first >= 0) = (first0 >= 0) THEN first - first0 END AS n_small,\n"
	" CASE WHEN NOT is_single AND n_step = 0 AND (first >= 0) <> (first0 >= 0)\n"
	"  THEN first::numeric - first0 END AS n_large OFFSET 0) AS sn ON good AND NOT is_real\n"
	"LEFT JOIN LATERAL (SELECT\n"
	" CASE WHEN d_step = 1 THEN second - second0 + 4294967296\n"
	"  WHEN (second >= 0) = (second0 >= 0) THEN second - second0 END AS d_small,\n"
	" CASE WHEN d_step = 0 AND (second >= 0) <> (second0 >= 0)\n"
	"  THEN second::numeric - second0 END AS d_large OFFSET 0) AS sd ON good AND divides\n"
	"LEFT JOIN LATERAL (SELECT\n"
	" CASE WHEN formula = 'double' THEN CASE WHEN abs(n) < 1e-35 THEN 0::float8 ELSE n END\n"
	"  WHEN second = 0 THEN 0::float8 ELSE 100.0::float8 * (n / nullif(d, 0)) END AS y\n"
	" OFFSET 0) AS sy ON good AND is_real\n"
	"LEFT JOIN LATERAL (SELECT trunc(y / 4294967296) AS high, trunc(y) AS t0,\n"
	" trunc(y * 4294967296) AS t1, trunc(y * 18446744073709551616::float8) AS t2,\n"
	" trunc(y * 79228162514264337593543950336::float8) AS t3,\n"
	" trunc(y * 5192296858534827628530496329220096::float8) AS t4 OFFSET 0) AS sp ON y <> 0\n";

// In units of 2^-112.
#define REAL_TOTAL                                                                                 \
	"(((((sum(high::bigint) * 4294967296\n"                                                    \
	"   + sum((t0 - high * 4294967296)::bigint)) * 4294967296\n"                               \
	"   + sum((t1 - t0 * 4294967296)::bigint)) * 4294967296\n"                                 \
	"   + sum((t2 - t1 * 4294967296)::bigint)) * 4294967296\n"                                 \
	"   + sum((t3 - t2 * 4294967296)::bigint)) * 65536\n"                                      \
	"   + sum((t4 - t3 * 65536)::bigint))"

#define HAS_PART "(WHERE good AND formula = 'fraction' AND second > 0)"

// The sums of a series in a window, exact; and the newest raw values that count: of elapsed times, and how
// many units a timer has. For fractions whole_d is the sum of the wholes.
static const char sums[] =
	"formula, unit, by_base, divides, f,\n"
	" count(*) AS samples, count(*) FILTER (WHERE good) AS pairs, bool_or(wrapped) AS "
	"wrapped,\n"
	" max(ARRAY[sample_100ns, nth, second, first])\n"
	"  FILTER (WHERE formula = 'elapsed' AND status0 = 'ok') AS elapsed,\n"
	" (max(ARRAY[sample_100ns, nth, multi])\n"
	"  FILTER (WHERE formula IN ('multi', 'multi_inv') AND usable))[3] AS units,\n"
	" coalesce(sum(n_small), 0) + coalesce(sum(n_large), 0) AS whole_n,\n"
	" coalesce(sum(d_small), 0) + coalesce(sum(d_large), 0)\n"
	"  + coalesce(sum(second) FILTER " HAS_PART ", 0) AS whole_d,\n"
	" coalesce(sum(first) FILTER " HAS_PART ", 0) AS part,\n"
	" coalesce(" REAL_TOTAL ", 0) AS real_units\n"
	"FROM pmon_pair ";

// The sums as the nearest doubles.
#define DOUBLES(SUM)                                                                               \
	" " SUM "(whole_n)::float8 AS total_n, " SUM "(whole_d)::float8 AS d,\n"                   \
	" " SUM "(part)::float8 AS part_n,\n"                                                      \
	" " SUM "(real_units)::float8 / 5192296858534827628530496329220096::float8 AS real_n\n"

static const char of_series[] = "SELECT s.*, units::float8 AS b, 1 AS members,\n" DOUBLES(
	"") "FROM (SELECT window_name, series, path, ";

// The members of a group together. The time of timers of several units is weighed by their number.
static const char of_group[] =
	"SELECT window_name, group_name, formula, unit, by_base, divides, f,\n"
	" sum(samples)::bigint AS samples, sum(pairs)::bigint AS pairs, bool_or(wrapped) AS "
	"wrapped,\n"
	" max(elapsed) AS elapsed, count(*) FILTER (WHERE pairs > 0) AS members,\n"
	" sum(whole_d * units)::float8 / nullif(sum(whole_d), 0)::float8 AS b,\n" DOUBLES(
		"sum") "FROM (SELECT window_name, group_name, series, ";

static const char windows[] =
	"JOIN (SELECT name AS window_name,\n"
	"  coalesce(pmon_from_iso(time_from), -9223372036854775808) AS window_from,\n"
	"  coalesce(pmon_from_iso(time_to), 9223372036854775807) AS window_to\n"
	"  FROM pmon_window OFFSET 0) AS w\n"
	" ON lead_in = 0 AND sample_100ns >= window_from AND sample_100ns <= window_to\n";

void
pmon_pg_put_average_head(struct pmon_text *sql, bool in_groups)
{
	const char *const pieces[] = {"SELECT window_name, ",
				      in_groups ? "group_name" : "series, path",
				      ", ",
				      pmon_sql_number_of_x,
				      " AS average,\n"
				      " status1 AS status, unit, samples, pairs\n"
				      "FROM (",
				      in_groups ? of_group : of_series,
				      sums,
				      parts,
				      NULL};

	put_all(sql, pieces);
}

// From the sums to the number. What a formula divides by is NULL in place of 0, after the status was computed.
void
pmon_pg_put_average_tail(struct pmon_text *sql, bool in_groups)
{
	const char *const before[] = {
		"GROUP BY window_name, ",
		in_groups ? "group_name, series" : "series, path",
		", formula, unit, by_base, divides, f) AS s",
		in_groups ? "\nGROUP BY window_name, group_name, formula, unit, "
			    "by_base, divides, f"
			  : "",
		") AS m\nCROSS JOIN LATERAL (SELECT ",
		pmon_sql_average_status,
		" AS status0,\n"
		" CASE WHEN elapsed[4] = 0 THEN 0::float8\n"
		"  ELSE (elapsed[3]::numeric - elapsed[4])::float8 END AS "
		"last_n OFFSET 0) AS t\nCROSS JOIN LATERAL (SELECT ",
		pmon_sql_average_n,
		" AS n\n FROM (SELECT nullif(pairs, 0) AS pairs) AS o OFFSET "
		"0) AS u\nCROSS JOIN LATERAL (SELECT ",
		NULL};
	const char *const after[] = {" AS x FROM (SELECT nullif(d, 0) AS d, nullif(f, 0) AS f,\n"
				     " nullif(b, 0) AS b) AS o OFFSET 0) AS v\n"
				     "CROSS JOIN LATERAL (SELECT ",
				     pmon_sql_status_of_x, " AS status1 OFFSET 0) AS z", NULL};

	put_all(sql, before);
	pmon_sql_put_average(sql, &dialect);
	put_all(sql, after);
}

static void
put_average(struct pmon_text *sql)
{
	pmon_pg_put_average_head(sql, false);
	pmon_text_str(sql, windows);
	pmon_pg_put_average_tail(sql, false);
}

static void
put_group_average(struct pmon_text *sql)
{
	pmon_pg_put_average_head(sql, true);
	pmon_text_str(
		sql,
		"JOIN (SELECT name AS group_name, series FROM pmon_group) AS g USING (series)\n");
	pmon_text_str(sql, windows);
	pmon_pg_put_average_tail(sql, true);
}

// ---- Windows' own tables --------------------------------------------------------------------

static void
put_details(struct pmon_text *sql)
{
	pmon_text_str(sql,
		      "SELECT id AS CounterID,\n"
		      " CASE WHEN machine = '' THEN '' ELSE E'\\\\\\\\' || machine END AS "
		      "MachineName,\n"
		      " object AS ObjectName, counter AS CounterName,\n"
		      " pmon_low(type_word) AS CounterType, scale AS DefaultScale,\n"
		      " instance AS InstanceName,\n"
		      " CASE WHEN instance_index <> 0 THEN instance_index END AS InstanceIndex,\n"
		      " parent AS ParentName, NULL::integer AS ParentObjectID,\n"
		      " pmon_low(time_base) AS TimeBaseA, (time_base >> 32)::integer AS TimeBaseB\n"
		      "FROM pmon_series");
}

static void
put_logs(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"SELECT guid AS GUID, 0 AS RunID, name AS DisplayString,\n"
		" to_char(pmon_utc(s.first), 'YYYY-MM-DD HH24:MI:SS.MS') AS LogStartTime,\n"
		" to_char(pmon_utc(s.last), 'YYYY-MM-DD HH24:MI:SS.MS') AS LogStopTime,\n"
		" s.n AS NumberOfRecords, -utc_offset_min AS MinutesToUTC, zone AS TimeZoneName\n"
		"FROM pmon_log LEFT JOIN (SELECT stream, count(*) AS n, min(time_100ns) AS first,\n"
		" max(time_100ns) AS last FROM pmon_sample GROUP BY stream) AS s USING (stream)");
}

static void
put_data(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"SELECT l.guid AS GUID, r.series AS CounterID,\n"
		" (r.sample & 4294967295) + 1 AS RecordIndex,\n"
		" to_char(pmon_utc(r.sample_100ns), 'YYYY-MM-DD HH24:MI:SS.MS') AS "
		"CounterDateTime,\n"
		" CASE WHEN c.type_word = 73728 THEN r.shown ELSE 0::float8 END AS CounterValue,\n"
		" pmon_low(r.first) AS FirstValueA, (r.first >> 32)::integer AS FirstValueB,\n"
		" pmon_low(r.second) AS SecondValueA, (r.second >> 32)::integer AS SecondValueB,\n"
		" r.multi AS MultiCount, r.sample AS Sample, r.status AS Status,\n"
		" r.time_100ns AS Time100ns, r.run AS Run\n"
		"FROM pmon_raw AS r JOIN pmon_series AS c ON c.id = r.series\n"
		"JOIN pmon_log AS l ON l.stream = r.sample >> 32 WHERE r.lead_in = 0");
}

// ---- All of them ----------------------------------------------------------------------------

static const struct {
	const char *name;
	void (*put)(struct pmon_text *sql);
} views[] = {
	{"pmon_seam", put_seam},         {"pmon_raw", put_raw},
	{"pmon_pair", put_pair},         {"pmon_displayed", put_displayed},
	{"pmon_average", put_average},   {"pmon_group_average", put_group_average},
	{"CounterDetails", put_details}, {"DisplayToID", put_logs},
	{"CounterData", put_data},
};

size_t
pmon_pg_count_views(void)
{
	return sizeof(views) / sizeof(views[0]);
}

void
pmon_pg_put_drop(size_t i, struct pmon_text *sql)
{
	pmon_text_str(sql, "DROP VIEW IF EXISTS ");
	pmon_text_str(sql, views[i].name);
}

bool
pmon_pg_view(size_t i, struct pmon_text *sql)
{
	if (i < N_FUNCTIONS) {
		pmon_text_str(sql, functions[i]);
		return true;
	}
	i -= N_FUNCTIONS;
	if (i >= sizeof(views) / sizeof(views[0]))
		return false;
	pmon_text_str(sql, "CREATE OR REPLACE VIEW ");
	pmon_text_str(sql, views[i].name);
	pmon_text_str(sql, " AS\n");
	views[i].put(sql);
	return true;
}
