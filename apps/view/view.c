// view.c - pmon view: logs, or this machine, on a page in the browser
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/verb.h"
#include "base/err.h"
#include "cli/input/live.h"
#include "cli/input/logs.h"
#include "cli/output/say.h"
#include "cli/process/browser.h"
#include "cli/process/signals.h"
#include "cli/process/starter.h"
#include "os/dir.h"
#include "os/fd.h"
#include "web/http.h"
#include "web/view.h"

#define HISTORY   (60 * PMON_TIME_PER_MIN)
#define MOST_SENT ((uint64_t)4 << 30) // bytes of a log that the page sends

// All users of this machine can read the command line of a browser, and the address has the token. So the
// browser is given a file that only this user can read, and that leads to the address.

// Logs that are shown as one set.
struct shown {
	struct view *view;
	size_t set;
	struct logs logs;
	const char **names;
};

struct server {
	struct view *view;
	struct http *http;
	struct shown shown[2]; // and those to compare with
	size_t n_shown;        // opened, or tried
	struct args compare;   // the command line as it would be for the second alone
	struct args sent;      // and as it is for a log that the page sends
	struct starter *starter;
	struct set_plan plans[2];
	uint16_t port;
	int wake[2];                  // a byte in this pipe ends sampling
	char door[PMON_PRIVATE_SIZE]; // of the browser; "" if none was opened
};

// ---- Sources --------------------------------------------------------------------------------

static void
note(void *ctx, const struct pmon_notice *notice)
{
	const struct shown *shown = ctx;

	view_note_damage(shown->view, shown->set, notice);
}

// The page has it too, and what was read stays there.
static void
note_death(void *ctx, const struct pmon_err *err)
{
	struct shown *shown = ctx;

	shown->logs.failed = true;
	(void)logs_say_err(&shown->logs, err);
}

// The names of files without their folders.
static const char **
base_names(const struct words *files)
{
	const char **names = calloc(files->n + 1, sizeof(*names));

	for (size_t i = 0; names != NULL && i < files->n; i++) {
		names[i] = pmon_os_name(file_name(files->list[i]));
	}
	return names;
}

// What was opened as set i, in words.
static int
plan_set(struct server *s, size_t i, const struct args *args)
{
	struct shown *shown = &s->shown[i];

	shown->names = base_names(&args->operands);
	if (shown->names == NULL)
		return say(EXIT_FAILED, "not enough memory");
	s->plans[i].source = shown->logs.source;
	s->plans[i].files = shown->names;
	s->plans[i].n_files = args->operands.n;
	return EXIT_DONE;
}

static int
open_files(struct server *s, size_t i, const struct args *args)
{
	struct shown *shown = &s->shown[i];
	struct apart_options options = {.notice = note, .died = note_death, .ctx = shown};
	int status;

	shown->view = s->view;
	shown->set = i;
	s->n_shown = i + 1;
	status = logs_open_apart(&shown->logs, args, &options);
	return status == EXIT_DONE ? plan_set(s, i, args) : status;
}

static int
open_machine(struct server *s, const struct args *args)
{
	struct set_plan *set = &s->plans[0];
	struct live_plan plan;
	int status = live_plan(args, &plan);

	set->history_100ns = HISTORY;
	if (status == EXIT_DONE)
		status =
			live_length("--history", args_text(args, "--history"), &set->history_100ns);
	if (status != EXIT_DONE)
		return status;
	if (!pmon_fd_pipe(s->wake))
		return say(EXIT_FAILED, "cannot make a pipe: %s", strerror(errno));
	plan.bare = plan.first_shown = true;
	plan.wake_fd = s->wake[0];
	plan.patience = LIVE_LATER;
	if (args->replay == NULL)
		set->interval_100ns = plan.interval_100ns;
	s->n_shown = 1;
	status = logs_open_machine(&s->shown[0].logs, args, &plan);
	return status == EXIT_DONE ? plan_set(s, 0, args) : status;
}

// The command line as it would be for other files alone.
static struct args
args_for(const struct args *args, const struct words *files)
{
	struct args other = *args;

	other.operands = *files;
	other.own = NULL; // --history and others are for this machine
	other.interval = NULL;
	other.root = other.replay = NULL;
	other.pid_names = false;
	return other;
}

static int
open_sets(struct server *s, const struct args *args)
{
	int status = args->operands.n > 0 ? open_files(s, 0, args) : open_machine(s, args);

	if (status != EXIT_DONE || args_words(args, "--compare")->n == 0)
		return status;
	s->compare = args_for(args, args_words(args, "--compare"));
	return open_files(s, 1, &s->compare);
}

// ---- A log that the page sends --------------------------------------------------------------

struct sent {
	struct logs logs;
	struct set *set;
	const char *names[1];
	char name[];
};

static void
note_sent(void *ctx, const struct pmon_notice *notice)
{
	const struct sent *sent = ctx;

	set_note_damage(sent->set, notice);
}

