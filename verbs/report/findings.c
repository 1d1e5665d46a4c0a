// findings.c - the findings, and the results of the other rules
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verbs/report/report.h"
#include "base/text.h"
#include "shell/output/episode.h"

static const char *const level_names[RULES_LEVELS] = {"Warning", "Critical"};
static const char *const level_classes[RULES_LEVELS] = {"warning", "critical"};

static void
put_lines(struct html *html, const struct rules_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		html_markup(html, i > 0 ? " " : "");
		html_text(html, lines->list[i]);
	}
}

// Name the target of each link, so that lists and printouts make sense.
static void
put_sources(struct html *html, const struct rules_rule *rule)
{
	for (size_t i = 0; i < rule->n_sources; i++) {
		bool linked = rule->sources[i].link.len > 0;

		html_markup(html, i > 0 ? "; " : "");
		if (linked) {
			html_markup(html, "<a rel=\"noreferrer\" href=\"");
			html_text(html, rule->sources[i].link);
			html_markup(html, "\">");
		}
		put_lines(html, &rule->sources[i].texts);
		html_markup(html, linked ? "</a>" : "");
	}
}

static void
put_comparison(struct html *html, const struct rules_rule *rule, const struct rules_limit *limit)
{
	html_markup(html, limit->threshold.below ? "below " : "above ");
	if (limit->or_equal)
		html_markup(html, "or at ");
	if (limit->threshold.any || rule->trend_100ns > 0)
		html_str(html, limit->threshold.text);
	else
		report_quantity(html, limit->threshold.value, limit->threshold.quantity);
}

// "above 20 ms, for at least 1 min"
static void
put_limit(struct html *html, const struct rules_rule *rule, enum rules_level level)
{
	const struct rules_limit *limit = &rule->limits[level];

	put_comparison(html, rule, limit);
	if (rule->per_processor)
		html_markup(html, " for each processor");
	if (rule->of.n > 0) {
		html_markup(html, " of ");
		html_text(html, rule->of.list[0]->path.counter);
	}
	if (rule->within_100ns > 0) {
		html_markup(html, ", for at least ");
		report_share(html, rule->window_share);
		html_markup(html, " of ");
		report_length(html, rule->within_100ns);
	}
	switch (limit->hold.lasting) {
	case RULES_SHARE:
		html_markup(html, ", for at least ");
		report_share(html, limit->hold.share);
		html_markup(html, " of the time");
		break;
	case RULES_TIME:
		html_markup(html, ", for at least ");
		report_length(html, limit->hold.time_100ns);
		break;
	case RULES_SAMPLES:
		if (limit->hold.samples > 1)
			html_format(html, ", for at least %llu samples",
				    (unsigned long long)limit->hold.samples);
		break;
	}
	if (rule->whiles.n > 0) {
		html_markup(html, ", while ");
		html_text(html, rule->whiles.list[0]->path.counter);
		html_markup(html, " is ");
		put_comparison(html, rule, &rule->while_limits[0]);
	}
}

// ---- A card: the findings of a rule and level --------------------------------------------------

static const double percentiles[] = {50, 95, 99};
#define N_PERCENTILES (sizeof(percentiles) / sizeof(percentiles[0]))

// When and how long the most severe episode was, and the type's own average over it.
static void
put_episode(const struct report *r, struct html *html, const struct rules_finding *f)
{
	const struct rules_episode *e = f->gravest;
	char number[2 * DRAW_NUMBER];

	html_markup(html, "</th><td>");
	report_time(r, html, e->from);
	html_markup(html, "</td><td class=\"n\">");
	report_length(html, e->length_100ns);
	html_markup(html, "</td><td class=\"n average\">");
	if (!isnan(e->slope) || pmon_vstat_has_value(e->average.status)) {
		(void)out_amount(e->series, isnan(e->slope) ? e->average.value : e->slope, number,
				 sizeof(number));
		html_str(html, number);
		html_markup(html, isnan(e->slope) ? "" : "/h");
		html_markup(html, e->from_queue     ? "*"
				  : isnan(e->slope) ? chart_average_mark(e->series)
						    : "");
	} else {
		html_markup(html, "-");
	}
	html_markup(html, "</td>");
}

// The same over all samples.
static void
put_whole(const struct report *r, struct html *html, const struct rules_finding *f)
{
	struct draw_unit unit = draw_unit_of(f->series);

	html_markup(html, "<td class=\"n w\">");
	report_quantity(html, f->worst.value * unit.factor, unit.quantity);
	html_markup(html, "</td><td>");
	report_time(r, html, f->worst_time);
	html_markup(html, "</td>");
	// A slope is computed from many samples: none of them exceeds its limit.
	if (f->rule->trend_100ns > 0) {
		html_markup(html, "<td class=\"n\">-</td><td class=\"n\">-</td>");
		return;
	}
	html_format(html, "<td class=\"n\"><data value=\"%.6f\">", f->share);
	if (f->beyond_100ns == 0 && f->time_100ns > 0)
		html_markup(html, "a moment");
	else
		report_share(html, f->share);
	html_format(html, "</data></td><td class=\"n\">%llu of %llu</td>",
		    (unsigned long long)f->beyond, (unsigned long long)f->samples);
}

