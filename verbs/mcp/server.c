// server.c - the server of the Model Context Protocol, on standard input and output
// SPDX-License-Identifier: MIT
//
// One message is one line. Each call of a tool is a command line of pmon (tools.h) that runs in a process of its own, in
// the sandbox of its verb: a log that crashes it crashes nothing else, and a call that is cancelled is killed. Calls
// run one after the other; the server reads messages while one runs.

#include "verbs/mcp/server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "os/fd.h"
#include "os/file.h"
#include "shell/output/say.h"
#include "shell/process/door.h"
#include "shell/process/job.h"
#include "shell/process/process.h"
#include "shell/process/signals.h"
#include "verbs/mcp/answer.h"
#include "verbs/mcp/folders.h"
#include "verbs/mcp/request.h"
#include "verbs/mcp/rpc.h"
#include "verbs/mcp/tools.h"
#include "verbs/run.h"

#define LINE_MOST    ((size_t)1 << 20) // bytes of a message
#define READ_BYTES   ((size_t)1 << 16)
#define CALLS_MOST   64 // that wait
#define PAGE_BYTES   40000
#define ROW_BYTES    400000
#define MEMBER_BYTES 20000
#define SAID_BYTES   8192
#define PICTURE_MOST ((uint64_t)8 << 20)

// A call that waits for its turn.
struct waiting {
	struct waiting *next;
	char *id;
	const struct tool *tool;
	struct json_t *arguments; // NULL: none
};

// The call that runs.
struct running {
	char *id;
	struct tool_call call;
	struct job job;
	struct slice rows;
	char picture[PMON_PRIVATE_SIZE]; // "": none
};

struct server {
	struct folders folders;
	struct waiting *first;
	struct waiting **last;
	size_t n_waiting;
	struct running running; // its id is NULL if none runs
	char *line;             // of LINE_MOST bytes: what was read of a message
	size_t len;
	bool is_too_long; // so its rest is skipped
	bool is_over;     // input has ended
};

// ---- Calls --------------------------------------------------------------------------------------

static void
free_waiting(struct waiting *waiting)
{
	free(waiting->id);
	rpc_drop(waiting->arguments);
	free(waiting);
}

static void
add_call(struct server *s, const struct rpc_message *message, const struct tool *tool)
{
	const struct json_t *arguments = rpc_member(message->params, "arguments");
	struct waiting *waiting = calloc(1, sizeof(*waiting));
	char *id = strdup(message->id);

	if (waiting == NULL || id == NULL || s->n_waiting == CALLS_MOST) {
		answer_error(message->id, ERROR_INTERNAL,
			     s->n_waiting == CALLS_MOST ? "too many calls wait for their turn"
							: "not enough memory");
		free(waiting);
		free(id);
		return;
	}
	*waiting = (struct waiting){NULL, id, tool, rpc_keep(arguments)};
	*s->last = waiting;
	s->last = &waiting->next;
	s->n_waiting++;
}

static struct waiting *
take_call(struct server *s, struct waiting **at)
{
	struct waiting *waiting = *at;

	*at = waiting->next;
	if (s->last == &waiting->next)
		s->last = at;
	s->n_waiting--;
	return waiting;
}

// In the process of the call: run its command line.
static int
run_words(void *ctx)
{
	struct tool_call *call = ctx;
	const struct verb *verb = verb_named(call->words[0]);
	int n = (int)call->n;
	int status = verb != NULL ? verb_run(verb, n - 1, call->words + 1)
				  : verb_run_file(n, call->words);

	status = process_end(status);
	door_close();
	return status;
}

static void
end_running(struct running *running)
{
	tool_call_free(&running->call);
	slice_free(&running->rows);
	if (running->picture[0] != '\0')
		pmon_private_remove(running->picture);
	free(running->id);
	*running = (struct running){.id = NULL};
}

static bool
begin_job(struct running *running, char why[TOOL_WHY])
{
	const struct tool_call *call = &running->call;

	running->rows = (struct slice){.lists = {call->lists[0], call->lists[1]},
				       .left_out = call->tool->left_out,
				       .offset = call->offset,
				       .most = call->rows,
				       .most_bytes = PAGE_BYTES,
				       .most_of_row = ROW_BYTES,
				       .most_members = MEMBER_BYTES};
	if (job_begin(&running->job, run_words, &running->call))
		return true;
	(void)snprintf(why, TOOL_WHY, "cannot start the process that reads the log: %s",
		       strerror(errno));
	return false;
}

