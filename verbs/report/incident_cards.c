// incident_cards.c - what was wrong, when, and who: the gravest incidents with their charts
// SPDX-License-Identifier: MIT

#include "verbs/report/incident_cards.h"

#include <stdlib.h>

#include "base/text.h"
#include "draw/picture.h"
#include "shell/output/say.h"
#include "shell/output/sentences.h"
#include "verbs/chart/incident.h"

#define EVIDENCE     4   // lines of a card
#define PANELS       3   // so that three cards fit on a printed page
#define PANEL_HEIGHT 112 // with its heading
#define PANEL_EXTRA  44
#define LEAST_HEIGHT 190

struct report_card {
	struct chart chart;
	struct chart_incident incident; // chart.incident
};

// ---- The chart ------------------------------------------------------------------------------

static int
take_one(struct report *r, const struct incident *incident)
{
	struct report_card *card = &r->incident_cards[r->n_incident_cards++];
	struct draw_figure *f = &card->chart.figure;
	pmon_time around = incident_around(incident);
	pmon_time from = incident->steady_from - around;
	pmon_time to = incident->steady_to + around;

	card->chart.args = r->args;
	card->chart.logs = &r->logs;
	card->chart.incident = &card->incident;
	if (!incident_take(&card->incident, &r->ranked, incident))
		return say(EXIT_FAILED, "not enough memory");
	f->from = from > r->from ? from : r->from;
	f->to = to < r->to ? to : r->to;
	card->incident.from = incident->steady_from; // as the axis is
	card->incident.to = incident->steady_to;
	return EXIT_DONE;
}

int
report_cards_take(struct report *r)
{
	const struct incidents *all = &r->ranked.incidents;
	size_t n = all->n < REPORT_INCIDENTS ? all->n : REPORT_INCIDENTS;
	int status = EXIT_DONE;

	r->incident_cards = calloc(n + 1, sizeof(*r->incident_cards));
	if (r->incident_cards == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; status == EXIT_DONE && i < n; i++)
		status = take_one(r, &all->list[i]);
	return status;
}

