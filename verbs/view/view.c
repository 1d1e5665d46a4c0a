// view.c - pmon view: show logs, or this machine, on a page in the browser
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "os/dir.h"
#include "os/fd.h"
#include "os/term.h"
#include "web/access.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/live.h"
#include "shell/input/logs_apart.h"
#include "shell/output/say.h"
#include "shell/process/browser.h"
#include "shell/process/signals.h"
#include "shell/process/starter.h"
#include "web/view.h"

// Options of pmon view only.
struct view_options {
	struct words compare;
	bool no_browser;
	const char *history;
};

#define HISTORY   (60 * PMON_TIME_PER_MIN)
#define MOST_SENT ((uint64_t)4 << 30) // size of a log dropped on the page

// All users of this machine can read a browser's command line, and the address contains a key. So
// the browser gets a file that only this user can read, which redirects to the address.

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
	struct shown shown[2]; // the shown logs, and those to compare with
	size_t n_shown;        // opened, or tried
	struct request sent;   // for a log dropped on the page
	struct starter *starter;
	struct set_plan plans[2];
	struct access access;
	struct http_options options;
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

// The page shows this too, and keeps what was read.
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

static int
plan_set(struct server *s, size_t i, const struct request *request)
{
	struct shown *shown = &s->shown[i];

	shown->names = base_names(&request->logs);
	if (shown->names == NULL)
		return say(EXIT_FAILED, "not enough memory");
	s->plans[i].source = shown->logs.source;
	s->plans[i].files = shown->names;
	s->plans[i].n_files = request->logs.n;
	return EXIT_DONE;
}

static int
open_files(struct server *s, size_t i, const struct request *request)
{
	struct shown *shown = &s->shown[i];
	struct apart_options options = {.notice = note, .died = note_death, .ctx = shown};
	int status;

	shown->view = s->view;
	shown->set = i;
	s->n_shown = i + 1;
	status = logs_open_apart(&shown->logs, request, &options);
	return status == EXIT_DONE ? plan_set(s, i, request) : status;
}

static int
open_machine(struct server *s, const struct args *args)
{
	struct request request = request_from(args);
	struct set_plan *set = &s->plans[0];
	struct live_plan plan;
	int status = live_plan(&args->sampling, &plan);

	set->history_100ns = HISTORY;
	if (status == EXIT_DONE)
		status = live_length("--history", OWN_OPTIONS(view, args)->history,
				     &set->history_100ns);
	if (status != EXIT_DONE)
		return status;
	if (!pmon_fd_pipe(s->wake))
		return say(EXIT_FAILED, "cannot create a pipe: %s", strerror(errno));
	plan.bare = plan.first_shown = true;
	plan.wake_fd = s->wake[0];
	plan.patience = LIVE_LATER;
	if (args->sampling.replay == NULL)
		set->interval_100ns = plan.interval_100ns;
	s->n_shown = 1;
	status = logs_open_machine(&s->shown[0].logs, &request, &plan);
	return status == EXIT_DONE ? plan_set(s, 0, &request) : status;
}

// The request for a second set of files. --history and other options apply to this machine only.
static struct request
request_of_files(const struct args *args, const struct words *files)
{
	struct request request = request_from(args);

	request.logs = *files;
	request.misplaced = NULL;
	request.sampling = (struct sampling){.replay = NULL};
	return request;
}

static int
open_sets(struct server *s, const struct args *args)
{
	const struct words *others = &OWN_OPTIONS(view, args)->compare;
	struct request request = request_from(args);
	int status = request.logs.n > 0 ? open_files(s, 0, &request) : open_machine(s, args);

	if (status != EXIT_DONE || others->n == 0)
		return status;
	request = request_of_files(args, others);
	return open_files(s, 1, &request);
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

// Before the first thread is started. Without the starter, no dropped logs are accepted.
static void
start_starter(struct server *s, const struct args *args)
{
	static const char *input[] = {"-"};
	const struct words files = {.list = input, .n = 1};
	const struct set_opener sent = {open_sent, cancel_sent, s, MOST_SENT};

	s->sent = request_of_files(args, &files);
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
	char url[HTTP_URL];

	if (!OWN_OPTIONS(view, args)->no_browser && browser_has_desktop() &&
	    http_url(s->http, 0, url, sizeof(url)) && write_door(s->door, url))
		browser_open(s->door);
}

// ---- The server -----------------------------------------------------------------------------

// The first one is for a browser on this machine. False on failure; out_check_stdout() reports why.
static bool
print_addresses(struct http *http)
{
	char url[HTTP_URL];

	for (size_t i = 0; http_url(http, i, url, sizeof(url)); i++)
		printf("%s\n", url);
	return fflush(stdout) == 0;
}

static int
wait_for_end(struct server *s, int signals)
{
	bool is_tty = pmon_term_is_tty(true) && pmon_term_has_keys();

	if (is_tty)
		printf("Each address opens one browser. Press Enter to get another address.\n");
	while (!signals_wait(signals, is_tty)) {
		if (!http_renew_key(s->http))
			return say(EXIT_FAILED, "view: the system provides no random numbers");
		if (!print_addresses(s->http))
			return EXIT_FAILED;
	}
	return EXIT_DONE;
}

static int
serve(struct server *s, const struct args *args)
{
	int signals = signals_catch();
	struct pmon_err err;

	if (view_open(s->view, s->plans, &args->calc, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	if (http_open(s->view, &s->options, &s->http, &err) != PMON_OK)
		return say(err.status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "view: %s",
			   err.msg);
	if (!print_addresses(s->http))
		return EXIT_FAILED;
	open_browser(s, args);
	return wait_for_end(s, signals);
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

static int
run_server(struct server *s, const struct args *args)
{
	struct pmon_err err;
	int status;

	if (view_new(&s->view, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	start_starter(s, args);
	status = open_sets(s, args);
	if (status == EXIT_DONE)
		status = serve(s, args);
	return close_all(s, status);
}

static int
view_run(const struct args *args)
{
	struct server s = {.options = {.listen = args->server.listen}};
	int status = args_port(args->server.port, &s.options.port);

	if (status == EXIT_DONE)
		status = access_read(&s.access, args, &s.options);
	if (status == EXIT_DONE)
		status = run_server(&s, args);
	access_close(&s.access);
	return status;
}

static int
view_load(const struct args *args)
{
	return access_load(args, "view");
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_interval),
	GROUP(options_host),
	GROUP(options_identity),
	OPTION_FOR(MACHINE, TEXT, view, history, "--history", NULL, "LENGTH",
		   "live: how long to keep samples, such as 30m or 8h; 1h by default"),
	OPTION(WORDS, view, compare, "--compare", NULL, "FILE",
	       "draw this log over the first one; may be repeated for a log in several files"),
	GROUP(options_server),
	OPTION(FLAG, view, no_browser, "--no-browser", NULL, NULL,
	       "print the address instead of opening a browser"),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_view = {
	.name = "view",
	.operands = "[FILE...]",
	.summary = "explore logs or this machine in a browser",
	.details = "Serves the page on this machine only, until you stop it. The printed "
		   "address\nopens one browser; press Enter to get another address. Programs "
		   "authenticate\nwith --token-file; docs/reference/api.md describes the "
		   "API.\n\nExamples:\n  pmon view server.blg\n  pmon view monday.blg --compare "
		   "tuesday.blg\n  pmon view -i 500ms --history 8h\n",
	.options = options,
	.own_size = sizeof(struct view_options),
	.load = view_load,
	.run = view_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_NETWORK,
};
