// apart.c - run work in a separate process
// SPDX-License-Identifier: MIT

#include "shell/process/apart.h"

#include <errno.h>
#include <signal.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell/output/say.h"

#define CPU_S     30  // the largest picture takes 5 seconds
#define ELAPSED_S 100 // fontconfig waits forever for its own lock after running out of memory

static void
limit_time(void)
{
	struct rlimit limit;
	struct rusage used;

	if (getrlimit(RLIMIT_CPU, &limit) != 0 || getrusage(RUSAGE_SELF, &used) != 0)
		return;
	if (limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur > (rlim_t)used.ru_utime.tv_sec + CPU_S)
		limit.rlim_cur = (rlim_t)used.ru_utime.tv_sec + CPU_S;
	(void)setrlimit(RLIMIT_CPU, &limit);
	(void)signal(SIGALRM, SIG_DFL);
	(void)alarm(ELAPSED_S);
}

static int
status_of(pid_t child)
{
	int status = 0;
	pid_t ended;

	do
		ended = waitpid(child, &status, 0);
	while (ended < 0 && errno == EINTR);
	if (ended == child && WIFEXITED(status))
		return WEXITSTATUS(status);
	if (ended == child && WIFSIGNALED(status)) {
		// The reader has closed the pipe: end as if this process had written the output.
		if (WTERMSIG(status) == SIGPIPE)
			(void)raise(SIGPIPE);
		if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM)
			return say(EXIT_FAILED, "drawing took too long; choose fewer counters");
	}
	return say(EXIT_FAILED, "drawing failed, possibly for lack of memory");
}

int
apart_run(int (*work)(void *ctx), void *ctx)
{
	pid_t child = fork();

	if (child < 0)
		return work(ctx);
	if (child > 0)
		return status_of(child);
	limit_time();
#ifdef __linux__
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); // the child is killed if this process is
#endif
	_exit(work(ctx));
}
