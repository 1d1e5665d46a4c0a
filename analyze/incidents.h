// incidents.h - what was wrong, when, and who did it: shifts, findings of rules and events together
// SPDX-License-Identifier: MIT
//
//	tracks_begin(&incidents.tracks);
//	... tracks_add(&incidents.tracks, schema, sample, values);
//	incidents_judge(&incidents, findings, n);
//	... incidents.list, the gravest first
//	incidents_free(&incidents);

#ifndef PMON_ANALYZE_INCIDENTS_H
#define PMON_ANALYZE_INCIDENTS_H

#include "analyze/shifts.h"
#include "analyze/tracks.h"
#include "base/map.h"
#include "rules/results.h"

#define INCIDENTS_WHO 3

enum incident_severity {
	INCIDENT_NOTE,
	INCIDENT_WARNING,
	INCIDENT_CRITICAL,
	INCIDENT_SEVERITIES
};

// One shift or finding.
struct evidence {
	const struct track *track; // NULL: that of a finding whose counter is no evidence by itself
	const struct meaning *meaning; // NULL: unknown
	const struct pmon_series *series;
	struct shift shift;                  // unless there is only a finding
	const struct rules_finding *finding; // or NULL
	bool is_note;                        // a limit that is crossed as usual
	uint32_t stream;
	uint32_t from; // samples, as in a shift
	uint32_t to;
	double score;
};

// A process that used more than usual.
struct incident_who {
	const struct pmon_series *series;
	double usual;
	double level;
};

struct incident {
	enum incident_severity severity;
	uint64_t id; // the same for the same incident, however the log is read
	pmon_time from;
	pmon_time to;
	int64_t length_100ns; // less than `to` minus `from` where there was a gap, or a clock was set
	pmon_time steady_from; // `from` and `to`, if no clock had been set
	pmon_time steady_to;
	const struct evidence *head;
	size_t first; // of its evidence in incidents.evidence, the head first
	size_t n;
	struct incident_who who[INCIDENTS_WHO];
	size_t n_who;
	bool has_asked;      // there are processes that could have risen
	bool has_risen_load; // a disk of it did more than usual
};

// Zeros at the beginning.
struct incidents {
	struct tracks tracks;
	struct evidence *evidence; // of incidents_judge()
	size_t n_evidence;
	size_t cap_evidence;
	struct incident *list;
	size_t n;
	size_t cap;
	struct pmon_map by_path; // tracks
	uint64_t seed;           // of its hashes
	size_t within_usual;     // crossed warning limits that are no incident
};

// The incidents of all samples with the findings of rules over the same samples. False when memory is short.
bool incidents_judge(struct incidents *incidents, const struct rules_finding *findings, size_t n);
void incidents_free(struct incidents *incidents);

// The shifts of all counters, the strongest first; the caller frees the list. NULL when memory is short.
const struct evidence **incidents_shifts(const struct incidents *incidents, size_t *n);

// The incident that an evidence belongs to; NULL: none, as a process that is busy for a while.
const struct incident *incidents_of(const struct incidents *incidents, const struct evidence *e);

// Keep only the incidents that a caller wants.
void incidents_keep(struct incidents *incidents,
		    bool (*wants)(const void *ctx, const struct incident *incident),
		    const void *ctx);

// The time of a shift or of a finding's gravest episode.
pmon_time evidence_from(const struct incidents *incidents, const struct evidence *e);
pmon_time evidence_to(const struct incidents *incidents, const struct evidence *e);
int64_t evidence_length(const struct incidents *incidents, const struct evidence *e);

// The same times if the clock had not been set since the first sample (pmon_pace_steady()).
void evidence_steady(const struct incidents *incidents, const struct evidence *e, pmon_time *from,
		     pmon_time *to);

// The rise per hour of a ramp, and the seconds until the resource is exhausted; NaN: it is not, or its bound is not
// known.
double incidents_slope(const struct incidents *incidents, const struct evidence *e);
double incidents_exhausted(const struct incidents *incidents, const struct evidence *e);

// How many incidents have this severity?
size_t incidents_count(const struct incidents *incidents, enum incident_severity severity);

const char *incident_severity_name(enum incident_severity severity);

#endif
