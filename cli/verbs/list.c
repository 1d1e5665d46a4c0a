// list.c - pmon list: the counters in a log
// SPDX-License-Identifier: MIT

#include "apps/list/list.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"
#include "cli/input/logs.h"
#include "cli/output/say.h"

static int
run(const struct args *args)
{
	const struct pmon_sample *sample;
	struct logs logs;
	int status = logs_open(&logs, args);

	// Instances are known once every sample was seen.
	while (status == EXIT_DONE && logs_next(&logs, &sample, &status))
		;
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	if (status == EXIT_DONE)
		status = list_print(&logs);
	return logs_close(&logs, status);
}

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_format),
	OPTION(FLAG, "-q", NULL, NULL, "counters without their instances"),
	OPTION(FLAG, "-qx", NULL, NULL, "counters with all their instances (the default)"),
	OPTION(FLAG, "-l", "--long", NULL, "type, unit and time base beside each counter"),
	GROUP(options_read),
	GROUP(options_host),
	GROUP(options_color),
	GROUP(options_raw_names),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_list = {
	.name = "list",
	.operands = "[FILE...]",
	.summary = "the counters of a log or of this machine",
	.details =
		"Examples:\n"
		"  pmon list server.blg\n"
		"  pmon list -q server.blg                    objects and counters, no instances\n"
		"  pmon list -l -c '\\PhysicalDisk(*)\\*' server.blg\n",
	.options = options,
	.run = run,
	.live = LIVE_ONE,
	.series_bytes = 704,
};
