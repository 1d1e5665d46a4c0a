// query.c - query values and averages in Prometheus and VictoriaMetrics
// SPDX-License-Identifier: MIT

#include "push/query.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/search.h"
#include "push/prometheus/asking.h"

#define STEPS_AT_ONCE 10000 // Prometheus returns at most 11,000 points of a series

static struct prom_engine *
engine_of(const struct pmon_query *q)
{
	return (struct prom_engine *)q->push;
}

// ---- Statements -----------------------------------------------------------------------------

// One line per unit. If memory runs out here, copying the text fails too.
static void
put(const struct pmon_query *q, const struct pmon_query_ask *ask, struct pmon_text *out)
{
	struct prom_units units;
	size_t n = 0;

	if (!pmon_prom_units_make(q, ask, &units))
		return;
	for (size_t i = 0; i < units.n; i++) {
		if (!pmon_prom_adds_up(q, ask, &units.list[i]))
			continue;
		pmon_text_str(out, n++ > 0 ? "\n" : "");
		if (!pmon_prom_put_unit(q, ask, &units.list[i], PROM_PRINTED, out))
			break;
	}
	pmon_prom_units_free(q, &units);
}

// The expression of a unit, allocated by `free_text`.
static char *
make_text(const struct pmon_query *q, const struct pmon_query_ask *ask,
	  const struct prom_unit *unit, enum prom_wanted wanted, size_t *size)
{
	struct pmon_text text = pmon_text_init(NULL, 0);
	char *buf = NULL;

	if (pmon_prom_put_unit(q, ask, unit, wanted, &text))
		buf = pmon_mem_alloc(q->push->allocator, *size = text.len + 1);
	if (buf == NULL)
		return NULL;
	text = pmon_text_init(buf, *size);
	if (pmon_prom_put_unit(q, ask, unit, wanted, &text))
		return buf;
	pmon_mem_free(q->push->allocator, buf, *size);
	return NULL;
}

// ---- Requests -------------------------------------------------------------------------------

// Times of a request in seconds; step_ms 0: an instant query at `to`.
struct moment {
	int64_t from_ms;
	int64_t to_ms;
	int64_t step_ms;
};

static bool
put_seconds(struct prom_engine *e, struct pmon_push_bytes *form, const char *name, int64_t ms)
{
	char text[48];

	(void)snprintf(text, sizeof(text), "%lld.%03lld", (long long)(ms / 1000),
		       (long long)(ms % 1000));
	return pmon_prom_put_field(e, form, name, text);
}

static enum pmon_status
ask_unit(struct pmon_query *q, const char *promql, const struct moment *moment, json_t **root,
	 json_t **result, struct pmon_err *err)
{
	struct prom_engine *e = engine_of(q);
	bool is_range = moment->step_ms > 0;
	struct pmon_push_bytes form = {.n = 0};
	enum pmon_status status = PMON_OK;
	json_t *data = NULL;
	bool good = pmon_prom_put_field(e, &form, "query", promql) &&
		    pmon_prom_put_field(e, &form, "nocache", "1") &&
		    put_seconds(e, &form, is_range ? "end" : "time", moment->to_ms);

	*root = NULL;
	if (good && is_range)
		good = put_seconds(e, &form, "start", moment->from_ms) &&
		       put_seconds(e, &form, "step", moment->step_ms);
	if (!good)
		status = pmon_err_nomem(err);
	if (status == PMON_OK)
		status = pmon_prom_ask(e, is_range ? "query_range" : "query",
				       (const char *)form.list, root, &data, err);
	pmon_push_free(&e->push, &form);
	*result = json_object_get(data, "result");
	return status;
}

static int
compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

// The series that an answer of the unit is for; PMON_SERIES_NONE if it was not chosen.
static uint32_t
series_of(const struct pmon_query *q, const struct prom_unit *unit, const json_t *item)
{
	const char *family = engine_of(q)->asking->families[unit->family].names[OM_MAIN];
	char key[PMON_HASH128_SIZE];
	struct prom_named named;
	uint32_t found;

	pmon_prom_read_labels(json_object_get(item, "metric"), &named);
	pmon_prom_key(family, &named, key);
	found = pmon_query_find(q, (struct pmon_span){key, strlen(key)});
	return found != PMON_SERIES_NONE && bsearch(&found, unit->list, unit->n, sizeof(found),
						    compare_numbers) != NULL
		       ? found
		       : PMON_SERIES_NONE;
}

