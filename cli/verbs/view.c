// view.c - pmon view: logs, or this machine, on a page in the browser
// SPDX-License-Identifier: MIT

#include "apps/view/view.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_interval),
	GROUP(options_host),
	GROUP(options_identity),
	OPTION_FOR(
		MACHINE, TEXT, "--history", NULL, "LENGTH",
		"of this machine: how much is kept to look back at, as 30m or 8h; 1h by default"),
	OPTION(WORDS, "--compare", NULL, "FILE",
	       "a log to lay over the first; may be repeated for several that are one"),
	GROUP(options_server),
	OPTION(FLAG, "--no-browser", NULL, NULL, "print the address, and open no browser"),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_view = {
	.name = "view",
	.operands = "[FILE...]",
	.summary = "logs, or this machine, on a page in the browser",
	.details = "A server on this machine alone, for as long as it runs; docs/reference/api.md "
		   "has what "
		   "it "
		   "answers.\n\n"
		   "Examples:\n"
		   "  pmon view server.blg\n"
		   "  pmon view monday.blg --compare tuesday.blg\n"
		   "  pmon view -i 500ms --history 8h\n",
	.options = options,
	.run = view_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_NETWORK,
};
