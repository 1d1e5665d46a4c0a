// watch.c - pmon watch: alerts while this machine is sampled
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/args.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_rules),
	GROUP(options_show),
	OPTION(TEXT, "--repeat", NULL, "LENGTH",
	       "report an alert again after this time, such as 30m, while it goes on; never by "
	       "default"),
	OPTION(TEXT, "--exec", NULL, "COMMAND",
	       "run this command of the shell for each alert, which it finds in the variables "
	       "PMON_MESSAGE, PMON_EVENT, PMON_SEVERITY and others"),
	OPTION(TEXT, "--webhook", NULL, "URL",
	       "post each alert as JSON to this URL, http:// or https://; @FILE: to the one in "
	       "this "
	       "file"),
	OPTION(FLAG, "--journal", NULL, NULL, "write each alert into the journal of systemd"),
	OPTION_INTO(WORDS, operands, ANY, "--replay", NULL, "LOG",
		    "read this log in place of this machine; may be repeated"),
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_window),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_sampling),
	GROUP(options_identity),
	GROUP(options_color),
	GROUP(options_raw_names),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_watch = {
	.name = "watch",
	.operands = "[CONDITION] [--replay LOG...]",
	.summary = "alerts while this machine is sampled, by rules or by a condition",
	.details =
		"Judges this machine until it is interrupted, by rules or by one condition as in\n"
		"pmon find. An alert begins when values have been beyond the limit for as long as\n"
		"the rule asks. It ends with the second interval within the limit, or with the\n"
		"level that the rule names with `clear`. Then it may begin again.\n\n"
		"--replay prints what would have been reported while a log was recorded: the\n"
		"episodes are those of pmon find and pmon health.\n\n"
		"Examples:\n"
		"  pmon watch\n"
		"  pmon watch '\\Processor(_Total)\\% Processor Time > 90% for 1m' --repeat 30m\n"
		"  pmon watch --rules ours.rules --format json -i 5s\n"
		"  pmon watch --exec 'echo \"$PMON_MESSAGE\" | mail -s pmon ops@example.com'\n"
		"  pmon watch --rules ours.rules --replay monday.blg --replay tuesday.blg\n",
	.options = options,
	.run = watch_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_STREAMS | VERB_CONDITION | VERB_MAYBE_CONDITION,
};