// ---- Averages -------------------------------------------------------------------------------

static int
by_of(const void *a, const void *b)
{
	const struct pmon_query_row *x = a;
	const struct pmon_query_row *y = b;

	return (x->of > y->of) - (x->of < y->of);
}

// The rows of a unit begin at `begin`.
static struct pmon_query_row *
find_row(struct pmon_query *q, size_t begin, uint32_t of)
{
	struct pmon_query_row wanted = {.of = of};
	size_t n = q->n_rows - begin;

	return n > 0 ? bsearch(&wanted, &q->rows[begin], n, sizeof(wanted), by_of) : NULL;
}

static enum pmon_status
take_counts(struct pmon_query *q, const struct pmon_query_ask *ask, const struct prom_unit *unit,
	    const json_t *result, struct pmon_err *err)
{
	size_t begin = q->n_rows;

	for (size_t i = 0; i < json_array_size(result); i++) {
		const json_t *item = json_array_get(result, i);
		uint32_t of = ask->groups != NULL ? unit->group : series_of(q, unit, item);
		struct pmon_query_row *row;
		int64_t ms;
		double n;

		if (of == PMON_SERIES_NONE ||
		    !pmon_prom_read_point(json_object_get(item, "value"), &ms, &n))
			continue;
		row = pmon_query_put_row(q);
		if (row == NULL)
			return pmon_err_nomem(err);
		*row = (struct pmon_query_row){
			.of = of, .value.status = PMON_V_NO_DATA, .samples = (uint64_t)n};
	}
	if (q->n_rows > begin)
		qsort(&q->rows[begin], q->n_rows - begin, sizeof(*q->rows), by_of);
	return PMON_OK;
}

static void
take_averages(struct pmon_query *q, const struct pmon_query_ask *ask, const struct prom_unit *unit,
	      const json_t *result, size_t begin)
{
	for (size_t i = 0; i < json_array_size(result); i++) {
		const json_t *item = json_array_get(result, i);
		uint32_t of = ask->groups != NULL ? unit->group : series_of(q, unit, item);
		struct pmon_query_row *row = find_row(q, begin, of);
		int64_t ms;
		double number;

		if (row != NULL &&
		    pmon_prom_read_point(json_object_get(item, "value"), &ms, &number))
			row->value = (struct pmon_value){.value = number, .status = PMON_V_OK};
	}
}

static enum pmon_status
ask_averages(struct pmon_query *q, const struct pmon_query_ask *ask, const struct prom_unit *unit,
	     enum prom_wanted wanted, size_t begin, struct pmon_err *err)
{
	struct moment now = {.to_ms = engine_of(q)->asking->end_ms - PROM_AHEAD_MS};
	size_t size;
	char *text = make_text(q, ask, unit, wanted, &size);
	enum pmon_status status;
	json_t *root;
	json_t *result;

	if (text == NULL)
		return pmon_err_nomem(err);
	status = ask_unit(q, text, &now, &root, &result, err);
	if (status == PMON_OK && wanted == PROM_COUNTS)
		status = take_counts(q, ask, unit, result, err);
	else if (status == PMON_OK)
		take_averages(q, ask, unit, result, begin);
	json_decref(root);
	pmon_mem_free(q->push->allocator, text, size);
	return status;
}

// ---- Values ---------------------------------------------------------------------------------

// A sample of a series.
struct point {
	uint32_t series;
	int64_t ms;
};

struct points {
	struct point *list;
	size_t n;
	size_t cap;
	int64_t *times; // of all series, ascending, without duplicates
	size_t n_times;
	size_t times_cap;
};

static int
by_series(const void *a, const void *b)
{
	const struct point *x = a;
	const struct point *y = b;

	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	return (x->ms > y->ms) - (x->ms < y->ms);
}

static int
by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool
add_points(struct pmon_query *q, uint32_t series, const json_t *values, struct points *points)
{
	size_t n = json_array_size(values);

	if (!pmon_mem_grow(q->push->allocator, &points->list, &points->cap, points->n + n,
			   sizeof(*points->list)))
		return false;
	for (size_t i = 0; i < n; i++) {
		double number;
		int64_t ms;

		if (pmon_prom_read_point(json_array_get(values, i), &ms, &number))
			points->list[points->n++] = (struct point){series, ms};
	}
	return true;
}

