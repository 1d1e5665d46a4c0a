// run.h - pmon top's main loop: samples, keys, time
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_TOP_RUN_H
#define PMON_VERBS_TOP_RUN_H

#include "verbs/top/model.h"
#include "shell/input/logs.h"

// The input, opened and ready.
struct top_job {
	struct logs *logs;
	struct top_model *model;
	const char *name;       // of the machine or the log
	const char *incidents;  // of the log, as text; NULL: it has none
	bool live;              // otherwise the model has all samples already
	bool stays;             // the screen stays after the last sample
	int64_t interval_100ns; // between samples
	FILE *keys;             // the terminal that they come from
	bool colors;
	pmon_time at; // where the time cursor begins; PMON_TIME_NONE: at the newest sample
};

// Show it until the user quits. Returns an exit status.
int top_show(const struct top_job *job);

#endif
