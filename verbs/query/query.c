// query.c - pmon query: get values and averages from an engine
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time.h"
#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/input/near.h"
#include "shell/output/say.h"
#include "shell/process/memory.h"
#include "shell/process/signals.h"
#include "verbs/push/engine.h"
#include "verbs/query/groups.h"

// Options of pmon query only.
struct query_options {
	uint64_t top;
	bool print;
};

#define MOST_COUNTERS ((size_t)10000000)
#define MOST_NEAR     ((size_t)1000000) // counters that are loaded for suggestions

enum what {
	VALUES,
	AVERAGES,
	COUNTERS
};

struct query {
	const struct args *args;
	enum what what;
	enum by by;
	uint64_t top;
	struct engine_login login;
	struct pmon_push_options options;
	struct pmon_query *engine;
	struct patterns patterns;
	struct pmon_select *names;
	struct clock clock;
	pmon_time from;
	pmon_time to;
	uint32_t *chosen; // series numbers
	size_t n;
	struct groups groups;
	bool is_interrupted;
};

static int
say_query_err(const struct pmon_err *err)
{
	return say(err->status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "query: %s", err->msg);
}

// ---- The command line -----------------------------------------------------------------------

static int
take_what(struct query *q)
{
	static const char *const names[] = {"values", "averages", "counters"};
	const struct words *words = &q->args->operands;

	if (words->n != 2)
		return say(EXIT_USAGE, "query: the engine or the query is missing: use pmon query "
				       "URL values, averages or counters; see pmon query --help");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(words->list[1], names[i]) == 0) {
			q->what = (enum what)i;
			return EXIT_DONE;
		}
	return say(EXIT_USAGE, "query: the query must be values, averages or counters, not \"%s\"",
		   words->list[1]);
}

static int
take_grouping(struct query *q)
{
	q->top = OWN_OPTIONS(query, q->args)->top;
	if (!by_parse(q->args->by, &q->by) || q->by == BY_PROCESS)
		return say(EXIT_USAGE,
			   "query: --by must be machine, instance or object, not \"%s\"",
			   q->args->by);
	if (q->what != AVERAGES && (q->by != BY_SERIES || q->top > 0))
		return say(EXIT_USAGE, "query: %s applies only to averages",
			   q->top > 0 ? "--limit" : "--by");
	return EXIT_DONE;
}

static void
print_notice(void *ctx, const struct pmon_notice *notice)
{
	(void)ctx;
	say(0, "query: %s%s", notice->is_loss ? "" : "note: ", notice->text);
}

static bool
wants_end(void *ctx)
{
	struct query *q = ctx;

	q->is_interrupted = q->is_interrupted || signals_take().end;
	return q->is_interrupted;
}

static int
open_engine(struct query *q)
{
	const char *url = q->args->operands.list[0];
	struct pmon_err err;
	int status = engine_check_url("query", url);

	q->options = (struct pmon_push_options){.size = sizeof(struct pmon_push_options),
						.notice = print_notice,
						.cancel = wants_end,
						.cancel_ctx = q};
	if (status == EXIT_DONE)
		status = engine_take_options(q->args, &q->login, &q->options);
	if (status != EXIT_DONE)
		return status;
	(void)signals_catch();
	memory_guard_cxx();
	if (pmon_query_open(url, &q->options, &q->engine, &err) != PMON_OK)
		return say_query_err(&err);
	return EXIT_DONE;
}

// ---- Times ----------------------------------------------------------------------------------

static int
read_time(struct query *q, const char *text, pmon_time *out)
{
	struct pmon_err err;
	pmon_time first;
	pmon_time last;

	if (text == NULL || times_read_alone(text, &q->clock, out))
		return EXIT_DONE;
	if (pmon_query_range(q->engine, &first, &last, &err) != PMON_OK)
		return say_query_err(&err);
	if (first == PMON_TIME_NONE)
		return say(EXIT_FAILED,
			   "query: the time %s is relative to the samples, but the engine has none",
			   text);
	return times_read_within(text, &q->clock, first, last, out);
}

