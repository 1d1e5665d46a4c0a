// timeline.c - what was wrong in one sentence, and when; and a comparison of machines
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <stdlib.h>

#include "verbs/first/matrix.h"
#include "verbs/report/report.h"
#include "base/text.h"
#include "shell/output/episode.h"
#include "shell/process/memory.h"

#define TEXT 512

static const char *const classes[RULES_LEVELS] = {"warning", "critical"};

// ---- The summary ----------------------------------------------------------------------------

// "All 17 rules that could be judged were within their limits."
static void
put_within(struct pmon_text *t, const struct judged *j, bool two_machines)
{
	if (two_machines) {
		pmon_text_str(t, "All rules that could be judged were within their limits on all "
				 "machines. ");
		return;
	}
	if (j->within == 1) {
		pmon_text_str(t, "The only rule that could be judged was within its limits. ");
		return;
	}
	pmon_text_str(t, j->within == 2 ? "Both rules" : "All ");
	if (j->within > 2)
		out_put_count(t, j->within, " rule", " rules");
	pmon_text_str(t, " that could be judged were within their limits. ");
}

// The packs without any counter in the logs, which are counted with the rules that could not be
// evaluated, once per machine.
static size_t
count_packs(const struct judged *j)
{
	size_t n = 0;

	for (size_t m = 0; m < rules_judge_machines(j->judge); m++)
		for (size_t i = 0; i < j->rules.n; i++)
			n += rules_begins_pack(&j->rules, i) && judged_lacks_pack(j, i, m);
	return n;
}

// What is unknown, because rules could not be evaluated for lack of counters.
static void
put_unknown(struct pmon_text *t, const struct judged *j, bool two_machines)
{
	size_t packs = count_packs(j);

	if (j->not_judged > packs) {
		out_put_count(t, j->not_judged - packs, " rule", " rules");
		pmon_text_str(t, " could not be judged");
		pmon_text_str(t, two_machines ? ", each machine counted" : "");
	}
	if (packs > 0) {
		pmon_text_str(t, j->not_judged > packs ? "; " : "There are ");
		pmon_text_str(t, "no counters for ");
		out_put_count(t, packs, " pack", " packs");
		pmon_text_str(t, " of rules");
	}
	pmon_text_str(t, j->not_judged > 0 ? "." : "");
}

// "Beyond for all of it, too short for the rule: Processor time. "
static void
put_beyond(struct pmon_text *t, const struct judged *j)
{
	if (j->beyond == 0)
		return;
	pmon_text_str(t, "Beyond the limit throughout, but too short for the rule: ");
	judged_put_beyond(j, t);
	pmon_text_str(t, ". ");
}

// What is unusual is said by the incidents; crossed limits that are usual for the machine are in the timeline.
static void
put_calm(struct pmon_text *t, const struct judged *j, bool two_machines)
{
	size_t n = j->incidents.within_usual;

	if (n > 0) {
		pmon_text_str(t, "Nothing was unusual; ");
		out_put_count(t, n, " limit", " limits");
		pmon_text_str(t, pmon_text_word(n, " was crossed as usual. ",
						" were crossed as usual. "));
	} else if (j->within > 0) {
		put_within(t, j, two_machines);
	} else if (j->beyond == 0) {
		pmon_text_str(t, "No rule could be judged. ");
	}
}

void
report_summary(const struct report *r, struct html *html)
{
	const struct judged *j = &r->ranked;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	html_markup(html, "<p class=\"summary\">");
	if (j->incidents.n > 0)
		report_summarize_incidents(r, html);
	else
		put_calm(&t, j, r->two_machines);
	put_beyond(&t, j);
	put_unknown(&t, j, r->two_machines);
	html_str(html, text);
	html_markup(html, "</p>\n");
}

// ---- The timeline ---------------------------------------------------------------------------

double
report_percent(const struct report *r, pmon_time t)
{
	return r->to > r->from ? 100.0 * (double)(t - r->from) / (double)(r->to - r->from) : 0;
}

// The episodes of a finding as bars, critical ones over warnings.
static void
put_lane(const struct report *r, struct html *html, const struct rules_finding *f)
{
	html_markup(html, "<span class=\"lane\">");
	for (size_t level = 0; level < RULES_LEVELS; level++)
		for (size_t i = 0; i < r->n_episodes; i++) {
			const struct rules_episode *e = &r->episodes[i];
			// As the axis is.
			pmon_time from = e->steady_from;
			pmon_time to = e->steady_to;

			if (e->rule != f->rule || e->series != f->series || e->level != level)
				continue;
			html_format(html,
				    "<span class=\"%s\" data-from=\"%.0f\" data-to=\"%.0f\"%s "
				    "style=\"left:min(%.3f%%,100%% - 2px);"
				    "width:%.3f%%\">",
				    classes[level], report_ms(from), report_ms(to),
				    from == f->gravest->steady_from && level == f->level
					    ? " data-gravest"
					    : "",
				    report_percent(r, from),
				    report_percent(r, to) - report_percent(r, from));
			html_markup(html, "</span>");
		}
	html_markup(html, "</span>");
}

