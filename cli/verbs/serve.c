// serve.c - pmon serve: counters for a Prometheus to scrape
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_read),
	GROUP(options_interval),
	GROUP(options_host),
	GROUP(options_identity),
	GROUP(options_server),
	GROUP(options_labels),
	OPTION(FLAG, "--metrics", NULL, NULL, "serve metrics at /metrics"),
	OPTION(TEXT, "--token-file", NULL, "FILE",
	       "require the token in this file, as Authorization: Bearer TOKEN"),
	OPTION(TEXT, "--tls-cert", NULL, "FILE",
	       "serve https with this certificate in PEM, followed by those that signed it"),
	OPTION(TEXT, "--tls-key", NULL, "FILE", "the key of --tls-cert, in PEM"),
	OPTION(TEXT, "--tls-client-ca", NULL, "FILE",
	       "require a certificate of clients that one of these signed, in PEM"),
	OPTION(TEXT, "--speed", NULL, "N",
	       "logs: play back N times as fast as recorded; 1 by default"),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_serve = {
	.name = "serve",
	.operands = "--metrics [FILE...]",
	.summary = "serve the newest counters over HTTP, for Prometheus to scrape",
	.details =
		"Serves this machine, sampled at each scrape, or plays logs back at the speed of\n"
		"the recording. It listens on this machine only, unless --listen says otherwise.\n"
		"The label instance is left to Prometheus, so that series can be joined with up;\n"
		"docs/prometheus.md has the configuration.\n"
		"Use pmon rules to compute values from the raw counters.\n\n"
		"Examples:\n"
		"  pmon serve --metrics --port 9182\n"
		"  pmon serve --metrics -c '\\Processor(*)\\*' -i 5s --listen 127.0.0.1:9182\n"
		"  pmon serve --metrics --speed 60 monday.blg tuesday.blg\n",
	.options = options,
	.load = serve_load,
	.run = serve_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_NETWORK,
};
