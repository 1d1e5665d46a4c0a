// pairs.c - raw values of a time range with those before them, and displayed values, in PostgreSQL
// SPDX-License-Identifier: MIT
//
// All that views compute is computed by functions of a time range, which the planner puts into the query: so
// a query reads the days of its range, and of them the rows of its series. The value before a range, and
// before values that cannot be used, is looked up by pmon_older(), one by one; all others are neighbors.
//
// What several expressions need is computed once, below an OFFSET 0: the planner would put it into each of
// them.

#include "push/postgres/postgres.h"

#include "core/sql.h"

const struct pmon_sql_dialect pmon_pg_dialect = {
	.no_type = "formula IS NULL",
	.no_older = "first0 IS NULL",
	.is_huge = "((first >> 52) & 2047) >= 1103",
};

void
pmon_pg_put_all(struct pmon_text *sql, const char *const *pieces)
{
	for (; *pieces != NULL; pieces++)
		pmon_text_str(sql, *pieces);
}

// ---- The value before -----------------------------------------------------------------------

// The row right before this one, or before a time if at_nth is 0. A time is found by its first row, which nobody deletes
// alone. Most rows have a neighbor of the day before, so all days are searched last.
void
pmon_pg_put_previous(struct pmon_text *sql)
{
	pmon_text_str(sql,
		      "CREATE FUNCTION pmon_previous(of_series integer, at_100ns bigint, at_nth "
		      "integer)\n"
		      " RETURNS pmon_fact LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$\n"
		      "DECLARE\n"
		      " v pmon_fact;\n"
		      " w pmon_fact;\n"
		      "BEGIN\n"
		      " SELECT * INTO v FROM pmon_fact WHERE at_nth > 0 AND series = of_series\n"
		      "  AND sample_100ns = at_100ns AND nth < at_nth ORDER BY nth DESC LIMIT 1;\n"
		      " IF FOUND THEN\n"
		      "  RETURN v;\n"
		      " END IF;\n"
		      " SELECT * INTO v FROM pmon_fact WHERE series = of_series AND nth = 0\n"
		      "  AND sample_100ns >= at_100ns - " PG_DAY " AND sample_100ns < at_100ns\n"
		      "  ORDER BY sample_100ns DESC LIMIT 1;\n"
		      " IF NOT FOUND THEN\n"
		      "  SELECT * INTO v FROM pmon_fact WHERE series = of_series AND nth = 0\n"
		      "   AND sample_100ns < at_100ns ORDER BY sample_100ns DESC LIMIT 1;\n"
		      " END IF;\n"
		      " w := v;\n"
		      " WHILE FOUND LOOP\n"
		      "  v := w;\n"
		      "  SELECT * INTO w FROM pmon_fact WHERE series = of_series\n"
		      "   AND sample_100ns = v.sample_100ns AND nth = v.nth + 1;\n"
		      " END LOOP;\n"
		      " RETURN v;\n"
		      "END $$");
}

// The raw values of the newest usable row before this one; NULL if there is none, or an absence in between.
// absent: of this row. Before `reach` one row is looked at; 0 means all.
void
pmon_pg_put_older(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"CREATE FUNCTION pmon_older(of_series integer, at_100ns bigint, at_nth integer,\n"
		" absent bigint, reach bigint) RETURNS bigint[] LANGUAGE plpgsql STABLE PARALLEL "
		"SAFE AS $$\n"
		"DECLARE\n"
		" v pmon_fact;\n"
		"BEGIN\n"
		" LOOP\n"
		"  v := pmon_previous(of_series, at_100ns, at_nth);\n"
		"  IF v.series IS NULL OR absent <> 0 AND absent = v.sample_100ns THEN\n"
		"   RETURN NULL;\n"
		"  END IF;\n"
		"  IF v.rare IS NULL OR v.rare[3] IN (" PMON_SQL_USABLE ") THEN\n"
		"   RETURN ARRAY[v.first, v.second];\n"
		"  END IF;\n"
		"  IF v.sample_100ns < reach THEN\n"
		"   RETURN NULL;\n"
		"  END IF;\n"
		"  at_100ns := v.sample_100ns;\n"
		"  at_nth := v.nth;\n"
		"  absent := v.rare[1];\n"
		" END LOOP;\n"
		"END $$");
}

