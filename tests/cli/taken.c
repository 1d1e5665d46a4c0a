// taken.c - a preloaded library that does what malicious code in a log could make pmon do
// SPDX-License-Identifier: MIT
//
// When pmon reads the first bytes of a log in the sandbox, each of the acts below is tried. Those that succeed are said
// in the file TAKEN, which is as large as it needs to be; "looked" is said in any case. Files to act on are named by
// SECRET and OTHER (no inputs; OTHER lies next to the input), INPUT, OUTPUT and FOLDER (of the input).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "shell/process/keeper.h"

#define FDS  64 // descriptors to examine
#define ROOM 65536

static char *said; // shared with the reader of TAKEN
static atomic_flag has_looked = ATOMIC_FLAG_INIT;

static void
say_done(const char *act, const char *on)
{
	size_t len = strlen(said);

	(void)snprintf(said + len, ROOM - len, "%s %s\n", act, on);
}

static const char *
named(const char *variable)
{
	const char *path = getenv(variable);

	return path != NULL ? path : "/etc/passwd";
}

// A path in the folder of a variable's file, or next to it.
static const char *
with(const char *variable, const char *end)
{
	static char path[5000];

	(void)snprintf(path, sizeof(path), "%s%s", named(variable), end);
	return path;
}

// ---- By path ---------------------------------------------------------------------------------

static void
try_path(const char *path)
{
	static const int ways[] = {O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC, O_WRONLY | O_APPEND};
	struct timespec times[2] = {{0, 0}, {0, 0}};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (open(path, ways[i]) >= 0)
			say_done("open to write", path);
	if (open(path, O_RDONLY) >= 0)
		say_done("open", path);
	if (chmod(path, 04755) == 0 || fchmodat(AT_FDCWD, path, 04755, 0) == 0 ||
	    syscall(452, AT_FDCWD, path, 04755, 0) == 0) // fchmodat2()
		say_done("chmod", path);
	if (chown(path, 0, 0) == 0 || lchown(path, 0, 0) == 0)
		say_done("chown", path);
	if (utimensat(AT_FDCWD, path, times, 0) == 0)
		say_done("utimes", path);
	if (setxattr(path, "user.x", "y", 1, 0) == 0 || removexattr(path, "user.x") == 0)
		say_done("setxattr", path);
	if (truncate(path, 0) == 0)
		say_done("truncate", path);
	if (rename(path, with("FOLDER", "/moved")) == 0)
		say_done("rename", path);
	if (link(path, with("FOLDER", "/linked")) == 0)
		say_done("link", path);
	if (unlink(path) == 0)
		say_done("unlink", path);
}

static void
try_folder(const char *folder)
{
	char path[5000];

	(void)snprintf(path, sizeof(path), "%s/taken", folder);
	if (open(folder, O_RDONLY | O_DIRECTORY) >= 0)
		say_done("list", folder);
	if (open(path, O_WRONLY | O_CREAT, 0600) >= 0 ||
	    open(path, O_RDONLY | O_CREAT, 0600) >= 0 ||
	    open(folder, O_RDWR | O_TMPFILE, 0600) >= 0 || creat(path, 0600) >= 0)
		say_done("create in", folder);
	if (mkdir(path, 0700) == 0 || mkfifo(path, 0600) == 0 || symlink("/", path) == 0 ||
	    mknod(path, S_IFREG | 0600, 0) == 0)
		say_done("make in", folder);
	if (rmdir(folder) == 0)
		say_done("remove", folder);
}

// ---- By descriptor ---------------------------------------------------------------------------

static void
try_descriptor(int fd)
{
	char path[64];
	int flags = FS_IMMUTABLE_FL;
	struct timespec times[2] = {{0, 0}, {0, 0}};

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (open(path, O_RDWR) >= 0 || open(path, O_WRONLY) >= 0)
		say_done("open again", path);
	if (fchmod(fd, 04755) == 0)
		say_done("fchmod", path);
	if (fchown(fd, 0, 0) == 0)
		say_done("fchown", path);
	if (futimens(fd, times) == 0)
		say_done("futimens", path);
	if (fsetxattr(fd, "user.x", "y", 1, 0) == 0)
		say_done("fsetxattr", path);
	if (ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0)
		say_done("FS_IOC_SETFLAGS", path);
	if (ioctl(fd, TIOCSTI, "x") == 0)
		say_done("TIOCSTI", path);
	if (linkat(fd, "", AT_FDCWD, with("FOLDER", "/linked"), AT_EMPTY_PATH) == 0)
		say_done("linkat", path);
	if (fcntl(fd, F_SETOWN, getppid()) == 0 || fcntl(fd, F_SETSIG, SIGKILL) == 0)
		say_done("F_SETOWN", path);
}

// ---- Processes, and the network ---------------------------------------------------------------

