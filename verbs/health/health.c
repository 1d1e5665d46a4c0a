// health.c - pmon health: what was wrong, according to rules
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/judged_json.h"
#include "shell/input/live.h"
#include "shell/input/rules_file.h"
#include "shell/output/episode.h"
#include "shell/output/out.h"
#include "shell/output/line.h"
#include "shell/output/say.h"
#include "verbs/health/incidents.h"
#include "verbs/health/state.h"

// Options of pmon health only.
struct health_options {
	bool all;
};

static const struct out_column columns[] = {
	{"rule", NULL, 0, OUT_LEFT},      {"pack", NULL, 0, OUT_LEFT},
	{"severity", NULL, 0, OUT_LEFT},  EPISODE_COLUMNS,
	{"episodes", NULL, 0, OUT_RIGHT}, EPISODE_MORE,
	{"text", NULL, 0, OUT_LEFT},      {"advice", NULL, 0, OUT_LEFT},
	{"sources", NULL, 0, OUT_LEFT},   EPISODE_LIMIT,
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

#define REASON 256

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

// All sources of a rule, each followed by its link.
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

// Run add() and return its text, which the caller frees; NULL if out of memory.
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
	out_worst(out, e);
	out_seconds(out, e->from, j->spans_days);
	out_seconds(out, e->to, j->spans_days);
	out_length(out, e->length_100ns);
	out_u64(out, f->episodes);
	out_text(out, naming_path(&j->logs.naming, e->series));
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
	out_limit_value(out, f->gravest);
}

static int
print_table(const struct judged *j)
{
	bool as_text = out_is_for_people(j->args->format);
	size_t n = args_rows(j->args, j->n_findings);
	bool with_who = false;
	struct out out;

	if (as_text && j->n_findings == 0)
		return EXIT_DONE;
	for (size_t i = 0; i < n; i++)
		with_who = with_who || j->findings[i].gravest->n_who > 0;
	out_begin(&out, stdout, j->args->format, "findings", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS - !with_who : N_COLUMNS, &j->logs.clock);
	for (size_t i = 0; i < n; i++)
		if (as_text)
			put_text_row(&out, j, &j->findings[i], with_who);
		else
			put_row(&out, &j->findings[i]);
	return out_end(&out);
}

// ---- Rules without a finding ----------------------------------------------------------------

// What begins an item of a list, and what ends its title.
static const char *
item_of(const struct judged *j)
{
	return j->args->format == OUT_MARKDOWN ? "- " : "  ";
}

static const char *
end_of_title(const struct judged *j)
{
	return j->args->format == OUT_MARKDOWN ? ":\n\n" : ":\n";
}

static void
print_rule(const struct judged *j, size_t rule, size_t machine, bool with_reason)
{
	const struct rules_rule *r = &j->rules.list[rule];
	bool is_pack = judged_lacks_pack(j, rule, machine);
	char reason[REASON];
	struct pmon_text t = pmon_text_init(reason, sizeof(reason));

	fputs(item_of(j), stdout);
	fputs(is_pack ? "pack " : "", stdout);
	out_clean(stdout, is_pack ? r->pack : r->name);
	if (rules_judge_machines(j->judge) > 1) {
		fputs(" (", stdout);
		out_clean(stdout, rules_judge_machine(j->judge, machine));
		putchar(')');
	}
	judged_put_reason(j, &t, rule, machine);
	if (with_reason)
		printf(": %s", reason);
	putchar('\n');
}

// Is the rule in the list of what is beyond a limit now?
static bool
is_now(const struct judged *j, size_t rule, size_t machine)
{
	for (size_t i = 0; i < j->n_now; i++) {
		const struct rules_episode *e = &j->now[i].episode;

		if (e->rule == &j->rules.list[rule] &&
		    pmon_text_same(e->series->path.machine, rules_judge_machine(j->judge, machine)))
			return true;
	}
	return false;
}

// Print the rules that count the same way, separated from previous output by an empty line.
static void
print_others(const struct judged *j, enum judged_as as, bool *is_first)
{
	static const char *const titles[] = {
		[JUDGED_WITHIN] = "Within their limits",
		[JUDGED_BEYOND] = "Beyond the limit throughout, but too short for the rule",
		[JUDGED_NOT] = "Not judged",
	};
	bool is_titled = false;

	for (size_t m = 0; m < rules_judge_machines(j->judge); m++)
		for (size_t i = 0; i < j->rules.n; i++) {
			if (judged_as(j, i, m) != as || is_now(j, i, m))
				continue;
			if (!is_titled)
				printf("%s%s%s", *is_first ? "" : "\n", titles[as],
				       end_of_title(j));
			is_titled = true;
			*is_first = false;
			print_rule(j, i, m, as == JUDGED_NOT);
		}
}

