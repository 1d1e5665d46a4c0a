// first.h - the first screen: the output of `pmon FILE`
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_FIRST_FIRST_H
#define PMON_VERBS_FIRST_FIRST_H

#include "verbs/first/filter.h"
#include "shell/input/judged.h"
#include "shell/input/picked.h"
#include "shell/input/survey.h"
#include "shell/output/machines.h"

// The whole screen fits in 100 x 30 characters.
#define FIRST_WIDTH    100 // columns at most
#define FIRST_COLUMNS  64  // of the envelope, for sparklines
#define FIRST_FINDINGS 6
#define FIRST_SERIES   8 // in the overview
#define FIRST_MACHINES 9
#define FIRST_TOP      4
#define FIRST_LABEL    256 // bytes

struct first {
	struct judged judged;
	struct survey survey;
	struct pmon_paces paces;   // for the axis
	struct pmon_select *sums;  // counters for which totals and averages are needed
	struct pmon_select *shows; // counters shown in addition to the overview
	struct pmon_select *needs; // ... and counters read for them
	struct filter *filter;     // below judged.logs.source
	// Statistics, in `judged`, for `sums` and the overview; until the filter has settled also
	// for the first series.
	struct picked summed;
	bool is_settled;
	// Sparklines and percentiles, for the series that the overview may choose.
	struct picked picked;
	size_t seen;                    // series examined for picking or summing
	struct pmon_envelope *envelope; // NULL before the first sample
	struct pmon_statistics *spread;
	struct machines machines;
	size_t width;
	bool ascii;
	bool markdown;
};

// ---- Lines (lines.c) ------------------------------------------------------------------------

// Parts of a line, which is continued on the next line when it is full.
struct first_line {
	size_t width;
	size_t used;
	size_t indent; // of continuation lines
	bool markdown; // one paragraph, as wide as it is
};
void first_put(struct first_line *line, const char *gap, const char *text);
void first_end(const struct first_line *line);

// Print a text in a fixed number of columns: a longer one is shortened in the middle.
void first_cell(const struct first *f, const char *text, size_t columns, bool right);

// "10:32:15", with day and month if the log spans several days.
#define FIRST_TIME 16
void first_time(const struct first *f, pmon_time t, char buf[FIRST_TIME]);

// ---- Parts of the screen --------------------------------------------------------------------

void first_facts(const struct first *f);
void first_findings(const struct first *f);
void first_overview(const struct first *f);
bool first_top(const struct first *f); // false if out of memory

// The lines after the findings: what could be judged, and what was not unusual.
void first_judged(const struct first *f);

// The same as markdown, and as JSON. Both return an exit status.
int first_markdown(const struct first *f);
int first_json(const struct first *f);

// A row of the overview.
struct first_row {
	const struct pmon_series *series;
	const struct pmon_stats *stats;
	struct pmon_value average;
	struct pmon_value percentile; // the 95th
	bool least;                   // the minimum is its extreme, not the maximum
	char label[FIRST_LABEL];
};
size_t first_rows(const struct first *f, struct first_row rows[FIRST_SERIES]);
const struct pmon_value *first_extreme(const struct first_row *row, pmon_time *at);

void first_commands(const struct first *f);

// The files on the command line, quoted for a shell, each preceded by a blank.
struct pmon_text;
void first_files(const struct first *f, struct pmon_text *t);

// For several machines: one line each. False if out of memory.
bool first_machines(const struct first *f);

#endif
