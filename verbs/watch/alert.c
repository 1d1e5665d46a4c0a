// alert.c - alerts as lines of text, CSV and JSON
// SPDX-License-Identifier: MIT

#include "verbs/watch/alert.h"

#include <string.h>

#include "base/text.h"
#include "shell/output/episode.h"

static const char *const events[] = {"begin", "repeat", "end", "open"};

// Formatted for people.
static const char *const event_words[] = {"begins", "goes on", "ends", "is open"};

static const char *const severities[RULES_LEVELS] = {"warning", "critical"};

static const struct out_column columns[] = {
	{"event", NULL, 0, OUT_LEFT},
	{"time", NULL, 0, OUT_LEFT},
	{"rule", NULL, 0, OUT_LEFT},
	{"severity", NULL, 0, OUT_LEFT},
	{"limit", NULL, 0, OUT_LEFT},
	{"machine", NULL, 0, OUT_LEFT},
	{"value", NULL, 0, OUT_RIGHT},
	EPISODE_COLUMNS,
	EPISODE_MORE,
	{"text", NULL, 0, OUT_LEFT},
};

#define TEXT_COLUMNS(rule)                                                                         \
	{"time", "Time", 19, OUT_LEFT}, {"event", "Alert", 7, OUT_LEFT},                           \
		{"severity", "Severity", 8, OUT_LEFT}, {"value", "Value", 9, OUT_RIGHT},           \
		{"limit", "Limit", 9, OUT_LEFT}, {"from", "Since", 8, OUT_LEFT},                   \
		{"length", "Length", 11, OUT_RIGHT}, {"average", "Average", 9, OUT_RIGHT},         \
		{"worst", "Worst", 9, OUT_RIGHT}, {"rule", rule, 24, OUT_LEFT},                    \
		{"path", "Counter", 40, OUT_LEFT},                                                 \
	{                                                                                          \
		"who", "Busiest", 0, OUT_LEFT                                                      \
	}

// The name of a condition is its whole text, which the user has just typed.
static const struct out_column text_columns[] = {TEXT_COLUMNS("Rule")};
static const struct out_column condition_columns[] = {TEXT_COLUMNS(NULL)};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

static bool
shows_busiest(const struct rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		if (rules->list[i].shows.n > 0)
			return true;
	return false;
}

void
alert_begin(struct out *out, const struct judged *judged)
{
	const struct out_column *of_text =
		judged->args->condition != NULL ? condition_columns : text_columns;
	bool as_text = judged->args->format == OUT_TEXT;

	out_begin(out, stdout, judged->args->format, NULL, as_text ? of_text : columns,
		  as_text ? N_TEXT_COLUMNS - !shows_busiest(&judged->rules) : N_COLUMNS,
		  &judged->logs.clock);
}

static void
put_text(struct out *out, const struct logs *logs, const struct alert *alert)
{
	const struct rules_episode *e = alert->episode;

	out_seconds(out, alert->time, true);
	out_str(out, event_words[alert->event]);
	out_str(out, severities[e->level]);
	out_quantity(out, e->series, &alert->value);
	out_limit(out, e);
	out_seconds(out, e->from, false);
	out_length(out, e->length_100ns);
	out_average(out, e);
	out_quantity(out, e->series, &e->worst);
	out_text(out, e->rule->name);
	out_text(out, naming_path(&logs->naming, e->series));
	if (out->n_columns == N_TEXT_COLUMNS)
		out_busiest(out, e);
}

const char *
alert_event_name(const struct alert *alert)
{
	return events[alert->event];
}

const char *
alert_words(const struct alert *alert)
{
	return event_words[alert->event];
}

const char *
alert_severity(const struct alert *alert)
{
	return severities[alert->episode->level];
}

struct pmon_span
alert_text(const struct rules_rule *rule, char buf[ALERT_TEXT_SIZE])
{
	struct pmon_text t = pmon_text_init(buf, ALERT_TEXT_SIZE);

	for (size_t i = 0; i < rule->texts.n; i++) {
		pmon_text_str(&t, i > 0 ? " " : "");
		pmon_text_span(&t, rule->texts.list[i]);
	}
	return (struct pmon_span){buf, strlen(buf)};
}

static void
put_csv(struct out *out, const struct alert *alert)
{
	const struct rules_episode *e = alert->episode;
	char text[ALERT_TEXT_SIZE];

	out_str(out, events[alert->event]);
	out_time(out, alert->time);
	out_text(out, e->rule->name);
	out_str(out, severities[e->level]);
	out_limit(out, e);
	out_text(out, e->series->path.machine);
	out_value(out, pmon_series_type(e->series), &alert->value);
	out_episode(out, e);
	out_more(out, e);
	out_text(out, alert_text(e->rule, text));
}

void
alert_json(FILE *stream, const struct alert *alert)
{
	const struct rules_episode *e = alert->episode;
	struct json json = {.stream = stream};
	char limit[LIMIT_SIZE];
	char text[ALERT_TEXT_SIZE];

	limit_text(e, limit);
	json_open(&json, '{');
	json_key(&json, "event"), json_str(&json, events[alert->event]);
	json_key(&json, "time"), json_time(&json, alert->time);
	json_key(&json, "rule"), json_text(&json, e->rule->name);
	json_key(&json, "severity"), json_str(&json, severities[e->level]);
	json_key(&json, "limit"), json_str(&json, limit);
	json_key(&json, "machine"), json_text(&json, e->series->path.machine);
	json_key(&json, "value"), json_value(&json, &alert->value);
	json_episode(&json, e);
	json_key(&json, "text"), json_text(&json, alert_text(e->rule, text));
	json_close(&json, '}');
	putc('\n', stream);
}

void
alert_put(struct out *out, const struct logs *logs, const struct alert *alert)
{
	if (out->format == OUT_JSON)
		alert_json(out->stream, alert);
	else if (out->format == OUT_CSV)
		put_csv(out, alert);
	else
		put_text(out, logs, alert);
}
