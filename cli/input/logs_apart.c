// logs_apart.c - the logs of a command line, parsed in a process that has no network
// SPDX-License-Identifier: MIT
//
// The child enters the sandbox, opens the logs and sends what they hold (wire.h). Its own messages go to
// standard error as those of every verb do. The parent opens no log.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/input/logs.h"
#include "cli/input/notices.h"
#include "cli/input/wire.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "cli/process/process.h"
#include "cli/process/sandbox.h"
#include "cli/process/starter.h"
#include "os/term.h"

// Bits that go with the facts of the source.
#define BIT_FAILED            1u // struct logs.failed
#define BIT_UNKNOWN_PROCESSES 2u
#define BIT_NOTHING_MATCHES   4u

#define EXIT_EMPTY 4 // EXIT_FAILED with struct logs.is_empty

#define SEND_BYTES  ((size_t)64 << 10)        // sent together
#define SEND_100NS  (20 * PMON_TIME_PER_MSEC) // or when the first of them is so old
#define WAIT_100NS  (10 * PMON_TIME_PER_MSEC) // between two looks at a process that ends
#define WAITS       100                       // so often, then it is killed
#define DESCRIPTORS 1024                      // that a program has opened by then

// ---- The child ------------------------------------------------------------------------------

struct sender {
	struct logs logs;
	bool checks_patterns;
	bool nothing_matches;
	struct wire_writer writer;
	int fd;
	int64_t sent;
};

// The parent ends this process when it does not want any more.
static void
send_all(struct sender *s)
{
	for (size_t at = 0; at < s->writer.n;) {
		ssize_t n = write(s->fd, s->writer.bytes + at, s->writer.n - at);

		if (n < 0 && errno == EPIPE)
			_exit(EXIT_FAILED); // nobody reads any more
		if (n < 0 && errno != EINTR)
			_exit(say(EXIT_FAILED, "cannot send what was read: %s", strerror(errno)));
		at += n > 0 ? (size_t)n : 0;
	}
	s->writer.n = 0;
	s->sent = pmon_os_monotonic_100ns();
}

static void
need(bool put)
{
	if (!put)
		_exit(say(EXIT_FAILED, "not enough memory"));
}

static void
put_facts(struct sender *s)
{
	uint32_t bits = s->logs.failed ? BIT_FAILED : 0;

	if (s->logs.identity != NULL && pmon_identity_is_unknown(s->logs.identity))
		bits |= BIT_UNKNOWN_PROCESSES;
	if (s->nothing_matches)
		bits |= BIT_NOTHING_MATCHES;
	need(wire_put_info(&s->writer, pmon_source_info(s->logs.source), bits));
}

static void
send_notice(void *ctx, const struct pmon_notice *notice)
{
	struct sender *s = ctx;

	need(wire_put_notice(&s->writer, notice));
}

static void
send_samples(struct sender *s)
{
	struct pmon_source *source = s->logs.source;
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_END};
	enum pmon_status status;

	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK) {
		logs_note_sample(&s->logs, sample);
		need(wire_put_sample(&s->writer, pmon_source_schema(source), sample));
		if (s->writer.n < SEND_BYTES && pmon_os_monotonic_100ns() - s->sent < SEND_100NS)
			continue;
		put_facts(s);
		send_all(s);
	}
	if (status == PMON_END && s->checks_patterns)
		s->nothing_matches = logs_check_patterns(&s->logs) != EXIT_DONE;
	put_facts(s);
	need(wire_put_end(&s->writer, status, &err));
	send_all(s);
}

// What the program itself has opened is closed on exec. Other descriptors may be meant as logs: /dev/fd/3.
static void
close_others(int fd)
{
	for (int other = STDERR_FILENO + 1; other < DESCRIPTORS; other++) {
		int flags = other != fd ? fcntl(other, F_GETFD) : -1;

		if (flags >= 0 && (flags & FD_CLOEXEC) != 0)
			(void)close(other);
	}
}

static int
parse_logs(const struct args *args, int fd, bool checks_patterns)
{
	struct sender s = {.fd = fd, .checks_patterns = checks_patterns};
	int status;

	close_others(fd);
	if (!args->no_sandbox)
		sandbox_enter(args, NULL);
	notices_tell(send_notice, &s);
	status = logs_open(&s.logs, args);
	notices_tell(NULL, NULL);
	line_erase();
	if (status != EXIT_DONE)
		return s.logs.is_empty ? EXIT_EMPTY : status;
	need(wire_put_series(&s.writer, pmon_source_schema(s.logs.source)));
	put_facts(&s);
	send_all(&s);
	send_samples(&s);
	return EXIT_DONE;
}

