// values.h - the parts of pmon values
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_VALUES_H
#define PMON_VERBS_VALUES_H

#include "shell/input/logs.h"

// Print one row for each raw value, with what its interval adds to an average: as OUT_CSV or OUT_JSON.
// Returns an exit status.
int values_print_tidy(struct logs *logs, enum out_format format);

#endif
