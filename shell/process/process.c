// process.c - start and end of the command
// SPDX-License-Identifier: MIT

#include "shell/process/process.h"

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

#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/process/memory.h"
#include "shell/process/signals.h"
#include "os/limit.h"

// If a file were opened as descriptor 1, it would receive what is printed. Writing to a reserved
// descriptor fails as it would for a closed one.
static void
reserve_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// Some file systems report a full disk only here.
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
	pmon_os_raise_open_files(); // so that samples need not reopen the files of each process
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