// Memory by a file, which no permission of pages stops.
static void
try_memory(pid_t other)
{
	static const char *const ends[] = {"mem", "maps", "environ", "root/etc/passwd", "cwd"};
	char path[64];

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		(void)snprintf(path, sizeof(path), "/proc/%ld/%s", (long)other, ends[i]);
		if (open(path, O_RDONLY) >= 0 || open(path, O_RDWR) >= 0)
			say_done("open", path);
	}
	if (open("/proc/self/mem", O_RDWR) >= 0 || open("/proc/thread-self/mem", O_RDWR) >= 0)
		say_done("open to write", "/proc/self/mem");
}

static void
try_process(pid_t other)
{
	char byte;
	struct iovec to = {&byte, 1};
	struct iovec from = {(void *)(uintptr_t)try_process, 1};
	struct rlimit limit;

	if (kill(other, 0) == 0 || syscall(SYS_tgkill, other, other, 0) == 0 ||
	    syscall(SYS_tkill, other, 0) == 0)
		say_done("signal", "another process");
	if (ptrace(PTRACE_SEIZE, other, NULL, NULL) == 0)
		say_done("ptrace", "another process");
	if (process_vm_readv(other, &to, 1, &from, 1, 0) >= 0)
		say_done("process_vm_readv", "another process");
	if (process_vm_writev(other, &to, 1, &from, 1, 0) >= 0)
		say_done("process_vm_writev", "another process");
	try_memory(other);
	if (prlimit(other, RLIMIT_CPU, NULL, &limit) == 0)
		say_done("prlimit", "another process");
	if (setpriority(PRIO_PROCESS, (id_t)other, 5) == 0)
		say_done("setpriority", "another process");
}

static void
try_programs(void)
{
	char *const words[] = {"/bin/true", NULL};
	int fd = (int)syscall(SYS_memfd_create, "x", 0);

	if (fd >= 0)
		say_done("memfd_create", "");
	(void)execv(words[0], words); // does not come back where it works
	if (errno != ENOSYS && errno != EPERM)
		say_done("execve", strerror(errno));
	(void)syscall(SYS_execveat, 0, "", words, environ, AT_EMPTY_PATH);
	if (errno != ENOSYS && errno != EPERM)
		say_done("execveat", strerror(errno));
}

static void
try_network(void)
{
	static const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET};
	int ends[2];

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (socket(families[i], SOCK_STREAM, 0) >= 0 ||
		    socket(families[i], SOCK_DGRAM, 0) >= 0)
			say_done("socket", "");
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
		say_done("socketpair", "");
}

// The kernel does not have this system call.
static void
try_other_calls(void)
{
	static const struct {
		const char *name;
		long number;
	} calls[] = {
		{"mount", SYS_mount},
		{"umount2", SYS_umount2},
		{"chroot", SYS_chroot},
		{"pivot_root", SYS_pivot_root},
		{"unshare", SYS_unshare},
		{"setns", SYS_setns},
		{"add_key", SYS_add_key},
		{"keyctl", SYS_keyctl},
		{"bpf", SYS_bpf},
		{"perf_event_open", SYS_perf_event_open},
		{"userfaultfd", SYS_userfaultfd},
		{"io_uring_setup", 425},
		{"openat2", 437},
		{"pidfd_open", 434},
		{"pidfd_getfd", 438},
		{"setuid", SYS_setuid},
		{"setgid", SYS_setgid},
		{"capset", SYS_capset},
		{"init_module", SYS_init_module},
		{"reboot", SYS_reboot},
		{"swapon", SYS_swapon},
		{"acct", SYS_acct},
		{"sethostname", SYS_sethostname},
		{"personality", SYS_personality},
		{"name_to_handle_at", SYS_name_to_handle_at},
		{"fanotify_init", SYS_fanotify_init},
		{"inotify_init1", SYS_inotify_init1},
		{"shmget", SYS_shmget},
		{"mq_open", SYS_mq_open},
		{"clone3", 435},
		{"umask", SYS_umask},
		{"flock", SYS_flock},
		{"bind", SYS_bind},
		{"connect", SYS_connect},
		{"listen", SYS_listen},
		{"sendmsg", SYS_sendmsg},
		{"sendto", SYS_sendto},
		{"accept4", SYS_accept4},
		{"not yet there", 4000},
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (syscall(calls[i].number, -1L, 0L, 0L, 0L, 0L, 0L) != -1 || errno != ENOSYS)
			say_done("call", calls[i].name);
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0 || prctl(PR_SET_PTRACER, -1, 0, 0, 0) == 0)
		say_done("prctl", "");
	if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0L, 0L, 0L, 0L) != -1)
		say_done("clone", "CLONE_NEWUSER");
}

// ---- The process that opens files --------------------------------------------------------------

static int
socket_to_keeper(void)
{
	struct stat st;

	for (int fd = 3; fd < FDS; fd++)
		if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode))
			return fd;
	return -1;
}

