// folders.h - which logs a client may read: those named at the start, and those in folders named then
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_MCP_FOLDERS_H
#define PMON_VERBS_MCP_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "shell/args/words.h"

#define FOLDERS_MOST 64
#define FOLDERS_WHY  600

// Real paths have no symbolic links, "." and "..".
struct folders {
	struct folder {
		const char *given; // as on the command line
		char *real;
		bool is_file; // one log
	} list[FOLDERS_MOST];
	size_t n;
};

// Returns an exit status, after a message.
int folders_open(struct folders *folders, const struct words *given);
void folders_free(struct folders *folders);

// Find a log; a relative name may be in any of the folders. Returns its real path, which the caller frees, or NULL with
// a reason that reveals nothing about files elsewhere.
char *folders_find(const struct folders *folders, const char *name, char why[FOLDERS_WHY]);

// ---- What is there --------------------------------------------------------------------------

struct folders_log {
	char *name; // as folders_find() takes it
	char *real;
};

struct folders_logs {
	struct folders_log *list;
	size_t n;
	bool is_cut; // there are too many files or folders to list
};

// The files that are named like logs, sorted by their names. False: not enough memory.
bool folders_logs(const struct folders *folders, struct folders_logs *out);
void folders_logs_free(struct folders_logs *logs);

#endif
