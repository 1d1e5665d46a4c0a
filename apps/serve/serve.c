// serve.c - pmon serve: counters for a Prometheus to scrape
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "cli/args/secret.h"
#include "cli/args/textfile.h"
#include "cli/args/verb.h"
#include "cli/input/live.h"
#include "cli/input/logs.h"
#include "cli/output/say.h"
#include "cli/process/signals.h"
#include "web/http.h"
#include "web/metrics.h"
#include "web/tls.h"

#define PEM_BYTES ((size_t)1 << 20)

struct served {
	struct logs logs;
	struct metrics_plan plan;
	struct metrics *metrics;
	struct http *http;
	char address[64];
	char token[SECRET_SIZE];
	struct textfile pem[3]; // certificate, key, those that sign the clients' certificates
	struct tls tls;
	struct http_options options;
};

// ---- Options --------------------------------------------------------------------------------

// "192.0.2.7:9100", "[::1]:9100", or an address alone. Loopback is what is listened on anyway.
static int
read_listen(struct served *s, const struct args *args)
{
	const char *listen = args_text(args, "--listen");
	const char *number = args_text(args, "--port");
	const char *text = listen != NULL ? listen : "127.0.0.1";
	const char *port = strrchr(text, ':');
	bool has_port = port != NULL && (strchr(text, ':') == port || port[-1] == ']');
	size_t len = has_port ? (size_t)(port - text) : strlen(text);

	if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
		text++;
		len -= 2;
	}
	if (len >= sizeof(s->address))
		return say(EXIT_USAGE,
			   "--listen takes an address such as 192.0.2.7:9100, not \"%s\"", listen);
	memcpy(s->address, text, len);
	s->options.listen = strcmp(s->address, "127.0.0.1") == 0 ? NULL : s->address;
	if (has_port && number != NULL)
		return say(EXIT_USAGE, "the port is given twice, in --listen and --port");
	return args_port(has_port ? port + 1 : number, &s->options.port);
}

static int
read_speed(const struct args *args, double *out)
{
	const char *text = args_text(args, "--speed");

	*out = 1;
	if (text == NULL)
		return EXIT_DONE;
	if (!pmon_num_parse_double((struct pmon_span){text, strlen(text)}, out) || !(*out > 0) ||
	    *out > 1e9)
		return say(EXIT_USAGE, "--speed takes a number above 0, not \"%s\"", text);
	if (args->operands.n == 0)
		return say(EXIT_USAGE, "--speed needs a log file to play back");
	return EXIT_DONE;
}

// Such a token outlives the server, so a scraper is configured once.
static int
read_token(struct served *s, const struct args *args)
{
	const char *path = args_text(args, "--token-file");
	int status = EXIT_DONE;

	if (path != NULL) {
		status = secret_check_private(path);
		if (status == EXIT_DONE)
			status = secret_read(path, s->token);
		s->options.token = s->token;
	}
	return status;
}

static int
read_pem(const char *path, struct textfile *text, struct tls_file *file)
{
	int status = path != NULL ? textfile_read(path, PEM_BYTES, text) : EXIT_DONE;

	file->name = path;
	file->text = status == EXIT_DONE ? text->text : NULL;
	return status;
}

static int
read_tls(struct served *s, const struct args *args)
{
	const char *cert = args_text(args, "--tls-cert");
	const char *key = args_text(args, "--tls-key");
	const char *client_ca = args_text(args, "--tls-client-ca");
	int status;

	if (cert == NULL && key == NULL && client_ca == NULL)
		return EXIT_DONE;
	if (cert == NULL || key == NULL)
		return say(EXIT_USAGE, "serve: TLS needs both --tls-cert and --tls-key");
	status = secret_check_private(key);
	if (status == EXIT_DONE)
		status = read_pem(cert, &s->pem[0], &s->tls.cert);
	if (status == EXIT_DONE)
		status = read_pem(key, &s->pem[1], &s->tls.key);
	if (status == EXIT_DONE)
		status = read_pem(client_ca, &s->pem[2], &s->tls.client_ca);
	s->options.tls = &s->tls;
	return status;
}

// ---- The source -----------------------------------------------------------------------------

static int
open_machine(struct served *s, const struct args *args)
{
	struct live_plan plan;
	int status = live_plan(args, &plan);

	if (status != EXIT_DONE)
		return status;
	s->plan.interval_100ns = plan.interval_100ns;
	plan.interval_100ns = 0;
	plan.bare = plan.first_shown = true;
	plan.wake_fd = -1;
	plan.patience = LIVE_LATER;
	return logs_open_machine(&s->logs, args, &plan);
}

// There is nothing more to serve: end as if the user did.
static void
end_by_death(void *ctx, const struct pmon_err *err)
{
	struct served *s = ctx;

	s->logs.failed = true;
	(void)logs_say_err(&s->logs, err);
	(void)raise(SIGTERM);
}

static int
open_source(struct served *s, const struct args *args)
{
	struct apart_options options = {.died = end_by_death, .ctx = s};
	int status = args->operands.n > 0 ? logs_open_apart(&s->logs, args, &options)
					  : open_machine(s, args);

	s->plan.source = s->logs.source;
	return status;
}

// ---- The server -----------------------------------------------------------------------------

static int
serve(struct served *s)
{
	struct http_site site = {
		.answer = metrics_answer, .path = "metrics", .open = METRICS_HEALTH};
	int signals = signals_catch();
	int status = EXIT_DONE;
	struct pmon_err err;
	char url[256];

	if (metrics_open(&s->plan, &s->metrics, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	site.ctx = s->metrics;
	s->options.site = &site;
	if (http_open(NULL, &s->options, &s->http, &err) != PMON_OK)
		return say(err.status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "serve: %s",
			   err.msg);
	printf("%s\n", http_url(s->http));
	for (size_t i = 0; http_url_at(s->http, i, url, sizeof(url)); i++)
		printf("%s\n", url);
	if (fflush(stdout) == 0)
		signals_wait_for_end(signals);
	else
		status = EXIT_FAILED; // out_check_stdout() says why
	http_close(s->http);
	return status;
}

static int
run(struct served *s, const struct args *args)
{
	int status = open_source(s, args);

	if (status == EXIT_DONE)
		status = serve(s);
	metrics_close(s->metrics);
	return logs_close(&s->logs, status);
}

int
serve_run(const struct args *args)
{
	struct served s = {.http = NULL};
	int status;

	s.plan.is_classic = args->labels == LABELS_CLASSIC;
	s.options.insecure = args_flag(args, "--insecure");
	s.options.name = args_text(args, "--host-name");
	if (!args_flag(args, "--metrics"))
		return say(EXIT_USAGE,
			   "serve: --metrics is missing; to serve a page use pmon view");
	status = read_listen(&s, args);
	if (status == EXIT_DONE)
		status = read_speed(args, &s.plan.speed);
	if (status == EXIT_DONE)
		status = read_token(&s, args);
	if (status == EXIT_DONE)
		status = read_tls(&s, args);
	if (status == EXIT_DONE)
		status = run(&s, args);
	for (size_t i = 0; i < sizeof(s.pem) / sizeof(s.pem[0]); i++)
		textfile_wipe(&s.pem[i]);
	return status;
}

int
serve_load(const struct args *args)
{
	struct pmon_err err;

	if (http_load(&err) != PMON_OK)
		return say(EXIT_FAILED, "serve: %s", err.msg);
	if (args_text(args, "--tls-cert") != NULL && tls_load(&err) != PMON_OK)
		return say(EXIT_FAILED, "serve: %s", err.msg);
	return EXIT_DONE;
}
