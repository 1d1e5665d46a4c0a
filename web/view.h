// view.h - logs and machines on a page: what pmon view starts
// SPDX-License-Identifier: MIT
//
//	view_new(&view, &err);
//	...                                         // open the sources, view_note_damage() as notices
//	view_open(view, &options, &err);            // begins to read
//	http_open(view, &http_options, &http, &err);
//	...
//	http_close(http);                           // after view_stop()
//	view_free(view);                            // and then the sources are closed

#ifndef PMON_WEB_VIEW_H
#define PMON_WEB_VIEW_H

#include <pmon/pmon.h>

#include "web/set.h"

struct view;

PMON_NODISCARD enum pmon_status view_new(struct view **out, struct pmon_err *err);

// Begin to read the first set, and the second if its plan has a source.
PMON_NODISCARD enum pmon_status view_open(struct view *view, const struct set_plan plans[2],
					  const struct pmon_calc_options *calc,
					  struct pmon_err *err);

// How a log is opened that the page sends, which then is the second set. Before http_open(); without it, none is
// taken.
void view_take_logs(struct view *view, const struct set_opener *opener);

// A notice of a source of set i. For any thread, before view_open() too.
void view_note_damage(struct view *view, size_t i, const struct pmon_notice *notice);

// End what waits: reading logs, and streams of events. NULL is fine. Who opened a live source also ends
// its waiting.
void view_stop(struct view *view);

void view_free(struct view *view); // NULL is fine

#endif
