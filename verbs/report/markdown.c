// markdown.c - a report for a ticket: incidents, key numbers, and what the limits mean
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "os/outfile.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/output/sentences.h"
#include "shell/output/stream.h"
#include "verbs/health/incidents.h"
#include "verbs/report/key_numbers.h"
#include "verbs/report/report.h"

#define TEXT 1024

static void
put_escaped(FILE *stream, const char *text)
{
	out_markdown(stream, (struct pmon_span){text, strlen(text)});
}

// ---- Head -----------------------------------------------------------------------------------

static void
put_range(const struct report *r, FILE *stream)
{
	struct draw_clock clock = chart_clock(&r->logs.clock);
	char text[256];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	draw_time_range(r->from, r->to, &clock, text, sizeof(text));
	put_escaped(stream, text);
	out_put_length(&t, r->to - r->from);
	fprintf(stream, "; %s; ", text);
	t = pmon_text_init(text, sizeof(text));
	out_put_count(&t, r->samples, " sample", " samples");
	pmon_text_str(&t, "; ");
	out_put_count(&t, r->n, " counter with values", " counters with values");
	fputs(text, stream);
	fputs(".\n", stream);
}

static void
put_verdict(const struct report *r, FILE *stream)
{
	const struct incidents *all = &r->ranked.incidents;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (all->n == 0) {
		fputs("\n**Nothing was unusual.**\n", stream);
		return;
	}
	report_put_counts(&t, all);
	fprintf(stream, "\n**%s%s", text, all->n > 1 ? ". The gravest: " : ": ");
	t = pmon_text_init(text, sizeof(text));
	if (r->two_machines && all->list[0].head->series->path.machine.len > 0) {
		pmon_text_span(&t, all->list[0].head->series->path.machine);
		pmon_text_str(&t, ": ");
	}
	incident_put_headline(&t, all, all->list);
	put_escaped(stream, text);
	t = pmon_text_init(text, sizeof(text));
	incident_put_who(&t, all->list);
	fputs(t.len > 0 ? "; " : "", stream);
	put_escaped(stream, t.len > 0 ? text : "");
	fputs(".**\n", stream);
}

static void
put_damage(const struct report *r, FILE *stream)
{
	uint64_t losses = 0;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	for (size_t i = 0; i < r->n_files && i < REPORT_FILES; i++)
		losses += r->files[i].info.losses;
	if (r->n_failed > 0)
		fprintf(stream, "\n%zu of %zu logs could not be opened.\n", r->n_failed,
			r->n_failed + r->n_files);
	if (losses == 0)
		return;
	out_put_count(&t, losses, " damaged place", " damaged places");
	fprintf(stream, "\n%s: some data could not be read.\n", text);
}

// ---- Key numbers ----------------------------------------------------------------------------

static const struct out_column columns[] = {
	{"resource", "Resource", 0, OUT_LEFT}, {"path", "Counter", 0, OUT_LEFT},
	{"average", "Average", 0, OUT_RIGHT},  {"minimum", "Minimum", 0, OUT_RIGHT},
	{"maximum", "Maximum", 0, OUT_RIGHT},  {"worst_time", "Worst at", 0, OUT_LEFT},
};

// With the mark of how it was computed, as everywhere.
static void
put_average(struct out *out, const struct pmon_series *series, const struct draw_series *s)
{
	char text[TEXT];
	size_t len;

	if (!pmon_vstat_has_value(s->average.status)) {
		out_null(out);
		return;
	}
	len = out_amount(series, s->average.value, text, sizeof(text));
	(void)snprintf(text + len, sizeof(text) - len, "%s", s->average_mark);
	out_str(out, text);
}

static void
put_number(const struct report *r, struct out *out, const struct key_number *number,
	   const struct draw_series *s, bool is_first)
{
	const struct pmon_stats *stats = report_stats(r, number->series);
	const struct meaning *m = number->meaning;

	out_str(out, is_first ? meaning_resource_name(m->resource) : "");
	out_text(out, naming_path(&r->logs.naming, number->series));
	put_average(out, number->series, s);
	out_quantity(out, number->series, &stats->minimum);
	out_quantity(out, number->series, &stats->maximum);
	out_seconds(out, m->worse == MEANING_DOWN ? stats->minimum_time : stats->maximum_time,
		    r->with_dates);
}

