// explain.h - pmon explain: why a value and an average are what they are
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_EXPLAIN_EXPLAIN_H
#define PMON_APPS_EXPLAIN_EXPLAIN_H

struct args;

// Runs the verb. Returns an exit status.
int explain_run(const struct args *args);

#endif
