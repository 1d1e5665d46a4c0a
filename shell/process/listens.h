// listens.h - listening sockets whose connections wait to be accepted
// SPDX-License-Identifier: MIT
//
// The kernel counts connections that were dropped because a queue was full, but not for each socket. /proc/net has the
// length of each queue.

#ifndef PMON_SHELL_PROCESS_LISTENS_H
#define PMON_SHELL_PROCESS_LISTENS_H

#include <pmon/base.h>

struct listens {
	unsigned port;
	uint64_t waiting; // connections
	uint64_t inode;
};

// Read at most `most` sockets with waiting connections, the longest queue first, below a root folder, NULL for "/".
// Returns their number.
size_t listens_read(const char *root, struct listens *list, size_t most);

// Does the process have the socket open? `files` is the number of its open files.
bool listens_is_of(const char *root, int64_t pid, double files, uint64_t inode);

#endif
