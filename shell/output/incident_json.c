// incident_json.c - incidents and events as JSON
// SPDX-License-Identifier: MIT

#include "shell/output/incident_json.h"

#include <math.h>

#include "shell/output/sentences.h"
#include "draw/unit.h"
#include "shell/output/episode.h"

#define TEXT 1024

static void
json_number(struct json *json, double value)
{
	if (isnan(value))
		json_none(json);
	else
		json_rounded(json, value, 6); // bins are single floats
}

static void
json_limit_of(struct json *json, const struct evidence *e)
{
	if (e->finding != NULL) {
		json_limit(json, e->finding->gravest);
		return;
	}
	json_key(json, "limit"), json_none(json);
	json_key(json, "limit_unit"), json_none(json);
}

// ---- Episodes -------------------------------------------------------------------------------

static int
order_of_counters(const struct rules_episode *x, const struct rules_episode *y)
{
	if (x->series->id != y->series->id)
		return x->series->id < y->series->id ? -1 : 1;
	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	return (x->level > y->level) - (x->level < y->level);
}

int
incident_json_order(const void *a, const void *b)
{
	const struct rules_episode *x = *(const struct rules_episode *const *)a;
	const struct rules_episode *y = *(const struct rules_episode *const *)b;
	int order = order_of_counters(x, y);

	return order != 0 ? order
			  : (x->steady_from > y->steady_from) - (x->steady_from < y->steady_from);
}

static void
json_episode_of(struct json *json, const struct rules_episode *e)
{
	json_open(json, '{');
	json_key(json, "from"), json_time(json, e->from);
	json_key(json, "to"), json_time(json, e->to);
	json_key(json, "average"), json_value(json, &e->average);
	json_key(json, "worst"), json_value(json, &e->worst);
	json_key(json, "worst_time"), json_time(json, e->worst_time);
	json_close(json, '}');
}

