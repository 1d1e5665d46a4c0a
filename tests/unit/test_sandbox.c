// test_sandbox.c - what a process can and cannot do after sandbox_enter()
// SPDX-License-Identifier: MIT
//
// A sandbox cannot be left, so each test looks from a child process, whose exit status says what went wrong.
// "Elsewhere" is the build folder: files may be made in /tmp.

// syscall() is no POSIX
#define _DEFAULT_SOURCE
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/sandbox.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__linux__) || !defined(PMON_WITH_SECCOMP)
#define HAS_SANDBOX false
#else
#define HAS_SANDBOX true
#endif

static char here[4096]; // a folder that is not in /tmp

// Run a check in a child, in the sandbox; 0 is success.
static int
in_sandbox(int (*check)(void), const char *output)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		sandbox_enter(output, false);
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

	return fd >= 0 || local >= 0 || errno != EPERM;
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
	return errno != EPERM && errno != EACCES;
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
		return 2; // reading is free
	if (!can_create("/tmp", "pmon-test-sandbox"))
		return 3; // temporary files are too
	return can_create(here, "sandbox-elsewhere") || mkdir("/tmp/pmon-test-folder", 0700) == 0;
}

static int
writes_output(void)
{
	return !can_create(here, "sandbox-output");
}

static void
nothing_but_reading(void **state)
{
	(void)state;
	if (!HAS_SANDBOX)
		skip();
	assert_int_equal(in_sandbox(no_network, NULL), 0);
	assert_int_equal(in_sandbox(no_program, NULL), 0);
	assert_int_equal(in_sandbox(no_new_privileges, NULL), 0);
}

static void
files(void **state)
{
	char output[5000];

	(void)state;
	// 444 is landlock_create_ruleset(), 1 asks for its version.
	if (!HAS_SANDBOX || syscall(444, NULL, (size_t)0, 1u) < 1)
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
	};
	const char *build = getenv("PMON_BUILD_DIR");

	(void)snprintf(here, sizeof(here), "%s", build != NULL ? build : ".");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
