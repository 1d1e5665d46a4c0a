// views.c - displayed values and true averages in SQL
// SPDX-License-Identifier: MIT
//
// The views compute what src/core/ computes, in the same order of operations, so that the numbers are
// the same to the last digit. What a type divides by, how wide it is and which formula it has comes
// from the table pmon_type, which is filled from the one table of counter types. The formulas stand
// here once, over n, d, f and b as in core/formula.h, for values and averages both.
//
// SQLite's integers have 64 bits and overflow into floating point, which typeof() tells. Sums are of
// halves of 32 bits, as sum() would fail where it overflows.

#include "format/sqlite/sqlite.h"

// The formulas over the columns n, d, f and b.
static const struct {
	enum pmon_formula formula;
	const char *sql;
} formulas[] = {
	{PMON_FORMULA_COUNT, "n"},
	{PMON_FORMULA_DOUBLE, "n"},
	{PMON_FORMULA_FRACTION, "100.0 * (n / d)"},
	{PMON_FORMULA_ELAPSED, "n / f"},
	{PMON_FORMULA_DELTA, "n"},
	{PMON_FORMULA_RATE, "n / (d / f)"},
	{PMON_FORMULA_RATIO, "n / d"},
	{PMON_FORMULA_PERCENT, "100.0 * (n / d)"},
	{PMON_FORMULA_PERCENT_INV, "100.0 * (1.0 - n / d)"},
	{PMON_FORMULA_MULTI, "(100.0 * (n / d)) / b"},
	{PMON_FORMULA_MULTI_INV, "100.0 * (b - n / d)"},
	{PMON_FORMULA_AVERAGE_TIME, "(n / f) / d"},
};

// Each raw value as one row, in whole integers.
static const char view_raw[] =
	"CREATE VIEW pmon_raw AS\n"
	"SELECT d.CounterID AS series, d.Sample AS sample, s.time_100ns AS sample_100ns,\n"
	" s.lead_in AS lead_in, d.Run AS run, d.Time100ns AS time_100ns, d.Status AS status,\n"
	" (d.FirstValueB << 32) | (d.FirstValueA & 4294967295) AS first,\n"
	" (d.SecondValueB << 32) | (d.SecondValueA & 4294967295) AS second,\n"
	" d.MultiCount & 4294967295 AS multi, d.CounterValue AS shown\n"
	"FROM CounterData AS d JOIN pmon_sample AS s ON s.id = d.Sample";

// Each raw value with the usable one before it in its run. A raw value that is not usable is passed
// over; where the counter was absent a new run begins.
static const char view_pair_inner[] =
	"SELECT r.*, status IN (0, 1) AS usable,\n"
	" lag(first) OVER w AS first0, lag(second) OVER w AS second0\n"
	"FROM pmon_raw AS r\n"
	"WINDOW w AS (PARTITION BY series, run, status IN (0, 1) ORDER BY sample)";

// How a raw value went on from the one before: 0 forward, 1 counted through 2^32, 2 back.
#define STEP(wraps, new, old)                                                                      \
	"CASE WHEN " new " >= " old " THEN 0\n"                                                    \
			 "  WHEN " wraps                                                           \
			 " AND " new " BETWEEN 0 AND 4294967295 AND " old                          \
				     " BETWEEN 0 AND 4294967295\n"                                 \
				     "   AND " new " - " old " + 4294967296 < 2147483648 THEN 1\n" \
						   "  ELSE 2 END"

// new - old as the nearest REAL, also where the difference needs 64 bits.
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

// A moment in 100 ns as ISO 8601, and back. Times in text have to be UTC.
#define ISO(time)                                                                                  \
	"rtrim(rtrim(strftime('%Y-%m-%dT%H:%M:%S', " time " / 10000000 - 11644473600, "            \
	"'unixepoch')\n"                                                                           \
	"  || printf('.%07d', " time " % 10000000), '0'), '.') || 'Z'"
#define FROM_ISO(text)                                                                             \
	"((CAST(strftime('%s', substr(" text ", 1, 19)) AS INTEGER) + 11644473600) * 10000000\n"   \
	"  + CASE WHEN substr(" text ", 20, 1) = '.'\n"                                            \
	"    THEN CAST(substr(rtrim(substr(" text ", 21), 'Z') || '0000000', 1, 7) AS INTEGER)\n"  \
	"    ELSE 0 END)"

