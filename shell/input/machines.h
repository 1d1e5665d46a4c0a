// machines.h - --machine: rename the machines of logs
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_MACHINES_H
#define PMON_SHELL_INPUT_MACHINES_H

#include <pmon/pmon.h>

#include "shell/input/request.h"
#include "os/threads.h"

// The --machine options while logs are being opened.
struct machines_rename {
	const struct words *words; // each is "NAME" or "OLD=NEW"
	struct pmon_lock *lock;    // several threads may open logs
	bool is_known;             // for "NAME": the only machine, once known
	char known[256];
	bool *hits; // by word: whether it matched
};

// Check that the words are valid, and sensible for the input. Returns an exit status.
int machines_check(const struct request *request);

// Choose the name of a machine; NULL: unchanged. id may be NULL. Sets hits[i] if word i matched.
enum pmon_status machines_name(void *ctx, struct pmon_span machine, const char *id,
			       struct pmon_span *name, struct pmon_err *err);

// Report words that matched no machine. Returns an exit status.
int machines_check_hits(const struct machines_rename *rename, const struct request *request);

// The machines of a log, after renaming.
struct machines_of {
	const char *file;
	struct pmon_machine *list;
	size_t n;
	bool is_named; // --machine matched some of them
};

// Store the machines unless they are stored already. False if out of memory.
bool machines_note(struct machines_of *of, const struct pmon_source_info *info);

// Refuse two logs whose machines have the same name but different ids. Returns an exit status.
int machines_compare(const struct machines_of *logs, size_t n);
void machines_forget(struct machines_of *of);

#endif
