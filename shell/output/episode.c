// episode.c - episodes as cells of tables and as JSON
// SPDX-License-Identifier: MIT

#include "shell/output/episode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/output/stream.h"

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

// ---- Limits ---------------------------------------------------------------------------------

// How the values of an episode and its limit are printed: in the unit and multiple of the limit.
struct comparison {
	struct draw_unit unit;
	const struct draw_multiple *multiple;
	double limit; // as displayed, for all processors
};

static struct comparison
comparison_of(const struct rules_episode *e)
{
	const struct draw_threshold *threshold = &e->rule->limits[e->level].threshold;
	struct comparison c = {.unit = draw_unit_of(e->series), .limit = e->limit};

	if (e->rule->of.n > 0)
		c.unit = (struct draw_unit){.quantity = DRAW_PERCENT, .factor = 1};
	else
		c.limit /= e->rule->times * (threshold->any ? 1 : c.unit.factor);
	c.multiple = threshold->any || e->rule->of.n > 0
			     ? draw_amount_multiple(c.limit, &c.unit)
			     : draw_multiple_of(c.unit.quantity, threshold->multiple);
	return c;
}

static void
put_amount(struct pmon_text *t, const struct comparison *c, double value)
{
	char number[2 * DRAW_NUMBER];

	(void)draw_amount_in(value, &c->unit, c->multiple, number, sizeof(number));
	pmon_text_str(t, number);
}

static void
put_of(struct pmon_text *t, const struct rules_episode *e)
{
	if (e->rule->of.n == 0)
		return;
	pmon_text_str(t, " of ");
	pmon_text_span(t, e->rule->of.list[0]->path.counter);
}

// "20 ms", "128, 2 per processor", "10 % of Total Bytes"
static void
put_limit(struct pmon_text *t, const struct rules_episode *e)
{
	struct comparison c = comparison_of(e);
	double processors = e->limit / e->rule->limits[e->level].threshold.value;

	put_amount(t, &c, c.limit);
	pmon_text_str(t, e->rule->trend_100ns > 0 ? "/h" : "");
	if (e->rule->per_processor) {
		pmon_text_str(t, ", ");
		put_amount(t, &c, processors > 0 ? c.limit / processors : 0);
		pmon_text_str(t, " per processor");
	}
	put_of(t, e);
}

// With all digits, use the unit of the counter.
static void
put_displayed(struct pmon_text *t, const struct rules_episode *e, double value)
{
	struct comparison c = comparison_of(e);
	char number[2 * DRAW_NUMBER];

	if (!out_has_full_digits()) {
		put_amount(t, &c, value);
		return;
	}
	(void)out_amount(e->series, value, number, sizeof(number));
	pmon_text_str(t, number);
}

// For a trend the slope; for a limit relative to another counter, the share of that counter.
static void
put_measured(struct pmon_text *t, const struct rules_episode *e, bool worst)
{
	struct comparison c = comparison_of(e);
	const struct pmon_value *value = worst ? &e->worst : &e->average;

	if (e->rule->of.n > 0)
		put_amount(t, &c, worst ? e->compared_worst : e->compared);
	else if (!isnan(e->slope) && !worst)
		put_displayed(t, e, e->slope);
	else if (pmon_vstat_has_value(value->status))
		put_displayed(t, e, value->value);
	else
		pmon_text_str(t, "-");
	pmon_text_str(t, isnan(e->slope) || worst ? "" : "/h");
}

#define LIMIT_UNIT_SIZE 64

static void
limit_unit(const struct rules_episode *e, char buf[LIMIT_UNIT_SIZE])
{
	(void)snprintf(buf, LIMIT_UNIT_SIZE, "%s%s", e->rule->of.n > 0 ? "%" : out_unit(e->series),
		       e->rule->trend_100ns > 0 ? "/h" : "");
}