// ---- Rows -----------------------------------------------------------------------------------

// What all rows of a series have: its type, and the first values of other processes.
const char pmon_pg_of_series[] =
	"FROM pmon_series AS c LEFT JOIN pmon_type AS t ON t.word = c.type_word\n"
	"CROSS JOIN LATERAL (SELECT array_agg(sample_100ns) AS seams, array_agg(nth) AS nths\n"
	"  FROM pmon_seam WHERE series = c.id AND sample_100ns >= $1 AND sample_100ns <= $2\n"
	" OFFSET 0) AS e\n";

static const char changed[] = "rare IS NOT NULL AND rare[3] IN (" PMON_SQL_CHANGED ")\n"
			      "    OR seams IS NOT NULL AND sample_100ns = ANY(seams)\n"
			      "     AND EXISTS (SELECT FROM unnest(seams, nths) AS u (at, number)\n"
			      "      WHERE u.at = sample_100ns AND u.number = nth) AS changed";

static const char paired[] =
	"   CASE WHEN older_100ns IS NULL THEN older[1]\n"
	"    WHEN rare[1] = older_100ns THEN NULL ELSE first1 END AS first0,\n"
	"   CASE WHEN older_100ns IS NULL THEN older[2]\n"
	"    WHEN rare[1] = older_100ns THEN NULL ELSE second1 END AS second0,\n"
	"   " PG_STATUS("f") " AS status, " PG_MULTI(
		"f") " AS multi\n"
		     "  FROM (SELECT *, CASE WHEN older_100ns IS NULL\n"
		     "    THEN pmon_older(series, sample_100ns, nth, coalesce(rare[1], 0), $3) END "
		     "AS "
		     "older\n"
		     "  FROM (";

static void
put_steps(struct pmon_text *sql)
{
	pmon_sql_put_step(sql,
			  "CASE WHEN t.formula = 'delta' THEN FALSE\n"
			  "   WHEN c.size_bytes = 0 THEN t.wraps ELSE c.size_bytes = 4 END",
			  "first", "first0");
	pmon_text_str(sql, " AS n_step,\n ");
	pmon_sql_put_step(sql, "t.base_wraps", "second", "second0");
	pmon_text_str(sql, " AS d_step");
}

// From the series: each raw value with what it is made of, its steps, its status except what depends on its
// value, and whether its differences can be summed up. Sums need the status of single values only.
void
pmon_pg_put_rows(struct pmon_text *sql, const char *source, bool with_status)
{
	const char *const values[] = {" FROM (SELECT *, ",
				      changed,
				      ",\n",
				      paired,
				      source,
				      ") AS f OFFSET 0) AS f OFFSET 0) AS f OFFSET 0) AS f",
				      NULL};

	pmon_text_str(sql, "SELECT *, ");
	pmon_sql_put_good(sql, &pmon_pg_dialect);
	pmon_text_str(sql, " AS good\nFROM (SELECT *, ");
	pmon_text_str(sql, with_status ? "" : "CASE WHEN t.is_single THEN ");
	pmon_sql_put_status(sql, &pmon_pg_dialect);
	pmon_text_str(sql, with_status ? "" : " END");
	pmon_text_str(sql, " AS status0\nFROM (SELECT *, ");
	put_steps(sql);
	pmon_pg_put_all(sql, values);
	pmon_text_str(sql, " OFFSET 0) AS f OFFSET 0");
}

// ---- Pairs ----------------------------------------------------------------------------------

