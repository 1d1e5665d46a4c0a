// baseline.c - what is worse or better than in another log: findings, the rows of pmon diff
// BASELINE LOG, and counters whose 95th percentile differs
// SPDX-License-Identifier: MIT

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs/report/baseline.h"
#include "base/num.h"
#include "base/text.h"
#include "shell/output/say.h"
#include "shell/input/logs_apart.h"
#include "os/dir.h"

// ---- Reading --------------------------------------------------------------------------------

static int
begin_judging(struct report_baseline *b, const struct rules *rules)
{
	const struct rules_options options = {.calc = &b->logs.request.calc, .episodes = true};

	b->judged.args = b->differences.args;
	b->judged.rules = *rules;
	b->judged.finds_incidents = true;
	b->judged.judge = rules_judge_new(rules, pmon_source_schema(b->logs.source), &options);
	return b->judged.judge != NULL && tracks_begin(&b->judged.incidents.tracks)
		       ? EXIT_DONE
		       : say(EXIT_FAILED, "not enough memory");
}

static int
read_samples(struct report_baseline *b, const struct rules *rules)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	int status = differences_open(&b->differences, BEFORE, &b->logs);

	if (status == EXIT_DONE)
		status = begin_judging(b, rules);
	while (status == EXIT_DONE && logs_next(&b->logs, &sample, &status)) {
		status = differences_add(&b->differences, BEFORE, sample, &values);
		if (status == EXIT_DONE &&
		    (!rules_judge_add(b->judged.judge, sample, values) ||
		     !tracks_add(&b->judged.incidents.tracks, pmon_source_schema(b->logs.source),
				 sample, values)))
			status = say(EXIT_FAILED, "not enough memory");
		if (sample->preceding)
			continue;
		b->from = sample->time < b->from ? sample->time : b->from;
		b->to = sample->time > b->to ? sample->time : b->to;
	}
	b->judged.statistics = b->differences.statistics[BEFORE];
	if (status == EXIT_DONE)
		status = judged_rank(&b->judged);
	tracks_free_bins(&b->judged.incidents.tracks);
	return status;
}

// If the report is about this machine, which is sampled next, another process parses the log: the
// sandbox cannot be left.
static int
open_logs(struct report_baseline *b, const struct report *r)
{
	const struct apart_options apart = {.checks_patterns = false};
	struct request request = request_of_log(r->args, &OWN_OPTIONS(report, r->args)->baseline);
	bool live = r->args->operands.n == 0;

	request.misplaced = NULL;
	request.by_process = r->request.by_process;
	b->is_open = true;
	return live ? logs_open_apart(&b->logs, &request, &apart) : logs_open(&b->logs, &request);
}

int
report_baseline_read(struct report *r)
{
	const char *name = OWN_OPTIONS(report, r->args)->baseline;
	struct pmon_span file;
	struct report_baseline *b;
	int status;

	if (name == NULL)
		return EXIT_DONE;
	b = r->baseline = calloc(1, sizeof(*b));
	if (b == NULL)
		return say(EXIT_FAILED, "not enough memory");
	file.ptr = pmon_os_name(name);
	file.len = strlen(file.ptr);
	draw_clean(report_is_anonymous(r) ? PMON_SPAN("the baseline") : file, b->name,
		   sizeof(b->name));
	b->from = INT64_MAX;
	b->to = INT64_MIN;
	b->differences.args = r->args;
	b->differences.changed.tails = true;
	status = open_logs(b, r);
	return status == EXIT_DONE ? read_samples(b, &r->rules) : status;
}

void
report_baseline_names(struct report *r)
{
	if (r->baseline != NULL)
		redaction_add(&r->names, r->baseline->logs.source);
}

int
report_baseline_begin(struct report *r)
{
	return r->baseline != NULL ? differences_open(&r->baseline->differences, AFTER, &r->logs)
				   : EXIT_DONE;
}

int
report_baseline_add(struct report *r, const struct pmon_sample *sample)
{
	return r->baseline != NULL ? differences_add(&r->baseline->differences, AFTER, sample, NULL)
				   : EXIT_DONE;
}

int
report_baseline_close(struct report *r, int status)
{
	struct report_baseline *b = r->baseline;

	if (b == NULL)
		return status;
	if (b->is_open)
		status = logs_close(&b->logs, status);
	differences_free(&b->differences);
	judged_free_ranking(&b->judged);
	rules_judge_free(b->judged.judge);
	free(b->findings);
	free(b);
	return status;
}

// ---- Worse or better ------------------------------------------------------------------------

// 1 if rules limit how large the counter may be; -1: how small; 0: no rule limits it.
static int
direction_of(const struct rules *rules, const struct pmon_series *series)
{
	for (size_t i = 0; i < rules->n; i++) {
		const struct rules_rule *rule = &rules->list[i];
		size_t level = rule->limits[RULES_WARNING].given ? RULES_WARNING : RULES_CRITICAL;

		for (size_t k = 0; rule->trend_100ns == 0 && k < rule->counters.n; k++)
			if (pmon_series_match(&rule->counters.list[k]->path, series))
				return rule->limits[level].threshold.below ? -1 : 1;
	}
	return 0;
}

