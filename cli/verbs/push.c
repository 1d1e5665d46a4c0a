// push.c - pmon push: logs, or this machine, into engines
// SPDX-License-Identifier: MIT

#include "apps/push/push.h"
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
	GROUP(options_insecure),
	OPTION(TEXT, "--to", NULL, "URL",
	       "the engine: clickhouse+http://HOST:8123/DATABASE, prometheus+http://HOST:9090, "
	       "victoriametrics+http://HOST:8428, https likewise; postgresql://HOST/DATABASE"),
	OPTION_INTO(TEXT, to, LOGS, "--until", NULL, "TIME",
		    "end here, in the same forms as --from"),
	OPTION(FLAG, "--dry-run", NULL, NULL, "show what would be made there, and send nothing"),
	OPTION(TEXT, "--user", NULL, "NAME", "who is asking; PMON_USER by default"),
	OPTION(TEXT, "--password-file", NULL, "FILE",
	       "the password is in this file; in PMON_PASSWORD by default"),
	OPTION(TEXT, "--token-file", NULL, "FILE",
	       "a bearer token is in this file; in PMON_TOKEN by default"),
	OPTION(TEXT, "--ca-file", NULL, "FILE",
	       "certificates to trust, in place of those of the system"),
	OPTION(TEXT, "--cluster", NULL, "NAME",
	       "of ClickHouse: tables spread over this cluster, whose nodes the URL names with "
	       "commas"),
	OPTION(TEXT, "--state-dir", NULL, "FOLDER",
	       "remember here what was sent, for engines that do not do so themselves; in the "
	       "user's state folder by default"),
	OPTION(TEXT, "--batch", NULL, "N", "raw values that are sent at once"),
	OPTION(TEXT, "--retry", NULL, "LENGTH",
	       "go on trying for so long when the engine cannot be reached; 5m by default"),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_push = {
	.name = "push",
	.operands = "--to URL [FILE...]",
	.summary = "logs, or this machine, into an engine that keeps many of them",
	.details = "Each file goes by itself. The same file pushed twice counts once, and a push "
		   "that was "
		   "cut "
		   "off\n"
		   "goes on where it stopped. docs/push.md has what is made there, and queries "
		   "that give "
		   "perfmon's\n"
		   "numbers.\n\n"
		   "Examples:\n"
		   "  pmon push --to clickhouse+http://db:8123/perf server.blg\n"
		   "  pmon push --to clickhouse+http://a:8123,b:8123/perf --cluster both *.blg\n"
		   "  pmon push --to clickhouse+https://db:8443/perf -i 15s          this machine, "
		   "until "
		   "Ctrl-C\n",
	.options = options,
	.run = push_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_NETWORK | VERB_OWNERS | VERB_UNTIL,
};
