// run.c - run a command and write down what it took: run FILE COMMAND...
// SPDX-License-Identifier: MIT
//
// FILE gets one line: wall, user and system seconds, and the peak memory in KiB. The peak of a
// process begins with that of the one it was forked from, and a suite in Python is larger than pmon;
// that is why this is a program. It ends as the command does.

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

static double
as_seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int
write_down(const char *file, double wall, const struct rusage *usage)
{
	FILE *out = fopen(file, "w");

	if (out == NULL) {
		perror(file);
		return 1;
	}
	fprintf(out, "%.6f %.6f %.6f %ld\n", wall, as_seconds(usage->ru_utime),
		as_seconds(usage->ru_stime), usage->ru_maxrss);
	return fclose(out) != 0;
}

int
main(int argc, char **argv)
{
	double start = bench_seconds(CLOCK_MONOTONIC);
	struct rusage usage;
	int status;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: run FILE COMMAND...\n");
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &usage) < 0) {
		perror("run");
		return 1;
	}
	if (write_down(argv[1], bench_seconds(CLOCK_MONOTONIC) - start, &usage) != 0)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