static void
stop_sent(void *ctx)
{
	struct sent *sent = ctx;

	logs_end_sent(&sent->logs);
}

static void
close_sent(void *ctx)
{
	struct sent *sent = ctx;

	(void)logs_close(&sent->logs, EXIT_DONE);
	free(sent);
}

static enum pmon_status
open_sent(void *ctx, struct set *set, int fd, const char *name, struct set_plan *plan,
	  struct pmon_err *err)
{
	const struct server *s = ctx;
	struct sent *sent = calloc(1, sizeof(*sent) + strlen(name) + 1);
	struct logs_sent how = {s->starter, fd, name, note_sent, sent};
	enum pmon_status status;

	if (sent == NULL)
		return pmon_err_nomem(err);
	sent->set = set;
	sent->names[0] = strcpy(sent->name, name);
	status = logs_open_sent(&sent->logs, &s->sent, &how, err);
	if (status != PMON_OK) {
		close_sent(sent);
		return status;
	}
	*plan = (struct set_plan){.source = sent->logs.source,
				  .files = sent->names,
				  .n_files = 1,
				  .stop = stop_sent,
				  .close = close_sent,
				  .ctx = sent};
	return PMON_OK;
}

static void
cancel_sent(void *ctx)
{
	const struct server *s = ctx;

	(void)starter_end(s->starter, 0);
}

static int
read_sent(void *ctx, int output)
{
	const struct server *s = ctx;

	return logs_read_sent(&s->sent, output);
}

// Before the first thread. Without the process, no log is taken.
static void
start_starter(struct server *s, const struct args *args)
{
	static const char *input[] = {"-"};
	const struct words files = {.list = input, .n = 1};
	const struct set_opener sent = {open_sent, cancel_sent, s, MOST_SENT};

	s->sent = args_for(args, &files);
	s->starter = starter_new(read_sent, s);
	if (s->starter != NULL)
		view_take_logs(s->view, &sent);
}

// ---- The browser ----------------------------------------------------------------------------

static bool
write_door(char door[], const char *url)
{
	FILE *file;

	if (!pmon_private_make("/tmp", "view.html", door))
		return false;
	file = fopen(door, "wx");
	if (file == NULL)
		return false;
	fprintf(file,
		"<!doctype html><meta charset=utf-8><title>pmon</title>"
		"<meta http-equiv=refresh content=\"0;url=%s\">",
		url);
	return fclose(file) == 0;
}

static void
open_browser(struct server *s, const struct args *args)
{
	if (args_flag(args, "--no-browser") || !browser_has_desktop() ||
	    !write_door(s->door, http_url(s->http)))
		return;
	browser_open(s->door);
}

// ---- The server -----------------------------------------------------------------------------

// The first is for a browser on this machine.
static void
print_addresses(const struct http *http)
{
	char url[256];

	printf("%s\n", http_url(http));
	for (size_t i = 0; http_url_at(http, i, url, sizeof(url)); i++)
		printf("%s\n", url);
}

static int
serve(struct server *s, const struct args *args)
{
	struct http_options options = {.listen = args_text(args, "--listen"),
				       .port = s->port,
				       .name = args_text(args, "--host-name"),
				       .insecure = args_flag(args, "--insecure")};
	int signals = signals_catch();
	struct pmon_err err;

	if (view_open(s->view, s->plans, &args->calc, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	if (http_open(s->view, &options, &s->http, &err) != PMON_OK)
		return say(err.status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "view: %s",
			   err.msg);
	print_addresses(s->http);
	if (fflush(stdout) != 0)
		return EXIT_FAILED; // out_check_stdout() says why
	open_browser(s, args);
	signals_wait_for_end(signals);
	return EXIT_DONE;
}

static void
end_sampling(struct server *s)
{
	if (s->wake[1] > 0)
		pmon_fd_wake(s->wake[1]);
}

static int
close_all(struct server *s, int status)
{
	view_stop(s->view);
	starter_stop(s->starter);
	end_sampling(s);
	http_close(s->http);
	pmon_private_remove(s->door);
	view_free(s->view);
	starter_free(s->starter);
	for (size_t i = 0; i < s->n_shown; i++) {
		status = logs_close(&s->shown[i].logs, status);
		free(s->shown[i].names);
	}
	for (size_t i = 0; i < 2; i++)
		if (s->wake[i] > 0)
			pmon_fd_close(s->wake[i]);
	return status;
}

int
view_run(const struct args *args)
{
	struct server s = {.view = NULL};
	struct pmon_err err;
	int status = args_port(args_text(args, "--port"), &s.port);

	if (status != EXIT_DONE)
		return status;
	if (view_new(&s.view, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	start_starter(&s, args);
	status = open_sets(&s, args);
	if (status == EXIT_DONE)
		status = serve(&s, args);
	return close_all(&s, status);
}

int
view_load(const struct args *args)
{
	struct pmon_err err;

	(void)args;
	return http_load(&err) == PMON_OK ? EXIT_DONE : say(EXIT_FAILED, "view: %s", err.msg);
}
