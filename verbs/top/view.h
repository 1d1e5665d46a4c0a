// view.h - what pmon top draws
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_TOP_VIEW_H
#define PMON_VERBS_TOP_VIEW_H

#include "verbs/top/model.h"
#include "shell/output/out.h"

// The view to draw. top_screen_draw() maintains offset, page and pane_top.
struct top_view {
	const struct top_model *model;
	struct clock clock;
	const char *name; // of the machine or the log
	bool live;
	bool ended; // there are no more samples
	int64_t interval_100ns;
	uint64_t missed;     // due samples that were not taken
	const char *message; // shown instead of the keys; "" if there is none
	bool typing;         // the filter is being typed
	const char *time;    // the time to go to, as it is being typed, or NULL
	const char *pane;    // a text shown instead of the rows, or NULL
	const char *pane_title;
	size_t pane_top; // its first line on the screen
	size_t offset;   // first row on the screen
	size_t page;     // number of lines that fit
};

#endif
