// query.c - pmon query: values and averages out of an engine
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/args.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	OPTION_INTO(TEXT, by, ANY, "--by", NULL, "machine|instance|object",
		    "averages: one row per counter and machine, per instance over all machines, or "
		    "per counter"),
	OPTION(TEXT, "--top", NULL, "N", "averages: the N largest, without _Total and Idle"),
	OPTION(FLAG, "--print", NULL, NULL, "print the SQL or PromQL, and do not run it"),
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_engine),
	GROUP(options_color),
	GROUP(options_raw_names),
	OPTION_END,
};

const struct verb verb_query = {
	.name = "query",
	.operands = "URL values|averages|counters",
	.summary = "values, averages and groups out of an engine that was pushed to",
	.details =
		"The engine computes the numbers: ClickHouse and PostgreSQL by the views that\n"
		"pmon push made in them, Prometheus and VictoriaMetrics by PromQL. They are those\n"
		"of pmon values and pmon stats of the same logs: of the first two to the last\n"
		"digit, of the others within what they keep (docs/prometheus.md). Counters are\n"
		"chosen as in a log. Times are in UTC unless --tz says otherwise; relative ones\n"
		"are relative to what the engine has. --print shows the SQL or PromQL, to be run\n"
		"elsewhere: for that too the counters are looked up in the engine.\n\n"
		"Examples:\n"
		"  pmon query clickhouse+http://db:8123/perf counters\n"
		"  pmon query clickhouse+http://db:8123/perf averages --from -1h -c '\\Memory\\*'\n"
		"  pmon query postgresql://db/perf averages -c '\\Process(*)\\% Processor Time' "
		"--top 10\n"
		"  pmon query postgresql://db/perf averages -c '\\Processor(*)\\*' --by machine\n"
		"  pmon query postgresql://db/perf values -c '\\\\WEB01\\Memory\\*' --format csv\n"
		"  pmon query postgresql://db/perf averages -c '\\Memory\\*' --print\n"
		"  pmon query prometheus+http://mon:9090 averages -c '\\Memory\\*' --from -1h\n",
	.options = options,
	.run = query_run,
	.live = LIVE_NONE,
	.traits = VERB_NETWORK,
};
