// calc.c - pmon calc: values and average of raw values given by hand
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_calc),
	GROUP(options_counter_type),
	OPTION(FLAG, "--explain", NULL, NULL, "show the arithmetic of each value and the average"),
	GROUP(options_color),
	OPTION_END,
};

const struct verb verb_calc = {
	.name = "calc",
	.operands = "-t TYPE [-F TICKS] FIRST:SECOND[:MULTI]...",
	.summary = "values and average of raw values given by hand",
	.details = "FIRST is the counter's raw value, SECOND its clock or base, and MULTI the\n"
		   "number of units of a MULTI type. Write them in decimal or 0x hexadecimal, the\n"
		   "oldest sample first.\n\n"
		   "Examples:\n"
		   "  pmon calc -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1 2147727:1\n"
		   "  pmon calc -t 0x10410400 -F 1 0xFFFFFF80:0 0xC0:1 --explain\n",
	.options = options,
	.run = calc_run,
};
