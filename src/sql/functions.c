// functions.c - averages, totals and percentiles, computed as the type of the counter requires
// SPDX-License-Identifier: MIT
//
// Their argument is the column `operands`. Each series of a group has its own statistics, as in pmon stats, and the group
// combines them at the end as stats --by does. Rows may come in any order, because each has its pair of raw values.

#include "sql/parts.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/time.h"
#include "core/calc.h"
#include "core/sum.h"
#include "query/spread.h"
#include "query/tidy.h"
#include "sql/operands.h"

// A log with values of the series. Its first value counts for the interval that later values report.
struct stream {
	uint32_t number;
	bool has_first;
	struct pmon_latency_part first;
	int64_t first_interval; // 0: not known
};

#define MOST_STREAMS 4 // a first value of more streams counts for one second

// State that most averages do not need.
struct extra {
	struct pmon_spread spread; // of totals and percentiles
	struct pmon_sum seconds;   // of an average per operation in a log of displayed values
	struct pmon_sum operations;
	struct stream streams[MOST_STREAMS];
	size_t n_streams;
	bool has_parts;
};

struct member {
	uint64_t series;
	uint32_t known_type;
	bool formatted;
	bool type_known;
	struct pmon_stats stats;
	struct pmon_raw newest; // usable raw value, if stats.has_tail
	struct extra *extra;    // NULL: none; in the arena
};

// The state of an aggregate function, which SQLite begins with zeros.
struct group {
	struct member *list;
	size_t n;
	size_t cap;
	size_t last; // where the newest row was
	struct pmon_map map;
	uint64_t seed;
	struct pmon_arena arena;
	double percent;
	bool is_begun;
	bool failed; // an error was set
};

// What a function needs beyond pmon_stats; SQLite passes it as user data.
static const unsigned keep_average = 0;
static const unsigned keep_total = PMON_KEEP_TOTALS;
static const unsigned keep_percentile = PMON_KEEP_PERCENTILES;

static unsigned
kept(sqlite3_context *context)
{
	return *(const unsigned *)sqlite3_user_data(context);
}

static void
set_value(sqlite3_context *context, struct pmon_value value)
{
	if (pmon_vstat_has_value(value.status))
		sqlite3_result_double(context, value.value);
	else
		sqlite3_result_null(context);
}

static void
fail(sqlite3_context *context, struct group *group, const char *text)
{
	group->failed = true;
	if (text != NULL)
		sqlite3_result_error(context, text, -1);
	else
		sqlite3_result_error_nomem(context);
}

// ---- Rows -------------------------------------------------------------------------------------

static void
begin(struct group *group)
{
	group->seed = pmon_hash_seed();
	pmon_arena_init(&group->arena, pmon_mem_allocator(NULL));
	group->is_begun = true;
}

static struct pmon_series
series_of(const struct member *member)
{
	return (struct pmon_series){.counter = member->stats.calc.counter,
				    .formatted = member->formatted,
				    .type_known = member->type_known,
				    .known_type = member->known_type};
}

static struct member *
add_member(struct group *group, const struct pmon_sql_operands *o, uint64_t hash)
{
	struct pmon_calc calc;
	struct member *member;

	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &group->list, &group->cap, group->n + 1,
			   sizeof(*group->list)) ||
	    group->n >= PMON_MAP_NONE ||
	    !pmon_map_put(&group->map, pmon_mem_allocator(NULL), hash, (uint32_t)group->n))
		return NULL;
	member = &group->list[group->n];
	*member = (struct member){.series = o->series,
				  .formatted = o->formatted,
				  .type_known = o->type_known,
				  .known_type = o->known_type};
	(void)pmon_calc_init(&calc, &o->counter, &o->options);
	pmon_stats_init(&member->stats, &calc);
	group->last = group->n++;
	return member;
}

