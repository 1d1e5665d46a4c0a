// explain.c - pmon explain: how a value and an average were computed
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "query/statistics.h"
#include "shell/args/groups.h"
#include "shell/args/raws.h"
#include "shell/args/verb.h"
#include "shell/input/by_series.h"
#include "shell/input/live.h"
#include "shell/input/logs.h"
#include "shell/output/explain_json.h"
#include "shell/output/explain_text.h"
#include "shell/output/say.h"
#include "verbs/explain/incident.h"

// Options of pmon explain only.
struct explain_options {
	const char *at;
	const char *incident;
};

#define MOST_AT_ONCE 20 // series explained by one command

// Print the mean of displayed values, if the average from raw values differs.
static void
print_mean(const struct explain_subject *s, const struct pmon_stats *stats)
{
	struct pmon_value average = pmon_stats_average(stats);
	const char *flaw = stats->calc.type != NULL ? pmon_type_mean_flaw(stats->calc.type) : NULL;
	char mean[48];
	char shown[48];

	if (flaw == NULL || s->n == 0 || !pmon_vstat_has_value(average.status))
		return;
	out_number(s->sum / (double)s->n, mean, sizeof(mean));
	out_number(average.value, shown, sizeof(shown));
	if (strcmp(mean, shown) == 0)
		return; // no visible difference
	printf("  %s%-9s%s the mean of the %llu displayed values would be %s:\n            %s\n",
	       out_style(STYLE_DIM), "not", out_style(STYLE_OFF), (unsigned long long)s->n, mean,
	       flaw);
}

// "601: 599 ok, 1 first_sample, 1 below_zero"
static void
print_samples(const struct pmon_stats *stats)
{
	const char *separator = "";

	printf("  %s%-9s%s %llu: ", out_style(STYLE_DIM), "samples", out_style(STYLE_OFF),
	       (unsigned long long)pmon_stats_samples(stats));
	for (size_t i = 0; i < PMON_V_COUNT; i++) {
		if (stats->count[i] == 0)
			continue;
		printf("%s%llu %s", separator, (unsigned long long)stats->count[i],
		       pmon_vstat_name((enum pmon_vstat)i));
		separator = ", ";
	}
	putchar('\n');
}

// series and clock are NULL for raw values from the command line, which have no times.
// PERF_COUNTER_TEXT has a text instead of a number.
static void
print_text_of(const struct pmon_series *series, const struct pmon_raw *raw)
{
	struct pmon_span text = {NULL, 0};

	if (series != NULL)
		text = pmon_series_text(series, raw);
	if (text.ptr == NULL)
		return;
	printf("  %s%-9s%s ", out_style(STYLE_DIM), "text", out_style(STYLE_OFF));
	out_clean(stdout, text);
	putchar('\n');
}

// "process 3320, started 2007-08-14 15:40:12.000"
static void
print_who(const struct pmon_identity_who *who, const struct clock *clock)
{
	char start[PMON_TIME_SIZE];

	if (who->thread_id >= 0)
		printf("thread %lld", (long long)who->thread_id);
	else if (who->process_id >= 0)
		printf("process %lld", (long long)who->process_id);
	else
		fputs("a process", stdout);
	if (who->start == PMON_TIME_NONE)
		return;
	pmon_time_local(who->start, clock_offset(clock, who->start), start);
	printf(", started %s", start);
}

static void
print_change(const struct explain_subject *s, const struct clock *clock)
{
	if (!s->changed || clock == NULL)
		return;
	printf("  %s%-9s%s ", out_style(STYLE_DIM), "was", out_style(STYLE_OFF));
	print_who(&s->was, clock);
	printf("\n  %s%-9s%s ", out_style(STYLE_DIM), "is", out_style(STYLE_OFF));
	print_who(&s->is, clock);
	putchar('\n');
}

static void
print_subject(const struct explain_subject *s, const struct pmon_stats *stats,
	      const struct explain_average *average, const struct pmon_series *series,
	      const struct clock *clock)
{
	struct pmon_explanation why;
	char title[128] = "Last value";
	char first[PMON_TIME_SIZE];
	char last[PMON_TIME_SIZE];

	if (clock != NULL) {
		pmon_time_local(s->newer.time, clock_offset(clock, s->newer.time), last);
		(void)snprintf(title, sizeof(title), "Value at %s", last);
	}
	pmon_series_explain_value(series, &stats->calc, s->has_older ? &s->older : NULL, &s->newer,
				  &why);
	explain_print(stdout, title, &why);
	print_text_of(series, &s->newer);
	print_change(s, clock);
	putchar('\n');
	(void)snprintf(title, sizeof(title), "Average");
	if (clock != NULL) {
		pmon_time_local(stats->first_raw_time, clock_offset(clock, stats->first_raw_time),
				first);
		pmon_time_local(stats->last_raw_time, clock_offset(clock, stats->last_raw_time),
				last);
		(void)snprintf(title, sizeof(title), "Average from %s to %s", first, last);
	}
	explain_print(stdout, title, &average->why);
	print_samples(stats);
	print_mean(s, stats);
}

