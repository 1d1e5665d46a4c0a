// ranking.h - --sort, --limit and --percentile of pmon stats
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_STATS_RANKING_H
#define PMON_VERBS_STATS_RANKING_H

#include "verbs/stats/rows.h"

#define RANK_PERCENTILES 16

// The parsed --sort, --limit and --percentile.
struct rank {
	const char *key;                     // the argument of --sort; NULL: the order of the log
	size_t field;                        // the field that it names, in ranking.c
	uint32_t percent;                    // if the key is a percentile
	uint64_t limit;                      // rows; 0: all
	size_t n;                            // number of percentiles, of --percentile and the key
	uint32_t percents[RANK_PERCENTILES]; // in thousandths of a percent
	char names[RANK_PERCENTILES][16];    // "p95"
};

// Parse the options, before anything is read. Returns an exit status.
int rank_parse(const struct args *args, struct rank *out);

bool rank_is_ranking(const struct rank *rank);

// Is --sort total given?
bool rank_by_total(const struct rank *rank);

// Sort the rows and apply the limit. Returns an exit status.
int rank_rows(const struct rank *rank, struct stats_rows *rows);

// *unit is NULL if it has none.
struct pmon_value rank_total(const struct stats_row *row, const char **unit);
struct pmon_value rank_percentile(const struct stats_row *row, uint32_t percent);

// "~" or "?" after totals, and "~" after percentiles, if they are from displayed values.
const char *rank_total_mark(const struct stats_row *row);
const char *rank_percentile_mark(const struct stats_row *row);

#endif