// Rules that count one way and are not in the list of what is beyond a limit now.
static size_t
count_others(const struct judged *j, enum judged_as as)
{
	size_t n = 0;

	for (size_t m = 0; m < rules_judge_machines(j->judge); m++)
		for (size_t i = 0; i < j->rules.n; i++)
			n += judged_as(j, i, m) == as && !is_now(j, i, m);
	return n;
}

// A look at this machine covers a few seconds only, so print how many.
static void
print_within(const struct judged *j)
{
	char length[64] = "";
	struct pmon_text t = pmon_text_init(length, sizeof(length));

	if (j->args->operands.n == 0 && j->first != PMON_TIME_NONE &&
	    j->last - j->first >= PMON_TIME_PER_SEC / 2) {
		pmon_text_str(&t, " for ");
		episode_put_length(&t, (j->last - j->first + PMON_TIME_PER_SEC / 2) /
					       PMON_TIME_PER_SEC * PMON_TIME_PER_SEC);
	}
	printf("%zu rule%s within the limits%s; ", j->within, pmon_text_word(j->within, "", "s"),
	       length);
}

static void
print_summary(const struct judged *j, bool lists_all, bool is_first)
{
	size_t warnings = incidents_count(&j->incidents, INCIDENT_WARNING);
	size_t beyond = count_others(j, JUDGED_BEYOND);
	size_t not_judged = count_others(j, JUDGED_NOT);

	printf("%s%zu critical, %zu warning%s; %zu limit%s crossed; ", is_first ? "" : "\n",
	       incidents_count(&j->incidents, INCIDENT_CRITICAL), warnings,
	       pmon_text_word(warnings, "", "s"), j->n_findings,
	       pmon_text_word(j->n_findings, "", "s"));
	if (j->n_now > 0)
		printf("%zu beyond a limit now; ", j->n_now);
	print_within(j);
	if (beyond > 0)
		printf("%zu beyond the limit throughout, but too short for the rule; ", beyond);
	printf("%zu not judged%s\n", not_judged,
	       j->n_findings + not_judged > 0 && !lists_all ? " (--all lists them)" : "");
}

// Every limit that was crossed, also where that is usual.
static int
print_crossed(const struct judged *j, bool *is_first)
{
	if (j->n_findings == 0)
		return EXIT_DONE;
	printf("%sLimits that were crossed%s", *is_first ? "" : "\n", end_of_title(j));
	*is_first = false;
	return print_table(j);
}

// ---- This machine ---------------------------------------------------------------------------

#define LOOK_100NS (3 * PMON_TIME_PER_SEC)

// During a long look, the state is also printed after three seconds.
struct look {
	const struct judged *judged;
	pmon_time first;
	bool is_printed;
};

// For this machine only, and not if the user chose rules.
static bool
shows_state(const struct args *args)
{
	return args->operands.n == 0 && args->format != OUT_CSV && args->rules.file == NULL &&
	       args->rules.packs.n == 0;
}

static bool
print_early(void *ctx, const struct pmon_sample *sample, const struct pmon_value *values)
{
	struct look *look = ctx;
	const struct judged *j = look->judged;

	(void)values;
	if (look->first == PMON_TIME_NONE)
		look->first = sample->time;
	if (look->is_printed || sample->time - look->first < LOOK_100NS)
		return true;
	look->is_printed = true;
	line_erase();
	logs_print_heading(&j->logs);
	return state_print(stdout, j, j->args->format) == EXIT_DONE && fflush(stdout) == 0;
}

// A look of a few seconds prints it at its end.
static bool
is_long(const struct args *args)
{
	struct live_plan plan;

	if (live_plan(&args->sampling, &plan) != EXIT_DONE)
		return false;
	if (plan.count == 0 && plan.duration_100ns == 0)
		return true;
	return (plan.duration_100ns == 0 || plan.duration_100ns > 2 * LOOK_100NS) &&
	       (plan.count == 0 || plan.count > (uint64_t)(2 * LOOK_100NS / plan.interval_100ns));
}