static void
put_percentiles(const struct report *r, struct html *html, const struct rules_finding *f)
{
	struct draw_unit unit = draw_unit_of(f->series);
	const struct draw_multiple *multiple = report_multiple(report_stats(r, f->series), &unit);

	for (size_t i = 0; i < N_PERCENTILES; i++)
		report_percentile(r, html, f->series, &unit, multiple, percentiles[i]);
	html_format(html, "<td class=\"u\">%s</td>", multiple->name);
}

// swatch: the index of its color in the chart, -1 for none. Percentiles are available for series in
// charts.
static void
put_row(const struct report *r, struct html *html, const struct rules_finding *f, int swatch)
{
	html_markup(html, "<tr><th scope=\"row\">");
	if (swatch >= 0)
		html_format(html, "<span class=\"swatch c%d\"></span> ", swatch);
	html_text(html, f->series->path.counter);
	if (f->series->path.instance.ptr != NULL || r->two_machines) {
		html_markup(html, " <span class=\"i\">");
		report_instance(r, html, f->series);
		html_markup(html, "</span>");
	}
	if (f->gravest != NULL)
		put_episode(r, html, f);
	else
		html_markup(html, "</th><td>-</td><td class=\"n\">-</td><td class=\"n\">-</td>");
	put_whole(r, html, f);
	if (swatch >= 0)
		put_percentiles(r, html, f);
	else
		html_markup(html, "<td class=\"n\">-</td><td class=\"n\">-</td>"
				  "<td class=\"n\">-</td><td></td>");
	html_markup(html, "</tr>\n");
}

