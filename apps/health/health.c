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

static const struct out_column columns[] = {
	{"rule", NULL, 0, OUT_LEFT},      {"pack", NULL, 0, OUT_LEFT},
	{"severity", NULL, 0, OUT_LEFT},  EPISODE_COLUMNS,
	{"episodes", NULL, 0, OUT_RIGHT}, EPISODE_MORE,
	{"text", NULL, 0, OUT_LEFT},      {"advice", NULL, 0, OUT_LEFT},
	{"sources", NULL, 0, OUT_LEFT},
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
	{"who", "Busiest", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

// Why a whole pack was not judged.
#define NO_COUNTERS "no counters"

static const char *const severities[RULES_LEVELS] = {"warning", "critical"};

// ---- Texts of rules -------------------------------------------------------------------------

static void
add_lines(struct pmon_text *t, const void *lines)
{
	const struct rules_lines *from = lines;

	for (size_t i = 0; i < from->n; i++) {
		pmon_text_str(t, i > 0 ? " " : "");
		pmon_text_span(t, from->list[i]);
	}
}

// All sources of a rule, each with its link after it.
static void
add_sources(struct pmon_text *t, const void *rule)
{
	const struct rules_rule *from = rule;

	for (size_t i = 0; i < from->n_sources; i++) {
		pmon_text_str(t, i > 0 ? "; " : "");
		add_lines(t, &from->sources[i].texts);
		pmon_text_str(t, from->sources[i].link.len > 0 ? " " : "");
		pmon_text_span(t, from->sources[i].link);
	}
}

// The text that add() makes of something, to be freed; NULL when memory is short.
static char *
text_of(void (*add)(struct pmon_text *t, const void *what), const void *what)
{
	struct pmon_text t = pmon_text_init(NULL, 0);
	char *text;

	add(&t, what);
	text = malloc(t.len + 1);
	if (text == NULL)
		return NULL;
	t = pmon_text_init(text, t.len + 1);
	add(&t, what);
	return text;
}

// ---- Text and CSV ---------------------------------------------------------------------------

static void
put_text_row(struct out *out, const struct judged *j, const struct rules_finding *f, bool with_who)
{
	const struct rules_episode *e = f->gravest;

	out_str(out, severities[e->level]);
	out_text(out, e->rule->name);
	out_limit(out, e);
	out_average(out, e);
	out_quantity(out, e->series, &e->worst);
	out_seconds(out, e->from, j->spans_days);
	out_seconds(out, e->to, j->spans_days);
	out_length(out, e->to - e->from);
	out_u64(out, f->episodes);
	out_text(out, logs_path(&j->logs, e->series));
	if (with_who)
		out_busiest(out, e);
}

static void
put_row(struct out *out, const struct rules_finding *f)
{
	char *texts[] = {text_of(add_lines, &f->rule->texts), text_of(add_lines, &f->rule->advice),
			 text_of(add_sources, f->rule)};

	out_text(out, f->rule->name);
	out_text(out, f->rule->pack);
	out_str(out, severities[f->level]);
	out_episode(out, f->gravest);
	out_u64(out, f->episodes);
	out_more(out, f->gravest);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		out_str(out, texts[i] != NULL ? texts[i] : "");
		free(texts[i]);
	}
}

static int
print_table(const struct judged *j)
{
	bool as_text = j->args.format == OUT_TEXT;
	bool with_who = false;
	struct out out;

	if (as_text && j->n_findings == 0)
		return EXIT_DONE;
	for (size_t i = 0; i < j->n_findings; i++)
		with_who = with_who || j->findings[i].gravest->n_who > 0;
	out_begin(&out, stdout, j->args.format, "findings", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS - !with_who : N_COLUMNS, &j->logs.clock);
	for (size_t i = 0; i < j->n_findings; i++)
		if (as_text)
			put_text_row(&out, j, &j->findings[i], with_who);
		else
			put_row(&out, &j->findings[i]);
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

static void
print_source(const struct rules_source *source)
{
	fputs("\n  Source:", stdout);
	print_lines(" ", &source->texts);
	if (source->link.len == 0)
		return;
	fputs("\n  ", stdout);
	out_clean(stdout, source->link);
}

// What a rule that found something means, what to do, and who says so: once for each rule.
static void
print_texts(const struct judged *j)
{
	for (size_t i = 0; i < j->rules.n; i++) {
		const struct rules_rule *rule = &j->rules.list[i];
		bool has_found = false;

		for (size_t k = 0; k < j->n_findings; k++)
			has_found = has_found || j->findings[k].rule == rule;
		if (!has_found)
			continue;
		putchar('\n');
		out_clean(stdout, rule->name);
		putchar(':');
		print_lines(" ", &rule->texts);
		print_lines(" ", &rule->advice);
		for (size_t k = 0; k < rule->n_sources; k++)
			print_source(&rule->sources[k]);
		putchar('\n');
	}
}

// ---- Rules without a finding ----------------------------------------------------------------

static void
print_rule(const struct judged *j, size_t rule, size_t machine, const char *reason)
{
	const struct rules_rule *r = &j->rules.list[rule];
	bool is_pack = judged_lacks_pack(j, rule, machine);

	fputs(is_pack ? "  pack " : "  ", stdout);
	out_clean(stdout, is_pack ? r->pack : r->name);
	if (rules_judge_machines(j->judge) > 1) {
		fputs(" (", stdout);
		out_clean(stdout, rules_judge_machine(j->judge, machine));
		putchar(')');
	}
	if (reason != NULL)
		printf(": %s", is_pack ? NO_COUNTERS : reason);
	putchar('\n');
}

// Those that were within their limits, or those that could not be judged.
static void
print_others(const struct judged *j, bool within)
{
	const struct rules_judge *judge = j->judge;

	if ((within ? j->within : j->not_judged) == 0)
		return;
	if (j->n_findings > 0 || (!within && j->within > 0))
		putchar('\n');
	fputs(within ? "Within their limits:\n" : "Not judged:\n", stdout);
	for (size_t m = 0; m < rules_judge_machines(judge); m++)
		for (size_t i = 0; i < j->rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(judge, i, m);

			if (within ? outcome == RULES_KEPT
				   : rules_reason(outcome) != NULL && judged_lists(j, i, m))
				print_rule(j, i, m, rules_reason(outcome));
		}
}

static void
print_summary(const struct judged *j, bool lists_all)
{
	size_t warnings = j->of_level[RULES_WARNING];

	printf("%s%zu critical, %zu warning%s; %zu rule%s within the limits; %zu not judged%s\n",
	       j->n_findings > 0 || lists_all ? "\n" : "", j->of_level[RULES_CRITICAL], warnings,
	       warnings == 1 ? "" : "s", j->within, j->within == 1 ? "" : "s", j->not_judged,
	       j->not_judged > 0 && !lists_all ? " (--all lists them)" : "");
}

static int
print_text(const struct judged *j)
{
	bool lists_all = args_flag(&j->args, "--all");
	int status;

	logs_print_heading(&j->logs);
	status = print_table(j);
	if (status != EXIT_DONE)
		return status;
	print_texts(j);
	if (lists_all) {
		print_others(j, true);
		print_others(j, false);
	}
	print_summary(j, lists_all);
	return EXIT_DONE;
}

// ---- JSON -----------------------------------------------------------------------------------

// Lines of a rule as one text. False when memory is short.
static bool
json_lines(struct json *json, const char *key, const struct rules_lines *lines)
{
	char *text = text_of(add_lines, lines);

	if (text == NULL)
		return false;
	json_key(json, key), json_str(json, text);
	free(text);
	return true;
}

static bool
json_sources(struct json *json, const struct rules_rule *rule)
{
	bool good = true;

	json_key(json, "sources"), json_open(json, '[');
	for (size_t i = 0; good && i < rule->n_sources; i++) {
		const struct rules_source *source = &rule->sources[i];
		unsigned year = rules_source_year(source);

		json_open(json, '{');
		good = json_lines(json, "text", &source->texts);
		json_key(json, "link");
		source->link.len > 0 ? json_text(json, source->link) : json_none(json);
		json_key(json, "year");
		year > 0 ? json_u64(json, year) : json_none(json);
		json_close(json, '}');
	}
	json_close(json, ']');
	return good;
}

static bool
json_finding(struct json *json, const struct rules_finding *f)
{
	bool good;

	json_open(json, '{');
	json_key(json, "rule"), json_text(json, f->rule->name);
	json_key(json, "pack");
	f->rule->pack.len > 0 ? json_text(json, f->rule->pack) : json_none(json);
	json_key(json, "severity"), json_str(json, severities[f->level]);
	json_episode(json, f->gravest);
	json_key(json, "episodes"), json_u64(json, f->episodes);
	good = json_lines(json, "text", &f->rule->texts) &&
	       json_lines(json, "advice", &f->rule->advice) && json_sources(json, f->rule);
	json_close(json, '}');
	return good;
}

static void
json_other(struct json *json, const struct judged *j, size_t rule, size_t machine)
{
	const struct rules_judge *judge = j->judge;
	const struct rules_rule *r = &j->rules.list[rule];
	const char *reason = rules_reason(rules_judge_outcome_on(judge, rule, machine));
	bool is_pack = judged_lacks_pack(j, rule, machine);

	json_open(json, '{');
	json_key(json, "rule");
	is_pack ? json_none(json) : json_text(json, r->name);
	if (is_pack)
		json_key(json, "pack"), json_text(json, r->pack);
	json_key(json, "machine"), json_text(json, rules_judge_machine(judge, machine));
	if (reason != NULL)
		json_key(json, "reason"), json_str(json, is_pack ? NO_COUNTERS : reason);
	json_close(json, '}');
}

static void
json_others(struct json *json, const struct judged *j, bool within)
{
	const struct rules_judge *judge = j->judge;

	json_key(json, within ? "within" : "not_judged"), json_open(json, '[');
	for (size_t m = 0; m < rules_judge_machines(judge); m++)
		for (size_t i = 0; i < j->rules.n; i++) {
			enum rules_outcome outcome = rules_judge_outcome_on(judge, i, m);

			if (within ? outcome == RULES_KEPT
				   : rules_reason(outcome) != NULL && judged_lists(j, i, m))
				json_other(json, j, i, m);
		}
	json_close(json, ']');
}

static int
print_json(const struct judged *j)
{
	struct json json = {.stream = stdout};
	bool good = true;

	json_open(&json, '{');
	json_key(&json, "version"), json_i64(&json, 1);
	json_key(&json, "summary"), json_open(&json, '{');
	json_key(&json, "critical"), json_u64(&json, j->of_level[RULES_CRITICAL]);
	json_key(&json, "warning"), json_u64(&json, j->of_level[RULES_WARNING]);
	json_key(&json, "within"), json_u64(&json, j->within);
	json_key(&json, "not_judged"), json_u64(&json, j->not_judged);
	json_close(&json, '}');
	json_key(&json, "findings"), json_open(&json, '[');
	for (size_t i = 0; good && i < j->n_findings; i++)
		good = json_finding(&json, &j->findings[i]);
	json_close(&json, ']');
	json_others(&json, j, true);
	json_others(&json, j, false);
	json_close(&json, '}');
	putchar('\n');
	return good ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

// ---- The verb -------------------------------------------------------------------------------

static int
print_all(const struct judged *j)
{
	switch (j->args.format) {
	case OUT_JSON:
		return print_json(j);
	case OUT_CSV:
		return print_table(j);
	case OUT_TEXT:
		break;
	}
	return print_text(j);
}

static void
say_from_queue(const struct judged *j)
{
	size_t n = 0;

	for (size_t i = 0; i < j->n_findings; i++)
		n += j->findings[i].gravest->from_queue;
	episode_say_from_queue(n);
}

int
health_run(const struct args *args)
{
	struct judged j = {.only_values = true};
	int status = rules_load(args, &j.rules);

	if (status == EXIT_DONE)
		status = judged_ask(&j, args);
	j.args.own_patterns = true; // few logs have the counters of all rules
	if (status == EXIT_DONE)
		status = judged_read(&j, false);
	if (status == EXIT_DONE)
		status = judged_rank(&j);
	if (status == EXIT_DONE) {
		logs_hide_machine(&j.logs);
		status = print_all(&j);
		say_from_queue(&j);
	}
	return judged_close(&j, status);
}
