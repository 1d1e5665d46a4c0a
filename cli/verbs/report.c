// report.c - pmon report: a page on logs
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/args.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_limits),
	GROUP(options_read),
	GROUP(options_live),
	OPTION_INTO(
		TEXT, output, ANY, "-o", "--output", "FILE",
		"write this file; by default LOGNAME.html in this folder, - is standard output"),
	GROUP(options_rules),
	OPTION(FILE, "--baseline", NULL, "LOG",
	       "compare with this log, as pmon diff does: what is worse, and what is better"),
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
	.summary = "an HTML page about logs: facts, crossed thresholds, charts, tables",
	.details =
		"Writes one HTML file that can be read, printed and sent without any other file:\n"
		"what the log is, which thresholds were crossed and for how long, charts and\n"
		"values of each object, gaps and damage.\n\n"
		"Examples:\n"
		"  pmon report server.blg                     writes server.html\n"
		"  pmon report --from 10:30 --rules ours.rules -o morning.html server.blg\n"
		"  pmon report --baseline monday.blg tuesday.blg\n"
		"  pmon report --duration 5m -o now.html      this machine, for five minutes\n",
	.options = options,
	.load = report_load,
	.run = report_run,
	.live = LIVE_MINUTE,
	.traits = VERB_WRITES_HERE | VERB_BY_PROCESS,
	.series_bytes = 1920,
};
