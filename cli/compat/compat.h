// compat.h - the tools of Windows as verbs
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_COMPAT_COMPAT_H
#define PMON_CLI_COMPAT_COMPAT_H

#include "cli/args/verb.h"

int cmd_relog(const struct verb *verb, int n, char *const *words);
int cmd_typeperf(const struct verb *verb, int n, char *const *words);

#endif
