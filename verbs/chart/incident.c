// incident.c - a chart of one incident: who used more than usual, its counters, usual levels and limits
// SPDX-License-Identifier: MIT
//
// The logs are read once to find the incident, and then as for any other chart.

#include "verbs/chart/incident.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "draw/label.h"
#include "shell/input/judged.h"
#include "shell/output/say.h"
#include "shell/output/sentences.h"
#include "shell/process/memory.h"
#include "verbs/chart/stack.h"

#define LEAST_AROUND   (10 * PMON_TIME_PER_MIN) // drawn before and after an incident
#define LEAST_PICKS    8
#define MOST_INSTANCES 3
#define LOW            20 // one value in so many is below the usual band, and as many are above it

// ---- What is copied of an incident ----------------------------------------------------------

static int
ascending(const void *a, const void *b)
{
	float x = *(const float *)a;
	float y = *(const float *)b;

	return (x > y) - (x < y);
}

// Where all but a tenth of the values are at other times.
static void
take_usual(struct chart_evidence *out, const struct evidence *e)
{
	const struct bins *bins = e->track != NULL ? &e->track->bins : NULL;
	float values[BINS_PICKS];
	uint32_t n = 0;

	for (uint32_t i = 0; bins != NULL && i < bins->n_picks; i++)
		if (bins->picks[i].at < e->from || bins->picks[i].at >= e->to)
			values[n++] = bins->picks[i].value;
	if (n < LEAST_PICKS)
		return;
	qsort(values, n, sizeof(values[0]), ascending);
	out->has_usual = true;
	out->usual_low = (double)values[n / LOW];
	out->usual_high = (double)values[n - 1 - n / LOW];
}

// The limits of the rule that was crossed: "warning 20 ms", "critical 50 ms".
static void
take_limits(struct chart_evidence *out, const struct evidence *e)
{
	static const char *const names[RULES_LEVELS] = {
		[RULES_WARNING] = "warning", [RULES_CRITICAL] = "critical"};
	const struct rules_rule *rule = e->finding != NULL ? e->finding->rule : NULL;
	struct draw_unit unit = draw_unit_of(e->series);

	for (int level = 0; rule != NULL && level < RULES_LEVELS; level++) {
		struct draw_threshold *t = &out->limits[out->n_limits];
		char amount[sizeof(t->text)];

		if (!rule->limits[level].given || rule->trend_100ns != 0 || rule->of.n > 0)
			continue;
		*t = rule->limits[level].threshold;
		if (rule->per_processor && (int)e->finding->level != level)
			continue;
		if (rule->per_processor)
			t->value = e->finding->limit;
		draw_threshold_of(t, &unit);
		memcpy(amount, t->text, sizeof(amount));
		(void)snprintf(t->text, sizeof(t->text), "%s %.20s", names[level], amount);
		out->n_limits++;
	}
}

static bool
take_evidence(struct chart_incident *out, const struct evidence *e)
{
	struct chart_evidence *one = &out->list[out->n];

	*one = (struct chart_evidence){.path = strndup(e->series->name.ptr, e->series->name.len),
				       .process_id =
					       e->series->of_process ? e->series->process_id : -1};
	if (one->path == NULL)
		return false;
	out->n++;
	take_usual(one, e);
	take_limits(one, e);
	return true;
}

// Some instances of a counter tell what the others do, and a total tells it alone.
static bool
adds_to(const struct evidence *list, size_t i)
{
	const struct pmon_path *path = &list[i].series->path;
	size_t same = 0;

	for (size_t k = 0; k < i; k++) {
		const struct pmon_path *other = &list[k].series->path;

		if (!pmon_text_same(other->object, path->object) ||
		    !pmon_text_same(other->counter, path->counter))
			continue;
		same += pmon_path_is_total(other) ? MOST_INSTANCES : 1;
	}
	return same < MOST_INSTANCES;
}

// The pattern of all instances of a counter, or of those with one name.
static char *
pattern_of(const struct pmon_path *path, struct pmon_span instance)
{
	size_t size = path->machine.len + path->object.len + instance.len + path->counter.len + 16;
	char *pattern = malloc(size);
	struct pmon_text t;

	if (pattern == NULL)
		return NULL;
	t = pmon_text_init(pattern, size);
	if (path->machine.len > 0) {
		pmon_text_str(&t, "\\\\");
		pmon_text_span(&t, path->machine);
	}
	pmon_text_char(&t, '\\');
	pmon_text_span(&t, path->object);
	pmon_text_char(&t, '(');
	pmon_text_span(&t, instance);
	pmon_text_str(&t, ")\\");
	pmon_text_span(&t, path->counter);
	return pattern;
}

