// test_sandbox.c - what a process can and cannot do after sandbox_enter()
// SPDX-License-Identifier: MIT
//
// A sandbox cannot be left, so each test looks from a child process, whose exit status says what went wrong.
// "Elsewhere" is the build folder: files may be made in /tmp.

// syscall(), clone(), prlimit()
#define _GNU_SOURCE
#include "t.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/process/sandbox.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(PMON_HAS_CALLFILTER)
#define HAS_SANDBOX false
#else
#define HAS_SANDBOX true
#endif

static char here[4096];  // a folder that is not in /tmp
static struct args args; // what the inputs are

// Run a check in a child, in the sandbox; 0 is success.
static int
in_sandbox(int (*check)(void), const char *output)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		sandbox_enter(&args, output);
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

// Calls that have nothing to do with reading, and one that no kernel has yet: the C library goes on without.
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

static int
no_namespace(void)
{
	static _Alignas(16) char stack[16384];

	if (clone(end_child, stack + sizeof(stack), CLONE_NEWUSER | SIGCHLD, NULL) != -1)
		return 2;
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
	child = fork();
	if (child == 0)
		_exit(raise(0) == 0 ? 7 : 8);
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

static int
writes_nowhere(void)
{
	int fd = open("/etc/passwd", O_RDONLY);

	if (fd < 0)
		return 2; // the system may be read
	if (!can_create("/tmp", "pmon-test-sandbox"))
		return 3; // temporary files are too
	return can_create(here, "sandbox-elsewhere") || mkdir("/tmp/pmon-test-folder", 0700) == 0;
}

static int
writes_output(void)
{
	return !can_create(here, "sandbox-output");
}

static bool
can_read(const char *name)
{
	char path[5000];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", here, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

static void
make(const char *name)
{
	char path[5000];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", here, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
}

static int
reads_inputs(void)
{
	if (!can_read("sandbox-input") || !can_read("sandbox-input-wal") ||
	    !can_read("Counter 009") || !can_read("sandbox-patterns") || !can_read("sandbox-rules"))
		return 2;
	return can_read("sandbox-secret");
}

static int
reads_folder(void)
{
	return !can_read("sandbox-secret");
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
	assert_int_equal(in_sandbox(has_children, NULL), 0);
	assert_int_equal(in_sandbox(no_typing, NULL), 0);
}

// The version of Landlock, or 0.
static long
landlock_version(void)
{
	// 444 is landlock_create_ruleset(), 1 asks for its version.
	return HAS_SANDBOX ? syscall(444, NULL, (size_t)0, 1u) : 0;
}

static void
inputs(void **state)
{
	static const char *const names[] = {"sandbox-input",    "sandbox-input-wal",
					    "sandbox-patterns", "sandbox-rules",
					    "sandbox-secret",   "Counter 009"};
	char input[5000], patterns[5000], some_rules[5000];
	const char *operands[] = {input};
	const char *files[] = {patterns};
	const char *settings[] = {some_rules};

	(void)state;
	if (landlock_version() < 1)
		skip();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		make(names[i]);
	(void)snprintf(input, sizeof(input), "%s/sandbox-input", here);
	(void)snprintf(patterns, sizeof(patterns), "%s/sandbox-patterns", here);
	(void)snprintf(some_rules, sizeof(some_rules), "%s/sandbox-rules", here);
	args.operands = (struct words){operands, 1, 1};
	args.pattern_files = (struct words){files, 1, 1};
	args.inputs = (struct words){settings, 1, 1};
	assert_int_equal(in_sandbox(reads_inputs, NULL), 0);
	operands[0] = here;
	assert_int_equal(in_sandbox(reads_folder, NULL), 0);
	args = (struct args){.verb = NULL};
	assert_true(can_read("sandbox-secret"));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(input, sizeof(input), "%s/%s", here, names[i]);
		(void)unlink(input);
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

static void
files(void **state)
{
	char output[5000];

	(void)state;
	if (landlock_version() < 1)
		skip();
	assert_true(can_create(here, "sandbox-elsewhere"));
	assert_int_equal(in_sandbox(writes_nowhere, NULL), 0);
	assert_int_equal(in_sandbox(writes_nowhere, "-"), 0);
	assert_int_equal(in_sandbox(writes_nowhere, "/tmp/x.csv"), 0);
	(void)snprintf(output, sizeof(output), "%s/out.csv", here);
	assert_int_equal(in_sandbox(writes_output, output), 0);
	assert_int_equal(in_sandbox(writes_output, here), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_but_reading),
		cmocka_unit_test(files),
		cmocka_unit_test(inputs),
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
