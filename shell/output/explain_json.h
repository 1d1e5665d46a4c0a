// explain_json.h - explanations of values and averages as JSON
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_EXPLAIN_JSON_H
#define PMON_SHELL_OUTPUT_EXPLAIN_JSON_H

#include "shell/output/json.h"

// The state of one series while its samples are read: the pair to explain, and the mean of its
// displayed values.
struct explain_subject {
	struct pmon_raw older;
	struct pmon_raw newer;
	bool has_older;
	bool found;
	bool is_newest; // the kept value is the newest one
	bool changed;   // the instance has become another process since then
	struct pmon_identity_who was;
	struct pmon_identity_who is;
	double sum;
	uint64_t n;
};

// Add a raw value of the series; `before` are the statistics before it is added. The value nearest
// to `at` is kept; for PMON_TIME_NONE the newest.
void explain_see(struct explain_subject *s, const struct pmon_stats *before,
		 const struct pmon_raw *raw, pmon_time at);

// If the newest raw value is the first one of another process, record both processes. identity is
// from pmon_identity_open(), or NULL.
void explain_see_change(struct explain_subject *s, const struct pmon_source *identity,
			const struct pmon_path *path);

// Add the displayed value of the newest raw value.
void explain_note(struct explain_subject *s, const struct pmon_value *value);

// What a counter measures: for the common counters of Windows, and for this build's live counters
// that Windows lacks. False if unknown. Texts are static.
bool explain_help(const struct pmon_path *path, struct pmon_counter_help *out);

// Write one explanation.
void explain_json(struct json *json, const struct pmon_explanation *why);

// The average of a subject.
struct explain_average {
	struct pmon_explanation why;
	enum pmon_average_kind kind;
};

// The average of a series from its statistics alone; series is NULL for raw values from the command
// line.
void explain_average_of(const struct pmon_series *series, const struct pmon_stats *stats,
			struct explain_average *out);

// Write the kept value and the average: the output of `pmon explain --format json` for a series.
// series is NULL for raw values from the command line, origin for a source that is not this
// machine.
void explain_subject_json(struct json *json, const struct explain_subject *s,
			  const struct pmon_calc *calc, const struct explain_average *average,
			  const struct pmon_series *series, const struct pmon_live_counter *origin);

#endif
