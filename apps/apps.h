// apps.h - what the verbs do
// SPDX-License-Identifier: MIT
//
// NAME_run() runs a verb. NAME_load() loads the library that it needs (struct verb). All return an exit status.

#ifndef PMON_APPS_APPS_H
#define PMON_APPS_APPS_H

struct args;

int calc_run(const struct args *args);
int changes_run(const struct args *args);
int chart_load(const struct args *args); // cairo, for a picture
int chart_run(const struct args *args);
int diff_run(const struct args *args);
int explain_run(const struct args *args);
int find_run(const struct args *args);
int first_run(const struct args *args); // pmon FILE
int health_run(const struct args *args);
int info_run(const struct args *args);
int push_run(const struct args *args);
int query_run(const struct args *args);
int record_run(const struct args *args);
int report_load(
	const struct args *args); // cairo; without it the report says that it has no pictures
int report_run(const struct args *args);
int rollup_run(const struct args *args);
int serve_load(const struct args *args); // libmicrohttpd
int serve_run(const struct args *args);
int stats_run(const struct args *args);
int top_load(const struct args *args); // ncurses
int top_run(const struct args *args);
int trend_run(const struct args *args);
int types_run(const struct args *args);
int values_run(const struct args *args);
int view_load(const struct args *args); // libmicrohttpd
int view_run(const struct args *args);
int watch_run(const struct args *args);

#endif
