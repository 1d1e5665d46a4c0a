// judged_json.h - what was wrong, as a JSON document
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_JUDGED_JSON_H
#define PMON_SHELL_INPUT_JUDGED_JSON_H

#include "shell/input/judged.h"
#include "shell/output/json.h"

// The numbers of series in the page, which asks for their values by them. `of` is NULL where there are none.
struct judged_numbers {
	uint32_t (*of)(const void *ctx, const struct pmon_series *series);
	const void *ctx;
};

// Write the document of pmon health: incidents, events, findings and the rules without one; docs/reference/cli.md
// lists the keys. All episodes must have been kept (judged_read()), and judged_rank() called. False when memory is
// short.
bool judged_json(struct json *json, const struct judged *j, const struct judged_numbers *numbers);

// Its keys from "machines" to "summary", into an open object.
bool judged_json_incidents(struct json *json, const struct judged *j);

#endif
