// find.c - pmon find: when a condition held, and how bad it was
// SPDX-License-Identifier: MIT

#include "base/text.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/judged.h"
#include "shell/input/rules_file.h"
#include "shell/output/episode.h"
#include "shell/output/out.h"
#include "shell/output/say.h"

// Options of pmon find only.
struct find_options {
	bool quiet;
};

struct finder {
	struct judged judged;
	const struct rules_episode *episodes;
	size_t n;
};

static const struct out_column columns[] = {
	{"condition", NULL, 0, OUT_LEFT}, EPISODE_COLUMNS, EPISODE_MORE, EPISODE_LIMIT};

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
	out_length(out, e->length_100ns);
	out_average(out, e);
	out_worst(out, e);
	out_seconds(out, e->worst_time, f->judged.spans_days);
	out_u64(out, e->samples);
	out_double(out, e->operations);
	out_text(out, naming_path(&f->judged.logs.naming, e->series));
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
	for (size_t i = 0; i < args_rows(f->judged.args, f->n); i++) {
		json_open(&json, '{');
		json_key(&json, "condition"), json_text(&json, f->episodes[i].rule->name);
		json_episode(&json, &f->episodes[i]);
		json_limit(&json, &f->episodes[i]);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_key(&json, "not_judged"), json_open(&json, '[');
	json_not_judged(f, &json);
	json_close(&json, ']');
	json_used(&json, &f->judged.logs.used);
	json_close(&json, '}');
	putchar('\n');
}

static int
print_table(struct finder *f)
{
	bool as_text = out_is_for_people(f->judged.args->format);
	struct out out;

	if (as_text && f->n > 0) {
		logs_hide_machine(&f->judged.logs);
		logs_print_heading(&f->judged.logs);
	}
	if (as_text && f->n == 0)
		return EXIT_DONE;
	out_begin(&out, stdout, f->judged.args->format, "episodes",
		  as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS - (f->judged.rules.list->shows.n == 0) : N_COLUMNS,
		  &f->judged.logs.clock);
	for (size_t i = 0; i < args_rows(f->judged.args, f->n); i++)
		if (as_text) {
			put_text_row(f, &out, &f->episodes[i]);
		} else {
			out_text(&out, f->episodes[i].rule->name);
			out_episode(&out, &f->episodes[i]);
			out_more(&out, &f->episodes[i]);
			out_limit_value(&out, &f->episodes[i]);
		}
	return out_end(&out);
}

// Finding nothing is a result too, so print what was examined.
static void
say_none(const struct finder *f)
{
	size_t judged;
	enum rules_outcome outcome = rules_judge_outcome(f->judged.judge, 0, &judged);

	if (judged > 0 && rules_is_judged(outcome))
		say(0, "the condition never held for any of %zu counter%s", judged,
		    pmon_text_word(judged, "", "s"));
}

// As grep does: 0 found, 1 not.
static int
tell_quietly(const struct finder *f)
{
	return f->n > 0 ? EXIT_DONE : EXIT_FAILED;
}

static int
print_all(struct finder *f)
{
	size_t from_queue = 0;
	int status = EXIT_DONE;

	if (f->judged.args->format == OUT_JSON)
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

static int
find_run(const struct args *args)
{
	struct finder f = {.judged.only_values = true};
	int status;

	if (args->condition == NULL)
		return say(EXIT_USAGE, "find: no condition given; example: pmon find "
				       "'\\Memory\\Available MBytes < 500' server.blg");
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
		status = OWN_OPTIONS(find, args)->quiet ? tell_quietly(&f) : print_all(&f);
	return judged_close(&f.judged, status);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_show),
	GROUP(options_window),
	GROUP(options_limit),
	GROUP(options_any_format),
	OPTION(FLAG, find, quiet, "-q", "--quiet", NULL,
	       "print no episodes: the exit status is 0 if there is one, else 1"),
	GROUP(options_analysis),
	OPTION_END,
};

const struct verb verb_find = {
	.name = "find",
	.operands = "CONDITION [FILE...]",
	.summary = "find when a condition held, for how long, and how bad it was",
	.details = "A condition is PATTERN OP LIMIT [for LENGTH] [while PATTERN OP LIMIT]. OP is "
		   ">,\n>=, < or <=. LIMIT is a number with a unit, such as 20ms, 90%, 100MB or "
		   "500/s.\nLENGTH is a duration such as 1m, or \"3 samples\". The condition after "
		   "`while`\nmust also hold, for the same instance if there is one, otherwise on "
		   "the same\nmachine. LIMIT can be followed by `clear LEVEL` (the episode "
		   "continues until the\nvalue is within that level), or by `share 10% within 1h` "
		   "instead of `for`.\nPATTERN trend > 100/h for 3h checks how fast values "
		   "grow.\n\nEach row is an episode: consecutive intervals in which the condition "
		   "held. The\naverage is computed according to the counter's type over the "
		   "episode. The worst\nepisodes come first: those furthest beyond the limit for "
		   "the longest time.\n\nExamples:\n  pmon find '\\PhysicalDisk(*)\\Avg. Disk "
		   "sec/Read > 20ms for 1m' server.blg\n  pmon find '\\Memory\\Available MBytes < "
		   "500' monday.blg tuesday.blg\n  pmon find '\\LogicalDisk(*)\\Avg. Disk sec/Read "
		   "> 20ms while\n             \\LogicalDisk(*)\\Disk Reads/sec > 10' server.blg\n "
		   " pmon find '\\Processor(_Total)\\% Processor Time > 80 share 10% within 1h' "
		   "a.blg\n  pmon find '\\Process(*)\\Handle Count trend > 100/h for 3h' "
		   "server.blg\n  pmon find '\\Processor(_Total)\\% Processor Time > 90%' -n 60\n  "
		   "pmon find '\\Processor(_Total)\\% Processor Time > 90%' \\\n             "
		   "--show '\\Process(*)\\% Processor Time top 3' server.blg\n",
	.options = options,
	.own_size = sizeof(struct find_options),
	.run = find_run,
	.live = LIVE_SOME,
	.traits = VERB_CONDITION | VERB_BY_PROCESS,
	.series_bytes = 3584,
};
