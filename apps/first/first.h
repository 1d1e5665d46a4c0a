// first.h - the first screen: what `pmon FILE` shows
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_FIRST_FIRST_H
#define PMON_APPS_FIRST_FIRST_H

#include "apps/first/filter.h"
#include "cli/input/judged.h"
#include "cli/input/picked.h"
#include "cli/input/survey.h"
#include "text/machines.h"

// Together they fit on a screen of 100 x 30.
#define FIRST_WIDTH    100 // columns at the most
#define FIRST_COLUMNS  64  // of the envelope, for sparklines
#define FIRST_FINDINGS 6
#define FIRST_SERIES   8 // of the overview
#define FIRST_MACHINES 9
#define FIRST_TOP      4

struct first {
	struct judged judged;
	struct survey survey;
	struct pmon_select *sums;  // counters of which totals and averages are needed
	struct pmon_select *shows; // what the screen shows beside the counters of the overview
	struct pmon_select *needs; // ... and what is read for it
	struct filter *filter;     // below judged.logs.source
	// Statistics, in `judged`, of those of `sums` and of the overview; until the filter is settled of the
	// first ones too.
	struct picked summed;
	bool is_settled;
	// Sparklines and percentiles, of the series that the overview may have.
	struct picked picked;
	size_t seen;                    // series that may have been picked or summed
	struct pmon_envelope *envelope; // NULL before the first sample
	struct pmon_statistics *spread;
	struct machines machines;
	size_t width;
	bool ascii;
};

// ---- Lines (lines.c) ------------------------------------------------------------------------

// Parts of a line, which goes on in the next line when it is full.
struct first_line {
	size_t width;
	size_t used;
	size_t indent; // of the lines after the first
};
void first_put(struct first_line *line, const char *gap, const char *text);
void first_end(const struct first_line *line);

// A text in so many columns: a longer one is cut in the middle.
void first_cell(const struct first *f, const char *text, size_t columns, bool right);

// "10:32:15", with day and month where the log is of several days.
#define FIRST_TIME 16
void first_time(const struct first *f, pmon_time t, char buf[FIRST_TIME]);

// ---- Parts of the screen --------------------------------------------------------------------

void first_facts(const struct first *f);
void first_findings(const struct first *f);
bool first_overview(const struct first *f); // false when memory is short
bool first_top(const struct first *f);      // likewise

void first_commands(const struct first *f);

// The files of the command line, as a shell takes them; a blank precedes each.
struct pmon_text;
void first_files(const struct first *f, struct pmon_text *t);

// For several machines: a line for each. False when memory is short.
bool first_machines(const struct first *f);

#endif
