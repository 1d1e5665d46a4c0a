// browser.c - open a page in the desktop's browser
// SPDX-License-Identifier: MIT

#include "shell/process/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static bool
is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value != NULL && value[0] != '\0';
}

bool
browser_has_desktop(void)
{
	return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

static void
run_browser(const char *file)
{
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < 3; fd++)
		(void)dup2(null, fd);
	for (int fd = 3; fd < 1024; fd++)
		(void)close(fd);
	(void)setsid();
	(void)signal(SIGXFSZ, SIG_DFL); // which signals_begin() ignored
	// A grandchild, so that it need not be waited for.
	if (fork() == 0)
		(void)execlp("xdg-open", "xdg-open", file, (char *)NULL);
	_exit(0);
}

void
browser_open(const char *file)
{
	pid_t child = fork();

	if (child == 0)
		run_browser(file);
	if (child > 0)
		(void)waitpid(child, NULL, 0);
}
