// rows.h - the rows of pmon stats: one per series or group
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_STATS_ROWS_H
#define PMON_VERBS_STATS_ROWS_H

#include "shell/input/logs.h"
#include "query/spread.h"

// Options of pmon stats only.
struct stats_options {
	struct words where;
	const char *sort;
	const char *percentile;
};

struct stats_row {
	const struct pmon_series *series; // the first of the group
	struct pmon_span path;            // for a group, a pattern that matches it
	const struct pmon_stats *stats;
	const struct pmon_spread *spread; // NULL: no totals or percentiles
	size_t members;
	bool has_average; // the members' numbers can be added
	enum pmon_average_kind kind;
	double seconds;    // of all operations of displayed latencies (query/latency.h)
	double operations; // 0: the average is that of the values
	size_t processors; // divisor of displayed values; 0: none
	size_t place;      // position in the list
};

struct stats_rows {
	struct stats_row *list;
	size_t n;
	bool grouped;
	bool by_process;
	bool by_instance;  // each row is one instance, across machines or not
	size_t no_average; // groups without an average
	// the storage that rows point to
	struct pmon_stats *stats;
	struct pmon_spread *spreads;
	struct pmon_arena arena; // of spreads
	char **texts;
	size_t n_texts;
};

// The newest text of PERF_COUNTER_TEXT; {NULL, 0} for others.
struct pmon_span stats_row_text(const struct pmon_series *series, const struct pmon_stats *stats);
// A displayed value of the row: with --per-cpu a share of all processors.
struct pmon_value stats_row_value(const struct stats_row *row, const struct pmon_value *value);
// no_data if the members' numbers cannot be added.
struct pmon_value stats_row_average(const struct stats_row *row);
// The number of raw values without a number or a text, except the first of a run.
uint64_t stats_row_invalid(const struct stats_row *row);

// The rows of logs, grouped by --by and filtered by --where. Free them even after a failure.
int rows_make(struct stats_rows *rows, struct logs *logs, const struct args *args,
	      const struct pmon_statistics *statistics);
void rows_free(struct stats_rows *rows);

// Parse --by and --where, before anything is read. Returns an exit status.
int rows_check(const struct args *args);

#endif
