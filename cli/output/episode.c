// episode.c - episodes as cells of tables and as JSON
// SPDX-License-Identifier: MIT

#include "cli/output/episode.h"

#include <math.h>

#include "base/text.h"
#include "cli/output/out.h"
#include "draw/label.h"

void
out_quantity(struct out *out, const struct pmon_series *series, const struct pmon_value *value)
{
	struct draw_unit unit = draw_unit_of(series);
	char text[2 * DRAW_NUMBER];

	if (!pmon_vstat_has_value(value->status)) {
		out_null(out);
		return;
	}
	(void)draw_amount(value->value, &unit, text, sizeof(text));
	out_str(out, text);
}

void
episode_put_length(struct pmon_text *t, int64_t length_100ns)
{
	if (length_100ns >= 60 * PMON_TIME_PER_SEC)
		length_100ns = (length_100ns + PMON_TIME_PER_SEC / 2) / PMON_TIME_PER_SEC *
			       PMON_TIME_PER_SEC;
	out_put_length(t, length_100ns);
}

void
out_length(struct out *out, int64_t length_100ns)
{
	char text[64];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	episode_put_length(&t, length_100ns);
	out_str(out, text);
}

void
out_operations(struct out *out, double operations)
{
	if (isnan(operations))
		out_null(out);
	else
		out_double(out, operations);
}

void
out_episode(struct out *out, const struct rules_episode *e)
{
	const struct pmon_counter_type *type = pmon_series_type(e->series);

	out_text(out, e->series->name);
	out_pid(out, e->series);
	out_time(out, e->from);
	out_time(out, e->to);
	out_double(out, (double)(e->to - e->from) / PMON_TIME_PER_SEC);
	out_value(out, type, &e->average);
	out_value(out, type, &e->worst);
	out_time(out, e->worst_time);
	out_u64(out, e->samples);
	out_operations(out, e->operations);
	out_double(out, e->excess_seconds);
	out_str(out, out_unit(e->series));
}

void
json_episode(struct json *json, const struct rules_episode *e)
{
	json_key(json, "path"), json_text(json, e->series->name);
	json_key(json, "pid");
	if (e->series->of_process && e->series->process_id >= 0)
		json_i64(json, e->series->process_id);
	else
		json_null(json);
	json_key(json, "from"), json_time(json, e->from);
	json_key(json, "to"), json_time(json, e->to);
	json_key(json, "seconds"), json_double(json, (double)(e->to - e->from) / PMON_TIME_PER_SEC);
	json_key(json, "average"), json_value(json, &e->average);
	json_key(json, "worst"), json_value(json, &e->worst);
	json_key(json, "worst_time"), json_time(json, e->worst_time);
	json_key(json, "samples"), json_u64(json, e->samples);
	json_key(json, "operations"), json_double(json, e->operations);
	json_key(json, "excess"), json_double(json, e->excess_seconds);
	json_key(json, "unit"), json_str(json, out_unit(e->series));
}
