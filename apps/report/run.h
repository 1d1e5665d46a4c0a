// run.h - pmon report: a page on logs
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_REPORT_RUN_H
#define PMON_APPS_REPORT_RUN_H

struct args;

// Runs the verb. Returns an exit status.
int report_run(const struct args *args);

// cairo. A report does without: it says that there are no pictures.
int report_load(const struct args *args);

#endif
