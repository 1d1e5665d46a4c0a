// model.c - the rows of pmon top, their order and history
// SPDX-License-Identifier: MIT

#include "verbs/top/model.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf.h"

#define DEFAULT_MEMORY_BYTES ((size_t)64 << 20)

struct top_row *
top_model_row(const struct top_model *model, size_t series)
{
	struct top_row *const *row = by_series_find(&model->rows, series);

	return row != NULL ? *row : NULL;
}

// ---- The past -------------------------------------------------------------------------------

static const struct top_span nothing = {NAN, NAN, NAN};

static float
to_float(double value)
{
	return (float)fmin(fmax(value, -FLT_MAX), FLT_MAX);
}

static void
join(struct top_span *into, const struct top_span *next)
{
	into->low = fminf(into->low, next->low); // fminf() prefers a number to a NaN
	into->high = fmaxf(into->high, next->high);
	if (!isnan(next->last))
		into->last = next->last;
}

// Merge pairs of slots.
static void
halve(struct top_model *model)
{
	size_t n = (size_t)(model->end_slot + 1) / 2;

	for (size_t i = 0; i < model->rows.n; i++) {
		struct top_row *row = top_model_row(model, i);
		struct top_span *past = row != NULL ? row->past : NULL;

		for (size_t k = 0; past != NULL && k < model->end_slot; k++) {
			if (k % 2 == 0)
				past[k / 2] = past[k];
			else
				join(&past[k / 2], &past[k]);
		}
	}
	for (size_t k = 0; k < model->end_slot; k++)
		model->time[k / 2] = model->time[k];
	if (model->end_slot % 2 == 0)
		model->samples_in_last += model->samples_per_slot;
	model->end_slot = n;
	model->samples_per_slot *= 2;
}

// Drop the histories of series that are gone: memory is short.
static void
forget_gone(struct top_model *model)
{
	for (size_t i = 0; i < model->rows.n; i++) {
		struct top_row *row = top_model_row(model, i);

		if (row == NULL || row->past == NULL || row->seen == model->samples)
			continue;
		free(row->past);
		row->past = NULL;
		model->n_pasts--;
	}
}

// There is one series too many for the memory limit: halve the number of slots.
static void
save_memory(struct top_model *model)
{
	size_t bytes = (model->n_pasts + 1) * model->capacity * sizeof(struct top_span);

	if (bytes <= model->options.memory_bytes)
		return;
	if (!model->options.keep_all) {
		forget_gone(model);
		return;
	}
	if (model->capacity / 2 < TOP_FEWEST_SLOTS)
		return;
	model->capacity /= 2;
	while (model->end_slot > model->capacity)
		halve(model);
	for (size_t i = 0; i < model->rows.n; i++) {
		struct top_row *row = top_model_row(model, i);
		struct top_span *smaller;

		if (row == NULL || row->past == NULL)
			continue;
		smaller = realloc(row->past, model->capacity * sizeof(*smaller));
		row->past = smaller != NULL ? smaller : row->past;
	}
}

static void
open_slot(struct top_model *model)
{
	if (model->options.keep_all && model->end_slot == model->capacity &&
	    model->samples_in_last == model->samples_per_slot)
		halve(model);
	if (model->end_slot > 0 && model->samples_in_last < model->samples_per_slot) {
		model->samples_in_last++;
		return;
	}
	model->samples_in_last = 1;
	model->end_slot++;
	if (model->end_slot - model->first_slot > model->capacity)
		model->first_slot++;
	for (size_t i = 0; i < model->rows.n; i++) {
		struct top_row *row = top_model_row(model, i);

		if (row != NULL && row->past != NULL)
			row->past[(model->end_slot - 1) % model->capacity] = nothing;
	}
}

static bool
begin_past(struct top_model *model, struct top_row *row)
{
	save_memory(model);
	row->past = malloc(model->capacity * sizeof(*row->past));
	if (row->past == NULL)
		return false;
	for (size_t k = 0; k < model->capacity; k++)
		row->past[k] = nothing;
	model->n_pasts++;
	return true;
}

// Store a value in the newest slot. False if out of memory.
static bool
keep(struct top_model *model, struct top_row *row, const struct pmon_value *value)
{
	struct top_span span;

	if (!pmon_vstat_has_value(value->status) || isnan(row->divisor))
		return true;
	if (row->past == NULL && !begin_past(model, row))
		return false;
	span.low = span.high = span.last = to_float(value->value / row->divisor);
	join(&row->past[(model->end_slot - 1) % model->capacity], &span);
	return true;
}

