// explain.c - pmon explain: why a value and an average are what they are
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_format),
	GROUP(options_calc),
	OPTION(TEXT, "--at", NULL, "TIME",
	       "explain the sample nearest to this time; the last by default"),
	GROUP(options_counter_type),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_identity),
	GROUP(options_color),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_explain = {
	.name = "explain",
	.operands = "[FILE...] -c PATH | -t TYPE FIRST:SECOND[:MULTI]...",
	.summary = "why a value and an average are what they are",
	.details = "Examples:\n"
		   "  pmon explain server.blg -c '\\PhysicalDisk(_Total)\\Avg. Disk sec/Read'\n"
		   "  pmon explain server.blg -c '\\Memory\\Pages/sec' --at 10:32:15\n"
		   "  pmon explain -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1 2147727:1\n",
	.options = options,
	.run = explain_run,
	.live = LIVE_SOME,
	.traits = VERB_TEXTS,
};