// Link to the card of the finding's rule.
static void
put_link(const struct report *r, struct html *html, const struct rules_finding *f)
{
	size_t number = 0;

	for (size_t i = 0; i < r->n_cards; i += report_group(r, i), number++)
		if (r->cards[i]->rule == f->rule && r->cards[i]->level == f->level)
			html_format(html, "<a href=\"#finding-%zu\">", number);
}

static void
put_row(const struct report *r, struct html *html, const struct rules_finding *f)
{
	const struct rules_episode *e = f->gravest;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	episode_put_what(&t, e, r->two_machines);
	html_format(html, "<tr class=\"%s\"><th scope=\"row\"><span class=\"badge\">%s</span> ",
		    classes[f->level], f->level == RULES_CRITICAL ? "Critical" : "Warning");
	put_link(r, html, f);
	html_str(html, text);
	html_markup(html, "</a></th><td>");
	put_lane(r, html, f);
	html_markup(html, "</td><td>");
	report_time(r, html, e->from);
	html_markup(html, "</td><td class=\"n\">");
	report_length(html, e->length_100ns);
	html_markup(html, "</td><td class=\"n\">");
	t = pmon_text_init(text, sizeof(text));
	episode_put_how(&t, e);
	html_str(html, text);
	html_format(html, "</td><td class=\"n\">%llu</td></tr>\n", (unsigned long long)f->episodes);
}

void
report_timeline(const struct report *r, struct html *html)
{
	const struct judged *j = &r->ranked;
	size_t n = j->n_findings < REPORT_LANES ? j->n_findings : REPORT_LANES;

	if (n == 0)
		return;
	html_markup(html, "<div class=\"scroll\" tabindex=\"0\"><table "
			  "class=\"timeline\"><thead><tr><th scope=\"col\">Finding, most severe "
			  "first</th><th scope=\"col\"><span class=\"ends\"><span>");
	report_time(r, html, r->from);
	html_markup(html, "</span><span>");
	report_time(r, html, r->to);
	html_markup(html, "</span></span></th><th scope=\"col\">Worst from</th>"
			  "<th scope=\"col\" class=\"n\">for</th>"
			  "<th scope=\"col\" class=\"n\">Average then</th>"
			  "<th scope=\"col\" class=\"n\">Episodes</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		put_row(r, html, &j->findings[i]);
	html_markup(html, "</tbody></table></div>\n");
	if (j->n_findings > n)
		html_format(html, "<p class=\"more\">and %zu more</p>\n", j->n_findings - n);
}

// ---- Machines -------------------------------------------------------------------------------

static void
put_machine(const struct report *r, struct html *html, const struct first_machine *m)
{
	html_markup(html, "<tr><th scope=\"row\">");
	html_text(html, m->name);
	html_format(html, "</th><td class=\"n\">%zu</td><td class=\"n\">%zu</td>",
		    m->findings[RULES_CRITICAL], m->findings[RULES_WARNING]);
	for (size_t q = 0; q < FIRST_QUESTIONS; q++) {
		struct pmon_value value;
		char number[2 * DRAW_NUMBER];

		html_markup(html, "<td class=\"n\">");
		if (first_answer(&r->ranked, m, q, &value)) {
			(void)out_amount(m->answers[q].series, value.value, number, sizeof(number));
			html_str(html, number);
		} else {
			html_markup(html, "-");
		}
		html_markup(html, "</td>");
	}
	html_markup(html, "</tr>\n");
}

void
report_machines(const struct report *r, struct html *html)
{
	const struct pmon_schema *schema = pmon_source_schema(r->logs.source);
	struct machines machines;
	struct first_machine *list;

	if (!r->two_machines)
		return;
	list = machines_find(schema, &machines) ? first_matrix(&r->ranked, schema, &machines)
						: NULL;
	if (list == NULL) {
		machines_free(&machines);
		memory_was_short();
		return;
	}
	html_markup(html, "<section id=\"machines\"><h2>Machines</h2>\n<div class=\"scroll\" "
			  "tabindex=\"0\"><table>"
			  "<thead><tr><th scope=\"col\">Machine</th>"
			  "<th scope=\"col\" class=\"n\">Critical</th>"
			  "<th scope=\"col\" class=\"n\">Warning</th>");
	for (size_t q = 0; q < FIRST_QUESTIONS; q++)
		html_format(html, "<th scope=\"col\" class=\"n\">%s</th>", first_questions[q]);
	html_markup(html, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < machines.n && i < REPORT_MACHINES; i++)
		put_machine(r, html, &list[i]);
	html_markup(html, "</tbody></table></div>\n");
	if (machines.n > REPORT_MACHINES)
		html_format(html, "<p class=\"more\">and %zu more %s</p>\n",
			    machines.n - REPORT_MACHINES,
			    pmon_text_word(machines.n - REPORT_MACHINES, "machine", "machines"));
	html_markup(html, "<p class=\"more\">Averages; for memory, the minimum; for disks and "
			  "networks, the slowest disk and the busiest network.</p>\n</section>\n");
	machines_free(&machines);
	free(list);
}
