// message.c - an alert for another program: named fields, and JSON
// SPDX-License-Identifier: MIT

#include "verbs/watch/message.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "shell/output/episode.h"
#include "shell/output/stream.h"
#include "draw/label.h"

// Priorities of syslog (RFC 5424).
#define PRIORITY_CRITICAL 2
#define PRIORITY_WARNING  4
#define PRIORITY_INFO     6

#define PREFIX "PMON_"

static void
put_variable(FILE *stream, const char *name, struct pmon_span text)
{
	fprintf(stream, PREFIX "%s=", name);
	out_clean(stream, text);
	putc('\0', stream);
}

static void
put_str(FILE *stream, const char *name, const char *text)
{
	put_variable(stream, name, (struct pmon_span){text, strlen(text)});
}

static void
put_number(FILE *stream, const char *name, double value)
{
	char buf[PMON_NUM_SIZE];

	put_variable(stream, name, (struct pmon_span){buf, pmon_num_shortest(value, buf)});
}

// A variable without a value is set to empty, because the parent may have set it.
static void
put_value(FILE *stream, const char *name, const struct pmon_value *value)
{
	if (pmon_vstat_has_value(value->status))
		put_number(stream, name, value->value);
	else
		put_str(stream, name, "");
}

static void
put_time(FILE *stream, const char *name, pmon_time time)
{
	char buf[PMON_TIME_SIZE];

	put_variable(stream, name, (struct pmon_span){buf, pmon_time_iso(time, buf)});
}

// "critical begins: \\WEB01\Memory\Available MBytes: 107 MB (limit < 500MB) since 2026-11-20T14:04:45Z"
static void
put_sentence(FILE *stream, const struct alert *alert)
{
	const struct rules_episode *e = alert->episode;
	struct draw_unit unit = draw_unit_of(e->series);
	char text[1024];
	struct pmon_text t = pmon_text_init(text, sizeof(text));
	char amount[2 * DRAW_NUMBER];
	char limit[LIMIT_SIZE];
	char since[PMON_TIME_SIZE];

	limit_text(e, limit);
	(void)pmon_time_iso(e->from, since);
	pmon_text_str(&t, alert_severity(alert));
	pmon_text_char(&t, ' ');
	pmon_text_str(&t, alert_words(alert));
	pmon_text_str(&t, ": ");
	pmon_text_span(&t, e->series->name);
	if (pmon_vstat_has_value(alert->value.status)) {
		(void)draw_amount(alert->value.value, &unit, amount, sizeof(amount));
		pmon_text_str(&t, ": ");
		pmon_text_str(&t, amount);
	}
	pmon_text_str(&t, " (limit ");
	pmon_text_str(&t, limit);
	pmon_text_str(&t, ") since ");
	pmon_text_str(&t, since);
	put_str(stream, "MESSAGE", text);
}

static void
put_fields(FILE *stream, const struct alert *alert)
{
	const struct rules_episode *e = alert->episode;
	const struct pmon_series *series = e->series;
	char text[ALERT_TEXT_SIZE];
	char limit[LIMIT_SIZE];

	put_sentence(stream, alert);
	limit_text(e, limit);
	put_str(stream, "EVENT", alert_event_name(alert));
	put_time(stream, "TIME", alert->time);
	put_variable(stream, "RULE", e->rule->name);
	put_str(stream, "SEVERITY", alert_severity(alert));
	put_str(stream, "LIMIT", limit);
	put_variable(stream, "MACHINE", series->path.machine);
	put_variable(stream, "PATH", series->name);
	put_value(stream, "VALUE", &alert->value);
	put_time(stream, "FROM", e->from);
	put_time(stream, "TO", e->to);
	put_number(stream, "SECONDS", (double)e->length_100ns / PMON_TIME_PER_SEC);
	put_value(stream, "AVERAGE", &e->average);
	put_value(stream, "WORST", &e->worst);
	put_time(stream, "WORST_TIME", e->worst_time);
	put_str(stream, "UNIT", out_unit(series));
	put_variable(stream, "TEXT", alert_text(e->rule, text));
	fprintf(stream, PREFIX "PID=");
	if (series->of_process && series->process_id >= 0)
		fprintf(stream, "%lld", (long long)series->process_id);
	putc('\0', stream);
}

static void
find_fields(struct message *m, size_t len)
{
	for (size_t at = 0; at < len && m->n < MESSAGE_FIELDS; at += strlen(m->texts + at) + 1)
		m->fields[m->n++] = m->texts + at;
	m->sentence = m->fields[0] + strlen(PREFIX "MESSAGE=");
}

static bool
write_texts(struct message *m, const struct alert *alert)
{
	size_t len = 0;
	FILE *stream = text_stream_open(&m->texts, &len);

	if (stream == NULL)
		return false;
	put_fields(stream, alert);
	if (!text_stream_close(stream, &m->texts))
		return false;
	find_fields(m, len);
	return true;
}

static bool
write_json(struct message *m, const struct alert *alert)
{
	FILE *stream = text_stream_open(&m->json, &m->json_len);

	if (stream == NULL)
		return false;
	alert_json(stream, alert);
	return text_stream_close(stream, &m->json);
}

struct message *
message_new(const struct alert *alert)
{
	struct message *m = calloc(1, sizeof(*m));

	if (m == NULL || !write_texts(m, alert) || !write_json(m, alert)) {
		message_free(m);
		return NULL;
	}
	m->priority = alert->event == ALERT_END                 ? PRIORITY_INFO
		      : alert->episode->level == RULES_CRITICAL ? PRIORITY_CRITICAL
								: PRIORITY_WARNING;
	return m;
}

void
message_free(struct message *m)
{
	if (m == NULL)
		return;
	free(m->texts);
	free(m->json);
	free(m);
}
