// averages.c - true averages in PostgreSQL, of series and of groups
// SPDX-License-Identifier: MIT
//
// pmon_sums() has the exact sums of each series over a time range, and averages are made from them. With a reach of 0
// sums of ranges that follow each other can be added up. Sums are
// numeric: of integers as they are, of other numbers in units of 2^-112, as in core/sum.h.

#include "push/postgres/postgres.h"

#include "core/sql.h"

// ---- Sums -----------------------------------------------------------------------------------

// For types whose values are not integers y = high * 2^32 + low + p1 / 2^32 + p2 / 2^64 + p3 / 2^96 + p4 / 2^112,
// and what is below is cut off; each of these is a difference of two numbers that begin with the same bits, and
// so exact.
#define HIGH "trunc(y / 4294967296)"
#define T0   "trunc(y)"
#define T1   "trunc(y * 4294967296)"
#define T2   "trunc(y * 18446744073709551616::float8)"
#define T3   "trunc(y * 79228162514264337593543950336::float8)"
#define T4   "trunc(y * 5192296858534827628530496329220096::float8)"

// In units of 2^-112.
#define IF_REAL ") FILTER (WHERE is_real)"
#define REAL_TOTAL                                                                                 \
	"(((((sum(" HIGH "::bigint" IF_REAL " * 4294967296\n"                                      \
	"  + sum((" T0 " - " HIGH " * 4294967296)::bigint" IF_REAL ") * 4294967296\n"              \
	"  + sum((" T1 " - " T0 " * 4294967296)::bigint" IF_REAL ") * 4294967296\n"                \
	"  + sum((" T2 " - " T1 " * 4294967296)::bigint" IF_REAL ") * 4294967296\n"                \
	"  + sum((" T3 " - " T2 " * 4294967296)::bigint" IF_REAL ") * 65536\n"                     \
	"  + sum((" T4 " - " T3 " * 65536)::bigint" IF_REAL ")"

// Sums of differences: those that fit in 64 bits, and those that may not.
#define IN_64_BITS(WHICH, STEP)                                                                    \
	"CASE WHEN " STEP " = 1 THEN " WHICH " - " WHICH "0 + 4294967296\n"                        \
	"  WHEN (" WHICH " >= 0) = (" WHICH "0 >= 0) THEN " WHICH " - " WHICH "0 END"
#define IN_MORE(WHICH, STEP)                                                                       \
	"FILTER (WHERE good AND NOT is_real AND " STEP " = 0\n"                                    \
	"  AND (" WHICH " >= 0) <> (" WHICH "0 >= 0)"

#define HAS_PART "(WHERE good AND is_fraction AND second > 0)"

// From the newest raw values that count: elapsed times, and how many units a timer has. In fractions whole_d is
// the sum of the wholes.
#define INTEGER_PAIRS "FILTER (WHERE good AND NOT is_real"

static const char counts[] =
	"SELECT count(*) AS samples, count(*) FILTER (WHERE good) AS pairs,\n"
	" bool_or(good AND (n_step = 1 AND NOT t.is_single OR t.divides AND d_step = 1))\n"
	"  AS wrapped,\n"
	" max(ARRAY[sample_100ns, nth, second, first])\n"
	"  FILTER (WHERE is_elapsed AND status0 = 'ok') AS elapsed,\n"
	" (max(ARRAY[sample_100ns, nth, multi])\n"
	"  FILTER (WHERE is_multi AND usable))[3] AS units,\n";

static const char numerators[] = " coalesce(sum(CASE WHEN t.is_single THEN first ELSE " IN_64_BITS(
	"first", "n_step") " END)\n"
			   "  " INTEGER_PAIRS "), 0)\n"
			   " + coalesce(sum(first::numeric - first0)\n"
			   "  " IN_MORE("first", "n_step") " AND NOT t.is_single), 0) AS "
							   "whole_n,\n";

