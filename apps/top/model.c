// model.c - what pmon top shows: rows, their order, their past
// SPDX-License-Identifier: MIT

#include "apps/top/model.h"

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
	into->low = fminf(into->low, next->low); // of a NaN and a number the number
	into->high = fmaxf(into->high, next->high);
	if (!isnan(next->last))
		into->last = next->last;
}

// Two and two slots become one.
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

// Give up the pasts of series that are gone: memory is short.
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

// One series more than memory was meant for: half the slots are enough for each.
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

// Put a value into the newest slot. False when memory is short.
static bool
keep(struct top_model *model, struct top_row *row, const struct pmon_value *value)
{
	struct top_span span;

	if (!pmon_vstat_has_value(value->status))
		return true;
	if (row->past == NULL && !begin_past(model, row))
		return false;
	span.low = span.high = span.last = to_float(value->value);
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
	       !is_named(path->instance, "_Total") && !is_named(path->instance, "Idle");
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

// A row that was in none of the newest samples, and is not new. A process that has ended may have had
// the name and the number that another one has now.
static bool
is_gone(const struct top_model *model, const struct top_row *row)
{
	return row->seen > 0 && model->samples - row->seen > model->reach;
}

// Note for a process which series has another number on it.
static void
note(struct top_row *process, const struct top_row *other)
{
	if (!process->is_process)
		return;
	if (is_named(other->series->path.counter, "Working Set"))
		process->memory = other->series->id;
	else if (is_named(other->series->path.counter, "ID Process"))
		process->pid = other->series->id;
}

static void
link_process(struct top_model *model, struct top_row *row)
{
	row->is_process = is_busy_process(&row->series->path);
	if (!is_named(row->series->path.object, "Process"))
		return;
	for (size_t i = model->rows.n; i > 0; i--) {
		struct top_row *other = top_model_row(model, i - 1);

		if (other == NULL || is_gone(model, other) ||
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

		if (pmon_pattern_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL) &&
		    pmon_path_match(&pattern, &row->series->path))
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

// The row of a series, made if there is none, or if it is of another one that had the number before.
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
	*row = (struct top_row){.series = series, .life = series->life};
	model->has_new_rows = true;
	row->memory = row->pid = TOP_NO_SERIES;
	row->rank = rank_of(model, row);
	if (model->options.processes)
		link_process(model, row);
	return row;
}

// Drop the rows of processes that ended before the oldest slot. Otherwise rows would grow without end on a
// machine whose processes are short-lived.
static void
drop_ended(struct top_model *model)
{
	for (size_t i = 0; i < model->rows.n; i++) {
		struct top_row *row = top_model_row(model, i);

		if (row == NULL || !row->series->of_process || row->seen == 0 ||
		    model->samples - row->seen <= model->capacity + model->reach)
			continue;
		forget_past(model, row);
		free(row);
		*(struct top_row **)by_series_find(&model->rows, i) = NULL;
	}
}

// Where each row stands: the patterns come first, then the order of the source.
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

// Rows for the series that have come since.
static bool
add_rows(struct top_model *model)
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
	return pmon_statistics_new(schema, &options->calc, NULL, &model->statistics, err);
}

void
top_model_free(struct top_model *model)
{
	for (size_t i = 0; i < model->rows.n; i++) {
		struct top_row *row = top_model_row(model, i);

		if (row != NULL)
			free(row->past);
		free(row);
	}
	by_series_free(&model->rows);
	free(model->shown);
	pmon_statistics_free(model->statistics);
	*model = (struct top_model){.n_shown = 0};
}

// Note the pair that the next value is computed from.
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

		if (values[i].status == PMON_V_FIRST || values[i].status == PMON_V_CHANGED)
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

	if (!add_rows(model))
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
	if (status != PMON_OK || sample->lead_in)
		return status;
	return keep_values(model, sample, values) ? PMON_OK : pmon_err_nomem(err);
}

