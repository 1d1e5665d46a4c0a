// trend.c - pmon trend: which counters grow or run out, and how fast
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),    GROUP(options_window),     GROUP(options_format),
	GROUP(options_digits),    GROUP(options_calc),       GROUP(options_read),
	GROUP(options_live),      GROUP(options_identity),   GROUP(options_color),
	GROUP(options_raw_names), GROUP(options_no_sandbox), OPTION_END,
};

const struct verb verb_trend = {
	.name = "trend",
	.operands = "[FILE...]",
	.summary = "what leaks: counters that grow or run out, and how fast",
	.details =
		"Lists counters that say how much there is now, such as handles, private bytes or\n"
		"free space, and that got worse from the beginning to the end, the largest change\n"
		"first. A process that grows only in its first minutes is not listed: the second\n"
		"half must grow too. -c names counters of any kind; these are listed if they rise\n"
		"or fall.\n\n"
		"The slope is the median of the slopes between all pairs of at most 120 points\n"
		"(Theil-Sen). Monotone is the share of the changes from sample to sample that go\n"
		"its way. Where a limit is known, \"Reached in\" is the time until it is "
		"reached.\n\n"
		"Examples:\n"
		"  pmon trend server.blg\n"
		"  pmon trend -c '\\Process(w3wp*)\\Handle Count' monday.blg tuesday.blg\n"
		"  pmon trend --from 10:30 --format json server.blg\n"
		"  pmon trend --interval 10s --duration 1h          this machine, for an hour\n",
	.options = options,
	.run = trend_run,
	.live = LIVE_MINUTE,
};
