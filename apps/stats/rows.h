// rows.h - the rows of pmon stats: a series each, or a group of series
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_STATS_ROWS_H
#define PMON_APPS_STATS_ROWS_H

#include "cli/input/logs.h"
#include "query/spread.h"

struct stats_row {
	const struct pmon_series *series; // the first of the group
	struct pmon_span path;            // of a group a pattern that matches it
	const struct pmon_stats *stats;
	const struct pmon_spread *spread; // NULL: totals and percentiles were not asked for
	size_t members;
	bool has_average; // the members' numbers add up
	enum pmon_average_kind kind;
	bool has_latency; // the average latency of a disk, computed from its queue length: text shows it
	double latency;
	size_t processors; // that displayed values are divided by; 0: they are not
	size_t place;      // in the order in which they are listed
};

struct stats_rows {
	struct stats_row *list;
	size_t n;
	bool grouped;
	bool by_process;
	bool by_instance;  // a row is of one instance, of several machines or not
	size_t no_average; // groups without one
	// what the rows point to
	struct pmon_stats *stats;
	struct pmon_spread *spreads;
	struct pmon_arena arena; // of spreads
	char **texts;
	size_t n_texts;
};

// The newest text of PERF_COUNTER_TEXT; {NULL, 0} for every other.
struct pmon_span stats_row_text(const struct pmon_series *series, const struct pmon_stats *stats);
// A displayed value of the row: with --per-cpu a share of all processors.
struct pmon_value stats_row_value(const struct stats_row *row, const struct pmon_value *value);
// no_data where the members' numbers do not add up.
struct pmon_value stats_row_average(const struct stats_row *row);
// Raw values without a number or a text, but for the first of a run.
uint64_t stats_row_invalid(const struct stats_row *row);

// The rows of logs, grouped by --by and filtered by --where. To be freed also on failure.
int rows_make(struct stats_rows *rows, struct logs *logs, const struct pmon_statistics *statistics);
void rows_free(struct stats_rows *rows);

// Understand --by and --where, before anything is read. An exit status.
int rows_check(const struct args *args);

#endif
