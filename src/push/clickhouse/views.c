// views.c - displayed values and true averages in ClickHouse
// SPDX-License-Identifier: MIT
//
// The views compute what src/core/ computes, by the formulas and rules of core/sql.h, so that numbers
// are the same to the last digit. They are written for servers from 18.16 on, which has no functions over
// windows: a pair is made of an array of all raw values of a series, sorted by time, and the same array
// moved by one. So it does not matter in which blocks, parts and order they came.
//
// Integers are subtracted in 64 bits, where what overflows comes out right as unsigned. Sums are exact:
// of integers in halves of 32 bits, of other numbers in pieces of 32 bits down to 2^-64 and what is left,
// put together in a Decimal128 and rounded once.

#include "push/clickhouse/clickhouse.h"

#include <string.h>

#include "core/sql.h"
#include "push/clickhouse/rollup.h"

const struct pmon_sql_dialect pmon_ch_dialect = {
	.no_type = "formula = ''",
	.no_older = "NOT has_older",
	.is_huge = "bitAnd(bitShiftRight(first, 52), 2047) >= 1103",
	.searched = true,
};

// ---- The table of types ---------------------------------------------------------------------

enum column {
	COLUMN_FORMULA,
	COLUMN_UNIT,
	COLUMN_SINGLE,
	COLUMN_DIVIDES,
	COLUMN_BY_BASE,
	COLUMN_TICKS,
	COLUMN_WRAPS,
	COLUMN_BASE_WRAPS
};

static void
put_str(struct pmon_text *sql, const char *text)
{
	pmon_ch_put_quoted(sql, (struct pmon_span){text, strlen(text)});
}

// The row of a word, once: two names have the same word.
static const struct pmon_counter_type *
type_at(size_t i)
{
	const struct pmon_counter_type *type = pmon_type_at(i);

	return type == pmon_type_by_word(type->word) ? type : NULL;
}

static void
put_cell(struct pmon_text *sql, const struct pmon_counter_type *type, enum column column)
{
	struct pmon_sql_type t = pmon_sql_type(type);
	bool flags[] = {
		[COLUMN_SINGLE] = t.is_single, [COLUMN_DIVIDES] = t.divides,
		[COLUMN_BY_BASE] = t.by_base,  [COLUMN_TICKS] = t.needs_ticks,
		[COLUMN_WRAPS] = t.wraps,      [COLUMN_BASE_WRAPS] = t.base_wraps,
	};

	if (column == COLUMN_FORMULA)
		put_str(sql, t.formula);
	else if (column == COLUMN_UNIT)
		put_str(sql, type->unit);
	else
		pmon_text_char(sql, flags[column] ? '1' : '0');
}

// What the table of types has in a column for the column `type`. It is written out: a join would cost
// each query the table of series.
static void
put_lookup(struct pmon_text *sql, enum column column, const char *name)
{
	bool is_text = column <= COLUMN_UNIT;
	const char *comma = "";

	pmon_text_str(sql, is_text ? " transform(type, [" : " toUInt8(transform(type, [");
	for (size_t i = 0; i < pmon_type_count(); i++)
		if (type_at(i) != NULL) {
			pmon_text_str(sql, comma);
			pmon_text_u64(sql, type_at(i)->word);
			comma = ", ";
		}
	pmon_text_str(sql, "], [");
	comma = "";
	for (size_t i = 0; i < pmon_type_count(); i++)
		if (type_at(i) != NULL) {
			pmon_text_str(sql, comma);
			put_cell(sql, type_at(i), column);
			comma = ", ";
		}
	pmon_text_str(sql, is_text ? "], '') AS " : "], 0)) AS ");
	pmon_text_str(sql, name);
}

void
pmon_ch_put_type_columns(struct pmon_text *sql)
{
	put_lookup(sql, COLUMN_FORMULA, "formula,\n");
	put_lookup(sql, COLUMN_UNIT, "unit,\n");
	put_lookup(sql, COLUMN_DIVIDES, "divides,\n");
	put_lookup(sql, COLUMN_BY_BASE, "by_base,\n");
}

