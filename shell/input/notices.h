// notices.h - notices of logs on standard error
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_NOTICES_H
#define PMON_SHELL_INPUT_NOTICES_H

#include <pmon/pmon.h>

// Print the notice of a file, unless notices are muted.
void notices_print(const char *path, const struct pmon_notice *notice);

// Set a function that receives every notice of logs opened from now on, from any thread. fn may be
// NULL.
struct notices_listener {
	pmon_notice_fn fn;
	void *ctx;
};
void notices_tell(pmon_notice_fn fn, void *ctx);
struct notices_listener notices_listener(void);

// Stop printing notices: the same logs are read again, or the screen is in use.
void notices_mute(void);
void notices_unmute(void);
bool notices_are_muted(void);

// The same if the logs were read one at a time before: values that differ between them are still
// reported.
void notices_mute_known(void);
bool notices_show_clashes(void);

#endif
