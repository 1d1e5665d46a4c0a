// types.h - pmon types: the counter types, and what a type word says
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_TYPES_TYPES_H
#define PMON_APPS_TYPES_TYPES_H

struct args;

// Runs the verb. Returns an exit status.
int types_run(const struct args *args);

#endif