static bool
begin_running(struct server *s, struct running *running, const struct waiting *waiting,
	      char why[TOOL_WHY])
{
	if (waiting->tool->draws && !pmon_private_make("/tmp", "chart.png", running->picture)) {
		(void)snprintf(why, TOOL_WHY, "cannot create a folder for the picture in /tmp");
		return false;
	}
	return tool_call_begin(&running->call, waiting->tool, waiting->arguments, &s->folders,
			       running->picture, why);
}

static void
start_next(struct server *s)
{
	struct waiting *waiting = take_call(s, &s->first);
	struct running *running = &s->running;
	char why[TOOL_WHY];

	running->id = waiting->id;
	waiting->id = NULL;
	if (!begin_running(s, running, waiting, why)) {
		answer_failure(running->id, why);
		end_running(running);
	} else if (running->call.n_logs == 0) {
		answer_logs(running->id, &running->call, &s->folders);
		end_running(running);
	} else if (!begin_job(running, why)) {
		answer_failure(running->id, why);
		end_running(running);
	}
	free_waiting(waiting);
}

// ---- Results ------------------------------------------------------------------------------------

static void
say_picture(const struct running *running, const char *said)
{
	struct pmon_file *file = NULL;
	struct pmon_err err;
	uint8_t *bytes = NULL;
	uint64_t size = 0;
	size_t got = 0;

	if (pmon_file_open(running->picture, NULL, &file, &err) == PMON_OK)
		size = pmon_file_size(file);
	if (size > 0 && size <= PICTURE_MOST)
		bytes = malloc((size_t)size);
	if (bytes != NULL && pmon_file_read(file, 0, bytes, (size_t)size, &got, &err) == PMON_OK)
		answer_picture(running->id, &running->call, bytes, got, said);
	else
		answer_failure(running->id, size > PICTURE_MOST ? "the picture is too large"
								: "the picture cannot be read");
	free(bytes);
	pmon_file_close(file);
}

static void
say_rows(const struct running *running, const char *said)
{
	const struct slice *rows = &running->rows;

	if (rows->is_short)
		answer_failure(running->id, "not enough memory");
	else if (rows->lost_row)
		answer_failure(running->id,
			       "the row at this offset is too large; choose less, such as fewer "
			       "logs or a shorter time");
	else
		answer_rows(running->id, &running->call, rows, said);
}

// Remove the name of the program from each line, and the last line end.
static void
remove_names(char *said)
{
	char *from = said;
	char *to = said;

	while (*from != '\0') {
		if ((from == said || from[-1] == '\n') && strncmp(from, "pmon: ", 6) == 0)
			from += 6;
		else
			*to++ = *from++;
	}
	while (to > said && to[-1] == '\n')
		to--;
	*to = '\0';
}

static void
say_failure(const struct running *running, const char *said, int status)
{
	if (said[0] != '\0')
		answer_failure(running->id, said);
	else
		answer_failure(running->id, status < 0 ? "the process that reads the log crashed"
						       : "the command failed without a message");
}

// The output of the process has ended, or the rest is not needed.
static void
finish(struct running *running)
{
	char said[SAID_BYTES];
	int status;

	job_errors(&running->job, said, sizeof(said));
	remove_names(said);
	status = job_end(&running->job, running->rows.is_over || running->rows.is_short);
	if (running->rows.is_over || running->rows.is_short)
		status = EXIT_DONE;
	if (status != EXIT_DONE && status != EXIT_DAMAGED)
		say_failure(running, said, status);
	else if (running->call.tool->draws)
		say_picture(running, said);
	else
		say_rows(running, said);
	end_running(running);
}

static void
read_output(struct server *s)
{
	struct running *running = &s->running;
	char bytes[READ_BYTES];
	size_t n = job_read(running->job.output, bytes, sizeof(bytes));

	if (!running->call.tool->draws)
		slice_take(&running->rows, bytes, n);
	if (n == 0 || running->rows.is_over || running->rows.is_short)
		finish(running);
}

// ---- Requests -----------------------------------------------------------------------------------

