// changes.c - pmon changes: what is different since a time, or during one
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	OPTION_FOR(LOGS, TEXT, "--at", NULL, "TIME",
		   "compare what comes after this time with what comes before it"),
	OPTION_FOR(LOGS, TEXT, "--window", NULL, "LENGTH",
		   "how much before and after --at; 5m by default"),
	GROUP(options_window),
	GROUP(options_select),
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_identity),
	GROUP(options_color),
	GROUP(options_raw_names),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_changes = {
	.name = "changes",
	.operands = "[FILE...]",
	.summary = "what changed at a time, or during one, the largest change first",
	.details =
		"--at compares the five minutes after a time with the five minutes before it;\n"
		"--from and --to compare that window with the rest of the log. This machine is\n"
		"sampled, and its second half compared with the first.\n\n"
		"The effect is the difference of the medians, in median absolute deviations of\n"
		"both sides. A counter is listed if the effect is at least 3 and the medians\n"
		"differ by at least a fifth. Before and After are the averages of the counter's\n"
		"type, from raw end points; the factor is that of these. p95 is what 95 % of the\n"
		"time, or of the operations, was not above.\n\n"
		"Examples:\n"
		"  pmon changes --at 10:32 server.blg\n"
		"  pmon changes --at 10:32 --window 15m -c '\\Process(*)\\*' server.blg\n"
		"  pmon changes --from 10:32 --to 10:37 --format json server.blg\n"
		"  pmon changes --interval 1s --duration 2m         this machine\n",
	.options = options,
	.run = changes_run,
	.live = LIVE_MINUTE,
	.series_bytes = 6400,
};