static bool
sort_points(struct pmon_query *q, struct points *points)
{
	size_t n = 0;

	if (!pmon_mem_grow(q->push->allocator, &points->times, &points->times_cap, points->n + 1,
			   sizeof(*points->times)))
		return false;
	for (size_t i = 0; i < points->n; i++)
		points->times[i] = points->list[i].ms;
	if (points->n > 0) {
		qsort(points->list, points->n, sizeof(*points->list), by_series);
		qsort(points->times, points->n, sizeof(*points->times), by_time);
	}
	for (size_t i = 0; i < points->n; i++)
		if (n == 0 || points->times[n - 1] != points->times[i])
			points->times[n++] = points->times[i];
	points->n_times = n;
	return true;
}

// Get the times of a unit's samples in the range.
static enum pmon_status
ask_points(struct pmon_query *q, const struct pmon_query_ask *ask, const struct prom_unit *unit,
	   struct points *points, struct pmon_err *err)
{
	struct moment end;
	int64_t from_ms;
	size_t size;
	char *text = make_text(q, ask, unit, PROM_POINTS, &size);
	enum pmon_status status;
	json_t *root;
	json_t *result;

	if (text == NULL)
		return pmon_err_nomem(err);
	pmon_prom_times(engine_of(q)->asking, ask, &from_ms, &end.to_ms);
	end.step_ms = 0;
	status = ask_unit(q, text, &end, &root, &result, err);
	for (size_t i = 0; status == PMON_OK && i < json_array_size(result); i++) {
		const json_t *item = json_array_get(result, i);
		uint32_t series = series_of(q, unit, item);

		if (series != PMON_SERIES_NONE &&
		    !add_points(q, series, json_object_get(item, "values"), points))
			status = pmon_err_nomem(err);
	}
	json_decref(root);
	pmon_mem_free(q->push->allocator, text, size);
	return status == PMON_OK && !sort_points(q, points) ? pmon_err_nomem(err) : status;
}

struct sought {
	const struct point *list;
	uint32_t series;
};

static bool
is_not_after(const void *list, size_t at, uint64_t ms)
{
	const struct sought *sought = list;
	const struct point wanted = {sought->series, (int64_t)ms};

	return by_series(&sought->list[at], &wanted) <= 0;
}

// The index of the newest sample at or before a time, less than a step earlier. SIZE_MAX: there is
// none.
static size_t
sample_at(const struct points *points, uint32_t series, int64_t ms, int64_t step_ms)
{
	const struct sought sought = {points->list, series};
	size_t after = pmon_search(&sought, 0, points->n, (uint64_t)ms, is_not_after);

	if (after == 0 || points->list[after - 1].series != series ||
	    points->list[after - 1].ms <= ms - step_ms)
		return SIZE_MAX;
	return after - 1;
}

static enum pmon_status
take_values(struct pmon_query *q, const struct prom_unit *unit, const json_t *result,
	    const struct points *points, int64_t step_ms, struct pmon_err *err)
{
	for (size_t i = 0; i < json_array_size(result); i++) {
		const json_t *item = json_array_get(result, i);
		const json_t *values = json_object_get(item, "values");
		uint32_t series = series_of(q, unit, item);
		size_t before = SIZE_MAX;

		for (size_t k = 0; series != PMON_SERIES_NONE && k < json_array_size(values); k++) {
			struct pmon_query_row *row;
			size_t at = SIZE_MAX;
			double number;
			int64_t ms;

			if (pmon_prom_read_point(json_array_get(values, k), &ms, &number))
				at = sample_at(points, series, ms, step_ms);
			if (at == SIZE_MAX || at == before)
				continue;
			before = at;
			row = pmon_query_put_row(q);
			if (row == NULL)
				return pmon_err_nomem(err);
			*row = (struct pmon_query_row){
				.of = series, .value = {.value = number, .status = PMON_V_OK}};
			row->time = row->raw_time = pmon_om_from_unix_ms(points->list[at].ms);
		}
	}
	return PMON_OK;
}

