// latency.c - averages per operation in logs of displayed values
// SPDX-License-Identifier: MIT

#include "query/latency.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/time.h"
#include "core/calc.h"
#include "core/sum.h"
#include "model/schema.h"

// ---- Finding them ---------------------------------------------------------------------------

// A list by series that is long enough for this one; new entries are 0. False when memory is short.
static bool
reach(const struct pmon_latencies *l, uint32_t **list, size_t *cap, size_t series)
{
	size_t before = *cap;

	if (series < before)
		return true;
	if (!pmon_mem_grow(pmon_mem_allocator(l->rates.allocator), list, cap, series + 1,
			   sizeof(**list)))
		return false;
	memset(*list + before, 0, (*cap - before) * sizeof(**list));
	return true;
}

// The latency of a series, or NULL.
static struct pmon_latency *
find(const struct pmon_latencies *l, uint32_t series)
{
	return series < l->cap_series && l->of_series[series] > 0
		       ? &l->list[l->of_series[series] - 1]
		       : NULL;
}

// Find or add the entry of a series; NULL when memory is short.
static struct pmon_latency *
entry_of(struct pmon_latencies *l, uint32_t series)
{
	struct pmon_latency *found = find(l, series);

	if (found != NULL)
		return found;
	if (!reach(l, &l->of_series, &l->cap_series, series) ||
	    !pmon_mem_grow(pmon_mem_allocator(l->rates.allocator), &l->list, &l->cap, l->n + 1,
			   sizeof(*l->list)))
		return NULL;
	l->list[l->n] = (struct pmon_latency){
		.series = series, .rate = PMON_SERIES_NONE, .queue = PMON_SERIES_NONE};
	l->of_series[series] = (uint32_t)(l->n + 1);
	return &l->list[l->n++];
}

// The series that the latency is computed from. False when memory is short.
static bool
set_operands(struct pmon_latencies *l, struct pmon_latency *one, uint32_t rate, uint32_t queue)
{
	one->rate = rate;
	one->queue = queue;
	return reach(l, &l->places, &l->cap_places, one->series) &&
	       reach(l, &l->places, &l->cap_places, rate) &&
	       (queue == PMON_SERIES_NONE || reach(l, &l->places, &l->cap_places, queue));
}

// Set what the average is computed from, as far as the log has it. False when memory is short.
static bool
link_average(struct pmon_latencies *l, const struct pmon_series *average)
{
	const struct pmon_series *queue;
	const struct pmon_series *rate;
	struct pmon_latency *entry;

	(void)pmon_rates_of(&l->rates, average, &queue, &rate);
	if (rate == NULL)
		return true;
	entry = entry_of(l, average->id);
	return entry != NULL &&
	       set_operands(l, entry, rate->id, queue != NULL ? queue->id : PMON_SERIES_NONE);
}

static bool
look_at(struct pmon_latencies *l, const struct pmon_series *series)
{
	size_t n = l->rates.n;
	const struct pmon_series *average;
	size_t at = 0;

	if (!pmon_rates_note(&l->rates, series))
		return false;
	if (l->rates.n == n) // of no average, or one more of the same name
		return true;
	while ((average = pmon_rates_average(&l->rates, series, &at)) != NULL)
		if (!link_average(l, average))
			return false;
	return true;
}

bool
pmon_latencies_grow(struct pmon_latencies *l, const struct pmon_schema *schema)
{
	for (; l->n_seen < pmon_schema_count(schema); l->n_seen++) {
		const struct pmon_series *series = pmon_schema_at(schema, l->n_seen);

		if (series->formatted && !look_at(l, series))
			return false;
	}
	return true;
}

bool
pmon_latencies_only(struct pmon_latencies *l, const struct pmon_schema *schema, uint32_t series)
{
	const struct pmon_series *average = pmon_schema_at(schema, series);
	const struct pmon_path *path = pmon_series_english(average);

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *other = pmon_schema_at(schema, i);
		const struct pmon_path *beside = pmon_series_english(other);

		if (beside->index == path->index &&
		    pmon_text_same(beside->instance, path->instance) &&
		    !pmon_rates_note(&l->rates, other))
			return false;
	}
	return link_average(l, average);
}