static void
call_tool(struct server *s, const struct rpc_message *message)
{
	const char *name = rpc_text(rpc_member(message->params, "name"));
	const struct tool *tool = name != NULL ? tool_named(name) : NULL;

	if (tool != NULL)
		add_call(s, message, tool);
	else
		answer_error(message->id, ERROR_PARAMS,
			     name == NULL ? "tools/call needs the name of a tool"
					  : "there is no tool of this name; tools/list has all");
}

static void
answer_request(struct server *s, const struct rpc_message *message)
{
	if (strcmp(message->method, "tools/call") == 0)
		call_tool(s, message);
	else
		request_answer(message);
}

// A cancelled call gets no answer.
static void
cancel(struct server *s, const struct rpc_message *message)
{
	char *id = rpc_id(rpc_member(message->params, "requestId"));

	if (id != NULL && s->running.id != NULL && strcmp(s->running.id, id) == 0) {
		(void)job_end(&s->running.job, true);
		end_running(&s->running);
	}
	for (struct waiting **at = &s->first; id != NULL && *at != NULL;)
		if (strcmp((*at)->id, id) == 0)
			free_waiting(take_call(s, at));
		else
			at = &(*at)->next;
	free(id);
}

static void
take_line(struct server *s, const char *line, size_t len)
{
	struct rpc_message message;

	while (len > 0 && (line[len - 1] == '\r' || line[len - 1] == ' '))
		len--;
	if (len == 0)
		return;
	rpc_read(line, len, &message);
	switch (message.kind) {
	case RPC_NOT_JSON:
		answer_error(NULL, ERROR_NOT_JSON, message.why);
		break;
	case RPC_INVALID:
		answer_error(message.id, ERROR_INVALID, message.why);
		break;
	case RPC_REQUEST:
		answer_request(s, &message);
		break;
	case RPC_NOTIFICATION:
		if (strcmp(message.method, "notifications/cancelled") == 0)
			cancel(s, &message);
		break;
	case RPC_ANSWER:
		break;
	}
	rpc_free(&message);
}

// ---- Lines --------------------------------------------------------------------------------------

static void
add_part(struct server *s, const char *bytes, size_t n)
{
	if (s->is_too_long)
		return;
	if (n > LINE_MOST - s->len) {
		s->is_too_long = true;
		answer_error(NULL, ERROR_INVALID, "the message is too long: 1 MB at most");
		return;
	}
	memcpy(s->line + s->len, bytes, n);
	s->len += n;
}

static void
end_line(struct server *s)
{
	if (!s->is_too_long && s->len > 0)
		take_line(s, s->line, s->len);
	s->is_too_long = false;
	s->len = 0;
}

static void
read_input(struct server *s)
{
	char bytes[READ_BYTES];
	size_t n = job_read(0, bytes, sizeof(bytes));
	size_t at = 0;

	while (at < n) {
		const char *end = memchr(bytes + at, '\n', n - at);
		size_t len = end != NULL ? (size_t)(end - bytes) - at : n - at;

		add_part(s, bytes + at, len);
		at += len + (end != NULL);
		if (end != NULL)
			end_line(s);
	}
	if (n == 0) {
		s->is_over = true;
		end_line(s);
	}
}

// ---- All of it ----------------------------------------------------------------------------------

// After the end of input, calls that wait are still answered, as long as the client reads.
static void
serve(struct server *s)
{
	int stop = signals_catch();

	for (;;) {
		struct job_ready ready;

		while (s->running.id == NULL && s->first != NULL)
			start_next(s);
		if (s->is_over && s->running.id == NULL)
			return;
		ready = job_wait(&s->running.job, s->is_over ? -1 : 0, s->is_over ? 1 : -1, stop);
		if (ready.gone || ferror(stdout))
			return;
		if (ready.output)
			read_output(s);
		if (ready.input)
			read_input(s);
	}
}

static void
close_server(struct server *s)
{
	if (s->running.id != NULL) {
		(void)job_end(&s->running.job, true);
		end_running(&s->running);
	}
	while (s->first != NULL)
		free_waiting(take_call(s, &s->first));
	folders_free(&s->folders);
	free(s->line);
}

int
mcp_serve(const struct args *args)
{
	struct server s = {.running = {.id = NULL}};
	int status = folders_open(&s.folders, &args->operands);

	s.last = &s.first;
	s.line = malloc(LINE_MOST);
	if (status == EXIT_DONE && s.line == NULL)
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		serve(&s);
	close_server(&s);
	return status;
}