// NULL: out of memory.
static struct extra *
need_extra(struct group *group, struct member *member)
{
	struct pmon_series series = series_of(member);

	if (member->extra != NULL)
		return member->extra;
	member->extra = pmon_arena_alloc(&group->arena, sizeof(*member->extra));
	if (member->extra != NULL)
		pmon_spread_begin(&member->extra->spread, &series);
	return member->extra;
}

// The statistics of a row's series. NULL: out of memory.
static struct member *
member_of(struct group *group, const struct pmon_sql_operands *o)
{
	uint64_t hash = pmon_map_mix(group->seed, o->series);
	size_t at = 0;
	uint32_t i;

	if (group->n > 0 && group->list[group->last].series == o->series)
		return &group->list[group->last];
	while ((i = pmon_map_next(&group->map, hash, &at)) != PMON_MAP_NONE)
		if (group->list[i].series == o->series) {
			group->last = i;
			return &group->list[i];
		}
	return add_member(group, o, hash);
}

// Does the row belong to the same kind of counter as the group?
static bool
is_alike(const struct group *group, const struct pmon_sql_operands *o)
{
	const struct member *first = group->list;

	return group->n == 0 ||
	       (o->counter.type == first->stats.calc.counter.type &&
		o->counter.time_base == first->stats.calc.counter.time_base &&
		o->formatted == first->formatted && o->type_known == first->type_known &&
		o->known_type == first->known_type);
}

static bool
is_plausible(double number)
{
	return number >= 0 && number < PMON_SUM_BOUND;
}

static void
add_part(struct extra *extra, double seconds, double operations)
{
	if (!is_plausible(seconds) || !is_plausible(operations))
		return;
	pmon_sum_add_double(&extra->seconds, seconds);
	pmon_sum_add_double(&extra->operations, operations);
}

// NULL: there are too many.
static struct stream *
stream_of(struct extra *extra, uint32_t number)
{
	size_t i = 0;

	while (i < extra->n_streams && extra->streams[i].number != number)
		i++;
	if (i == MOST_STREAMS)
		return NULL;
	if (i == extra->n_streams)
		extra->streams[extra->n_streams++] = (struct stream){.number = number};
	return &extra->streams[i];
}

// The rows of a member may come in any order.
static void
take_part(struct extra *extra, const struct pmon_sql_operands *o)
{
	struct stream *stream = stream_of(extra, o->stream);

	extra->has_parts = true;
	if (stream != NULL && !o->part.is_first)
		stream->first_interval = o->part.first_interval;
	if (stream != NULL && o->part.is_first && !stream->has_first) {
		stream->first = o->part;
		stream->has_first = true;
	} else {
		add_part(extra, o->part.seconds, o->part.operations);
	}
}

// Add the first values, for their intervals or for one second.
static void
end_parts(struct extra *extra)
{
	for (size_t i = 0; i < extra->n_streams; i++) {
		const struct stream *stream = &extra->streams[i];
		double length = stream->first_interval > 0
					? (double)stream->first_interval / PMON_TIME_PER_SEC
					: 1;

		if (stream->has_first)
			add_part(extra, stream->first.seconds * length,
				 stream->first.operations * length);
	}
}

static bool
add_row(struct group *group, struct member *member, const struct pmon_sql_operands *o,
	unsigned keep)
{
	struct pmon_stats *stats = &member->stats;
	struct pmon_raw older = o->older;
	struct pmon_value value;

	if (o->has_older)
		pmon_stats_lead(stats, &o->older);
	else
		pmon_stats_gap(stats);
	value = pmon_stats_add(stats, &o->raw);
	if (stats->has_tail && (stats->tail.time >= member->newest.time || stats->pairs <= 1))
		member->newest = stats->tail;
	if (keep == 0 && !o->has_part)
		return true;
	if (need_extra(group, member) == NULL)
		return false;
	if (o->has_part)
		take_part(member->extra, o);
	if (keep == 0 || !pmon_vstat_has_value(value.status))
		return true;
	older.time = o->span_time;
	return pmon_spread_add(&member->extra->spread, &group->arena, keep,
			       o->has_span ? &older : NULL, &o->raw, value.value);
}

