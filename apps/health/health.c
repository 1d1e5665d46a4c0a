// health.c - pmon health: what was wrong, by rules
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/input/judged.h"
#include "cli/input/rules_file.h"
#include "cli/output/episode.h"
#include "cli/output/out.h"
#include "cli/output/say.h"

struct health {
	struct judged judged;
	struct rules_finding *findings; // the gravest first
	size_t n;
	size_t of_level[RULES_LEVELS]; // findings
	size_t within;                 // rules on a machine, and those that could not be judged
	size_t not_judged;
};

static const struct out_column columns[] = {
	{"rule", NULL, 0, OUT_LEFT},
	{"severity", NULL, 0, OUT_LEFT},
	EPISODE_COLUMNS,
	{"episodes", NULL, 0, OUT_RIGHT},
};

static const struct out_column text_columns[] = {
	{"severity", "Severity", 0, OUT_LEFT},
	{"rule", "Rule", 0, OUT_LEFT},
	{"limit", "Limit", 0, OUT_LEFT},
	{"average", "Average", 0, OUT_RIGHT},
	{"worst", "Worst", 0, OUT_RIGHT},
	{"from", "From", 0, OUT_LEFT},
	{"to", "To", 0, OUT_LEFT},
	{"length", "Length", 0, OUT_RIGHT},
	{"episodes", "Episodes", 0, OUT_RIGHT},
	{"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

static const char *const severities[RULES_LEVELS] = {"warning", "critical"};

// ---- Findings -------------------------------------------------------------------------------

static int
gravest_first(const void *a, const void *b)
{
	const struct rules_episode *x = ((const struct rules_finding *)a)->gravest;
	const struct rules_episode *y = ((const struct rules_finding *)b)->gravest;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	if (x->excess_seconds != y->excess_seconds)
		return x->excess_seconds > y->excess_seconds ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

static int
rank(struct health *h)
{
	size_t n;
	const struct rules_finding *list = rules_judge_findings(h->judged.judge, &n);

	h->findings = calloc(n + 1, sizeof(*h->findings));
	if (list == NULL || h->findings == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < n; i++) {
		if (list[i].gravest == NULL)
			continue;
		h->findings[h->n++] = list[i];
		h->of_level[list[i].level]++;
	}
	qsort(h->findings, h->n, sizeof(*h->findings), gravest_first);
	return EXIT_DONE;
}

static void
count_others(struct health *h)
{
	const struct rules_judge *judge = h->judged.judge;

	for (size_t m = 0; m < rules_judge_machines(judge); m++)
		for (size_t i = 0; i < h->judged.rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(judge, i, m);

			h->within += outcome == RULES_KEPT;
			h->not_judged += rules_reason(outcome) != NULL;
		}
}

// ---- Text and CSV ---------------------------------------------------------------------------

static void
put_limit(struct out *out, const struct rules_episode *e)
{
	const struct rules_limit *limit = &e->rule->limits[e->level];
	char text[sizeof(limit->threshold.text) + 32];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	pmon_text_str(&t, limit->threshold.below ? "<" : ">");
	pmon_text_str(&t, limit->or_equal ? "= " : " ");
	pmon_text_str(&t, limit->threshold.text);
	if (e->rule->per_processor)
		pmon_text_str(&t, " per processor");
	out_str(out, text);
}

static void
put_text_row(struct out *out, const struct health *h, const struct rules_finding *f)
{
	const struct rules_episode *e = f->gravest;

	out_str(out, severities[e->level]);
	out_text(out, e->rule->name);
	put_limit(out, e);
	out_quantity(out, e->series, &e->average);
	out_quantity(out, e->series, &e->worst);
	out_seconds(out, e->from, h->judged.spans_days);
	out_seconds(out, e->to, h->judged.spans_days);
	out_length(out, e->to - e->from);
	out_u64(out, f->episodes);
	out_text(out, logs_path(&h->judged.logs, e->series));
}

static void
put_row(struct out *out, const struct rules_finding *f)
{
	out_text(out, f->rule->name);
	out_str(out, severities[f->level]);
	out_episode(out, f->gravest);
	out_u64(out, f->episodes);
}

static int
print_table(const struct health *h)
{
	bool as_text = h->judged.args.format == OUT_TEXT;
	struct out out;

	if (as_text && h->n == 0)
		return EXIT_DONE;
	out_begin(&out, stdout, h->judged.args.format, "findings", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS : N_COLUMNS, &h->judged.logs.clock);
	for (size_t i = 0; i < h->n; i++)
		if (as_text)
			put_text_row(&out, h, &h->findings[i]);
		else
			put_row(&out, &h->findings[i]);
	return out_end(&out);
}

static void
print_lines(const char *before, const struct rules_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		fputs(before, stdout);
		out_clean(stdout, lines->list[i]);
	}
}

// What a rule that found something means, and who says so: once for each rule.
static void
print_texts(const struct health *h)
{
	for (size_t i = 0; i < h->judged.rules.n; i++) {
		const struct rules_rule *rule = &h->judged.rules.list[i];
		bool has_found = false;

		for (size_t k = 0; k < h->n; k++)
			has_found = has_found || h->findings[k].rule == rule;
		if (!has_found)
			continue;
		putchar('\n');
		out_clean(stdout, rule->name);
		putchar(':');
		print_lines(" ", &rule->texts);
		if (rule->sources.n > 0)
			fputs("\n  Source:", stdout);
		print_lines(" ", &rule->sources);
		print_lines("\n  ", &rule->links);
		putchar('\n');
	}
}

// ---- Rules without a finding ----------------------------------------------------------------

static void
print_rule(const struct health *h, size_t rule, size_t machine, const char *reason)
{
	fputs("  ", stdout);
	out_clean(stdout, h->judged.rules.list[rule].name);
	if (rules_judge_machines(h->judged.judge) > 1) {
		fputs(" (", stdout);
		out_clean(stdout, rules_judge_machine(h->judged.judge, machine));
		putchar(')');
	}
	printf("%s%s\n", reason != NULL ? ": " : "", reason != NULL ? reason : "");
}

// Those that were within their limits, or those that could not be judged.
static void
print_others(const struct health *h, bool within)
{
	const struct rules_judge *judge = h->judged.judge;

	if ((within ? h->within : h->not_judged) == 0)
		return;
	if (h->n > 0 || (!within && h->within > 0))
		putchar('\n');
	fputs(within ? "Within their limits:\n" : "Not judged:\n", stdout);
	for (size_t m = 0; m < rules_judge_machines(judge); m++)
		for (size_t i = 0; i < h->judged.rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(judge, i, m);

			if (within ? outcome == RULES_KEPT : rules_reason(outcome) != NULL)
				print_rule(h, i, m, rules_reason(outcome));
		}
}

static void
print_summary(const struct health *h, bool lists_all)
{
	size_t warnings = h->of_level[RULES_WARNING];

	printf("%s%zu critical, %zu warning%s; %zu rule%s within the limits; %zu not judged%s\n",
	       h->n > 0 || lists_all ? "\n" : "", h->of_level[RULES_CRITICAL], warnings,
	       warnings == 1 ? "" : "s", h->within, h->within == 1 ? "" : "s", h->not_judged,
	       h->not_judged > 0 && !lists_all ? " (--all lists them)" : "");
}

static int
print_text(const struct health *h)
{
	bool lists_all = args_flag(&h->judged.args, "--all");
	int status;

	logs_print_heading(&h->judged.logs);
	status = print_table(h);
	if (status != EXIT_DONE)
		return status;
	print_texts(h);
	if (lists_all) {
		print_others(h, true);
		print_others(h, false);
	}
	print_summary(h, lists_all);
	return EXIT_DONE;
}

// ---- JSON -----------------------------------------------------------------------------------

// Lines of a rule as one text. False when memory is short.
static bool
json_lines(struct json *json, const char *key, const struct rules_lines *lines)
{
	size_t size = 1;
	struct pmon_text t;
	char *text;

	for (size_t i = 0; i < lines->n; i++)
		size += lines->list[i].len + 1;
	text = malloc(size);
	if (text == NULL)
		return false;
	t = pmon_text_init(text, size);
	for (size_t i = 0; i < lines->n; i++) {
		pmon_text_str(&t, i > 0 ? " " : "");
		pmon_text_span(&t, lines->list[i]);
	}
	json_key(json, key), json_text(json, (struct pmon_span){text, t.len});
	free(text);
	return true;
}

static bool
json_finding(struct json *json, const struct rules_finding *f)
{
	bool good;

	json_open(json, '{');
	json_key(json, "rule"), json_text(json, f->rule->name);
	json_key(json, "severity"), json_str(json, severities[f->level]);
	json_episode(json, f->gravest);
	json_key(json, "episodes"), json_u64(json, f->episodes);
	good = json_lines(json, "text", &f->rule->texts) &&
	       json_lines(json, "source", &f->rule->sources);
	json_key(json, "links"), json_open(json, '[');
	for (size_t i = 0; i < f->rule->links.n; i++)
		json_text(json, f->rule->links.list[i]);
	json_close(json, ']');
	json_close(json, '}');
	return good;
}

static void
json_others(struct json *json, const struct health *h, bool within)
{
	const struct rules_judge *judge = h->judged.judge;

	json_key(json, within ? "within" : "not_judged"), json_open(json, '[');
	for (size_t m = 0; m < rules_judge_machines(judge); m++)
		for (size_t i = 0; i < h->judged.rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(judge, i, m);

			if (within ? outcome != RULES_KEPT : rules_reason(outcome) == NULL)
				continue;
			json_open(json, '{');
			json_key(json, "rule"), json_text(json, h->judged.rules.list[i].name);
			json_key(json, "machine"), json_text(json, rules_judge_machine(judge, m));
			if (!within)
				json_key(json, "reason"), json_str(json, rules_reason(outcome));
			json_close(json, '}');
		}
	json_close(json, ']');
}

static int
print_json(const struct health *h)
{
	struct json json = {.stream = stdout};
	bool good = true;

	json_open(&json, '{');
	json_key(&json, "version"), json_i64(&json, 1);
	json_key(&json, "summary"), json_open(&json, '{');
	json_key(&json, "critical"), json_u64(&json, h->of_level[RULES_CRITICAL]);
	json_key(&json, "warning"), json_u64(&json, h->of_level[RULES_WARNING]);
	json_key(&json, "within"), json_u64(&json, h->within);
	json_key(&json, "not_judged"), json_u64(&json, h->not_judged);
	json_close(&json, '}');
	json_key(&json, "findings"), json_open(&json, '[');
	for (size_t i = 0; good && i < h->n; i++)
		good = json_finding(&json, &h->findings[i]);
	json_close(&json, ']');
	json_others(&json, h, true);
	json_others(&json, h, false);
	json_close(&json, '}');
	putchar('\n');
	return good ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

// ---- The verb -------------------------------------------------------------------------------

static int
print_all(const struct health *h)
{
	switch (h->judged.args.format) {
	case OUT_JSON:
		return print_json(h);
	case OUT_CSV:
		return print_table(h);
	case OUT_TEXT:
		break;
	}
	return print_text(h);
}

int
health_run(const struct args *args)
{
	struct health h = {.n = 0};
	int status = rules_load(args_text(args, "--rules"), &h.judged.rules);

	if (status == EXIT_DONE)
		status = judged_ask(&h.judged, args);
	h.judged.args.own_patterns = true; // few logs have the counters of all rules
	if (status == EXIT_DONE)
		status = judged_read(&h.judged, false);
	if (status == EXIT_DONE)
		status = rank(&h);
	if (status == EXIT_DONE) {
		count_others(&h);
		logs_hide_machine(&h.judged.logs);
		status = print_all(&h);
	}
	free(h.findings);
	return judged_close(&h.judged, status);
}