// What a live counter measures, and where it is read from.
static void
print_origin(const struct pmon_live_counter *counter)
{
	const char *windows = strcmp(counter->windows, "=") == 0 ? "the same counter"
			      : counter->windows[0] == '\0'      ? "has no counter with this name"
								 : counter->windows;

	printf("  %s%-9s%s %s\n", out_style(STYLE_DIM), "help", out_style(STYLE_OFF),
	       counter->help);
	printf("  %s%-9s%s %s\n", out_style(STYLE_DIM), "from", out_style(STYLE_OFF),
	       counter->from);
	printf("  %s%-9s%s %s\n\n", out_style(STYLE_DIM), "Windows", out_style(STYLE_OFF), windows);
}

// What a counter in a log measures, if known, and the document that describes it.
static void
print_help(const struct pmon_series *series)
{
	struct pmon_counter_help help;

	if (!explain_help(pmon_series_english(series), &help))
		return;
	printf("  %s%-9s%s %s\n", out_style(STYLE_DIM), "help", out_style(STYLE_OFF), help.text);
	printf("  %s%-9s%s %s\n\n", out_style(STYLE_DIM), "by", out_style(STYLE_OFF), help.source);
}

// ---- Raw values given by hand ---------------------------------------------------------------

static int
explain_raws(const struct args *args)
{
	struct json json = {.stream = stdout};
	struct explain_subject s = {.found = false};
	struct explain_average average;
	struct pmon_counter counter;
	struct pmon_calc calc;
	struct pmon_stats stats;
	struct pmon_raw raw;
	int status = raws_counter(args, &counter);

	if (status != EXIT_DONE)
		return status;
	pmon_calc_init(&calc, &counter, &args->calc);
	pmon_stats_init(&stats, &calc);
	for (size_t i = 0; i < args->operands.n; i++) {
		struct pmon_value value;

		status = raws_parse(args->operands.list[i], &counter, &raw);
		if (status != EXIT_DONE)
			return status;
		explain_see(&s, &stats, &raw, PMON_TIME_NONE);
		value = pmon_stats_add(&stats, &raw);
		explain_note(&s, &value);
	}
	if (args->operands.n == 0)
		return say(EXIT_USAGE,
			   "explain: no raw values given; write them as FIRST:SECOND[:MULTI]");
	explain_average_of(NULL, &stats, &average);
	if (args->format == OUT_JSON) {
		explain_subject_json(&json, &s, &stats.calc, &average, NULL, NULL);
		putchar('\n');
	} else {
		print_subject(&s, &stats, &average, NULL, NULL);
	}
	return EXIT_DONE;
}

// ---- A log ----------------------------------------------------------------------------------

struct explainer {
	struct logs logs;
	struct pmon_statistics *statistics;
	struct by_series subjects; // struct explain_subject
	pmon_time at;
};

static bool
see_sample(struct explainer *e, const struct pmon_sample *sample)
{
	for (size_t i = 0; !sample->preceding && i < sample->n; i++) {
		const struct pmon_stats *before =
			pmon_statistics_at(e->statistics, sample->series[i]);
		struct explain_subject *subject = by_series_get(&e->subjects, sample->series[i]);
		static const struct pmon_stats nothing;

		if (subject == NULL)
			return false;
		explain_see(subject, before != NULL ? before : &nothing, &sample->raw[i], e->at);
		explain_see_change(
			subject, e->logs.identity.step,
			&pmon_schema_at(pmon_source_schema(e->logs.source), sample->series[i])
				 ->path);
	}
	return true;
}

static bool
note_values(struct explainer *e, const struct pmon_sample *sample, const struct pmon_value *values)
{
	for (size_t i = 0; !sample->preceding && i < sample->n; i++) {
		struct explain_subject *subject = by_series_get(&e->subjects, sample->series[i]);

		if (subject == NULL)
			return false;
		explain_note(subject, &values[i]);
	}
	return true;
}

