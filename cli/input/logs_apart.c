// logs_apart.c - the logs of a command line, parsed in a process that has no network
// SPDX-License-Identifier: MIT
//
// The child enters the sandbox, opens the logs and sends what they hold (wire.h). Its own messages go to
// standard error as those of every verb do. The parent opens no log.

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/input/logs.h"
#include "cli/input/notices.h"
#include "cli/input/wire.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "cli/process/child.h"
#include "cli/process/sandbox.h"
#include "cli/process/starter.h"
#include "os/fd.h"
#include "os/term.h"

// Bits that go with the facts of the source.
#define BIT_FAILED            1u // struct logs.failed
#define BIT_UNKNOWN_PROCESSES 2u
#define BIT_NOTHING_MATCHES   4u

#define EXIT_EMPTY 4 // EXIT_FAILED with struct logs.is_empty

#define SEND_BYTES ((size_t)64 << 10)        // sent together
#define SEND_100NS (20 * PMON_TIME_PER_MSEC) // or when the first of them is so old

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
	child_send(s->fd, s->writer.bytes, s->writer.n);
	s->writer.n = 0;
	s->sent = pmon_os_monotonic_100ns();
}

static void
need(bool put)
{
	if (!put)
		child_exit(say(EXIT_FAILED, "not enough memory"));
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

static int
parse_logs(const struct args *args, int fd, bool checks_patterns)
{
	struct sender s = {.fd = fd, .checks_patterns = checks_patterns};
	int status;

	child_close_others(fd);
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
	struct child child;
	bool is_open;
	uint32_t bits;
	struct apart_options options;
};

static enum pmon_status
receive(void *ctx, uint8_t *bytes, size_t size, size_t *got, struct pmon_err *err)
{
	struct apart *a = ctx;

	return child_read(&a->child, bytes, size, got, err);
}

static void
ended(void *ctx, const struct pmon_err *err)
{
	struct apart *a = ctx;

	child_end(&a->child);
	if (err != NULL && a->is_open && a->options.died != NULL)
		a->options.died(a->options.ctx, err);
}

static bool
is_input(const struct args *args)
{
	for (size_t i = 0; i < args->operands.n; i++)
		if (strcmp(args->operands.list[i], "-") == 0)
			return true;
	return false;
}

struct work {
	const struct args *args;
	bool checks_patterns;
};

static int
parse_apart(void *ctx, int output)
{
	const struct work *work = ctx;

	return parse_logs(work->args, output, work->checks_patterns);
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
	struct work work = {args, options->checks_patterns};
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
	status = child_begin(&a->child, parse_apart, &work);
	if (status != EXIT_DONE)
		return status;
	if (is_input(args))
		child_leave_input();
	wire.ctx = a;
	wire.bits = &a->bits;
	a->is_open = wire_open(&wire, &logs->source, &err) == PMON_OK;
	if (a->is_open)
		return EXIT_DONE;
	// A child that exits has said why.
	status = child_exit_status(&a->child);
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
read_why(int said, const char *name, struct pmon_err *err)
{
	static const char before[] = "pmon: standard input: ";
	char text[WHY_BYTES];
	char *why = text;

	child_said(said, text, sizeof(text));
	if (text[0] == '\0')
		return;
	text[strcspn(text, "\n")] = '\0';
	if (strncmp(text, before, sizeof(before) - 1) == 0)
		why += sizeof(before) - 1;
	else if (strncmp(text, before, sizeof("pmon: ") - 1) == 0)
		why += sizeof("pmon: ") - 1;
	(void)pmon_err_set(err, PMON_E_FORMAT, 0, "%.80s: %.160s", name, why);
}

enum pmon_status
logs_open_sent(struct logs *logs, const struct args *args, const struct logs_sent *sent,
	       struct pmon_err *err)
{
	struct apart *a = calloc(1, sizeof(*a));
	struct wire_options wire = {.read = receive,
				    .ended = ended,
				    .ctx = a,
				    .notice = sent->notice,
				    .notice_ctx = sent->ctx};
	enum pmon_status status;
	int said;

	*logs = (struct logs){.args = args, .apart = a};
	if (a == NULL)
		return pmon_err_nomem(err);
	wire.bits = &a->bits;
	status = child_begin_apart(&a->child, sent->starter, sent->fd, &said, err);
	if (status != PMON_OK)
		return status;
	status = wire_open(&wire, &logs->source, err);
	if (status != PMON_OK)
		read_why(said, sent->name, err);
	pmon_fd_close(said);
	return status;
}

void
logs_end_sent(struct logs *logs)
{
	(void)starter_end(logs->apart->child.starter, logs->apart->child.number);
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
