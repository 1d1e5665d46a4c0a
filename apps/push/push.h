// push.h - pmon push: logs, or this machine, into engines
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_PUSH_PUSH_H
#define PMON_APPS_PUSH_PUSH_H

struct args;

// Runs the verb. Returns an exit status.
int push_run(const struct args *args);

#endif
