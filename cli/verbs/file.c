// file.c - pmon FILE: the first screen of a log
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"
#include "cli/verbs/run.h"

static const struct option options[] = {
	GROUP(options_tz),    GROUP(options_digits),     GROUP(options_read),
	GROUP(options_color), GROUP(options_no_sandbox), OPTION_END,
};

// It has no name on the command line.
const struct verb verb_file = {
	.name = "FILE",
	.operands = "",
	.summary = "what a log is and what was wrong",
	.details = "",
	.options = options,
	.run = first_run,
	.traits = VERB_BY_PROCESS,
	.series_bytes = 2048,
};
