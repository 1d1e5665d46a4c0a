// command.h - the output of a command as a source of samples
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_RECORD_COMMAND_H
#define PMON_VERBS_RECORD_COMMAND_H

#include "shell/input/patterns.h"

struct command;

struct command_options {
	const char *text;                // for /bin/sh -c
	int64_t duration_100ns;          // then it is asked to end; 0: no limit
	const struct patterns *patterns; // which counters are read
	pmon_notice_fn notice;
	void *ctx; // of notice
};

// Start a command that writes JSON lines, wait for its first sample, and open its output as a live source. A signal
// asks the command to end; what it writes until then is read. A sample is complete, and returned, when the first line
// of the next one is there. Returns an exit status. *out, which the source does not own, is set also on failure, and
// must outlive the source.
int command_open(struct command **out, const struct command_options *options,
		 struct pmon_source **source);

// Did SIGHUP ask for a new file since the last call?
bool command_asks_rotation(struct command *command);

// End the command if it has not ended. Returns EXIT_FAILED after a message if it failed. NULL is allowed.
int command_close(struct command *command);

#endif
