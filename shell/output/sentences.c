// sentences.c - incidents and events in plain words
// SPDX-License-Identifier: MIT

#include "shell/output/sentences.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/label.h"
#include "shell/output/episode.h"

#define TEXT      256
#define MOST_NAME 60 // characters of an instance; longer ones are cut in the middle

static void
put_amount(struct pmon_text *t, const struct pmon_series *series, double value)
{
	struct draw_unit unit = draw_unit_of(series);
	char buf[2 * DRAW_NUMBER];

	(void)draw_amount(value, &unit, buf, sizeof(buf));
	pmon_text_str(t, buf);
}

// "50 min", "1 h 5 min", "20 s"
static void
put_about(struct pmon_text *t, double seconds)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = {{86400, " d"}, {3600, " h"}, {60, " min"}, {1, " s"}};
	size_t i = 0;
	double step;

	while (i < 3 && seconds < units[i].seconds)
		i++;
	step = i < 3 && seconds < 10 * units[i].seconds ? units[i + 1].seconds : units[i].seconds;
	seconds = round(seconds / step) * step;
	if (i > 0 && seconds >= units[i - 1].seconds)
		i--;
	pmon_text_u64(t, (uint64_t)(seconds / units[i].seconds));
	pmon_text_str(t, units[i].name);
	seconds = fmod(seconds, units[i].seconds);
	if (i == 3 || seconds < units[i + 1].seconds)
		return;
	pmon_text_char(t, ' ');
	pmon_text_u64(t, (uint64_t)(seconds / units[i + 1].seconds));
	pmon_text_str(t, units[i + 1].name);
}

// ---- What was measured ----------------------------------------------------------------------

// Is it the total of the machine? "0,_Total" is that of some of its processors, and has to be named.
static bool
is_whole(const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);

	return pmon_path_is_total(path) && !pmon_text_match(PMON_SPAN("*,*"), path->instance);
}

static void
put_instance(struct pmon_text *t, const struct pmon_series *series)
{
	char whole[TEXT];
	char buf[TEXT];

	(void)draw_instance(series, whole, sizeof(whole));
	draw_elide(whole, MOST_NAME, true, buf, sizeof(buf));
	pmon_text_str(t, is_whole(series) ? "" : buf);
}

// "Reads of disk 1 D: take": `*` stands for the instance, which has a blank before it that is not needed without.
static void
put_label(struct pmon_text *t, struct pmon_span label, const struct pmon_series *series)
{
	char instance[TEXT];
	bool is_total = is_whole(series) || draw_instance(series, instance, sizeof(instance)) == 0;

	for (size_t i = 0; i < label.len; i++) {
		bool before = i + 1 < label.len && label.ptr[i] == ' ' && label.ptr[i + 1] == '*';

		if (label.ptr[i] == '*')
			put_instance(t, series);
		else if (!(before && is_total))
			pmon_text_char(t, label.ptr[i]);
	}
}

// The instance of SQL Server, which is a part of the object's name.
static void
put_server(struct pmon_text *t, const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);
	const char *colon;

	if (!pmon_text_match(PMON_SPAN("MSSQL$*:*"), path->object))
		return;
	colon = memchr(path->object.ptr, ':', path->object.len);
	pmon_text_span(t, (struct pmon_span){path->object.ptr + 6,
					     (size_t)(colon - path->object.ptr) - 6});
	pmon_text_str(t, ": ");
}

static void
put_what(struct pmon_text *t, const struct evidence *e)
{
	const struct meaning *m = e->meaning;
	bool has_instance = e->series->path.instance.len > 0;

	put_server(t, e->series);
	if (e->shift.kind == SHIFT_LOOP) {
		put_instance(t, e->series);
		pmon_text_char(t, ' ');
		return;
	}
	if (m != NULL && m->label.len > 0) {
		put_label(t, m->label, e->series);
	} else if (m == NULL && e->finding != NULL) {
		pmon_text_span(t, e->finding->rule->name);
	} else {
		pmon_text_span(t, pmon_series_english(e->series)->counter);
	}
	if ((m == NULL || m->label.len == 0) && has_instance &&
	    !pmon_path_is_total(&e->series->path)) {
		pmon_text_str(t, " of ");
		put_instance(t, e->series);
	}
	pmon_text_char(t, ' ');
}

