// view.h - what pmon top draws
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_TOP_VIEW_H
#define PMON_APPS_TOP_VIEW_H

#include "apps/top/model.h"
#include "cli/output/out.h"

// What is drawn. offset, page and pane_top are kept by top_screen_draw().
struct top_view {
	const struct top_model *model;
	struct clock clock;
	const char *name; // of the machine or the log
	bool live;
	bool ended; // no more samples come
	int64_t interval_100ns;
	uint64_t missed;     // samples that were due and not taken
	const char *message; // in place of the keys; "" when there is none
	bool typing;         // the filter is being typed
	const char *pane;    // a text in place of the rows, or NULL
	const char *pane_title;
	size_t pane_top; // its first line on the screen
	size_t offset;   // first line of the rows on the screen
	size_t page;     // lines that fit
};

#endif
