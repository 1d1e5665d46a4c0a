// view.h - pmon view: logs, or this machine, on a page in the browser
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_VIEW_VIEW_H
#define PMON_APPS_VIEW_VIEW_H

struct args;

// Runs the verb. Returns an exit status.
int view_run(const struct args *args);

int view_load(const struct args *args); // libmicrohttpd

#endif
