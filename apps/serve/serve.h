// serve.h - pmon serve: counters for a Prometheus to scrape
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_SERVE_SERVE_H
#define PMON_APPS_SERVE_SERVE_H

struct args;

// Runs the verb. Returns an exit status.
int serve_run(const struct args *args);

int serve_load(const struct args *args); // libmicrohttpd

#endif