void
json_limit(struct json *json, const struct rules_episode *e)
{
	char unit[LIMIT_UNIT_SIZE];

	limit_unit(e, unit);
	json_key(json, "limit"), json_double(json, comparison_of(e).limit);
	json_key(json, "limit_unit"), json_str(json, unit);
	if (e->rule->of.n == 0)
		return;
	json_key(json, "compared"), json_double(json, e->compared);
	json_key(json, "compared_with"), json_text(json, e->rule->of.list[0]->path.counter);
}

void
out_limit_value(struct out *out, const struct rules_episode *e)
{
	bool compares = e->rule->of.n > 0;
	char unit[LIMIT_UNIT_SIZE];

	limit_unit(e, unit);
	out_double(out, comparison_of(e).limit);
	out_str(out, unit);
	out_double(out, compares ? e->compared : (double)NAN);
	out_text(out, compares ? e->rule->of.list[0]->path.counter : (struct pmon_span){"", 0});
}

// ---- Words ----------------------------------------------------------------------------------

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
	bool has_average = pmon_vstat_has_value(e->average.status);

	put_measured(t, e, isnan(e->slope) && e->rule->of.n == 0 && !has_average);
	pmon_text_str(t, " (");
	episode_put_limit(t, e);
	pmon_text_str(t, ")");
}

void
episode_put_limit(struct pmon_text *t, const struct rules_episode *e)
{
	pmon_text_str(t, e->rule->limits[e->level].threshold.below ? "below " : "limit ");
	put_limit(t, e);
}

void
limit_text(const struct rules_episode *e, char buf[LIMIT_SIZE])
{
	const struct rules_limit *limit = &e->rule->limits[e->level];
	struct pmon_text t = pmon_text_init(buf, LIMIT_SIZE);

	pmon_text_str(&t, limit->threshold.below ? "<" : ">");
	pmon_text_str(&t, limit->or_equal ? "= " : " ");
	if (limit->threshold.any && e->rule->of.n == 0 && !e->rule->per_processor)
		put_limit(&t, e);
	else
		pmon_text_str(&t, limit->threshold.text);
	if (e->rule->per_processor)
		pmon_text_str(&t, " per processor");
	put_of(&t, e);
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
	struct json json = {.stream = e->n_who > 0 ? text_stream_open(&text, &len) : NULL};

	if (json.stream == NULL) {
		out_null(out);
		return;
	}
	json_who(&json, e);
	if (text_stream_close(json.stream, &text))
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
		    "note: average latencies computed from queue lengths and operation rates, "
		    "because the log has no raw values for them: %zu",
		    n);
}

void
out_average(struct out *out, const struct rules_episode *e)
{
	char text[4 * DRAW_NUMBER];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	put_measured(&t, e, false);
	out_str(out, text);
}

void
out_worst(struct out *out, const struct rules_episode *e)
{
	char text[4 * DRAW_NUMBER];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	put_measured(&t, e, true);
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
	out_double(out, (double)e->length_100ns / PMON_TIME_PER_SEC);
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
	json_key(json, "seconds"), json_double(json, (double)e->length_100ns / PMON_TIME_PER_SEC);
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

static void
json_lines(struct json *json, const char *key, const struct rules_lines *lines)
{
	json_key(json, key), json_joined(json, lines->list, lines->n);
}

static void
json_source(struct json *json, const struct rules_source *source)
{
	unsigned year = rules_source_year(source);

	json_open(json, '{');
	json_lines(json, "text", &source->texts);
	json_key(json, "link");
	source->link.len > 0 ? json_text(json, source->link) : json_none(json);
	json_key(json, "year");
	year > 0 ? json_u64(json, year) : json_none(json);
	json_close(json, '}');
}

void
json_rule(struct json *json, const struct rules_rule *rule)
{
	json_lines(json, "text", &rule->texts);
	json_lines(json, "advice", &rule->advice);
	json_key(json, "sources"), json_open(json, '[');
	for (size_t i = 0; i < rule->n_sources; i++)
		json_source(json, &rule->sources[i]);
	json_close(json, ']');
}
