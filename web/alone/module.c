// module.c - the API of the page as a WebAssembly module, for a page without a server
// SPDX-License-Identifier: MIT
//
// The page calls the exported functions, one at a time (web/alone/module.js). What it passes are texts that end with
// NUL, in the room that module_room() returns. Messages go to standard error, as those of the command do.

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "os/dir.h"
#include "os/fd.h"
#include "os/file.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs_apart.h"
#include "shell/output/say.h"
#include "shell/output/stream.h"
#include "shell/process/memory.h"
#include "web/api.h"
#include "web/events.h"
#include "web/view.h"
#include "web/view_private.h"

#define EXPORT(name) __attribute__((export_name(#name), used))

#define MOST_BYTES ((uint64_t)4 << 30) // of a log to compare with, as in pmon view

// The logs of a set.
struct opened {
	struct args args;
	struct logs logs;
	const char **names; // without folders
	char *texts;        // of the paths
	struct set *set;    // gets the notices
};

// What module_ask() returns.
struct answer {
	uint32_t status; // of HTTP
	const char *type;
	const char *bytes;
	size_t len;
};

static struct module {
	char *room;
	struct view *view;
	struct answer answer;
	char *text; // of the answer
} module;

// Reads as pmon view does.
static const struct option page_options[] = {
	GROUP(options_select), GROUP(options_calc),     GROUP(options_read),
	GROUP(options_host),   GROUP(options_identity), OPTION_END,
};

static const struct verb page_verb = {.name = "pmon", .options = page_options};

EXPORT(module_room) char *module_room(size_t size);
EXPORT(module_open) int module_open(size_t len);
EXPORT(module_compare) const struct answer *module_compare(size_t len);
EXPORT(module_read) int module_read(uint32_t milliseconds);
EXPORT(module_ask) const struct answer *module_ask(size_t len);

char *
module_room(size_t size)
{
	char *room = realloc(module.room, size);

	if (room != NULL)
		module.room = room;
	return room;
}

// ---- Logs -------------------------------------------------------------------------------------

static void
note(void *ctx, const struct pmon_notice *notice)
{
	const struct opened *opened = ctx;

	set_note_damage(opened->set, notice);
}

static void
close_opened(void *ctx)
{
	struct opened *opened = ctx;

	(void)logs_close(&opened->logs, EXIT_DONE);
	args_free(&opened->args);
	free(opened->names);
	free(opened->texts);
	free(opened);
}

// The paths that the room holds become operands.
static bool
take_paths(struct opened *opened, size_t len)
{
	struct words *paths = &opened->args.operands;
	const char *end;

	opened->texts = malloc(len + 1);
	opened->names = calloc(len + 1, sizeof(*opened->names));
	if (opened->texts == NULL || opened->names == NULL)
		return false;
	memcpy(opened->texts, module.room, len);
	opened->texts[len] = '\0';
	end = opened->texts + len;
	for (const char *path = opened->texts; path < end; path += strlen(path) + 1) {
		opened->names[paths->n] = pmon_os_name(path);
		if (!words_add(paths, path))
			return false;
	}
	return true;
}

static int
open_paths(struct opened *opened, size_t len)
{
	struct apart_options options = {.notice = note, .ctx = opened};
	struct request request;

	if (args_begin(&opened->args, &page_verb) != EXIT_DONE || !take_paths(opened, len))
		return say(EXIT_FAILED, "not enough memory");
	request = request_from(&opened->args);
	return logs_open_apart(&opened->logs, &request, &options);
}

static struct set_plan
plan_of(struct opened *opened)
{
	return (struct set_plan){.source = opened->logs.source,
				 .files = opened->names,
				 .n_files = opened->args.operands.n,
				 .is_stepwise = true,
				 .close = close_opened,
				 .ctx = opened};
}

// set_opener.open: the path is the name.
static enum pmon_status
open_second(void *ctx, struct set *set, int fd, const char *path, struct set_plan *plan,
	    struct pmon_err *err)
{
	struct opened *opened = calloc(1, sizeof(*opened));

	(void)ctx, (void)fd;
	if (opened == NULL)
		return pmon_err_nomem(err);
	opened->set = set;
	if (open_paths(opened, strlen(path) + 1) != EXIT_DONE) {
		close_opened(opened);
		return pmon_err_set(err, PMON_E_IO, 0, "cannot open the log");
	}
	*plan = plan_of(opened);
	return PMON_OK;
}