int
report_cards_begin(struct report *r, struct picked *picked)
{
	const struct pmon_schema *schema = pmon_source_schema(r->logs.source);
	struct pmon_err err;

	for (size_t i = 0; i < r->n_incident_cards; i++) {
		struct report_card *card = &r->incident_cards[i];

		if (pmon_statistics_new(schema, &r->args->calc, NULL, &card->chart.statistics,
					&err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		for (size_t k = 0; k < r->n; k++)
			if (incident_needs(&card->incident, r->series[k]) &&
			    !picked_add(picked, r->series[k]->id))
				return say(EXIT_FAILED, "not enough memory");
	}
	return EXIT_DONE;
}

int
report_cards_add(struct report *r, const struct pmon_sample *sample, pmon_time on_axis)
{
	struct pmon_err err;

	for (size_t i = 0; i < r->n_incident_cards; i++) {
		struct chart *chart = &r->incident_cards[i].chart;
		struct pmon_sample inside = *sample;

		if (on_axis > chart->figure.to)
			continue;
		inside.preceding |= on_axis < chart->figure.from;
		if (pmon_statistics_add(chart->statistics, &inside, NULL, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
	}
	return EXIT_DONE;
}

// Choose the series, without the last ones if there are too many panels.
static int
choose(struct chart *chart)
{
	struct draw_figure *f = &chart->figure;
	int status = chart_choose_incident(chart);

	if (status != EXIT_DONE || f->n == 0)
		return status;
	draw_assign_panels(f, DRAW_PANELS);
	while (f->n_panels > PANELS && f->n > chart->n_stacked + 1) {
		f->n--;
		draw_assign_panels(f, DRAW_PANELS);
	}
	return EXIT_DONE;
}

static struct draw_picture
picture_of(const struct draw_figure *figure)
{
	int height = (int)figure->n_panels * PANEL_HEIGHT + PANEL_EXTRA;

	return (struct draw_picture){.type = DRAW_SVG,
				     .theme = DRAW_LIGHT,
				     .width = REPORT_WIDTH,
				     .height = height > LEAST_HEIGHT ? height : LEAST_HEIGHT,
				     .in_page = true};
}

static int
read_values(struct report *r, struct picked *picked, struct pmon_statistics *statistics)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_sample on_axis;
	struct pmon_err err;
	int status = logs_rewind(&r->logs);

	pmon_paces_free(&r->paces);
	while (status == EXIT_DONE && logs_next(&r->logs, &sample, &status)) {
		sample = picked_of(picked, sample);
		if (sample == NULL || !pmon_paces_axis(&r->paces, sample, &on_axis))
			return say(EXIT_FAILED, "not enough memory");
		if (pmon_statistics_add(statistics, sample, &values, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		for (size_t i = 0; status == EXIT_DONE && i < r->n_incident_cards; i++) {
			struct chart *chart = &r->incident_cards[i].chart;
			const struct draw_figure *f = &chart->figure;

			if (f->n > 0 && on_axis.time >= f->from && on_axis.time <= f->to)
				status = chart_fill_add(chart, &on_axis, values);
		}
	}
	return status;
}

int
report_cards_fill(struct report *r)
{
	struct pmon_statistics *statistics = NULL;
	struct picked picked = PICKED;
	struct pmon_err err;
	int status = EXIT_DONE;

	if (r->n_incident_cards == 0)
		return EXIT_DONE;
	if (pmon_statistics_new(pmon_source_schema(r->logs.source), &r->args->calc, NULL,
				&statistics, &err) != PMON_OK)
		status = say(EXIT_FAILED, "%s", err.msg);
	for (size_t i = 0; status == EXIT_DONE && i < r->n_incident_cards; i++) {
		struct chart *chart = &r->incident_cards[i].chart;
		struct draw_picture picture;

		status = choose(chart);
		picture = picture_of(&chart->figure);
		if (status == EXIT_DONE && chart->figure.n > 0)
			status = chart_fill_begin(chart, draw_picture_columns(&picture), &picked);
	}
	if (status == EXIT_DONE)
		status = read_values(r, &picked, statistics);
	for (size_t i = 0; i < r->n_incident_cards; i++)
		chart_fill_end(&r->incident_cards[i].chart);
	picked_free(&picked);
	pmon_statistics_free(statistics);
	return status;
}

void
report_cards_free(struct report *r)
{
	for (size_t i = 0; i < r->n_incident_cards; i++) {
		chart_free(&r->incident_cards[i].chart);
		incident_free(&r->incident_cards[i].incident);
	}
	free(r->incident_cards);
}

// ---- The card -------------------------------------------------------------------------------

bool
report_has_card(const struct report *r, size_t incident)
{
	return incident < r->n_incident_cards;
}

// The name of each line and area. Areas have theirs on them, too, where there is room.
static void
put_legend(const struct report *r, struct html *html, const struct chart *chart)
{
	html_markup(html, "<ul class=\"legend\">");
	for (size_t i = 0; i < chart->figure.n; i++) {
		const struct draw_series *s = &chart->series[i];
		const struct pmon_series *series = chart->chosen[i];

		html_format(html, "<li><span class=\"swatch%s ", s->is_stacked ? " area" : "");
		if (s->is_rest)
			html_markup(html, "rest\"></span> ");
		else
			html_format(html, "c%u\"></span> ", s->colour % DRAW_PALETTE);
		if (s->is_stacked) {
			html_str(html, s->label);
		} else {
			html_text(html, series->path.counter);
			html_markup(html, " <span class=\"i\">");
			report_instance(r, html, series);
			html_markup(html, "</span>");
		}
		html_markup(html, "</li>\n");
	}
	html_markup(html, "</ul>\n");
}

static const char *
put_picture(const struct report *r, struct html *html, struct chart *chart)
{
	struct draw_figure *f = &chart->figure;
	struct draw_picture picture = picture_of(f);
	const char *wrong;

	for (size_t i = 0; i < f->n; i++) {
		if (f->series[i].columns == NULL)
			return "the log changed while it was being read";
		redaction_apply(&r->names, f->series[i].label, sizeof(f->series[i].label));
	}
	draw_fit_axes(f, draw_picture_steps(&picture, f));
	html_markup(html, "<div class=\"picture\" tabindex=\"0\">");
	wrong = draw_picture(f, &picture, report_take_bytes, html);
	html_markup(html, "</div>\n");
	put_legend(r, html, chart);
	return wrong;
}

static void
put_when(const struct report *r, struct html *html, const struct incident *incident)
{
	html_markup(html, "<p class=\"when\">");
	report_time(r, html, incident->from);
	html_markup(html, " &#8211; ");
	report_time(r, html, incident->to);
	html_markup(html, ", ");
	report_length(html, incident->length_100ns);
	html_markup(html, "</p>\n");
}

static const char *
put_card(const struct report *r, struct html *html, size_t number)
{
	const struct incident *incident = &r->ranked.incidents.list[number];
	struct chart *chart = &r->incident_cards[number].chart;
	const char *wrong = NULL;

	html_format(html, "<article class=\"incident %s\" id=\"incident-%zu\"><h3>",
		    incident_severity_name(incident->severity), number);
	report_put_incident(r, html, incident);
	html_markup(html, "</h3>\n");
	put_when(r, html, incident);
	report_put_who(html, incident, incident->n_who > 0 ? "<p class=\"cause\">" : "<p>",
		       "</p>\n");
	report_put_evidence(r, html, incident, EVIDENCE, "<p class=\"i also\">", "</p>\n");
	if (chart->figure.n > 0)
		wrong = put_picture(r, html, chart);
	report_put_limits(r, html, incident);
	html_markup(html, "</article>\n");
	return wrong;
}

const char *
report_cards(const struct report *r, struct html *html)
{
	const char *wrong = NULL;

	for (size_t i = 0; wrong == NULL && i < r->n_incident_cards; i++)
		wrong = put_card(r, html, i);
	if (r->n_incident_cards > 0)
		html_markup(html, "<p class=\"more\">Charts show some time before and after an "
				  "incident. Grey: the incident; dashed: limits; bands: 90 % of "
				  "the values at other times.</p>\n");
	return wrong;
}
