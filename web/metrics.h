// metrics.h - the newest counters of a source, for a Prometheus to scrape
// SPDX-License-Identifier: MIT
//
// A sample is taken at each scrape, and at most once in an interval: what is asked more often is the
// same sample. Recorded logs go on as time does, from their first sample on. Any number of threads may
// ask at once.

#ifndef PMON_WEB_METRICS_H
#define PMON_WEB_METRICS_H

#include <pmon/pmon.h>

struct call;
struct metrics;

// Answers "ok", and 503 after a sample that could not be taken.
#define METRICS_HEALTH "/healthz"

struct metrics_plan {
	struct pmon_source *source; // of this machine: one that does not wait. Outlives the metrics
	int64_t interval_100ns;     // between samples of this machine; 0: a log that is played back
	double speed;               // of a log: 1 is its own
	bool is_classic;            // the label "instance" is that of the counter
};

PMON_NODISCARD enum pmon_status metrics_open(const struct metrics_plan *plan, struct metrics **out,
					     struct pmon_err *err);
void metrics_close(struct metrics *metrics); // NULL is fine

// Answer GET /metrics and METRICS_HEALTH; call->site is the metrics.
void metrics_answer(struct call *call);

#endif