void
pmon_latencies_free(struct pmon_latencies *l)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(l->rates.allocator);

	for (size_t i = 0; i < l->n; i++)
		pmon_mem_free(allocator, l->list[i].firsts,
			      l->list[i].cap_firsts * sizeof(*l->list[i].firsts));
	pmon_mem_free(allocator, l->list, l->cap * sizeof(*l->list));
	pmon_mem_free(allocator, l->of_series, l->cap_series * sizeof(*l->of_series));
	pmon_mem_free(allocator, l->places, l->cap_places * sizeof(*l->places));
	pmon_streams_free(&l->streams, allocator);
	pmon_mem_free(allocator, l->times, l->cap_times * sizeof(*l->times));
	pmon_rates_free(&l->rates);
}

// ---- Streams --------------------------------------------------------------------------------

// Find or add a stream by its number; PMON_STREAM_NONE when memory is short.
static uint32_t
need_stream(struct pmon_latencies *l, uint32_t number)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(l->rates.allocator);
	size_t n = l->streams.n;
	uint32_t at;

	if (!pmon_mem_grow(allocator, &l->times, &l->cap_times, n + 1, sizeof(*l->times)))
		return PMON_STREAM_NONE;
	at = pmon_streams_index(&l->streams, allocator, number);
	if (at == PMON_STREAM_NONE || at < n)
		return at;
	l->times[at] = (struct pmon_latency_stream){.first_interval = 0};
	return at;
}

// Add a sample, and return the time since the one before: 0 if there is none.
static int64_t
follow(struct pmon_latency_stream *stream, const struct pmon_sample *sample)
{
	struct pmon_pace *pace = &stream->pace;

	if (sample->starts || sample->time == PMON_TIME_NONE)
		return 0;
	pmon_pace_add(pace, sample);
	if (stream->first_interval == 0)
		stream->first_interval = pmon_time_minus(pmon_pace_steady(pace), pace->first);
	return pace->interval_100ns;
}

// A first sample counts for the interval of the second one, or for one second if there is none.
static int64_t
first_interval(const struct pmon_latency_stream *stream)
{
	return stream->first_interval > 0 ? stream->first_interval : PMON_TIME_PER_SEC;
}

// ---- Adding samples -------------------------------------------------------------------------

static void
place_all(struct pmon_latencies *l, const struct pmon_sample *sample)
{
	for (size_t i = 0; i < sample->n; i++)
		if (sample->series[i] < l->cap_places)
			l->places[sample->series[i]] = (uint32_t)i;
	l->is_placed = true;
}

// The position of a series in the sample, usually the same as in the previous one.
static bool
find_raw(struct pmon_latencies *l, const struct pmon_sample *sample, uint32_t series, size_t *at)
{
	if (*at < sample->n && sample->series[*at] == series)
		return true;
	if (series >= l->cap_places)
		return false;
	if (!l->is_placed)
		place_all(l, sample);
	*at = l->places[series];
	return *at < sample->n && sample->series[*at] == series;
}

static bool
number_at(const struct pmon_sample *sample, const double *numbers, size_t at, double *out)
{
	if (numbers != NULL) {
		*out = numbers[at];
		return true;
	}
	*out = pmon_raw_double(&sample->raw[at]);
	return pmon_raw_usable(&sample->raw[at]);
}

// Amounts per second become those of an interval. False: the values are implausible.
static bool
over_interval(double *seconds, double *operations, int64_t interval)
{
	double length = (double)interval / PMON_TIME_PER_SEC;

	*seconds *= length;
	*operations *= length;
	return *seconds < PMON_SUM_BOUND && *operations < PMON_SUM_BOUND;
}

static void
add_interval(struct pmon_latency *l, double seconds, double operations, int64_t interval)
{
	if (!over_interval(&seconds, &operations, interval))
		return;
	pmon_sum_add_double(&l->seconds, seconds);
	pmon_sum_add_double(&l->operations, operations);
}

static bool
add_first(struct pmon_latencies *l, struct pmon_latency *one,
	  const struct pmon_latency_first *first)
{
	if (!pmon_mem_grow(pmon_mem_allocator(l->rates.allocator), &one->firsts, &one->cap_firsts,
			   one->n_firsts + 1, sizeof(*one->firsts)))
		return false;
	one->firsts[one->n_firsts++] = *first;
	return true;
}

