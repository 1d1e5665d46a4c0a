// run.h - pmon top while it runs: samples, keys, time
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_TOP_RUN_H
#define PMON_APPS_TOP_RUN_H

#include "apps/top/model.h"
#include "cli/input/logs.h"

// What is to be shown, opened and ready.
struct top_job {
	struct logs *logs;
	struct top_model *model;
	const char *name;       // of the machine or the log
	bool live;              // else all samples are in the model already
	bool stays;             // when no more samples come the screen stays
	int64_t interval_100ns; // between samples
	FILE *keys;             // terminal that they come from
	bool colors;
};

// Show it until the user has enough. Returns an exit status.
int top_show(const struct top_job *job);

#endif