static const char operands[] =
	"CROSS JOIN LATERAL (SELECT CASE t.formula WHEN 'double' THEN pmon_double(first)\n"
	"  WHEN 'elapsed'\n"
	"   THEN CASE WHEN first = 0 THEN 0::float8 ELSE pmon_difference(second, first) END\n"
	"  WHEN 'count' THEN first::float8 WHEN 'fraction' THEN first::float8\n"
	"  ELSE CASE WHEN n_step = 1 THEN (first - first0 + 4294967296)::float8\n"
	"   ELSE pmon_difference(first, first0) END END AS n,\n"
	" CASE WHEN t.is_single THEN second::float8\n"
	"  WHEN d_step = 1 THEN (second - second0 + 4294967296)::float8\n"
	"  ELSE pmon_difference(second, second0) END AS d,\n"
	" c.time_base::float8 AS f, multi::float8 AS b OFFSET 0) AS l";

void
pmon_pg_put_pairs(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"CREATE FUNCTION pmon_pairs(window_from bigint, window_to bigint,\n"
		" reach bigint)\n"
		"RETURNS TABLE (series integer, sample bigint, sample_100ns bigint, lead_in "
		"integer,\n"
		" time_100ns bigint, status bigint, first bigint, second bigint, multi bigint,\n"
		" shown float8, nth integer, usable boolean, changed boolean, first0 bigint,\n"
		" second0 bigint, path text, time_base bigint, formula text, unit text,\n"
		" is_single boolean, divides boolean, by_base boolean, needs_ticks boolean,\n"
		" n_step integer, d_step integer, status0 text, n float8, d float8, f float8,\n"
		" b float8, good boolean)\n" PG_FUNCTION "SELECT r.series, sample, sample_100ns,\n"
		" (status IN (" PMON_SQL_STARTED
		"))::integer, " PG_TIME("r") ", status, first, second,\n"
					     " multi, pmon_double(first), nth, usable, changed, "
					     "first0, second0, path, c.time_base,\n"
					     " formula, unit, is_single, divides, by_base, "
					     "needs_ticks, n_step, d_step, status0,\n"
					     " n, d, f, b, good\n");
	pmon_text_str(sql, pmon_pg_of_series);
	pmon_text_str(sql, "CROSS JOIN LATERAL (");
	pmon_pg_put_rows(sql, PG_NEIGHBORS(""), true);
	pmon_text_str(sql, ") AS r\n");
	pmon_text_str(sql, operands);
	pmon_text_str(sql, "\n$$");
}

// ---- Displayed values -----------------------------------------------------------------------

void
pmon_pg_put_values(struct pmon_text *sql)
{
	const char *const after[] = {
		" AS x FROM (SELECT nullif(d, 0) AS d, nullif(f, 0) AS f, nullif(b, 0) AS b) AS o\n"
		" OFFSET 0) AS q\nCROSS JOIN LATERAL (SELECT ",
		pmon_sql_status_of_x, " AS status1 OFFSET 0) AS r\nWHERE lead_in = 0\n$$", NULL};

	pmon_text_str(
		sql,
		"CREATE FUNCTION pmon_values(window_from bigint, window_to bigint)\n"
		"RETURNS TABLE (series integer, path text, sample bigint, \"time\" text,\n"
		" time_100ns bigint, sample_100ns bigint, value float8, status text, unit text,\n"
		" nth integer)\n" PG_FUNCTION
		"SELECT series, path, sample, pmon_iso(time_100ns), time_100ns, sample_100ns,\n ");
	pmon_text_str(sql, pmon_sql_number_of_x);
	pmon_text_str(sql, ",\n status1, unit, nth\n"
			   "FROM pmon_pairs($1, $2, 0) CROSS JOIN LATERAL (SELECT ");
	pmon_sql_put_formula(sql, &pmon_pg_dialect);
	pmon_pg_put_all(sql, after);
}
