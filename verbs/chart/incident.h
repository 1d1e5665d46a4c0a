// incident.h - what a chart of one incident shows
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_CHART_INCIDENT_H
#define PMON_VERBS_CHART_INCIDENT_H

#include "verbs/chart/parts.h"
#include "rules/rules.h"
#include "shell/input/judged.h"

#define CHART_EVIDENCE 8
#define CHART_LIMITS   (CHART_EVIDENCE * RULES_LEVELS)

// A counter of the incident.
struct chart_evidence {
	char *path;
	int64_t process_id; // -1: not of a process
	bool has_usual;
	double usual_low; // displayed values
	double usual_high;
	struct draw_threshold limits[RULES_LEVELS];
	size_t n_limits;
};

struct chart_incident {
	pmon_time from;
	pmon_time to;
	char begin[PMON_TIME_SIZE]; // what is drawn: some time before and after it, too
	char end[PMON_TIME_SIZE];
	bool is_steady; // the clock was set: all times of this struct are as if it had not been
	pmon_time steady_begin;
	pmon_time steady_end;
	char headline[DRAW_LABEL];
	char who[DRAW_LABEL]; // "cause backupd: 1 % -> 546 %", or empty
	char *all;            // the pattern of the processes that are stacked; NULL: none are
	struct chart_evidence list[CHART_EVIDENCE];
	size_t n;
	struct draw_threshold limits[CHART_LIMITS];
};

// Find an incident of the logs by its ID. Returns an exit status.
int incident_find(struct chart_incident *incident, const struct args *args, const char *id);

// Take what is drawn of an incident, except begin and end. False: memory is short.
bool incident_take(struct chart_incident *out, const struct judged *judged,
		   const struct incident *incident);

// How much time before and after it is drawn: as much as it lasted, or some minutes.
int64_t incident_around(const struct incident *incident);

// May the series be part of the figure?
bool incident_needs(const struct chart_incident *incident, const struct pmon_series *series);

// Ask for its counters and its time.
int incident_ask(const struct chart_incident *incident, struct request *request);

// The part of a sample that is drawn, by its time on the axis: itself, the sample before the part that is drawn, or NULL.
// Without an incident, itself.
const struct pmon_sample *incident_sample(const struct chart *chart,
					  const struct pmon_sample *sample, pmon_time on_axis,
					  struct pmon_sample *before);

// Choose its series among those that have values: the processes for a stack, then its counters.
int incident_choose(struct chart *chart, const struct pmon_series *const *list, size_t n);

// Add the limits, usual levels and texts to the figure, whose series are described.
void incident_describe(struct chart *chart);

void incident_free(struct chart_incident *incident);

#endif
