// window.h - the time window to read, and its contents
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_WINDOW_H
#define PMON_SHELL_INPUT_WINDOW_H

#include <pmon/pmon.h>

#include "shell/input/by_series.h"
#include "shell/output/out.h"

struct window {
	struct pmon_source *step; // limits the times; NULL: everything is read
	pmon_time from;           // PMON_TIME_NONE: from the beginning
	pmon_time to;
	struct by_series in_window; // bool: it has a sample in the window. Filled only if needed
	// opening failed because the window is empty, which was reported
	bool is_empty;
	bool is_outside_said;
};

// Limit the source to from and to. Returns an exit status.
int window_open(struct window *window, struct pmon_source **source);
void window_free(struct window *window);

// "from 2026-11-20 10:00:00.000 to 2026-11-20 11:00:00.000"
#define WINDOW_SIZE (2 * PMON_TIME_SIZE + 16)
void window_text(const struct window *window, const struct clock *clock, char buf[WINDOW_SIZE]);

// Record which series have samples in the window, if some patterns may have some and others not.
// The second function returns whether any series has.
void window_note_sample(struct window *window, const struct pmon_select *select,
			const struct pmon_sample *sample);
bool window_note_statistics(struct window *window, const struct pmon_select *select,
			    const struct pmon_schema *schema,
			    const struct pmon_statistics *statistics);

// Does a series that matches this pattern have a sample in the window?
bool window_has(const struct window *window, const struct pmon_schema *schema, const char *pattern);

// Find a sample with a requested series. PMON_END: there is none.
enum pmon_status window_look(struct window *window, struct pmon_err *err);

// Read to the end to find the times of the log. Returns an exit status.
int window_learn_times(struct window *window);

#endif
