// window.h - seek in a window, and the samples outside of it
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_WINDOW_H
#define PMON_QUERY_WINDOW_H

#include <pmon/query.h>

// Read a window that was just opened or rewound up to its first sample. PMON_END: the window is
// empty, and the source was read to its end. pmon_source_next() returns that sample after the
// preceding samples.
enum pmon_status pmon_window_seek(struct pmon_source *window, const struct pmon_sample **sample,
				  struct pmon_err *err);

// For a source from pmon_window_open() that was read to its end: the next sample from before the
// window, or between two parts of it, that no sample inside followed. NULL after the last.
const struct pmon_sample *pmon_window_next_lead(struct pmon_source *window);

// The earliest and latest times of all samples read so far, inside the window or not.
// PMON_TIME_NONE before the first.
pmon_time pmon_window_oldest(const struct pmon_source *window);
pmon_time pmon_window_newest(const struct pmon_source *window);

#endif
