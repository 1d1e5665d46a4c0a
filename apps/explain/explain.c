// explain.c - pmon explain: why a value and an average are what they are
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "cli/args/raws.h"
#include "cli/input/by_series.h"
#include "cli/input/live.h"
#include "cli/input/logs.h"
#include "cli/output/explain_text.h"
#include "cli/output/say.h"
#include "rules/disks.h"
#include "text/explain.h"

#define MOST_AT_ONCE 20 // series explained by one command

// What the mean of displayed values would be, where raw values give another average.
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
		return; // no difference that one could see
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

// series and clock are NULL for raw values given by hand, which have no times.
// The text of PERF_COUNTER_TEXT, which has no number.
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
	      const struct pmon_series *series, const struct clock *clock)
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
	pmon_series_explain_average(series, stats, &why);
	explain_print(stdout, title, &why);
	print_samples(stats);
	print_mean(s, stats);
}

// What a live counter measures, and where it is read.
static void
print_origin(const struct pmon_live_counter *counter)
{
	const char *windows = strcmp(counter->windows, "=") == 0 ? "the same counter"
			      : counter->windows[0] == '\0'      ? "has none of this name"
								 : counter->windows;

	printf("  %s%-9s%s %s\n", out_style(STYLE_DIM), "help", out_style(STYLE_OFF),
	       counter->help);
	printf("  %s%-9s%s %s\n", out_style(STYLE_DIM), "from", out_style(STYLE_OFF),
	       counter->from);
	printf("  %s%-9s%s %s\n\n", out_style(STYLE_DIM), "Windows", out_style(STYLE_OFF), windows);
}

// What a counter of a log measures, where that is known, and the document that says so.
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
		return say(EXIT_USAGE, "explain: give raw values as FIRST:SECOND[:MULTI]");
	if (args->format == OUT_JSON) {
		explain_subject_json(&json, &s, &stats, NULL, NULL);
		putchar('\n');
	} else {
		print_subject(&s, &stats, NULL, NULL);
	}
	return EXIT_DONE;
}

// ---- A log ----------------------------------------------------------------------------------

struct explainer {
	struct logs logs;
	struct pmon_statistics *statistics;
	struct by_series subjects; // struct explain_subject
	struct rules_disks disks;
	pmon_time at;
};

static bool
see_sample(struct explainer *e, const struct pmon_sample *sample)
{
	for (size_t i = 0; !sample->lead_in && i < sample->n; i++) {
		const struct pmon_stats *before =
			pmon_statistics_at(e->statistics, sample->series[i]);
		struct explain_subject *subject = by_series_get(&e->subjects, sample->series[i]);
		static const struct pmon_stats nothing;

		if (subject == NULL)
			return false;
		explain_see(subject, before != NULL ? before : &nothing, &sample->raw[i], e->at);
		explain_see_change(
			subject, e->logs.identity,
			&pmon_schema_at(pmon_source_schema(e->logs.source), sample->series[i])
				 ->path);
	}
	return true;
}

static bool
note_values(struct explainer *e, const struct pmon_sample *sample, const struct pmon_value *values)
{
	for (size_t i = 0; !sample->lead_in && i < sample->n; i++) {
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

// The origin of a series is known while this machine is sampled.
static const struct pmon_live_counter *
origin_of(const struct explainer *e, const struct pmon_series *series,
	  struct pmon_live_counter *buf)
{
	return pmon_source_info(e->logs.source)->live && live_counter(series, buf) ? buf : NULL;
}

// The average of a latency that the log does not hold, but that follows from other counters of it.
static void
print_latency(const struct explainer *e, const struct pmon_series *series)
{
	struct pmon_value value;
	char number[2 * DRAW_NUMBER];

	if (!rules_latency_of(&e->disks, e->statistics, series, &value))
		return;
	(void)out_amount(series, value.value, number, sizeof(number));
	printf("  %s%-9s%s The average is %s: the mean queue length divided by the mean rate, "
	       "which this log has too.\n",
	       out_style(STYLE_DIM), "but", out_style(STYLE_OFF), number);
}

static void
print_series(const struct explainer *e, const struct pmon_series *series,
	     const struct explain_subject *subject)
{
	struct pmon_live_counter buf;
	const struct pmon_live_counter *origin = origin_of(e, series, &buf);

	printf("%s", out_style(STYLE_BOLD));
	out_clean(stdout, series->name);
	printf("%s\n", out_style(STYLE_OFF));
	if (origin != NULL)
		print_origin(origin);
	else
		print_help(series);
	print_subject(subject, pmon_statistics_at(e->statistics, series->id), series,
		      &e->logs.clock);
	print_latency(e, series);
}

static void
json_series(const struct explainer *e, const struct pmon_series *series,
	    const struct explain_subject *subject)
{
	struct json json = {.stream = stdout};
	struct pmon_live_counter buf;

	explain_subject_json(&json, subject, pmon_statistics_at(e->statistics, series->id), series,
			     origin_of(e, series, &buf));
	putchar('\n');
}

static int
print_all(const struct explainer *e)
{
	bool as_json = e->logs.args->format == OUT_JSON;
	size_t shown = 0;
	size_t all;
	size_t n = 0;
	const struct pmon_series **list = logs_series(&e->logs, &all);

	if (list == NULL)
		return EXIT_FAILED;
	for (size_t i = 0; i < all; i++)
		if (e->logs.args->beside == NULL || pmon_select_shows(e->logs.select, list[i]))
			list[n++] = list[i];
	if (n > MOST_AT_ONCE && e->subjects.n > 0) // without a sample there is nothing to explain
		say(0, "%zu counters match; explaining the first %d, -c chooses others", n,
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
	struct args own = *args;
	struct pmon_err err;
	int status;

	own.beside = logs_latency_needs(args);
	status = logs_open(&e.logs, &own);
	if (status == EXIT_DONE && args_text(args, "--at") != NULL)
		status = logs_time(&e.logs, args_text(args, "--at"), &e.at);
	if (status == EXIT_DONE &&
	    pmon_statistics_new(pmon_source_schema(e.logs.source), &args->calc, NULL, &e.statistics,
				&err) != PMON_OK)
		status = say(EXIT_FAILED, "%s", err.msg);
	if (status == EXIT_DONE)
		status = read_all(&e);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&e.logs);
	if (status == EXIT_DONE && !rules_disks_find(&e.disks, pmon_source_schema(e.logs.source)))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = print_all(&e);
	if (status == EXIT_DONE)
		logs_say_one_sample(&e.logs, e.statistics);
	pmon_statistics_free(e.statistics);
	rules_disks_free(&e.disks);
	by_series_free(&e.subjects);
	return logs_close(&e.logs, status);
}

int
explain_run(const struct args *args)
{
	if (args->format == OUT_CSV)
		return say(EXIT_USAGE,
			   "explain: --format takes text or json; an explanation is not a table");
	if (args_text(args, "--type") != NULL)
		return explain_raws(args);
	if (args->patterns.n == 0 && args->pattern_files.n == 0)
		return say(EXIT_USAGE, "explain: name a counter with -c; pmon list%s%s shows them",
			   args->operands.n > 0 ? " " : "",
			   args->operands.n > 0 ? args->operands.list[0] : "");
	return explain_log(args);
}
