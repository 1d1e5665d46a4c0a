// glossary.c - explain the counters and terms of a report
// SPDX-License-Identifier: MIT

#include <string.h>

#include "verbs/report/report.h"
#include "shell/output/explain_json.h"

// The first sentence about what the counter measures, as in pmon explain; empty if unknown, or if
// it refers to another counter ("The same, but ...").
static struct pmon_span
meaning_of(const struct pmon_path *path)
{
	struct pmon_counter_help help;
	const char *end;

	if (!explain_help(path, &help) || strncmp(help.text, "The same", 8) == 0)
		return (struct pmon_span){NULL, 0};
	end = strstr(help.text, ". ");
	return (struct pmon_span){help.text,
				  end != NULL ? (size_t)(end - help.text) + 1 : strlen(help.text)};
}

// Did an earlier series of the charts have the same counter?
static bool
was_listed(const struct report *r, size_t chart, size_t at)
{
	const struct pmon_path *path = pmon_series_english(r->charts[chart].series[at]);

	for (size_t i = 0; i <= chart; i++)
		for (size_t j = 0; j < (i < chart ? r->charts[i].n : at); j++) {
			const struct pmon_path *other = pmon_series_english(r->charts[i].series[j]);

			if (pmon_text_same(path->object, other->object) &&
			    pmon_text_same(path->counter, other->counter))
				return true;
		}
	return false;
}

// Charts of objects are not printed, and neither are their counters.
static void
put_counter(struct html *html, const struct pmon_series *series, bool is_printed)
{
	struct pmon_span meaning = meaning_of(pmon_series_english(series));

	if (meaning.len == 0)
		return;
	html_markup(html, is_printed ? "<div><dt>" : "<div class=\"unprinted\"><dt>");
	html_text(html, series->path.object);
	html_markup(html, " ");
	html_text(html, series->path.counter);
	html_markup(html, "</dt><dd>");
	html_text(html, meaning);
	html_markup(html, "</dd></div>\n");
}

static void
put_word(struct html *html, const char *word, const char *meaning)
{
	html_markup(html, "<div><dt>");
	html_str(html, word);
	html_markup(html, "</dt><dd>");
	html_str(html, meaning);
	html_markup(html, "</dd></div>\n");
}

static void
put_words(const struct report *r, struct html *html)
{
	if (r->ranked.n_findings > 0) {
		put_word(html, "Finding",
			 "A counter that was beyond the limit of a rule for as long as the rule "
			 "requires; critical or a warning, depending on the limit.");
		put_word(html, "Episode",
			 "A period in which a counter was beyond its limit, with interruptions of "
			 "at most one interval.");
		put_word(html, "Average then",
			 "The average over the worst episode; for trends, the growth per hour.");
	}
	if (r->n_charts > 0)
		put_word(html, "50 %, 95 %, 99 %",
			 "Percentiles: the value was at most this for that share of the time, or "
			 "of the operations if the counter is an average per operation.");
	if (r->baseline != NULL)
		put_word(html, "Factor", "The average divided by the baseline's average.");
	if (r->two_machines)
		put_word(html, "Least memory", "The smallest amount of available memory.");
}

void
report_glossary(const struct report *r, struct html *html)
{
	html_markup(html, "<section id=\"glossary\"><h2>Glossary</h2>\n<dl class=\"glossary\">\n");
	put_words(r, html);
	for (size_t i = 0; i < r->n_charts; i++)
		for (size_t j = 0; j < r->charts[i].n; j++)
			if (!was_listed(r, i, j))
				put_counter(html, r->charts[i].series[j], i < r->n_card_charts);
	html_markup(html, "</dl>\n</section>\n");
}
