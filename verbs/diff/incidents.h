// incidents.h - the incidents of both logs that pmon diff compares
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_DIFF_INCIDENTS_H
#define PMON_VERBS_DIFF_INCIDENTS_H

#include "shell/input/judged.h"

// List the incidents of both logs as text or markdown, after the differences. A log that was not searched is NULL.
// Prints nothing if there are none. Returns an exit status.
int diff_print_incidents(const struct judged *const judged[2]);

#endif