static int
read_times(struct query *q)
{
	int status = read_time(q, q->args->from, &q->from);

	if (status == EXIT_DONE)
		status = read_time(q, q->args->to, &q->to);
	if (status == EXIT_DONE && q->from != PMON_TIME_NONE && q->to != PMON_TIME_NONE &&
	    q->from > q->to)
		status = say(EXIT_USAGE,
			     "query: the window ends before it begins: --from %s is after --to %s",
			     q->args->from, q->args->to);
	return status;
}

// ---- Counters -------------------------------------------------------------------------------

// The patterns without their machines, and with any instance.
static int
make_names(struct query *q)
{
	const struct pmon_select *select = q->patterns.select;
	struct pmon_err err;
	enum pmon_status status = pmon_select_new(NULL, &q->names, &err);

	for (size_t i = 0; status == PMON_OK && i < pmon_select_count(select); i++) {
		const char *text = pmon_select_pattern(select, i);
		struct pmon_path path;
		char *any;

		if (!pmon_search_parse((struct pmon_span){text, strlen(text)}, &path, NULL))
			continue; // it was parsed successfully before
		if (path.object.ptr == NULL)
			continue; // words: may_mean()
		path.machine = (struct pmon_span){NULL, 0};
		any = out_path_text(&path, true);
		if (any == NULL)
			return say(EXIT_FAILED, "not enough memory");
		status = pmon_select_add(q->names, (struct pmon_span){any, strlen(any)}, &err);
		free(any);
	}
	return status == PMON_OK ? EXIT_DONE : say_query_err(&err);
}

// Could a pattern mean a counter with this name, with an instance or without one?
static bool
may_mean(void *ctx, struct pmon_span object, struct pmon_span counter)
{
	const struct query *q = ctx;
	struct pmon_path path = {.object = object, .counter = counter};

	if (pmon_select_could(q->patterns.select, object, counter))
		return true;
	if (pmon_select_count(q->names) == 0)
		return false;
	if (pmon_select_matches(q->names, &path))
		return true;
	path.instance = PMON_SPAN("x");
	return pmon_select_matches(q->names, &path);
}

// Texts cannot be averaged, and sums are not ranked together with their parts.
static bool
is_averaged(const struct query *q, const struct pmon_series *series)
{
	if (q->by != BY_SERIES && series->counter.type == PMON_PERF_COUNTER_TEXT)
		return false;
	return q->top == 0 || q->by == BY_MACHINE || q->by == BY_OBJECT ||
	       patterns_rank(&q->patterns, series);
}

static int
choose(struct query *q)
{
	const struct pmon_schema *schema = &q->engine->schema;
	struct pmon_err err;
	int status = make_names(q);

	if (status != EXIT_DONE)
		return status;
	if (pmon_query_load(q->engine, may_mean, q, MOST_COUNTERS, &err) != PMON_OK)
		return say_query_err(&err);
	q->chosen = calloc(pmon_schema_count(schema) + 1, sizeof(*q->chosen));
	if (q->chosen == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (pmon_select_want(q->patterns.select, &series->path) && is_averaged(q, series))
			q->chosen[q->n++] = series->id;
	}
	return EXIT_DONE;
}

static void
suggest(const struct query *q, const char *text)
{
	const struct pmon_schema *schema = &q->engine->schema;
	struct near near = {.n = 0};
	struct pmon_path pattern;

	say(0, "query: no counter matches %s", text);
	if (!pmon_search_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL))
		return;
	for (size_t i = 0; pattern.object.ptr != NULL && i < pmon_schema_count(schema); i++)
		near_add(&near, &pattern, pmon_schema_at(schema, i));
	if (!near_is_within(&near, strlen(text))) {
		say(0, "  pmon query URL counters shows all counters");
		return;
	}
	for (size_t i = 0; i < near.n; i++)
		say(0, "  did you mean %s", near.series[i]->name.ptr);
}

