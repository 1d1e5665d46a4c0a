// metrics.h - the newest counters of a source, for Prometheus to scrape
// SPDX-License-Identifier: MIT
//
// Each scrape takes a sample, but at most one per interval: more frequent scrapes get the same sample.
// Recorded logs are played back in real time from their first sample. Thread-safe.

#ifndef PMON_WEB_METRICS_H
#define PMON_WEB_METRICS_H

#include <pmon/pmon.h>

#include "model/labels.h"

struct call;
struct metrics;

// Answers "ok", or 503 after a failed sample.
#define METRICS_HEALTH "/healthz"

struct metrics_plan {
	const struct pmon_labels *labels; // of all series; NULL: none
	struct pmon_source *source; // of this machine: a non-blocking one. Outlives the metrics
	int64_t interval_100ns;     // between samples of this machine; 0: a log that is played back
	double speed;               // playback speed of a log: 1 is real time
	size_t top;      // processes, summed by name: so many by time and by memory; 0: as they are
	bool is_classic; // the label "instance" is that of the counter
};

PMON_NODISCARD enum pmon_status metrics_open(const struct metrics_plan *plan, struct metrics **out,
					     struct pmon_err *err);
void metrics_close(struct metrics *metrics); // NULL is fine

// Answer GET /metrics and METRICS_HEALTH; call->site is the metrics.
void metrics_answer(struct call *call);

#endif
