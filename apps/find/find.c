// find.c - pmon find: when a condition held, and how bad it was
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>
#include <string.h>

#include "cli/input/logs.h"
#include "cli/output/episode.h"
#include "cli/output/out.h"
#include "cli/output/say.h"
#include "rules/judge.h"

struct finder {
	struct args args; // with the counters of the condition
	struct rules rules;
	struct logs logs;
	struct pmon_statistics *statistics;
	struct rules_judge *judge;
	const struct rules_episode *episodes;
	size_t n;
	pmon_time first; // of the samples that were read
	pmon_time last;
	bool spans_days;
	char *patterns[2];
};

static const struct out_column columns[] = {
	{"condition", NULL, 0, OUT_LEFT},   {"path", NULL, 0, OUT_LEFT},
	{"pid", NULL, 0, OUT_RIGHT},        {"from", NULL, 0, OUT_LEFT},
	{"to", NULL, 0, OUT_LEFT},          {"seconds", NULL, 0, OUT_RIGHT},
	{"average", NULL, 0, OUT_RIGHT},    {"worst", NULL, 0, OUT_RIGHT},
	{"worst_time", NULL, 0, OUT_LEFT},  {"samples", NULL, 0, OUT_RIGHT},
	{"operations", NULL, 0, OUT_RIGHT}, {"excess", NULL, 0, OUT_RIGHT},
	{"unit", NULL, 0, OUT_LEFT},
};