// What a pair, or a single value, is worth before its formula is applied.
#define STATUS                                                                                     \
	"CASE WHEN formula IS NULL THEN 'unknown_type'\n"                                          \
	"  WHEN formula = 'none' THEN 'not_displayed'\n"                                           \
	"  WHEN NOT usable THEN 'bad_raw_status'\n"                                                \
	"  WHEN NOT is_single AND first0 IS NULL THEN 'first_sample'\n"                            \
	"  WHEN needs_ticks AND time_base <= 0 THEN 'bad_time_base'\n"                             \
	"  WHEN formula = 'double' THEN\n"                                                         \
	"   CASE WHEN ((first >> 52) & 2047) >= 1103 THEN 'not_finite' ELSE 'ok' END\n"            \
	"  WHEN formula = 'elapsed' THEN\n"                                                        \
	"   CASE WHEN first <> 0 AND second < first THEN 'below_zero' ELSE 'ok' END\n"             \
	"  WHEN formula = 'fraction' THEN\n"                                                       \
	"   CASE WHEN second = 0 THEN 'base_zero' WHEN second < 0 THEN 'base_went_back'\n"         \
	"    ELSE 'ok' END\n"                                                                      \
	"  WHEN is_single THEN 'ok'\n"                                                             \
	"  WHEN n_step = 2 THEN 'counter_went_back'\n"                                             \
	"  WHEN divides AND d_step = 2 THEN\n"                                                     \
	"   CASE WHEN by_base THEN 'base_went_back' ELSE 'clock_went_back' END\n"                  \
	"  WHEN divides AND d_step = 0 AND second = second0 THEN\n"                                \
	"   CASE WHEN by_base THEN 'base_zero' ELSE 'no_data' END\n"                               \
	"  WHEN formula IN ('multi', 'multi_inv') AND multi = 0 THEN 'no_data'\n"                  \
	"  WHEN n_step = 1 OR divides AND d_step = 1 THEN 'wrapped'\n"                             \
	"  ELSE 'ok' END"

// Can the differences of a pair be summed up?
#define GOOD                                                                                       \
	"formula IS NOT NULL AND formula <> 'none' AND usable AND\n"                               \
	"  CASE WHEN is_single THEN status0 IN ('ok', 'base_zero')\n"                              \
	"   ELSE first0 IS NOT NULL AND (NOT needs_ticks OR time_base > 0) AND n_step < 2\n"       \
	"    AND (NOT divides OR d_step < 2) END"

// Sums of halves to the nearest REAL; beyond 64 bits the last digit may differ.
#define TOTAL(high, low)                                                                           \
	"CASE WHEN " high " + (" low " >> 32) BETWEEN -2147483648 AND 2147483647\n"                \
	"  THEN CAST((" high " + (" low " >> 32)) * 4294967296 + (" low                            \
	" & 4294967295) AS REAL)\n"                                                                \
	"  ELSE " high " * 4294967296.0 + " low " END"

static void
append_formulas(sqlite3_str *sql)
{
	sqlite3_str_appendall(sql, "CASE formula");
	for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++)
		sqlite3_str_appendf(sql, "\n  WHEN '%s' THEN %s",
				    pmon_sqlite_formula_name(formulas[i].formula), formulas[i].sql);
	sqlite3_str_appendall(sql, " END");
}

// Each raw value with what it is made of: the steps, the operands n, d, f and b, and its status but
// for what only its value tells.
static void
append_view_pair(sqlite3_str *sql)
{
	sqlite3_str_appendf(
		sql,
		"CREATE VIEW pmon_pair AS\n"
		"SELECT *, " STATUS " AS status0,\n"
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
		" t.unit AS unit, t.is_single AS is_single, t.divides AS divides,\n"
		" t.by_base AS by_base, t.needs_ticks AS needs_ticks,\n"
		" %s AS n_step,\n"
		" %s AS d_step\n"
		"FROM (%s) AS p\n"
		"JOIN pmon_series AS c ON c.id = p.series\n"
		"LEFT JOIN pmon_type AS t ON t.word = c.type_word)",
		DIFFERENCE("second", "first"), DIFFERENCE("first", "first0"),
		DIFFERENCE("second", "second0"),
		STEP("CASE WHEN t.formula = 'delta' THEN 0 WHEN c.size_bytes = 0 THEN t.wraps\n"
		     "   ELSE c.size_bytes = 4 END",
		     "first", "first0"),
		STEP("t.base_wraps", "second", "second0"), view_pair_inner);
}

// The displayed values. Their status is that of the pair unless the value says otherwise.
static void
append_view_displayed(sqlite3_str *sql)
{
	sqlite3_str_appendall(
		sql, "CREATE VIEW pmon_displayed AS\n"
		     "SELECT series, path, sample, " ISO(
			     "time_100ns") " AS time,\n"
					   " time_100ns, sample_100ns,\n"
					   " CASE WHEN status1 IN ('ok', 'wrapped') THEN x\n"
					   "  WHEN status1 = 'base_zero' THEN 0.0 END AS value,\n"
					   " status1 AS status, unit\n"
					   "FROM (SELECT *, CASE WHEN x < 0 AND status0 IN ('ok', "
					   "'wrapped')\n"
					   "   AND formula IN ('percent_inv', 'multi_inv') THEN "
					   "'below_zero'\n"
					   "  ELSE status0 END AS status1\n"
					   " FROM (SELECT *, ");
	append_formulas(sql);
	sqlite3_str_appendall(sql, " AS x\n FROM pmon_pair WHERE NOT lead_in))");
}

