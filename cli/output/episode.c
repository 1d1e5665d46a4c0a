// episode.c - episodes as cells of tables and as JSON
// SPDX-License-Identifier: MIT

#include "cli/output/episode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/output/out.h"
#include "cli/output/say.h"

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

// "20 ms", "2 per processor", "10 % of Total Bytes"
static void
put_limit(struct pmon_text *t, const struct rules_episode *e)
{
	const struct draw_threshold *limit = &e->rule->limits[e->level].threshold;
	struct draw_unit unit = {.quantity = limit->quantity, .factor = 1};
	char number[2 * DRAW_NUMBER];

	pmon_text_str(t, limit->below ? "below " : "limit ");
	if (e->rule->trend_100ns > 0)
		(void)snprintf(number, sizeof(number), "%s", limit->text);
	else if (limit->any)
		(void)draw_number(limit->value, number, sizeof(number));
	else
		(void)draw_amount(limit->value, &unit, number, sizeof(number));
	pmon_text_str(t, number);
	if (e->rule->per_processor)
		pmon_text_str(t, " per processor");
	if (e->rule->of.n > 0) {
		pmon_text_str(t, " of ");
		pmon_text_span(t, e->rule->of.list[0]->path.counter);
	}
}

void
episode_put_what(struct pmon_text *t, const struct rules_episode *e, bool with_machine)
{
	char instance[256];

	if (with_machine) {
		pmon_text_span(t, e->series->path.machine);
		pmon_text_str(t, ": ");
	}
	pmon_text_span(t, e->rule->name);
	(void)draw_instance(e->series, instance, sizeof(instance));
	if (instance[0] == '\0' || pmon_path_is_total(&e->series->path))
		return;
	pmon_text_str(t, " (");
	pmon_text_str(t, instance);
	pmon_text_str(t, ")");
}

void
episode_put_how(struct pmon_text *t, const struct rules_episode *e)
{
	const struct pmon_value *value =
		pmon_vstat_has_value(e->average.status) ? &e->average : &e->worst;
	char number[2 * DRAW_NUMBER];

	(void)out_amount(e->series, isnan(e->slope) ? value->value : e->slope, number,
			 sizeof(number));
	pmon_text_str(t, number);
	pmon_text_str(t, isnan(e->slope) ? " (" : "/h (");
	put_limit(t, e);
	pmon_text_str(t, ")");
}

void
limit_text(const struct rules_episode *e, char buf[LIMIT_SIZE])
{
	const struct rules_limit *limit = &e->rule->limits[e->level];
	struct pmon_text t = pmon_text_init(buf, LIMIT_SIZE);

	pmon_text_str(&t, limit->threshold.below ? "<" : ">");
	pmon_text_str(&t, limit->or_equal ? "= " : " ");
	pmon_text_str(&t, limit->threshold.text);
	if (e->rule->per_processor)
		pmon_text_str(&t, " per processor");
}

void
out_limit(struct out *out, const struct rules_episode *e)
{
	char text[LIMIT_SIZE];

	limit_text(e, text);
	out_str(out, text);
}

// ---- Who was busy ---------------------------------------------------------------------------

static void
json_pid(struct json *json, const struct pmon_series *series)
{
	json_key(json, "pid");
	if (series->of_process && series->process_id >= 0)
		json_i64(json, series->process_id);
	else
		json_none(json);
}

static void
json_busy(struct json *json, const struct rules_busy *busy)
{
	double factor;
	const char *total_unit = draw_total_unit(busy->series, &factor);

	json_open(json, '{');
	json_path(json, busy->series->name, busy->series);
	json_pid(json, busy->series);
	json_key(json, "average"), json_double(json, busy->average);
	json_key(json, "unit"), json_str(json, out_unit(busy->series));
	json_key(json, "total"), json_double(json, busy->total * factor);
	json_key(json, "total_unit"), json_str(json, isnan(busy->total) ? NULL : total_unit);
	json_key(json, "share"), json_double(json, busy->share);
	json_close(json, '}');
}

