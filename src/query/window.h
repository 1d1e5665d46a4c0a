// window.h - what reading parts of a merge needs of a window
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_WINDOW_H
#define PMON_QUERY_WINDOW_H

#include <pmon/query.h>

// Of a source from pmon_window_open() that has been read to its end: the next sample from before the
// window that was not given, because nothing is in the window. NULL behind the last.
const struct pmon_sample *pmon_window_next_lead(struct pmon_source *window);

// The latest time of all samples that it has seen, in the window or not. PMON_TIME_NONE before any.
pmon_time pmon_window_newest(const struct pmon_source *window);

#endif