// The table itself, for people.
static void
put_type(const struct ch_place *place, struct pmon_text *sql)
{
	const char *comma = "";

	(void)place;
	pmon_text_str(sql, "SELECT t.1 AS word, t.2 AS name, t.3 AS unit, t.4 AS formula, t.5 AS "
			   "formula_text,\n t.6 AS average_text, t.7 AS meaning FROM (SELECT "
			   "arrayJoin([\n");
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = type_at(i);
		const char *texts[] = {type != NULL ? type->name : NULL,
				       type != NULL ? type->unit : NULL,
				       type != NULL ? pmon_sql_formula_name(type->formula) : NULL,
				       type != NULL ? type->formula_text : NULL,
				       type != NULL ? type->average_text : NULL,
				       type != NULL ? type->meaning : NULL};

		if (type == NULL)
			continue;
		pmon_text_str(sql, comma);
		pmon_text_str(sql, "(toUInt32(");
		pmon_text_u64(sql, type->word);
		pmon_text_char(sql, ')');
		for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
			pmon_text_str(sql, ", ");
			put_str(sql, texts[k] != NULL ? texts[k] : "");
		}
		pmon_text_char(sql, ')');
		comma = ",\n";
	}
	pmon_text_str(sql, "]) AS t)");
}

// ---- Pairs ----------------------------------------------------------------------------------

// The raw values of a series in the order of time, each once: as (time, nth, -absent_after, is_unchanged,
// first, second, multi, status, raw_time). Among several rows of the same sample, a row after an
// absence comes first, then one of another process, and then the smaller one. Rows that identify
// the process of the values are separate, as (time, nth, 1, ...). There is a seam where the first
// process of a log differs from the last of the log before it: it comes after its raw value.
#define FACTS                                                                                      \
	"SELECT series, any(type) AS type, any(time_base) AS time_base, any(size) AS size,\n"      \
	" (toInt64(0), toUInt32(0), toInt64(0), toUInt8(0), toInt64(0), toInt64(0), "              \
	"toUInt32(0),\n"                                                                           \
	"  toUInt32(0), toInt64(0)) AS none,\n"                                                    \
	" arraySort(groupArrayIf((time, toUInt32(4294967295 - nth), toInt64(1), toUInt8(0),\n"     \
	"  first, second, multi, status, raw_time), nth > 2147483647)) AS owners,\n"               \
	" arrayFilter((x, y) -> bitAnd(x.7, 8) <> 0\n"                                             \
	"  AND (bitAnd(x.7, 3) = bitAnd(y.7, 3) AND x.5 <> y.5\n"                                  \
	"   OR bitAnd(bitAnd(x.7, y.7), 4) <> 0 AND abs(x.6 - y.6) > " PMON_SQL_SAME_START "),\n"  \
	"  owners, arrayPopBack(arrayPushFront(owners, none))) AS seams,\n"                        \
	" arraySort(arrayConcat(groupArrayIf((time, nth, -absent_after,\n"                         \
	"  toUInt8(status NOT IN (" PMON_SQL_CHANGED ")), first, second, multi, status,\n"         \
	"  raw_time), nth <= 2147483647), seams)) AS sorted,\n"                                    \
	" arrayFilter((x, y) -> x.1 <> y.1 OR x.2 <> y.2 OR x.3 > 0, sorted,\n"                    \
	"  arrayPushFront(arrayPopBack(sorted), none)) AS facts\n"                                 \
	"FROM "

