// push.c - pmon push: logs, or this machine, into engines
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/args.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_from),
	GROUP(options_tz),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_identity),
	OPTION(TEXT, "--to", NULL, "URL",
	       "the engine: clickhouse+http://HOST:8123/DATABASE, prometheus+http://HOST:9090, "
	       "victoriametrics+http://HOST:8428, https likewise; postgresql://HOST/DATABASE"),
	OPTION_INTO(TEXT, to, LOGS, "--until", NULL, "TIME",
		    "end here, in the same forms as --from"),
	OPTION(FLAG, "--dry-run", NULL, NULL, "show what would be created, and send nothing"),
	OPTION(FLAG, "--verify", NULL, NULL,
	       "send nothing: compare the logs with the stored values; exit status 1 if some are "
	       "missing"),
	OPTION(FLAG, "--again", NULL, NULL,
	       "compare with the stored values, not with the ledger, and send what is missing"),
	GROUP(options_engine),
	OPTION(TEXT, "--retention", NULL, "DAYS",
	       "how long the engine keeps values, as 400d or \"forever\"; the engine records it"),
	OPTION(FLAG, "--accept-id", NULL, NULL,
	       "accept a new id of a machine, as when it was set up anew"),
	OPTION(TEXT, "--state-dir", NULL, "FOLDER",
	       "remember here what was sent, for engines that cannot; the user's state folder by "
	       "default"),
	OPTION(TEXT, "--batch", NULL, "N", "raw values per request"),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_push = {
	.name = "push",
	.operands = "--to URL [FILE...]",
	.summary = "store logs or live samples in ClickHouse, PostgreSQL or Prometheus",
	.details =
		"Each file is pushed separately. A file that is pushed twice counts once; a push\n"
		"that was cut off continues where it stopped. docs/engines/ has a page for each\n"
		"engine, with the tables and queries that return perfmon's numbers.\n\n"
		"Examples:\n"
		"  pmon push --to clickhouse+http://db:8123/perf server.blg\n"
		"  pmon push --to clickhouse+http://a:8123,b:8123/perf --cluster both *.blg\n"
		"  pmon push --to clickhouse+https://db:8443/perf -i 15s    this machine\n",
	.options = options,
	.run = push_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_NETWORK | VERB_OWNERS | VERB_UNTIL,
};
