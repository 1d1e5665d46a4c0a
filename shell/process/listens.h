// listens.h - listening sockets whose connections wait to be accepted
// SPDX-License-Identifier: MIT
//
// The kernel counts connections that it dropped because a queue was full, but not of which socket. /proc/net has how
// many wait at each.

#ifndef PMON_SHELL_PROCESS_LISTENS_H
#define PMON_SHELL_PROCESS_LISTENS_H

#include <pmon/base.h>

struct listens {
	unsigned port;
	uint64_t waiting; // connections
	uint64_t inode;
};

// Read those with waiting connections below a root folder, NULL for "/": the longest queues first, at most `most`.
// Returns their number.
size_t listens_read(const char *root, struct listens *list, size_t most);

// Does the process have the socket open? `files` is the number of its open files.
bool listens_is_of(const char *root, int64_t pid, double files, uint64_t inode);

#endif