// What the averages add up, by pair: n in halves and, of types whose values are no integers, in units
// of 2^-20 with what is left; d in halves.
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
	"  THEN (second >> 32) - (second0 >> 32) + (d_step = 1) ELSE 0 END AS dh,\n"
	" CASE WHEN good AND divides\n"
	"  THEN (second & 4294967295) - (second0 & 4294967295) ELSE 0 END AS dl\n"
	"FROM (SELECT *, formula IN ('double', 'fraction') AS is_real, " GOOD " AS good,\n"
	"  CASE WHEN formula = 'double' THEN n WHEN formula <> 'fraction' THEN NULL\n"
	"   WHEN second = 0 THEN 0.0 ELSE 100.0 * (n / d) END AS y\n"
	" FROM pmon_pair WHERE NOT lead_in) AS p";

// By counter and window. Of several rows the columns that are not summed are of the newest usable one,
// as SQLite promises for max().
static void
append_sums(sqlite3_str *sql)
{
	sqlite3_str_appendall(
		sql,
		"SELECT w.name AS window_name, series, path, formula, unit, by_base, divides,\n"
		" max(CASE WHEN usable AND (formula <> 'elapsed' OR status0 = 'ok') THEN sample "
		"END)\n"
		"  AS newest,\n"
		" n AS last_n, f, b, count(*) AS samples, sum(good) AS pairs,\n"
		" total(good AND (n_step = 1 AND NOT is_single OR divides AND d_step = 1)) > 0\n"
		"  AS wrapped,\n"
		" sum(nh) AS nh, sum(nl) AS nl, sum(nr) AS nr, sum(dh) AS dh, sum(dl) AS dl\n"
		"FROM pmon_window AS w JOIN (");
	sqlite3_str_appendall(sql, view_part);
	sqlite3_str_appendall(
		sql,
		") AS q\n"
		" ON (w.time_from IS NULL OR q.sample_100ns >= " FROM_ISO(
			"w.time_from") ")\n"
				       " AND (w.time_to IS NULL OR q.sample_100ns <= " FROM_ISO(
					       "w.time_to") ")\n"
							    "GROUP BY w.name, series");
}

// The sums as operands, and the status but for what only the average tells.
static void
append_operands(sqlite3_str *sql)
{
	sqlite3_str_appendall(
		sql,
		"SELECT *, CASE\n"
		"  WHEN formula = 'elapsed' THEN last_n\n"
		"  WHEN formula IN ('double', 'fraction')\n"
		"   THEN (total_n + nr) / 1048576.0 / pairs\n"
		"  WHEN formula IN ('count', 'delta') THEN total_n / pairs\n"
		"  ELSE total_n END AS n,\n"
		" CASE WHEN pairs = 0 THEN 'no_data'\n"
		"  WHEN formula IN ('elapsed', 'double', 'fraction') THEN 'ok'\n"
		"  WHEN divides AND d = 0 THEN CASE WHEN by_base THEN 'base_zero' ELSE 'no_data' "
		"END\n"
		"  WHEN formula IN ('multi', 'multi_inv') AND b = 0 THEN 'no_data'\n"
		"  WHEN wrapped THEN 'wrapped' ELSE 'ok' END AS status0\n"
		"FROM (SELECT *, " TOTAL("nh", "nl") " AS total_n, " TOTAL("dh", "dl") " AS d\n"
										       " FROM (");
	append_sums(sql);
	sqlite3_str_appendall(sql, "))");
}

// Averages by counter and window.
static void
append_view_average(sqlite3_str *sql)
{
	sqlite3_str_appendall(sql,
			      "CREATE VIEW pmon_average AS\n"
			      "SELECT window_name, series, path,\n"
			      " CASE WHEN status1 IN ('ok', 'wrapped') THEN x\n"
			      "  WHEN status1 = 'base_zero' THEN 0.0 END AS average,\n"
			      " status1 AS status, unit, samples, pairs\n"
			      "FROM (SELECT *, CASE WHEN x < 0 AND status0 IN ('ok', 'wrapped')\n"
			      "   AND formula IN ('percent_inv', 'multi_inv') THEN 'below_zero'\n"
			      "  ELSE status0 END AS status1\n"
			      " FROM (SELECT *, CASE WHEN formula = 'fraction' THEN n ELSE ");
	append_formulas(sql);
	sqlite3_str_appendall(sql, " END AS x\n FROM (");
	append_operands(sql);
	sqlite3_str_appendall(sql, ")))");
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
	};
	int rc = sqlite3_exec(db, view_raw, NULL, NULL, NULL);

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(views) / sizeof(views[0]); i++) {
		sqlite3_str *sql = sqlite3_str_new(db);

		views[i](sql);
		rc = make_view(db, sql);
	}
	return rc;
}
