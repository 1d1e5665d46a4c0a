// info.c - pmon info: what a log is
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_tz),    GROUP(options_format),    GROUP(options_read),
	GROUP(options_color), GROUP(options_raw_names), GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_info = {
	.name = "info",
	.operands = "FILE...",
	.summary = "what a log is: writer, machine, times, counters, gaps, damage",
	.details = "Examples:\n"
		   "  pmon info server.blg\n"
		   "  pmon info --format json *.blg\n",
	.options = options,
	.run = info_run,
	.series_bytes = 640,
};