static enum verdict
verdict_of(const struct report *r, const struct changed_row *row)
{
	int direction = direction_of(&r->rules, row->series);

	if (direction == 0)
		return OTHER;
	return direction * row->comparison.effect > 0 ? WORSE : BETTER;
}

// The 95th percentile is meaningful only if rules limit how large a counter may be.
static void
drop_other_tails(const struct report *r, struct changed *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (!c->rows[i].tail || direction_of(&r->rules, c->rows[i].series) > 0)
			c->rows[n++] = c->rows[i];
	c->n = n;
}

// Counters with findings come first, in the order of these. Other scores are much smaller.
static void
score_findings(const struct report *r, struct changed *c)
{
	for (size_t k = r->ranked.n_findings; k-- > 0;)
		for (size_t i = 0; i < c->n; i++)
			if (c->rows[i].series == r->ranked.findings[k].series)
				c->rows[i].score = DBL_MAX / (double)(k + 2);
}

// The rows contain only series of r->logs.
int
report_baseline_compare(struct report *r)
{
	struct report_baseline *b = r->baseline;
	int status;

	if (b == NULL)
		return EXIT_DONE;
	status = pairs_compare(&b->differences, &b->logs, &r->logs);
	drop_other_tails(r, &b->differences.changed);
	score_findings(r, &b->differences.changed);
	changed_rank(&b->differences.changed);
	return status == EXIT_DONE ? baseline_compare_findings(r) : status;
}

static size_t
count(const struct report *r, enum verdict verdict)
{
	const struct changed *c = &r->baseline->differences.changed;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += verdict_of(r, &c->rows[i]) == verdict;
	return n;
}

static bool
has_few_samples(const struct changed *c)
{
	return c->samples[BEFORE] < CHANGED_FEWEST || c->samples[AFTER] < CHANGED_FEWEST;
}

// ---- Words ----------------------------------------------------------------------------------

static void
put_verdicts(const struct report *r, struct pmon_text *t)
{
	const struct report_baseline *b = r->baseline;
	size_t n[VERDICTS];

	for (size_t i = 0; i < VERDICTS; i++)
		n[i] = count(r, (enum verdict)i);
	pmon_text_str(t, "Compared with ");
	pmon_text_str(t, b->name);
	pmon_text_str(t, ", ");
	if (b->n_findings > 0) {
		out_put_count(t, baseline_count_findings(b, WORSE), " finding is new or worse, ",
			      " findings are new or worse, ");
		out_put_count(t, baseline_count_findings(b, BETTER), " is gone or better; ",
			      " are gone or better; ");
	}
	out_put_count(t, n[WORSE], " counter is worse, ", " counters are worse, ");
	out_put_count(t, n[BETTER], " is better, and ", " are better, and ");
	out_put_count(t, n[OTHER], " other differs.", " others differ.");
}

void
report_baseline_summary(const struct report *r, struct html *html)
{
	char text[512];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (r->baseline == NULL || has_few_samples(&r->baseline->differences.changed))
		return;
	html_markup(html, "<p class=\"summary\">");
	put_verdicts(r, &t);
	html_str(html, text);
	html_markup(html, "</p>\n");
}

static void
put_times(const struct report *r, struct html *html)
{
	const struct report_baseline *b = r->baseline;
	struct draw_clock clock = chart_clock(&r->logs.clock);
	char text[256];

	html_markup(html, "<p class=\"sub\">");
	html_str(html, b->name);
	if (b->to >= b->from) {
		draw_time_range(b->from, b->to, &clock, text, sizeof(text));
		html_markup(html, ": ");
		html_str(html, text);
	}
	html_markup(html, "</p>\n");
}

static size_t
count_tails(const struct changed *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->rows[i].tail;
	return n;
}

static void
put_compared(const struct report *r, struct html *html)
{
	const struct differences *d = &r->baseline->differences;
	char text[512];
	struct pmon_text t = pmon_text_init(text, sizeof(text));
	size_t tails = count_tails(&d->changed);
	size_t n = d->changed.n - tails;

	out_put_count(&t, d->changed.compared, " counter was compared; ",
		      " counters were compared; ");
	if (n == 0)
		pmon_text_str(&t, d->changed.compared == 1
					  ? "it does not differ in median and average"
					  : "none of them differs in median and average");
	else
		out_put_count(&t, n, " differs in median and average",
			      " differ in median and average");
	pmon_text_str(&t, " by a fifth and three times the noise. ");
	if (tails > 0)
		out_put_count(
			&t, tails,
			" more, which has a limit in a rule, differs in its 95th percentile. ",
			" more, which have limits in rules, differ in their 95th percentiles. ");
	if (d->unpaired[BEFORE] > 0)
		out_put_count(&t, d->unpaired[BEFORE], " has values in the baseline only. ",
			      " have values in the baseline only. ");
	if (d->unpaired[AFTER] > 0)
		out_put_count(&t, d->unpaired[AFTER], " has values in this log only. ",
			      " have values in this log only. ");
	html_element(html, "p", text);
}

