// fd.h - descriptors, and temporary files that other users cannot find
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_FD_H
#define PMON_OS_FD_H

#include <pmon/base.h>

// Open a file to read it. -1 when that fails.
int pmon_fd_open(const char *path);

// Its size, or -1; the position is at its end then.
int64_t pmon_fd_size(int fd);
void pmon_fd_close(int fd); // errno stays as it is

// Two ends: what is written to [1] can be read from [0]. False with errno.
bool pmon_fd_pipe(int fds[2]);

// Write a byte, which wakes who waits to read.
void pmon_fd_wake(int fd);

#define PMON_PRIVATE_SIZE 1024 // of a path

// The path of a new file where no other user can come: `name` in a new folder in `folder`, or on Windows a name that
// ends in it, in the user's own folder. False when there is none.
bool pmon_private_make(const char *folder, const char *name, char path[PMON_PRIVATE_SIZE]);

// Remove the file, if it is there, and the new folder.
void pmon_private_remove(char path[PMON_PRIVATE_SIZE]);

#endif
