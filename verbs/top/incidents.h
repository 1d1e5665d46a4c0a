// incidents.h - the incidents of the logs that pmon top shows
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_TOP_INCIDENTS_H
#define PMON_VERBS_TOP_INCIDENTS_H

#include "shell/args/args.h"

// What was wrong, when, and who did it, as a text to be freed; NULL: nothing was. Reads the logs of the command line,
// unless they come from standard input. Returns an exit status.
int top_incidents(const struct args *args, char **text);

#endif
