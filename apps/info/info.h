// info.h - pmon info: what a log is
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_INFO_INFO_H
#define PMON_APPS_INFO_INFO_H

struct args;

// Runs the verb. Returns an exit status.
int info_run(const struct args *args);

#endif