// Report patterns that matched nothing, with suggestions. For this, all counters are loaded in
// addition to the chosen ones.
static int
check_patterns(struct query *q)
{
	const struct pmon_select *select = q->patterns.select;
	size_t n_unmatched = 0;
	struct pmon_err err;

	for (size_t i = 0; i < pmon_select_count(select); i++)
		n_unmatched += pmon_select_hits(select, i) == 0;
	if (n_unmatched > 0 && pmon_query_load(q->engine, NULL, NULL, MOST_NEAR, &err) != PMON_OK &&
	    err.status != PMON_E_LIMIT)
		return say_query_err(&err);
	if (pmon_schema_count(&q->engine->schema) == 0)
		return say(EXIT_FAILED,
			   "query: the engine has no counters yet; store some with pmon push");
	for (size_t i = 0; i < pmon_select_count(select); i++)
		if (pmon_select_hits(select, i) == 0)
			suggest(q, pmon_select_pattern(select, i));
	return q->n > 0 ? EXIT_DONE : EXIT_FAILED;
}

// ---- Output ---------------------------------------------------------------------------------

static const struct out_column value_columns[] = {
	{"path", NULL, 0, OUT_LEFT},   {"time", NULL, 0, OUT_LEFT}, {"value", NULL, 0, OUT_RIGHT},
	{"status", NULL, 0, OUT_LEFT}, {"unit", NULL, 0, OUT_LEFT},
};

static const struct out_column value_text_columns[] = {
	{"time", "Time", 0, OUT_LEFT},
	{"value", "Value", 0, OUT_RIGHT},
	{"status", "Status", 0, OUT_LEFT},
	{"path", "Counter", 0, OUT_LEFT},
};

static const struct out_column average_columns[] = {
	{"path", NULL, 0, OUT_LEFT},    {"type", NULL, 0, OUT_LEFT},
	{"unit", NULL, 0, OUT_LEFT},    {"average", NULL, 0, OUT_RIGHT},
	{"status", NULL, 0, OUT_LEFT},  {"samples", NULL, 0, OUT_RIGHT},
	{"series", NULL, 0, OUT_RIGHT}, {"average_kind", NULL, 0, OUT_LEFT},
};

static const struct out_column average_text_columns[] = {
	{"average", "Average", 0, OUT_RIGHT},
	{"status", "Status", 0, OUT_LEFT},
	{"samples", "Samples", 0, OUT_RIGHT},
	{"path", "Counter", 0, OUT_LEFT},
};

static const struct out_column counter_columns[] = {
	{"path", "Counter", 0, OUT_LEFT},
	{"type", "Type", 0, OUT_LEFT},
	{"unit", "Unit", 0, OUT_LEFT},
};

#define COLUMNS(table) table, sizeof(table) / sizeof(table[0])

static void
put_value(struct out *out, const struct pmon_series *series, const struct pmon_query_row *row)
{
	pmon_time time = row->raw_time != PMON_TIME_NONE ? row->raw_time : row->time;

	if (out->format != OUT_TEXT) {
		out_path(out, series->name, series);
		out_time(out, time);
		out_value(out, pmon_series_type(series), &row->value);
		out_str(out, pmon_vstat_name(row->value.status));
		out_str(out, out_unit(series));
		return;
	}
	out_time(out, time);
	out_quantity(out, series, &row->value);
	out_str(out, pmon_vstat_name(row->value.status));
	out_text(out, series->name);
}

static uint64_t
count_members(const struct query *q, uint32_t group)
{
	uint64_t n = 0;

	for (size_t i = 0; i < q->groups.n_members; i++)
		n += q->groups.of[i] == group;
	return n;
}