void
top_model_restart(struct top_model *model)
{
	pmon_statistics_restart(model->statistics);
}

// ---- What is shown --------------------------------------------------------------------------

uint64_t
top_model_slot(const struct top_model *model)
{
	uint64_t slot = model->view_end > 0 ? model->view_end - 1 : 0;

	if (!model->at_newest)
		slot = model->cursor;
	return slot > model->first_slot ? slot : model->first_slot;
}

pmon_time
top_model_time(const struct top_model *model)
{
	if (model->view_end == 0)
		return PMON_TIME_NONE;
	return model->time[top_model_slot(model) % model->capacity];
}

double
top_model_value(const struct top_model *model, const struct top_row *row)
{
	uint64_t slot = top_model_slot(model);
	struct top_span span;

	if (model->at_newest)
		return row->present && pmon_vstat_has_value(row->last.status) ? row->last.value
									      : (double)NAN;
	// A sample of another machine may lie between.
	(void)top_model_span(model, row, slot > model->reach ? slot - model->reach : 0, slot + 1,
			     &span);
	return (double)span.last;
}

static double
value_of_series(const struct top_model *model, uint32_t series)
{
	const struct top_row *row = top_model_row(model, series);

	return row != NULL ? top_model_value(model, row) : (double)NAN;
}

double
top_model_memory(const struct top_model *model, const struct top_row *row)
{
	return value_of_series(model, row->memory);
}

double
top_model_pid(const struct top_model *model, const struct top_row *row)
{
	return value_of_series(model, row->pid);
}

// Not kept: the source renames series of a process that has moved.
static struct pmon_span
path_of(const struct top_model *model, const struct pmon_series *series)
{
	return model->options.path != NULL ? model->options.path(model->options.path_ctx, series)
					   : series->name;
}

struct pmon_span
top_model_name(const struct top_model *model, const struct top_row *row)
{
	struct pmon_span name = path_of(model, row->series);
	size_t skip = row->series->path.machine.len + 2;
	const char *bracket;
	size_t around; // bytes of the path that are not the instance

	if (row->series->path.machine.ptr != NULL && !model->options.with_machine &&
	    skip < name.len)
		name = (struct pmon_span){name.ptr + skip, name.len - skip};
	if (name.len > 1 && name.ptr[0] == '\\' && name.ptr[1] != '\\')
		name = (struct pmon_span){name.ptr + 1, name.len - 1};
	if (!row->is_process)
		return name;
	// "Process(name#1)\% Processor Time"
	bracket = memchr(name.ptr, '(', name.len);
	around = bracket == NULL ? name.len
				 : (size_t)(bracket + 1 - name.ptr) + strlen(")\\") +
					   row->series->path.counter.len;
	if (around >= name.len)
		return name;
	return (struct pmon_span){bracket + 1, name.len - around};
}

static void
publish(struct top_model *model, struct top_row *row)
{
	const struct pmon_stats *stats = pmon_statistics_at(model->statistics, row->series->id);

	row->present = row->seen > 0 && !is_gone(model, row);
	if (stats == NULL)
		return;
	row->last = stats->last;
	row->average = pmon_stats_average(stats);
	row->minimum = stats->minimum;
	row->maximum = stats->maximum;
}

static bool
is_filtered_out(const struct top_model *model, const struct top_row *row)
{
	char pattern[TOP_FILTER_SIZE + 2];
	size_t len = strlen(model->filter);

	if (len == 0)
		return false;
	pattern[0] = pattern[len + 1] = '*';
	memcpy(pattern + 1, model->filter, len);
	return !pmon_text_match((struct pmon_span){pattern, len + 2}, top_model_name(model, row));
}

