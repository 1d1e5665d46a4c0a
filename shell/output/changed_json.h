// changed_json.h - ranked changes as JSON
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_CHANGED_JSON_H
#define PMON_SHELL_OUTPUT_CHANGED_JSON_H

#include "analyze/changed.h"
#include "shell/output/json.h"

// Write the keys before, after, factor and effect of a row into an open object.
void changed_json(struct json *json, const struct changed_row *row);

#endif
