// logs_apart.h - parse a request's logs in a process without network access
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_LOGS_APART_H
#define PMON_SHELL_INPUT_LOGS_APART_H

#include "shell/input/logs.h"

// Like logs_open(), for programs that use the network: a process without network access parses the
// logs, and this process reads no byte of them. With --no-sandbox, and for this machine, this
// process reads. Call it before the first thread is started.
struct apart_options {
	pmon_notice_fn notice; // as for notices_tell(); NULL: none
	// The process ended before the log did, it sent invalid data, or memory is exhausted here.
	// Called by the reader of the source. NULL: not called.
	void (*died)(void *ctx, const struct pmon_err *err);
	void *ctx;            // for both
	bool checks_patterns; // after the last sample, for logs_apart_patterns()
};
int logs_open_apart(struct logs *logs, const struct request *request,
		    const struct apart_options *options);

// Open a log that arrives while threads run, as a file at its beginning. The starter starts another
// process to parse it, which calls logs_read_sent() with a request for "-". On failure, *err has
// the message that the command would print. Call logs_close() in any case.
struct starter;
struct logs_sent {
	struct starter *starter;
	int fd; // the descriptor of the log; the caller keeps it
	const char *name;
	pmon_notice_fn notice; // NULL: none
	void *ctx;
};
int logs_read_sent(const struct request *request, int output);
PMON_NODISCARD enum pmon_status logs_open_sent(struct logs *logs, const struct request *request,
					       const struct logs_sent *sent, struct pmon_err *err);

// End the process now: reading the source then fails. Thread-safe, after logs_open_sent().
void logs_end_sent(struct logs *logs);

// The result of logs_check_patterns() in the child.
int logs_apart_patterns(struct logs *logs);

#endif
