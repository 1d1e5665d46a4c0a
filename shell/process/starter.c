// starter.c - a process that starts others, for a multithreaded program
// SPDX-License-Identifier: MIT

#include "shell/process/starter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell/process/process.h"
#include "os/threads.h"

#define ENDS     3
#define CHILDREN 8 // at the same time

enum question {
	BEGIN,
	END
};

struct request {
	enum question question;
	int number;
};

struct starter {
	struct pmon_lock lock; // protects the socket
	int fd;
	pid_t process;
	bool stopped;
};

union control {
	struct cmsghdr header; // for alignment
	char bytes[CMSG_SPACE(ENDS * sizeof(int))];
};

// ---- The process ----------------------------------------------------------------------------

struct child {
	pid_t process; // 0: the place is free
	int number;
};

struct started {
	int fd;
	int (*work)(void *ctx, int output);
	void *ctx;
	struct child children[CHILDREN];
	int number; // of the newest process
};

// A request to begin comes with descriptors. False if the program has ended.
static bool
receive(int fd, struct request *request, int fds[ENDS])
{
	union control control;
	struct iovec part = {request, sizeof(*request)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	const struct cmsghdr *header;
	ssize_t n;

	do
		n = recvmsg(fd, &message, 0);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(*request))
		return false;
	header = CMSG_FIRSTHDR(&message);
	if (request->question != BEGIN)
		return true;
	if (header == NULL || header->cmsg_len != CMSG_LEN(ENDS * sizeof(int)))
		return false;
	memcpy(fds, CMSG_DATA(header), ENDS * sizeof(int));
	return true;
}

// Set up the descriptors of the process; the last two replace the program's own.
static void
take_ends(const int fds[ENDS])
{
	(void)dup2(fds[0], STDIN_FILENO);
	(void)dup2(fds[2], STDERR_FILENO);
	(void)close(fds[0]);
	(void)close(fds[2]);
	(void)fcntl(fds[1], F_SETFD, FD_CLOEXEC);
}

static int
begin_program(struct started *started, const int fds[ENDS])
{
	pid_t parent = getpid();
	pid_t child = -1;
	size_t i = 0;

	while (i < CHILDREN && started->children[i].process != 0)
		i++;
	if (i < CHILDREN)
		child = fork();
	if (child == 0) {
		(void)close(started->fd);
		process_follow(parent);
		take_ends(fds);
		_exit(started->work(started->ctx, fds[1]));
	}
	for (size_t k = 0; k < ENDS; k++)
		(void)close(fds[k]);
	if (child < 0)
		return -1;
	started->children[i] = (struct child){child, ++started->number};
	return started->number;
}

static int
end_program(struct started *started, int number)
{
	int status = 0;

	for (size_t i = 0; i < CHILDREN; i++) {
		struct child *child = &started->children[i];

		if (child->process == 0 || (number != 0 && number != child->number))
			continue;
		(void)kill(child->process, SIGKILL);
		while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
			;
		child->process = 0;
	}
	return status;
}

static void
attend(struct started *started)
{
	struct request request;
	int fds[ENDS];

	while (receive(started->fd, &request, fds)) {
		int answer = request.question == BEGIN ? begin_program(started, fds)
						       : end_program(started, request.number);

		if (send(started->fd, &answer, sizeof(answer), MSG_NOSIGNAL) !=
		    (ssize_t)sizeof(answer))
			break;
	}
	(void)end_program(started, 0);
}

// ---- The program ----------------------------------------------------------------------------

static struct starter *
new_starter(int fd, pid_t process)
{
	struct starter *starter = malloc(sizeof(*starter));

	if (starter == NULL)
		return NULL; // the process notices that the socket is closed
	*starter = (struct starter){.fd = fd, .process = process};
	(void)pmon_lock_init(&starter->lock);
	return starter;
}

struct starter *
starter_new(int (*work)(void *ctx, int output), void *ctx)
{
	pid_t parent = getpid();
	struct starter *starter = NULL;
	pid_t process;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return NULL;
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	process = fork();
	if (process == 0) {
		struct started started = {.fd = ends[1], .work = work, .ctx = ctx};
		int null = open("/dev/null", O_RDONLY);

		(void)close(ends[0]);
		// standard input may carry a log that belongs to others
		(void)dup2(null, STDIN_FILENO);
		process_follow(parent);
		attend(&started);
		_exit(EXIT_SUCCESS);
	}
	(void)close(ends[1]);
	if (process > 0)
		starter = new_starter(ends[0], process);
	if (starter == NULL)
		(void)close(ends[0]);
	return starter;
}

// The answer of the process, or -1 if it has ended.
static int
ask(struct starter *starter, struct msghdr *message)
{
	int answer = -1;
	ssize_t n;

	pmon_lock_take(&starter->lock);
	if (!starter->stopped && sendmsg(starter->fd, message, MSG_NOSIGNAL) > 0) {
		do
			n = recv(starter->fd, &answer, sizeof(answer), MSG_WAITALL);
		while (n < 0 && errno == EINTR);
		answer = n == (ssize_t)sizeof(answer) ? answer : -1;
	}
	pmon_lock_give(&starter->lock);
	return answer;
}

int
starter_begin(struct starter *starter, const struct starter_ends *ends)
{
	const int fds[ENDS] = {ends->input, ends->output, ends->errors};
	struct request request = {BEGIN, 0};
	struct iovec part = {&request, sizeof(request)};
	union control control = {.bytes = {0}};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};

	control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(fds)),
					  .cmsg_level = SOL_SOCKET,
					  .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&control.header), fds, sizeof(fds));
	return ask(starter, &message);
}

int
starter_end(struct starter *starter, int number)
{
	struct request request = {END, number};
	struct iovec part = {&request, sizeof(request)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	return ask(starter, &message);
}

void
starter_stop(struct starter *starter)
{
	if (starter == NULL)
		return;
	(void)starter_end(starter, 0);
	pmon_lock_take(&starter->lock);
	starter->stopped = true;
	(void)shutdown(starter->fd, SHUT_RDWR); // the process then ends what it started
	pmon_lock_give(&starter->lock);
}

void
starter_free(struct starter *starter)
{
	if (starter == NULL)
		return;
	starter_stop(starter);
	(void)close(starter->fd);
	while (waitpid(starter->process, NULL, 0) < 0 && errno == EINTR)
		;
	pmon_lock_destroy(&starter->lock);
	free(starter);
}
