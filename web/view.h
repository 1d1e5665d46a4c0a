// view.h - the page with logs and machines that pmon view starts
// SPDX-License-Identifier: MIT
//
//	view_new(&view, &err);
//	...                                         // open the sources, view_note_damage() for notices
//	view_open(view, &options, &err);            // starts reading
//	http_open(view, &http_options, &http, &err);
//	...
//	http_close(http);                           // after view_stop()
//	view_free(view);                            // then close the sources

#ifndef PMON_WEB_VIEW_H
#define PMON_WEB_VIEW_H

#include <pmon/pmon.h>

#include "web/set.h"

struct view;

PMON_NODISCARD enum pmon_status view_new(struct view **out, struct pmon_err *err);

// Start reading the first set, and the second if its plan has a source.
PMON_NODISCARD enum pmon_status view_open(struct view *view, const struct set_plan plans[2],
					  const struct pmon_calc_options *calc,
					  struct pmon_err *err);

// Set how to open a log that the page sends, which becomes the second set. Call before http_open(); without
// it, logs are refused.
void view_take_logs(struct view *view, const struct set_opener *opener);

// Record a damage notice from a source of set i. Thread-safe; also valid before view_open().
void view_note_damage(struct view *view, size_t i, const struct pmon_notice *notice);

// Stop reading logs and end event streams. NULL is fine. The owner of a live source cancels its wait.
void view_stop(struct view *view);

void view_free(struct view *view); // NULL is fine

#endif