// The first episode of a finding in the list of all.
static size_t
first_episode(const struct incident_json *from, const struct rules_episode *like)
{
	size_t low = 0;
	size_t high = from->n_episodes;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (order_of_counters(from->episodes[middle], like) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
json_episodes(struct json *json, const struct incident_json *from,
	      const struct rules_finding *finding)
{
	const struct rules_episode *gravest = finding != NULL ? finding->gravest : NULL;

	json_key(json, "beyond_seconds");
	if (finding != NULL)
		json_double(json, (double)finding->beyond_100ns / PMON_TIME_PER_SEC);
	else
		json_none(json);
	json_key(json, "episodes"), json_open(json, '[');
	if (gravest != NULL && from->episodes == NULL)
		json_episode_of(json, gravest);
	else if (gravest != NULL)
		for (size_t i = first_episode(from, gravest);
		     i < from->n_episodes && order_of_counters(from->episodes[i], gravest) == 0;
		     i++)
			json_episode_of(json, from->episodes[i]);
	json_close(json, ']');
}

// ---- Incidents ------------------------------------------------------------------------------

static void
json_number_of(struct json *json, const struct incident_json *from,
	       const struct pmon_series *series)
{
	if (from->number != NULL)
		json_key(json, "id"), json_u64(json, from->number(from->ctx, series));
}

static bool
has_shift(const struct evidence *e)
{
	return e->shift.score > 0;
}

static void
json_evidence(struct json *json, const struct incident_json *from, const struct evidence *e)
{
	const struct incidents *incidents = from->incidents;
	const struct rules_episode *gravest = e->finding != NULL ? e->finding->gravest : NULL;

	json_open(json, '{');
	json_number_of(json, from, e->series);
	json_path(json, e->series->name, e->series);
	json_key(json, "kind"), json_str(json, has_shift(e) ? shift_name(e->shift.kind) : "limit");
	json_key(json, "rule");
	e->finding != NULL ? json_text(json, e->finding->rule->name) : json_none(json);
	json_limit_of(json, e);
	json_key(json, "from"), json_time(json, evidence_from(incidents, e));
	json_key(json, "to"), json_time(json, evidence_to(incidents, e));
	json_key(json, "usual"), json_number(json, has_shift(e) ? e->shift.usual : NAN);
	json_key(json, "average");
	json_number(json, has_shift(e) ? e->shift.level : gravest->average.value);
	json_key(json, "worst");
	json_number(json, has_shift(e) ? e->shift.worst : gravest->worst.value);
	json_key(json, "unit"), json_str(json, draw_unit_name(e->series));
	json_episodes(json, from, e->finding);
	json_close(json, '}');
}

static void
json_who(struct json *json, const struct incident_json *from, const struct incident_who *who)
{
	json_open(json, '{');
	json_number_of(json, from, who->series);
	json_path(json, who->series->name, who->series);
	json_key(json, "instance"), json_text(json, who->series->path.instance);
	json_key(json, "pid");
	who->series->of_process && who->series->process_id >= 0
		? json_i64(json, who->series->process_id)
		: json_none(json);
	json_key(json, "usual"), json_number(json, who->usual);
	json_key(json, "average"), json_number(json, who->level);
	json_key(json, "unit"), json_str(json, draw_unit_name(who->series));
	json_close(json, '}');
}

// What else was unusual, in sentences.
static void
json_effects(struct json *json, const struct incidents *incidents, const struct incident *incident)
{
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	json_key(json, "effects"), json_open(json, '[');
	for (size_t i = 0; incident_put_evidence(&t, incidents, incident, i); i++) {
		if (t.len > 0)
			json_str(json, text);
		t = pmon_text_init(text, sizeof(text));
	}
	json_close(json, ']');
}

// The seconds beyond the limit in an incident; NaN: no limit was crossed.
static double
beyond_in(const struct incident_json *from, const struct incident *incident)
{
	const struct rules_finding *finding = incident->head->finding;
	int64_t sum = 0;

	if (finding == NULL)
		return NAN;
	if (from->episodes == NULL)
		return (double)finding->gravest->length_100ns / PMON_TIME_PER_SEC;
	for (size_t i = first_episode(from, finding->gravest);
	     i < from->n_episodes && order_of_counters(from->episodes[i], finding->gravest) == 0;
	     i++)
		if (from->episodes[i]->steady_from < incident->steady_to &&
		    from->episodes[i]->steady_to > incident->steady_from)
			sum += from->episodes[i]->length_100ns;
	return (double)sum / PMON_TIME_PER_SEC;
}

void
json_incident(struct json *json, const struct incident_json *from, const struct incident *incident)
{
	const struct incidents *incidents = from->incidents;
	const struct evidence *head = incident->head;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	json_open(json, '{');
	incident_put_id(&t, incident);
	json_key(json, "id"), json_str(json, text);
	json_key(json, "from"), json_time(json, incident->from);
	json_key(json, "to"), json_time(json, incident->to);
	json_key(json, "seconds");
	json_double(json, (double)incident->length_100ns / PMON_TIME_PER_SEC);
	json_key(json, "beyond_seconds"), json_number(json, beyond_in(from, incident));
	json_key(json, "severity"), json_str(json, incident_severity_name(incident->severity));
	t = pmon_text_init(text, sizeof(text));
	incident_put_headline(&t, incidents, incident);
	json_key(json, "headline"), json_str(json, text);
	json_key(json, "machine"), json_text(json, head->series->path.machine);
	json_key(json, "resource");
	json_str(json,
		 head->meaning != NULL ? meaning_resource_name(head->meaning->resource) : NULL);
	json_key(json, "usual"), json_number(json, has_shift(head) ? head->shift.usual : NAN);
	json_limit_of(json, head);
	json_key(json, "unit"), json_str(json, draw_unit_name(head->series));
	json_key(json, "who"), json_open(json, '[');
	for (size_t i = 0; i < incident->n_who; i++)
		json_who(json, from, &incident->who[i]);
	json_close(json, ']');
	json_effects(json, incidents, incident);
	json_key(json, "evidence"), json_open(json, '[');
	for (size_t i = 0; i < incident->n; i++)
		json_evidence(json, from, &incidents->evidence[incident->first + i]);
	json_close(json, ']');
	json_close(json, '}');
}

void
json_incidents(struct json *json, const struct incident_json *from)
{
	json_key(json, "incidents"), json_open(json, '[');
	for (size_t i = 0; i < from->n_incidents; i++)
		json_incident(json, from, &from->incidents->list[i]);
	json_close(json, ']');
}

void
json_events(struct json *json, const struct events *events, size_t n)
{
	json_key(json, "events"), json_open(json, '[');
	for (size_t i = 0; i < n; i++) {
		const struct event *event = &events->list[i];
		char text[TEXT];
		struct pmon_text t = pmon_text_init(text, sizeof(text));

		event_put(&t, event);
		json_open(json, '{');
		json_key(json, "kind"), json_str(json, event_name(event->kind));
		json_key(json, "machine");
		event->machine.len > 0 ? json_text(json, event->machine) : json_none(json);
		json_key(json, "time"), json_time(json, event->to);
		json_key(json, "from"), json_time(json, event->from);
		json_key(json, "seconds");
		json_double(json, (double)event->length_100ns / PMON_TIME_PER_SEC);
		json_key(json, "text"), json_str(json, text);
		json_close(json, '}');
	}
	json_close(json, ']');
}
