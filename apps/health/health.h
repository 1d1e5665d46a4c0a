// health.h - pmon health: what was wrong, by rules
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_HEALTH_HEALTH_H
#define PMON_APPS_HEALTH_HEALTH_H

struct args;

// Runs the verb. Returns an exit status.
int health_run(const struct args *args);

#endif