static void
put_rows(const struct report *r, struct html *html, size_t card, size_t n, bool charted)
{
	html_markup(html, "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th "
			  "scope=\"col\">Counter</th>"
			  "<th scope=\"col\">Worst from</th><th scope=\"col\" class=\"n\">for</th>"
			  "<th scope=\"col\" class=\"n\">Average then</th>"
			  "<th scope=\"col\" class=\"n\">Farthest</th><th scope=\"col\">at</th>"
			  "<th scope=\"col\" class=\"n\">Of the time</th>"
			  "<th scope=\"col\" class=\"n\">Samples</th>"
			  "<th scope=\"col\" class=\"n\">50&#8239;%</th>"
			  "<th scope=\"col\" class=\"n\">95&#8239;%</th>"
			  "<th scope=\"col\" class=\"n\">99&#8239;%</th><th scope=\"col\">Unit</th>"
			  "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n && i < REPORT_FINDINGS; i++)
		put_row(r, html, r->cards[card + i],
			charted && i < REPORT_CHART_SERIES ? (int)i : -1);
	html_markup(html, "</tbody></table></div>\n");
	if (n > REPORT_FINDINGS)
		html_format(html, "<p class=\"more\">and %zu more</p>\n", n - REPORT_FINDINGS);
}

// Which processes were busy during the most severe episode, and how its average was computed if not
// from raw values.
static void
put_during(const struct report *r, struct html *html, const struct rules_episode *e)
{
	char text[512];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (e->from_queue)
		html_markup(html, "<p>* The average was computed from queue lengths and operation "
				  "rates, because the log has no raw values.</p>\n");
	if (e->n_who == 0)
		return;
	html_markup(html, "<p class=\"who\">Busy from ");
	report_time(r, html, e->from);
	html_markup(html, " to ");
	report_time(r, html, e->to);
	html_markup(html, ", by <i>");
	html_text(html, pmon_series_english(e->who[0].series)->counter);
	html_markup(html, "</i>: ");
	episode_put_busiest(&t, e, e->n_who);
	html_str(html, text);
	html_markup(html, "</p>\n");
}

static const char *
put_card(const struct report *r, struct html *html, size_t card, size_t number)
{
	const struct rules_finding *f = r->cards[card];
	size_t n = report_group(r, card);
	const char *wrong = NULL;

	html_format(html,
		    "<article class=\"finding %s\" id=\"finding-%zu\"><h3><span class=\"badge\">"
		    "%s</span> ",
		    level_classes[f->level], number, level_names[f->level]);
	html_text(html, f->rule->name);
	html_markup(html, " <span class=\"limit\">");
	put_limit(html, f->rule, f->level);
	html_markup(html, "</span></h3>\n");
	if (f->rule->texts.n + f->rule->advice.n > 0) {
		html_markup(html, "<p>");
		put_lines(html, &f->rule->texts);
		html_markup(html, " ");
		put_lines(html, &f->rule->advice);
		html_markup(html, "</p>\n");
	}
	if (number < r->n_card_charts) {
		html_format(html, "<div class=\"picture\" tabindex=\"0\" data-chart=\"%zu\">",
			    number);
		wrong = report_draw(r, html, number);
		html_markup(html, "</div>\n");
	}
	put_rows(r, html, card, n, number < r->n_card_charts);
	if (f->gravest != NULL)
		put_during(r, html, f->gravest);
	if (f->rule->n_sources > 0) {
		html_markup(html, "<p class=\"source\">Source: ");
		put_sources(html, f->rule);
		html_markup(html, "</p>\n");
	}
	html_markup(html, "</article>\n");
	return wrong;
}

// ---- Rules that found nothing ---------------------------------------------------------------

static void
put_outcome(struct html *html, const struct rules_rule *rule, enum rules_outcome outcome,
	    size_t series)
{
	html_markup(html, "<tr><th scope=\"row\">");
	html_text(html, rule->name);
	html_markup(html, "</th><td>");
	for (size_t i = 0; i < RULES_LEVELS; i++) {
		if (!rule->limits[i].given)
			continue;
		if (i == RULES_CRITICAL && rule->limits[RULES_WARNING].given)
			html_markup(html, "; critical ");
		put_limit(html, rule, (enum rules_level)i);
	}
	html_markup(html, "</td><td>");
	switch (outcome) {
	case RULES_CROSSED:
		html_markup(html, "<strong>crossed</strong>");
		break;
	case RULES_KEPT:
		html_format(html, "not crossed; %zu counter%s judged", series,
			    pmon_text_word(series, "", "s"));
		break;
	case RULES_ELSEWHERE:
		html_markup(html, "not judged: the rule does not apply to this kind of machine");
		break;
	case RULES_NO_COUNTER:
		html_markup(html, "not judged: no such counter with values");
		break;
	case RULES_NO_UNIT:
		html_markup(html, "not judged: the counter and the limit have different units");
		break;
	case RULES_NO_REFERENCE:
		html_str(html,
			 rule->per_processor
				 ? "not judged: the number of processors is unknown"
				 : "not judged: the counter that the limit refers to is unknown");
		break;
	case RULES_TOO_SHORT:
		html_markup(html, "not judged: there are too few values for a trend");
		break;
	case RULES_NO_WHILE:
		html_markup(html, "not judged: the counter of its second condition is missing");
		break;
	case RULES_UNSETTLED:
		html_markup(html,
			    "not judged: it was observed for less time than the rule requires");
		break;
	case RULES_BEYOND:
		html_markup(html, "<strong>" RULES_ALL_BEYOND "</strong>");
		break;
	}
	html_markup(html, "</td></tr>\n");
}

// Does no machine have a counter of the pack that contains rule i?
static bool
lacks_pack(const struct report *r, size_t i)
{
	for (size_t m = 0; m < rules_judge_machines(r->judge); m++)
		if (!rules_judge_lacks_pack(r->judge, &r->rules, i, m))
			return false;
	return r->rules.list[i].pack.len > 0;
}

static void
put_outcome_or_pack(struct report *r, struct html *html, size_t i)
{
	size_t series;
	enum rules_outcome outcome = rules_judge_outcome(r->judge, i, &series);

	if (!lacks_pack(r, i)) {
		put_outcome(html, &r->rules.list[i], outcome, series);
	} else if (rules_begins_pack(&r->rules, i)) {
		html_markup(html, "<tr><th scope=\"row\">pack ");
		html_text(html, r->rules.list[i].pack);
		html_markup(html, "</th><td></td><td>no counters</td></tr>\n");
	}
}

static void
put_outcomes(struct report *r, struct html *html)
{
	const char *origin = r->args->rules.file == NULL   ? "pmon itself"
			     : r->args->rules.packs.n == 0 ? "a file"
							   : "a file and pmon itself";
	size_t judged = 0;
	size_t series;

	for (size_t i = 0; i < r->rules.n; i++)
		judged += rules_is_judged(rules_judge_outcome(r->judge, i, &series));
	html_format(
		html,
		"<details><summary>%zu rule%s from %s, of which %zu could be judged</summary>\n"
		"<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">Rule</th>"
		"<th scope=\"col\">Looks for</th><th scope=\"col\">Outcome</th></tr></thead>"
		"<tbody>\n",
		r->rules.n, pmon_text_word(r->rules.n, "", "s"), origin, judged);
	for (size_t i = 0; i < r->rules.n; i++)
		put_outcome_or_pack(r, html, i);
	html_markup(html, "</tbody></table></div></details>\n");
}

const char *
report_findings(struct report *r, struct html *html)
{
	const char *wrong = NULL;
	size_t number = 0;

	html_markup(html, "<section id=\"findings\"><h2>Crossed limits</h2>\n");
	if (r->n_findings + r->ranked.beyond == 0)
		html_markup(html, r->ranked.within > 0
					  ? "<p class=\"calm\">No limit that could be judged was "
					    "crossed for as long as its rule requires.</p>\n"
					  : "<p class=\"calm\">No rule could be judged.</p>\n");
	report_timeline(r, html);
	for (size_t i = 0; wrong == NULL && i < r->n_cards; i += report_group(r, i))
		wrong = put_card(r, html, i, number++);
	put_outcomes(r, html);
	html_markup(html, "</section>\n");
	return wrong;
}
