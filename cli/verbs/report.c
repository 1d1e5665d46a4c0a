// report.c - pmon report: a page on logs
// SPDX-License-Identifier: MIT

#include "apps/report/run.h"
#include "cli/args/args.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_limits),
	GROUP(options_read),
	GROUP(options_live),
	OPTION_INTO(TEXT, output, ANY, "-o", "--output", "FILE",
		    "the page; by default NAME.html in this folder, after the name of the log, - "
		    "is standard output"),
	OPTION(FILE, "--rules", NULL, "FILE",
	       "thresholds to look for in place of those that pmon has; docs/reference/rules.md "
	       "tells how they are written"),
	GROUP(options_title),
	GROUP(options_identity),
	GROUP(options_file),
	GROUP(options_color),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_report = {
	.name = "report",
	.operands = "[FILE...]",
	.summary = "a page on logs: facts, thresholds crossed, charts, tables",
	.details = "One HTML file that needs nothing else, to read, to print and to send: what the "
		   "log is, "
		   "which\n"
		   "thresholds were crossed and for how long, charts and values of each object, "
		   "gaps and "
		   "damage.\n\n"
		   "Examples:\n"
		   "  pmon report server.blg                     writes server.html\n"
		   "  pmon report --from 10:30 --rules ours.rules -o morning.html server.blg\n"
		   "  pmon report --duration 5m -o now.html      this machine, for five minutes\n",
	.options = options,
	.run = report_run,
	.live = LIVE_MINUTE,
	.traits = VERB_WRITES_HERE,
};
