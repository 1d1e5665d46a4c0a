// posix.h - POSIX functions that wasi-libc lacks
// SPDX-License-Identifier: MIT
//
// The compiler includes this before every source of the WebAssembly build. There are no users, owners, modes and locks
// of files, no other processes and no descriptors that share a file.

#ifndef PMON_OS_WASI_POSIX_H
#define PMON_OS_WASI_POSIX_H

#include <stdio.h>
#include <sys/types.h>

#define LOCK_EX 1
#define LOCK_NB 2

int flock(int fd, int operation);         // does nothing
int fchmod(int fd, mode_t mode);          // does nothing
int fchown(int fd, uid_t uid, gid_t gid); // does nothing
uid_t geteuid(void);                      // 0, the owner of all files
int getentropy(void *bytes, size_t n);    // wasi-libc has it, but declares it for GNU programs only
int mkstemp(char *pattern);
char *mkdtemp(char *pattern);
int pipe(int fds[2]);         // fails with ENOTSUP
int dup(int fd);              // fails with ENOTSUP
void flockfile(FILE *file);   // does nothing
void funlockfile(FILE *file); // does nothing

#endif