static void
json_who(struct json *json, const struct rules_episode *e)
{
	json_open(json, '[');
	for (size_t i = 0; i < e->n_who; i++)
		json_busy(json, &e->who[i]);
	json_close(json, ']');
}

static void
out_who(struct out *out, const struct rules_episode *e)
{
	char *text = NULL;
	size_t len = 0;
	struct json json = {.stream = e->n_who > 0 ? open_memstream(&text, &len) : NULL};

	if (json.stream == NULL) {
		out_null(out);
		return;
	}
	json_who(&json, e);
	(void)fclose(json.stream);
	if (text != NULL)
		out_text(out, (struct pmon_span){text, len});
	else
		out_null(out);
	free(text);
}

void
episode_put_busiest(struct pmon_text *t, const struct rules_episode *e, size_t most)
{
	char instance[256];

	for (size_t i = 0; i < e->n_who && i < most; i++) {
		int64_t percent = (int64_t)(e->who[i].share * 100 + 0.5);

		(void)draw_instance(e->who[i].series, instance, sizeof(instance));
		pmon_text_str(t, i > 0 ? ", " : "");
		pmon_text_str(t, instance);
		pmon_text_str(t, percent > 0 ? " " : " <");
		pmon_text_i64(t, percent > 0 ? percent : 1);
		pmon_text_str(t, " %");
	}
}

void
out_busiest(struct out *out, const struct rules_episode *e)
{
	char text[1024];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	pmon_text_str(&t, "");
	episode_put_busiest(&t, e, e->n_who);
	out_str(out, text);
}

void
episode_say_from_queue(size_t n)
{
	if (n > 0)
		say(0,
		    "note: average latencies that are the integral of the queue length divided by "
		    "the number of operations: %zu; the log holds no raw values of them",
		    n);
}

void
out_average(struct out *out, const struct rules_episode *e)
{
	struct draw_unit unit = draw_unit_of(e->series);
	char number[2 * DRAW_NUMBER];
	char text[2 * DRAW_NUMBER + 4];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (isnan(e->slope)) {
		out_quantity(out, e->series, &e->average);
		return;
	}
	(void)draw_amount(e->slope, &unit, number, sizeof(number));
	pmon_text_str(&t, number);
	pmon_text_str(&t, "/h");
	out_str(out, text);
}

void
out_more(struct out *out, const struct rules_episode *e)
{
	out_double(out, e->slope);
	out_who(out, e);
}

// ---- An episode -----------------------------------------------------------------------------

void
out_episode(struct out *out, const struct rules_episode *e)
{
	const struct pmon_counter_type *type = pmon_series_type(e->series);

	out_path(out, e->series->name, e->series);
	out_pid(out, e->series);
	out_time(out, e->from);
	out_time(out, e->to);
	out_double(out, (double)(e->to - e->from) / PMON_TIME_PER_SEC);
	out_value(out, type, &e->average);
	out_value(out, type, &e->worst);
	out_time(out, e->worst_time);
	out_u64(out, e->samples);
	out_double(out, e->operations);
	out_double(out, e->excess_seconds);
	out_str(out, out_unit(e->series));
}

void
json_episode(struct json *json, const struct rules_episode *e)
{
	json_path(json, e->series->name, e->series);
	json_pid(json, e->series);
	json_key(json, "from"), json_time(json, e->from);
	json_key(json, "to"), json_time(json, e->to);
	json_key(json, "seconds"), json_double(json, (double)(e->to - e->from) / PMON_TIME_PER_SEC);
	json_key(json, "average"), json_value(json, &e->average);
	json_key(json, "worst"), json_value(json, &e->worst);
	json_key(json, "worst_time"), json_time(json, e->worst_time);
	json_key(json, "samples"), json_u64(json, e->samples);
	json_key(json, "operations"), json_double(json, e->operations);
	if (e->from_queue)
		json_key(json, "average_from"), json_str(json, "queue length and rate");
	json_key(json, "excess"), json_double(json, e->excess_seconds);
	json_key(json, "unit"), json_str(json, out_unit(e->series));
	json_key(json, "slope_per_hour"), json_double(json, e->slope);
	json_key(json, "who"), json_who(json, e);
}
