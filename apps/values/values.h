// values.h - pmon values: the displayed values over time
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_VALUES_VALUES_H
#define PMON_APPS_VALUES_VALUES_H

struct args;

// Runs the verb. Returns an exit status.
int values_run(const struct args *args);

#endif
