// findings.c - the thresholds that were crossed, and the results of the other rules
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "apps/report/report.h"

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

static void
put_sources(struct html *html, const struct rules_rule *rule)
{
	for (size_t i = 0; i < rule->n_sources; i++) {
		html_markup(html, i > 0 ? " " : "");
		put_lines(html, &rule->sources[i].texts);
		if (rule->sources[i].link.len == 0)
			continue;
		html_markup(html, " <a rel=\"noreferrer\" href=\"");
		html_text(html, rule->sources[i].link);
		html_markup(html, "\">read it</a>");
	}
}

static void
put_comparison(struct html *html, const struct rules_limit *limit)
{
	html_markup(html, limit->threshold.below ? "below " : "above ");
	if (limit->or_equal)
		html_markup(html, "or at ");
	html_str(html, limit->threshold.text);
}

// "above 20ms, for at least 1 min"
static void
put_limit(struct html *html, const struct rules_rule *rule, enum rules_level level)
{
	const struct rules_limit *limit = &rule->limits[level];

	put_comparison(html, limit);
	if (rule->per_processor)
		html_markup(html, " for each processor");
	if (rule->of.n > 0) {
		html_markup(html, " of ");
		html_text(html, rule->of.list[0].counter);
	}
	if (rule->within_100ns > 0) {
		html_markup(html, ", for at least ");
		report_share(html, rule->window_share);
		html_markup(html, " of ");
		report_length(html, rule->within_100ns);
	}
	switch (rule->lasting) {
	case RULES_SHARE:
		html_markup(html, ", for at least ");
		report_share(html, rule->share);
		html_markup(html, " of the time");
		break;
	case RULES_TIME:
		html_markup(html, ", for at least ");
		report_length(html, rule->time_100ns);
		break;
	case RULES_SAMPLES:
		if (rule->samples > 1)
			html_format(html, ", for at least %llu samples",
				    (unsigned long long)rule->samples);
		break;
	}
	if (rule->whiles.n > 0) {
		html_markup(html, ", while ");
		html_text(html, rule->whiles.list[0].counter);
		html_markup(html, " is ");
		put_comparison(html, &rule->while_limit);
	}
}

static void
put_row(struct report *r, struct html *html, const struct rules_finding *f)
{
	struct draw_unit unit = draw_unit_of(f->series);

	html_markup(html, "<tr><th scope=\"row\">");
	html_text(html, f->series->path.counter);
	if (f->series->path.instance.ptr != NULL || r->two_machines) {
		html_markup(html, " <span class=\"i\">");
		report_instance(r, html, f->series);
		html_markup(html, "</span>");
	}
	html_markup(html, "</th><td class=\"n\">");
	html_format(html, "<data value=\"%.6f\">", f->share);
	if (f->beyond_100ns == 0 && f->time_100ns > 0)
		html_markup(html, "a moment");
	else
		report_share(html, f->share);
	html_markup(html, "</data></td><td class=\"n\">");
	if (f->beyond_100ns > 0) {
		report_length(html, f->longest_100ns);
		html_markup(html, "</td><td>");
		report_time(r, html, f->longest_from);
	} else {
		html_markup(html, "-</td><td>");
		report_time(r, html, f->longest_from);
	}
	html_markup(html, "</td><td class=\"n w\">");
	report_quantity(html, f->worst.value * unit.factor, unit.quantity);
	html_markup(html, "</td><td>");
	report_time(r, html, f->worst_time);
	html_format(html, "</td><td class=\"n\">%llu of %llu</td></tr>\n",
		    (unsigned long long)f->beyond, (unsigned long long)f->samples);
}

// The n findings of one rule and level.
static void
put_group(struct report *r, struct html *html, const struct rules_finding *f, size_t n)
{
	html_format(html, "<article class=\"finding %s\"><h3><span class=\"badge\">%s</span> ",
		    level_classes[f->level], level_names[f->level]);
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
	html_markup(html, "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Counter</th>"
			  "<th scope=\"col\" class=\"n\">Of the time</th>"
			  "<th scope=\"col\" class=\"n\">Longest</th><th scope=\"col\">from</th>"
			  "<th scope=\"col\" class=\"n\">Worst</th><th scope=\"col\">at</th>"
			  "<th scope=\"col\" class=\"n\">Samples</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n && i < REPORT_FINDINGS; i++)
		put_row(r, html, &f[i]);
	html_markup(html, "</tbody></table></div>\n");
	if (n > REPORT_FINDINGS)
		html_format(html, "<p class=\"more\">and %zu more</p>\n", n - REPORT_FINDINGS);
	if (f->rule->n_sources > 0) {
		html_markup(html, "<p class=\"source\">Source: ");
		put_sources(html, f->rule);
		html_markup(html, "</p>\n");
	}
	html_markup(html, "</article>\n");
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
			    series == 1 ? "" : "s");
		break;
	case RULES_ELSEWHERE:
		html_markup(html, "not judged: the rule is for machines of another kind");
		break;
	case RULES_NO_COUNTER:
		html_markup(html, "not judged: no such counter with values");
		break;
	case RULES_NO_UNIT:
		html_markup(html, "not judged: the counter measures something else");
		break;
	case RULES_NO_REFERENCE:
		html_str(html, rule->per_processor
				       ? "not judged: how many processors there are is not known"
				       : "not judged: what it is a share of is not known");
		break;
	case RULES_TOO_SHORT:
		html_markup(html, "not judged: there are too few values for a trend");
		break;
	case RULES_NO_WHILE:
		html_markup(html, "not judged: the counter of its second condition is missing");
		break;
	}
	html_markup(html, "</td></tr>\n");
}

// No machine has a counter of the pack that rule i is in.
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
	size_t judged = 0;
	size_t series;

	for (size_t i = 0; i < r->rules.n; i++)
		judged += rules_judge_outcome(r->judge, i, &series) >= RULES_KEPT;
	html_format(html,
		    "<details><summary>%zu rules from %s, of which %zu could be judged</summary>\n"
		    "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Rule</th>"
		    "<th scope=\"col\">Looks for</th><th scope=\"col\">Outcome</th></tr></thead>"
		    "<tbody>\n",
		    r->rules.n, args_text(&r->args, "--rules") != NULL ? "a file" : "pmon itself",
		    judged);
	for (size_t i = 0; i < r->rules.n; i++)
		put_outcome_or_pack(r, html, i);
	html_markup(html, "</tbody></table></div></details>\n");
}

void
report_findings(struct report *r, struct html *html)
{
	html_markup(html, "<section id=\"findings\"><h2>Findings</h2>\n");
	if (r->n_findings == 0)
		html_markup(html, "<p class=\"calm\">No limit was crossed for as long as its rule "
				  "asks, of those that could be judged.</p>\n");
	report_timeline(r, html);
	for (size_t i = 0; i < r->n_findings;) {
		const struct rules_finding *f = &r->findings[i];
		size_t n = 1;

		while (i + n < r->n_findings && f[n].rule == f->rule && f[n].level == f->level)
			n++;
		put_group(r, html, f, n);
		i += n;
	}
	put_outcomes(r, html);
	html_markup(html, "</section>\n");
}
