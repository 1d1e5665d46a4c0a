// state.h - the state of this machine: pressure, its resources, and who uses most of them
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_HEALTH_STATE_H
#define PMON_VERBS_HEALTH_STATE_H

#include "shell/input/judged.h"
#include "shell/output/table.h"

// Request the counters of the state; call it before judged_read(). False when memory is short.
bool state_ask(struct judged *j);

// Print it, followed by an empty line. Returns an exit status.
int state_print(FILE *stream, const struct judged *j, enum out_format format);

// Write it as the key "state". False when memory is short, before the first byte.
bool state_json(struct json *json, const struct judged *j);

#endif
