// view.c - pmon view: logs, or this machine, on a page in the browser
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_interval),
	GROUP(options_host),
	GROUP(options_identity),
	OPTION_FOR(MACHINE, TEXT, "--history", NULL, "LENGTH",
		   "live: keep samples for this long, such as 30m or 8h; 1h by default"),
	OPTION(WORDS, "--compare", NULL, "FILE",
	       "draw this log over the first; may be repeated for a log in several files"),
	GROUP(options_server),
	OPTION(FLAG, "--no-browser", NULL, NULL, "print the address, do not open a browser"),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_view = {
	.name = "view",
	.operands = "[FILE...]",
	.summary = "explore logs or this machine in the browser",
	.details =
		"Serves the page on this machine only, until you stop it. docs/reference/api.md\n"
		"describes the API.\n\n"
		"Examples:\n"
		"  pmon view server.blg\n"
		"  pmon view monday.blg --compare tuesday.blg\n"
		"  pmon view -i 500ms --history 8h\n",
	.options = options,
	.load = view_load,
	.run = view_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_NETWORK,
};
