// verbs.h - the verbs
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_VERBS_VERBS_H
#define PMON_CLI_VERBS_VERBS_H

#include "cli/args/verb.h"
#include "cli/compat/compat.h"

const struct verb *verb_find(const char *name); // NULL when there is none
const struct verb *verb_at(size_t i);           // NULL behind the last

int cmd_info(const struct args *args);
int cmd_list(const struct args *args);
int cmd_stats(const struct args *args);
int cmd_values(const struct args *args);
int cmd_raw(const struct args *args);
int cmd_calc(const struct args *args);
int cmd_explain(const struct args *args);
int cmd_view(const struct args *args);
int cmd_types(const struct args *args);
int cmd_chart(const struct args *args);
int cmd_record(const struct args *args);
int cmd_top(const struct args *args);
int cmd_report(const struct args *args);
int cmd_push(const struct args *args);
int cmd_rules(const struct args *args);
int cmd_serve(const struct args *args);
int cmd_help(const struct args *args);

#endif