// Seconds of operations per second at this rate.
static bool
seconds_at(struct pmon_latencies *l, struct pmon_latency *one, const struct pmon_sample *sample,
	   const double *numbers, double rate, double *out)
{
	if (one->queue != PMON_SERIES_NONE)
		return find_raw(l, sample, one->queue, &one->queue_at) &&
		       number_at(sample, numbers, one->queue_at, out) && *out >= 0;
	if (!find_raw(l, sample, one->series, &one->series_at) ||
	    !number_at(sample, numbers, one->series_at, out) || *out < 0)
		return false;
	*out *= rate;
	return true;
}

// The operations per second in a sample, and their seconds.
static bool
rates_at(struct pmon_latencies *l, struct pmon_latency *one, const struct pmon_sample *sample,
	 const double *numbers, double *seconds, double *operations)
{
	return find_raw(l, sample, one->rate, &one->rate_at) &&
	       number_at(sample, numbers, one->rate_at, operations) && *operations >= 0 &&
	       seconds_at(l, one, sample, numbers, *operations, seconds);
}

static bool
add_sample(struct pmon_latencies *l, struct pmon_latency *one, const struct pmon_sample *sample,
	   const double *numbers, const struct pmon_latency_first *here, int64_t interval)
{
	struct pmon_latency_first value = *here;

	if (!rates_at(l, one, sample, numbers, &value.seconds, &value.operations))
		return true;
	one->has_values = true;
	if (l->times[here->stream].pace.samples < 2)
		return add_first(l, one, &value);
	if (interval > 0)
		add_interval(one, value.seconds, value.operations, interval);
	return true;
}

bool
pmon_latencies_add(struct pmon_latencies *l, const struct pmon_sample *sample,
		   const double *numbers)
{
	const struct pmon_latency_first here = {.stream = need_stream(l, sample->stream)};
	int64_t interval;

	if (here.stream == PMON_STREAM_NONE)
		return false;
	l->is_placed = false;
	interval = follow(&l->times[here.stream], sample);
	for (size_t i = 0; i < l->n && !sample->preceding; i++)
		if (!add_sample(l, &l->list[i], sample, numbers, &here, interval))
			return false;
	return true;
}

bool
pmon_latencies_part(struct pmon_latencies *l, const struct pmon_sample *sample, uint32_t series,
		    struct pmon_latency_part *out)
{
	struct pmon_latency *one = find(l, series);
	uint32_t stream = one != NULL ? need_stream(l, sample->stream) : PMON_STREAM_NONE;
	const struct pmon_latency_stream *of;

	*out = (struct pmon_latency_part){.seconds = 0};
	if (stream == PMON_STREAM_NONE || sample->preceding || sample->starts ||
	    !rates_at(l, one, sample, NULL, &out->seconds, &out->operations))
		return false;
	of = &l->times[stream];
	out->is_first = of->pace.samples < 2;
	if (out->is_first)
		return true;
	out->first_interval = of->first_interval;
	return of->pace.interval_100ns > 0 &&
	       over_interval(&out->seconds, &out->operations, of->pace.interval_100ns);
}

static void
discard(struct pmon_latency *one)
{
	one->seconds = one->operations = (struct pmon_sum){0};
	one->n_firsts = 0;
	one->has_values = false;
}

void
pmon_latencies_forget(struct pmon_latencies *l, uint32_t series)
{
	struct pmon_latency *one = find(l, series);

	if (one != NULL)
		discard(one);
}

void
pmon_latencies_restart(struct pmon_latencies *l)
{
	for (size_t i = 0; i < l->n; i++)
		discard(&l->list[i]);
}

// ---- Putting them together ------------------------------------------------------------------

// Add a first value of next, whose interval begins with the newest sample here, if its stream
// continues.
static bool
append_first(struct pmon_latencies *l, struct pmon_latency *one, const struct pmon_latencies *next,
	     const struct pmon_latency_first *first, bool is_next)
{
	const struct pmon_latency_stream *after = &next->times[first->stream];
	struct pmon_latency_first here = *first;
	int64_t interval;

	if (!is_next) {
		add_interval(one, first->seconds, first->operations, first_interval(after));
		return true;
	}
	here.stream = need_stream(l, next->streams.numbers[first->stream]);
	if (here.stream == PMON_STREAM_NONE)
		return false;
	if (l->times[here.stream].pace.samples == 0)
		return add_first(l, one, &here);
	interval = pmon_pace_interval_to(&l->times[here.stream].pace, &after->pace);
	if (interval > 0)
		add_interval(one, first->seconds, first->operations, interval);
	return true;
}