// A step shorter than any interval, so that it reaches each sample before the next one. 0 if that
// would take many more steps than there are samples; then these are requested one by one.
static int64_t
find_step(const struct points *points)
{
	int64_t shortest = INT64_MAX;
	int64_t step;

	for (size_t i = 1; i < points->n_times; i++)
		if (points->times[i] - points->times[i - 1] < shortest)
			shortest = points->times[i] - points->times[i - 1];
	step = shortest == INT64_MAX ? 0 : shortest - shortest / 10;
	if (step == 0 || (points->times[points->n_times - 1] - points->times[0]) / step >
				 4 * (int64_t)points->n_times)
		return 0;
	return step;
}

static enum pmon_status
ask_values(struct pmon_query *q, const struct prom_unit *unit, const char *text,
	   const struct points *points, struct pmon_err *err)
{
	int64_t step = find_step(points);
	enum pmon_status status = PMON_OK;
	size_t next = 0;

	while (status == PMON_OK && next < points->n_times) {
		struct moment moment = {.from_ms = points->times[next],
					.to_ms = points->times[next],
					.step_ms = step > 0 ? step : 1};
		json_t *root;
		json_t *result;

		if (step > 0)
			moment.to_ms += (STEPS_AT_ONCE - 1) * step;
		status = ask_unit(q, text, &moment, &root, &result, err);
		if (status == PMON_OK)
			status = take_values(q, unit, result, points, moment.step_ms, err);
		json_decref(root);
		while (next < points->n_times && points->times[next] <= moment.to_ms)
			next++;
	}
	return status;
}

static enum pmon_status
ask_unit_values(struct pmon_query *q, const struct pmon_query_ask *ask,
		const struct prom_unit *unit, struct pmon_err *err)
{
	struct points points = {.n = 0};
	enum pmon_status status = ask_points(q, ask, unit, &points, err);
	char *text = NULL;
	size_t size = 0;

	if (status == PMON_OK && (text = make_text(q, ask, unit, PROM_ANSWER, &size)) == NULL)
		status = pmon_err_nomem(err);
	if (status == PMON_OK)
		status = ask_values(q, unit, text, &points, err);
	if (text != NULL)
		pmon_mem_free(q->push->allocator, text, size);
	pmon_mem_free(q->push->allocator, points.list, points.cap * sizeof(*points.list));
	pmon_mem_free(q->push->allocator, points.times, points.times_cap * sizeof(*points.times));
	return status;
}

// ---- Queries --------------------------------------------------------------------------------

static int
by_average(const void *a, const void *b)
{
	const struct pmon_query_row *x = a;
	const struct pmon_query_row *y = b;

	if (x->value.value != y->value.value)
		return x->value.value > y->value.value ? -1 : 1;
	return x->of < y->of ? -1 : x->of > y->of;
}

static void
keep_largest(struct pmon_query *q, uint64_t top)
{
	size_t n = 0;

	for (size_t i = 0; i < q->n_rows; i++)
		if (pmon_vstat_has_value(q->rows[i].value.status))
			q->rows[n++] = q->rows[i];
	if (n > 0)
		qsort(q->rows, n, sizeof(*q->rows), by_average);
	q->n_rows = n > top ? (size_t)top : n;
}

static enum pmon_status
run(struct pmon_query *q, const struct pmon_query_ask *ask, struct pmon_err *err)
{
	struct prom_units units;
	enum pmon_status status = PMON_OK;

	if (!pmon_prom_units_make(q, ask, &units))
		return pmon_err_nomem(err);
	for (size_t i = 0; status == PMON_OK && i < units.n; i++) {
		const struct prom_unit *unit = &units.list[i];
		size_t begin = q->n_rows;

		if (ask->what == PMON_QUERY_VALUES) {
			status = ask_unit_values(q, ask, unit, err);
			continue;
		}
		status = ask_averages(q, ask, unit, PROM_COUNTS, begin, err);
		if (status == PMON_OK && pmon_prom_adds_up(q, ask, unit))
			status = ask_averages(q, ask, unit, PROM_ANSWER, begin, err);
	}
	pmon_prom_units_free(q, &units);
	if (status == PMON_OK && ask->top > 0)
		keep_largest(q, ask->top);
	return status;
}

const struct pmon_query_engine pmon_prom_query = {
	.check = pmon_prom_check,
	.load = pmon_prom_load,
	.range = pmon_prom_range,
	.put = put,
	.run = run,
};
