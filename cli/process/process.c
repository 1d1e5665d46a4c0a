// process.c - the beginning and the end of the command
// SPDX-License-Identifier: MIT

#include "cli/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include "cli/output/out.h"
#include "cli/output/say.h"
#include "cli/process/memory.h"
#include "cli/process/signals.h"
#include "os/limit.h"

// A file that was opened as descriptor 1 would get what is printed. What is written to a descriptor that was
// closed fails as it would have.
static void
reserve_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// Some file systems report only here that the disk is full.
static int
close_stdout(int status)
{
	if (fclose(stdout) == 0 || status == EXIT_FAILED)
		return status;
	return say(EXIT_FAILED, "cannot write the output: %s", strerror(errno));
}

char **
process_begin(int *n, char **words)
{
	(void)n;
	reserve_descriptors();
	signals_begin();
	memory_begin();
	pmon_os_raise_open_files(); // that a sample need not open the files of each process again
	return words;
}

int
process_end(int status)
{
	return close_stdout(out_check_stdout(memory_check(status)));
}

int64_t
process_id(void)
{
	return getpid();
}

void
process_follow(int64_t parent)
{
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGTERM, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
#ifdef __linux__
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
}
