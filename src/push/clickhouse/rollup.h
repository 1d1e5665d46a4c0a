// rollup.h - sums of whole hours in ClickHouse
// SPDX-License-Identifier: MIT
//
// pmon_hour has the sums, the newest `version` of a series and an hour counts. pmon_hour_seen says of which raw
// rows they were made: their number and a hash of them, taken before the sums and stored after them, so
// that a run that is cut off leaves hours that look changed and never sums that look good. pmon_hour_day
// says which parts a day of pmon_raw consisted of, so that days with the same parts are not read again.
// pmon_hour_chain says what the first pair of an hour begins with, which raw rows that came late, or that were
// away for a while, change without changing the hour.
// pmon_hour_todo and pmon_hour_work have what a run is to compute, and the raw rows for it; they are
// empty between runs. (Servers of 18.16 take a minute to plan one statement over all of it.)

#ifndef PMON_PUSH_CLICKHOUSE_ROLLUP_H
#define PMON_PUSH_CLICKHOUSE_ROLLUP_H

#include "push/clickhouse/clickhouse.h"
#include "push/rollup.h"

#define CH_SUMS_SIZE ((size_t)64 << 10) // of the statement that computes hours
#define CH_DAY_SIZE  32
#define CH_DAY_1970  134774 // days from 1601 to 1970

// What statements of a run are about.
struct ch_hours {
	const struct ch_place *place;
	uint64_t run;
	pmon_time day;   // its beginning
	pmon_time begin; // of the hours
	pmon_time end;
	unsigned chunk; // of the series
	unsigned n_chunks;
	bool again; // whether the raw rows changed or not
};

// Statements of a run, in their order. All are for one node, and about its own part.
enum ch_step {
	CH_HOURS_FIND,   // the hours of a day whose raw rows changed, into pmon_hour_todo
	CH_HOURS_FOLLOW, // and the next hour of each of these series: its first pair begins in them
	CH_HOURS_RELINK, // and hours that begin with another raw row than when they were computed
	CH_HOURS_COUNT, // asks for hours of series, series, raw rows, a bit for each hour of the day, all hours
	CH_HOURS_DAYS,    // asks for the days of the hours that follow, as their numbers since 1601
	CH_HOURS_GATHER,  // the raw rows for the hours of a day, into pmon_hour_work
	CH_HOURS_COMPUTE, // the sums of the hours of a day
	CH_HOURS_CHAIN,   // what these hours begin with
	CH_HOURS_KEPT,    // asks how many of the day have fewer samples than before, and stay
	CH_HOURS_SEEN,    // the raw rows of the hours are in the sums
	CH_HOURS_SCRAP,   // empties pmon_hour_work
	CH_HOURS_CLEAR,   // empties pmon_hour_todo
	CH_HOURS_LOOK     // asks as CH_HOURS_COUNT, and writes nothing
};

void pmon_ch_put_hours(const struct ch_hours *hours, enum ch_step step, struct pmon_text *sql);

// Asks for the days whose parts are not those of before: number since 1601, rows, the parts as a number.
void pmon_ch_put_changed_days(const struct ch_hours *hours, struct pmon_text *sql);

// ---- Averages -------------------------------------------------------------------------------

// As SUMS in views.c, before anything is put together: of rows of pmon_pair.
#define CH_COUNTS_LAST "usable AND (formula <> 'elapsed' OR status0 = 'ok')"
#define CH_PART_SUMS                                                                               \
	" count() AS samples0, sum(good) AS pairs0, max(wrapped) AS is_wrapped,\n"                 \
	" max(" CH_COUNTS_LAST ") AS has_last, argMaxIf(n, (time, nth), " CH_COUNTS_LAST           \
	") AS last,\n"                                                                             \
	" max(usable) AS has_units, argMaxIf(b, (time, nth), usable) AS units,\n"                  \
	" sum(nh) AS th0, sum(nl) AS tl0, sum(nm) AS tm0, sum(ns) AS ts0, sum(nr) AS tr0,\n"       \
	" sum(nx) AS tx0, sum(dh) AS uh0, sum(dl) AS ul0, sum(ph) AS vh0, sum(pl) AS vl0\n"

// Asks from when on sums may be older than the raw values, or are not there, in 100 ns since 1601.
void pmon_ch_put_hours_end(const struct ch_place *place, struct pmon_text *sql);

// The sums of a range from parts of it, which the caller puts together by UNION ALL: raw values of a range, and whole
// hours. Before them stands pmon_ch_put_added(), as pmon_ch_put_sums() before pairs.
void pmon_ch_put_added(struct pmon_text *sql);
void pmon_ch_put_part(const struct ch_place *place, const struct ch_range *range,
		      struct pmon_text *sql);
void pmon_ch_put_hours_part(const struct ch_place *place, const struct ch_range *range,
			    struct pmon_text *sql);

// The views over it; see clickhouse.h.
void pmon_ch_put_hour_sum(const struct ch_place *place, struct pmon_text *sql);
void pmon_ch_put_hour_average(const struct ch_place *place, struct pmon_text *sql);
void pmon_ch_put_day_average(const struct ch_place *place, struct pmon_text *sql);
void pmon_ch_put_rollup_average(const struct ch_place *place, struct pmon_text *sql);

#endif
