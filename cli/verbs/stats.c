// stats.c - pmon stats: last, average, minimum and maximum of each counter
// SPDX-License-Identifier: MIT

#include "apps/stats/stats.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_format),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_by),
	GROUP(options_identity),
	OPTION(WORDS, "--where", NULL, "CONDITION",
	       "only rows for which it holds, as 'average>50' or 'maximum>=20ms', on last, "
	       "average, minimum, maximum, samples or invalid; may be repeated"),
	GROUP(options_color),
	GROUP(options_raw_names),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_stats = {
	.name = "stats",
	.operands = "[FILE...]",
	.summary = "last, average, minimum and maximum of each counter",
	.details = "The average is the counter type's own, from raw end points. Text logs hold "
		   "displayed\n"
		   "values: ~ marks a mean of these that is not the type's average, ? one of a "
		   "counter\n"
		   "whose type is not known. \"-\" is a value that cannot be computed, Invalid "
		   "counts the\n"
		   "raw values that gave none though they were not the first; pmon explain says "
		   "why. A\n"
		   "terminal below 120 columns gets no times of the extremes, one below 100 no "
		   "counts.\n\n"
		   "Examples:\n"
		   "  pmon stats server.blg\n"
		   "  pmon stats -c '\\PhysicalDisk(*)\\Avg. Disk sec/*' --from 10:30 server.blg\n"
		   "  pmon stats --format json monday.blg tuesday.blg\n"
		   "  pmon stats --by machine --where 'average>50' @logs.txt\n"
		   "  pmon stats -c '\\Processor(*)\\*' -n 60              this machine, for a "
		   "minute\n",
	.options = options,
	.run = stats_run,
	.live = LIVE_SOME,
	.traits = VERB_TEXTS,
};
