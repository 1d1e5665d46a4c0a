// test_sandbox.c - what a process can and cannot do after sandbox_enter()
// SPDX-License-Identifier: MIT
//
// A sandbox cannot be left, so each test checks it from a child process, whose exit status says
// what went wrong. "Here" is the build folder.

// syscall(), clone(), prlimit()
#define _GNU_SOURCE
#include "t.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell/output/say.h"
#include "shell/process/door.h"
#include "shell/process/keeper.h"
#include "shell/process/sandbox.h"
#include "os/dir.h"
#include "os/posix/place.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(PMON_HAS_CALLFILTER)
#define HAS_SANDBOX false
#else
#define HAS_SANDBOX true
#endif

static char here[4096];
static struct sandbox_inputs readable;

// Run a check in a child, in the sandbox; 0 is success.
static int
in_sandbox(int (*check)(void), const struct keeper_outputs *allowed)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		if (sandbox_enter(&readable, allowed) != EXIT_DONE)
			_exit(100);
		_exit(check());
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static bool
can_create(const char *folder, const char *name)
{
	char path[5000];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	(void)close(fd);
	return unlink(path) == 0;
}

static bool
has_network(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int local = socket(AF_UNIX, SOCK_STREAM, 0);

	return fd >= 0 || local >= 0 || errno != ENOSYS;
}

static void *
look_in_thread(void *arg)
{
	*(bool *)arg = has_network();
	return NULL;
}

static int
no_network(void)
{
	bool in_thread = true;
	pthread_t thread;

	if (pthread_create(&thread, NULL, look_in_thread, &in_thread) != 0)
		return 2;
	pthread_join(thread, NULL);
	return has_network() || in_thread;
}

static int
no_program(void)
{
	char *const words[] = {(char *)(uintptr_t) "/bin/true", NULL};

	(void)execv(words[0], words);
	return errno != ENOSYS;
}

// Calls that have nothing to do with reading, and one that no kernel has yet: the C library continues without.
static int
no_other_call(void)
{
	long other = syscall(425, 1, NULL); // io_uring_setup()

	if (other != -1 || errno != ENOSYS)
		return 2;
	if (syscall(4000) != -1 || errno != ENOSYS)
		return 3;
	if (kill(getppid(), 0) == 0)
		return 4;
	return unshare(CLONE_NEWUSER) == 0 || chroot("/") == 0;
}

static int
end_child(void *arg)
{
	(void)arg;
	return 0;
}

// Pages that the whole machine uses, such as those of a library, which the superuser could take away.
static int
no_poison(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || madvise(page, 4096, MADV_DONTNEED) != 0 ||
	    madvise(page, 4096, MADV_DONTFORK) != 0)
		return 2;
	if (madvise(page, 4096, 100) == 0 || errno != EPERM) // MADV_HWPOISON
		return 3;
	return madvise(page, 4096, 101) == 0 || errno != EPERM; // MADV_SOFT_OFFLINE
}

static int
no_namespace(void)
{
	static _Alignas(16) char stack[16384];

	if (clone(end_child, stack + sizeof(stack), CLONE_NEWUSER | SIGCHLD, NULL) != -1)
		return 2;
	if (errno != EPERM)
		return 3;
	// nor a child of the process that started this one
	if (clone(end_child, stack + sizeof(stack), CLONE_PARENT | SIGCHLD, NULL) != -1)
		return 4;
	return errno != EPERM;
}

// apart.c draws in a child, whose processor time it limits.
static int
has_children(void)
{
	struct rlimit limit;
	int status = 0;
	pid_t child;

	if (getrlimit(RLIMIT_CPU, &limit) != 0 || setrlimit(RLIMIT_CPU, &limit) != 0)
		return 2;
	if (prlimit(getppid(), RLIMIT_CPU, NULL, &limit) == 0 || errno != EPERM)
		return 3;
	if (raise(0) != 0)
		return 4;
	child = fork();
	if (child == 0)
		_exit(7);
	return child < 0 || waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7;
}

static int
no_typing(void)
{
	return ioctl(0, TIOCSTI, "x") != -1 || errno != EPERM;
}

