// term.c - terminals and clocks on POSIX systems
// SPDX-License-Identifier: MIT

#include "os/term.h"

#include <fcntl.h>
#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"

#define UNIX_EPOCH_100NS INT64_C(116444736000000000) // 1970-01-01 in 100 ns since 1601

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

int32_t
pmon_os_utc_offset_min(pmon_time t)
{
	struct pmon_civil civil = {0};
	struct tm local;
	time_t seconds;

	if (t == PMON_TIME_NONE)
		return 0;
	seconds = (time_t)((t - UNIX_EPOCH_100NS) / PMON_TIME_PER_SEC);
	if (localtime_r(&seconds, &local) == NULL)
		return 0;
	// What the local clock shows, read as if it were UTC, is ahead by the offset.
	civil.year = local.tm_year + 1900;
	civil.month = local.tm_mon + 1;
	civil.day = local.tm_mday;
	civil.hour = local.tm_hour;
	civil.minute = local.tm_min;
	civil.second = local.tm_sec < 60 ? local.tm_sec : 59;
	return (int32_t)((pmon_time_from_civil(&civil) -
			  ((int64_t)seconds * PMON_TIME_PER_SEC + UNIX_EPOCH_100NS)) /
			 PMON_TIME_PER_MIN);
}

int64_t
pmon_os_monotonic_100ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * PMON_TIME_PER_SEC + now.tv_nsec / 100;
}

void
pmon_os_sleep(int64_t length_100ns)
{
	struct timespec length = {.tv_sec = (time_t)(length_100ns / PMON_TIME_PER_SEC),
				  .tv_nsec = (long)(length_100ns % PMON_TIME_PER_SEC * 100)};

	(void)nanosleep(&length, NULL);
}