// ---- How much -------------------------------------------------------------------------------

static void
put_usual(struct pmon_text *t, const struct evidence *e)
{
	pmon_text_str(t, " (usually ");
	put_amount(t, e->series, e->shift.usual);
	if (e->finding != NULL) {
		pmon_text_str(t, ", ");
		episode_put_limit(t, e->finding->gravest);
	}
	pmon_text_char(t, ')');
}

static void
put_ramp(struct pmon_text *t, const struct incidents *incidents, const struct evidence *e)
{
	double slope = incidents_slope(incidents, e);
	double left = incidents_exhausted(incidents, e);

	put_amount(t, e->series, e->shift.level);
	pmon_text_str(t, slope > 0 ? ", growing by " : ", falling by ");
	put_amount(t, e->series, fabs(slope));
	pmon_text_str(t, " an hour to the end (");
	put_amount(t, e->series, e->shift.usual);
	pmon_text_str(t, " at first");
	if (left < 30 * 86400.0) {
		pmon_text_str(t, slope < 0 ? ", 0 in " : ", full in ");
		put_about(t, left);
	}
	pmon_text_char(t, ')');
}

static void
put_recycled(struct pmon_text *t, const struct incidents *incidents, const struct evidence *e)
{
	put_amount(t, e->series, e->shift.level);
	pmon_text_str(t, ", growing by ");
	put_amount(t, e->series, incidents_slope(incidents, e));
	pmon_text_str(t, " an hour in each of ");
	pmon_text_u64(t, e->shift.times);
	pmon_text_str(t, " processes, one after the other (");
	put_amount(t, e->series, e->shift.usual);
	pmon_text_str(t, " at first)");
}

static void
put_period(struct pmon_text *t, const struct incidents *incidents, const struct evidence *e)
{
	double step = (double)evidence_length(incidents, e) / PMON_TIME_PER_SEC / (e->to - e->from);

	put_amount(t, e->series, e->shift.level);
	pmon_text_str(t, " every ");
	put_about(t, step * e->shift.every);
	pmon_text_str(t, ", ");
	put_about(t, step * e->shift.each);
	pmon_text_str(t, " each, ");
	pmon_text_u64(t, e->shift.times);
	pmon_text_str(t, " times");
	put_usual(t, e);
}

static void
put_how(struct pmon_text *t, const struct incidents *incidents, const struct evidence *e)
{
	if (e->shift.score <= 0) {
		episode_put_how(t, e->finding->gravest);
		return;
	}
	switch (e->shift.kind) {
	case SHIFT_RAMP:
		put_ramp(t, incidents, e);
		return;
	case SHIFT_RECYCLED:
		put_recycled(t, incidents, e);
		return;
	case SHIFT_PERIOD:
		put_period(t, incidents, e);
		return;
	case SHIFT_COUNT:
		put_amount(t, e->series, e->shift.level);
		return;
	case SHIFT_STALL:
		put_amount(t, e->series, e->shift.worst);
		pmon_text_str(t, e->to - e->from == 1 ? " in one sample" : " in two samples");
		put_usual(t, e);
		return;
	case SHIFT_KINDS:
		return;
	case SHIFT_LOOP:
		pmon_text_str(t, "restarts in a loop, ");
		pmon_text_u64(t, e->shift.times);
		pmon_text_str(t, " times");
		return;
	case SHIFT_PULSE:
		put_amount(t, e->series, e->shift.level);
		put_usual(t, e);
		return;
	}
}

// ---- Sentences ------------------------------------------------------------------------------

// How many series of the same counter took part: cores, virtual processors, LUNs.
static size_t
count_alike(const struct incidents *incidents, const struct incident *incident)
{
	const struct evidence *list = &incidents->evidence[incident->first];
	const struct pmon_path *head = pmon_series_english(incident->head->series);
	size_t n = 0;

	for (size_t i = 0; i < incident->n; i++) {
		const struct pmon_path *path = pmon_series_english(list[i].series);

		n += list[i].series != incident->head->series && !pmon_path_is_total(path) &&
		     pmon_text_same(path->object, head->object) &&
		     pmon_text_same(path->counter, head->counter);
	}
	return n;
}

