// incidents.c - incidents as a table
// SPDX-License-Identifier: MIT

#include "verbs/health/incidents.h"

#include "shell/output/sentences.h"
#include "shell/output/out.h"
#include "shell/output/say.h"

#define TEXT 1024

static const struct out_column columns[] = {
	{"severity", "Severity", 0, OUT_LEFT},
	{"id", "ID", 0, OUT_LEFT},
	{"from", "From", 0, OUT_LEFT},
	{"to", "To", 0, OUT_LEFT},
	{"incident", "What was wrong", 0, OUT_LEFT},
};

static void
put_row(struct out *out, const struct judged *j, const char *severity, const char *id,
	pmon_time from, pmon_time to, const char *text)
{
	out_str(out, severity);
	out_str(out, id);
	if (from != PMON_TIME_NONE)
		out_seconds(out, from, j->spans_days);
	else
		out_str(out, "");
	if (to != PMON_TIME_NONE)
		out_seconds(out, to, j->spans_days);
	else
		out_str(out, "");
	out_str(out, text);
}

static void
begin_text(const struct judged *j, struct pmon_text *t, char *text, struct pmon_span machine)
{
	*t = pmon_text_init(text, TEXT);
	if (rules_judge_machines(j->judge) < 2 || machine.len == 0)
		return;
	pmon_text_span(t, machine);
	pmon_text_str(t, ": ");
}

static void
put_incident(struct out *out, const struct judged *j, const struct incident *incident)
{
	char text[TEXT];
	char id[16];
	struct pmon_text t = pmon_text_init(id, sizeof(id));

	incident_put_id(&t, incident);
	begin_text(j, &t, text, incident->head->series->path.machine);
	incident_put_headline(&t, &j->incidents, incident);
	put_row(out, j, incident_severity_name(incident->severity), id, incident->from,
		incident->to, text);
	t = pmon_text_init(text, sizeof(text));
	incident_put_who(&t, incident);
	if (t.len > 0)
		put_row(out, j, "", "", PMON_TIME_NONE, PMON_TIME_NONE, text);
	t = pmon_text_init(text, sizeof(text));
	for (size_t i = 0; incident_put_evidence(&t, &j->incidents, incident, i); i++) {
		const struct evidence *e = &j->incidents.evidence[incident->first + 1 + i];

		if (t.len > 0)
			put_row(out, j, "", "", evidence_from(&j->incidents, e),
				evidence_to(&j->incidents, e), text);
		t = pmon_text_init(text, sizeof(text));
	}
}

static void
put_event(struct out *out, const struct judged *j, const struct event *event)
{
	char text[TEXT];
	struct pmon_text t;

	begin_text(j, &t, text, event->machine);
	event_put(&t, event);
	put_row(out, j, "event", "", event->from, event->to, text);
}

int
health_incidents(FILE *stream, const struct judged *j, enum out_format format, bool *any)
{
	const struct events *events = &j->incidents.tracks.events;
	size_t n = args_rows(j->args, j->incidents.n + events->n);
	struct out out;

	*any = n > 0;
	if (!*any)
		return EXIT_DONE;
	out_begin(&out, stream, format, "incidents", columns, sizeof(columns) / sizeof(columns[0]),
		  &j->logs.clock);
	for (size_t i = 0; i < n; i++)
		if (i < j->incidents.n)
			put_incident(&out, j, &j->incidents.list[i]);
		else
			put_event(&out, j, &events->list[i - j->incidents.n]);
	return out_end(&out);
}
