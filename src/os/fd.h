// fd.h - descriptors, and temporary files that other users cannot find
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_FD_H
#define PMON_OS_FD_H

#include <pmon/base.h>

// Open a file for reading. Returns -1 on failure.
int pmon_fd_open(const char *path);

// Create an unnamed file for reading and writing. Returns -1 with errno on failure.
int pmon_fd_temporary(void);

// The size of the file, or -1. Moves the position to the end.
int64_t pmon_fd_size(int fd);
void pmon_fd_close(int fd); // preserves errno

// Create a pipe: bytes written to [1] are read from [0]. Programs that are started do not inherit it. Returns false with
// errno on failure.
bool pmon_fd_pipe(int fds[2]);

// Write a byte, to wake a waiting reader.
void pmon_fd_wake(int fd);

#define PMON_PRIVATE_SIZE 1024 // of a path

// Make a path for a new file that other users cannot access: `name` in a new private folder inside `folder`; on
// Windows, a name that ends in `name`, in the user's own folder. Returns false on failure.
bool pmon_private_make(const char *folder, const char *name, char path[PMON_PRIVATE_SIZE]);

// Remove the file, if it exists, and the private folder.
void pmon_private_remove(char path[PMON_PRIVATE_SIZE]);

#endif
