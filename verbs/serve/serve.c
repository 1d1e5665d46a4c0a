// serve.c - pmon serve: serve counters for a Prometheus to scrape
// SPDX-License-Identifier: MIT

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "model/labels.h"
#include "web/access.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/defaults.h"
#include "shell/input/live.h"
#include "shell/input/logs_apart.h"
#include "shell/output/say.h"
#include "shell/process/signals.h"
#include "web/metrics.h"
#include "web/process_groups.h"

#define TOP      10
#define MOST_TOP 1000

// Options of pmon serve only.
struct serve_options {
	bool metrics;
	const char *speed;
	const char *top;
};

struct served {
	struct logs logs;
	struct request request; // of this machine, with "default" replaced by its patterns
	struct defaults defaults;
	size_t top;
	struct metrics_plan plan;
	struct pmon_labels labels;
	struct metrics *metrics;
	struct http *http;
	char address[64];
	struct access access;
	struct http_options options;
};

// ---- Options --------------------------------------------------------------------------------

// Parse "192.0.2.7:9100", "[::1]:9100", or an address alone. Loopback is always listened on.
static int
read_listen(struct served *s, const struct args *args)
{
	const char *listen = args->server.listen;
	const char *number = args->server.port;
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
			   "--listen must be an address such as 192.0.2.7:9100, not \"%s\"",
			   listen);
	memcpy(s->address, text, len);
	s->options.listen = strcmp(s->address, "127.0.0.1") == 0 ? NULL : s->address;
	if (has_port && number != NULL)
		return say(EXIT_USAGE, "--listen and --port both specify a port");
	return args_port(has_port ? port + 1 : number, &s->options.port);
}

static int
read_speed(const struct args *args, double *out)
{
	const char *text = OWN_OPTIONS(serve, args)->speed;

	*out = 1;
	if (text == NULL)
		return EXIT_DONE;
	if (!pmon_num_parse_double((struct pmon_span){text, strlen(text)}, out) || !(*out > 0) ||
	    *out > 1e9)
		return say(EXIT_USAGE, "--speed must be a number above 0, not \"%s\"", text);
	if (args->operands.n == 0)
		return say(EXIT_USAGE, "--speed requires a log file to play back");
	return EXIT_DONE;
}

static int
read_top(const struct args *args, size_t *out)
{
	const char *text = OWN_OPTIONS(serve, args)->top;
	uint64_t n;

	*out = TOP;
	if (text == NULL)
		return EXIT_DONE;
	if (!pmon_num_parse_u64((struct pmon_span){text, strlen(text)}, &n) || n > MOST_TOP)
		return say(EXIT_USAGE, "--top must be a number from 0 to %d, not \"%s\"", MOST_TOP,
			   text);
	if (args->operands.n > 0)
		return say(EXIT_USAGE, "--top is for this machine, not for log files");
	*out = (size_t)n;
	return EXIT_DONE;
}

static int
read_labels(struct served *s, const struct args *args)
{
	struct pmon_err err;

	if (pmon_labels_parse(args->machine_labels.list, args->machine_labels.n, &s->labels,
			      &err) != PMON_OK)
		return say(EXIT_USAGE, "serve: %s", err.msg);
	s->plan.labels = &s->labels;
	return EXIT_DONE;
}

// ---- The source -----------------------------------------------------------------------------

