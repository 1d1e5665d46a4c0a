// baseline_findings.c - findings that only the report or only its baseline has
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>

#include "verbs/report/baseline.h"
#include "base/text.h"
#include "shell/output/episode.h"
#include "shell/output/say.h"

#define MUCH 1.2 // so many times longer counts as worse

// ---- Pairs ----------------------------------------------------------------------------------

struct item {
	const struct rules_finding *finding;
	enum time_side side;
	size_t rank;
	bool with_machine;
};

static int
compare_keys(const struct item *a, const struct item *b)
{
	const struct rules_rule *x = a->finding->rule;
	const struct rules_rule *y = b->finding->rule;

	if (x != y)
		return x < y ? -1 : 1;
	return pairs_order(a->finding->series, b->finding->series, a->with_machine);
}

static int
by_key(const void *a, const void *b)
{
	const struct item *x = a;
	const struct item *y = b;
	int order = compare_keys(x, y);

	if (order == 0 && x->side != y->side)
		return x->side < y->side ? -1 : 1;
	return order != 0 ? order : x->rank < y->rank ? -1 : x->rank > y->rank;
}

// The severity of a finding, to compare it with the same finding in another log: the share of the
// time, or the slope.
static double
extent_of(const struct rules_finding *f)
{
	return f->rule->trend_100ns > 0 ? fabs(f->gravest->slope) : f->share;
}

static enum verdict
verdict_of(const struct rules_finding *before, const struct rules_finding *after)
{
	if (before == NULL || after == NULL)
		return before == NULL ? WORSE : BETTER;
	if (before->level != after->level)
		return after->level > before->level ? WORSE : BETTER;
	if (extent_of(after) > MUCH * extent_of(before))
		return WORSE;
	return extent_of(before) > MUCH * extent_of(after) ? BETTER : OTHER;
}

static void
add_pair(struct report_baseline *b, const struct item *before, const struct item *after)
{
	struct compared_finding *c = &b->findings[b->n_findings++];

	c->sides[BEFORE] = before != NULL ? before->finding : NULL;
	c->sides[AFTER] = after != NULL ? after->finding : NULL;
	c->rank = after != NULL ? after->rank : before->rank;
	c->verdict = verdict_of(c->sides[BEFORE], c->sides[AFTER]);
}

// Pair findings with the same rule and name in order of severity.
static void
pair_group(struct report_baseline *b, const struct item *items, size_t n)
{
	size_t n_before = 0;

	while (n_before < n && items[n_before].side == BEFORE)
		n_before++;
	for (size_t i = 0; i < n_before || i < n - n_before; i++)
		add_pair(b, i < n_before ? &items[i] : NULL,
			 i < n - n_before ? &items[n_before + i] : NULL);
}

static int
by_verdict(const void *a, const void *b)
{
	const struct compared_finding *x = a;
	const struct compared_finding *y = b;

	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

int
baseline_compare_findings(struct report *r)
{
	struct report_baseline *b = r->baseline;
	const struct judged *sides[2] = {[BEFORE] = &b->judged, [AFTER] = &r->ranked};
	bool with_machine = !logs_of_one_machine(&b->logs) || !logs_of_one_machine(&r->logs);
	size_t room = b->judged.n_findings + r->ranked.n_findings + 1;
	struct item *items = calloc(room, sizeof(*items));
	size_t n = 0;

	b->findings = calloc(room, sizeof(*b->findings));
	if (items == NULL || b->findings == NULL) {
		free(items);
		return say(EXIT_FAILED, "not enough memory");
	}
	for (int side = BEFORE; side <= AFTER; side++)
		for (size_t i = 0; i < sides[side]->n_findings; i++)
			items[n++] = (struct item){&sides[side]->findings[i], (enum time_side)side,
						   i, with_machine};
	qsort(items, n, sizeof(*items), by_key);
	for (size_t from = 0, to = 0; from < n; from = to) {
		while (to < n && compare_keys(&items[from], &items[to]) == 0)
			to++;
		pair_group(b, items + from, to - from);
	}
	free(items);
	qsort(b->findings, b->n_findings, sizeof(*b->findings), by_verdict);
	return EXIT_DONE;
}

size_t
baseline_count_findings(const struct report_baseline *b, enum verdict verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_findings; i++)
		n += b->findings[i].verdict == verdict;
	return n;
}

// ---- The table ------------------------------------------------------------------------------

static bool
was_judged(const struct rules_judge *judge, const struct rules *rules,
	   const struct rules_rule *rule)
{
	size_t series;

	return rules_is_judged(rules_judge_outcome(judge, (size_t)(rule - rules->list), &series));
}

// "59 min, 24.6 % of the time", or how fast it grew.
static void
put_extent(struct html *html, const struct rules_finding *f, bool judged)
{
	char text[256];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	html_markup(html, "<td>");
	if (f == NULL) {
		html_markup(html, judged ? "none" : "not judged");
	} else if (f->rule->trend_100ns > 0) {
		episode_put_how(&t, f->gravest);
		html_str(html, text);
	} else {
		report_length(html, f->beyond_100ns);
		html_markup(html, ", ");
		report_share(html, f->share);
		html_markup(html, " of the time");
	}
	html_markup(html, "</td>");
}

static void
put_row(const struct report *r, struct html *html, const struct compared_finding *c)
{
	static const char *const words[VERDICTS] = {"worse", "better", "as it was"};
	static const char *const levels[RULES_LEVELS] = {"warning", "critical"};
	const struct rules_finding *f =
		c->sides[AFTER] != NULL ? c->sides[AFTER] : c->sides[BEFORE];
	const struct judged *sides[2] = {[BEFORE] = &r->baseline->judged, [AFTER] = &r->ranked};
	char text[512];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	episode_put_what(&t, f->gravest, r->two_machines);
	html_markup(html, "<tr><th scope=\"row\">");
	html_str(html, text);
	html_format(html, " <span class=\"i\">%s</span></th>", levels[f->level]);
	for (int side = BEFORE; side <= AFTER; side++)
		put_extent(html, c->sides[side],
			   was_judged(sides[side]->judge, &r->rules, f->rule));
	html_format(html, "<td class=\"w\">%s</td></tr>\n",
		    c->sides[BEFORE] == NULL  ? "new"
		    : c->sides[AFTER] == NULL ? "gone"
					      : words[c->verdict]);
}

void
baseline_put_findings(const struct report *r, struct html *html)
{
	const struct report_baseline *b = r->baseline;
	size_t n = b->n_findings < REPORT_DIFFERENCES ? b->n_findings : REPORT_DIFFERENCES;

	if (n == 0)
		return;
	html_markup(
		html,
		"<h3>Findings</h3>\n<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>"
		"<th scope=\"col\">Finding</th><th scope=\"col\">Baseline, beyond its limit</th>"
		"<th scope=\"col\">This log, beyond its limit</th><th scope=\"col\">It is</th>"
		"</tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		put_row(r, html, &b->findings[i]);
	html_markup(html, "</tbody></table></div>\n");
	if (b->n_findings > n)
		html_format(html, "<p class=\"more\">and %zu more, which pmon health lists</p>\n",
			    b->n_findings - n);
}
