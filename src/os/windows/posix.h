// posix.h - the calls of POSIX and of C that pmon makes and MinGW lacks, or has for code pages only
// SPDX-License-Identifier: MIT
//
// The compiler includes this before every source of the build for Windows. Paths are UTF-8 and may be longer than
// MAX_PATH. A file that is open may be read, written, renamed and removed by others meanwhile, as on POSIX systems:
// Windows' own tools write a log while pmon reads it.

#ifndef PMON_OS_WINDOWS_POSIX_H
#define PMON_OS_WINDOWS_POSIX_H

#define _CRT_RAND_S // rand_s()

// Names of its headers that are no names of C: ours may be the same.
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

// Flags of open() that Windows has no bits for: of these, those that change something have bits of their own.
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

// At the position and in a file that is longer than 2 GiB; the position of the descriptor is lost.
ssize_t pread(int fd, void *buf, size_t len, off_t offset);
ssize_t pwrite(int fd, const void *buf, size_t len, off_t offset);

int pmon_win_truncate(int fd, off_t size);
#undef ftruncate
#define ftruncate pmon_win_truncate

int fsync(int fd);

#define LOCK_EX 1
#define LOCK_NB 2
int flock(int fd, int how); // LOCK_EX | LOCK_NB only

// A link is followed: Windows' own are few, and only administrators make them.
int pmon_win_stat(const char *path, struct stat *out);
#define lstat pmon_win_stat

int pmon_win_unlink(const char *path);
#define unlink pmon_win_unlink
int pmon_win_rmdir(const char *path);
#define rmdir pmon_win_rmdir
int pmon_win_mkdir(const char *path, mode_t mode);
#define mkdir(path, mode) pmon_win_mkdir(path, mode)

// New: a file is appended to, whatever its position is, and gone when it is closed; a folder of the user.
int pmon_win_mkstemp(char *path);
#define mkstemp pmon_win_mkstemp
char *mkdtemp(char *path);

// What mkstemp() makes is not inherited.
#define F_SETFD               0
#define FD_CLOEXEC            0
#define fcntl(fd, what, flag) ((fd) + (what) + (flag))

#define pipe(fds) _pipe(fds, 4096, _O_BINARY | _O_NOINHERIT)

// Has the pipe something to read? Of -1: no.
bool pmon_win_is_readable(int pipe_fd);

// What posix.h above has, for the other sources of src/os/windows: the path in UTF-16, to be freed, and errno from
// GetLastError().
wchar_t *pmon_win_path(const char *path);
void pmon_win_errno(void);

// ---- Streams --------------------------------------------------------------------------------

// Bytes as they are: "b" is understood. The text of open_memstream() is there after fclose().
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

// Columns of a character on a terminal; -1: it cannot be shown.
int wcwidth(wchar_t c);

#endif
