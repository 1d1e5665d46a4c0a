// posix.h - POSIX and C functions that MinGW lacks, or has only for code pages
// SPDX-License-Identifier: MIT
//
// The compiler includes this before every source of the Windows build. Paths are UTF-8 and may
// exceed MAX_PATH. Other programs may read, write, rename and remove an open file, as on POSIX
// systems: Windows' own tools write a log while pmon reads it.

#ifndef PMON_OS_WINDOWS_POSIX_H
#define PMON_OS_WINDOWS_POSIX_H

#define _CRT_RAND_S // rand_s()

// Names in its headers that are not C's: pmon's may be the same.
#define tell   pmon_win_tell
#define system pmon_win_system

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#undef tell
#undef system

// ---- Files ----------------------------------------------------------------------------------

// Flags of open() that Windows lacks; those that change the behavior get unused bits.
#define O_CLOEXEC  _O_NOINHERIT
#define O_NOCTTY   0
#define O_NOFOLLOW 0
#define O_NONBLOCK 0

int pmon_win_open(const char *path, int flags, ...);
#define open pmon_win_open

ssize_t pmon_win_read(int fd, void *buf, size_t len);
ssize_t pmon_win_write(int fd, const void *buf, size_t len);
#define read  pmon_win_read
#define write pmon_win_write

// Read or write at an offset, also beyond 2 GiB; changes the position of the descriptor.
ssize_t pread(int fd, void *buf, size_t len, off_t offset);
ssize_t pwrite(int fd, const void *buf, size_t len, off_t offset);

int pmon_win_truncate(int fd, off_t size);
#undef ftruncate
#define ftruncate pmon_win_truncate

int fsync(int fd);

#define LOCK_EX 1
#define LOCK_NB 2
int flock(int fd, int how); // LOCK_EX | LOCK_NB only

// Follows links: they are rare on Windows, and only administrators create them.
int pmon_win_stat(const char *path, struct stat *out);
#define lstat pmon_win_stat

int pmon_win_unlink(const char *path);
#define unlink pmon_win_unlink
int pmon_win_rmdir(const char *path);
#define rmdir pmon_win_rmdir
int pmon_win_mkdir(const char *path, mode_t mode);
#define mkdir(path, mode) pmon_win_mkdir(path, mode)

// A new file that is always appended to and deleted when it is closed; a new folder for the user.
int pmon_win_mkstemp(char *path);
#define mkstemp pmon_win_mkstemp
char *mkdtemp(char *path);

// Files from mkstemp() are not inherited.
#define F_SETFD               0
#define FD_CLOEXEC            0
#define fcntl(fd, what, flag) ((fd) + (what) + (flag))

#define pipe(fds) _pipe(fds, 4096, _O_BINARY | _O_NOINHERIT)

// Does the pipe have data to read? For -1: no.
bool pmon_win_is_readable(int pipe_fd);

// For the other sources of src/os/windows: the path in UTF-16, to be freed by the caller, and errno
// from GetLastError().
wchar_t *pmon_win_path(const char *path);
void pmon_win_errno(void);

// ---- Streams --------------------------------------------------------------------------------

// Opens files in binary mode, and understands "b". The text of open_memstream() is available only
// after fclose().
FILE *pmon_win_fopen(const char *path, const char *mode);
FILE *pmon_win_tmpfile(void);
FILE *open_memstream(char **text, size_t *len);
int pmon_win_fclose(FILE *stream);
#define fopen   pmon_win_fopen
#define tmpfile pmon_win_tmpfile
#define fclose  pmon_win_fclose

#define flockfile     _lock_file
#define funlockfile   _unlock_file
#define putc_unlocked putc

// ---- Texts ----------------------------------------------------------------------------------

#define strerror_r(number, buf, len) strerror_s(buf, len, number)

char *strndup(const char *text, size_t most);

// The columns of a character on a terminal; -1: it cannot be displayed.
int wcwidth(wchar_t c);

#endif
