// changed_json.c - ranked changes as JSON
// SPDX-License-Identifier: MIT

#include "shell/output/changed_json.h"

#include <math.h>

static void
json_number(struct json *json, double number)
{
	if (isfinite(number))
		json_double(json, number);
	else
		json_none(json);
}

void
changed_json(struct json *json, const struct changed_row *row)
{
	static const char *const sides[] = {"before", "after"};

	for (int side = CHANGED_BEFORE; side <= CHANGED_AFTER; side++) {
		json_key(json, sides[side]), json_open(json, '{');
		json_key(json, "average"), json_value(json, &row->average[side]);
		json_key(json, "p95"), json_value(json, &row->p95[side]);
		json_key(json, "p99"), json_value(json, &row->p99[side]);
		json_key(json, "outside"), json_number(json, row->outside[side]);
		json_close(json, '}');
	}
	json_key(json, "factor"), json_number(json, row->factor);
	json_key(json, "effect"), json_number(json, row->comparison.effect);
}
