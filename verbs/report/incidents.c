// incidents.c - what was wrong: the incidents of the logs, and of the baseline
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "verbs/report/incident_cards.h"
#include "verbs/report/report.h"
#include "base/text.h"
#include "base/time.h"
#include "shell/output/sentences.h"

#define TEXT     1024
#define EVIDENCE 6 // lines of an incident

static const char *const badges[INCIDENT_SEVERITIES] = {"Note", "Warning", "Critical"};

static void
put_machine(const struct report *r, struct html *html, struct pmon_span machine)
{
	if (!r->two_machines || machine.len == 0)
		return;
	html_text(html, machine);
	html_markup(html, ": ");
}

// ---- A row ----------------------------------------------------------------------------------

void
report_put_incident(const struct report *r, struct html *html, const struct incident *incident)
{
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	html_format(html, "<span class=\"badge\">%s</span> ", badges[incident->severity]);
	put_machine(r, html, incident->head->series->path.machine);
	incident_put_headline(&t, &r->ranked.incidents, incident);
	html_str(html, text);
}

// Is a finding of this rule and level part of the incident?
static bool
has_rule(const struct report *r, const struct incident *incident, const struct rules_finding *f)
{
	const struct evidence *list = &r->ranked.incidents.evidence[incident->first];

	for (size_t k = 0; k < incident->n; k++)
		if (list[k].finding != NULL && list[k].finding->rule == f->rule &&
		    list[k].finding->level == f->level)
			return true;
	return false;
}

void
report_put_limits(const struct report *r, struct html *html, const struct incident *incident)
{
	size_t number = 0;
	size_t n = 0;

	for (size_t i = 0; i < r->n_cards; i += report_group(r, i), number++) {
		if (!has_rule(r, incident, r->cards[i]))
			continue;
		html_markup(html, n++ == 0 ? "<p class=\"more\">Crossed limits: " : ", ");
		html_format(html, "<a href=\"#finding-%zu\">", number);
		html_text(html, r->cards[i]->rule->name);
		html_markup(html, "</a>");
	}
	html_markup(html, n > 0 ? "</p>\n" : "");
}

void
report_put_who(struct html *html, const struct incident *incident, const char *before,
	       const char *after)
{
	static const char arrow[] = " -> ";
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));
	const char *rest = text;

	incident_put_who(&t, incident);
	if (t.len == 0)
		return;
	html_markup(html, before);
	for (const char *at; (at = strstr(rest, arrow)) != NULL; rest = at + strlen(arrow)) {
		html_text(html, (struct pmon_span){rest, (size_t)(at - rest)});
		html_markup(html, " &#8594; ");
	}
	html_str(html, rest);
	html_markup(html, after);
}

void
report_put_evidence(const struct report *r, struct html *html, const struct incident *incident,
		    size_t most, const char *before, const char *after)
{
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));
	size_t n = 0;

	for (size_t i = 0; n < most && incident_put_evidence(&t, &r->ranked.incidents, incident, i);
	     i++) {
		if (t.len > 0) {
			html_markup(html, n++ == 0 ? before : "<br>");
			html_str(html, text);
		}
		t = pmon_text_init(text, sizeof(text));
	}
	html_markup(html, n > 0 ? after : "");
}

// On the axis, on which clocks are never set.
static void
put_bar(const struct report *r, struct html *html, const char *class, pmon_time from, pmon_time to)
{
	html_format(html,
		    "<span class=\"lane\"><span class=\"%s\" data-from=\"%.0f\" data-to=\"%.0f\" "
		    "style=\"left:min(%.3f%%,100%% - 2px);width:%.3f%%\"></span></span>",
		    class, report_ms(from), report_ms(to), report_percent(r, from),
		    report_percent(r, to) - report_percent(r, from));
}

static void
put_times(const struct report *r, struct html *html, pmon_time from, int64_t length_100ns)
{
	html_markup(html, "</td><td>");
	report_time(r, html, from);
	html_markup(html, "</td><td class=\"n\">");
	report_length(html, length_100ns);
	html_markup(html, "</td></tr>\n");
}

// Its evidence is in its card, or else here.
static void
put_incident(const struct report *r, struct html *html, size_t number)
{
	const struct incident *incident = &r->ranked.incidents.list[number];
	const char *class = incident_severity_name(incident->severity);
	bool links = report_has_card(r, number);

	html_format(html, "<tr class=\"%s\"><th scope=\"row\">", class);
	if (links)
		html_format(html, "<a href=\"#incident-%zu\">", number);
	report_put_incident(r, html, incident);
	html_markup(html, links ? "</a>" : "");
	if (!links) {
		report_put_who(html, incident, "<br><span class=\"i\">", "</span>");
		report_put_evidence(r, html, incident, EVIDENCE, "<br><span class=\"i\">",
				    "</span>");
	}
	html_markup(html, "</th><td>");
	put_bar(r, html, class, incident->steady_from, incident->steady_to);
	put_times(r, html, incident->from, incident->length_100ns);
}

