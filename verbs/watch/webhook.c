// webhook.c - --webhook: send each alert as JSON to a server
// SPDX-License-Identifier: MIT

#include "verbs/watch/actions.h"
#include "shell/output/say.h"

#ifdef PMON_WITH_CURL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "shell/args/textfile.h"
#include "push/http.h"

#define TIMEOUT_100NS (10 * PMON_TIME_PER_SEC) // without sending or receiving a byte
#define RETRY_100NS   PMON_TIME_PER_MIN        // how long one alert is retried

struct webhook {
	struct pmon_push_url url;
	char target[PMON_PUSH_URL_SIZE + 1];
	struct pmon_push_sink push; // only the fields that requests need
	struct pmon_http *http;
};

// Read the URL, which may be a secret, so it is never printed. "@FILE": the first line of the file.
static int
read_url(const char *text, struct pmon_push_url *url)
{
	struct textfile file = {.text = NULL};
	struct pmon_span line = {text, strlen(text)};
	struct pmon_err err;
	int status = EXIT_DONE;

	if (text[0] == '@')
		status = textfile_read(text + 1, TEXTFILE_BYTES, &file);
	if (status == EXIT_DONE && text[0] == '@' && !textfile_line(&file, &line))
		status = say(EXIT_FAILED, "%s: the first line is empty", text + 1);
	if (status == EXIT_DONE && strncmp(line.ptr, "http://", 7) != 0 &&
	    strncmp(line.ptr, "https://", 8) != 0)
		status = say(EXIT_USAGE, "watch: --webhook must be an http:// or https:// URL, or "
					 "@FILE with such a line");
	if (status == EXIT_DONE && pmon_push_url_parse(line.ptr, url, &err) != PMON_OK)
		status = say(EXIT_USAGE, "watch: --webhook: %s", err.msg);
	textfile_wipe(&file);
	return status;
}

static int
open_http(struct webhook *w, const struct action_run *run)
{
	struct pmon_err err;

	(void)snprintf(w->target, sizeof(w->target), "/%s", w->url.path);
	w->push.allocator = pmon_mem_allocator(NULL);
	w->push.options = (struct pmon_push_options){.size = sizeof(struct pmon_push_options),
						     .retry = {.first_100ns = PMON_TIME_PER_SEC / 2,
							       .longest_100ns = RETRY_100NS / 2,
							       .give_up_100ns = RETRY_100NS},
						     .timeout_100ns = TIMEOUT_100NS,
						     .cancel = run->cancel,
						     .cancel_ctx = run->ctx};
	if (pmon_http_open(&w->url, &w->push, &w->http, &err) == PMON_OK)
		return EXIT_DONE;
	return say(EXIT_FAILED, "watch: --webhook: %s", err.msg);
}

static void
close_webhook(void *state)
{
	struct webhook *w = state;

	pmon_http_close(w->http);
	free(w);
}

static int
open_webhook(const struct args *args, const struct action_run *run, void **state)
{
	const char *text = OWN_OPTIONS(watch, args)->webhook;
	struct webhook *w;
	int status;

	*state = NULL;
	if (text == NULL)
		return EXIT_DONE;
	w = calloc(1, sizeof(*w));
	if (w == NULL)
		return say(EXIT_FAILED, "not enough memory");
	status = read_url(text, &w->url);
	if (status == EXIT_DONE)
		status = open_http(w, run);
	if (status == EXIT_DONE)
		*state = w;
	else
		close_webhook(w);
	return status;
}

static bool
send_webhook(void *state, const struct message *message, char why[ACTION_WHY])
{
	static const char *const headers[] = {"Content-Type: application/json", NULL};
	struct webhook *w = state;
	struct pmon_http_request request = {.target = w->target,
					    .headers = headers,
					    .body = message->json,
					    .body_len = message->json_len};
	struct pmon_err err;

	if (pmon_http_ask(w->http, &request, NULL, &err) == PMON_OK)
		return true;
	(void)snprintf(why, ACTION_WHY, "%s", err.msg);
	return false;
}

#else

static int
open_webhook(const struct args *args, const struct action_run *run, void **state)
{
	(void)run;
	*state = NULL;
	if (OWN_OPTIONS(watch, args)->webhook == NULL)
		return EXIT_DONE;
	return say(EXIT_FAILED, "watch: --webhook: this pmon was built without libcurl (Debian "
				"package libcurl4-openssl-dev)");
}

static bool
send_webhook(void *state, const struct message *message, char why[ACTION_WHY])
{
	(void)state, (void)message, (void)why;
	return false;
}

static void
close_webhook(void *state)
{
	(void)state;
}

#endif

const struct action_kind action_webhook = {"--webhook", open_webhook, send_webhook, close_webhook};