int64_t
incident_around(const struct incident *incident)
{
	return incident->length_100ns > LEAST_AROUND ? incident->length_100ns : LEAST_AROUND;
}

static bool
was_set(const struct events *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->list[i].kind == EVENT_AHEAD || events->list[i].kind == EVENT_BACK)
			return true;
	return events->others > 0;
}

// What is drawn, within the log. A clock that was set may have shown these times before, or never.
static void
take_times(struct chart_incident *out, const struct judged *j, const struct incident *incident)
{
	pmon_time around = incident_around(incident);

	out->is_steady = was_set(&j->incidents.tracks.events);
	out->from = out->is_steady ? incident->steady_from : incident->from;
	out->to = out->is_steady ? incident->steady_to : incident->to;
	out->steady_begin = out->from - around;
	out->steady_end = out->to + around;
	pmon_time_iso(out->steady_begin > j->first ? out->steady_begin : j->first, out->begin);
	pmon_time_iso(out->steady_end < j->last ? out->steady_end : j->last, out->end);
}

const struct pmon_sample *
incident_sample(const struct chart *chart, const struct pmon_sample *sample, pmon_time on_axis,
		struct pmon_sample *before)
{
	const struct chart_incident *incident = chart->incident;

	if (incident == NULL || !incident->is_steady || sample->preceding ||
	    (on_axis >= incident->steady_begin && on_axis <= incident->steady_end))
		return sample;
	if (on_axis > incident->steady_end)
		return NULL;
	*before = *sample;
	before->preceding = true;
	return before;
}

bool
incident_take(struct chart_incident *out, const struct judged *j, const struct incident *incident)
{
	struct pmon_text t = pmon_text_init(out->headline, sizeof(out->headline));
	const struct evidence *head = incident->head;

	out->from = incident->from;
	out->to = incident->to;
	incident_put_headline(&t, &j->incidents, incident);
	t = pmon_text_init(out->who, sizeof(out->who));
	incident_put_who(&t, incident);
	for (size_t i = 0; i < incident->n && out->n < CHART_EVIDENCE; i++)
		if (adds_to(&j->incidents.evidence[incident->first], i) &&
		    !take_evidence(out, &j->incidents.evidence[incident->first + i]))
			return false;
	if (head->shift.kind == SHIFT_LOOP)
		out->all = pattern_of(&head->series->path, head->series->path.instance);
	else if (incident->n_who > 0)
		out->all = pattern_of(&incident->who[0].series->path, PMON_SPAN("*"));
	else
		return true;
	return out->all != NULL;
}

// ---- Finding it -----------------------------------------------------------------------------

int
incident_find(struct chart_incident *incident, const struct args *args, const char *id)
{
	const struct incident *found;
	struct judged judged;
	int status;

	if (args->operands.n == 0)
		return say(EXIT_USAGE, "chart: --incident needs a log");
	status = judged_logs(&judged, args, &args->operands);
	if (status == EXIT_DONE)
		status = judged_find(&judged, id, &found);
	if (status == EXIT_DONE && !incident_take(incident, &judged, found))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		take_times(incident, &judged, found);
	return judged_close(&judged, status);
}

