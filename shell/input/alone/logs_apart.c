// logs_apart.c - parse logs in this process, where a program cannot fork
// SPDX-License-Identifier: MIT

#include "shell/input/logs_apart.h"

#include "base/err.h"
#include "shell/input/notices.h"

int
logs_open_apart(struct logs *logs, const struct request *request,
		const struct apart_options *options)
{
	int status;

	notices_tell(options->notice, options->ctx);
	status = logs_open(logs, request);
	notices_tell(NULL, NULL);
	return status;
}

int
logs_read_sent(const struct request *request, int output)
{
	(void)request, (void)output;
	return 1;
}

enum pmon_status
logs_open_sent(struct logs *logs, const struct request *request, const struct logs_sent *sent,
	       struct pmon_err *err)
{
	(void)sent;
	*logs = (struct logs){.request = *request};
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "pmon does not read logs that are sent to it on this system");
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
