// stats.h - pmon stats: last, average, minimum and maximum of each counter
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_STATS_STATS_H
#define PMON_APPS_STATS_STATS_H

struct args;

// Runs the verb. Returns an exit status.
int stats_run(const struct args *args);

#endif
