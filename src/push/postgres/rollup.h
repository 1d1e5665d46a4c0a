// rollup.h - sums of whole hours in PostgreSQL
// SPDX-License-Identifier: MIT
//
// pmon_hour has the sums of each series and hour. pmon_hour_seen says of which raw rows they were made: their
// number and a hash of them. A day, or some of its series, is one transaction that reads one state of the
// database, so both are of the same rows.
//
// Which days to look at is in the ledger: `rollup` is NULL in the lines of batches that no run knows, the number of
// a run that works on them, and 0 when they are in the sums. A run takes over what others work on: if they were
// cut off nobody else does it, and if not it is computed twice.

#ifndef PMON_PUSH_POSTGRES_ROLLUP_H
#define PMON_PUSH_POSTGRES_ROLLUP_H

#include "push/postgres/postgres.h"
#include "push/rollup.h"

// What statements of a run are about.
struct pg_hours {
	int64_t run;     // a transaction of the run
	pmon_time begin; // of the hours
	pmon_time end;
	unsigned chunk; // of the series
	unsigned n_chunks;
	bool again; // whether the raw rows changed or not
};

enum pg_step {
	PG_HOURS_TAKE, // the batches that are between begin and end; asks for the number of the run
	PG_HOURS_DAYS, // asks for days: their numbers since 1601, when hours begin and end, bytes of raw rows
	PG_HOURS_BEGIN,  // one transaction after the other, pushes go on
	PG_HOURS_FIND,   // the hours, and whether their raw rows changed, into pmon_todo
	PG_HOURS_FOLLOW, // and those after them, as far as their first pairs begin in them
	PG_HOURS_COUNT, // asks for hours of series, series, raw rows and a bit for each hour of the day
	PG_HOURS_LIST,    // asks for the hours
	PG_HOURS_COMPUTE, // the sums of the hour that begins at `begin`
	PG_HOURS_KEPT,    // asks how many have fewer samples than before, and stay
	PG_HOURS_SEEN,    // the raw rows of the hours are in the sums
	PG_HOURS_CLOSE    // the batches of the run are in the sums
};

// Hours added up, or parts of a range, with the columns of pmon_sums(): `hour` is when they begin.
#define PG_ADDED                                                                                   \
	" sum(samples)::bigint AS samples, sum(pairs)::bigint AS pairs, bool_or(wrapped) AS "      \
	"wrapped,\n"                                                                               \
	" max(elapsed) AS elapsed,\n"                                                              \
	" (max(ARRAY[hour, units]) FILTER (WHERE units IS NOT NULL))[2] AS units,\n"               \
	" coalesce(sum(whole_n), 0) AS whole_n, coalesce(sum(whole_d), 0) AS whole_d,\n"           \
	" coalesce(sum(part), 0) AS part, coalesce(sum(real_units), 0) AS real_units\n"

void pmon_pg_put_hours(const struct pg_hours *hours, enum pg_step step, struct pmon_text *sql);

#endif
