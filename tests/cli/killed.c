// killed.c - send a program that writes a file a signal at each of its system calls, or of its keeper's
// SPDX-License-Identifier: MIT
//
//	killed SIGNAL own|keeper STEP OUT OLD -- COMMAND...
//
// The command writes OUT, which is a copy of the file OLD beforehand unless OLD is empty. The command runs once without a
// signal, then repeatedly: the signal is sent at its first system call after it started the keeper, in the next run STEP
// calls later, and so on. With `keeper`, the calls are those of the keeper, which is stopped until the signal has been
// delivered. After the command has ended (and, with SIGKILL, its keeper too), the folder of OUT must contain no other
// file, and OUT must be the old file or the complete new one. Violations are printed. Exit status 1: there were
// violations; 77: tracing is not possible here.

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL  (SIGTRAP | 0x80) // a stop at a call
#define NEVER ((size_t)-1)

static int number; // of the signal
static bool at_keeper;
static const char *out;
static const char *old;
static char **command;

static size_t new_size; // of OUT
static size_t n_wrong;

struct run {
	pid_t program;
	pid_t keeper; // 0: not started yet
	size_t calls; // so far, of the one that is looked at
	bool is_sent; // the signal
	int status;   // of the program
};

static void
fail(const char *what)
{
	perror(what);
	exit(2);
}

static void
copy_old(void)
{
	char text[4096];
	FILE *from, *to;
	size_t n;

	(void)unlink(out);
	if (*old == '\0')
		return;
	from = fopen(old, "rb");
	to = fopen(out, "wb");
	if (from == NULL || to == NULL)
		fail(old);
	while ((n = fread(text, 1, sizeof(text), from)) > 0)
		(void)fwrite(text, 1, n, to);
	(void)fclose(from);
	if (fclose(to) != 0)
		fail(out);
}

// ---- What is left ----------------------------------------------------------------------------

static size_t
size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (size_t)st.st_size : NEVER;
}

static void
complain(size_t n, const char *what)
{
	n_wrong++;
	printf("signal %d at call %zu of the %s: %s\n", number, n, at_keeper ? "keeper" : "program",
	       what);
}

// Another name than that of OUT in its folder, which is removed.
static void
look_for_others(size_t n)
{
	const char *name = strrchr(out, '/') + 1;
	char folder[4096];
	struct dirent *entry;
	DIR *dir;

	(void)snprintf(folder, sizeof(folder), "%.*s", (int)(name - out), out);
	dir = opendir(folder);
	if (dir == NULL)
		fail(folder);
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, name) == 0 || strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		complain(n, entry->d_name);
		(void)unlinkat(dirfd(dir), entry->d_name, 0);
	}
	(void)closedir(dir);
}

static void
look_at_out(size_t n, bool is_done)
{
	size_t size = size_of(out);

	if (size != new_size && (is_done || size != (*old != '\0' ? size_of(old) : NEVER)))
		complain(n, "the output is neither the old file nor the whole new one");
}

// ---- One run ---------------------------------------------------------------------------------

static pid_t
start(void)
{
	pid_t program = fork();

	if (program != 0)
		return program;
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(77);
	(void)raise(SIGSTOP);
	(void)execv(command[0], command);
	_exit(2);
}

// The number of a signal that is about to be delivered, or 0. A process that starts, and one that has begun to run
// another program, stop by signals that are not for them.
static int
signal_of(int status)
{
	int stopped_by = WSTOPSIG(status);

	return stopped_by == CALL || stopped_by == SIGTRAP || stopped_by == SIGSTOP ? 0
										    : stopped_by;
}

// Stop the keeper until the signal has reached the program. The program is running, or stopped in a
// way not yet seen by wait(): it is resumed only after a stop that was seen, because otherwise the
// signal would be discarded with that stop.
static void
deliver(struct run *run)
{
	int status;

	for (;;) {
		if (waitpid(run->program, &status, 0) != run->program)
			fail("waitpid");
		run->status = status;
		if (!WIFSTOPPED(status) || signal_of(status) == number)
			break;
		(void)ptrace(PTRACE_SYSCALL, run->program, NULL, (void *)(long)signal_of(status));
	}
	if (WIFSTOPPED(status))
		(void)ptrace(PTRACE_DETACH, run->program, NULL, (void *)(long)number);
}

