// texts.c - what the limits that were crossed mean, what to do, and who published them
// SPDX-License-Identifier: MIT

#include <string.h>

#include "shell/output/out.h"
#include "verbs/health/incidents.h"

static void
put_text(FILE *stream, enum out_format format, struct pmon_span text)
{
	if (format == OUT_MARKDOWN)
		out_markdown(stream, text);
	else
		out_clean(stream, text);
}

// In markdown, < and > keep the marks within an address as they are.
static void
put_link(FILE *stream, enum out_format format, struct pmon_span link)
{
	fputs("\n  ", stream);
	fputs(format == OUT_MARKDOWN ? "<" : "", stream);
	out_clean(stream, link);
	fputs(format == OUT_MARKDOWN ? ">" : "", stream);
}

static void
put_lines(FILE *stream, enum out_format format, const struct rules_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		putc(' ', stream);
		put_text(stream, format, lines->list[i]);
	}
}

static void
put_source(FILE *stream, enum out_format format, const struct rules_source *source)
{
	fputs("\n  Source:", stream);
	put_lines(stream, format, &source->texts);
	if (source->link.len > 0)
		put_link(stream, format, source->link);
}

static bool
has_rule(const struct judged *j, const struct incident *incident, const struct rules_rule *rule)
{
	for (size_t i = 0; i < incident->n; i++) {
		const struct rules_finding *f = j->incidents.evidence[incident->first + i].finding;

		if (f != NULL && f->rule == rule)
			return true;
	}
	return false;
}

// In a row that --limit lets through.
static bool
is_listed(const struct judged *j, const struct rules_rule *rule, bool lists_all)
{
	for (size_t i = 0; lists_all && i < args_rows(j->args, j->n_findings); i++)
		if (j->findings[i].rule == rule)
			return true;
	for (size_t i = 0; i < args_rows(j->args, j->incidents.n); i++)
		if (has_rule(j, &j->incidents.list[i], rule))
			return true;
	return false;
}

void
health_texts(FILE *stream, const struct judged *j, enum out_format format, bool lists_all)
{
	for (size_t i = 0; i < j->rules.n; i++) {
		const struct rules_rule *rule = &j->rules.list[i];

		if (!is_listed(j, rule, lists_all))
			continue;
		putc('\n', stream);
		put_text(stream, format, rule->name);
		putc(':', stream);
		put_lines(stream, format, &rule->texts);
		put_lines(stream, format, &rule->advice);
		for (size_t k = 0; k < rule->n_sources; k++)
			put_source(stream, format, &rule->sources[k]);
		putc('\n', stream);
	}
}
