// job.h - run a function in a process of its own, while this one stays responsive
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_JOB_H
#define PMON_SHELL_PROCESS_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job {
	int64_t process; // 0: none runs
	int output;      // descriptor for reading its standard output
	int errors;      // of its standard error
};

// Start a process that calls work(ctx) and exits with its status. Its standard input is empty. Call it from a program
// with one thread. False with errno if it cannot be started.
bool job_begin(struct job *job, int (*work)(void *ctx), void *ctx);

struct job_ready {
	bool input;  // can be read, or has ended
	bool output; // the same for the output of the job
	bool gone;   // the reader of `answers` has closed it, or `stop` can be read
};

// Wait for one of these. A descriptor of -1 is ignored, and the job may have ended.
struct job_ready job_wait(const struct job *job, int input, int answers, int stop);

// Read from a descriptor, at least one byte. 0: the end.
size_t job_read(int fd, char *bytes, size_t size);

// Read what the process wrote to standard error, up to `size` - 1 bytes, after its output has ended.
void job_errors(const struct job *job, char *text, size_t size);

// Wait for the process to exit, after killing it and those that it started if kill_it is set, and close the descriptors.
// Returns its exit status, or -1 if it was killed by a signal.
int job_end(struct job *job, bool kill_it);

// The path without symbolic links, "." and ".."; NULL with errno if there is no such file. The caller frees it.
char *job_real_path(const char *path);

#endif
