// program.c - run a user's command and wait for it
// SPDX-License-Identifier: MIT

#include "shell/process/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmon/base.h>

#include "os/clock.h"

#define FIRST_WAIT_100NS   (1 * PMON_TIME_PER_MSEC)
#define LONGEST_WAIT_100NS (50 * PMON_TIME_PER_MSEC)

extern char **environ;

// The environment, with the variables replacing those of the same name. NULL if out of memory.
static char **
make_environment(const struct program *program)
{
	size_t n = 0;
	char **all;

	while (environ[n] != NULL)
		n++;
	all = calloc(program->n + n + 1, sizeof(*all));
	if (all == NULL)
		return NULL;
	if (program->n > 0)
		memcpy(all, program->variables, program->n * sizeof(*all));
	memcpy(all + program->n, environ, n * sizeof(*all));
	return all;
}

// In its own process group, so that a signal reaches all of it, but none meant for this process
// does.
int
program_start(const char *command, char *const *environment, int output, int64_t *process)
{
	char *words[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
			 (char *)(uintptr_t)command, NULL};
	pid_t child = 0;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int error = posix_spawn_file_actions_init(&files);

	if (error != 0)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (error == 0) {
		(void)sigemptyset(&defaults);
		(void)sigaddset(&defaults, SIGXFSZ); // which signals_begin() ignores
		(void)posix_spawnattr_setsigdefault(&attributes, &defaults);
		(void)posix_spawnattr_setpgroup(&attributes, 0);
		(void)posix_spawnattr_setflags(&attributes,
					       POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
		error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
							 O_RDONLY, 0);
		if (error == 0)
			error = posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
		if (error == 0)
			error = posix_spawn(&child, "/bin/sh", &files, &attributes, words,
					    environment != NULL ? environment : environ);
		(void)posix_spawnattr_destroy(&attributes);
	}
	(void)posix_spawn_file_actions_destroy(&files);
	*process = error == 0 ? child : 0;
	return error;
}

bool
program_judge(int status, char why[PROGRAM_WHY])
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFEXITED(status))
		(void)snprintf(why, PROGRAM_WHY, "it exited with status %d", WEXITSTATUS(status));
	else
		(void)snprintf(why, PROGRAM_WHY, "it was killed by signal %d", WTERMSIG(status));
	return false;
}

static bool
wait_for(const struct program *program, pid_t child, char why[PROGRAM_WHY])
{
	int64_t end = pmon_os_monotonic_100ns() + program->limit_100ns;
	int64_t length = FIRST_WAIT_100NS;
	int status = 0;
	pid_t ended;

	while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
		bool late = pmon_os_monotonic_100ns() >= end;

		if (late || program->cancel(program->ctx)) {
			(void)kill(-child, SIGKILL);
			while (waitpid(child, &status, 0) < 0 && errno == EINTR)
				;
			(void)snprintf(why, PROGRAM_WHY, "%s",
				       late ? "it took too long and was killed"
					    : "it was killed because watching ended");
			return false;
		}
		pmon_os_sleep(length);
		length = length < LONGEST_WAIT_100NS ? length * 2 : LONGEST_WAIT_100NS;
	}
	return program_judge(status, why);
}

bool
program_run(const struct program *program, char why[PROGRAM_WHY])
{
	char **environment = make_environment(program);
	int error = environment != NULL ? 0 : ENOMEM;
	int64_t child = 0;

	if (error == 0)
		error = program_start(program->command, environment, STDERR_FILENO, &child);
	free(environment);
	if (error == 0)
		return wait_for(program, (pid_t)child, why);
	(void)snprintf(why, PROGRAM_WHY, "it could not be started: %s", strerror(error));
	return false;
}
