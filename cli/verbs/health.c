// health.c - pmon health: what was wrong, by rules
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_window),
	GROUP(options_rules),
	OPTION(FLAG, "--all", NULL, NULL,
	       "list the rules that were within their limits and those that could not be judged"),
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_identity),
	GROUP(options_color),
	GROUP(options_raw_names),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_health = {
	.name = "health",
	.operands = "[FILE...]",
	.summary = "what was wrong, when and how bad, by published limits",
	.details =
		"Compares a log with rules, which have published limits and name their source.\n"
		"Each row is a finding: the worst episode of a counter that was beyond its limit\n"
		"for as long as the rule asks, the worst findings first. A rule can be judged "
		"only\n"
		"where the log has its counters; the last line says how many could not be.\n\n"
		"Examples:\n"
		"  pmon health server.blg\n"
		"  pmon health --all --from 10:30 server.blg\n"
		"  pmon health --pack sqlserver server.blg\n"
		"  pmon health --rules ours.rules --format json server.blg\n"
		"  pmon health --duration 10m                 this machine, for ten minutes\n",
	.options = options,
	.run = health_run,
	.live = LIVE_MINUTE,
	.traits = VERB_BY_PROCESS,
};
