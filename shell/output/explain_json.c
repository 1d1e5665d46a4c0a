// explain_json.c - explanations as JSON
// SPDX-License-Identifier: MIT

#include "shell/output/explain_json.h"

#include <stdlib.h>
#include <string.h>

void
explain_note(struct explain_subject *s, const struct pmon_value *value)
{
	// After an absence or a change of process there is no pair, even if there is an older
	// value.
	if (s->is_newest && (value->status == PMON_V_FIRST || value->status == PMON_V_CHANGED ||
			     value->status == PMON_V_STEPPED))
		s->has_older = false;
	if (pmon_vstat_has_value(value->status)) {
		s->sum += value->value;
		s->n++;
	}
}

// Is this sample nearer to the requested time? Without a requested time, the newest is nearest. A
// sample without a time is farther than any other.
static bool
is_nearer(const struct explain_subject *s, const struct pmon_raw *raw, pmon_time at)
{
	if (!s->found || at == PMON_TIME_NONE)
		return true;
	if (raw->time == PMON_TIME_NONE || s->newer.time == PMON_TIME_NONE)
		return raw->time != PMON_TIME_NONE;
	return llabs(raw->time - at) < llabs(s->newer.time - at);
}

void
explain_see(struct explain_subject *s, const struct pmon_stats *before, const struct pmon_raw *raw,
	    pmon_time at)
{
	s->is_newest = is_nearer(s, raw, at);
	if (!s->is_newest)
		return;
	s->has_older = before->tail_open;
	s->older = before->tail;
	s->newer = *raw;
	s->found = true;
}

void
explain_see_change(struct explain_subject *s, const struct pmon_source *identity,
		   const struct pmon_path *path)
{
	if (s->is_newest)
		s->changed = identity != NULL && s->newer.status == PMON_RAW_CHANGED &&
			     pmon_identity_change(identity, path, &s->was, &s->is);
}

static void
json_who(struct json *json, const char *key, const struct pmon_identity_who *who)
{
	json_key(json, key);
	json_open(json, '{');
	json_key(json, "pid");
	if (who->process_id >= 0)
		json_i64(json, who->process_id);
	else
		json_none(json);
	if (who->thread_id >= 0)
		json_key(json, "tid"), json_i64(json, who->thread_id);
	json_key(json, "start");
	if (who->start != PMON_TIME_NONE)
		json_time(json, who->start);
	else
		json_none(json);
	json_close(json, '}');
}

static void
json_lines(struct json *json, const char *key, const struct pmon_explain_line *lines, size_t n)
{
	json_key(json, key);
	json_open(json, '[');
	for (size_t i = 0; i < n; i++) {
		json_open(json, '{');
		json_key(json, "name"), json_str(json, lines[i].name);
		json_key(json, "text"), json_str(json, lines[i].text);
		json_key(json, "what"), json_str(json, lines[i].what);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void
explain_json(struct json *json, const struct pmon_explanation *why)
{
	json_open(json, '{');
	json_key(json, "value"), json_value(json, &why->value);
	json_key(json, "status"), json_str(json, pmon_vstat_name(why->value.status));
	json_key(json, "status_text"), json_str(json, why->status_text);
	json_key(json, "policy"), json_str(json, pmon_policy_name(why->value.policy));
	json_key(json, "type");
	if (why->is_displayed && why->type == NULL)
		json_none(json);
	else
		json_type(json, why->word);
	json_key(json, "unit"), json_str(json, why->unit);
	json_key(json, "formula"), json_str(json, why->formula);
	json_key(json, "with_operands"), json_str(json, why->with_operands);
	json_lines(json, "operands", why->operands, why->n_operands);
	json_lines(json, "steps", why->steps, why->n_steps);
	json_key(json, "source"), json_str(json, why->source);
	json_key(json, "note"), json_str(json, why->note);
	json_close(json, '}');
}

bool
explain_help(const struct pmon_path *path, struct pmon_counter_help *out)
{
	struct pmon_live_counter live;

	if (pmon_counter_help(path, out))
		return true;
	for (size_t i = 0; pmon_live_counter_at(i, &live); i++) {
		if (!pmon_text_same(path->object,
				    (struct pmon_span){live.object, strlen(live.object)}) ||
		    !pmon_text_same(path->counter,
				    (struct pmon_span){live.counter, strlen(live.counter)}))
			continue;
		*out = (struct pmon_counter_help){.text = live.help, .source = live.from};
		return live.help[0] != '\0';
	}
	return false;
}

// What the counter of a series measures; null if unknown.
static void
json_help(struct json *json, const struct pmon_series *series)
{
	struct pmon_counter_help help;
	bool known = explain_help(pmon_series_english(series), &help);

	json_key(json, "help"), json_str(json, known ? help.text : NULL);
}

static void
json_origin(struct json *json, const struct pmon_live_counter *counter)
{
	json_key(json, "help"), json_str(json, counter->help);
	json_key(json, "from"), json_str(json, counter->from);
	json_key(json, "windows"), json_str(json, counter->windows);
}

void
explain_average_of(const struct pmon_series *series, const struct pmon_stats *stats,
		   struct explain_average *out)
{
	pmon_series_explain_average(series, stats, &out->why);
	out->kind = series != NULL ? pmon_series_average_kind(series) : PMON_AVERAGE_TRUE;
}

void
explain_subject_json(struct json *json, const struct explain_subject *s,
		     const struct pmon_calc *calc, const struct explain_average *average,
		     const struct pmon_series *series, const struct pmon_live_counter *origin)
{
	struct pmon_explanation why;

	json_open(json, '{');
	if (series != NULL) {
		json_path(json, series->name, series);
		json_key(json, "time"), json_time(json, s->newer.time);
	}
	pmon_series_explain_value(series, calc, s->has_older ? &s->older : NULL, &s->newer, &why);
	json_key(json, "value"), explain_json(json, &why);
	json_key(json, "average"), explain_json(json, &average->why);
	json_key(json, "mean_of_displayed_values");
	if (s->n > 0)
		json_double(json, s->sum / (double)s->n);
	else
		json_none(json);
	if (origin != NULL)
		json_origin(json, origin);
	else if (series != NULL)
		json_help(json, series);
	json_key(json, "average_kind"), json_str(json, pmon_average_kind_name(average->kind));
	if (s->changed) {
		json_who(json, "before", &s->was);
		json_who(json, "after", &s->is);
	}
	json_close(json, '}');
}
