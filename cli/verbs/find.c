// find.c - pmon find: when a condition held, and how bad it was
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_show),      GROUP(options_window),     GROUP(options_format),
	GROUP(options_digits),    GROUP(options_calc),       GROUP(options_read),
	GROUP(options_live),      GROUP(options_identity),   GROUP(options_color),
	GROUP(options_raw_names), GROUP(options_no_sandbox), OPTION_END,
};

const struct verb verb_find = {
	.name = "find",
	.operands = "CONDITION [FILE...]",
	.summary = "when a condition held, for how long, and how bad it was",
	.details =
		"A condition is PATTERN OP LIMIT [for LENGTH] [while PATTERN OP LIMIT]. OP is >,\n"
		">=, < or <=. LIMIT is a number with a unit, such as 20ms, 90%, 100MB or 500/s.\n"
		"LENGTH is a time, such as 1m, or \"3 samples\". The condition after `while` must\n"
		"hold too: for the same instance, or else on the same machine. After LIMIT there\n"
		"may be `clear LEVEL` (an episode goes on until the value is within it), or\n"
		"`share 10% within 1h` in place of `for`. PATTERN trend > 100/h for 3h asks how\n"
		"fast values grow.\n\n"
		"Each row is an episode: intervals in which the condition held. The average is\n"
		"that of the counter's type over the episode. The worst episodes are listed\n"
		"first: those that were furthest beyond the limit for the longest time.\n\n"
		"Examples:\n"
		"  pmon find '\\PhysicalDisk(*)\\Avg. Disk sec/Read > 20ms for 1m' server.blg\n"
		"  pmon find '\\Memory\\Available MBytes < 500' monday.blg tuesday.blg\n"
		"  pmon find '\\LogicalDisk(*)\\Avg. Disk sec/Read > 20ms while\n"
		"             \\LogicalDisk(*)\\Disk Reads/sec > 10' server.blg\n"
		"  pmon find '\\Processor(_Total)\\% Processor Time > 80 share 10% within 1h' "
		"a.blg\n"
		"  pmon find '\\Process(*)\\Handle Count trend > 100/h for 3h' server.blg\n"
		"  pmon find '\\Processor(_Total)\\% Processor Time > 90%' -n 60\n"
		"  pmon find '\\Processor(_Total)\\% Processor Time > 90%' \\\n"
		"             --show '\\Process(*)\\% Processor Time top 3' server.blg\n",
	.options = options,
	.run = find_run,
	.live = LIVE_SOME,
	.traits = VERB_CONDITION | VERB_BY_PROCESS,
	.series_bytes = 3584,
};
