// logs_apart.c - logs that elsewhere another process parses: Windows cannot copy a process, and this one does
// SPDX-License-Identifier: MIT

#include "base/err.h"
#include "cli/input/logs.h"
#include "cli/input/notices.h"

int
logs_open_apart(struct logs *logs, const struct args *args, const struct apart_options *options)
{
	int status;

	notices_tell(options->notice, options->ctx);
	status = logs_open(logs, args);
	notices_tell(NULL, NULL);
	return status;
}

int
logs_read_sent(const struct args *args, int output)
{
	(void)args, (void)output;
	return 1;
}

enum pmon_status
logs_open_sent(struct logs *logs, const struct args *args, const struct logs_sent *sent,
	       struct pmon_err *err)
{
	(void)sent;
	*logs = (struct logs){.args = args};
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "pmon for Windows does not read logs that are sent to it");
}

void
logs_end_sent(struct logs *logs)
{
	(void)logs;
}

int
logs_apart_patterns(struct logs *logs)
{
	return logs_check_patterns(logs);
}

void
logs_note_apart(struct logs *logs)
{
	(void)logs;
}