// ---- Tables ---------------------------------------------------------------------------------

static void
put_value(struct html *html, const struct pmon_series *series, const struct pmon_value *value,
	  bool is_bold)
{
	char number[2 * DRAW_NUMBER];
	char exact[PMON_NUM_SIZE];

	if (!pmon_vstat_has_value(value->status)) {
		html_markup(html, "<td class=\"n\">-</td>");
		return;
	}
	pmon_num_shortest(value->value, exact);
	(void)out_amount(series, value->value, number, sizeof(number));
	html_format(html, "<td class=\"n%s\"><data value=\"%s\">%s</data></td>",
		    is_bold ? " w" : "", exact, number);
}

static void
put_row(const struct report *r, struct html *html, const struct changed_row *row)
{
	html_markup(html, "<tr><th scope=\"row\">");
	html_text(html, row->series->path.object);
	html_markup(html, " ");
	html_text(html, row->series->path.counter);
	if (row->series->path.instance.ptr != NULL || r->two_machines) {
		html_markup(html, " <span class=\"i\">");
		report_instance(r, html, row->series);
		html_markup(html, "</span>");
	}
	html_markup(html, "</th>");
	for (int side = BEFORE; side <= AFTER; side++)
		put_value(html, row->series, &row->average[side], false);
	if (isfinite(row->factor))
		html_format(html,
			    fabs(row->factor) >= 100 ? "<td class=\"n%s\">%.0f&#215;</td>"
						     : "<td class=\"n%s\">%.3g&#215;</td>",
			    row->tail ? "" : " w", row->factor);
	else
		html_markup(html, "<td class=\"n\">-</td>");
	for (int side = BEFORE; side <= AFTER; side++)
		put_value(html, row->series, &row->p95[side], row->tail && side == AFTER);
	html_markup(html, "</tr>\n");
}

static void
put_table(const struct report *r, struct html *html, enum verdict verdict)
{
	static const char *const headings[] = {"Worse", "Better", "Other differences"};
	const struct changed *c = &r->baseline->differences.changed;
	size_t all = count(r, verdict);
	size_t n = 0;

	if (all == 0)
		return;
	html_element(html, "h3", headings[verdict]);
	html_markup(html,
		    "<div class=\"scroll\" tabindex=\"0\"><table class=\"differences\"><thead><tr>"
		    "<th scope=\"col\">Counter</th>"
		    "<th scope=\"col\" class=\"n\">Baseline average</th>"
		    "<th scope=\"col\" class=\"n\">Average</th>"
		    "<th scope=\"col\" class=\"n\">Factor</th>"
		    "<th scope=\"col\" class=\"n\">Baseline 95&#8239;%</th>"
		    "<th scope=\"col\" class=\"n\">95&#8239;%</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < c->n && n < REPORT_DIFFERENCES; i++) {
		if (verdict_of(r, &c->rows[i]) != verdict)
			continue;
		put_row(r, html, &c->rows[i]);
		n++;
	}
	html_markup(html, "</tbody></table></div>\n");
	if (all > n)
		html_format(html, "<p class=\"more\">and %zu more</p>\n", all - n);
}

// The command that lists everything that differs in median and average.
static void
put_command(const struct report *r, struct html *html)
{
	char text[1024];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	pmon_text_str(&t, "pmon diff ");
	out_put_word(&t, r->baseline->name);
	if (r->request.logs.n > 0) {
		pmon_text_char(&t, ' ');
		out_put_word(&t, r->files[0].name);
	}
	html_markup(html, " For all counters that differ in median and average: <code>");
	html_str(html, text);
	html_markup(html, "</code>");
}

void
report_baseline_section(const struct report *r, struct html *html)
{
	const struct changed *c;

	if (r->baseline == NULL)
		return;
	c = &r->baseline->differences.changed;
	html_markup(html, "<section id=\"baseline\"><h2>Compared with ");
	html_str(html, r->baseline->name);
	html_markup(html, "</h2>\n");
	put_times(r, html);
	if (has_few_samples(c)) {
		html_format(html,
			    "<p>Too few samples to compare: %llu in the baseline and %llu in this "
			    "log; each needs %d.</p>\n</section>\n",
			    (unsigned long long)c->samples[BEFORE],
			    (unsigned long long)c->samples[AFTER], CHANGED_FEWEST);
		return;
	}
	report_baseline_incidents(&r->baseline->judged.incidents, html);
	baseline_put_findings(r, html);
	put_compared(r, html);
	for (size_t i = 0; i < VERDICTS; i++)
		put_table(r, html, (enum verdict)i);
	if (c->n > 0) {
		html_markup(
			html,
			"<p class=\"more\">If a rule has an upper limit for a counter, larger is "
			"worse; if it has a lower limit, smaller is worse. The other counters have "
			"no limit. Counters with findings come first. Differences are bold.");
		if (r->request.logs.n < 2)
			put_command(r, html);
		html_markup(html, "</p>\n");
	}
	html_markup(html, "</section>\n");
}