// The number of a run goes up where the series was absent, and is the first element of each fact;
// that of the process goes up at a seam, and is the last. A raw value that is not usable makes no
// pair and is skipped by the next; one of another process than before has no pair, and the values
// that a process counted from belong to no sample.
#define PAIRS                                                                                      \
	"SELECT series, type, time_base, size,\n"                                                  \
	" arrayMap((x, r, s) -> (toUInt64(r), x.1, x.2, x.5, x.6, x.7, x.8, x.9, toUInt64(s)),\n"  \
	"  facts,\n"                                                                               \
	"  arrayCumSum(arrayMap((x, y) -> x.3 <> 0 AND -x.3 = y.1, facts,\n"                       \
	"   arrayPushFront(arrayPopBack(facts), none))),\n"                                        \
	"  arrayCumSum(arrayMap(x -> x.3 > 0, arrayPushBack(arrayPopFront(facts), none)))) AS "    \
	"runs,\n"                                                                                  \
	" arrayFilter(x -> x.7 IN (" PMON_SQL_USABLE "), runs) AS usables,\n"                      \
	" (toUInt64(18446744073709551615), toInt64(0), toUInt32(0), toInt64(0), toInt64(0),\n"     \
	"  toUInt32(0), toUInt32(0), toInt64(0), toUInt64(0)) AS nobody,\n"                        \
	" arrayFilter(x -> x.6 NOT IN (" PMON_SQL_STARTED ")"

#define PAIRS_OF_FACTS                                                                             \
	", arrayConcat(\n"                                                                         \
	"  arrayMap((x, y) -> (x.2, x.3, x.4, x.5, x.6, x.7, x.8, toUInt8(x.1 = y.1), y.4, y.5,\n" \
	"    toUInt8(x.7 IN (" PMON_SQL_CHANGED ") OR x.9 <> y.9)),\n"                             \
	"   usables, arrayPushFront(arrayPopBack(usables), nobody)),\n"                            \
	"  arrayMap(x -> (x.2, x.3, x.4, x.5, x.6, x.7, x.8, toUInt8(0), toInt64(0), "             \
	"toInt64(0),\n"                                                                            \
	"    toUInt8(0)),\n"                                                                       \
	"   arrayFilter(x -> x.7 NOT IN (" PMON_SQL_USABLE ", " PMON_SQL_OWNER "), runs)))) AS "   \
	"pairs\n"                                                                                  \
	"FROM ("

#define MEMBERS                                                                                    \
	" p.1 AS time, p.2 AS nth, p.3 AS first, p.4 AS second, p.5 AS multi,\n"                   \
	" p.6 AS raw_status, p.7 AS raw_time, toUInt8(p.8 AND NOT p.11) AS has_older,\n"           \
	" p.9 AS first0, p.10 AS second0,\n"                                                       \
	" toUInt8(p.6 IN (" PMON_SQL_USABLE ")) AS usable, p.11 AS changed,\n"                     \
	" toFloat64(time_base) AS f, toFloat64(multi) AS b\n"

// The differences as whole numbers: those of 64 bits are unsigned.
#define DIFFERENCES                                                                                \
	" toUInt64(n_step = 1 ? first - first0 + 4294967296 : first - first0) AS dn,\n"            \
	" toUInt64(d_step = 1 ? second - second0 + 4294967296 : second - second0) AS dd"

// The operands of the formula.
#define OPERANDS                                                                                   \
	" CASE WHEN formula = 'double'\n"                                                          \
	"   THEN reinterpretAsFloat64(reinterpretAsString(toUInt64(first)))\n"                     \
	"  WHEN formula = 'elapsed' THEN (first = 0 ? 0.0 : toFloat64(toUInt64(second - "          \
	"first)))\n"                                                                               \
	"  WHEN is_single THEN toFloat64(first) ELSE toFloat64(dn) END AS n,\n"                    \
	" is_single ? toFloat64(second) : toFloat64(dd) AS d,\n"                                   \
	" toUInt8(formula IN ('double', 'fraction')) AS is_real"

// What types add up whose values are not integers; values from 2^60 on are separate.
#define REAL                                                                                       \
	" toUInt8(good AND (n_step = 1 AND NOT is_single OR divides AND d_step = 1)) AS "          \
	"wrapped,\n"                                                                               \
	" (NOT good OR NOT is_real ? 0.0 : (formula = 'double' ? n\n"                              \
	"  : (second = 0 ? 0.0 : " PMON_SQL_FRACTION "))) AS y,\n"                                 \
	" (abs(y) < 1152921504606846976.0 ? y : 0.0) AS y0"

