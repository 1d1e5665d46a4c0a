// report.h - what a report is made of
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_REPORT_REPORT_H
#define PMON_APPS_REPORT_REPORT_H

#include "apps/chart/chart.h"
#include "apps/report/html.h"
#include "cli/input/judged.h"
#include "cli/input/logs.h"
#include "cli/input/survey.h"
#include "draw/colour.h"
#include "rules/judge.h"

// Bounds of a page, so that no log makes one that cannot be read. docs/reference/cli.md has them too.
#define REPORT_CHARTS       24 // of objects
#define REPORT_CARDS        16 // with charts
#define REPORT_CHART_SERIES DRAW_PALETTE
#define REPORT_FILES        100
#define REPORT_NOTICES      100
#define REPORT_GAPS         20  // of a log
#define REPORT_FINDINGS     10  // series under one rule and level
#define REPORT_OBJECTS      100 // with tables
#define REPORT_ROWS         200 // of the table of an object
#define REPORT_ALL_ROWS     3000
#define REPORT_TOP          10
#define REPORT_DIFFERENCES  10 // from the baseline, of each kind
#define REPORT_DAYS         62
#define REPORT_LANES        40 // of the timeline
#define REPORT_MACHINES     500

// What is known of one log, or of this machine.
struct report_file {
	char name[256];
	struct pmon_source_info info; // its numbers; texts are below
	struct pmon_host host;
	char format[32];
	char writer[256];
	char converter[256];
	char machine[1024]; // or several, by their number and names
	size_t n_machines;
	char zone[128];
	struct survey survey;
	size_t counters;
};

struct report_notice {
	char file[256];
	bool is_loss;
	uint64_t offset;
	uint64_t length;
	char text[256];
};

// A picture, with the series that it has.
struct report_chart {
	struct pmon_span object;       // {NULL, 0}: it is of a finding
	const struct rules_rule *rule; // whose limits it has; NULL: those of all rules
	const char *title;
	const struct pmon_series *series[REPORT_CHART_SERIES];
	size_t n;
	size_t of; // series that could have been in it
};

struct report {
	struct args args; // those of the command line, and patterns of ours where it has none
	bool ours;
	struct logs logs;
	struct rules rules;
	struct rules_judge *judge;
	const struct rules_finding *findings;
	size_t n_findings;
	struct judged
		ranked; // the findings in the order of their harm; the rest belongs to the report
	// The same findings, those of a rule and level together, the gravest group first.
	const struct rules_finding **cards;
	size_t n_cards;
	const struct rules_episode *episodes;
	size_t n_episodes;
	struct report_file *files;
	size_t n_files;
	size_t n_failed;     // logs that could not be opened
	bool failed;         // some log could not be opened
	bool files_done;     // facts were found before; else they come of the reading itself
	const char *reading; // the log that notices are of
	struct report_notice *notices;
	size_t n_notices; // of all; REPORT_NOTICES of them are kept
	struct pmon_statistics *statistics;
	struct pmon_envelope *envelope;
	struct pmon_statistics *charted;   // with percentiles, of the series of charts
	const struct pmon_series **series; // that have values, in order
	struct rules_disks disks;          // of all series
	size_t n;
	struct pmon_span objects[REPORT_OBJECTS]; // in the order of the page
	size_t n_objects;
	bool more_objects;                                        // than the page has
	size_t rows;                                              // of tables of objects so far
	struct report_chart charts[REPORT_CARDS + REPORT_CHARTS]; // those of findings come first
	size_t n_card_charts;
	size_t n_charts;                  // of all
	struct report_baseline *baseline; // NULL: there is none
	struct report_hours *hours;       // NULL: the log is not over a day
	pmon_time from;
	pmon_time to;
	uint64_t samples;
	bool with_dates;   // times lie on more than one day
	bool two_machines; // or more
};

// The statistics of a series that has a value; NULL when it has none.
const struct pmon_stats *report_stats(const struct report *r, const struct pmon_series *series);