bool
top_model_span(const struct top_model *model, const struct top_row *row, uint64_t first,
	       uint64_t end, struct top_span *out)
{
	*out = nothing;
	first = first > model->first_slot ? first : model->first_slot;
	end = end < model->end_slot ? end : model->end_slot;
	for (uint64_t k = first; row->past != NULL && k < end; k++)
		join(out, &row->past[k % model->capacity]);
	return !isnan(out->low);
}

// ---- Rows -----------------------------------------------------------------------------------

static bool
is_named(struct pmon_span span, const char *name)
{
	return pmon_text_same(span, (struct pmon_span){name, strlen(name)});
}

static bool
is_busy_process(const struct pmon_path *path)
{
	return is_named(path->object, "Process") && is_named(path->counter, "% Processor Time") &&
	       pmon_path_ranks(path);
}

static bool
is_same_instance(const struct pmon_series *x, const struct pmon_series *y)
{
	const struct pmon_path *a = &x->path;
	const struct pmon_path *b = &y->path;

	return x->process_id == y->process_id && a->index == b->index &&
	       pmon_text_same(a->instance, b->instance) && pmon_text_same(a->object, b->object) &&
	       pmon_text_same(a->machine, b->machine);
}

bool
top_model_is_gone(const struct top_model *model, const struct top_row *row)
{
	return row->seen > 0 && model->samples - row->seen > model->reach;
}

// Record in a process's row which series has a related number.
static void
note(struct top_row *process, const struct top_row *other)
{
	if (!process->is_process)
		return;
	if (is_named(pmon_series_english(other->series)->counter, "Working Set"))
		process->memory = other->series->id;
	else if (is_named(pmon_series_english(other->series)->counter, "ID Process"))
		process->pid = other->series->id;
}

static void
link_process(struct top_model *model, struct top_row *row)
{
	row->is_process = is_busy_process(pmon_series_english(row->series));
	if (!is_named(pmon_series_english(row->series)->object, "Process"))
		return;
	for (size_t i = model->rows.n; i > 0; i--) {
		struct top_row *other = top_model_row(model, i - 1);

		if (other == NULL || top_model_is_gone(model, other) ||
		    !is_same_instance(row->series, other->series))
			continue;
		note(row, other);
		note(other, row);
	}
}

static size_t
rank_of(const struct top_model *model, const struct top_row *row)
{
	const struct pmon_select *order = model->options.order;
	struct pmon_path pattern;
	size_t i = 0;

	for (; order != NULL && i < pmon_select_count(order); i++) {
		const char *text = pmon_select_pattern(order, i);

		if (pmon_search_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL) &&
		    pmon_series_match(&pattern, row->series))
			break;
	}
	return i;
}

static void
forget_past(struct top_model *model, struct top_row *row)
{
	model->n_pasts -= row->past != NULL;
	free(row->past);
}

static double
divisor_of(const struct top_options *options, const struct pmon_series *series)
{
	size_t n = options->divisor != NULL ? options->divisor(options->divisor_ctx, series) : 1;

	return n > 0 ? (double)n : (double)NAN;
}

// The row of a series; created if there is none, or if the series number was reused.
static struct top_row *
row_at(struct top_model *model, size_t i)
{
	const struct pmon_series *series = pmon_schema_at(model->schema, i);
	struct top_row **at = by_series_get(&model->rows, i);
	struct top_row *row = at != NULL ? *at : NULL;

	if (at == NULL || (row != NULL && row->life == series->life))
		return row;
	if (row != NULL)
		forget_past(model, row);
	else
		row = *at = malloc(sizeof(*row));
	if (row == NULL)
		return NULL;
	*row = (struct top_row){.series = series,
				.life = series->life,
				.divisor = divisor_of(&model->options, series)};
	model->has_new_rows = true;
	row->memory = row->pid = TOP_NO_SERIES;
	row->rank = rank_of(model, row);
	if (model->options.processes)
		link_process(model, row);
	return row;
}

