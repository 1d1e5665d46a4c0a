// test_os_faults.c - files, folders and timers while a call to the system fails
// SPDX-License-Identifier: MIT
//
// The C library functions defined here replace its own. Each of their calls fails in turn: what
// was done is right then, or the failure is reported and nothing is half done. EINTR (signal(7)) is not a failure.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE // defines some of them inline

#include "t.h"

#ifdef __linux__

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "folder.h"
#include "moments.h"
#include "os/clock.h"
#include "os/dir.h"
#include "os/file.h"
#include "os/limit.h"
#include "os/outfile.h"
#include "os/posix/target.h"
#include "os/threads.h"
#include "os/ticker.h"

// With 32 bits the calls by the old names have times of 32 bits.
#ifdef SYS_clock_gettime64
#define CLOCK_GETTIME   SYS_clock_gettime64
#define TIMERFD_SETTIME SYS_timerfd_settime64
#else
#define CLOCK_GETTIME   SYS_clock_gettime
#define TIMERFD_SETTIME SYS_timerfd_settime
#endif

// ---- Calls that fail ------------------------------------------------------------------------

enum call {
	NONE,
	READ,
	WRITE,
	PREAD,
	PWRITE,
	OPEN,
	CLOSE,
	FSTAT,
	FSYNC,
	FTRUNCATE,
	FLOCK,
	LINK,
	RENAME,
	UNLINK,
	READLINK,
	GETXATTR,
	FCHOWN,
	GETRLIMIT,
	TIMER_CREATE,
	TIMER_SET,
	POLL,
	CPU_TIME,
	SYSCONF,
	CALLS,
};

static struct {
	enum call call;
	unsigned at; // which of its calls, from 1; 0: all
	int error;
	unsigned n; // that were made
} fault;

static void
begin_fault(enum call call, unsigned at, int error)
{
	fault.call = call;
	fault.at = at;
	fault.error = error;
	fault.n = 0;
}

// The calls since then.
static unsigned
end_fault(void)
{
	fault.call = NONE;
	return fault.n;
}

static bool
is_due(enum call call)
{
	if (call != fault.call || (++fault.n != fault.at && fault.at != 0))
		return false;
	errno = fault.error;
	return true;
}

ssize_t
read(int fd, void *buf, size_t n)
{
	return is_due(READ) ? -1 : syscall(SYS_read, fd, buf, n);
}

ssize_t
write(int fd, const void *buf, size_t n)
{
	return is_due(WRITE) ? -1 : syscall(SYS_write, fd, buf, n);
}

ssize_t
pread(int fd, void *buf, size_t n, off_t offset)
{
	struct iovec part = {.iov_base = buf, .iov_len = n};

	return is_due(PREAD) ? -1 : preadv(fd, &part, 1, offset);
}

ssize_t
pwrite(int fd, const void *buf, size_t n, off_t offset)
{
	struct iovec part = {.iov_base = (void *)(uintptr_t)buf, .iov_len = n};

	return is_due(PWRITE) ? -1 : pwritev(fd, &part, 1, offset);
}

