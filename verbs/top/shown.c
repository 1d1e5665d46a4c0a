// shown.c - which rows pmon top shows, in which order, and what keys do
// SPDX-License-Identifier: MIT

#include "verbs/top/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf.h"

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
	// Samples of other machines may be in between.
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

// Not cached: the source renames series of processes that have moved.
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
	size_t around; // bytes of the path besides the instance

	if (row->series->path.machine.len > 0 && !model->options.with_machine && skip < name.len)
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

static struct pmon_value
divided(const struct top_row *row, struct pmon_value value)
{
	if (isnan(row->divisor))
		return (struct pmon_value){.status = PMON_V_NO_DATA};
	value.value /= row->divisor;
	return value;
}

static void
publish(struct top_model *model, struct top_row *row)
{
	const struct pmon_stats *stats = pmon_statistics_at(model->statistics, row->series->id);

	row->present = row->seen > 0 && !top_model_is_gone(model, row);
	if (stats == NULL)
		return;
	row->last = divided(row, stats->last);
	row->average = divided(row, pmon_stats_average(stats));
	row->minimum = divided(row, stats->minimum);
	row->maximum = divided(row, stats->maximum);
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
	return !pmon_text_match((struct pmon_span){pattern, len + 2}, top_model_name(model, row)) &&
	       (row->about == NULL ||
		!pmon_text_match((struct pmon_span){pattern, len + 2},
				 (struct pmon_span){row->about, strlen(row->about)}));
}

static bool
is_of_process(const struct top_row *row)
{
	return pmon_text_same(row->series->path.object,
			      (struct pmon_span){"Process", strlen("Process")});
}

// A device, such as an interface, that had only zeros.
static bool
is_idle(const struct top_row *row)
{
	return row->series->path.instance.ptr != NULL && !pmon_path_is_total(&row->series->path) &&
	       (!pmon_vstat_has_value(row->maximum.status) || row->maximum.value == 0);
}

static bool
is_shown(const struct top_model *model, const struct top_row *row)
{
	if (row->hidden || row->seen == 0)
		return false;
	// Live: hide rows that ended and have no samples left in the history.
	if (!model->options.keep_all && !row->present &&
	    model->samples - row->seen > model->capacity)
		return false;
	if (model->options.processes && is_of_process(row)) {
		if (!row->is_process)
			return false;
		if (model->at_newest ? !row->present : isnan(top_model_value(model, row)))
			return false;
	}
	if (model->options.most_counters > 0 && !row->is_process)
		return !is_idle(row);
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

// The largest first, or the smallest; rows without a value are always last.
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
	if (x->second != y->second)
		return x->second > y->second ? -1 : 1;
	return by_place(a, b);
}

static int
by_name(const void *a, const void *b)
{
	struct pmon_span x = (*(struct top_row *const *)a)->name;
	struct pmon_span y = (*(struct top_row *const *)b)->name;
	int order = pmon_utf_compare_folded(x, y);

	return order != 0 ? order : by_place(a, b);
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
		double memory = top_model_memory(model, rows[i]);

		rows[i]->key = key_of(model, rows[i]);
		rows[i]->second = isnan(memory) ? 0 : memory;
		rows[i]->name = path_of(model, rows[i]->series);
	}
	if (n < 2)
		return;
	qsort(rows, n, sizeof(struct top_row *), model->sort == TOP_SORT_NAME ? by_name : by_key);
	if (model->sort == TOP_SORT_NAME && model->reversed)
		reverse(rows, n);
}

// Collect the rows to show: processes come after the others. False if out of memory.
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

static void
shorten_overview(struct top_model *model)
{
	size_t most = model->options.most_counters;
	size_t n_processes = model->n_shown - model->n_counters;

	if (most == 0 || model->n_counters <= most)
		return;
	memmove(model->shown + most, model->shown + model->n_counters,
		n_processes * sizeof(struct top_row *));
	model->n_counters = most;
	model->n_shown = most + n_processes;
}

// If rows change their order often, the selection keeps its position; otherwise it follows its row.
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

	if (!top_model_add_rows(model))
		return pmon_err_nomem(err);
	if (!model->options.keep_all)
		top_model_drop_ended(model);
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
	shorten_overview(model);
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

// Times ascend, except where a clock was set back. Of slots that are equally near, the first is taken.
void
top_model_jump(struct top_model *model, pmon_time time)
{
	uint64_t best = model->first_slot;
	uint64_t least = UINT64_MAX;

	for (uint64_t slot = model->first_slot; slot < model->view_end; slot++) {
		pmon_time at = model->time[slot % model->capacity];
		uint64_t distance =
			at < time ? (uint64_t)time - (uint64_t)at : (uint64_t)at - (uint64_t)time;

		if (distance >= least)
			continue;
		least = distance;
		best = slot;
	}
	model->cursor = best;
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
