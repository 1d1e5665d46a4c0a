// types.c - pmon types: the counter types, and what a type word says
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_format),
	GROUP(options_color),
	OPTION_END,
};

const struct verb verb_types = {
	.name = "types",
	.operands = "[NAME or WORD]...",
	.summary = "the counter types: word, formula, average, unit, source",
	.details = "Examples:\n"
		   "  pmon types\n"
		   "  pmon types PERF_100NSEC_TIMER_INV\n"
		   "  pmon types 0x10410400 272696576\n",
	.options = options,
	.run = types_run,
};