static const char denominators[] = " coalesce(sum(" IN_64_BITS(
	"second", "d_step") ")\n"
			    "  " INTEGER_PAIRS " AND t.divides), 0)\n"
			    " + coalesce(sum(second::numeric - second0)\n"
			    "  " IN_MORE("second", "d_step") " AND t.divides), 0)\n"
							     " + coalesce(sum(second) "
							     "FILTER " HAS_PART
							     ", 0) AS whole_d,\n";

static const char real_sums[] = " coalesce(sum(first) FILTER " HAS_PART ", 0) AS part,\n"
				" coalesce(" REAL_TOTAL ", 0) AS real_units\n";

static const char of_numbers[] =
	"FROM (SELECT *, CASE WHEN NOT is_real OR NOT good THEN NULL WHEN t.formula = 'double'\n"
	"   THEN CASE WHEN abs(pmon_double(first)) >= 1e-35 THEN pmon_double(first) END\n"
	"  WHEN second <> 0 THEN 100.0::float8 * (first::float8 / second::float8) END AS y\n"
	" FROM (SELECT t.formula IN ('double', 'fraction') AS is_real,\n"
	"   t.formula = 'fraction' AS is_fraction, t.formula = 'elapsed' AS is_elapsed,\n"
	"   t.formula IN ('multi', 'multi_inv') AS is_multi OFFSET 0) AS k\n"
	" CROSS JOIN LATERAL (";

static const char *const sums[] = {counts, numerators, denominators, real_sums, of_numbers, NULL};

static void
put_exact(struct pmon_text *sql, const char *source)
{
	pmon_pg_put_all(sql, sums);
	pmon_pg_put_rows(sql, source, false);
	pmon_text_str(sql, ") AS r WHERE status NOT IN (" PMON_SQL_STARTED ") OFFSET 0) AS r");
}

// ---- Sums without each pair -----------------------------------------------------------------

// How the sums of a series are made: 1 of single values, 2 of its first and last row and its irregular rows (irregular.c),
// 0 of each pair. n is the number of rows, for which the key is enough.
static const char ways[] =
	"CROSS JOIN LATERAL (SELECT n, CASE WHEN t.formula = 'count' THEN 1\n"
	"  WHEN n >= 64 * (n_irregular + coalesce(cardinality(seams), 0) + 2) THEN 2 ELSE 0 END AS "
	"way\n"
	" FROM (SELECT count(*) AS n FROM pmon_fact\n"
	"  WHERE NOT t.is_single AND t.formula <> 'none' AND " PG_IN_RANGE ") AS a\n"
	" CROSS JOIN LATERAL (SELECT count(*) AS n_irregular FROM pmon_fact\n"
	"  WHERE n >= 128 AND " PG_IS_IRREGULAR " AND " PG_IN_RANGE ") AS b OFFSET 0) AS h\n";

#define SHOWN "(rare IS NULL OR rare[3] NOT IN (" PMON_SQL_STARTED "))"

static const char of_singles[] =
	"\nUNION ALL SELECT count(*) FILTER (WHERE " SHOWN "),\n"
	" count(*) FILTER (WHERE " SHOWN " AND " PG_IS_USABLE "), FALSE, NULL, NULL,\n"
	" coalesce(sum(first) FILTER (WHERE " SHOWN " AND " PG_IS_USABLE "), 0), 0, 0, 0\n"
	"FROM pmon_fact WHERE way = 1 AND " PG_IN_RANGE;

// The first row of the range is among them, as the one before it is not in the range.
#define IRREGULAR                                                                                  \
	"(SELECT * FROM pmon_fact WHERE way = 2 AND " PG_IS_IRREGULAR " AND " PG_IN_RANGE          \
	"\n UNION SELECT f.* FROM unnest(seams, nths) AS u (at, number) JOIN pmon_fact AS f\n"     \
	"  ON series = c.id AND sample_100ns = at AND nth = number WHERE way = 2\n"                \
	" UNION (SELECT * FROM pmon_fact WHERE way = 2 AND nth = 0 AND " PG_IN_RANGE               \
	"\n  ORDER BY sample_100ns LIMIT 1)) AS i\n"