static void
put_marks(const struct draw_figure *figure, FILE *stream)
{
	char text[DRAW_LABEL];

	if (draw_marks_text(figure, text, sizeof(text)) == 0)
		return;
	putc('\n', stream);
	put_escaped(stream, text);
	fputs(".\n", stream);
}

static int
put_table(const struct report *r, FILE *stream, const struct key_number *list,
	  const struct draw_figure *described)
{
	struct out out;

	fputs("\n## Key numbers\n\n", stream);
	out_begin(&out, stream, OUT_MARKDOWN, "numbers", columns,
		  sizeof(columns) / sizeof(columns[0]), &r->logs.clock);
	for (size_t i = 0; i < described->n; i++)
		put_number(r, &out, &list[i], &described->series[i],
			   i == 0 || list[i].meaning->resource != list[i - 1].meaning->resource);
	return out_end(&out);
}

static int
put_numbers(const struct report *r, FILE *stream)
{
	struct key_number list[KEY_NUMBERS];
	struct draw_figure described = {.n = key_numbers(r, list)};
	int status;

	if (described.n == 0)
		return EXIT_DONE;
	described.series = calloc(described.n, sizeof(*described.series));
	if (described.series == NULL)
		return EXIT_FAILED;
	for (size_t i = 0; i < described.n; i++) {
		chart_describe(list[i].series, report_stats(r, list[i].series),
			       &described.series[i]);
		chart_take_derived(r->statistics, list[i].series, &described.series[i]);
	}
	status = put_table(r, stream, list, &described);
	put_marks(&described, stream);
	free(described.series);
	return status;
}

// ---- The report -----------------------------------------------------------------------------

static bool
crosses_limits(const struct report *r)
{
	const struct incidents *all = &r->ranked.incidents;

	for (size_t i = 0; i < all->n_evidence; i++)
		if (all->evidence[i].finding != NULL)
			return true;
	return false;
}

static int
put_all(struct report *r, FILE *stream)
{
	char buf[MACHINES_TEXT];
	bool any = r->ranked.incidents.n + r->ranked.incidents.tracks.events.n > 0;
	int status;

	logs_hide_machine(&r->logs);
	r->ranked.logs.clock = r->logs.clock;
	r->ranked.spans_days = r->with_dates;
	fputs("# ", stream);
	out_markdown(stream, report_title(r, buf));
	fputs("\n\n", stream);
	put_range(r, stream);
	put_verdict(r, stream);
	put_damage(r, stream);
	fputs(any ? "\n## Incidents\n\n" : "", stream);
	status = health_incidents(stream, &r->ranked, OUT_MARKDOWN, &any);
	if (status == EXIT_DONE)
		status = put_numbers(r, stream);
	if (crosses_limits(r)) {
		fputs("\n## Limits\n", stream);
		health_texts(stream, &r->ranked, OUT_MARKDOWN, false);
	}
	fputs("\nMade by pmon " PMON_VERSION_TEXT ".\n", stream);
	return status;
}

const char *
report_markdown(struct report *r, struct pmon_outfile *file)
{
	char *text = NULL;
	size_t len = 0;
	FILE *stream = text_stream_open(&text, &len);
	bool good = stream != NULL && put_all(r, stream) == EXIT_DONE;

	good = stream != NULL && text_stream_close(stream, &text) && good;
	if (good && report_is_anonymous(r)) {
		char *redacted = redaction_text(&r->names, (struct pmon_span){text, len});

		free(text);
		text = redacted;
		good = text != NULL;
		len = good ? strlen(text) : 0;
	}
	if (good)
		pmon_outfile_write(file, text, len);
	free(text);
	return good ? NULL : "not enough memory";
}