static void
put_event(const struct report *r, struct html *html, const struct event *event)
{
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	html_markup(html,
		    "<tr class=\"note\"><th scope=\"row\"><span class=\"badge\">Event</span> ");
	put_machine(r, html, event->machine);
	event_put(&t, event);
	html_str(html, text);
	html_markup(html, "</th><td>");
	put_bar(r, html, "note", event->steady_from, event->steady_to);
	put_times(r, html, event->from,
		  event->length_100ns != 0 ? event->length_100ns
					   : pmon_time_minus(event->steady_to, event->steady_from));
}

// ---- The section ----------------------------------------------------------------------------

static void
put_table(const struct report *r, struct html *html)
{
	const struct incidents *all = &r->ranked.incidents;
	const struct events *events = &all->tracks.events;
	size_t n = all->n < REPORT_LANES ? all->n : REPORT_LANES;

	html_markup(html, "<div class=\"scroll\" tabindex=\"0\"><table "
			  "class=\"incidents\"><thead><tr><th scope=\"col\">Incident, most severe "
			  "first</th><th scope=\"col\"><span class=\"ends\"><span>");
	report_time(r, html, r->from);
	html_markup(html, "</span><span>");
	report_time(r, html, r->to);
	html_markup(html, "</span></span></th><th scope=\"col\">From</th>"
			  "<th scope=\"col\" class=\"n\">for</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		put_incident(r, html, i);
	for (size_t i = 0; i < events->n; i++)
		put_event(r, html, &events->list[i]);
	html_markup(html, "</tbody></table></div>\n");
	if (all->n > n)
		html_format(html, "<p class=\"more\">and %zu more, which pmon health lists</p>\n",
			    all->n - n);
}

const char *
report_incidents(const struct report *r, struct html *html)
{
	const struct incidents *all = &r->ranked.incidents;
	const char *wrong;

	html_markup(html, "<section id=\"incidents\"><h2>Incidents</h2>\n");
	if (all->n + all->tracks.events.n > 0)
		put_table(r, html);
	else
		html_markup(html, "<p class=\"calm\">Nothing was unusual.</p>\n");
	wrong = report_cards(r, html);
	html_markup(html, "</section>\n");
	return wrong;
}

static void
put_number_of(struct pmon_text *t, size_t n, const char *what)
{
	char number[DRAW_NUMBER];

	(void)draw_whole(n, number, sizeof(number));
	pmon_text_str(t, number);
	pmon_text_char(t, ' ');
	pmon_text_str(t, what);
	pmon_text_str(t, pmon_text_word(n, "", "s"));
}

void
report_put_counts(struct pmon_text *t, const struct incidents *incidents)
{
	static const char *const words[] = {"critical incident", "warning", "note"};
	size_t n[] = {incidents_count(incidents, INCIDENT_CRITICAL),
		      incidents_count(incidents, INCIDENT_WARNING),
		      incidents_count(incidents, INCIDENT_NOTE)};
	size_t left = 0;

	for (size_t i = 0; i < sizeof(n) / sizeof(n[0]); i++)
		left += n[i] > 0;
	for (size_t i = 0; i < sizeof(n) / sizeof(n[0]); i++) {
		if (n[i] == 0)
			continue;
		put_number_of(t, n[i], words[i]);
		left--;
		pmon_text_str(t, left > 1 ? ", " : left > 0 ? " and " : "");
	}
}

void
report_summarize_incidents(const struct report *r, struct html *html)
{
	const struct incidents *all = &r->ranked.incidents;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	report_put_counts(&t, all);
	pmon_text_str(&t, all->n > 1 ? ". The gravest: " : ": ");
	html_str(html, text);
	put_machine(r, html, all->list[0].head->series->path.machine);
	t = pmon_text_init(text, sizeof(text));
	incident_put_headline(&t, all, all->list);
	html_str(html, text);
	html_markup(html, " from ");
	report_time(r, html, all->list[0].from);
	html_markup(html, " for ");
	report_length(html, all->list[0].length_100ns);
	report_put_who(html, all->list, "; ", "");
	html_markup(html, ". ");
}

void
report_baseline_incidents(const struct incidents *incidents, struct html *html)
{
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	html_markup(html, "<p>Incidents of the baseline: ");
	if (incidents->n == 0)
		pmon_text_str(&t, "none");
	report_put_counts(&t, incidents);
	html_str(html, text);
	html_markup(html, ".</p>\n");
	if (incidents->n == 0)
		return;
	html_markup(html, "<ul>\n");
	for (size_t i = 0; i < incidents->n && i < REPORT_DIFFERENCES; i++) {
		t = pmon_text_init(text, sizeof(text));
		pmon_text_str(&t, incident_severity_name(incidents->list[i].severity));
		pmon_text_str(&t, ": ");
		incident_put_headline(&t, incidents, &incidents->list[i]);
		html_markup(html, "<li>");
		html_str(html, text);
		html_markup(html, "</li>\n");
	}
	html_markup(html, "</ul>\n");
}