// Open the logs whose paths the room holds, merged. Returns EXIT_DONE, or an exit status after a message.
int
module_open(size_t len)
{
	const struct set_opener second = {.open = open_second, .most_bytes = MOST_BYTES};
	struct set_plan plans[2] = {{.source = NULL}, {.source = NULL}};
	struct opened *opened = calloc(1, sizeof(*opened));
	struct pmon_err err;
	int status;

	memory_begin();
	if (opened == NULL || view_new(&module.view, &err) != PMON_OK)
		return say(EXIT_FAILED, "not enough memory");
	view_take_logs(module.view, &second);
	opened->set = module.view->sets[0];
	status = open_paths(opened, len);
	if (status != EXIT_DONE)
		return status;
	plans[0] = plan_of(opened);
	if (view_open(module.view, plans, &opened->args.calc, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

// Read for about so many milliseconds. Returns 0 when there is nothing more to read.
int
module_read(uint32_t milliseconds)
{
	bool more = false;

	for (size_t i = 0; i < VIEW_SETS; i++) {
		struct set *set = view_take(module.view, i);

		if (set != NULL)
			more |= set_read(set, milliseconds * PMON_TIME_PER_MSEC);
		view_give(module.view, set);
	}
	return more;
}

// ---- Answers ----------------------------------------------------------------------------------

static struct call
new_call(const char *path)
{
	return (struct call){.view = module.view,
			     .path = path,
			     .status = 200,
			     .type = "application/json",
			     .fd = -1};
}

// Replace the text of an answer by the file that the answer is.
static void
take_file(struct call *call, size_t *len)
{
	struct pmon_file *file;
	struct pmon_err err;
	size_t size;

	free(module.text);
	module.text = NULL;
	if (pmon_file_over(call->fd, NULL, &file, &err) == PMON_OK) {
		size = (size_t)pmon_file_size(file);
		module.text = malloc(size + 1);
		if (module.text == NULL ||
		    pmon_file_read(file, 0, module.text, size, len, &err) != PMON_OK)
			call_no_memory(call);
		pmon_file_close(file);
	} else {
		call_no_memory(call);
	}
	pmon_fd_close(call->fd);
}

// Replace the text of an answer by the description of its failure.
static bool
take_error(struct call *call, size_t *len)
{
	struct json json;

	free(module.text);
	module.text = NULL;
	json = (struct json){.stream = text_stream_open(&module.text, len)};
	if (json.stream == NULL)
		return false;
	call->type = "application/json";
	call_put_error(call, &json);
	return text_stream_close(json.stream, &module.text);
}

// Have the answer written by write(), unless the call has failed. NULL: not enough memory.
static const struct answer *
answer_by(struct call *call, void (*write)(struct call *call))
{
	size_t len = 0;

	free(module.text);
	module.text = NULL;
	call->json.stream = text_stream_open(&module.text, &len);
	if (call->json.stream == NULL)
		return NULL;
	if (call->status == 200)
		write(call);
	call_end(call);
	if (!text_stream_close(call->json.stream, &module.text))
		call_no_memory(call);
	else if (call->fd >= 0)
		take_file(call, &len);
	if (call->status != 200 && !take_error(call, &len))
		return NULL;
	module.answer = (struct answer){call->status, call->type, module.text, len};
	return &module.answer;
}

static void
put_log(struct call *call)
{
	if (!api_put_log(&call->json, call->view))
		call_no_memory(call);
}

// Make the log with the path in the room the second set; without one, remove that set. NULL: not enough memory.
const struct answer *
module_compare(size_t len)
{
	struct call call = new_call("/api/compare");
	struct pmon_err err;
	enum pmon_status status = len > 0 ? view_take_log(module.view, -1, module.room, &err)
					  : view_remove_log(module.view, &err);

	if (status != PMON_OK)
		call_fail(&call, status == PMON_E_NOMEM ? 500 : 422, NULL, "%s", err.msg);
	return answer_by(&call, put_log);
}

// The names and values of parameters, after the path.
static void
take_params(struct call *call, const char *text, const char *end)
{
	while (text < end && call->n_params < CALL_PARAMS) {
		const char *value = text + strlen(text) + 1;
		size_t len = strlen(value);

		call->params[call->n_params++] = (struct call_param){text, value, len};
		text = value + len + 1;
	}
}

// Answer the endpoint whose path the room holds, followed by names and values of parameters. NULL: not enough memory.
const struct answer *
module_ask(size_t len)
{
	const char *path = module.room;
	struct call call = new_call(path);
	const struct api_route *route = api_find(path);

	take_params(&call, path + strlen(path) + 1, path + len);
	if (route == NULL || route->answer == api_events)
		call_fail(&call, 404, NULL, "not found");
	return answer_by(&call, route != NULL ? route->answer : put_log);
}