// The pieces that sums are made of: n = nx + nh * 2^32 + nl + nm / 2^32 + ns / 2^64 + nr / 2^64, and
// d = dh * 2^32 + dl. For fractions d is the whole, and the part is ph * 2^32 + pl.
#define WHOLE                                                                                      \
	" (is_real ? toInt64(y0) : (is_single ? first : toInt64(dn))) AS whole,\n"                 \
	" (y0 - toFloat64(toInt64(y0))) * 4294967296.0 AS y1,\n"                                   \
	" (y1 - toFloat64(toInt64(y1))) * 4294967296.0 AS y2"

#define PIECES                                                                                     \
	" (good ? (is_real OR is_single ? bitShiftRight(whole, 32)\n"                              \
	"  : toInt64(bitShiftRight(dn, 32))) : toInt64(0)) AS nh,\n"                               \
	" (good ? toInt64(bitAnd(whole, 4294967295)) : toInt64(0)) AS nl,\n"                       \
	" toInt64(y1) AS nm,\n"                                                                    \
	" toInt64(y2) AS ns,\n"                                                                    \
	" y2 - toFloat64(toInt64(y2)) AS nr,\n"                                                    \
	" y - y0 AS nx,\n"                                                                         \
	" toUInt8(good AND formula = 'fraction' AND second > 0) AS has_part,\n"                    \
	" (good AND divides ? toInt64(bitShiftRight(dd, 32))\n"                                    \
	"  : (has_part ? bitShiftRight(second, 32) : toInt64(0))) AS dh,\n"                        \
	" (good AND divides ? toInt64(bitAnd(dd, 4294967295))\n"                                   \
	"  : (has_part ? toInt64(bitAnd(second, 4294967295)) : toInt64(0))) AS dl,\n"              \
	" (has_part ? bitShiftRight(first, 32) : toInt64(0)) AS ph,\n"                             \
	" (has_part ? toInt64(bitAnd(first, 4294967295)) : toInt64(0)) AS pl"

// Each raw value with the usable one before it, and what its displayed value and any average are made of.
void
pmon_ch_put_pairs_head(const struct ch_range *range, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT *,\n" PIECES "\nFROM (SELECT *,\n" WHOLE
			   "\nFROM (SELECT *,\n" REAL "\nFROM (SELECT *,\n" OPERANDS ",\n ");
	pmon_sql_put_good(sql, &pmon_ch_dialect);
	pmon_text_str(sql, " AS good\nFROM (SELECT *,\n" DIFFERENCES ",\n ");
	pmon_sql_put_status(sql, &pmon_ch_dialect);
	pmon_text_str(sql, " AS status0\nFROM (SELECT *,\n ");
	pmon_sql_put_step(sql, "(formula = 'delta' ? 0 : (size = 0 ? wraps : size = 4))", "first",
			  "first0");
	pmon_text_str(sql, " AS n_step,\n ");
	pmon_sql_put_step(sql, "base_wraps", "second", "second0");
	pmon_text_str(
		sql,
		" AS d_step\nFROM (SELECT series, toUInt8(1) AS one, type, time_base, size,\n");
	pmon_ch_put_type_columns(sql);
	put_lookup(sql, COLUMN_SINGLE, "is_single,\n");
	put_lookup(sql, COLUMN_TICKS, "needs_ticks,\n");
	put_lookup(sql, COLUMN_WRAPS, "wraps,\n");
	put_lookup(sql, COLUMN_BASE_WRAPS, "base_wraps,\n");
	pmon_text_str(sql, MEMBERS "FROM (" PAIRS);
	if (range != NULL) {
		pmon_text_str(sql, " AND x.1 >= ");
		pmon_text_str(sql, range->from);
		pmon_text_str(sql, " AND x.1 <= ");
		pmon_text_str(sql, range->to);
	}
	pmon_text_str(sql, PAIRS_OF_FACTS FACTS);
}