int
open(const char *path, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
	va_end(more);
	return is_due(OPEN) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

// A failed close has closed the descriptor.
int
close(int fd)
{
	int result = (int)syscall(SYS_close, fd);

	return is_due(CLOSE) ? -1 : result;
}

int
fstat(int fd, struct stat *st)
{
	return is_due(FSTAT) ? -1 : fstatat(fd, "", st, AT_EMPTY_PATH);
}

int
fsync(int fd)
{
	return is_due(FSYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int
ftruncate(int fd, off_t size)
{
	return is_due(FTRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, fd, (long)size);
}

int
flock(int fd, int what)
{
	return is_due(FLOCK) ? -1 : (int)syscall(SYS_flock, fd, what);
}

int
link(const char *from, const char *to)
{
	return is_due(LINK) ? -1 : linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int
rename(const char *from, const char *to)
{
	return is_due(RENAME) ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int
unlink(const char *path)
{
	return is_due(UNLINK) ? -1 : unlinkat(AT_FDCWD, path, 0);
}

ssize_t
readlink(const char *path, char *buf, size_t size)
{
	return is_due(READLINK) ? -1 : readlinkat(AT_FDCWD, path, buf, size);
}

ssize_t
getxattr(const char *path, const char *name, void *value, size_t size)
{
	return is_due(GETXATTR) ? -1 : syscall(SYS_getxattr, path, name, value, size);
}

int
fchown(int fd, uid_t owner, gid_t group)
{
	return is_due(FCHOWN) ? -1 : (int)syscall(SYS_fchown, fd, owner, group);
}

int
getrlimit(__rlimit_resource_t what, struct rlimit *limit)
{
	return is_due(GETRLIMIT) ? -1 : prlimit(0, what, NULL, limit);
}

int
timerfd_create(int clock, int flags)
{
	return is_due(TIMER_CREATE) ? -1 : (int)syscall(SYS_timerfd_create, clock, flags);
}

int
timerfd_settime(int fd, int flags, const struct itimerspec *when, struct itimerspec *before)
{
	return is_due(TIMER_SET) ? -1 : (int)syscall(TIMERFD_SETTIME, fd, flags, when, before);
}

int
poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	struct timespec time = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};

	return is_due(POLL) ? -1 : ppoll(fds, n, timeout_ms < 0 ? NULL : &time, NULL);
}

int
clock_gettime(clockid_t clock, struct timespec *time)
{
	if (clock == CLOCK_THREAD_CPUTIME_ID && is_due(CPU_TIME))
		return -1;
	return (int)syscall(CLOCK_GETTIME, clock, time);
}

// For processors: the function returns what would be errno.
long
sysconf(int name)
{
	if (is_due(SYSCONF))
		return fault.error;
	return name == _SC_NPROCESSORS_ONLN ? 2 : -1;
}

// ---- Writing --------------------------------------------------------------------------------

static char path[64];

// The content that is overwritten or appended to; and the new content, larger than the buffers of files.
static const char before[] = "before\nhalf a line";
#define LARGE ((size_t)700000)
static char large[LARGE + 1];

enum how {
	NEW,
	OVER,
	OVER_SYNCED,
	LIVE,
	LIVE_OVER,
	LIVE_BEHIND,
	HOWS,
};

static enum pmon_status
open_how(enum how how, struct pmon_outfile **file, struct pmon_err *err)
{
	struct pmon_outfile_options options = {
		.overwrite = how == OVER || how == OVER_SYNCED || how == LIVE_OVER,
		.sync = how == OVER_SYNCED,
	};

	if (how == NEW || how == OVER || how == OVER_SYNCED)
		return pmon_outfile_open(path, &options, file, err);
	return pmon_outfile_open_live(path, &options, how == LIVE_BEHIND, file, err);
}

static enum pmon_status
write_how(enum how how, struct pmon_err *err)
{
	struct pmon_outfile *file;
	enum pmon_status status = open_how(how, &file, err);

	if (status == PMON_OK && how == LIVE_BEHIND)
		status = pmon_outfile_cut_line(file, err);
	if (status == PMON_OK) {
		pmon_outfile_write(file, large, LARGE);
		pmon_outfile_write(file, "end", 3);
		pmon_outfile_write_at(file, 8, "!", 1);
		status = pmon_outfile_commit(file, err);
	}
	pmon_outfile_close(file);
	return status;
}

static void
make_large(void)
{
	memset(large, 'x', LARGE);
}

// The content after a successful write: the text of `large`, with a mark in it, and "end".
static void
check_whole(const char *text, size_t len, enum how how)
{
	size_t start = how == LIVE_BEHIND ? 7 : 0;

	assert_int_equal(len, start + LARGE + 3);
	assert_memory_equal(text, before, start);
	for (size_t i = start; i < start + LARGE; i++)
		assert_int_equal(text[i], i == 8 ? '!' : 'x');
	assert_string_equal(text + start + LARGE, "end");
}

// After a failure: nothing, or the previous file. A file written in place is not checked.
static void
check_after_failure(const char *text, enum how how)
{
	if (how == NEW)
		assert_null(text);
	if (how == OVER || how == OVER_SYNCED)
		assert_string_equal(text, before);
}

// True when the call was reached.
static bool
write_with_fault(enum how how, enum call call, unsigned at, int error)
{
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;
	unsigned calls;
	size_t len = 0;
	char *text;

	(void)unlink(path);
	if (how != NEW && how != LIVE)
		t_write_text(path, before);
	begin_fault(call, at, error);
	status = write_how(how, &err);
	calls = end_fault();
	text = t_read_file(path, &len);
	if (status == PMON_OK) {
		assert_non_null(text);
		check_whole(text, len, how);
	} else {
		if (error == EINTR && (call == WRITE || call == PWRITE || call == PREAD))
			fail_msg("how %d call %d at %u: %s", how, call, at, err.msg);
		assert_int_equal(status, PMON_E_IO);
		assert_true(err.msg[0] != '\0');
		// Under its name already, and the folder could not be synchronised.
		if (text == NULL || len < LARGE)
			check_after_failure(text, how);
		else if (how < LIVE)
			check_whole(text, len, how);
	}
	free(text);
	(void)unlink(path);
	if (call != UNLINK)
		assert_int_equal(folder_count(), 0);
	else
		(void)system("rm -f \"$PMON_TEST_FOLDER\"/*");
	return calls >= at;
}

static void
test_each_call_of_writing(void **state)
{
	static const enum call calls[] = {PWRITE, PREAD, OPEN,   CLOSE,  FSTAT,  FSYNC,   FTRUNCATE,
					  FLOCK,  LINK,  RENAME, UNLINK, FCHOWN, GETXATTR};
	static const int errors[] = {EIO, EINTR};
	unsigned failed = 0;

	(void)state;
	make_large();
	(void)setenv("PMON_TEST_FOLDER", folder, 1);
	(void)snprintf(path, sizeof(path), "%s/out", folder);
	for (enum how how = NEW; how < HOWS; how++)
		for (size_t i = 0; i < T_LEN(calls); i++)
			for (size_t k = 0; k < T_LEN(errors); k++)
				for (unsigned at = 1;
				     write_with_fault(how, calls[i], at, errors[k]); at++)
					failed++;
	assert_true(failed > 50);
}

static void
test_locked_by_another_process(void **state)
{
	struct pmon_outfile *file;
	struct pmon_err err;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/out", folder);
	begin_fault(FLOCK, 1, EWOULDBLOCK);
	assert_int_equal(open_how(LIVE, &file, &err), PMON_E_IO);
	(void)end_fault();
	assert_non_null(strstr(err.msg, "another process is writing"));
	assert_int_equal(unlink(path), 0);
}

// Standard output, here a pipe, is interrupted and continues.
static void
test_standard_output(void **state)
{
	int saved = dup(STDOUT_FILENO);
	struct pmon_outfile_options options = {.overwrite = false};
	struct pmon_outfile *file;
	char got[8] = "";
	int ends[2];
	enum pmon_status status;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_true(dup2(ends[1], STDOUT_FILENO) >= 0);
	assert_int_equal(pmon_outfile_open("-", &options, &file, NULL), PMON_OK);
	pmon_outfile_write(file, "words\n", 6);
	begin_fault(WRITE, 1, EINTR);
	status = pmon_outfile_commit(file, NULL);
	assert_int_equal(end_fault(), 2);
	pmon_outfile_write_at(file, 0, "W", 1);
	assert_int_equal(pmon_outfile_status(file, NULL), PMON_E_IO); // cannot go back
	pmon_outfile_close(file);
	assert_true(dup2(saved, STDOUT_FILENO) >= 0);
	(void)close(saved);
	assert_int_equal(status, PMON_OK);
	assert_int_equal(read(ends[0], got, sizeof(got)), 6);
	assert_memory_equal(got, "words\n", 6);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

// ---- Targets --------------------------------------------------------------------------------

static void
test_links_that_cannot_be_read(void **state)
{
	struct pmon_target target;
	char link_path[70];
	char long_path[PMON_TARGET_PATH + 10];

	(void)state;
	(void)snprintf(link_path, sizeof(link_path), "%s/link", folder);
	assert_int_equal(symlink("out", link_path), 0);
	begin_fault(READLINK, 1, EIO);
	assert_int_equal(pmon_target_find(link_path, &target, NULL), PMON_E_IO);
	(void)end_fault();
	assert_int_equal(pmon_target_find(link_path, &target, NULL), PMON_OK);
	assert_string_equal(strrchr(target.path, '/'), "/out");
	assert_int_equal(unlink(link_path), 0);
	memset(long_path, 'x', sizeof(long_path));
	long_path[sizeof(long_path) - 1] = '\0';
	assert_int_equal(pmon_target_find(long_path, &target, NULL), PMON_E_IO);
	// The name of a link and what it holds are too long together.
	long_path[200] = '\0';
	(void)snprintf(link_path, sizeof(link_path), "%s/l", folder);
	assert_int_equal(symlink(long_path, link_path), 0);
	(void)memset(long_path, '/', PMON_TARGET_PATH - 50);
	(void)snprintf(long_path + PMON_TARGET_PATH - 50, 50, "%s/l", folder);
	assert_int_equal(pmon_target_find(long_path, &target, NULL), PMON_E_IO);
	assert_int_equal(unlink(link_path), 0);
}

// The mode of a file that replaces one with this mode and another group.
static mode_t
mode_after(mode_t mode, enum call call, int error, gid_t group)
{
	struct pmon_target target = {.is_there = true};
	struct stat st;
	char new_path[70];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/out", folder);
	(void)snprintf(new_path, sizeof(new_path), "%s/new", folder);
	t_write_text(path, "old");
	t_write_text(new_path, "new");
	assert_int_equal(stat(path, &target.st), 0);
	(void)snprintf(target.path, sizeof(target.path), "%s", path);
	target.st.st_mode = S_IFREG | mode;
	target.st.st_gid = group;
	fd = open(new_path, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, 0600), 0);
	begin_fault(call, 0, error);
	pmon_target_keep_access(&target, fd);
	(void)end_fault();
	assert_int_equal(fstat(fd, &st), 0);
	(void)close(fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(new_path), 0);
	return st.st_mode & 0777;
}

// No user gains access: without the old file's group or access list, the group bits are those of
// others.
static void
test_access_that_cannot_be_kept(void **state)
{
	(void)state;
	assert_int_equal(mode_after(0664, NONE, 0, getegid()), 0664);
	assert_int_equal(mode_after(0664, FCHOWN, EPERM, getegid() + 1), 0644);
	assert_int_equal(mode_after(0670, FCHOWN, EPERM, getegid() + 1), 0600);
	assert_int_equal(mode_after(0664, GETXATTR, ERANGE, getegid()), 0644);
	assert_int_equal(mode_after(0664, GETXATTR, ENODATA, getegid()), 0664);
	assert_int_equal(mode_after(0664, FSTAT, EIO, getegid()), 0600);
}

// ---- Reading --------------------------------------------------------------------------------

// Read a file by name, or a pipe as standard input. True when the call was reached.
static bool
read_with_fault(bool is_pipe, enum call call, unsigned at, int error)
{
	struct pmon_file *file = NULL;
	char got[8] = "";
	size_t n = 0;
	int ends[2];
	enum pmon_status status;
	unsigned calls;

	t_write_text(path, "words\n");
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "words\n", 6), 6);
	(void)close(ends[1]);
	assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
	begin_fault(call, at, error);
	status = pmon_file_open(is_pipe ? "-" : path, NULL, &file, NULL);
	if (status == PMON_OK)
		status = pmon_file_read(file, 0, got, sizeof(got), &n, NULL);
	pmon_file_close(file);
	calls = end_fault();
	if (status != PMON_OK)
		assert_true(status == PMON_E_IO && error != EINTR);
	else
		assert_true(n == 6 && memcmp(got, "words\n", 6) == 0);
	(void)close(ends[0]);
	return calls >= at;
}

static void
test_each_call_of_reading(void **state)
{
	static const enum call calls[] = {READ, PREAD, WRITE, FSTAT};
	int saved = dup(STDIN_FILENO);

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/in", folder);
	for (int is_pipe = 0; is_pipe < 2; is_pipe++)
		for (size_t i = 0; i < T_LEN(calls); i++) {
			for (unsigned at = 1; read_with_fault(is_pipe, calls[i], at, EIO); at++)
				;
			for (unsigned at = 1;
			     calls[i] != FSTAT && read_with_fault(is_pipe, calls[i], at, EINTR);
			     at++)
				;
		}
	assert_int_equal(unlink(path), 0);
	if (saved >= 0) {
		(void)dup2(saved, STDIN_FILENO);
		(void)close(saved);
	}
}

static void
test_temporary_files(void **state)
{
	struct t_memory memory = {.fail_at = 1};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_file *file;
	char got[8];
	size_t n;

	(void)state;
	assert_int_equal(pmon_file_temporary(NULL, &allocator, &file, NULL), PMON_E_NOMEM);
	assert_int_equal(pmon_file_temporary(NULL, NULL, &file, NULL), PMON_OK);
	assert_int_equal(pmon_file_append(file, "ab", 2, NULL), PMON_OK);
	begin_fault(WRITE, 1, ENOSPC);
	assert_int_equal(pmon_file_append(file, "cd", 2, NULL), PMON_E_IO);
	(void)end_fault();
	assert_int_equal(pmon_file_append(file, "ef", 2, NULL), PMON_OK);
	pmon_file_will_read(file, 0, 4);
	pmon_file_will_read(file, 0, 0);
	pmon_file_will_read(file, 1, 4);
	assert_int_equal(pmon_file_read(file, 0, got, sizeof(got), &n, NULL), PMON_OK);
	assert_true(n == 4 && memcmp(got, "abef", 4) == 0);
	pmon_file_close(file);
}

// ---- Ticks, limits and threads --------------------------------------------------------------

static void
test_ticks(void **state)
{
	struct pmon_ticker ticker;
	int ends[2];

	(void)state;
	begin_fault(TIMER_CREATE, 1, EMFILE);
	assert_int_equal(pmon_ticker_open(&ticker, SECOND, NULL), PMON_E_IO);
	(void)end_fault();
	pmon_ticker_close(&ticker);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pmon_ticker_open(&ticker, SECOND / 20, NULL), PMON_OK);
	assert_int_equal(pmon_ticker_wait(&ticker, ends[0], NULL), PMON_OK); // the first is at once
	begin_fault(TIMER_SET, 1, EINVAL);
	assert_int_equal(pmon_ticker_wait(&ticker, ends[0], NULL), PMON_E_IO);
	begin_fault(POLL, 1, ENOMEM);
	assert_int_equal(pmon_ticker_wait(&ticker, ends[0], NULL), PMON_E_IO);
	begin_fault(POLL, 1, EINTR);
	assert_int_equal(pmon_ticker_wait(&ticker, ends[0], NULL), PMON_OK);
	assert_true(end_fault() >= 1);
	pmon_ticker_close(&ticker);
	// The longest there can be: the tick after it still fits.
	assert_int_equal(pmon_ticker_open(&ticker, INT64_MAX, NULL), PMON_OK);
	assert_int_equal(pmon_ticker_wait(&ticker, ends[0], NULL), PMON_OK);
	assert_true(ticker.due_100ns > 0);
	(void)close(ends[1]);
	assert_int_equal(pmon_ticker_wait(&ticker, ends[0], NULL), PMON_END);
	pmon_ticker_close(&ticker);
	pmon_ticker_close(&ticker);
	(void)close(ends[0]);
}