void
evidence_put(struct pmon_text *t, const struct incidents *incidents, const struct evidence *e)
{
	put_what(t, e);
	put_how(t, incidents, e);
}

void
evidence_put_amount(struct pmon_text *t, const struct evidence *e, double value)
{
	put_amount(t, e->series, value);
}

void
incident_put_headline(struct pmon_text *t, const struct incidents *incidents,
		      const struct incident *incident)
{
	size_t n = count_alike(incidents, incident);

	evidence_put(t, incidents, incident->head);
	if (n == 0 || pmon_path_is_total(&incident->head->series->path))
		return;
	pmon_text_str(t, "; ");
	pmon_text_u64(t, n);
	pmon_text_str(t, " more like it");
}

void
incident_put_id(struct pmon_text *t, const struct incident *incident)
{
	char buf[9];

	(void)snprintf(buf, sizeof(buf), "%08lx",
		       (unsigned long)((incident->id ^ incident->id >> 32) & UINT32_MAX));
	pmon_text_str(t, buf);
}

void
incident_put_who(struct pmon_text *t, const struct incident *incident)
{
	if (incident->n_who == 0 && incident->has_asked)
		pmon_text_str(t, "no process in this log rose with it");
	for (size_t i = 0; i < incident->n_who; i++) {
		const struct incident_who *who = &incident->who[i];

		pmon_text_str(t, i == 0 ? "cause " : ", ");
		put_instance(t, who->series);
		pmon_text_str(t, ": ");
		put_amount(t, who->series, who->usual);
		pmon_text_str(t, " -> ");
		put_amount(t, who->series, who->level);
	}
}

// Do two counters have the same words, as the current and the average length of a queue?
static bool
say_the_same(const struct evidence *a, const struct evidence *b)
{
	char texts[2][TEXT];
	struct pmon_text first = pmon_text_init(texts[0], TEXT);
	struct pmon_text second = pmon_text_init(texts[1], TEXT);

	put_what(&first, a);
	put_what(&second, b);
	return strcmp(texts[0], texts[1]) == 0;
}

bool
incident_put_evidence(struct pmon_text *t, const struct incidents *incidents,
		      const struct incident *incident, size_t i)
{
	const struct evidence *list = &incidents->evidence[incident->first];

	if (i + 1 >= incident->n)
		return false;
	for (size_t k = 0; k < i + 1; k++)
		if (say_the_same(&list[k], &list[i + 1]))
			return true;
	evidence_put(t, incidents, &list[i + 1]);
	return true;
}

static void
put_change(struct pmon_text *t, const struct event *event)
{
	const struct evidence e = {.series = event->series, .meaning = event->meaning};

	put_what(t, &e);
	pmon_text_str(t, "changed from ");
	put_amount(t, event->series, event->before);
	pmon_text_str(t, " to ");
	put_amount(t, event->series, event->after);
}

void
event_put(struct pmon_text *t, const struct event *event)
{
	double seconds = (double)event->length_100ns / PMON_TIME_PER_SEC;

	switch (event->kind) {
	case EVENT_RESTARTED:
		pmon_text_str(t, "the machine restarted");
		return;
	case EVENT_AHEAD:
		pmon_text_str(t, "paused for ");
		put_about(t, seconds);
		pmon_text_str(t, ", or the clock was set ahead by it");
		return;
	case EVENT_BACK:
		pmon_text_str(t, "the clock was set back by ");
		put_about(t, seconds);
		return;
	case EVENT_GAP:
		pmon_text_str(t, "no samples for ");
		put_about(t, seconds);
		return;
	case EVENT_ABSENT:
		pmon_text_span(t, event->provider);
		pmon_text_str(t, " had no values for ");
		put_about(t, seconds);
		return;
	case EVENT_CONFIGURED:
		put_change(t, event);
		return;
	case EVENT_KINDS:
		return;
	}
}