static void
send(struct run *run, pid_t stopped)
{
	run->is_sent = true;
	(void)kill(run->program, number);
	if (at_keeper)
		deliver(run);
	(void)ptrace(PTRACE_DETACH, stopped, NULL, NULL);
}

// Does this process stop at a counted call?
static bool
is_at_call(const struct run *run, pid_t process, int status)
{
	struct __ptrace_syscall_info info;

	if (run->is_sent || run->keeper == 0 || WSTOPSIG(status) != CALL ||
	    process != (at_keeper ? run->keeper : run->program))
		return false;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof(info), &info) <= 0)
		return true;
	return info.op == PTRACE_SYSCALL_INFO_ENTRY;
}

static void
on_stop(struct run *run, pid_t process, int status, size_t n)
{
	unsigned long keeper;

	if (status >> 8 == (SIGTRAP | PTRACE_EVENT_FORK << 8) && run->keeper == 0) {
		(void)ptrace(PTRACE_GETEVENTMSG, process, NULL, &keeper);
		run->keeper = (pid_t)keeper;
	}
	if (is_at_call(run, process, status) && run->calls++ == n)
		send(run, process);
	else
		(void)ptrace(run->is_sent ? PTRACE_DETACH : PTRACE_SYSCALL, process, NULL,
			     (void *)(long)signal_of(status));
}

// Until nothing that was started runs. The other end of the pipe is open as long as one does.
static void
wait_for_all(int pipe_end)
{
	char byte;

	while (read(pipe_end, &byte, 1) < 0 && errno == EINTR)
		;
	(void)close(pipe_end);
}

// Returns the number of calls. The signal is sent at the n-th.
static size_t
run_once(size_t n)
{
	struct run run = {.program = 0};
	bool is_looked_at = false;
	pid_t process;
	int ends[2];
	int status;

	copy_old();
	if (pipe(ends) != 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0)
		fail("pipe");
	run.program = start();
	(void)close(ends[1]);
	if (waitpid(run.program, &status, 0) != run.program || !WIFSTOPPED(status))
		exit(77);
	if (ptrace(PTRACE_SETOPTIONS, run.program, NULL,
		   (void *)(long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK |
				  PTRACE_O_EXITKILL)) != 0)
		exit(77);
	(void)ptrace(PTRACE_SYSCALL, run.program, NULL, NULL);
	while ((process = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status)) {
			on_stop(&run, process, status, n);
		} else if (process == run.program) {
			run.status = status;
			is_looked_at = number != SIGKILL;
			if (is_looked_at)
				look_for_others(n);
		}
	}
	wait_for_all(ends[0]);
	if (!is_looked_at)
		look_for_others(n);
	if (n == NEVER)
		new_size = size_of(out);
	look_at_out(n, WIFEXITED(run.status) && WEXITSTATUS(run.status) == 0);
	if (!(WIFEXITED(run.status) && WEXITSTATUS(run.status) == 0) &&
	    !(WIFSIGNALED(run.status) && WTERMSIG(run.status) == number))
		complain(n, "another exit status");
	return run.calls;
}

int
main(int argc, char **argv)
{
	size_t calls, step, n_runs = 0;

	if (argc < 8)
		return 2;
	number = atoi(argv[1]);
	at_keeper = strcmp(argv[2], "keeper") == 0;
	step = (size_t)atoi(argv[3]);
	out = argv[4];
	old = argv[5];
	command = argv + 7;
	calls = run_once(NEVER);
	for (size_t n = 0; n < calls; n += step, n_runs++)
		(void)run_once(n);
	printf("%zu calls, %zu runs, %zu wrong\n", calls, n_runs, n_wrong);
	return n_wrong > 0;
}