static bool
is_shown(const struct top_model *model, const struct top_row *row)
{
	if (row->hidden || row->seen == 0)
		return false;
	// Of a machine, what is gone is left out when nothing is kept of it any more.
	if (!model->options.keep_all && !row->present &&
	    model->samples - row->seen > model->capacity)
		return false;
	if (model->options.processes && is_named(row->series->path.object, "Process")) {
		if (!row->is_process)
			return false;
		if (model->at_newest ? !row->present : isnan(top_model_value(model, row)))
			return false;
	}
	return !is_filtered_out(model, row);
}

// ---- Order ----------------------------------------------------------------------------------

static double
number_of(const struct pmon_value *value)
{
	return pmon_vstat_has_value(value->status) ? value->value : (double)NAN;
}

static double
sorted_number(const struct top_model *model, const struct top_row *row)
{
	switch (model->sort) {
	case TOP_SORT_VALUE:
		return top_model_value(model, row);
	case TOP_SORT_LAST:
		return number_of(&row->last);
	case TOP_SORT_AVERAGE:
		return number_of(&row->average);
	case TOP_SORT_MINIMUM:
		return number_of(&row->minimum);
	case TOP_SORT_MAXIMUM:
		return number_of(&row->maximum);
	case TOP_SORT_MEMORY:
		return top_model_memory(model, row);
	case TOP_SORT_LISTED:
	case TOP_SORT_NAME:
	case TOP_SORT_COUNT:
		break;
	}
	return -(double)row->place;
}

// The largest first, or the smallest; what has no value always last.
static double
key_of(const struct top_model *model, const struct top_row *row)
{
	double number = sorted_number(model, row);

	if (isnan(number))
		return (double)INFINITY;
	return model->reversed ? number : -number;
}

static int
by_place(const void *a, const void *b)
{
	const struct top_row *x = *(struct top_row *const *)a;
	const struct top_row *y = *(struct top_row *const *)b;

	return (x->place > y->place) - (x->place < y->place);
}

static int
by_key(const void *a, const void *b)
{
	const struct top_row *x = *(struct top_row *const *)a;
	const struct top_row *y = *(struct top_row *const *)b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return by_place(a, b);
}

static int
by_name(const void *a, const void *b)
{
	struct pmon_span x = (*(struct top_row *const *)a)->name;
	struct pmon_span y = (*(struct top_row *const *)b)->name;
	size_t i = 0;
	size_t j = 0;

	while (i < x.len && j < y.len) {
		uint32_t c = pmon_utf_fold(pmon_utf8_next(x, &i));
		uint32_t d = pmon_utf_fold(pmon_utf8_next(y, &j));

		if (c != d)
			return c < d ? -1 : 1;
	}
	if ((i < x.len) != (j < y.len))
		return i < x.len ? 1 : -1;
	return by_place(a, b);
}

static void
reverse(struct top_row **rows, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct top_row *row = rows[i];

		rows[i] = rows[n - 1 - i];
		rows[n - 1 - i] = row;
	}
}

static void
sort_rows(const struct top_model *model, struct top_row **rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		rows[i]->key = key_of(model, rows[i]);
		rows[i]->name = path_of(model, rows[i]->series);
	}
	if (n < 2)
		return;
	qsort(rows, n, sizeof(struct top_row *), model->sort == TOP_SORT_NAME ? by_name : by_key);
	if (model->sort == TOP_SORT_NAME && model->reversed)
		reverse(rows, n);
}

// The rows that are shown, the processes behind the others. False when memory is short.
static bool
collect(struct top_model *model)
{
	struct top_row **shown = realloc(model->shown, (model->rows.n + 1) * sizeof(*shown));

	if (shown == NULL)
		return false;
	model->shown = shown;
	model->n_shown = 0;
	for (int processes = 0; processes < 2; processes++) {
		for (size_t i = 0; i < model->rows.n; i++) {
			struct top_row *row = top_model_row(model, i);

			if (row != NULL && row->is_process == (processes == 1) &&
			    is_shown(model, row))
				shown[model->n_shown++] = row;
		}
		if (processes == 0)
			model->n_counters = model->n_shown;
	}
	return true;
}