static void
put_average(const struct query *q, struct out *out, const struct pmon_query_row *row)
{
	bool in_groups = q->by != BY_SERIES;
	const struct pmon_series *series = in_groups ? q->groups.example[row->of]
						     : pmon_schema_at(&q->engine->schema, row->of);
	const char *name = in_groups ? q->groups.names[row->of] : series->name.ptr;
	struct pmon_span path = {name, strlen(name)};

	if (out->format != OUT_TEXT) {
		out_path(out, path, series);
		out_series_type(out, series);
		out_str(out, out_unit(series));
		out_value(out, pmon_series_type(series), &row->value);
		out_str(out, pmon_vstat_name(row->value.status));
		out_u64(out, row->samples);
		out_u64(out, in_groups ? count_members(q, row->of) : 1);
		out_str(out, pmon_average_kind_name(in_groups ? pmon_series_group_kind(series)
							      : pmon_series_average_kind(series)));
		return;
	}
	out_quantity(out, series, &row->value);
	out_str(out, pmon_vstat_name(row->value.status));
	out_u64(out, row->samples);
	out_text(out, path);
}

static int
print_rows(struct query *q)
{
	bool is_text = q->args->format == OUT_TEXT;
	struct out out;

	if (q->what == VALUES && is_text)
		out_begin(&out, stdout, OUT_TEXT, "values", COLUMNS(value_text_columns), &q->clock);
	else if (q->what == VALUES)
		out_begin(&out, stdout, q->args->format, "values", COLUMNS(value_columns),
			  &q->clock);
	else if (is_text)
		out_begin(&out, stdout, OUT_TEXT, "averages", COLUMNS(average_text_columns),
			  &q->clock);
	else
		out_begin(&out, stdout, q->args->format, "averages", COLUMNS(average_columns),
			  &q->clock);
	for (size_t i = 0; i < q->engine->n_rows; i++) {
		const struct pmon_query_row *row = &q->engine->rows[i];

		if (q->what == VALUES)
			put_value(&out, pmon_schema_at(&q->engine->schema, row->of), row);
		else
			put_average(q, &out, row);
	}
	return out_end(&out);
}

static int
print_counters(const struct query *q)
{
	struct out out;

	out_begin(&out, stdout, q->args->format, "counters", COLUMNS(counter_columns), &q->clock);
	for (size_t i = 0; i < q->n; i++) {
		const struct pmon_series *series = pmon_schema_at(&q->engine->schema, q->chosen[i]);

		out_path(&out, series->name, series);
		out_series_type(&out, series);
		out_str(&out, out_unit(series));
	}
	return out_end(&out);
}

// ---- Asking ---------------------------------------------------------------------------------

// The range is empty: report which times there are.
static int
say_empty(struct query *q)
{
	char begin[PMON_TIME_SIZE];
	char end[PMON_TIME_SIZE];
	pmon_time first;
	pmon_time last;
	struct pmon_err err;

	if (pmon_query_range(q->engine, &first, &last, &err) != PMON_OK)
		return say_query_err(&err);
	if (first == PMON_TIME_NONE)
		return say(EXIT_FAILED,
			   "query: the engine has no samples yet; store some with pmon push");
	pmon_time_iso(first, begin);
	pmon_time_iso(last, end);
	return say(EXIT_FAILED,
		   "query: the chosen counters have no samples between --from and --to; the engine "
		   "has samples from %s to %s",
		   begin, end);
}

static int
answer(struct query *q)
{
	struct pmon_query_ask ask = {.what = q->what == VALUES ? PMON_QUERY_VALUES
							       : PMON_QUERY_AVERAGES,
				     .from = q->from,
				     .to = q->to,
				     .series = q->chosen,
				     .n = q->n,
				     .top = q->top};
	struct pmon_err err;
	const char *text;

	if (q->by != BY_SERIES) {
		if (!groups_make(&q->groups, &q->engine->schema, q->chosen, q->n, q->by))
			return say(EXIT_FAILED, "not enough memory");
		ask.series = q->groups.series;
		ask.n = q->groups.n_members;
		ask.groups = q->groups.of;
		ask.names = (const char *const *)q->groups.names;
		ask.n_groups = q->groups.n;
	}
	if (OWN_OPTIONS(query, q->args)->print) {
		text = pmon_query_text(q->engine, &ask);
		if (text == NULL)
			return say(EXIT_FAILED, "not enough memory");
		printf("%s\n", text);
		return EXIT_DONE;
	}
	if (pmon_query_run(q->engine, &ask, &err) != PMON_OK)
		return say_query_err(&err);
	return q->engine->n_rows > 0 ? print_rows(q) : say_empty(q);
}

