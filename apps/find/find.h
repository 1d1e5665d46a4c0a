// find.h - pmon find: when a condition held, and how bad it was
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_FIND_FIND_H
#define PMON_APPS_FIND_FIND_H

struct args;

// Runs the verb. Returns an exit status.
int find_run(const struct args *args);

#endif