static void
ask(enum keeper_question question, const char *path, const char *act)
{
	static struct keeper_answer answer;
	struct keeper_request request = {.question = question, .overwrite = true};
	int fd = socket_to_keeper();

	(void)snprintf(request.path, sizeof(request.path), "%s", path);
	answer.status = PMON_E_IO;
	answer.sys = EIO;
	if (fd < 0 || write(fd, &request, sizeof(request)) != (ssize_t)sizeof(request) ||
	    read(fd, &answer, sizeof(answer)) != (ssize_t)sizeof(answer)) {
		say_done("no answer for", act);
		return;
	}
	if (question == KEEPER_BEGIN ? answer.status == PMON_OK : answer.sys == 0)
		say_done(act, path);
}

// Ask the keeper for forbidden things: no path leads outside of what the command line names.
static void
try_keeper(void)
{
	static const char *const ends[] = {"", "-wal", "-shm", "/", "/..", "/../..", "/."};
	const char *paths[] = {named("SECRET"), "/etc/shadow", "/etc/passwd", "/etc/ssh", "/tmp"};
	char path[5000];

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		for (size_t k = 0; k < sizeof(ends) / sizeof(ends[0]); k++) {
			(void)snprintf(path, sizeof(path), "%s%s", paths[i], ends[k]);
			ask(KEEPER_OPEN, path, "keeper: open");
			ask(KEEPER_OPEN_TEMP, path, "keeper: open to write");
			ask(KEEPER_BEGIN, path, "keeper: create");
		}
	ask(KEEPER_OPEN, named("OTHER"), "keeper: open");
	ask(KEEPER_OPEN_TEMP, named("INPUT"), "keeper: open to write");
	ask(KEEPER_BEGIN, named("INPUT"), "keeper: create");
	ask(KEEPER_BEGIN, with("FOLDER", "/taken"), "keeper: create");
	ask(KEEPER_BEGIN, with("OUTPUT", "/../taken"), "keeper: create");
	ask(KEEPER_BEGIN, with("OUTPUT", "2"), "keeper: create");
	ask(KEEPER_BEGIN, ".taken.html", "keeper: create");
	ask(KEEPER_BEGIN, "../taken.html", "keeper: create");
	ask((enum keeper_question)77, named("SECRET"), "");
}

// Messages that are no requests: too short, too long, a path without an end. The keeper may end, and does nothing.
static void
try_odd_messages(void)
{
	static char bytes[3 * sizeof(struct keeper_request)];
	static const size_t sizes[] = {0,
				       1,
				       7,
				       sizeof(struct keeper_request) - 1,
				       sizeof(struct keeper_request) + 1,
				       sizeof(bytes)};
	static struct keeper_answer answer;
	struct keeper_request *request = (struct keeper_request *)(void *)bytes;
	int fd = socket_to_keeper();

	request->question = (enum keeper_question)(atoi(getenv("ODD")) / 10);
	request->overwrite = true;
	memset(request->path, '/', sizeof(bytes) - offsetof(struct keeper_request, path));
	if (atoi(getenv("ODD")) % 10 > 2)
		(void)snprintf(request->path, sizeof(request->path), "%s", named("SECRET"));
	if (write(fd, bytes, sizes[atoi(getenv("ODD")) % 10]) > 0 &&
	    read(fd, &answer, sizeof(answer)) == (ssize_t)sizeof(answer) &&
	    answer.status == PMON_OK && answer.sys == 0 && request->question != KEEPER_TEMPORARY &&
	    request->question != KEEPER_FORGET)
		say_done("keeper: odd message", getenv("ODD"));
}

// ---- All -------------------------------------------------------------------------------------

static void
look(void)
{
	const char *const folders[] = {"/tmp",  "/var/tmp", ".", named("FOLDER"),
				       "/root", "/etc",     "/"};
	const char *const files[] = {named("SECRET"), named("INPUT"), named("OUTPUT"),
				     named("OTHER"),  "/etc/shadow",  "/etc/passwd"};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		try_path(files[i]);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		try_folder(folders[i]);
	for (int fd = 0; fd < FDS; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			try_descriptor(fd);
	try_process(getppid());
	try_programs();
	try_network();
	try_other_calls();
	try_keeper();
	if (getenv("ODD") != NULL)
		try_odd_messages();
	say_done("looked", "");
}

__attribute__((constructor)) static void
begin(void)
{
	const char *path = getenv("TAKEN");
	int fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *room =
		fd >= 0 ? mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;

	said = room != MAP_FAILED ? room : NULL;
	if (fd >= 0)
		(void)close(fd);
}

// In the sandbox, once.
static void
look_once(void)
{
	if (said != NULL && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0 &&
	    !atomic_flag_test_and_set(&has_looked))
		look();
}

ssize_t
pread64(int fd, void *buf, size_t len, off64_t offset)
{
	look_once();
	return syscall(SYS_pread64, fd, buf, len, offset);
}

ssize_t
pread(int fd, void *buf, size_t len, off_t offset)
{
	return pread64(fd, buf, len, offset);
}
