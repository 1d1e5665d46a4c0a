// health.c - pmon health: what was wrong, by rules
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>
#include <string.h>

#include "apps/health/findings.h"
#include "base/text.h"
#include "cli/input/logs.h"
#include "cli/input/rules_file.h"
#include "cli/output/episode.h"
#include "cli/output/out.h"
#include "cli/output/say.h"

static const struct out_column columns[] = {
	{"rule", NULL, 0, OUT_LEFT},      {"severity", NULL, 0, OUT_LEFT},
	{"path", NULL, 0, OUT_LEFT},      {"pid", NULL, 0, OUT_RIGHT},
	{"from", NULL, 0, OUT_LEFT},      {"to", NULL, 0, OUT_LEFT},
	{"seconds", NULL, 0, OUT_RIGHT},  {"average", NULL, 0, OUT_RIGHT},
	{"worst", NULL, 0, OUT_RIGHT},    {"worst_time", NULL, 0, OUT_LEFT},
	{"samples", NULL, 0, OUT_RIGHT},  {"operations", NULL, 0, OUT_RIGHT},
	{"excess", NULL, 0, OUT_RIGHT},   {"unit", NULL, 0, OUT_LEFT},
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
put_text_row(struct out *out, const struct health *h, const struct health_finding *f)
{
	const struct rules_episode *e = f->worst;

	out_str(out, severities[e->level]);
	out_text(out, e->rule->name);
	put_limit(out, e);
	out_quantity(out, e->series, &e->average);
	out_quantity(out, e->series, &e->worst);
	out_seconds(out, e->from, h->spans_days);
	out_seconds(out, e->to, h->spans_days);
	out_length(out, e->to - e->from);
	out_u64(out, f->episodes);
	out_text(out, logs_path(&h->logs, e->series));
}

static void
put_row(struct out *out, const struct health_finding *f)
{
	const struct rules_episode *e = f->worst;
	const struct pmon_counter_type *type = pmon_series_type(e->series);

	out_text(out, e->rule->name);
	out_str(out, severities[e->level]);
	out_text(out, e->series->name);
	out_pid(out, e->series);
	out_time(out, e->from);
	out_time(out, e->to);
	out_double(out, (double)(e->to - e->from) / PMON_TIME_PER_SEC);
	out_value(out, type, &e->average);
	out_value(out, type, &e->worst);
	out_time(out, e->worst_time);
	out_u64(out, e->samples);
	out_operations(out, e->operations);
	out_double(out, e->excess_seconds);
	out_str(out, out_unit(e->series));
	out_u64(out, f->episodes);
}

static int
print_table(const struct health *h)
{
	bool as_text = h->args.format == OUT_TEXT;
	struct out out;

	if (as_text && h->n == 0)
		return EXIT_DONE;
	out_begin(&out, stdout, h->args.format, "findings", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS : N_COLUMNS, &h->logs.clock);
	for (size_t i = 0; i < h->n; i++)
		if (as_text)
			put_text_row(&out, h, &h->findings[i]);
		else
			put_row(&out, &h->findings[i]);
	return out_end(&out);
}

// What a rule that found something means, and who says so: once for each rule.
static void
print_texts(const struct health *h)
{
	for (size_t i = 0; i < h->n; i++) {
		const struct rules_rule *rule = h->findings[i].worst->rule;
		bool is_new = true;

		for (size_t k = 0; k < i; k++)
			is_new = is_new && h->findings[k].worst->rule != rule;
		if (!is_new)
			continue;
		printf("\n%.*s:", (int)rule->name.len, rule->name.ptr);
		for (size_t k = 0; k < rule->texts.n; k++)
			printf(" %.*s", (int)rule->texts.list[k].len, rule->texts.list[k].ptr);
		printf("\n  Source:");
		for (size_t k = 0; k < rule->sources.n; k++)
			printf(" %.*s", (int)rule->sources.list[k].len, rule->sources.list[k].ptr);
		for (size_t k = 0; k < rule->links.n; k++)
			printf("\n  %.*s", (int)rule->links.list[k].len, rule->links.list[k].ptr);
		printf("\n");
	}
}

// ---- Rules without a finding ----------------------------------------------------------------

static void
print_rule(const struct health *h, size_t rule, size_t machine, const char *what)
{
	struct pmon_span name = h->rules.list[rule].name;
	struct pmon_span of = rules_judge_machine(h->judge, machine);

	printf("  %.*s", (int)name.len, name.ptr);
	if (rules_judge_machines(h->judge) > 1)
		printf(" (%.*s)", (int)of.len, of.ptr);
	printf("%s%s\n", what[0] != '\0' ? ": " : "", what);
}

static void
print_others(const struct health *h)
{
	for (int judged = 1; judged >= 0; judged--) {
		printf(judged ? "\nWithin their limits:\n" : "\nNot judged:\n");
		for (size_t m = 0; m < rules_judge_machines(h->judge); m++)
			for (size_t i = 0; i < h->rules.n; i++) {
				const char *reason =
					rules_reason(rules_judge_outcome_on(h->judge, i, m));
				bool kept = rules_judge_outcome_on(h->judge, i, m) == RULES_KEPT;

				if (judged ? kept : reason != NULL)
					print_rule(h, i, m, judged ? "" : reason);
			}
	}
}

static void
print_summary(const struct health *h)
{
	const struct health_summary *s = &h->summary;

	printf("%s%zu critical, %zu warning%s; %zu rule%s within the limits; %zu not judged",
	       h->n > 0 ? "\n" : "", s->of_level[RULES_CRITICAL], s->of_level[RULES_WARNING],
	       s->of_level[RULES_WARNING] == 1 ? "" : "s", s->within, s->within == 1 ? "" : "s",
	       s->not_judged);
	if (s->not_judged > 0 && !args_flag(&h->args, "--all"))
		printf(" (--all lists them)");
	printf("\n");
}

static int
print_text(const struct health *h)
{
	int status;

	logs_print_heading(&h->logs);
	status = print_table(h);
	print_texts(h);
	if (args_flag(&h->args, "--all"))
		print_others(h);
	print_summary(h);
	return out_check_stdout(status);
}

// ---- JSON -----------------------------------------------------------------------------------

static void
json_lines(struct json *json, const char *key, const struct rules_lines *lines, char *buf,
	   size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);

	for (size_t i = 0; i < lines->n; i++) {
		pmon_text_str(&t, i > 0 ? " " : "");
		pmon_text_span(&t, lines->list[i]);
	}
	json_key(json, key), json_text(json, (struct pmon_span){buf, strlen(buf)});
}