static int
read_all(struct explainer *e)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_err err;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && logs_next(&e->logs, &sample, &status)) {
		if (!see_sample(e, sample))
			return say(EXIT_FAILED, "not enough memory");
		if (pmon_statistics_add(e->statistics, sample, &values, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		if (!note_values(e, sample, values))
			return say(EXIT_FAILED, "not enough memory");
	}
	return status;
}

// The origin of a series is known only for this machine.
static const struct pmon_live_counter *
origin_of(const struct explainer *e, const struct pmon_series *series,
	  struct pmon_live_counter *buf)
{
	return pmon_source_info(e->logs.source)->live && live_counter(series, buf) ? buf : NULL;
}

static void
print_series(const struct explainer *e, const struct pmon_series *series,
	     const struct explain_subject *subject)
{
	struct pmon_live_counter buf;
	const struct pmon_live_counter *origin = origin_of(e, series, &buf);
	struct explain_average average;

	printf("%s", out_style(STYLE_BOLD));
	out_clean(stdout, series->name);
	printf("%s\n", out_style(STYLE_OFF));
	if (origin != NULL)
		print_origin(origin);
	else
		print_help(series);
	pmon_statistics_explain_average(e->statistics, series->id, &average.kind, &average.why);
	print_subject(subject, pmon_statistics_at(e->statistics, series->id), &average, series,
		      &e->logs.clock);
}

static void
json_series(const struct explainer *e, const struct pmon_series *series,
	    const struct explain_subject *subject)
{
	struct json json = {.stream = stdout};
	struct pmon_live_counter buf;
	struct explain_average average;

	pmon_statistics_explain_average(e->statistics, series->id, &average.kind, &average.why);
	explain_subject_json(&json, subject, &pmon_statistics_at(e->statistics, series->id)->calc,
			     &average, series, origin_of(e, series, &buf));
	putchar('\n');
}

static int
print_all(const struct explainer *e)
{
	bool as_json = e->logs.request.format == OUT_JSON;
	size_t shown = 0;
	size_t all;
	size_t n = 0;
	const struct pmon_series **list = logs_series(&e->logs, &all);

	if (list == NULL)
		return EXIT_FAILED;
	for (size_t i = 0; i < all; i++)
		if (e->logs.request.also == NULL ||
		    pmon_select_shows(e->logs.patterns.select, list[i]))
			list[n++] = list[i];
	if (n > MOST_AT_ONCE && e->subjects.n > 0) // without a sample there is nothing to explain
		say(0, "%zu counters match; explaining the first %d (use -c to choose others)", n,
		    MOST_AT_ONCE);
	for (size_t i = 0; i < n && shown < MOST_AT_ONCE; i++) {
		const struct explain_subject *subject = by_series_find(&e->subjects, list[i]->id);

		if (subject == NULL || !subject->found)
			continue;
		if (!as_json && shown > 0)
			putchar('\n');
		if (as_json)
			json_series(e, list[i], subject);
		else
			print_series(e, list[i], subject);
		shown++;
	}
	free(list);
	return EXIT_DONE;
}

static int
explain_log(const struct args *args)
{
	struct explainer e = {
		.at = PMON_TIME_NONE,
		.subjects = BY_SERIES_OF(struct explain_subject),
	};
	struct request request = request_from(args);
	struct pmon_err err;
	int status;

	request.also = request_average_needs(&request);
	status = logs_open(&e.logs, &request);
	if (status == EXIT_DONE && OWN_OPTIONS(explain, args)->at != NULL)
		status = logs_time(&e.logs, OWN_OPTIONS(explain, args)->at, &e.at);
	if (status == EXIT_DONE &&
	    pmon_statistics_new(pmon_source_schema(e.logs.source), &args->calc, NULL, &e.statistics,
				&err) != PMON_OK)
		status = say(EXIT_FAILED, "%s", err.msg);
	if (status == EXIT_DONE)
		status = read_all(&e);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&e.logs);
	if (status == EXIT_DONE)
		status = print_all(&e);
	if (status == EXIT_DONE)
		logs_say_one_sample(&e.logs, e.statistics);
	pmon_statistics_free(e.statistics);
	by_series_free(&e.subjects);
	return logs_close(&e.logs, status);
}

static int
explain_run(const struct args *args)
{
	if (args->format == OUT_CSV)
		return say(EXIT_USAGE,
			   "explain: --format must be text or json; an explanation is not a table");
	if (OWN_OPTIONS(explain, args)->incident != NULL)
		return explain_incident(args, OWN_OPTIONS(explain, args)->incident);
	if (args->counter.type != NULL)
		return explain_raws(args);
	if (args->patterns.n == 0 && args->pattern_files.n == 0)
		return say(EXIT_USAGE,
			   "explain: no counter given; use -c (pmon list%s%s shows them)",
			   args->operands.n > 0 ? " " : "",
			   args->operands.n > 0 ? args->operands.list[0] : "");
	return explain_log(args);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_range),
	GROUP(options_format),
	GROUP(options_calc),
	OPTION(TEXT, explain, at, "--at", NULL, "TIME",
	       "explain the sample nearest to this time; the last sample by default"),
	OPTION_FOR(LOGS, TEXT, explain, incident, "--incident", NULL, "ID",
		   "explain an incident instead: its evidence, usual levels, limits and formulas; "
		   "pmon health lists the IDs"),
	GROUP(options_rules),
	GROUP(options_counter_type),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_identity),
	GROUP(options_color),
	GROUP(options_pager),
	GROUP(options_verbose),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_explain = {
	.name = "explain",
	.operands = "[FILE...] -c PATH | -t TYPE FIRST:SECOND[:MULTI]...",
	.summary = "show how a value and an average were computed",
	.details = "Examples:\n"
		   "  pmon explain server.blg -c '\\PhysicalDisk(_Total)\\Avg. Disk sec/Read'\n"
		   "  pmon explain server.blg -c '\\Memory\\Pages/sec' --at 10:32:15\n"
		   "  pmon explain server.blg --incident 4903d28d\n"
		   "  pmon explain -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1 2147727:1\n",
	.options = options,
	.own_size = sizeof(struct explain_options),
	.run = explain_run,
	.live = LIVE_SOME,
	.traits = VERB_TEXTS,
};