// Where rows jump about the selection stays in its place, else with its row.
static void
keep_selection(struct top_model *model, const struct top_row *was)
{
	bool is_steady = model->sort == TOP_SORT_LISTED || model->sort == TOP_SORT_NAME;

	for (size_t i = 0; was != NULL && i < model->n_shown; i++)
		if (model->shown[i] == was &&
		    (is_steady || model->options.keep_all || i < model->n_counters))
			model->selected = i;
	if (model->selected >= model->n_shown)
		model->selected = model->n_shown > 0 ? model->n_shown - 1 : 0;
}

enum pmon_status
top_model_arrange(struct top_model *model, struct pmon_err *err)
{
	const struct top_row *was = top_model_selected(model);

	if (!add_rows(model))
		return pmon_err_nomem(err);
	if (!model->options.keep_all)
		drop_ended(model);
	if (!model->paused) {
		for (size_t i = 0; i < model->rows.n; i++)
			if (top_model_row(model, i) != NULL)
				publish(model, top_model_row(model, i));
		model->view_end = model->end_slot;
		model->samples_shown = model->samples;
	}
	if (!collect(model))
		return pmon_err_nomem(err);
	if (model->options.processes)
		qsort(model->shown, model->n_counters, sizeof(struct top_row *), by_place);
	else
		sort_rows(model, model->shown, model->n_counters);
	sort_rows(model, model->shown + model->n_counters, model->n_shown - model->n_counters);
	keep_selection(model, was);
	return PMON_OK;
}

struct top_row *
top_model_selected(const struct top_model *model)
{
	return model->selected < model->n_shown ? model->shown[model->selected] : NULL;
}

// ---- What keys do ---------------------------------------------------------------------------

void
top_model_move(struct top_model *model, long rows)
{
	long last = (long)model->n_shown - 1;
	long to = (long)model->selected + rows;

	to = to > last ? last : to;
	model->selected = to > 0 ? (size_t)to : 0;
}

void
top_model_step(struct top_model *model, long slots)
{
	int64_t to = (int64_t)top_model_slot(model) + slots;

	if (to < (int64_t)model->first_slot)
		to = (int64_t)model->first_slot;
	model->cursor = (uint64_t)to;
	model->at_newest = model->cursor + 1 >= model->view_end;
}

void
top_model_oldest(struct top_model *model)
{
	model->cursor = model->first_slot;
	model->at_newest = model->cursor + 1 >= model->view_end;
}

void
top_model_newest(struct top_model *model)
{
	model->at_newest = true;
}

void
top_model_pause(struct top_model *model, bool paused)
{
	model->paused = paused;
}

void
top_model_hide(struct top_model *model)
{
	struct top_row *row = top_model_selected(model);

	if (row != NULL)
		row->hidden = true;
}

void
top_model_unhide(struct top_model *model)
{
	for (size_t i = 0; i < model->rows.n; i++)
		if (top_model_row(model, i) != NULL)
			top_model_row(model, i)->hidden = false;
}

const char *
top_sort_name(enum top_sort sort)
{
	static const char *const names[] = {
		[TOP_SORT_LISTED] = "the order of the list",
		[TOP_SORT_VALUE] = "value",
		[TOP_SORT_LAST] = "last value",
		[TOP_SORT_AVERAGE] = "average",
		[TOP_SORT_MINIMUM] = "minimum",
		[TOP_SORT_MAXIMUM] = "maximum",
		[TOP_SORT_MEMORY] = "working set",
		[TOP_SORT_NAME] = "name",
	};

	return names[sort];
}

void
top_model_sort_next(struct top_model *model, int direction)
{
	int sort = (int)model->sort;

	do
		sort = (sort + direction + TOP_SORT_COUNT) % TOP_SORT_COUNT;
	while (sort == TOP_SORT_MEMORY && !model->options.processes);
	model->sort = (enum top_sort)sort;
	model->reversed = false;
}