void
pmon_ch_put_pairs_tail(struct pmon_text *sql)
{
	pmon_text_str(sql, "\nGROUP BY series)) ARRAY JOIN pairs AS p))))))");
}

// On a cluster this is made where the values are.
static void
put_pair(const struct ch_place *place, struct pmon_text *sql)
{
	pmon_ch_put_pairs_head(NULL, sql);
	pmon_ch_put_name(place, "pmon_raw", true, sql);
	pmon_ch_put_pairs_tail(sql);
}

// ---- Displayed values -----------------------------------------------------------------------

// Between these two stand the pairs.
static void
put_displayed_head(struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT series, time, nth,\n"
			   " toDateTime(intDiv(time - 116444736000000000, 10000000)) AS at,\n"
			   " raw_time, ");
	pmon_text_str(sql, pmon_sql_number_of_x);
	pmon_text_str(sql, " AS value,\n status1 AS status, unit\nFROM (SELECT *, ");
	pmon_text_str(sql, pmon_sql_status_of_x);
	pmon_text_str(sql, " AS status1\nFROM (SELECT series, time, nth, raw_time, formula, unit, "
			   "status0,\n ");
	pmon_sql_put_formula(sql, &pmon_ch_dialect);
	pmon_text_str(sql, " AS x\nFROM ");
}

static void
put_displayed(const struct ch_place *place, struct pmon_text *sql)
{
	put_displayed_head(sql);
	pmon_ch_put_name(place, "pmon_pair", false, sql);
	pmon_text_str(sql, "))");
}

void
pmon_ch_put_displayed_in(const struct ch_place *place, const struct ch_range *range,
			 struct pmon_text *sql)
{
	put_displayed_head(sql);
	pmon_text_char(sql, '(');
	pmon_ch_put_pairs_in(place, range, sql);
	pmon_text_str(sql, ")))");
}

// ---- Averages -------------------------------------------------------------------------------

// The windows that were named, the newest of a name, and the one that is always there.
void
pmon_ch_put_windows(const struct ch_place *place, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT materialize(toUInt8(1)) AS one, name AS window_name,\n"
			   " argMax(time_from, made) AS window_from, argMax(time_to, made) AS "
			   "window_to FROM ");
	pmon_ch_put_name(place, "pmon_window", false, sql);
	pmon_text_str(
		sql,
		" GROUP BY name\n"
		"UNION ALL SELECT materialize(toUInt8(1)), 'all', toInt64(-9223372036854775808),\n"
		" toInt64(9223372036854775807)");
}

// What the pairs of a counter add up to in a window, by clock.
#define SUMS                                                                                       \
	" formula, any(unit) AS unit, any(by_base) AS by_base, any(divides) AS divides, f,\n"      \
	" argMaxIf(n, (time, nth), usable AND (formula <> 'elapsed' OR status0 = 'ok')) AS "       \
	"last_n,\n"                                                                                \
	" argMaxIf(b, (time, nth), usable) AS b, toUInt64(1) AS members,\n"                        \
	" count() AS samples, sum(good) AS pairs, max(wrapped) AS wrapped,\n"                      \
	" sum(nh) AS th, sum(nl) AS tl, sum(nm) AS tm, sum(ns) AS ts, sum(nr) AS tr, sum(nx) AS "  \
	"tx,\n"                                                                                    \
	" sum(dh) AS uh, sum(dl) AS ul, sum(ph) AS vh, sum(pl) AS vl\n"                            \
	"FROM "