// All differences from the first row to the last, less those that irregular rows end, and the sums that these give.
static const char of_ends[] =
	"\nUNION ALL SELECT x.samples + n - looked_at,\n"
	" x.pairs + CASE WHEN adds THEN n - looked_at ELSE 0 END, wrapped, NULL,\n"
	" CASE WHEN t.formula IN ('multi', 'multi_inv') THEN (SELECT " PG_MULTI(
		"f") " FROM pmon_fact AS f\n"
		     "  WHERE " PG_IN_RANGE " AND " PG_IS_USABLE
		     " ORDER BY sample_100ns DESC, nth DESC LIMIT 1) END,\n"
		     " x.whole_n + CASE WHEN adds THEN l.first - low[3] - between_n ELSE 0 END,\n"
		     " x.whole_d + CASE WHEN adds AND t.divides THEN l.second - low[4] - between_d "
		     "ELSE 0 END,\n"
		     " 0, 0\n"
		     "FROM (SELECT first::numeric, second::numeric,\n"
		     "  NOT t.needs_ticks OR c.time_base > 0 AS adds\n"
		     "  FROM pmon_previous(c.id, least($2, " PG_LAST
		     ") + 1, 0) WHERE way = 2) AS l\n"
		     "CROSS JOIN LATERAL (SELECT count(*) AS looked_at,\n"
		     "  min(ARRAY[i.sample_100ns, i.nth, i.first, i.second]) AS low,\n"
		     "  coalesce(sum(i.first::numeric - p.first)\n"
		     "   FILTER (WHERE p.sample_100ns >= $1), 0) AS between_n,\n"
		     "  coalesce(sum(i.second::numeric - p.second)\n"
		     "   FILTER (WHERE p.sample_100ns >= $1), 0) AS between_d\n"
		     " FROM " IRREGULAR
		     " CROSS JOIN LATERAL pmon_previous(c.id, i.sample_100ns, i.nth) AS p) AS j\n"
		     "CROSS JOIN LATERAL (";

static const char irregular[] =
	"SELECT *, " PG_IS_USABLE " AS usable, NULL::bigint AS older_100ns,\n"
	" NULL::bigint AS first1, NULL::bigint AS second1 FROM " IRREGULAR;

void
pmon_pg_put_sums(struct pmon_text *sql)
{
	pmon_text_str(sql, "CREATE FUNCTION pmon_sums(window_from bigint, window_to bigint,\n"
			   " reach bigint)\n"
			   "RETURNS TABLE (series integer, path text, formula text, unit text,\n"
			   " by_base boolean, divides boolean, f float8,\n" PG_TOTALS
			   ")\n" PG_FUNCTION "SELECT c.id, c.path, t.formula, t.unit, t.by_base, "
			   "t.divides,\n c.time_base::float8, s.*\n");
	pmon_text_str(sql, pmon_pg_of_series);
	pmon_text_str(sql, ways);
	pmon_text_str(sql, "CROSS JOIN LATERAL (");
	put_exact(sql, PG_NEIGHBORS(" AND way = 0"));
	pmon_text_str(sql, of_singles);
	pmon_text_str(sql, of_ends);
	put_exact(sql, irregular);
	pmon_text_str(sql, ") AS x) AS s\nWHERE samples > 0\n$$");
}

// ---- Averages -------------------------------------------------------------------------------

// The sums as the nearest doubles.
#define DOUBLES(SUM)                                                                               \
	" " SUM "(whole_n)::float8 AS total_n, " SUM "(whole_d)::float8 AS d,\n"                   \
	" " SUM "(part)::float8 AS part_n,\n"                                                      \
	" " SUM "(real_units)::float8 / 5192296858534827628530496329220096::float8 AS real_n\n"

