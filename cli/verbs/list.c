// list.c - pmon list: the counters in a log
// SPDX-License-Identifier: MIT

#include "apps/list/list.h"
#include "cli/input/logs.h"
#include "cli/output/say.h"
#include "cli/verbs/verbs.h"

int
cmd_list(const struct args *args)
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
