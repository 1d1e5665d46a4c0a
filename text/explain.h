// explain.h - why a value and an average of a series are what they are, as JSON
// SPDX-License-Identifier: MIT

#ifndef PMON_TEXT_EXPLAIN_H
#define PMON_TEXT_EXPLAIN_H

#include "text/json.h"

// The state of one series while its samples pass: the pair to explain, and what a mean of the
// displayed values would be.
struct explain_subject {
	struct pmon_raw older;
	struct pmon_raw newer;
	bool has_older;
	bool found;
	bool is_newest; // what was seen last is what is kept
	bool changed;   // another process has the instance since then
	struct pmon_identity_who was;
	struct pmon_identity_who is;
	double sum;
	uint64_t n;
};

// A raw value of the series, and the statistics before it is added to them. The one nearest to `at`
// is kept; for PMON_TIME_NONE the newest.
void explain_see(struct explain_subject *s, const struct pmon_stats *before,
		 const struct pmon_raw *raw, pmon_time at);

// If the raw value that was seen is the first one of another process: name both. identity is of
// pmon_identity_open(), or NULL.
void explain_see_change(struct explain_subject *s, const struct pmon_source *identity,
			const struct pmon_path *path);

// The displayed value of a raw value that was seen.
void explain_note(struct explain_subject *s, const struct pmon_value *value);

// What the counter of a path measures: of Windows' common counters, and of those that this build can
// sample and Windows has not. False when it is not known. Texts are static.
bool explain_help(const struct pmon_path *path, struct pmon_counter_help *out);

// One explanation.
void explain_json(struct json *json, const struct pmon_explanation *why);

// The value that was kept, and the average: what `pmon explain --format json` prints for a series.
// series is NULL for raw values given by hand, origin for a source that is not this machine.
void explain_subject_json(struct json *json, const struct explain_subject *s,
			  const struct pmon_stats *stats, const struct pmon_series *series,
			  const struct pmon_live_counter *origin);

#endif