// ---- The parent -----------------------------------------------------------------------------

struct apart {
	pid_t child;
	struct starter *starter; // whose child it is; NULL: of this process
	int number;              // that the starter knows it by
	int fd;
	int status; // of waitpid(), when the child has ended
	bool is_open;
	uint32_t bits;
	struct apart_options options;
};

// What a process that was ended before leaves to be known is nothing.
static void
end_started(struct apart *a)
{
	if (a->child > 0)
		a->status = starter_end(a->starter, a->child);
	a->child = 0;
}

// A process that has closed its end of the pipe ends soon.
static void
wait_for_child(struct apart *a)
{
	if (a->starter != NULL)
		end_started(a);
	for (int i = 0; i < WAITS && a->child > 0; i++) {
		pid_t ended = waitpid(a->child, &a->status, WNOHANG);

		if (ended == a->child || (ended < 0 && errno != EINTR))
			a->child = 0;
		else
			pmon_os_sleep(WAIT_100NS);
	}
}

static enum pmon_status
say_death(const struct apart *a, struct pmon_err *err)
{
	int number = WIFSIGNALED(a->status) ? WTERMSIG(a->status) : 0;

	if (a->child > 0)
		return pmon_err_set(err, PMON_E_IO, 0,
				    "the process that reads the log sent nothing");
	if (number == SIGKILL)
		return pmon_err_set(
			err, PMON_E_IO, 0,
			"the process that reads the log was killed; memory may be short");
	if (number != 0)
		return pmon_err_set(err, PMON_E_IO, 0,
				    "the process that reads the log crashed: signal %d", number);
	return pmon_err_set(err, PMON_E_IO, 0,
			    "the process that reads the log ended too early: exit status %d",
			    WEXITSTATUS(a->status));
}

static enum pmon_status
receive(void *ctx, uint8_t *bytes, size_t size, size_t *got, struct pmon_err *err)
{
	struct apart *a = ctx;
	ssize_t n;

	do
		n = read(a->fd, bytes, size);
	while (n < 0 && errno == EINTR);
	*got = n > 0 ? (size_t)n : 0;
	if (n > 0)
		return PMON_OK;
	wait_for_child(a);
	return say_death(a, err);
}

static void
end_child(struct apart *a)
{
	(void)close(a->fd);
	if (a->starter != NULL)
		end_started(a);
	if (a->child <= 0)
		return;
	(void)kill(a->child, SIGKILL);
	while (waitpid(a->child, &a->status, 0) < 0 && errno == EINTR)
		;
	a->child = 0;
}

static void
ended(void *ctx, const struct pmon_err *err)
{
	struct apart *a = ctx;

	end_child(a);
	if (err != NULL && a->is_open && a->options.died != NULL)
		a->options.died(a->options.ctx, err);
}

// Nothing of a log that comes through standard input is for the parent.
static void
leave_input(const struct args *args)
{
	int null = open("/dev/null", O_RDONLY);

	for (size_t i = 0; i < args->operands.n && null >= 0; i++)
		if (strcmp(args->operands.list[i], "-") == 0)
			(void)dup2(null, STDIN_FILENO);
	if (null >= 0)
		(void)close(null);
}

// Descriptor 0 of ends is to read from, 1 to write to.
static bool
open_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return true;
}

static int
begin_child(struct apart *a, const struct args *args)
{
	pid_t parent = getpid();
	int ends[2];

	if (!open_pipe(ends))
		return say(EXIT_FAILED, "cannot make a pipe: %s", strerror(errno));
	(void)fflush(stdout);
	a->child = fork();
	if (a->child == 0) {
		process_follow(parent);
		_exit(parse_logs(args, ends[1], a->options.checks_patterns));
	}
	(void)close(ends[1]);
	a->fd = ends[0];
	if (a->child > 0)
		return EXIT_DONE;
	(void)close(a->fd);
	return say(EXIT_FAILED, "cannot start a process that reads the log: %s", strerror(errno));
}

static int
open_plainly(struct logs *logs, const struct args *args, const struct apart_options *options)
{
	int status;

	notices_tell(options->notice, options->ctx);
	status = logs_open(logs, args);
	notices_tell(NULL, NULL);
	return status;
}

