// verb.c - pmon rules: recording rules for pushed and scraped counters
// SPDX-License-Identifier: MIT

#include <string.h>

#include "verbs/rules/alerts.h"
#include "verbs/rules/alias.h"
#include "verbs/rules/pal.h"
#include "verbs/rules/rules.h"
#include "base/mem.h"
#include "base/time.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/live.h"
#include "shell/input/logs.h"
#include "shell/output/say.h"
#include "format/openmetrics/openmetrics.h"

// Options of pmon rules only.
struct rules_verb_options {
	bool alerts;
	bool alias;
	const char *window;
	struct words answers;
};

#define WINDOW (5 * PMON_TIME_PER_MIN)

static void
put_text(void *ctx, const char *text, size_t len)
{
	out_exact(ctx, (struct pmon_span){text, len});
}

// Write a duration for PromQL, in the largest exact unit.
static void
write_length(int64_t length_100ns, char buf[24])
{
	static const struct {
		int64_t of_100ns;
		const char *name;
	} units[] = {
		{60 * PMON_TIME_PER_MIN, "h"}, {PMON_TIME_PER_MIN, "m"}, {PMON_TIME_PER_SEC, "s"}};
	int64_t one = PMON_TIME_PER_SEC / 1000;
	const char *name = "ms";

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (length_100ns % units[i].of_100ns != 0)
			continue;
		one = units[i].of_100ns;
		name = units[i].name;
		break;
	}
	(void)snprintf(buf, 24, "%lld%s", (long long)(length_100ns / one), name);
}

static int
print_rules(const struct logs *logs, const struct args *args, const char *window)
{
	const struct om_out out = {
		.put = put_text, .ctx = stdout, .is_target = args->labels == LABELS_TARGET};
	bool asked = args->patterns.n > 0 || args->pattern_files.n > 0;
	struct om_registry book;
	int status = EXIT_DONE;

	pmon_om_registry_open(&book, pmon_source_schema(logs->source), pmon_mem_allocator(NULL));
	if (!pmon_om_registry_grow(&book))
		status = say(EXIT_FAILED, "not enough memory");
	else if (book.n_families == 0)
		status = say(EXIT_FAILED, "rules: no counter has a value");
	else if (OWN_OPTIONS(rules_verb, args)->alias)
		status = rules_put_aliases(args, &book);
	else if (OWN_OPTIONS(rules_verb, args)->alerts)
		status = rules_put_alerts(args, &book, asked);
	else
		pmon_om_put_rules(&out, &book, window, asked);
	pmon_om_registry_close(&book);
	return status;
}

static int
print_recording_rules(const struct args *args)
{
	const struct pmon_sample *sample;
	int64_t window = WINDOW;
	char text[24];
	struct request request = request_from(args);
	struct logs logs;
	int status = EXIT_DONE;

	if (OWN_OPTIONS(rules_verb, args)->alerts && OWN_OPTIONS(rules_verb, args)->alias)
		return say(EXIT_USAGE, "rules: --alerts and --alias cannot be combined: each "
				       "prints a file of its own");
	status = live_length("--window", OWN_OPTIONS(rules_verb, args)->window, &window);

	if (status != EXIT_DONE)
		return status;
	write_length(window, text);
	status = logs_open(&logs, &request);
	// All counters are known only after the last sample.
	while (status == EXIT_DONE && logs_next(&logs, &sample, &status))
		;
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	if (status == EXIT_DONE)
		status = print_rules(&logs, args, text);
	return logs_close(&logs, status);
}

// ---- Rules of thresholds --------------------------------------------------------------------

// Is the first operand this word, which selects a subcommand? A log with that name must be written
// ./list.
static bool
begins_with(const struct args *args, const char *word)
{
	return args->operands.n > 0 && strcmp(args->operands.list[0], word) == 0;
}

// The only operand after the word; NULL, after a message, if there is not exactly one.
static const char *
operand_of(const struct args *args, const char *what)
{
	if (args->operands.n == 2)
		return args->operands.list[1];
	(void)say(EXIT_USAGE, "rules %s: name one %s", args->operands.list[0], what);
	return NULL;
}

static int
load(const struct args *args)
{
	return begins_with(args, "import") ? pal_load() : EXIT_DONE;
}

static int
run_rules(const struct args *args)
{
	const char *operand;

	if (begins_with(args, "list") && args->operands.n == 1)
		return rules_list(args);
	if (begins_with(args, "import")) {
		operand = operand_of(args, "PAL threshold file");
		return operand != NULL
			       ? rules_import(operand, &OWN_OPTIONS(rules_verb, args)->answers)
			       : EXIT_USAGE;
	}
	if (begins_with(args, "show")) {
		operand = operand_of(args, "rule or pack");
		return operand != NULL ? rules_show(operand) : EXIT_USAGE;
	}
	return print_recording_rules(args);
}

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_read),
	GROUP(options_host),
	GROUP(options_rules),
	GROUP(options_labels),
	OPTION(FLAG, rules_verb, alerts, "--alerts", NULL, NULL,
	       "print alerting rules, based on the recording rules, for the rules of --pack and "
	       "--rules"),
	OPTION(FLAG, rules_verb, alias, "--alias", NULL, NULL,
	       "print rules that give the counters of Linux the names of node_exporter"),
	OPTION(TEXT, rules_verb, window, "--window", NULL, "LENGTH",
	       "window of the averages, such as 1m or 1h; 5m by default"),
	OPTION(WORDS, rules_verb, answers, "--answer", NULL, "NAME=ANSWER",
	       "import: the answer to a question of PAL, such as PhysicalMemory=64; its default "
	       "otherwise"),
	GROUP(options_verbose),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_rules = {
	.name = "rules",
	.operands = "[FILE...] | list | show NAME | import FILE.xml",
	.summary = "list threshold rules; write recording rules for Prometheus",
	.details =
		"list prints the rules that pmon has, with their limits and sources. show prints\n"
		"a rule or a whole pack as text, to begin your own with. import converts a\n"
		"threshold file of PAL: thresholds with an operator and a number, and those of\n"
		"memory, processors, ratios and questions in PAL's own forms, become rules; the\n"
		"rest becomes comments, and is counted at the end.\n\n"
		"Otherwise recording rules for Prometheus are printed. They work on what pmon\n"
		"serve gives to Prometheus; with --labels classic on what pmon push, relog and\n"
		"serve --labels classic give. They compute the displayed value and the average of\n"
		"each counter by its type: per instance, per machine, and over all\n"
		"machines. --alias prints rules that give the counters of Linux the names, labels\n"
		"and units of node_exporter, for its dashboards. Process and Thread are left out\n"
		"unless -c asks for counters.\n"
		"docs/prometheus.md says how exact the numbers are.\n\n"
		"Examples:\n"
		"  pmon rules list --pack sqlserver\n"
		"  pmon rules show 'Disk reads' > my.rules\n"
		"  pmon rules import SQLServer.xml > sql.rules\n"
		"  pmon rules server.blg > rules.yml\n"
		"  pmon rules --alerts server.blg > alerts.yml\n"
		"  pmon rules --alias > names.yml\n"
		"  pmon rules -c '\\PhysicalDisk(*)\\*' --window 1h *.blg\n",
	.options = options,
	.own_size = sizeof(struct rules_verb_options),
	.load = load,
	.run = run_rules,
	.live = LIVE_ONE,
};