static const char of_each[] = "SELECT *, units::float8 AS b, 1 AS members,\n" DOUBLES("") "FROM ";

// The members of a group together. The time of timers of several units is weighed by their number.
static const char of_group[] =
	"SELECT group_name, formula, unit, by_base, divides, f,\n"
	" sum(samples)::bigint AS samples, sum(pairs)::bigint AS pairs, bool_or(wrapped) AS "
	"wrapped,\n"
	" max(elapsed) AS elapsed, count(*) FILTER (WHERE pairs > 0) AS members,\n"
	" sum(whole_d * units)::float8 / nullif(sum(whole_d), 0)::float8 AS b,\n" DOUBLES(
		"sum") "FROM ";

void
pmon_pg_put_average_head(struct pmon_text *sql, const char *keys, bool in_groups)
{
	const char *const pieces[] = {"SELECT ",
				      keys,
				      ", ",
				      pmon_sql_number_of_x,
				      " AS average,\n status1 AS status, unit, samples, pairs\n"
				      "FROM (",
				      in_groups ? of_group : of_each,
				      NULL};

	pmon_pg_put_all(sql, pieces);
}

// What a formula divides by is NULL in place of 0, after the status was computed.
void
pmon_pg_put_average_tail(struct pmon_text *sql, bool in_groups)
{
	const char *const before[] = {
		in_groups ? "\nGROUP BY group_name, formula, unit, by_base, divides, f" : "",
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

	pmon_pg_put_all(sql, before);
	pmon_sql_put_average(sql, &pmon_pg_dialect);
	pmon_pg_put_all(sql, after);
}

void
pmon_pg_put_averages(struct pmon_text *sql)
{
	pmon_text_str(sql, "CREATE FUNCTION pmon_averages(window_from bigint, window_to bigint)\n"
			   "RETURNS TABLE (series integer, path text,\n" PG_AVERAGE);
	pmon_pg_put_average_head(sql, "series, path", false);
	pmon_text_str(sql, "pmon_sums($1, $2, 0)");
	pmon_pg_put_average_tail(sql, false);
	pmon_text_str(sql, "\n$$");
}

void
pmon_pg_put_group_averages(struct pmon_text *sql)
{
	pmon_text_str(sql,
		      "CREATE FUNCTION pmon_group_averages(window_from bigint, window_to bigint)\n"
		      "RETURNS TABLE (group_name text,\n" PG_AVERAGE);
	pmon_pg_put_average_head(sql, "group_name", true);
	pmon_text_str(sql, "(SELECT name AS group_name, series FROM pmon_group) AS g\n"
			   "JOIN pmon_sums($1, $2, 0) AS s USING (series)");
	pmon_pg_put_average_tail(sql, true);
	pmon_text_str(sql, "\n$$");
}

// ---- Windows --------------------------------------------------------------------------------

static const char windows[] = "FROM (SELECT name AS window_name,\n"
			      "  coalesce(pmon_from_iso(time_from), " PG_FIRST ") AS window_from,\n"
			      "  coalesce(pmon_from_iso(time_to), " PG_LAST ") AS window_to\n"
			      "  FROM pmon_window OFFSET 0) AS w\n"
			      "CROSS JOIN LATERAL ";

static void
put_of_windows(struct pmon_text *sql, const char *function)
{
	const char *const pieces[] = {"SELECT window_name, a.* ", windows, function,
				      "(window_from, window_to) AS a", NULL};

	pmon_pg_put_all(sql, pieces);
}

void
pmon_pg_put_average(struct pmon_text *sql)
{
	put_of_windows(sql, "pmon_averages");
}

void
pmon_pg_put_group_average(struct pmon_text *sql)
{
	put_of_windows(sql, "pmon_group_averages");
}

void
pmon_pg_put_rollup_average(struct pmon_text *sql)
{
	put_of_windows(sql, "pmon_rollup_averages");
}