int
logs_open_apart(struct logs *logs, const struct args *args, const struct apart_options *options)
{
	struct wire_options wire = {.read = receive,
				    .ended = ended,
				    .notice = options->notice,
				    .notice_ctx = options->ctx};
	struct apart *a = NULL;
	struct pmon_err err;
	int status;

	if (args->no_sandbox || args->operands.n == 0)
		return open_plainly(logs, args, options);
	*logs = (struct logs){.args = args};
	logs->apart = a = calloc(1, sizeof(*a));
	if (a == NULL)
		return say(EXIT_FAILED, "not enough memory");
	a->options = *options;
	status = begin_child(a, args);
	if (status != EXIT_DONE)
		return status;
	leave_input(args);
	wire.ctx = a;
	wire.bits = &a->bits;
	a->is_open = wire_open(&wire, &logs->source, &err) == PMON_OK;
	if (a->is_open)
		return EXIT_DONE;
	// A child that exits has said why.
	status = WIFEXITED(a->status) ? WEXITSTATUS(a->status) : EXIT_DONE;
	if (status == EXIT_DONE)
		return say_err(args->operands.list[0], &err);
	logs->is_empty = status == EXIT_EMPTY;
	return status == EXIT_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

// ---- A log that was sent --------------------------------------------------------------------

#define WHY_BYTES 512 // of a message

int
logs_read_sent(const struct args *args, int output)
{
	notices_mute(); // the program has them
	return parse_logs(args, output, false);
}

// What the process says when it cannot open the log, with the name of the log in place of that of its input.
static void
read_why(int fd, const char *name, struct pmon_err *err)
{
	static const char before[] = "pmon: standard input: ";
	char text[WHY_BYTES];
	char *why = text;
	ssize_t n = read(fd, text, sizeof(text) - 1);

	if (n <= 0)
		return;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (strncmp(text, before, sizeof(before) - 1) == 0)
		why += sizeof(before) - 1;
	else if (strncmp(text, before, sizeof("pmon: ") - 1) == 0)
		why += sizeof("pmon: ") - 1;
	(void)pmon_err_set(err, PMON_E_FORMAT, 0, "%.80s: %.160s", name, why);
}

static enum pmon_status
open_sent(struct logs *logs, const struct logs_sent *sent, const int results[2], const int said[2],
	  struct pmon_err *err)
{
	struct apart *a = logs->apart;
	struct starter_ends ends = {sent->fd, results[1], said[1]};
	struct wire_options wire = {.read = receive,
				    .ended = ended,
				    .ctx = a,
				    .notice = sent->notice,
				    .notice_ctx = sent->ctx,
				    .bits = &a->bits};
	enum pmon_status status;

	a->starter = sent->starter;
	a->fd = results[0];
	a->child = a->number = starter_begin(sent->starter, &ends);
	(void)close(results[1]);
	(void)close(said[1]);
	if (a->number < 0) {
		(void)close(results[0]);
		(void)close(said[0]);
		return pmon_err_set(err, PMON_E_IO, 0, "cannot start a process that reads the log");
	}
	status = wire_open(&wire, &logs->source, err);
	if (status != PMON_OK)
		read_why(said[0], sent->name, err);
	(void)close(said[0]);
	return status;
}

enum pmon_status
logs_open_sent(struct logs *logs, const struct args *args, const struct logs_sent *sent,
	       struct pmon_err *err)
{
	int results[2];
	int said[2];

	*logs = (struct logs){.args = args, .apart = calloc(1, sizeof(*logs->apart))};
	if (logs->apart == NULL)
		return pmon_err_nomem(err);
	if (!open_pipe(results))
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot make a pipe");
	if (!open_pipe(said)) {
		(void)close(results[0]);
		(void)close(results[1]);
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot make a pipe");
	}
	// A process that says more than a pipe holds must not wait for a reader.
	(void)fcntl(said[1], F_SETFL, O_NONBLOCK);
	return open_sent(logs, sent, results, said, err);
}

void
logs_end_sent(struct logs *logs)
{
	(void)starter_end(logs->apart->starter, logs->apart->number);
}

int
logs_apart_patterns(struct logs *logs)
{
	if (logs->apart == NULL)
		return logs_check_patterns(logs);
	return (logs->apart->bits & BIT_NOTHING_MATCHES) != 0 ? EXIT_FAILED : EXIT_DONE;
}

void
logs_note_apart(struct logs *logs)
{
	if (logs->apart == NULL)
		return;
	logs->failed |= (logs->apart->bits & BIT_FAILED) != 0;
	logs->unknown_processes |= (logs->apart->bits & BIT_UNKNOWN_PROCESSES) != 0;
}