// The defaults hold no processes, of which there are hundreds: their largest names are added.
static int
choose_counters(struct served *s, const struct args *args)
{
	int status;

	s->request = request_from(args);
	status = defaults_read(&s->defaults, args, &s->request);
	if (status != EXIT_DONE || s->defaults.n == 0 || s->top == 0)
		return status;
	s->plan.top = s->top;
	for (const char *const *p = process_group_patterns; *p != NULL; p++)
		if (!words_add(&s->request.added, *p))
			return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

static int
open_machine(struct served *s, const struct args *args)
{
	struct live_plan plan;
	int status = live_plan(&args->sampling, &plan);

	if (status == EXIT_DONE)
		status = choose_counters(s, args);

	if (status != EXIT_DONE)
		return status;
	s->plan.interval_100ns = plan.interval_100ns;
	plan.interval_100ns = 0;
	plan.bare = plan.first_shown = true;
	plan.wake_fd = -1;
	plan.patience = LIVE_LATER;
	return logs_open_machine(&s->logs, &s->request, &plan);
}

// There is nothing more to serve: end as if interrupted.
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
	struct request request = request_from(args);
	int status = args->operands.n > 0 ? logs_open_apart(&s->logs, &request, &options)
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
	char url[HTTP_URL];

	if (metrics_open(&s->plan, &s->metrics, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	site.ctx = s->metrics;
	s->options.site = &site;
	if (http_open(NULL, &s->options, &s->http, &err) != PMON_OK)
		return say(err.status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "serve: %s",
			   err.msg);
	for (size_t i = 0; http_url(s->http, i, url, sizeof(url)); i++)
		printf("%s\n", url);
	if (fflush(stdout) == 0)
		signals_wait_for_end(signals);
	else
		status = EXIT_FAILED; // out_check_stdout() reports why
	http_close(s->http);
	return status;
}

static int
run_server(struct served *s, const struct args *args)
{
	int status = open_source(s, args);

	if (status == EXIT_DONE)
		status = serve(s);
	metrics_close(s->metrics);
	status = logs_close(&s->logs, status);
	free(s->request.patterns.list);
	free(s->request.added.list);
	return status;
}

static int
serve_run(const struct args *args)
{
	struct served s = {.http = NULL};
	int status;

	s.plan.is_classic = args->labels == LABELS_CLASSIC;
	if (!OWN_OPTIONS(serve, args)->metrics)
		return say(EXIT_USAGE,
			   "serve: --metrics is missing; to serve a web page, use pmon view");
	status = read_labels(&s, args);
	if (status == EXIT_DONE)
		status = read_listen(&s, args);
	if (status == EXIT_DONE)
		status = read_speed(args, &s.plan.speed);
	if (status == EXIT_DONE)
		status = read_top(args, &s.top);
	if (status == EXIT_DONE)
		status = access_read(&s.access, args, &s.options);
	if (status == EXIT_DONE)
		status = run_server(&s, args);
	access_close(&s.access);
	return status;
}

static int
serve_load(const struct args *args)
{
	return access_load(args, "serve");
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_read),
	GROUP(options_interval),
	GROUP(options_host),
	GROUP(options_identity),
	GROUP(options_server),
	GROUP(options_labels),
	GROUP(options_machine_labels),
	OPTION(FLAG, serve, metrics, "--metrics", NULL, NULL, "serve metrics at /metrics"),
	OPTION(TEXT, serve, speed, "--speed", NULL, "N",
	       "logs: play back N times as fast as recorded; 1 by default"),
	OPTION(TEXT, serve, top, "--top", NULL, "N",
	       "with the default counters: also processes, summed by name, the N with the most "
	       "CPU time and the N with the most memory; 10 by default; 0: none"),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_serve = {
	.name = "serve",
	.operands = "--metrics [FILE...]",
	.summary = "serve the newest counters over HTTP, for Prometheus to scrape",
	.details = "Serves this machine, sampled at each scrape, or plays logs back at the speed "
		   "at\nwhich they were recorded. It listens on this machine only, unless --listen "
		   "is\ngiven. Prometheus sets the label instance, so that series can be joined "
		   "with up;\ndocs/prometheus.md has the configuration. Use pmon rules to compute "
		   "values from\nthe raw counters.\n\nExamples:\n  pmon serve --metrics --port "
		   "9182\n  pmon serve --metrics -c '\\Processor(*)\\*' -i 5s --listen "
		   "127.0.0.1:9182\n  pmon serve --metrics --speed 60 monday.blg tuesday.blg\n",
	.options = options,
	.own_size = sizeof(struct serve_options),
	.load = serve_load,
	.run = serve_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_NETWORK,
};
