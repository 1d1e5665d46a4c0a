// incident_json.h - incidents and events as JSON
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_INCIDENT_JSON_H
#define PMON_SHELL_OUTPUT_INCIDENT_JSON_H

#include "analyze/incidents.h"
#include "shell/output/json.h"

// What the lists are made from.
struct incident_json {
	const struct incidents *incidents;
	// All episodes of the rules, in the order of incident_json_order(). Without them the gravest of each
	// finding stands for all.
	const struct rules_episode **episodes;
	size_t n_episodes;
	size_t n_incidents; // that are listed, the gravest first
	// The number of a series for programs that ask for its values; NULL: they know its path only.
	uint32_t (*number)(const void *ctx, const struct pmon_series *series);
	const void *ctx;
};

// Compare pointers to episodes: by series, rule, level and time.
int incident_json_order(const void *a, const void *b);

// One incident as an object.
void json_incident(struct json *json, const struct incident_json *from,
		   const struct incident *incident);

// The keys "incidents" and "events", and their lists.
void json_incidents(struct json *json, const struct incident_json *from);
void json_events(struct json *json, const struct events *events, size_t n); // the first n

// The keys "beyond_seconds" and "episodes" of a finding.
void json_episodes(struct json *json, const struct incident_json *from,
		   const struct rules_finding *finding);

#endif