int
incident_ask(const struct chart_incident *incident, struct request *request)
{
	bool good = incident->all == NULL || words_add(&request->added, incident->all);

	for (size_t i = 0; i < incident->n; i++)
		good = good && words_add(&request->added, incident->list[i].path);
	if (!incident->is_steady) {
		request->from = incident->begin;
		request->to = incident->end;
	}
	request->by_process = true;
	return good ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

void
incident_free(struct chart_incident *incident)
{
	for (size_t i = 0; i < incident->n; i++)
		free(incident->list[i].path);
	free(incident->all);
}

// ---- The figure -----------------------------------------------------------------------------

static bool
is_of(const struct chart_evidence *e, const struct pmon_series *series)
{
	return pmon_text_same((struct pmon_span){e->path, strlen(e->path)}, series->name) &&
	       (e->process_id < 0 || e->process_id == series->process_id);
}

static bool
is_process(const struct chart_incident *incident, const struct pmon_series *series)
{
	struct pmon_path pattern;
	struct pmon_path_error why;

	return incident->all != NULL &&
	       pmon_path_parse((struct pmon_span){incident->all, strlen(incident->all)}, &pattern,
			       &why) &&
	       pmon_text_same(pattern.machine, series->path.machine) &&
	       pmon_text_same(pattern.object, series->path.object) &&
	       pmon_text_match(pattern.instance, series->path.instance) &&
	       pmon_text_same(pattern.counter, series->path.counter) &&
	       pmon_path_ranks(&series->path);
}

static int
choose_processes(struct chart *chart, const struct pmon_series *const *list, size_t n)
{
	const struct pmon_series **processes = calloc(n + 1, sizeof(*processes));
	size_t n_processes = 0;
	int status = EXIT_FAILED;

	if (processes == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < n; i++)
		if (is_process(chart->incident, list[i]))
			processes[n_processes++] = list[i];
	status = stack_choose(chart, processes, n_processes);
	free(processes);
	return status;
}

int
incident_choose(struct chart *chart, const struct pmon_series *const *list, size_t n)
{
	const struct chart_incident *incident = chart->incident;
	int status = choose_processes(chart, list, n);

	for (size_t k = 0; status == EXIT_DONE && k < incident->n; k++)
		for (size_t i = 0; i < n; i++)
			if (is_of(&incident->list[k], list[i]) && !is_process(incident, list[i])) {
				chart->chosen[chart->figure.n++] = list[i];
				break;
			}
	return status;
}

bool
incident_needs(const struct chart_incident *incident, const struct pmon_series *series)
{
	for (size_t k = 0; k < incident->n; k++)
		if (is_of(&incident->list[k], series))
			return true;
	return is_process(incident, series);
}

static void
describe_line(struct chart *chart, size_t i)
{
	struct draw_figure *f = &chart->figure;

	for (size_t k = 0; k < chart->incident->n; k++) {
		const struct chart_evidence *e = &chart->incident->list[k];

		if (!is_of(e, chart->chosen[i]))
			continue;
		f->series[i].has_usual = e->has_usual;
		f->series[i].usual_low = e->usual_low;
		f->series[i].usual_high = e->usual_high;
		for (size_t l = 0; l < e->n_limits; l++) {
			struct draw_threshold *t = &chart->incident->limits[f->n_thresholds];
			size_t same = 0;

			*t = e->limits[l];
			t->counter = chart->chosen[i]->path.counter;
			while (same < f->n_thresholds &&
			       (strcmp(chart->incident->limits[same].text, t->text) != 0 ||
				!pmon_text_same(chart->incident->limits[same].counter, t->counter)))
				same++;
			f->n_thresholds += same == f->n_thresholds;
		}
		return;
	}
}

void
incident_describe(struct chart *chart)
{
	const struct chart_incident *incident = chart->incident;
	struct draw_figure *f = &chart->figure;
	char subtitle[sizeof(chart->subtitle)];
	char title[sizeof(chart->title)];
	bool has_usual = false;
	struct pmon_text t;

	memcpy(title, chart->title, sizeof(title));
	t = pmon_text_init(chart->title, sizeof(chart->title));
	pmon_text_str(&t, title);
	pmon_text_str(&t, ": ");
	pmon_text_str(&t, incident->headline);
	memcpy(subtitle, chart->subtitle, sizeof(subtitle));
	t = pmon_text_init(chart->subtitle, sizeof(chart->subtitle));
	if (incident->who[0] != '\0') {
		pmon_text_str(&t, incident->who);
		pmon_text_str(&t, "; ");
	}
	pmon_text_str(&t, subtitle);
	f->has_incident = incident->from > f->from || incident->to < f->to;
	f->incident_from = incident->from;
	f->incident_to = incident->to;
	f->thresholds = incident->limits;
	for (size_t i = 0; i < f->n; i++) {
		struct draw_series *s = &f->series[i];

		s->is_stacked = i < chart->n_stacked;
		if (!s->is_stacked)
			describe_line(chart, i);
		else if (!s->is_rest)
			(void)draw_instance(chart->chosen[i], s->label, sizeof(s->label));
		has_usual |= s->has_usual;
	}
	pmon_text_str(&t, f->has_incident ? "; grey: the incident" : "");
	pmon_text_str(&t, has_usual ? "; bands: 90 % of the other values" : "");
}