static int
run_query(struct query *q)
{
	int status = open_engine(q);

	if (status == EXIT_DONE)
		status = read_times(q);
	if (status == EXIT_DONE)
		status = choose(q);
	if (status == EXIT_DONE)
		status = check_patterns(q);
	if (status == EXIT_DONE)
		status = q->what == COUNTERS ? print_counters(q) : answer(q);
	return status;
}

static int
query_run(const struct args *args)
{
	struct query q = {.args = args,
			  .clock = {.mode = CLOCK_FIXED},
			  .from = PMON_TIME_NONE,
			  .to = PMON_TIME_NONE};
	struct request request = request_from(args);
	int status = take_what(&q);

	if (status == EXIT_DONE)
		status = take_grouping(&q);
	if (status == EXIT_DONE)
		status = times_read_clock(args->tz, &q.clock);
	if (status == EXIT_DONE)
		status = patterns_open(&q.patterns, &request);
	if (status == EXIT_DONE)
		status = run_query(&q);
	groups_free(&q.groups);
	free(q.chosen);
	pmon_query_close(q.engine);
	pmon_select_free(q.names);
	patterns_free(&q.patterns);
	return status;
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_range),
	OPTION_INTO(TEXT, by, ANY, "--by", NULL, "machine|instance|object",
		    "averages: one row per counter and machine, per instance over all machines, or "
		    "per counter"),
	OPTION(NUMBER, query, top, "--top", "--limit", "N",
	       "averages: show only the N largest, without _Total and Idle"),
	OPTION(FLAG, query, print, "--print", NULL, NULL,
	       "print the SQL or PromQL instead of running it"),
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_engine),
	GROUP(options_color),
	GROUP(options_raw_names),
	OPTION_END,
};

const struct verb verb_query = {
	.name = "query",
	.operands = "URL values|averages|counters",
	.summary = "query values, averages and groups from an engine",
	.details =
		"The engine computes the numbers: Prometheus and VictoriaMetrics with PromQL. The"
		"\nresults match pmon values and pmon stats for the same logs within the precision"
		"\nof the stored data (docs/prometheus.md). ClickHouse and PostgreSQL are asked "
		"with\ntheir own clients: docs/engines/clickhouse.md and "
		"docs/engines/postgresql.md have\nthe SQL.\nCounters are chosen as for a log. "
		"Times "
		"are in UTC unless --tz is given;\nrelative times are relative to the samples in "
		"the "
		"engine. --print shows the PromQL\nso that you can run it elsewhere; it still "
		"looks "
		"up the counters in the engine.\n\nExamples:\n  pmon query "
		"prometheus+http://mon:9090 counters\n  pmon query "
		"prometheus+http://mon:9090 averages -c '\\Process(*)\\% Processor Time' --top "
		"10\n  "
		"pmon query prometheus+http://mon:9090 averages -c '\\Processor(*)\\*' --by "
		"machine\n "
		" pmon query prometheus+http://mon:9090 values -c '\\\\WEB01\\Memory\\*' --format "
		"csv\n  pmon query prometheus+http://mon:9090 averages -c '\\Memory\\*' --print\n  "
		"pmon query prometheus+http://mon:9090 averages -c '\\Memory\\*' --from -1h\n",
	.options = options,
	.own_size = sizeof(struct query_options),
	.run = query_run,
	.live = LIVE_NONE,
	.traits = VERB_NETWORK,
};
