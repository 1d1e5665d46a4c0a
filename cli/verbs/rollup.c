// rollup.c - pmon rollup: sums of whole hours in an engine
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/args.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	OPTION(TEXT, "--begin", NULL, "TIME",
	       "only hours from this time on, in UTC: 2026-11-21T10:00, or -2d (before now)"),
	OPTION(TEXT, "--end", NULL, "TIME", "only hours before this time, in the same forms"),
	OPTION(FLAG, "--again", NULL, NULL,
	       "compute all of these hours, changed or not, and also those that lost raw values"),
	OPTION(FLAG, "--dry-run", NULL, NULL, "show what would be computed, and store nothing"),
	OPTION(FLAG, "-v", "--verbose", NULL, "name each day"),
	GROUP(options_engine),
	OPTION_END,
};

const struct verb verb_rollup = {
	.name = "rollup",
	.operands = "URL",
	.summary = "sum up whole hours in an engine, for fast averages over weeks",
	.details =
		"Computes the sums that averages are made of, for each counter and hour whose raw\n"
		"values changed since the last time: new ones, late ones, and those that were\n"
		"pushed again after a loss. Averages over whole hours are those of the raw values\n"
		"to the last digit. It can be stopped at any time, and run at several places at\n"
		"once. docs/push.md, \"Rollups\", has the views.\n\n"
		"Examples:\n"
		"  pmon rollup clickhouse+http://db:8123/perf\n"
		"  pmon rollup -v postgresql://db/perf\n"
		"  pmon rollup --begin -2d clickhouse+http://db:8123/perf    every hour, from "
		"cron\n"
		"  pmon rollup --dry-run -v clickhouse+http://db:8123/perf\n",
	.options = options,
	.run = rollup_run,
	.live = LIVE_NONE,
	.traits = VERB_NETWORK,
};
