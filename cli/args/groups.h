// groups.h - options that several verbs have
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_GROUPS_H
#define PMON_CLI_ARGS_GROUPS_H

#include "cli/args/option.h"

extern const struct option options_select[]; // which counters
extern const struct option options_from[];
extern const struct option options_tz[];
extern const struct option options_window[]; // the window of time
extern const struct option options_format[];
extern const struct option options_digits[]; // of numbers in text
extern const struct option options_policy[];
extern const struct option options_cap[];
extern const struct option options_rules[];
extern const struct option options_show[];
extern const struct option options_limits[];       // the same of what is drawn
extern const struct option options_calc[];         // how values are computed
extern const struct option options_counter_type[]; // a counter given by hand (counter_type.h)
extern const struct option options_read[];         // how logs are read
extern const struct option options_interval[];
extern const struct option options_host[];     // which machine is sampled
extern const struct option options_machine[];  // what it is called
extern const struct option options_live[];     // sampling this machine
extern const struct option options_sampling[]; // the same without recorded trees in its place
extern const struct option options_by[];
extern const struct option options_per_cpu[];
extern const struct option options_identity[];
extern const struct option options_title[];
extern const struct option options_yes[];
extern const struct option options_file[]; // a file that is written once
extern const struct option options_insecure[];
extern const struct option options_engine[]; // how to connect to an engine
extern const struct option options_server[]; // a server
extern const struct option options_labels[]; // of Prometheus
extern const struct option options_color[];
extern const struct option options_raw_names[];
extern const struct option options_no_sandbox[];

#endif
