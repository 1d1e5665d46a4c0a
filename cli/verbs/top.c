// top.c - pmon top: counters on a full screen, live or over a log
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),     GROUP(options_window),
	GROUP(options_calc),       GROUP(options_read),
	GROUP(options_live),       GROUP(options_identity),
	GROUP(options_per_cpu),    GROUP(options_color),
	GROUP(options_no_sandbox), OPTION_END,
};

const struct verb verb_top = {
	.name = "top",
	.operands = "[FILE...]",
	.summary = "counters on a full screen, live or over a log",
	.details =
		"Without a pattern, it shows the main counters of this machine and its busiest\n"
		"processes. Press h to list the keys. With a log it shows every counter; Left and\n"
		"Right move through time.\n\n"
		"Examples:\n"
		"  pmon top\n"
		"  pmon top -i 5s -c '\\PhysicalDisk(*)\\*'\n"
		"  pmon top --from 10:30 server.blg\n",
	.options = options,
	.load = top_load,
	.run = top_run,
	.live = LIVE_PACED,
	.series_bytes = 1920,
};