static int
no_new_privileges(void)
{
	char text[8192];
	int fd = open("/proc/self/status", O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	return strstr(text, "NoNewPrivs:\t1") == NULL || strstr(text, "Seccomp:\t2") == NULL;
}

static void
path_of(const char *name, char path[5000])
{
	(void)snprintf(path, 5000, "%s/%s", here, name);
}

static void
make(const char *name)
{
	char path[5000];
	int fd;

	path_of(name, path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
}

// By itself.
static bool
can_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

// By the process that opens files.
static bool
is_opened(const char *name)
{
	char path[5000];
	int fd;

	path_of(name, path);
	fd = door_get()->open(path);
	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

static int
changes_nothing(void)
{
	char path[5000];

	path_of("sandbox-secret", path);
	if (!can_read("/usr/share/zoneinfo") || !can_read("/etc/fonts"))
		return 2; // the system may be read
	if (can_read("/etc/shadow") || can_read("/etc/passwd") || can_read(path) ||
	    can_read("/tmp"))
		return 3;
	if (can_create("/tmp", "sandbox-elsewhere") || can_create(here, "sandbox-elsewhere"))
		return 4;
	if (chmod(path, 04755) == 0 || unlink(path) == 0 || rename(path, path) == 0 ||
	    truncate(path, 0) == 0 || mkdir("/tmp/pmon-test-folder", 0700) == 0)
		return 5;
	return open(path, O_WRONLY) >= 0 || open(path, O_RDWR) >= 0;
}

// What is open already.
static int
keeps_modes(void)
{
	int fd = door_get()->temporary();
	int flags = 0;

	if (fd < 0 || write(fd, "x", 1) != 1)
		return 2;
	if (fchmod(fd, 04755) == 0 || fchown(fd, getuid(), getgid()) == 0)
		return 3;
	return ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0;
}

static int
reads_inputs(void)
{
	char path[5000];

	if (!is_opened("sandbox-input") || !is_opened("sandbox-input-wal") ||
	    !is_opened("sandbox-patterns") || !is_opened("sandbox-rules"))
		return 2;
	path_of("Counter 009", path);
	if (!can_read(path))
		return 4;
	path_of("sandbox-input", path);
	if (can_read(path))
		return 5;
	return is_opened("sandbox-secret") || is_opened("sandbox-secret-wal") ||
	       is_opened("sandbox-input-") || is_opened("sandbox-link") || is_opened("");
}

// A table that is a link to another file, or to a folder.
static int
follows_no_table(void)
{
	char path[5000];

	path_of("Counter 009", path);
	if (can_read(path))
		return 2;
	path_of("sandbox-secret", path);
	return can_read(path) || can_read("/etc/passwd");
}

static int
reads_folder(void)
{
	return !is_opened("sandbox-secret") || is_opened("sandbox-link") || is_opened("..") ||
	       is_opened("../tests") || is_opened("sandbox-secret/");
}

// One output, by its name, which is there when it is complete.
static int
makes_outputs(void)
{
	static struct pmon_place place, other;
	const struct pmon_outfile_options new_one = {.overwrite = false};
	const struct pmon_outfile_options overwriting = {.overwrite = true};
	const struct pmon_door *door = door_get();
	char path[5000], elsewhere[5000];

	path_of("sandbox-output", path);
	path_of("sandbox-elsewhere", elsewhere);
	if (door->begin(elsewhere, &new_one, &place, NULL) == PMON_OK)
		return 2;
	if (door->begin(path, &new_one, &place, NULL) != PMON_OK ||
	    write(place.fd, "text", 4) != 4 || access(path, F_OK) == 0)
		return 3;
	if (door->begin(path, &new_one, &other, NULL) == PMON_OK)
		return 4; // another one at the same time
	if (door->finish(&place) != 0 || access(path, F_OK) != 0)
		return 5;
	if (door->finish(&place) == 0)
		return 6;
	return door->begin(path, &overwriting, &place, NULL) == PMON_OK; // it was not allowed to
}

static int
leaves_it(void)
{
	static struct pmon_place place;
	const struct pmon_outfile_options new_one = {.overwrite = false};
	char path[5000];

	path_of("sandbox-output", path);
	return door_get()->begin(path, &new_one, &place, NULL) != PMON_OK;
}

static int
no_signals(void)
{
	return syscall(SYS_tgkill, getppid(), getppid(), 0) == 0 || errno != EPERM;
}

// Valgrind knows no seccomp().
static bool
has_seccomp(void)
{
	uint32_t action = 0; // kill the thread
	const unsigned is_known = 2;

	return HAS_SANDBOX && syscall(SYS_seccomp, is_known, 0u, &action) == 0;
}

static void
nothing_but_reading(void **state)
{
	(void)state;
	if (!has_seccomp())
		skip();
	assert_int_equal(in_sandbox(no_network, NULL), 0);
	assert_int_equal(in_sandbox(no_program, NULL), 0);
	assert_int_equal(in_sandbox(no_new_privileges, NULL), 0);
	assert_int_equal(in_sandbox(no_other_call, NULL), 0);
	assert_int_equal(in_sandbox(no_namespace, NULL), 0);
	assert_int_equal(in_sandbox(no_poison, NULL), 0);
	assert_int_equal(in_sandbox(has_children, NULL), 0);
	assert_int_equal(in_sandbox(no_typing, NULL), 0);
}

static long
landlock_version(void)
{
	// 444 is landlock_create_ruleset(), 1 asks for its version.
	return HAS_SANDBOX ? syscall(444, NULL, (size_t)0, 1u) : 0;
}

static const char *const names[] = {"sandbox-input", "sandbox-input-wal", "sandbox-patterns",
				    "sandbox-rules", "sandbox-secret",    "Counter 009"};

static void
remove_all(void)
{
	char path[5000];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		path_of(names[i], path);
		(void)unlink(path);
	}
	path_of("sandbox-link", path);
	(void)unlink(path);
	path_of("sandbox-output", path);
	(void)unlink(path);
}

static void
inputs(void **state)
{
	static const char *const targets[] = {"sandbox-secret", "/etc/passwd", "/etc", "/"};
	char input[5000], patterns[5000], some_rules[5000], link[5000], table[5000];
	const char *operands[] = {input};
	const char *files[] = {patterns};
	const char *settings[] = {some_rules};

	(void)state;
	if (landlock_version() < 1)
		skip();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		make(names[i]);
	path_of("sandbox-input", input);
	path_of("sandbox-patterns", patterns);
	path_of("sandbox-rules", some_rules);
	path_of("sandbox-link", link);
	assert_int_equal(symlink("/etc/passwd", link), 0);
	readable.logs = (struct words){operands, 1, 1};
	readable.pattern_files = (struct words){files, 1, 1};
	readable.settings = (struct words){settings, 1, 1};
	assert_int_equal(in_sandbox(reads_inputs, NULL), 0);
	assert_int_equal(in_sandbox(changes_nothing, NULL), 0);
	assert_int_equal(in_sandbox(keeps_modes, NULL), 0);
	path_of("Counter 009", table);
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		assert_int_equal(unlink(table), 0);
		assert_int_equal(symlink(targets[i], table), 0);
		assert_int_equal(in_sandbox(follows_no_table, NULL), 0);
	}
	operands[0] = here;
	assert_int_equal(in_sandbox(follows_no_table, NULL), 0);
	assert_int_equal(in_sandbox(reads_folder, NULL), 0);
	readable = (struct sandbox_inputs){.verbose = false};
	remove_all();
}

// The process that made it removes what was not finished, however the other one ends.
static void
outputs(void **state)
{
	char output[5000];
	const char *list[] = {output};
	struct keeper_outputs named = {.names = {list, 1, 1}};
	struct pmon_dir *dir;
	const char *const *paths;
	size_t n;

	(void)state;
	if (!has_seccomp())
		skip();
	path_of("sandbox-output", output);
	assert_int_equal(in_sandbox(makes_outputs, &named), 0);
	assert_int_equal(access(output, F_OK), 0);
	remove_all();
	assert_int_equal(in_sandbox(leaves_it, &named), 0);
	for (;;) { // until it has
		size_t left = 0;

		assert_int_equal(pmon_dir_list(here, NULL, 100000, &dir, NULL), PMON_OK);
		paths = pmon_dir_paths(dir, &n);
		for (size_t i = 0; i < n; i++)
			left += strstr(paths[i], "sandbox-output.") != NULL;
		pmon_dir_free(dir);
		if (left == 0)
			break;
	}
}

static void
signals(void **state)
{
	(void)state;
	if (landlock_version() < 6)
		skip();
	assert_int_equal(in_sandbox(no_signals, NULL), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_but_reading),
		cmocka_unit_test(inputs),
		cmocka_unit_test(outputs),
		cmocka_unit_test(signals),
	};
	const char *build = getenv("PMON_BUILD_DIR");

	(void)snprintf(here, sizeof(here), "%s", build != NULL ? build : ".");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int
main(void)
{
	return 77; // no sandbox on this system
}
#endif