// Drop the rows of processes that ended before the oldest slot. Otherwise rows would grow forever
// on a machine with short-lived processes.
void
top_model_drop_ended(struct top_model *model)
{
	for (size_t i = 0; i < model->rows.n; i++) {
		struct top_row *row = top_model_row(model, i);

		if (row == NULL || !row->series->of_process || row->seen == 0 ||
		    model->samples - row->seen <= model->capacity + model->reach)
			continue;
		forget_past(model, row);
		free(row->about);
		free(row);
		*(struct top_row **)by_series_find(&model->rows, i) = NULL;
	}
}

// Set the position of each row: patterns come first, then the order of the source.
static bool
place_rows(struct top_model *model)
{
	size_t n = pmon_schema_count(model->schema);
	const struct pmon_series **list = malloc((n + 1) * sizeof(*list));

	if (list == NULL)
		return false;
	pmon_schema_in_order(model->schema, list);
	for (size_t i = 0; i < n; i++) {
		struct top_row *row = top_model_row(model, list[i]->id);

		if (row != NULL)
			row->place = row->rank * n + i;
	}
	free(list);
	model->has_new_rows = false;
	return true;
}

bool
top_model_add_rows(struct top_model *model)
{
	size_t n = pmon_schema_count(model->schema);

	if (n == model->rows.n)
		return true;
	for (size_t i = model->rows.n; i < n; i++)
		if (row_at(model, i) == NULL)
			return false;
	return place_rows(model);
}

// ---- Samples --------------------------------------------------------------------------------

enum pmon_status
top_model_init(struct top_model *model, const struct pmon_schema *schema,
	       const struct top_options *options, struct pmon_err *err)
{
	*model = (struct top_model){.options = *options,
				    .schema = schema,
				    .rows = BY_SERIES_OF(struct top_row *),
				    .capacity = TOP_SLOTS,
				    .samples_per_slot = 1,
				    .at_newest = true};
	if (model->options.memory_bytes == 0)
		model->options.memory_bytes = DEFAULT_MEMORY_BYTES;
	if (options->processes)
		model->sort = TOP_SORT_VALUE;
	return pmon_statistics_new(schema, options->calc, NULL, &model->statistics, err);
}

void
top_model_free(struct top_model *model)
{
	for (size_t i = 0; i < model->rows.n; i++) {
		struct top_row *row = top_model_row(model, i);

		if (row != NULL)
			free(row->past);
		if (row != NULL)
			free(row->about);
		free(row);
	}
	by_series_free(&model->rows);
	free(model->shown);
	pmon_statistics_free(model->statistics);
	*model = (struct top_model){.n_shown = 0};
}

// Record the pair from which the next value is computed.
static void
see(struct top_row *row, const struct pmon_stats *before, const struct pmon_raw *raw)
{
	row->has_older = before != NULL && before->tail_open;
	if (row->has_older)
		row->older = before->tail;
	row->newer = *raw;
	row->has_newer = true;
}

static bool
keep_values(struct top_model *model, const struct pmon_sample *sample,
	    const struct pmon_value *values)
{
	model->samples++;
	open_slot(model);
	model->time[(model->end_slot - 1) % model->capacity] = sample->time;
	if (2 * (uint64_t)sample->stream > model->reach)
		model->reach = 2 * (uint64_t)sample->stream;
	for (size_t i = 0; i < sample->n; i++)
		top_model_row(model, sample->series[i])->seen = model->samples;
	for (size_t i = 0; i < sample->n; i++) {
		struct top_row *row = top_model_row(model, sample->series[i]);

		if (values[i].status == PMON_V_FIRST || values[i].status == PMON_V_CHANGED ||
		    values[i].status == PMON_V_STEPPED)
			row->has_older = false;
		if (!keep(model, row, &values[i]))
			return false;
	}
	return true;
}

enum pmon_status
top_model_add(struct top_model *model, const struct pmon_sample *sample, struct pmon_err *err)
{
	const struct pmon_value *values;
	enum pmon_status status;

	if (!top_model_add_rows(model))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++)
		if (row_at(model, sample->series[i]) == NULL)
			return pmon_err_nomem(err);
	if (model->has_new_rows && !place_rows(model))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++)
		see(top_model_row(model, sample->series[i]),
		    pmon_statistics_at(model->statistics, sample->series[i]), &sample->raw[i]);
	status = pmon_statistics_add(model->statistics, sample, &values, err);
	if (status != PMON_OK || sample->preceding)
		return status;
	return keep_values(model, sample, values) ? PMON_OK : pmon_err_nomem(err);
}

void
top_model_restart(struct top_model *model)
{
	pmon_statistics_restart(model->statistics);
}