static const struct out_column text_columns[] = {
	{"from", "From", 0, OUT_LEFT},        {"to", "To", 0, OUT_LEFT},
	{"length", "Length", 0, OUT_RIGHT},   {"average", "Average", 0, OUT_RIGHT},
	{"worst", "Worst", 0, OUT_RIGHT},     {"worst_time", "at", 0, OUT_LEFT},
	{"samples", "Samples", 0, OUT_RIGHT}, {"operations", "Operations", 0, OUT_RIGHT},
	{"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

// ---- The condition --------------------------------------------------------------------------

static int
read_condition(struct finder *f, const char *text)
{
	struct rules_error why;

	if (rules_parse_condition((struct pmon_span){text, strlen(text)}, &f->rules, &why))
		return EXIT_DONE;
	if (why.line == 0)
		return say(EXIT_FAILED, "%s", why.text);
	return say(EXIT_USAGE, "find: at \"%s\": %s", text + (why.column - 1), why.text);
}

// Only the counters of the condition are read.
static int
take_patterns(struct finder *f)
{
	const struct rules_rule *rule = f->rules.list;
	const struct rules_patterns *from[] = {&rule->counters, &rule->whiles};

	f->args.patterns = (struct words){.n = 0};
	for (size_t i = 0; i < 2 && from[i]->n > 0; i++) {
		f->patterns[i] = strndup(from[i]->texts[0].ptr, from[i]->texts[0].len);
		if (f->patterns[i] == NULL || !words_add(&f->args.patterns, f->patterns[i]))
			return say(EXIT_FAILED, "not enough memory");
	}
	return EXIT_DONE;
}

// ---- Reading --------------------------------------------------------------------------------

static int
read_all(struct finder *f)
{
	const struct pmon_schema *schema = pmon_source_schema(f->logs.source);
	const struct rules_options options = {.calc = f->args.calc, .episodes = true};
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_err err;
	int status = EXIT_DONE;

	f->judge = rules_judge_new(&f->rules, schema, &options);
	if (f->judge == NULL ||
	    pmon_statistics_new(schema, &f->args.calc, NULL, &f->statistics, &err) != PMON_OK)
		return say(EXIT_FAILED, "not enough memory");
	while (logs_next(&f->logs, &sample, &status)) {
		if (pmon_statistics_add(f->statistics, sample, &values, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		if (!rules_judge_add(f->judge, sample, values))
			return say(EXIT_FAILED, "not enough memory");
		f->first = sample->time < f->first ? sample->time : f->first;
		f->last = sample->time > f->last ? sample->time : f->last;
	}
	return status;
}

static int
judge_all(struct finder *f)
{
	size_t n;

	f->spans_days = clock_spans_days(&f->logs.clock, f->first, f->last);

	f->episodes = rules_judge_episodes(f->judge, &f->n);
	if (f->episodes == NULL || rules_judge_findings(f->judge, &n) == NULL)
		return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

// ---- What could not be judged ---------------------------------------------------------------

static void
say_not_judged(const struct finder *f)
{
	for (size_t m = 0; m < rules_judge_machines(f->judge); m++) {
		struct pmon_span machine = rules_judge_machine(f->judge, m);
		const char *reason = rules_reason(rules_judge_outcome_on(f->judge, 0, m));

		if (reason != NULL)
			say(0, "not judged on %.*s: %s", (int)machine.len, machine.ptr, reason);
	}
}

// ---- Output ---------------------------------------------------------------------------------

static void
put_text_row(struct finder *f, struct out *out, const struct rules_episode *e)
{
	out_seconds(out, e->from, f->spans_days);
	out_seconds(out, e->to, f->spans_days);
	out_length(out, e->to - e->from);
	out_quantity(out, e->series, &e->average);
	out_quantity(out, e->series, &e->worst);
	out_seconds(out, e->worst_time, f->spans_days);
	out_u64(out, e->samples);
	out_operations(out, e->operations);
	out_text(out, logs_path(&f->logs, e->series));
}

static void
put_row(struct out *out, const struct rules_episode *e)
{
	const struct pmon_counter_type *type = pmon_series_type(e->series);

	out_text(out, e->rule->name);
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
}

static void
json_not_judged(const struct finder *f, struct json *json)
{
	for (size_t m = 0; m < rules_judge_machines(f->judge); m++) {
		const char *reason = rules_reason(rules_judge_outcome_on(f->judge, 0, m));

		if (reason == NULL)
			continue;
		json_open(json, '{');
		json_key(json, "condition"), json_text(json, f->rules.list->name);
		json_key(json, "machine"), json_text(json, rules_judge_machine(f->judge, m));
		json_key(json, "reason"), json_str(json, reason);
		json_close(json, '}');
	}
}

static void
print_json(const struct finder *f)
{
	struct json json = {.stream = stdout};

	json_open(&json, '{');
	json_key(&json, "version"), json_i64(&json, 1);
	json_key(&json, "episodes"), json_open(&json, '[');
	for (size_t i = 0; i < f->n; i++) {
		json_open(&json, '{');
		json_key(&json, "condition"), json_text(&json, f->episodes[i].rule->name);
		json_episode(&json, &f->episodes[i]);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_key(&json, "not_judged"), json_open(&json, '[');
	json_not_judged(f, &json);
	json_close(&json, ']');
	json_close(&json, '}');
	putchar('\n');
}

static int
print_table(struct finder *f)
{
	bool as_text = f->args.format == OUT_TEXT;
	struct out out;

	if (as_text && f->n > 0) {
		logs_hide_machine(&f->logs);
		logs_print_heading(&f->logs);
	}
	if (as_text && f->n == 0)
		return EXIT_DONE;
	out_begin(&out, stdout, f->args.format, "episodes", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS : N_COLUMNS, &f->logs.clock);
	for (size_t i = 0; i < f->n; i++)
		if (as_text)
			put_text_row(f, &out, &f->episodes[i]);
		else
			put_row(&out, &f->episodes[i]);
	return out_end(&out);
}

// Nothing that was found is an answer too; so it is said what was looked at.
static void
say_none(const struct finder *f)
{
	size_t judged;

	(void)rules_judge_outcome(f->judge, 0, &judged);
	if (judged > 0)
		say(0, "the condition did not hold for any of %zu counter%s", judged,
		    judged == 1 ? "" : "s");
}

static int
print_all(struct finder *f)
{
	int status = EXIT_DONE;

	if (f->args.format == OUT_JSON)
		print_json(f);
	else
		status = print_table(f);
	if (status == EXIT_DONE && f->n == 0)
		say_none(f);
	say_not_judged(f);
	return status;
}

static int
find_in_logs(struct finder *f)
{
	int status = logs_open(&f->logs, &f->args);

	if (status == EXIT_DONE)
		status = read_all(f);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&f->logs);
	if (status == EXIT_DONE)
		status = judge_all(f);
	if (status == EXIT_DONE)
		status = print_all(f);
	rules_judge_free(f->judge);
	pmon_statistics_free(f->statistics);
	return logs_close(&f->logs, status);
}

int
find_run(const struct args *args)
{
	struct finder f = {.args = *args, .first = INT64_MAX, .last = INT64_MIN};
	int status;

	if (args->condition == NULL)
		return say(EXIT_USAGE,
			   "find: name a condition, as in pmon find '\\Memory\\Available "
			   "MBytes < 500' server.blg");
	status = read_condition(&f, args->condition);
	if (status == EXIT_DONE)
		status = take_patterns(&f);
	if (status == EXIT_DONE)
		status = find_in_logs(&f);
	free(f.args.patterns.list);
	free(f.patterns[0]);
	free(f.patterns[1]);
	rules_free(&f.rules);
	return status;
}
