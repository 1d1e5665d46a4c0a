// findings.c - what was wrong, in one line each, and how much could be judged
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/first/first.h"
#include "base/text.h"
#include "base/time.h"
#include "cli/output/episode.h"
#include "draw/label.h"

#define TEXT       256
#define SEVERITY   10 // columns
#define LEAST_WHAT 12

static const char *const severities[RULES_LEVELS] = {"WARNING", "CRITICAL"};
static const char *const colours[RULES_LEVELS] = {"\033[33m", "\033[31m"};

// "10:32:15-10:37:00, 4 min 45 s"
static void
when_of(const struct first *f, const struct rules_episode *e, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);
	char from[FIRST_TIME];
	char to[FIRST_TIME];
	bool same_day;

	first_time(f, e->from, from);
	first_time(f, e->to, to);
	same_day = f->judged.spans_days && strncmp(from, to, 6) == 0; // "11-26 "
	pmon_text_str(&t, from);
	pmon_text_char(&t, '-');
	pmon_text_str(&t, same_day ? to + 6 : to);
	pmon_text_str(&t, ", ");
	episode_put_length(&t, e->to - e->from);
}

// "worst of 3", "sqlservr 96 %", "48,210 operations": as many of them as fit into so many columns.
static void
put_more(char *buf, size_t most, const char *text)
{
	size_t have = strlen(buf);

	if (draw_characters(buf) + (have > 0 ? 2 : 0) + draw_characters(text) > most)
		return;
	(void)snprintf(buf + have, TEXT - have, "%s%s", have > 0 ? ", " : "", text);
}

static void
more_of(const struct rules_finding *finding, size_t most, char buf[TEXT])
{
	const struct rules_episode *e = finding->gravest;
	char text[TEXT];
	char number[DRAW_NUMBER];

	buf[0] = '\0';
	if (finding->episodes > 1) {
		(void)out_count(finding->episodes, number, sizeof(number));
		(void)snprintf(text, sizeof(text), "worst of %s", number);
		put_more(buf, most, text);
	}
	if (e->n_who > 0) {
		struct pmon_text t = pmon_text_init(text, sizeof(text));

		episode_put_busiest(&t, e, 1);
		put_more(buf, most, text);
	}
	if (!isnan(e->operations)) {
		(void)out_number(e->operations, number, sizeof(number));
		(void)snprintf(text, sizeof(text), "%s operations", number);
		put_more(buf, most, text);
	}
}

struct row {
	char what[TEXT];
	char how[TEXT];
	char when[TEXT];
	const struct rules_finding *finding;
};

static size_t
longer(size_t a, const char *text)
{
	size_t b = draw_characters(text);

	return a > b ? a : b;
}

static void
print_row(const struct first *f, const struct row *row, const size_t widths[3])
{
	size_t used = SEVERITY + widths[0] + widths[1] + widths[2] + 6;
	char more[TEXT];

	more_of(row->finding, f->width > used ? f->width - used : 0, more);
	printf("%s%-*s%s", out_style(colours[row->finding->level]), SEVERITY,
	       severities[row->finding->level], out_style(STYLE_OFF));
	first_cell(f, row->what, widths[0], false);
	fputs("  ", stdout);
	first_cell(f, row->how, widths[1], false);
	fputs("  ", stdout);
	if (more[0] == '\0') {
		printf("%s\n", row->when);
		return;
	}
	first_cell(f, row->when, widths[2], false);
	fputs("  ", stdout);
	first_cell(f, more, draw_characters(more), false);
	putchar('\n');
}

static void
print_rows(const struct first *f, const struct row *rows, size_t n)
{
	size_t widths[3] = {0};
	size_t fixed;

	for (size_t i = 0; i < n; i++) {
		widths[0] = longer(widths[0], rows[i].what);
		widths[1] = longer(widths[1], rows[i].how);
		widths[2] = longer(widths[2], rows[i].when);
	}
	fixed = SEVERITY + widths[1] + widths[2] + 4;
	if (fixed + widths[0] > f->width)
		widths[0] = f->width > fixed + LEAST_WHAT ? f->width - fixed : LEAST_WHAT;
	for (size_t i = 0; i < n; i++)
		print_row(f, &rows[i], widths);
}

// "9 rules within limits; 31 not judged (pmon health --all SQL01.blg says why)"
static void
print_judged(const struct first *f)
{
	const struct judged *j = &f->judged;
	struct first_line line = {.width = f->width, .indent = 2};
	char text[2 * TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	pmon_text_str(&t, "");
	if (j->within > 0) {
		pmon_text_u64(&t, j->within);
		pmon_text_str(&t,
			      j->within == 1 ? " rule within its limits" : " rules within limits");
	}
	if (j->not_judged > 0) {
		pmon_text_str(&t, j->within > 0 ? "; " : "");
		pmon_text_u64(&t, j->not_judged);
		pmon_text_str(&t, j->within > 0 ? " not judged" : " rules not judged");
	}
	first_put(&line, "", text);
	t = pmon_text_init(text, sizeof(text));
	pmon_text_str(&t, "(pmon health --all");
	first_files(f, &t);
	pmon_text_str(&t, j->not_judged > 0 ? " says why)" : " lists them)");
	first_put(&line, " ", text);
	first_end(&line);
}

void
first_findings(const struct first *f)
{
	const struct judged *j = &f->judged;
	struct row rows[FIRST_FINDINGS];
	size_t n = j->n_findings < FIRST_FINDINGS ? j->n_findings : FIRST_FINDINGS;

	for (size_t i = 0; i < n; i++) {
		struct pmon_text what;
		struct pmon_text how;

		rows[i].finding = &j->findings[i];
		what = pmon_text_init(rows[i].what, TEXT);
		how = pmon_text_init(rows[i].how, TEXT);
		episode_put_what(&what, j->findings[i].gravest, f->machines.n > 1);
		episode_put_how(&how, j->findings[i].gravest);
		when_of(f, j->findings[i].gravest, rows[i].when, TEXT);
	}
	print_rows(f, rows, n);
	if (j->n_findings > n)
		printf("and %zu more finding%s\n", j->n_findings - n,
		       j->n_findings == n + 1 ? "" : "s");
	if (j->n_findings == 0)
		puts(j->within == 0 ? "Nothing could be judged."
				    : "Nothing was beyond the limits that could be judged.");
	print_judged(f);
}
