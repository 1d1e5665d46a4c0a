// machines.h - --machine: other names for the machines of logs
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INPUT_MACHINES_H
#define PMON_CLI_INPUT_MACHINES_H

#include <pmon/pmon.h>

#include "cli/args/args.h"
#include "os/threads.h"

// What --machine says, for one opening of logs.
struct machines_rename {
	const struct words *words; // "NAME", or "OLD=NEW" each
	struct pmon_lock *lock;    // several threads may open logs
	bool is_known;             // for "NAME": the one machine that there is
	char known[256];
	bool *hits; // by word
};

// Are the words valid, and sensible for what is read? An exit status.
int machines_check(const struct args *args);

// The name for this machine, NULL: it has none given; id may be NULL. Whoever has hits[i] set named it by word i.
enum pmon_status machines_name(void *ctx, struct pmon_span machine, const char *id,
			       struct pmon_span *name, struct pmon_err *err);

// Say which words named no machine. An exit status.
int machines_check_hits(const struct machines_rename *rename, const struct args *args);

// Which machines a log is of, after they were renamed.
struct machines_of {
	const char *file;
	struct pmon_machine *list;
	size_t n;
	bool is_named; // --machine named some of them
};

// Remember them, if nothing is remembered yet. False when memory is short.
bool machines_note(struct machines_of *of, const struct pmon_source_info *info);

// Refuse two logs whose machines have the same name and different ids. An exit status.
int machines_compare(const struct machines_of *logs, size_t n);
void machines_forget(struct machines_of *of);

#endif
