// top.h - pmon top: counters on a full screen, live or over a log
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_TOP_TOP_H
#define PMON_APPS_TOP_TOP_H

struct args;

// Runs the verb. Returns an exit status.
int top_verb(const struct args *args);

int top_load(const struct args *args); // ncurses

#endif
