// values.c - pmon values: the displayed values over time
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),     GROUP(options_window),
	GROUP(options_format),     GROUP(options_digits),
	GROUP(options_calc),       GROUP(options_read),
	GROUP(options_live),       GROUP(options_by),
	GROUP(options_identity),   GROUP(options_per_cpu),
	GROUP(options_color),      GROUP(options_raw_names),
	GROUP(options_no_sandbox), OPTION_END,
};

const struct verb verb_values = {
	.name = "values",
	.operands = "[FILE...]",
	.summary = "the displayed values over time",
	.details =
		"--format csv writes the form of relog and perfmon (PDH-CSV 4.0), --format json\n"
		"one object per line.\n\n"
		"Examples:\n"
		"  pmon values -c '\\Processor(_Total)\\% Processor Time' server.blg\n"
		"  pmon values --format csv server.blg > server.csv\n",
	.options = options,
	.run = values_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_STREAMS | VERB_COLUMNS | VERB_TEXTS,
	.series_bytes = 1280,
};