static bool
take_percent(sqlite3_context *context, struct group *group, sqlite3_value *argument)
{
	double percent = sqlite3_value_double(argument);

	if (sqlite3_value_type(argument) == SQLITE_NULL || !(percent >= 0 && percent <= 100)) {
		fail(context, group,
		     "pmon_percentile: the second argument is 0 to 100, such as 95");
		return false;
	}
	group->percent = percent;
	return true;
}

static void
step(sqlite3_context *context, int n, sqlite3_value **arguments)
{
	struct group *group = sqlite3_aggregate_context(context, sizeof(*group));
	struct pmon_sql_operands o;
	struct member *member;

	if (group == NULL) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (!group->is_begun)
		begin(group);
	if (group->failed || sqlite3_value_type(arguments[0]) == SQLITE_NULL)
		return;
	if (n > 1 && !take_percent(context, group, arguments[1]))
		return;
	if (sqlite3_value_type(arguments[0]) != SQLITE_BLOB ||
	    !pmon_sql_operands_get(sqlite3_value_blob(arguments[0]),
				   (size_t)sqlite3_value_bytes(arguments[0]), &o)) {
		fail(context, group,
		     "pmon_avg, pmon_total and pmon_percentile take the column operands");
		return;
	}
	if (!is_alike(group, &o)) {
		fail(context, group,
		     "a group has rows of several counter types: add counter or type to "
		     "GROUP BY or WHERE");
		return;
	}
	member = member_of(group, &o);
	if (member == NULL || !add_row(group, member, &o, kept(context)))
		fail(context, group, NULL);
}

// ---- Results ----------------------------------------------------------------------------------

// Combine all members. False if out of memory.
static bool
gather(struct group *group, struct pmon_stats *stats, bool *has_average)
{
	*has_average = true;
	for (size_t i = 0; i < group->n; i++) {
		struct member *member = &group->list[i];

		if (member->stats.has_tail)
			pmon_stats_lead(&member->stats, &member->newest);
		if (i > 0 && member->extra != NULL &&
		    (need_extra(group, &group->list[0]) == NULL ||
		     !pmon_spread_merge(&group->list[0].extra->spread, &group->arena,
					&member->extra->spread)))
			return false;
	}
	*stats = group->list[0].stats;
	if (group->n == 1)
		return true;
	pmon_stats_init(stats, &group->list[0].stats.calc);
	for (size_t i = 0; i < group->n; i++)
		if (pmon_stats_gather(stats, &group->list[i].stats) != PMON_OK)
			*has_average = false;
	return true;
}

// The average per operation of displayed values, weighted by their rates. False if a member has no rate.
static bool
average_of_parts(struct group *group, struct pmon_value *out)
{
	struct pmon_sum seconds = {{0}};
	struct pmon_sum operations = {{0}};
	double n;

	for (size_t i = 0; i < group->n; i++) {
		struct extra *extra = group->list[i].extra;

		if (extra == NULL || !extra->has_parts)
			return false;
		end_parts(extra);
		pmon_sum_add(&seconds, &extra->seconds);
		pmon_sum_add(&operations, &extra->operations);
	}
	n = pmon_sum_value(&operations, PMON_SUM_FRACTION);
	*out = (struct pmon_value){.value = pmon_sum_value(&seconds, PMON_SUM_FRACTION) / n};
	return n > 0;
}

static void
set_result(sqlite3_context *context, struct group *group)
{
	struct pmon_series series = series_of(&group->list[0]);
	struct pmon_stats stats;
	struct pmon_value value;
	bool has_average;
	unsigned keep = kept(context);
	const struct pmon_spread *spread;

	if (!gather(group, &stats, &has_average)) {
		sqlite3_result_error_nomem(context);
		return;
	}
	spread = group->list[0].extra != NULL ? &group->list[0].extra->spread : NULL;
	if (keep == PMON_KEEP_PERCENTILES)
		set_value(context,
			  pmon_spread_percentile(spread, &stats,
						 (uint32_t)round(group->percent * PMON_PERCENT)));
	else if (keep == PMON_KEEP_TOTALS)
		set_value(context, pmon_spread_total(spread, &series, &stats));
	else if (average_of_parts(group, &value))
		set_value(context, value);
	else if (has_average)
		set_value(context, pmon_stats_average(&stats));
}