static int
print_text(const struct judged *j)
{
	const struct look *look = j->ctx;
	bool lists_all = OWN_OPTIONS(health, j->args)->all;
	bool any = false;
	bool is_first;
	int status;

	if (look->is_printed)
		printf("At the end:\n\n");
	else
		logs_print_heading(&j->logs);
	if (shows_state(j->args)) {
		status = state_print(stdout, j, j->args->format);
		if (status != EXIT_DONE)
			return status;
	}
	status = health_incidents(stdout, j, j->args->format, &any);
	is_first = !any;
	if (status == EXIT_DONE && lists_all)
		status = print_crossed(j, &is_first);
	if (status != EXIT_DONE)
		return status;
	health_texts(stdout, j, j->args->format, lists_all);
	health_now(stdout, j, j->args->format, &is_first);
	print_others(j, JUDGED_BEYOND, &is_first);
	if (lists_all) {
		print_others(j, JUDGED_WITHIN, &is_first);
		print_others(j, JUDGED_NOT, &is_first);
	}
	print_summary(j, lists_all, is_first);
	return EXIT_DONE;
}

// ---- The verb -------------------------------------------------------------------------------

static int
print_json(const struct judged *j)
{
	struct json json = {.stream = stdout};

	if (!judged_json(&json, j, &(struct judged_numbers){.of = NULL}))
		return say(EXIT_FAILED, "not enough memory");
	putchar('\n');
	return EXIT_DONE;
}

static int
print_all(const struct judged *j)
{
	switch (j->args->format) {
	case OUT_JSON:
		return print_json(j);
	case OUT_CSV:
		return print_table(j);
	case OUT_TEXT:
	case OUT_MARKDOWN:
		break;
	}
	return print_text(j);
}

// CSV has rows only for findings.
static void
say_beyond(const struct judged *j)
{
	char text[1024];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (j->args->format != OUT_CSV || j->beyond == 0)
		return;
	judged_put_beyond(j, &t);
	say(0, RULES_ALL_BEYOND ": %s", text);
}

static void
say_from_queue(const struct judged *j)
{
	size_t n = 0;

	for (size_t i = 0; i < j->n_findings; i++)
		n += j->findings[i].gravest->from_queue;
	episode_say_from_queue(n);
}

static int
health_run(const struct args *args)
{
	struct judged j = {.only_values = true,
			   .finds_incidents = true,
			   .may_lack = true}; // few logs have the counters of all rules
	struct look look = {.judged = &j, .first = PMON_TIME_NONE};
	int status = rules_load(args, &j.rules);

	if (status == EXIT_DONE)
		status = judged_ask(&j, args);
	j.ctx = &look;
	if (status == EXIT_DONE && shows_state(args)) {
		j.more_json = state_json;
		if (args->format == OUT_TEXT && out_is_terminal(stdout) && is_long(args))
			j.each = print_early;
		status = state_ask(&j) ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
	}
	if (status == EXIT_DONE)
		status = judged_read(&j, args->format == OUT_JSON);
	if (status == EXIT_DONE)
		status = judged_rank(&j);
	if (status == EXIT_DONE) {
		logs_hide_machine(&j.logs);
		status = print_all(&j);
		say_beyond(&j);
		say_from_queue(&j);
	}
	return judged_close(&j, judged_fail(&j, status));
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_window),
	GROUP(options_rules),
	OPTION(FLAG, health, all, "--all", NULL, NULL,
	       "also list each limit that was crossed, the rules that were within their limits, "
	       "and those that could not be judged"),
	GROUP(options_limit),
	GROUP(options_any_format),
	GROUP(options_fail_on),
	GROUP(options_digits),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_identity),
	GROUP(options_table),
	OPTION_END,
};

const struct verb verb_health = {
	.name = "health",
	.operands = "[FILE...]",
	.summary = "find what was wrong, when, how bad, and who did it",
	.details = "Compares each counter with its usual level in the log, and with rules whose "
		   "limits\nare published. What was unusual or beyond a limit at the same time is "
		   "one incident,\nthe gravest first, with the processes that used more than "
		   "usual. --all lists every\nlimit that was crossed. A rule can be judged only "
		   "if the log has its counters; the\nlast line shows how many could "
		   "not.\n\nExamples:\n  pmon health server.blg\n  pmon health --all "
		   "--from 10:30 server.blg\n  pmon health --pack sqlserver server.blg\n  pmon "
		   "health --rules ours.rules --format json server.blg\n  pmon health --duration "
		   "10m                 this machine, for ten minutes\n",
	.options = options,
	.own_size = sizeof(struct health_options),
	.run = health_run,
	.live = LIVE_MINUTE,
	.traits = VERB_BY_PROCESS,
};
