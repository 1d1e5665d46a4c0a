// report.h - the parts of a report
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_REPORT_REPORT_H
#define PMON_VERBS_REPORT_REPORT_H

#include "verbs/chart/chart.h"
#include "verbs/report/html.h"
#include "shell/input/judged.h"
#include "shell/input/logs.h"
#include "shell/input/survey.h"
#include "shell/output/machines.h"
#include "shell/output/redact.h"
#include "draw/colour.h"
#include "rules/judge.h"

// Options of pmon report only.
struct report_options {
	const char *baseline;
	bool anonymize;
	enum {
		REPORT_HTML,
		REPORT_MARKDOWN
	} format;
};

// Limits that keep the page readable for any log. docs/reference/cli.md lists them too.
#define REPORT_CHARTS       24 // for objects
#define REPORT_CARDS        16 // with charts
#define REPORT_INCIDENTS    6  // with cards
#define REPORT_CHART_SERIES DRAW_PALETTE
#define REPORT_FILES        100
#define REPORT_NOTICES      100
#define REPORT_GAPS         20  // per log
#define REPORT_FINDINGS     10  // series per rule and level
#define REPORT_OBJECTS      100 // with tables
#define REPORT_ROWS         200 // per table of an object
#define REPORT_ALL_ROWS     3000
#define REPORT_TOP          10
#define REPORT_DIFFERENCES  10 // from the baseline, of each kind
#define REPORT_DAYS         62
#define REPORT_LANES        40 // in the timeline
#define REPORT_MACHINES     500

