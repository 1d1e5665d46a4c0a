// diff.c - pmon diff: how two logs, or two ranges of one, differ
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	OPTION(TEXT, "--before", NULL, "FROM..TO",
	       "the first of two ranges of time, such as 10:00..11:00"),
	OPTION(TEXT, "--after", NULL, "FROM..TO", "the second, which is compared with the first"),
	GROUP(options_select),
	GROUP(options_window),
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

const struct verb verb_diff = {
	.name = "diff",
	.operands = "BEFORE [AFTER]",
	.summary = "how two logs, or two ranges of one, differ; the largest first",
	.details =
		"Compares each counter of the second log with that of the first, as pmon changes\n"
		"does before and after a time. If each log is of one machine, machines may have\n"
		"different names. Processes of the same name and ID are the same; the others of a\n"
		"name are compared in the order of their averages, the largest with the largest.\n"
		"--from and --to apply to both logs; a time of day is one of each log's first "
		"day.\n"
		"A single log is compared with this machine, which is sampled for a minute unless\n"
		"--count or --duration says otherwise.\n\n"
		"Examples:\n"
		"  pmon diff monday.blg tuesday.blg\n"
		"  pmon diff --from 9:00 --to 17:00 monday.blg tuesday.blg\n"
		"  pmon diff --before 10:00..11:00 --after 14:00..15:00 server.blg\n"
		"  pmon diff --duration 10m monday.blg              with this machine\n"
		"  pmon diff -c '\\Process(*)\\Private Bytes' --format csv monday.blg "
		"tuesday.blg\n",
	.options = options,
	.run = diff_run,
	.live = LIVE_MINUTE,
	.traits = VERB_OR_MACHINE,
	.series_bytes = 8192, // of each log, for both
};