// And the members of a group. The time of timers of several units is weighed by their number.
#define MEMBER                                                                                     \
	" formula, unit AS unit0, by_base AS by_base0, divides AS divides0, f, last_n AS "         \
	"last_n0,\n"                                                                               \
	" samples AS samples0, pairs AS pairs0, wrapped AS wrapped0, th AS th0, tl AS tl0,\n"      \
	" tm AS tm0, ts AS ts0, tr AS tr0, tx AS tx0, uh AS uh0, ul AS ul0, vh AS vh0,\n"          \
	" vl AS vl0, toFloat64(uh) * 4294967296.0 + toFloat64(ul) AS d0, d0 * b AS capacity0\n"    \
	"FROM ("

#define MEMBERS_SUMS                                                                               \
	" formula, any(unit0) AS unit, any(by_base0) AS by_base, any(divides0) AS divides, f,\n"   \
	" maxIf(last_n0, pairs0 > 0) AS last_n, sum(capacity0) / sum(d0) AS b,\n"                  \
	" sum(pairs0 > 0) AS members, sum(samples0) AS samples, sum(pairs0) AS pairs,\n"           \
	" max(wrapped0) AS wrapped, sum(th0) AS th, sum(tl0) AS tl, sum(tm0) AS tm,\n"             \
	" sum(ts0) AS ts, sum(tr0) AS tr, sum(tx0) AS tx, sum(uh0) AS uh, sum(ul0) AS ul,\n"       \
	" sum(vh0) AS vh, sum(vl0) AS vl\nFROM "

// The sums as the nearest doubles. For numbers that are not integers the unit is 2^-64; from 2^53
// of it on two more bits, the last for anything that is left below, let the one rounding see all.
#define TOTALS                                                                                     \
	" toFloat64(toDecimal128(th, 0) * toDecimal128('4294967296', 0) + toDecimal128(tl, 0))\n"  \
	"  AS total_n,\n"                                                                          \
	" toFloat64(toDecimal128(uh, 0) * toDecimal128('4294967296', 0) + toDecimal128(ul, 0))\n"  \
	"  AS d,\n"                                                                                \
	" toFloat64(toDecimal128(vh, 0) * toDecimal128('4294967296', 0) + toDecimal128(vl, 0))\n"  \
	"  AS part_n,\n"                                                                           \
	" (abs(tr) < 4611686018427387904.0 ? toInt64(tr) : toInt64(0)) AS tw,\n"                   \
	" (abs(th) < 536870912 ? th : toInt64(0)) AS sh"

#define UNITS                                                                                      \
	" ((toDecimal128(sh, 0) * toDecimal128('4294967296', 0) + toDecimal128(tl, 0))\n"          \
	"   * toDecimal128('4294967296', 0) + toDecimal128(tm, 0))\n"                              \
	"  * toDecimal128('4294967296', 0) + toDecimal128(ts, 0) + toDecimal128(tw, 0) AS "        \
	"units,\n"                                                                                 \
	" tr - toFloat64(tw) AS below"

#define REAL_TOTAL                                                                                 \
	" (abs(toFloat64(units)) < 9007199254740992.0 ? toFloat64(units) + below\n"                \
	"  : toFloat64(units * toDecimal128(4, 0) + toDecimal128(\n"                               \
	"   toInt64(below > 0) - toInt64(below < 0), 0)) / 4.0)\n"                                 \
	"  / 18446744073709551616.0 + toFloat64(th - sh) * 4294967296.0 + tx AS real_n"

// From the sums to the number. `who` is what the sums are of.
void
pmon_ch_put_finish(struct pmon_text *sql, const char *who)
{
	pmon_text_str(sql, "SELECT ");
	pmon_text_str(sql, who);
	pmon_text_str(sql, ", ");
	pmon_text_str(sql, pmon_sql_number_of_x);
	pmon_text_str(sql,
		      " AS average,\n status1 AS status, unit, samples, pairs\nFROM (SELECT *, ");
	pmon_text_str(sql, pmon_sql_status_of_x);
	pmon_text_str(sql, " AS status1\nFROM (SELECT *, ");
	pmon_sql_put_average(sql, &pmon_ch_dialect);
	pmon_text_str(sql, " AS x\nFROM (SELECT *, ");
	pmon_text_str(sql, pmon_sql_average_n);
	pmon_text_str(sql, " AS n,\n ");
	pmon_text_str(sql, pmon_sql_average_status);
	pmon_text_str(sql, " AS status0\nFROM (SELECT *,\n" REAL_TOTAL "\nFROM (SELECT *,\n" UNITS
			   "\nFROM (SELECT *,\n" TOTALS "\nFROM (");
}

