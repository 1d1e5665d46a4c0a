// verb.c - pmon list: list the counters of logs
// SPDX-License-Identifier: MIT

#include "verbs/list/list.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/output/say.h"

static int
run_list(const struct args *args)
{
	const struct pmon_sample *sample;
	struct request request = request_from(args);
	struct logs logs;
	int status = logs_open(&logs, &request);

	// All instances are known only after the last sample.
	while (status == EXIT_DONE && logs_next(&logs, &sample, &status))
		;
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	if (status == EXIT_DONE)
		status = list_print(&logs, args);
	return logs_close(&logs, status);
}

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_limit),
	GROUP(options_format),
	OPTION(FLAG, list, objects, "-q", NULL, NULL, "list counters without instances"),
	OPTION(FLAG, list, instances, "-qx", NULL, NULL,
	       "list counters with all instances (the default)"),
	OPTION(FLAG, list, types, "-l", "--long", NULL,
	       "also show the type, unit and time base of each counter"),
	GROUP(options_read),
	GROUP(options_host),
	GROUP(options_table),
	OPTION_END,
};

const struct verb verb_list = {
	.name = "list",
	.operands = "[FILE...]",
	.summary = "list the counters of a log or of this machine",
	.details =
		"Examples:\n"
		"  pmon list server.blg\n"
		"  pmon list -q server.blg                    objects and counters, no instances\n"
		"  pmon list -l -c '\\PhysicalDisk(*)\\*' server.blg\n",
	.options = options,
	.own_size = sizeof(struct list_options),
	.run = run_list,
	.live = LIVE_ONE,
	.traits = VERB_TEXTS,
	.series_bytes = 704,
};