static void
finish(sqlite3_context *context)
{
	struct group *group = sqlite3_aggregate_context(context, 0);

	if (group == NULL || !group->is_begun)
		return;
	if (!group->failed && group->n > 0)
		set_result(context, group);
	pmon_arena_free(&group->arena);
	pmon_map_free(&group->map, pmon_mem_allocator(NULL));
	pmon_mem_free(pmon_mem_allocator(NULL), group->list, group->cap * sizeof(*group->list));
}

// ---- Steps of time ----------------------------------------------------------------------------

#define MOST_OFFSET (24 * 60)

static struct pmon_span
text_of(sqlite3_value *value)
{
	const char *text = (const char *)sqlite3_value_text(value);

	return (struct pmon_span){text, text != NULL ? (size_t)sqlite3_value_bytes(value) : 0};
}

// The start of the step that contains a value of this time. A value covers the time before it, so a step includes its end.
static pmon_time
begin_of_step(pmon_time time, int64_t ahead_100ns, int64_t length_100ns)
{
	int64_t local = time + ahead_100ns - 1;
	int64_t over = local % length_100ns;

	return local - (over < 0 ? over + length_100ns : over) - ahead_100ns;
}

// pmon_step(time, '1h' [, minutes ahead of UTC]): steps as those of --every.
static void
take_step(sqlite3_context *context, int n, sqlite3_value **arguments)
{
	struct pmon_span text = text_of(arguments[0]);
	struct pmon_span length = text_of(arguments[1]);
	int64_t ahead_min = n > 2 ? sqlite3_value_int64(arguments[2]) : 0;
	char out[PMON_TIDY_TIME_SIZE];
	int64_t length_100ns;
	pmon_time time;

	if (length.ptr == NULL || !pmon_time_parse_span(length, &length_100ns) ||
	    length_100ns <= 0 || length_100ns >= PMON_TIME_LATEST / 4) {
		sqlite3_result_error(
			context, "pmon_step: the second argument is an interval such as 1m or 1h",
			-1);
		return;
	}
	if (ahead_min < -MOST_OFFSET || ahead_min > MOST_OFFSET) {
		sqlite3_result_error(
			context, "pmon_step: the third argument is in minutes, within a day", -1);
		return;
	}
	if (text.ptr == NULL || !pmon_time_parse(text, 0, &time) ||
	    time < PMON_TIME_PER_MIN * MOST_OFFSET ||
	    time > PMON_TIME_LATEST - PMON_TIME_PER_MIN * MOST_OFFSET)
		return;
	time = begin_of_step(time, ahead_min * PMON_TIME_PER_MIN, length_100ns);
	sqlite3_result_text64(context, out, pmon_tidy_time(time, out), SQLITE_TRANSIENT,
			      SQLITE_UTF8);
}

int
pmon_sql_add_functions(sqlite3 *db)
{
	static const struct {
		const char *name;
		int n;
		const unsigned *keep;
	} list[] = {
		{"pmon_avg", 1, &keep_average},
		{"pmon_total", 1, &keep_total},
		{"pmon_percentile", 2, &keep_percentile},
	};
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(list) / sizeof(list[0]); i++)
		rc = sqlite3_create_function_v2(
			db, list[i].name, list[i].n,
			SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
			(void *)(uintptr_t)list[i].keep, NULL, step, finish, NULL);
	for (int n = 2; rc == SQLITE_OK && n <= 3; n++)
		rc = sqlite3_create_function_v2(
			db, "pmon_step", n, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
			NULL, take_step, NULL, NULL, NULL);
	return rc;
}
