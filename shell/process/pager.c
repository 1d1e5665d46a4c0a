// pager.c - show long output in the user's pager
// SPDX-License-Identifier: MIT

#include "shell/process/pager.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/fd.h"
#include "shell/output/screen.h"
#include "shell/process/signals.h"

extern char **environ;

static pid_t pager; // 0: none

static int
spawn(const char *command, int input, pid_t *child)
{
	char *shell[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
			 (char *)(uintptr_t)command, NULL};
	char *less[] = {(char *)(uintptr_t) "less", NULL};
	posix_spawn_file_actions_t files;
	int error = posix_spawn_file_actions_init(&files);

	if (error != 0)
		return error;
	error = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	if (error == 0 && command != NULL)
		error = posix_spawn(child, "/bin/sh", &files, NULL, shell, environ);
	else if (error == 0)
		error = posix_spawnp(child, "less", &files, NULL, less, environ);
	(void)posix_spawn_file_actions_destroy(&files);
	return error;
}

// Before a signal ends the program: else the shell takes the terminal away from the pager.
static void
leave(void)
{
	(void)close(STDOUT_FILENO);
	pager_end();
}

void
pager_begin(void)
{
	const char *command = getenv("PAGER");
	int ends[2];
	pid_t child;

	if (command != NULL && (command[0] == '\0' || strcmp(command, "cat") == 0))
		return;
	if (setenv("LESS", "FRX", 0) != 0 || !pmon_fd_pipe(ends))
		return;
	if (spawn(command, ends[0], &child) == 0) {
		screen_keep();
		if (dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO) {
			pager = child;
			signals_at_end(leave);
		}
	}
	(void)close(ends[0]);
	(void)close(ends[1]);
}

void
pager_end(void)
{
	int status;

	if (pager > 0) // Ctrl-C is for the pager now
		(void)signal(SIGINT, SIG_IGN);
	while (pager > 0 && waitpid(pager, &status, 0) < 0 && errno == EINTR)
		continue;
}