static void
test_limits(void **state)
{
	struct rlimit limit;
	struct rlimit low;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	low = limit;
	low.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	begin_fault(GETRLIMIT, 0, EPERM);
	T_EQ_U64(pmon_os_open_files(), 0);
	pmon_os_raise_open_files();
	(void)end_fault();
	T_EQ_U64(pmon_os_open_files(), 64);
	pmon_os_raise_open_files();
	T_EQ_U64(pmon_os_open_files(), limit.rlim_max);
	pmon_os_raise_open_files(); // is as high as can be
	T_EQ_U64(pmon_os_open_files(), limit.rlim_max);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void
count_call(void *ctx, size_t i)
{
	unsigned char *seen = ctx;

	seen[i]++;
}

static void
test_threads(void **state)
{
	unsigned char seen[100] = {0};

	(void)state;
	begin_fault(SYSCONF, 0, -1);
	T_EQ_U64(pmon_threads_processors(), 1); // as POSIX has it where this is not known
	fault.error = 1000;
	T_EQ_U64(pmon_threads_processors(), 64);
	(void)end_fault();
	T_EQ_U64(pmon_threads_processors(), 2);
	begin_fault(CPU_TIME, 0, EINVAL);
	T_EQ_U64(pmon_os_thread_cpu_ns(), 0);
	(void)end_fault();
	assert_true(pmon_os_thread_cpu_ns() > 0);
	// More parts than threads: each is done once.
	pmon_threads_run(T_LEN(seen), count_call, seen);
	for (size_t i = 0; i < T_LEN(seen); i++)
		assert_int_equal(seen[i], 1);
}

// ---- Folders and clocks ---------------------------------------------------------------------

static void
test_folders(void **state)
{
	struct pmon_dir *dir;
	char sub[70];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/file", folder);
	(void)snprintf(sub, sizeof(sub), "%s/none", folder);
	t_write_text(path, "");
	assert_int_equal(pmon_dir_list(sub, NULL, 10, &dir, NULL), PMON_E_NOTFOUND);
	assert_int_equal(pmon_dir_list(path, NULL, 10, &dir, NULL), PMON_E_IO); // ENOTDIR
	assert_int_equal(pmon_dir_list(folder, NULL, 0, &dir, NULL), PMON_E_LIMIT);
	for (size_t at = 1;; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		enum pmon_status status = pmon_dir_list(folder, &allocator, 10, &dir, NULL);

		if (t_memory_sufficed(&memory)) {
			assert_int_equal(status, PMON_OK);
			pmon_dir_free(dir);
			break;
		}
		assert_int_equal(status, PMON_E_NOMEM);
		T_EQ_U64(memory.live_blocks, 0);
	}
	assert_int_equal(unlink(path), 0);
}

static void
test_clocks(void **state)
{
	(void)state;
	assert_int_equal(setenv("TZ", "XXX-05:30", 1), 0); // ahead of UTC (tzset(3))
	tzset();
	assert_int_equal(pmon_os_utc_offset_min(T0), 330);
	assert_int_equal(pmon_os_utc_offset_min(PMON_TIME_NONE), 0);
	assert_int_equal(unsetenv("TZ"), 0);
	tzset();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_call_of_writing),
		cmocka_unit_test(test_locked_by_another_process),
		cmocka_unit_test(test_standard_output),
		cmocka_unit_test(test_links_that_cannot_be_read),
		cmocka_unit_test(test_access_that_cannot_be_kept),
		cmocka_unit_test(test_each_call_of_reading),
		cmocka_unit_test(test_temporary_files),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_folders),
		cmocka_unit_test(test_clocks),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}

#else

int
main(void)
{
	return 77;
}

#endif