static void
put_average(const struct ch_place *place, struct pmon_text *sql)
{
	pmon_ch_put_finish(sql, "window_name, series");
	pmon_text_str(sql, "SELECT window_name, series,\n" SUMS);
	pmon_ch_put_name(place, "pmon_pair", false, sql);
	pmon_text_str(sql, "\nGLOBAL ALL INNER JOIN (");
	pmon_ch_put_windows(place, sql);
	pmon_text_str(sql, ") AS w USING one\nWHERE time >= window_from AND time <= window_to\n"
			   "GROUP BY window_name, series, formula, f)))))))");
}

void
pmon_ch_put_average_in(const struct ch_place *place, const struct ch_range *range,
		       struct pmon_text *sql)
{
	pmon_ch_put_finish(sql, "series");
	pmon_text_str(sql, "SELECT series,\n" SUMS "(");
	pmon_ch_put_pairs_in(place, range, sql);
	pmon_text_str(sql, ")\nGROUP BY series, formula, f)))))))");
}

// The groups that were named: the sums over all their counters.
static void
put_group_average(const struct ch_place *place, struct pmon_text *sql)
{
	pmon_ch_put_finish(sql, "window_name, group_name");
	pmon_text_str(sql, "SELECT window_name, group_name,\n" MEMBERS_SUMS
			   "(SELECT window_name, group_name," MEMBER
			   "SELECT window_name, group_name, series,\n" SUMS);
	pmon_ch_put_name(place, "pmon_pair", false, sql);
	pmon_text_str(sql, "\nGLOBAL ALL INNER JOIN (SELECT series, group_name, window_name, "
			   "window_from, window_to\nFROM (SELECT DISTINCT materialize(toUInt8(1)) "
			   "AS one, name AS "
			   "group_name, series FROM ");
	pmon_ch_put_name(place, "pmon_group", false, sql);
	pmon_text_str(sql, ") AS m\nALL INNER JOIN (");
	pmon_ch_put_windows(place, sql);
	pmon_text_str(sql, ") AS w USING one) AS g USING series\n"
			   "WHERE time >= window_from AND time <= window_to\n"
			   "GROUP BY window_name, group_name, series, formula, f))\n"
			   "GROUP BY window_name, group_name, formula, f)))))))");
}

void
pmon_ch_put_group_average_in(const struct ch_place *place, const struct ch_range *range,
			     const char *group, struct pmon_text *sql)
{
	pmon_ch_put_finish(sql, "group_name");
	pmon_text_str(sql, "SELECT ");
	pmon_text_str(sql, group);
	pmon_text_str(sql, " AS group_name,\n" MEMBERS_SUMS "(SELECT " MEMBER
			   "SELECT series,\n" SUMS "(");
	pmon_ch_put_pairs_in(place, range, sql);
	pmon_text_str(sql,
		      ")\nGROUP BY series, formula, f))\nGROUP BY group_name, formula, f)))))))");
}

// ---- Averages of a query --------------------------------------------------------------------

void
pmon_ch_put_average_head(struct pmon_text *sql)
{
	pmon_ch_put_finish(sql, "series");
	pmon_text_str(sql, "SELECT series,\n");
}

void
pmon_ch_put_sums(struct pmon_text *sql)
{
	pmon_text_str(sql, SUMS);
}

void
pmon_ch_put_average_tail(struct pmon_text *sql)
{
	pmon_text_str(sql, "\nGROUP BY series, formula, f)))))))");
}

