// verbs.h - the verbs
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_VERBS_VERBS_H
#define PMON_CLI_VERBS_VERBS_H

#include "cli/args/verb.h"

extern const struct verb *const verbs[]; // in the order of the help, ended by NULL

const struct verb *verb_named(const char *name); // NULL when there is none

#endif
