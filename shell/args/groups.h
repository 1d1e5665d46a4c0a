// groups.h - options shared by several verbs
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_GROUPS_H
#define PMON_SHELL_ARGS_GROUPS_H

#include "shell/args/option.h"

extern const struct option options_select[]; // which counters to read
extern const struct option options_from[];
extern const struct option options_tz[];
extern const struct option options_range[];  // from one time to another
extern const struct option options_at[];     // the samples nearest to a time
extern const struct option options_window[]; // both
extern const struct option options_limit[];  // rows of a table
extern const struct option options_format[];
extern const struct option options_any_format[]; // with markdown
extern const struct option options_fail_on[];
extern const struct option options_digits[]; // number format in text
extern const struct option options_policy[];
extern const struct option options_rules[];
extern const struct option options_show[];
extern const struct option options_limits[]; // likewise for charts
extern const struct option options_calc[];   // how values are computed
// a counter given on the command line (counter_type.h)
extern const struct option options_counter_type[];
extern const struct option options_read[]; // how logs are read
extern const struct option options_interval[];
extern const struct option options_host[];     // which machine to sample
extern const struct option options_machine[];  // other names for machines
extern const struct option options_live[];     // sampling this machine
extern const struct option options_sampling[]; // the same without replaying recorded trees
extern const struct option options_by[];
extern const struct option options_every[];
extern const struct option options_per_cpu[];
extern const struct option options_identity[];
extern const struct option options_title[];
extern const struct option options_yes[];
extern const struct option options_file[];           // output files that are written once
extern const struct option options_engine[];         // connecting to an engine
extern const struct option options_server[];         // servers
extern const struct option options_labels[];         // labels for Prometheus
extern const struct option options_machine_labels[]; // labels of machines, for all engines
extern const struct option options_color[];
extern const struct option options_pager[];
extern const struct option options_raw_names[];
extern const struct option options_no_sandbox[];
extern const struct option options_verbose[];
extern const struct option options_table[];    // verbs that read logs and print a table
extern const struct option options_analysis[]; // the same, where values are computed

#endif
