// term.c - terminals on POSIX systems
// SPDX-License-Identifier: MIT

#include "os/term.h"

#include <fcntl.h>
#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool
pmon_term_is_tty(bool standard_output)
{
	return isatty(standard_output ? STDOUT_FILENO : STDERR_FILENO) != 0;
}

bool
pmon_term_has_keys(void)
{
	return isatty(STDIN_FILENO) != 0;
}

bool
pmon_term_is_there(void)
{
	int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

bool
pmon_term_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

// {0} when standard output is not a terminal.
static struct winsize
window_size(void)
{
	struct winsize size;

	if (!pmon_term_is_tty(true) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		size = (struct winsize){0};
	return size;
}

unsigned
pmon_term_columns(void)
{
	return window_size().ws_col;
}

unsigned
pmon_term_rows(void)
{
	return window_size().ws_row;
}