static bool
append(struct pmon_latencies *l, struct pmon_latency *one, const struct pmon_latencies *next,
       const struct pmon_latency *other, bool is_next)
{
	pmon_sum_add(&one->seconds, &other->seconds);
	pmon_sum_add(&one->operations, &other->operations);
	one->has_values |= other->has_values;
	for (size_t i = 0; i < other->n_firsts; i++)
		if (!append_first(l, one, next, &other->firsts[i], is_next))
			return false;
	return true;
}

// From the first sample to that of the next part.
static int64_t
first_interval_with(const struct pmon_latency_stream *stream,
		    const struct pmon_latency_stream *next)
{
	const struct pmon_pace *pace = &stream->pace;

	int64_t newest = pmon_pace_interval_to(pace, &next->pace);

	return pmon_time_minus(pmon_pace_steady(pace), pmon_time_minus(pace->first, newest));
}

static bool
append_streams(struct pmon_latencies *l, const struct pmon_latencies *next)
{
	for (size_t i = 0; i < next->streams.n; i++) {
		const struct pmon_latency_stream *after = &next->times[i];
		uint32_t at = need_stream(l, next->streams.numbers[i]);

		if (at == PMON_STREAM_NONE)
			return false;
		if (l->times[at].pace.samples == 0) {
			l->times[at] = *after;
			continue;
		}
		if (l->times[at].first_interval == 0 && after->pace.samples > 0)
			l->times[at].first_interval = first_interval_with(&l->times[at], after);
		pmon_pace_append(&l->times[at].pace, &after->pace);
	}
	return true;
}

bool
pmon_latencies_append(struct pmon_latencies *l, const struct pmon_latencies *next,
		      const uint32_t *map, bool is_next)
{
	for (size_t i = 0; i < next->n; i++) {
		const struct pmon_latency *other = &next->list[i];
		struct pmon_latency *one = entry_of(l, map[other->series]);

		uint32_t queue =
			other->queue != PMON_SERIES_NONE ? map[other->queue] : PMON_SERIES_NONE;

		if (one == NULL)
			return false;
		if (queue == PMON_SERIES_NONE)
			queue = one->queue;
		if (!set_operands(l, one, map[other->rate], queue))
			return false;
		if (!append(l, one, next, other, is_next))
			return false;
	}
	return !is_next || append_streams(l, next);
}

bool
pmon_latencies_get(const struct pmon_latencies *l, uint32_t series, double *seconds,
		   double *operations)
{
	const struct pmon_latency *found = find(l, series);
	struct pmon_latency one;

	if (found == NULL)
		return false;
	one = *found;
	for (size_t k = 0; k < one.n_firsts; k++)
		add_interval(&one, one.firsts[k].seconds, one.firsts[k].operations,
			     first_interval(&l->times[one.firsts[k].stream]));
	*seconds = pmon_sum_value(&one.seconds, PMON_SUM_FRACTION);
	*operations = pmon_sum_value(&one.operations, PMON_SUM_FRACTION);
	return one.has_values;
}

// ---- Explaining -----------------------------------------------------------------------------

static void
set_line(struct pmon_explain_line *line, const char *name, double value, const char *what)
{
	struct pmon_text t = pmon_text_init(line->name, sizeof(line->name));

	pmon_text_str(&t, name);
	t = pmon_text_init(line->text, sizeof(line->text));
	pmon_text_double(&t, value);
	line->what = what;
}

void
pmon_latency_explain(double total, double operations, struct pmon_explanation *out)
{
	struct pmon_text t = pmon_text_init(out->with_operands, sizeof(out->with_operands));

	out->value = (struct pmon_value){.value = total / operations};
	out->status_text = "each value is weighted by the operation rate, which the log also has";
	out->formula = "total / operations";
	set_line(&out->operands[0], "total", total, "time or bytes of all operations");
	set_line(&out->operands[1], "operations", operations, "sum of rate times interval");
	out->n_operands = 2;
	pmon_text_str(&t, out->operands[0].text);
	pmon_text_str(&t, " / ");
	pmon_text_str(&t, out->operands[1].text);
	out->n_steps = 0;
	out->note =
		out->type != NULL && out->type->second == PMON_SECOND_BASE
			? "The log has no raw values of this counter. This is the average that "
			  "they would yield, within the precision of the log."
			: "Each sample has one value for all operations of its interval; a busy "
			  "interval counts more than an idle one.";
}