static void
json_finding(struct json *json, const struct health_finding *f)
{
	const struct rules_rule *rule = f->worst->rule;
	char buf[4096];

	json_open(json, '{');
	json_key(json, "rule"), json_text(json, rule->name);
	json_key(json, "severity"), json_str(json, severities[f->worst->level]);
	json_episode(json, f->worst);
	json_key(json, "episodes"), json_u64(json, f->episodes);
	json_lines(json, "text", &rule->texts, buf, sizeof(buf));
	json_lines(json, "source", &rule->sources, buf, sizeof(buf));
	json_key(json, "links"), json_open(json, '[');
	for (size_t i = 0; i < rule->links.n; i++)
		json_text(json, rule->links.list[i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void
json_others(struct json *json, const struct health *h, bool judged)
{
	json_key(json, judged ? "within" : "not_judged"), json_open(json, '[');
	for (size_t m = 0; m < rules_judge_machines(h->judge); m++)
		for (size_t i = 0; i < h->rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(h->judge, i, m);

			if (judged ? outcome != RULES_KEPT : rules_reason(outcome) == NULL)
				continue;
			json_open(json, '{');
			json_key(json, "rule"), json_text(json, h->rules.list[i].name);
			json_key(json, "machine"),
				json_text(json, rules_judge_machine(h->judge, m));
			if (!judged)
				json_key(json, "reason"), json_str(json, rules_reason(outcome));
			json_close(json, '}');
		}
	json_close(json, ']');
}

static void
print_json(const struct health *h)
{
	const struct health_summary *s = &h->summary;
	struct json json = {.stream = stdout};

	json_open(&json, '{');
	json_key(&json, "version"), json_i64(&json, 1);
	json_key(&json, "summary"), json_open(&json, '{');
	json_key(&json, "critical"), json_u64(&json, s->of_level[RULES_CRITICAL]);
	json_key(&json, "warning"), json_u64(&json, s->of_level[RULES_WARNING]);
	json_key(&json, "within"), json_u64(&json, s->within);
	json_key(&json, "not_judged"), json_u64(&json, s->not_judged);
	json_close(&json, '}');
	json_key(&json, "findings"), json_open(&json, '[');
	for (size_t i = 0; i < h->n; i++)
		json_finding(&json, &h->findings[i]);
	json_close(&json, ']');
	json_others(&json, h, true);
	json_others(&json, h, false);
	json_close(&json, '}');
	putchar('\n');
}

// ---- The verb -------------------------------------------------------------------------------

static int
print_all(const struct health *h)
{
	if (h->args.format == OUT_TEXT)
		return print_text(h);
	if (h->args.format == OUT_CSV)
		return print_table(h);
	print_json(h);
	return EXIT_DONE;
}

int
health_run(const struct args *args)
{
	struct health h;
	int status = health_find(&h, args);

	if (status == EXIT_DONE) {
		logs_hide_machine(&h.logs);
		status = print_all(&h);
	}
	return health_close(&h, status);
}
