// piped.h - a user's command whose standard output is read while it runs
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_PIPED_H
#define PMON_SHELL_PROCESS_PIPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shell/process/program.h"

struct piped {
	int64_t process; // 0: none
	int fd;
	bool is_stopped; // by piped_stop()
};

enum piped_event {
	PIPED_BYTES,
	PIPED_END,    // the output has ended
	PIPED_SIGNAL, // `signals` can be read
	PIPED_LATE,   // until_100ns has passed
};

// Start the command by /bin/sh -c, in a process group of its own. Its standard input is empty. False with errno.
bool piped_begin(struct piped *piped, const char *command);

// Wait for one of these. `signals` is a descriptor, or -1; until_100ns is a time of the monotonic clock, or 0: no limit.
enum piped_event piped_read(const struct piped *piped, int signals, int64_t until_100ns, void *buf,
			    size_t size, size_t *got);

// Ask the command, and the programs that it started, to end.
void piped_stop(struct piped *piped);

// Wait for it to exit, and kill it after five seconds. False with the reason if it failed before piped_stop().
bool piped_end(struct piped *piped, char why[PROGRAM_WHY]);

#endif
