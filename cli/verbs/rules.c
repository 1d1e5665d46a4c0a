// rules.c - pmon rules: recording rules for what is pushed and scraped
// SPDX-License-Identifier: MIT

#include <string.h>

#include "apps/rules/alerts.h"
#include "apps/rules/alias.h"
#include "apps/rules/pal.h"
#include "apps/rules/rules.h"
#include "base/mem.h"
#include "base/time.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"
#include "cli/input/live.h"
#include "cli/input/logs.h"
#include "cli/output/say.h"
#include "format/openmetrics/openmetrics.h"

#define WINDOW (5 * PMON_TIME_PER_MIN)

static void
put(void *ctx, const char *text, size_t len)
{
	out_exact(ctx, (struct pmon_span){text, len});
}

// A duration as PromQL has it, in its largest unit.
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
print(const struct logs *logs, const struct args *args, const char *window)
{
	const struct om_out out = {
		.put = put, .ctx = stdout, .is_target = args->labels == LABELS_TARGET};
	bool asked = args->patterns.n > 0 || args->pattern_files.n > 0;
	struct om_registry book;
	int status = EXIT_DONE;

	pmon_om_registry_open(&book, pmon_source_schema(logs->source), pmon_mem_allocator(NULL));
	if (!pmon_om_registry_grow(&book))
		status = say(EXIT_FAILED, "not enough memory");
	else if (book.n_families == 0)
		status = say(EXIT_FAILED, "rules: no counter has a value");
	else if (args_flag(args, "--alias"))
		status = rules_put_aliases(args, &book);
	else if (args_flag(args, "--alerts"))
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
	struct logs logs;
	int status = EXIT_DONE;

	if (args_flag(args, "--alerts") && args_flag(args, "--alias"))
		return say(EXIT_USAGE,
			   "rules: --alerts and --alias are files of their own; give one "
			   "of them");
	status = live_length("--window", args_text(args, "--window"), &window);

	if (status != EXIT_DONE)
		return status;
	write_length(window, text);
	status = logs_open(&logs, args);
	// Counters are known once every sample was seen.
	while (status == EXIT_DONE && logs_next(&logs, &sample, &status))
		;
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	if (status == EXIT_DONE)
		status = print(&logs, args, text);
	return logs_close(&logs, status);
}

// ---- Rules of thresholds --------------------------------------------------------------------

// Is the first operand this word, which begins a command of its own? A log of that name is ./list.
static bool
begins_with(const struct args *args, const char *word)
{
	return args->operands.n > 0 && strcmp(args->operands.list[0], word) == 0;
}

// The one operand that must follow the word; NULL after saying that there is not one.
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
run(const struct args *args)
{
	const char *operand;

	if (begins_with(args, "list") && args->operands.n == 1)
		return rules_list(args);
	if (begins_with(args, "import")) {
		operand = operand_of(args, "threshold file of PAL");
		return operand != NULL ? rules_import(operand) : EXIT_USAGE;
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
	OPTION(FLAG, "--alerts", NULL, NULL,
	       "print alerting rules, of --pack and --rules, that read the recording rules"),
	OPTION(FLAG, "--alias", NULL, NULL,
	       "print rules that give the counters the names of windows_exporter and "
	       "node_exporter"),
	OPTION(TEXT, "--window", NULL, "LENGTH",
	       "range of the averages, such as 1m or 1h; 5m by default"),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_rules = {
	.name = "rules",
	.operands = "[FILE...] | list | show NAME | import FILE.xml",
	.summary = "rules of thresholds; recording rules for Prometheus",
	.details =
		"list prints the rules that pmon has, with their limits and sources. show prints\n"
		"a rule or a whole pack as text, to begin your own with. import converts a\n"
		"threshold file of PAL: each threshold with an operator and a number becomes a\n"
		"rule; the rest becomes comments, and is counted at the end.\n\n"
		"Otherwise recording rules for Prometheus are printed. They work on what pmon\n"
		"serve gives to Prometheus; with --labels classic on what pmon push, relog and\n"
		"serve --labels classic give. They compute the displayed value and the average of\n"
		"each counter by its type: per instance, per machine, and over all\n"
		"machines. --alias prints rules that give the counters the names, labels and\n"
		"units of windows_exporter and node_exporter, for their dashboards. Process and\n"
		"Thread are left out unless -c asks for counters.\n"
		"docs/prometheus.md says how exact the numbers are.\n\n"
		"Examples:\n"
		"  pmon rules list --pack sqlserver\n"
		"  pmon rules show 'Disk reads' > my.rules\n"
		"  pmon rules import SQLServer.xml > sql.rules\n"
		"  pmon rules server.blg > rules.yml\n"
		"  pmon rules --alerts server.blg > alerts.yml\n"
		"  pmon rules --alias server.blg > names.yml\n"
		"  pmon rules -c '\\PhysicalDisk(*)\\*' --window 1h *.blg\n",
	.options = options,
	.load = load,
	.run = run,
	.live = LIVE_ONE,
};
