// find.c - pmon find: when a condition held, and how bad it was
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include "cli/input/judged.h"
#include "cli/input/rules_file.h"
#include "cli/output/episode.h"
#include "cli/output/out.h"
#include "cli/output/say.h"

struct finder {
	struct judged judged;
	const struct rules_episode *episodes;
	size_t n;
};

static const struct out_column columns[] = {
	{"condition", NULL, 0, OUT_LEFT}, EPISODE_COLUMNS, EPISODE_MORE};

static const struct out_column text_columns[] = {
	{"from", "From", 0, OUT_LEFT},        {"to", "To", 0, OUT_LEFT},
	{"length", "Length", 0, OUT_RIGHT},   {"average", "Average", 0, OUT_RIGHT},
	{"worst", "Worst", 0, OUT_RIGHT},     {"worst_time", "at", 0, OUT_LEFT},
	{"samples", "Samples", 0, OUT_RIGHT}, {"operations", "Operations", 0, OUT_RIGHT},
	{"path", "Counter", 0, OUT_LEFT},     {"who", "Busiest", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

// ---- What could not be judged ---------------------------------------------------------------

static void
say_not_judged(const struct finder *f)
{
	for (size_t m = 0; m < rules_judge_machines(f->judged.judge); m++) {
		struct pmon_span machine = rules_judge_machine(f->judged.judge, m);
		const char *reason = rules_reason(rules_judge_outcome_on(f->judged.judge, 0, m));

		if (reason != NULL)
			say(0, "not judged on %.*s: %s", (int)machine.len, machine.ptr, reason);
	}
}

// ---- Output ---------------------------------------------------------------------------------

static void
put_text_row(struct finder *f, struct out *out, const struct rules_episode *e)
{
	out_seconds(out, e->from, f->judged.spans_days);
	out_seconds(out, e->to, f->judged.spans_days);
	out_length(out, e->to - e->from);
	out_average(out, e);
	out_quantity(out, e->series, &e->worst);
	out_seconds(out, e->worst_time, f->judged.spans_days);
	out_u64(out, e->samples);
	out_double(out, e->operations);
	out_text(out, logs_path(&f->judged.logs, e->series));
	if (e->rule->shows.n > 0)
		out_busiest(out, e);
}

static void
json_not_judged(const struct finder *f, struct json *json)
{
	for (size_t m = 0; m < rules_judge_machines(f->judged.judge); m++) {
		const char *reason = rules_reason(rules_judge_outcome_on(f->judged.judge, 0, m));

		if (reason == NULL)
			continue;
		json_open(json, '{');
		json_key(json, "condition"), json_text(json, f->judged.rules.list->name);
		json_key(json, "machine"), json_text(json, rules_judge_machine(f->judged.judge, m));
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
	bool as_text = f->judged.args.format == OUT_TEXT;
	struct out out;

	if (as_text && f->n > 0) {
		logs_hide_machine(&f->judged.logs);
		logs_print_heading(&f->judged.logs);
	}
	if (as_text && f->n == 0)
		return EXIT_DONE;
	out_begin(&out, stdout, f->judged.args.format, "episodes", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS - (f->judged.rules.list->shows.n == 0) : N_COLUMNS,
		  &f->judged.logs.clock);
	for (size_t i = 0; i < f->n; i++)
		if (as_text) {
			put_text_row(f, &out, &f->episodes[i]);
		} else {
			out_text(&out, f->episodes[i].rule->name);
			out_episode(&out, &f->episodes[i]);
			out_more(&out, &f->episodes[i]);
		}
	return out_end(&out);
}

// Nothing that was found is an answer too; so it is said what was looked at.
static void
say_none(const struct finder *f)
{
	size_t judged;

	(void)rules_judge_outcome(f->judged.judge, 0, &judged);
	if (judged > 0)
		say(0, "the condition did not hold for any of %zu counter%s", judged,
		    judged == 1 ? "" : "s");
}

static int
print_all(struct finder *f)
{
	size_t from_queue = 0;
	int status = EXIT_DONE;

	if (f->judged.args.format == OUT_JSON)
		print_json(f);
	else
		status = print_table(f);
	if (status == EXIT_DONE && f->n == 0)
		say_none(f);
	for (size_t i = 0; i < f->n; i++)
		from_queue += f->episodes[i].from_queue;
	episode_say_from_queue(from_queue);
	say_not_judged(f);
	return status;
}

static int
judge_all(struct finder *f)
{
	size_t n;

	f->episodes = rules_judge_episodes(f->judged.judge, &f->n);
	if (f->episodes == NULL || rules_judge_findings(f->judged.judge, &n) == NULL)
		return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

int
find_run(const struct args *args)
{
	struct finder f = {.judged.only_values = true};
	int status;

	if (args->condition == NULL)
		return say(EXIT_USAGE,
			   "find: name a condition, as in pmon find '\\Memory\\Available "
			   "MBytes < 500' server.blg");
	status = rules_of_condition(args, &f.judged.rules);
	if (status == EXIT_DONE)
		status = judged_ask(&f.judged, args);
	if (status == EXIT_DONE)
		status = judged_read(&f.judged, true);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&f.judged.logs);
	if (status == EXIT_DONE)
		status = judge_all(&f);
	if (status == EXIT_DONE)
		status = print_all(&f);
	return judged_close(&f.judged, status);
}