void
pmon_ch_put_group_average_head(struct pmon_text *sql)
{
	pmon_ch_put_finish(sql, "group_name");
	pmon_text_str(sql,
		      "SELECT group_name,\n" MEMBERS_SUMS "(SELECT group_name," MEMBER "SELECT ");
}

void
pmon_ch_put_group_average_middle(struct pmon_text *sql)
{
	pmon_text_str(sql, " AS group_name, series,\n");
}

void
pmon_ch_put_group_average_tail(struct pmon_text *sql)
{
	pmon_text_str(sql, "\nGROUP BY series, formula, f))\n"
			   "GROUP BY group_name, formula, f)))))))");
}

// Which views these are, and which keys the tables have.
static void
put_version(const struct ch_place *place, struct pmon_text *sql)
{
	(void)place;
	pmon_text_str(sql, "SELECT toUInt32(");
	pmon_text_u64(sql, CH_VIEWS_VERSION);
	pmon_text_str(sql, ") AS views, toUInt32(");
	pmon_text_u64(sql, PMON_PUSH_KEYS_VERSION);
	pmon_text_str(sql, ") AS keys");
}

// ---- All views ------------------------------------------------------------------------------

static const struct view {
	const char *name;
	void (*put)(const struct ch_place *place, struct pmon_text *sql);
	bool is_local;  // of the part that a node has
	bool is_spread; // the table over these parts; there is none on one node
	bool is_new;    // only current servers have it
} views[] = {
	{"pmon_pair", put_pair, true, false, false}, // the others are made of it
	{"pmon_pair", NULL, false, true, false},
	{"pmon_type", put_type, false, false, false},
	{"pmon_displayed", put_displayed, false, false, false},
	{"pmon_average", put_average, false, false, false},
	{"pmon_group_average", put_group_average, false, false, false},
	{CH_RANGE_VIEW, pmon_ch_put_pair_view_in, false, false, true},
	{"pmon_displayed_in", pmon_ch_put_displayed_view_in, false, false, true},
	{"pmon_average_in", pmon_ch_put_average_view_in, false, false, true},
	{"pmon_group_average_in", pmon_ch_put_group_average_view_in, false, false, true},
	{"pmon_hour_sum", pmon_ch_put_hour_sum, true, false, false},
	{"pmon_hour_sum", NULL, false, true, false},
	{"pmon_hour_average", pmon_ch_put_hour_average, false, false, false},
	{"pmon_day_average", pmon_ch_put_day_average, false, false, false},
	{"pmon_rollup_average", pmon_ch_put_rollup_average, false, false, false},
	{CH_VERSION_VIEW, put_version, false, false, false}, // when it is there all are
};

#define N_VIEWS (sizeof(views) / sizeof(views[0]))

static void
put_view(const struct ch_place *place, const struct view *view, struct pmon_text *sql)
{
	if (view->is_spread) {
		pmon_ch_put_distributed(place, view->name, NULL, sql);
		return;
	}
	pmon_text_str(sql, "CREATE VIEW IF NOT EXISTS ");
	pmon_ch_put_name(place, view->name, view->is_local, sql);
	pmon_text_str(sql, " AS\n");
	view->put(place, sql);
}

// Those of an older version go first, the last one before those that it is made of.
bool
pmon_ch_view(const struct ch_place *place, size_t i, struct pmon_text *sql)
{
	const struct view *list[N_VIEWS];
	size_t n = 0;

	for (size_t v = 0; v < N_VIEWS; v++)
		if ((!views[v].is_spread || place->cluster[0] != '\0') &&
		    (!views[v].is_new || pmon_ch_is_current(place)))
			list[n++] = &views[v];
	if (i >= 2 * n)
		return false;
	if (i >= n) {
		put_view(place, list[i - n], sql);
		return true;
	}
	pmon_text_str(sql, "DROP TABLE IF EXISTS ");
	pmon_ch_put_name(place, list[n - 1 - i]->name, list[n - 1 - i]->is_local, sql);
	return true;
}