// ---- Choosing (choose.c) -------------------------------------------------------------

// List the objects, order the findings, and choose the charts. False when memory is short.
bool report_choose(struct report *r);

// The patterns of a live machine of which nothing was asked. NULL after the last.
const char *report_pattern(size_t i);

// The series of a counter of an object, totals left out where there are others, those with the largest
// average first; at most max of them in out. Returns how many there are.
size_t report_largest(const struct report *r, struct pmon_span object, const char *counter,
		      const struct pmon_series **out, size_t max);

// ---- The page -------------------------------------------------------------------------------

#define REPORT_WIDTH  960 // of pictures
#define REPORT_PANELS 3

// Columns that the envelope has for pictures.
size_t report_columns(void);

// Write the page. The envelope is filled. Returns NULL, or what went wrong.
const char *report_page(struct report *r, struct html *html);

// The findings from cards[i] on that are of one rule and level.
size_t report_group(const struct report *r, size_t i);
const char *report_findings(struct report *r, struct html *html); // findings.c
void report_style(struct html *html);                             // style.c
void report_glossary(const struct report *r, struct html *html);  // glossary.c
double report_ms(pmon_time t);                                    // since 1970, for scripts
void report_numbers(const struct report *r, struct html *html);   // script.c
void report_summary(const struct report *r, struct html *html);   // timeline.c
void report_timeline(const struct report *r, struct html *html);
void report_machines(const struct report *r, struct html *html);
const char *report_object(struct report *r, struct html *html, size_t number); // object.c
const char *report_draw(const struct report *r, struct html *html, size_t chart);
// The multiple of its unit in which all values of a series are shown.
const struct draw_multiple *report_multiple(const struct pmon_stats *stats,
					    const struct draw_unit *unit);
void report_percentile(const struct report *r, struct html *html, const struct pmon_series *series,
		       const struct draw_unit *unit, const struct draw_multiple *multiple,
		       unsigned thousandths);

// ---- Hours (hours.c) -------------------------------------------------------------------------

// Before the second reading, with each sample of it, and NULL after the last; exit statuses. The series that
// samples must have are those of report_hours_series(). All do nothing for a log of a day or less.
int report_hours_begin(struct report *r);
size_t report_hours_series(const struct report *r, const struct pmon_series *const **list);
int report_hours_add(struct report *r, const struct pmon_sample *sample);
void report_hours_free(struct report *r);
void report_hours_section(const struct report *r, struct html *html);

// ---- The log to compare with (baseline.c) -----------------------------------------------------

// Before the logs are opened, when they are, with each sample, and after the last; exit statuses. Without
// --baseline these do nothing.
int report_baseline_read(struct report *r);
int report_baseline_begin(struct report *r);
int report_baseline_add(struct report *r, const struct pmon_sample *sample);
int report_baseline_compare(struct report *r);

// Returns the status of the report, which has come so far with status.
int report_baseline_close(struct report *r, int status);
void report_baseline_summary(const struct report *r, struct html *html);
void report_baseline_section(const struct report *r, struct html *html);

// ---- Pieces of it (text.c) -----------------------------------------------------------

// "13:46:30", with the date where times lie on several days.
void report_time(const struct report *r, struct html *html, pmon_time t);

// "4 min 30 s", from a minute on in whole seconds
void report_length(struct html *html, int64_t length_100ns);

// "12.5 %"
void report_share(struct html *html, double share);

// A number of a quantity as a person reads it: "143 ms".
void report_quantity(struct html *html, double value, enum draw_quantity quantity);

// Cells of a table: a displayed value in a multiple of its unit, exact for programs, "-" without a
// number; mark stands after it.
void report_value_cell(struct html *html, const struct pmon_value *value,
		       const struct draw_unit *unit, const struct draw_multiple *multiple,
		       const char *mark);

// The instance of a series as it is named: "parent/name#1", of a process "name (3320)", with the machine
// where there are several.
void report_instance(const struct report *r, struct html *html, const struct pmon_series *series);

#endif
