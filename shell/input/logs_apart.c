// logs_apart.c - parse the logs of a request in a process without network access
// SPDX-License-Identifier: MIT
//
// The child enters the sandbox, opens the logs and sends their contents (wire.h). It prints its
// messages on standard error, as every verb does. The parent opens no log.

#include "shell/input/logs_apart.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "os/clock.h"
#include "os/fd.h"
#include "shell/input/notices.h"
#include "shell/input/wire.h"
#include "shell/output/line.h"
#include "shell/output/say.h"
#include "shell/process/child.h"
#include "shell/process/sandbox.h"
#include "shell/process/starter.h"

#define EXIT_EMPTY 4 // EXIT_FAILED with struct window.is_empty

#define SEND_BYTES ((size_t)64 << 10)        // bytes sent at once
#define SEND_100NS (20 * PMON_TIME_PER_MSEC) // or when the oldest of them is this old

// ---- The child ------------------------------------------------------------------------------

struct sender {
	struct logs logs;
	bool checks_patterns;
	bool nothing_matches;
	struct wire_writer writer;
	int fd;
	int64_t sent;
};

// The parent ends this process when it needs no more.
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
	uint32_t bits = logs_have_failed(&s->logs) ? LOGS_FAILED : 0;

	if (identity_is_unknown(&s->logs.identity))
		bits |= LOGS_UNKNOWN_PROCESSES;
	if (s->nothing_matches)
		bits |= LOGS_NOTHING_MATCHES;
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
		window_note_sample(&s->logs.window, s->logs.patterns.select, sample);
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
parse_logs(const struct request *request, int fd, bool checks_patterns)
{
	struct sender s = {.fd = fd, .checks_patterns = checks_patterns};
	const struct sandbox_inputs inputs = {.logs = request->logs,
					      .settings = request->inputs,
					      .pattern_files = request->pattern_files,
					      .verbose = request->verbose};
	int status;

	child_close_others(fd);
	status = request->reading.no_sandbox ? EXIT_DONE : sandbox_enter(&inputs, NULL);
	if (status != EXIT_DONE)
		return status;
	notices_tell(send_notice, &s);
	status = logs_open(&s.logs, request);
	notices_tell(NULL, NULL);
	line_erase();
	if (status != EXIT_DONE)
		return s.logs.window.is_empty ? EXIT_EMPTY : status;
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
is_input(const struct request *request)
{
	for (size_t i = 0; i < request->logs.n; i++)
		if (strcmp(request->logs.list[i], "-") == 0)
			return true;
	return false;
}

struct work {
	const struct request *request;
	bool checks_patterns;
};

static int
parse_apart(void *ctx, int output)
{
	const struct work *work = ctx;

	return parse_logs(work->request, output, work->checks_patterns);
}

static int
open_plainly(struct logs *logs, const struct request *request, const struct apart_options *options)
{
	int status;

	notices_tell(options->notice, options->ctx);
	status = logs_open(logs, request);
	notices_tell(NULL, NULL);
	return status;
}

int
logs_open_apart(struct logs *logs, const struct request *request,
		const struct apart_options *options)
{
	struct wire_options wire = {.read = receive,
				    .ended = ended,
				    .notice = options->notice,
				    .notice_ctx = options->ctx};
	struct work work = {request, options->checks_patterns};
	struct apart *a = NULL;
	struct pmon_err err;
	int status;

	if (request->reading.no_sandbox || request->logs.n == 0)
		return open_plainly(logs, request, options);
	*logs = (struct logs){.request = *request};
	logs->apart = a = calloc(1, sizeof(*a));
	if (a == NULL)
		return say(EXIT_FAILED, "not enough memory");
	a->options = *options;
	status = child_begin(&a->child, parse_apart, &work);
	if (status != EXIT_DONE)
		return status;
	if (is_input(request))
		child_leave_input();
	wire.ctx = a;
	wire.bits = &logs->facts;
	a->is_open = wire_open(&wire, &logs->source, &err) == PMON_OK;
	if (a->is_open)
		return EXIT_DONE;
	// The child has printed the reason.
	status = child_exit_status(&a->child);
	if (status == EXIT_DONE)
		return say_err(request->logs.list[0], &err);
	logs->window.is_empty = status == EXIT_EMPTY;
	return status == EXIT_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

// ---- A log that was sent --------------------------------------------------------------------

#define WHY_BYTES 512 // of a message

int
logs_read_sent(const struct request *request, int output)
{
	notices_mute(); // the parent prints them
	return parse_logs(request, output, false);
}

// The child's message if it cannot open the log, with the name of its input replaced by that of the
// log.
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
logs_open_sent(struct logs *logs, const struct request *request, const struct logs_sent *sent,
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

	*logs = (struct logs){.request = *request, .apart = a};
	if (a == NULL)
		return pmon_err_nomem(err);
	wire.bits = &logs->facts;
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
	return (logs->facts & LOGS_NOTHING_MATCHES) != 0 ? EXIT_FAILED : EXIT_DONE;
}