// The facts about one log, or this machine.
struct report_file {
	char name[256];
	struct pmon_source_info info; // only its numbers; texts are below
	struct pmon_host host;
	char format[32];
	char writer[256];
	char converter[256];
	char machine[1024]; // or several: their number and names
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

// A picture and its series.
struct report_chart {
	struct pmon_span object;       // {NULL, 0}: it belongs to a finding
	const struct rules_rule *rule; // the rule whose limits are drawn; NULL: all rules
	const char *title;
	const struct pmon_series *series[REPORT_CHART_SERIES];
	size_t n;
	size_t of; // number of candidate series
};

struct report_card;

struct report {
	const struct args *args;
	struct request request; // with default patterns if the command line has none
	bool overwrite;         // overwrite the page
	struct logs logs;
	bool is_open; // the logs are open
	struct rules rules;
	struct rules_judge *judge;
	const struct rules_finding *findings;
	size_t n_findings;
	struct judged
		ranked; // the findings in order of severity; everything else belongs to the report
	// The same findings, grouped by rule and level, the most severe group first.
	const struct rules_finding **cards;
	size_t n_cards;
	const struct rules_episode *episodes;
	size_t n_episodes;
	struct report_file *files;
	size_t n_files;
	size_t n_failed; // logs that could not be opened
	bool failed;     // some log could not be opened
	bool files_done; // facts were collected before; otherwise they come from reading itself
	struct redaction names; // with --anonymize
	const char *reading;    // the log that notices belong to
	struct report_notice *notices;
	size_t n_notices; // total; REPORT_NOTICES of them are kept
	struct pmon_statistics *statistics;
	struct pmon_envelope *envelope;
	struct pmon_statistics *charted;   // with percentiles, for the series of charts
	const struct pmon_series **series; // those with values, in order
	struct pmon_rates rates;           // among all series
	size_t n;
	struct pmon_span objects[REPORT_OBJECTS]; // in the order of the page
	size_t n_objects;
	bool more_objects;                                        // more than fit on the page
	size_t rows;                                              // in tables of objects so far
	struct report_chart charts[REPORT_CARDS + REPORT_CHARTS]; // charts of findings come first
	size_t n_card_charts;
	size_t n_charts;                    // in total
	struct report_card *incident_cards; // of the first incidents (incident_cards.h)
	size_t n_incident_cards;
	struct report_baseline *baseline; // NULL: none
	struct report_hours *hours;       // NULL: the log is shorter than a day
	struct pmon_paces paces;
	pmon_time from; // both on the chart axis, on which clocks are never set
	pmon_time to;
	uint64_t samples;
	bool with_dates;   // times are on more than one day
	bool two_machines; // or more
};

static inline bool
report_is_anonymous(const struct report *r)
{
	return OWN_OPTIONS(report, r->args)->anonymize;
}

// The statistics of a series; NULL if it has no value.
const struct pmon_stats *report_stats(const struct report *r, const struct pmon_series *series);

// ---- Choosing (choose.c) -------------------------------------------------------------

// List the objects, order the findings, and choose the charts. False if out of memory.
bool report_choose(struct report *r);

// The default patterns for a live machine. NULL after the last.
const char *report_pattern(size_t i);

// The series of a counter of an object, without totals if there are others, the largest averages
// first; at most max of them in out. Returns how many there are.
size_t report_largest(const struct report *r, struct pmon_span object, const char *counter,
		      const struct pmon_series **out, size_t max);

// ---- The page -------------------------------------------------------------------------------

#define REPORT_WIDTH  960 // of pictures
#define REPORT_PANELS 3

// The number of columns that the envelope needs for pictures.
size_t report_columns(void);

// Write the page. The envelope is complete. Returns NULL, or an error message.
const char *report_page(struct report *r, struct html *html);

// The title: the one given, or the names of the machines.
struct pmon_span report_title(const struct report *r, char buf[MACHINES_TEXT]);

// Write the report as markdown, which has no charts. Returns NULL, or an error message.
const char *report_markdown(struct report *r, struct pmon_outfile *file);

// ---- Incidents (incidents.c) ------------------------------------------------------------------

// Returns NULL, or an error message.
const char *report_incidents(const struct report *r, struct html *html);
// Its severity and headline, and links to the limits that were crossed in it.
void report_put_incident(const struct report *r, struct html *html,
			 const struct incident *incident);
// Who rose, between markup; nothing if there is nothing to say.
void report_put_who(struct html *html, const struct incident *incident, const char *before,
		    const char *after);
// The other evidence, at most so many lines of it, in the same way.
void report_put_evidence(const struct report *r, struct html *html, const struct incident *incident,
			 size_t most, const char *before, const char *after);
void report_put_limits(const struct report *r, struct html *html, const struct incident *incident);
// "1 critical incident, 2 warnings and 1 note"
void report_put_counts(struct pmon_text *t, const struct incidents *incidents);
// There is one.
void report_summarize_incidents(const struct report *r, struct html *html);
void report_baseline_incidents(const struct incidents *incidents, struct html *html);

// The number of findings from cards[i] on with the same rule and level.
size_t report_group(const struct report *r, size_t i);
const char *report_findings(struct report *r, struct html *html); // findings.c
void report_style(struct html *html);                             // style.c
void report_glossary(const struct report *r, struct html *html);  // glossary.c
double report_ms(pmon_time t);                                    // since 1970, for scripts
void report_numbers(const struct report *r, struct html *html);   // script.c
void report_summary(const struct report *r, struct html *html);   // timeline.c
void report_timeline(const struct report *r, struct html *html);
double report_percent(const struct report *r, pmon_time t); // of the whole time, from the left
void report_machines(const struct report *r, struct html *html);
void report_key_numbers(const struct report *r, struct html *html);
const char *report_object(struct report *r, struct html *html, size_t number); // object.c
bool report_take_bytes(void *html, const void *bytes, size_t len);             // a draw_write_fn
const char *report_draw(const struct report *r, struct html *html, size_t chart);
// The multiple of its unit in which all values of a series are printed.
const struct draw_multiple *report_multiple(const struct pmon_stats *stats,
					    const struct draw_unit *unit);
void report_percentile(const struct report *r, struct html *html, const struct pmon_series *series,
		       const struct draw_unit *unit, const struct draw_multiple *multiple,
		       double percent);

// ---- Hours (hours.c) -------------------------------------------------------------------------

// Call these before the second pass, with each of its samples, and with NULL after the last; they
// return exit statuses. Samples must include the series of report_hours_series(). All do nothing
// for a log of a day or less.
int report_hours_begin(struct report *r);
size_t report_hours_series(const struct report *r, const struct pmon_series *const **list);
int report_hours_add(struct report *r, const struct pmon_sample *sample);
void report_hours_free(struct report *r);
void report_hours_section(const struct report *r, struct html *html);

// ---- The log to compare with (baseline.c) -----------------------------------------------------

// Call these before and after opening the logs, with each sample, and after the last; they return
// exit statuses. Without --baseline they do nothing.
int report_baseline_read(struct report *r);
int report_baseline_begin(struct report *r);
int report_baseline_add(struct report *r, const struct pmon_sample *sample);
int report_baseline_compare(struct report *r);
void report_baseline_names(struct report *r); // for --anonymize

// Returns the status of the report, given the status so far.
int report_baseline_close(struct report *r, int status);
void report_baseline_summary(const struct report *r, struct html *html);
void report_baseline_section(const struct report *r, struct html *html);

// ---- Pieces of it (text.c) -----------------------------------------------------------

// "13:46:30", with the date if times are on several days.
void report_time(const struct report *r, struct html *html, pmon_time t);

// "4 min 30 s"; from a minute on in whole seconds
void report_length(struct html *html, int64_t length_100ns);

// "12.5 %"
void report_share(struct html *html, double share);

// A number of a quantity, formatted for people: "143 ms".
void report_quantity(struct html *html, double value, enum draw_quantity quantity);

// A table cell: a displayed value in a multiple of its unit, with the exact value for programs, or
// "-" without a number; followed by mark.
void report_value_cell(struct html *html, const struct pmon_value *value,
		       const struct draw_unit *unit, const struct draw_multiple *multiple,
		       const char *mark);

// The name of a series' instance: "parent/name#1", for a process "name (3320)", with the machine if
// there are several.
void report_instance(const struct report *r, struct html *html, const struct pmon_series *series);

#endif
