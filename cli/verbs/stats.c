// stats.c - pmon stats: last, average, minimum and maximum of each counter
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_by),
	GROUP(options_identity),
	OPTION(WORDS, "--where", NULL, "CONDITION",
	       "print only rows that match, such as 'average>50' or 'maximum>=20ms'; on last, "
	       "average, minimum, maximum, samples or invalid; may be repeated"),
	OPTION(TEXT, "--sort", NULL, "KEY",
	       "largest first: by total, average, min, max, last or a percentile such as p95; "
	       "without _Total and Idle, one row per process unless --by says otherwise; or by "
	       "name, with all rows"),
	OPTION(TEXT, "--limit", NULL, "N", "print the first N rows"),
	OPTION(TEXT, "--percentile", NULL, "LIST",
	       "also print these percentiles, such as 50,95,99: of values weighted by time, of "
	       "averages per operation by operations"),
	GROUP(options_per_cpu),
	GROUP(options_color),
	GROUP(options_raw_names),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_stats = {
	.name = "stats",
	.operands = "[FILE...]",
	.summary = "last, average, minimum and maximum of each counter",
	.details =
		"The average is that of the counter's type, computed from raw end points. Text\n"
		"logs hold displayed values: ~ marks a mean of these that is not the type's\n"
		"average, ? the mean of a counter whose type is unknown. \"-\" is a value that\n"
		"cannot be computed. Invalid counts raw values that gave no number although they\n"
		"were not the first; pmon explain says why. Terminals under 120 columns do not\n"
		"show the times of extremes, those under 100 no counts.\n\n"
		"Examples:\n"
		"  pmon stats server.blg\n"
		"  pmon stats -c '\\PhysicalDisk(*)\\Avg. Disk sec/*' --from 10:30 server.blg\n"
		"  pmon stats --format json monday.blg tuesday.blg\n"
		"  pmon stats -c '\\Process(*)\\% Processor Time' --sort total --limit 10 "
		"server.blg\n"
		"  pmon stats -c '\\PhysicalDisk(*)\\Avg. Disk sec/*' --percentile 50,95,99 "
		"server.blg\n"
		"  pmon stats --by machine --where 'average>50' @logs.txt\n"
		"  pmon stats -c '\\Processor(*)\\*' -n 60              this machine, for a "
		"minute\n",
	.options = options,
	.run = stats_run,
	.live = LIVE_SOME,
	.traits = VERB_TEXTS,
	.series_bytes = 1472,
};
