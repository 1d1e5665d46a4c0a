// ranking.h - --sort, --limit and --percentile of pmon stats
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_STATS_RANKING_H
#define PMON_APPS_STATS_RANKING_H

#include "apps/stats/rows.h"

#define RANK_PERCENTILES 16

// What --sort, --limit and --percentile ask for.
struct rank {
	const char *key;  // as --sort was given; NULL: no order but that of the log
	size_t field;     // what it is, in ranking.c
	uint32_t percent; // of the key, if that is a percentile
	uint64_t limit;   // rows; UINT64_MAX: all
	size_t n;         // percentiles, those of --percentile and that of the key
	uint32_t percents[RANK_PERCENTILES]; // in thousandths
	char names[RANK_PERCENTILES][16];    // "p95"
};

// Understand the options, before anything is read. An exit status.
int rank_parse(const struct args *args, struct rank *out);

// Are the rows ordered by a number?
bool rank_is_ranking(const struct rank *rank);

// Is --sort total given?
bool rank_by_total(const struct rank *rank);

// Order and cut the rows. An exit status.
int rank_rows(const struct rank *rank, struct stats_rows *rows);

// *unit is NULL where it has none.
struct pmon_value rank_total(const struct stats_row *row, const char **unit);
struct pmon_value rank_percentile(const struct stats_row *row, uint32_t percent);

// "~" or "?" after totals, and "~" after percentiles, of displayed values.
const char *rank_total_mark(const struct stats_row *row);
const char *rank_percentile_mark(const struct stats_row *row);

#endif
