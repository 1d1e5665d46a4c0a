// rollup_views.c - averages from sums of whole hours in ClickHouse
// SPDX-License-Identifier: MIT

#include "push/clickhouse/rollup.h"

// A row for each series and hour, the newest.
void
pmon_ch_put_hour_sum(const struct ch_place *place, struct pmon_text *sql)
{
	pmon_text_str(sql,
		      "SELECT toUInt8(1) AS one, series, hour, day, toFloat64(time_base) AS f,\n");
	pmon_ch_put_type_columns(sql);
	pmon_text_str(sql, " samples AS samples0, pairs AS pairs0, is_wrapped, has_last, last,\n"
			   " has_units, units, lowest AS lowest0, highest AS highest0,\n"
			   " th AS th0, tl AS tl0, tm AS tm0, ts AS ts0, tr AS tr0, tx AS tx0,\n"
			   " uh AS uh0, ul AS ul0, vh AS vh0, vl AS vl0\nFROM ");
	pmon_ch_put_name(place, "pmon_hour", true, sql);
	pmon_text_str(sql, " FINAL");
}

// Hours added up, or parts of a range.
#define SUMS                                                                                       \
	" formula, any(unit) AS unit, any(by_base) AS by_base, any(divides) AS divides, f,\n"      \
	" argMaxIf(last, hour, has_last) AS last_n, argMaxIf(units, hour, has_units) AS b,\n"      \
	" toUInt64(1) AS members, sum(samples0) AS samples, sum(pairs0) AS pairs,\n"               \
	" max(is_wrapped) AS wrapped,\n"                                                           \
	" sum(th0) AS th, sum(tl0) AS tl, sum(tm0) AS tm, sum(ts0) AS ts, sum(tr0) AS tr,\n"       \
	" sum(tx0) AS tx, sum(uh0) AS uh, sum(ul0) AS ul, sum(vh0) AS vh, sum(vl0) AS vl\nFROM "

#define EXTREMES " min(lowest0) AS lowest, max(highest0) AS highest,\n"

#define HOURS_OF_DAY "intDiv(hour, 864000000000) * 864000000000"
#define AT           "toDateTime(intDiv(begins - 116444736000000000, 10000000)) AS at"
#define KEYS         "series, begins, " AT ", lowest, highest"

static void
put_averages(const struct ch_place *place, const char *begins, struct pmon_text *sql)
{
	pmon_ch_put_finish(sql, KEYS);
	pmon_text_str(sql, "SELECT series, ");
	pmon_text_str(sql, begins);
	pmon_text_str(sql, " AS begins,\n" EXTREMES SUMS);
	pmon_ch_put_name(place, "pmon_hour_sum", false, sql);
}

void
pmon_ch_put_hour_average(const struct ch_place *place, struct pmon_text *sql)
{
	put_averages(place, "hour", sql);
	pmon_text_str(sql, "\nGROUP BY series, begins, formula, f" CH_FINISHED);
}

void
pmon_ch_put_day_average(const struct ch_place *place, struct pmon_text *sql)
{
	put_averages(place, HOURS_OF_DAY, sql);
	pmon_text_str(sql, "\nGROUP BY series, begins, formula, f" CH_FINISHED);
}

// The whole hours of each window.
void
pmon_ch_put_rollup_average(const struct ch_place *place, struct pmon_text *sql)
{
	pmon_ch_put_finish(sql, "window_name, series, lowest, highest");
	pmon_text_str(sql, "SELECT window_name, series,\n" EXTREMES SUMS);
	pmon_ch_put_name(place, "pmon_hour_sum", false, sql);
	pmon_text_str(sql, "\nGLOBAL ALL INNER JOIN (");
	pmon_ch_put_windows(place, sql);
	pmon_text_str(sql, ") AS w USING one\n"
			   "WHERE hour >= window_from AND hour + 35999999999 <= window_to\n"
			   "GROUP BY window_name, series, formula, f" CH_FINISHED);
}

// ---- Averages of a query --------------------------------------------------------------------

#define PART                                                                                       \
	"SELECT series, hour, formula, unit, by_base, divides, f, samples0, pairs0, is_wrapped,\n" \
	" has_last, last, has_units, units, th0, tl0, tm0, ts0, tr0, tx0, uh0, ul0, vh0, vl0\n"    \
	"FROM ("

void
pmon_ch_put_added(struct pmon_text *sql)
{
	pmon_text_str(sql, SUMS);
}

void
pmon_ch_put_part(const struct ch_place *place, const struct ch_range *range, struct pmon_text *sql)
{
	pmon_text_str(sql, PART "SELECT series, ");
	pmon_text_str(sql, range->from);
	pmon_text_str(sql, " AS hour, formula, any(unit) AS unit, any(by_base) AS by_base,\n"
			   " any(divides) AS divides, f,\n" CH_PART_SUMS "FROM (");
	pmon_ch_put_pairs_in(place, range, sql);
	pmon_text_str(sql, ")\nGROUP BY series, formula, f)");
}

void
pmon_ch_put_hours_part(const struct ch_place *place, const struct ch_range *range,
		       struct pmon_text *sql)
{
	pmon_text_str(sql, PART);
	pmon_ch_put_hour_sum(place, sql);
	pmon_text_str(sql, "\nWHERE hour >= ");
	pmon_text_str(sql, range->from);
	pmon_text_str(sql, " AND hour <= ");
	pmon_text_str(sql, range->to);
	pmon_text_str(sql, " AND series IN (");
	range->put_series(range->ctx, sql);
	pmon_text_str(sql, "))");
}
