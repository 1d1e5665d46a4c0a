// rowgroup.c - the tidy rows of a log
// SPDX-License-Identifier: MIT

#include "query/rowgroup.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/time.h"
#include "model/schema.h"

// ---- Cells ----------------------------------------------------------------------------------

// Nanoseconds reach to 2262.
static bool
fits(pmon_time time)
{
	return time >= PMON_TIME_EARLIEST && time - PMON_TIME_EARLIEST <= INT64_MAX / 100;
}

static void
put_time(const struct pmon_rowgroup_cells *to, pmon_time time)
{
	to->integer(to->ctx, (time - PMON_TIME_EARLIEST) * 100, 1);
}

// ---- Columns --------------------------------------------------------------------------------

static void
put_cell(const struct pmon_rowgroup_cells *to, enum pmon_tidy_column column,
	 const struct pmon_rowgroup_row *row)
{
	const char *name;

	switch (column) {
	case PMON_TIDY_TIME:
		put_time(to, row->time);
		break;
	case PMON_TIDY_PID:
		if (row->owner.has_pid)
			to->integer(to->ctx, row->owner.pid, 1);
		else
			to->null(to->ctx, 1);
		break;
	case PMON_TIDY_PROCESS_START:
		if (row->owner.has_start)
			put_time(to, row->owner.start);
		else
			to->null(to->ctx, 1);
		break;
	case PMON_TIDY_VALUE:
		if (pmon_vstat_has_value(row->status))
			to->real(to->ctx, row->value, 1);
		else
			to->null(to->ctx, 1);
		break;
	case PMON_TIDY_STATUS:
		name = pmon_vstat_name(row->status);
		to->text(to->ctx, (struct pmon_span){name, strlen(name)}, 1);
		break;
	case PMON_TIDY_N:
		to->real(to->ctx, row->n, 1);
		break;
	default:
		to->integer(to->ctx, row->d, 1);
		break;
	}
}

// Put what all rows of a series have. false: out of memory.
static bool
put_constant(struct pmon_rowgroup *group, const struct pmon_rowgroup_cells *to,
	     enum pmon_tidy_column column, const struct pmon_series *series,
	     const struct pmon_rowgroup_series *of)
{
	struct pmon_tidy_cell cell;

	if (column >= PMON_TIDY_ADD) {
		to->real(to->ctx, column == PMON_TIDY_ADD ? of->form.add : of->form.mul, of->n);
		return true;
	}
	if (!pmon_tidy_name_cell(&group->buffer, series, column, &cell))
		return false;
	if (cell.kind != PMON_TIDY_NULL)
		to->text(to->ctx, cell.text, of->n);
	else
		to->null(to->ctx, of->n);
	return true;
}

static bool
is_constant(enum pmon_tidy_column column)
{
	return (column >= PMON_TIDY_MACHINE && column <= PMON_TIDY_PATH) ||
	       column == PMON_TIDY_TYPE || column >= PMON_TIDY_ADD;
}

bool
pmon_rowgroup_fill(struct pmon_rowgroup *group, enum pmon_tidy_column column,
		   const struct pmon_rowgroup_cells *cells)
{
	for (size_t i = 0; i < group->n_present; i++) {
		const struct pmon_rowgroup_series *of = &group->series[group->present[i]];

		if (is_constant(column)) {
			if (!put_constant(group, cells, column,
					  pmon_schema_at(group->schema, group->present[i]), of))
				return false;
			continue;
		}
		for (uint32_t k = of->at; k < of->at + of->n; k++)
			put_cell(cells, column, &group->rows[group->order[k]]);
	}
	return true;
}

// ---- Groups ---------------------------------------------------------------------------------

static int
by_path(const void *a, const void *b)
{
	const struct pmon_series *x = *(const struct pmon_series *const *)a;
	const struct pmon_series *y = *(const struct pmon_series *const *)b;
	int order = strcmp(x->name.ptr, y->name.ptr);

	return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

static bool
sort_series(struct pmon_rowgroup *group)
{
	size_t size = group->n_present * sizeof(const struct pmon_series *);
	const struct pmon_series **list = pmon_mem_alloc(group->allocator, size);

	if (list == NULL)
		return false;
	for (size_t i = 0; i < group->n_present; i++)
		list[i] = pmon_schema_at(group->schema, group->present[i]);
	qsort(list, group->n_present, sizeof(*list), by_path);
	for (size_t i = 0; i < group->n_present; i++)
		group->present[i] = list[i]->id;
	pmon_mem_free(group->allocator, list, size);
	return true;
}

// Rows by series, those of a series in their order.
bool
pmon_rowgroup_sort(struct pmon_rowgroup *group)
{
	uint32_t at = 0;

	if (!sort_series(group) ||
	    !pmon_mem_grow(group->allocator, &group->order, &group->order_cap, group->n,
			   sizeof(*group->order)))
		return false;
	for (size_t i = 0; i < group->n_present; i++) {
		group->series[group->present[i]].at = at;
		at += group->series[group->present[i]].n;
	}
	for (size_t i = 0; i < group->n; i++)
		group->order[group->series[group->rows[i].series].at++] = (uint32_t)i;
	for (size_t i = 0; i < group->n_present; i++)
		group->series[group->present[i]].at -= group->series[group->present[i]].n;
	return true;
}

void
pmon_rowgroup_clear(struct pmon_rowgroup *group)
{
	for (size_t i = 0; i < group->n_present; i++)
		group->series[group->present[i]].n = 0;
	group->n = group->n_present = group->names = 0;
}

bool
pmon_rowgroup_is_full(const struct pmon_rowgroup *group)
{
	return group->n >= PMON_ROWGROUP_ROWS || group->names >= PMON_ROWGROUP_NAMES;
}

// ---- Samples --------------------------------------------------------------------------------

static bool
grow(struct pmon_rowgroup *group, size_t rows)
{
	size_t n = pmon_schema_count(group->schema);

	if (!pmon_mem_grow(group->allocator, &group->series, &group->series_cap, n,
			   sizeof(*group->series)) ||
	    !pmon_mem_grow(group->allocator, &group->present, &group->present_cap, n,
			   sizeof(*group->present)) ||
	    !pmon_mem_grow(group->allocator, &group->rows, &group->cap, group->n + rows,
			   sizeof(*group->rows)))
		return false;
	for (; group->n_series < n; group->n_series++)
		group->series[group->n_series] = (struct pmon_rowgroup_series){.n = 0};
	return true;
}

static void
note_owners(struct pmon_rowgroup *group, const struct pmon_sample *owners)
{
	for (size_t i = 0; i < owners->n; i++) {
		const struct pmon_raw *raw = &owners->raw[i];
		bool is_thread = (raw->multi & PMON_OWNER_THREAD) != 0;

		group->series[owners->series[i]].owner = (struct pmon_rowgroup_owner){
			.has_pid = (raw->multi & PMON_OWNER_PROCESS) != 0,
			.pid = is_thread ? (int64_t)((uint64_t)raw->first >> 32) : raw->first,
			.has_start = (raw->multi & PMON_OWNER_START) != 0 && fits(raw->second),
			.start = raw->second};
	}
}

static void
add_row(struct pmon_rowgroup *group, const struct pmon_sample *sample, size_t i,
	const struct pmon_value *value, const struct pmon_increment *increment)
{
	uint32_t id = sample->series[i];
	struct pmon_rowgroup_series *of = &group->series[id];
	bool counts = increment->kind == PMON_INCREMENT_PAIR;

	if (of->n++ == 0) {
		group->present[group->n_present++] = id;
		group->names += pmon_schema_at(group->schema, id)->name.len;
	}
	group->rows[group->n++] =
		(struct pmon_rowgroup_row){.time = sample->time,
					   .value = value->value,
					   .status = value->status,
					   .n = !counts            ? 0
						: of->form.is_real ? increment->x
								   : (double)increment->n,
					   .d = counts ? increment->d : 0,
					   .owner = of->owner,
					   .series = id};
}

enum pmon_status
pmon_rowgroup_add(struct pmon_rowgroup *group, const struct pmon_sample *sample,
		  const struct pmon_value *values, struct pmon_err *err)
{
	struct pmon_increment increment;

	if (!sample->preceding && !fits(sample->time))
		return pmon_err_set(
			err, PMON_E_UNSUPPORTED, 0,
			"a sample is before 1970 or after 2262; this format has nanoseconds "
			"from 1970 to 2262");
	if (!grow(group, sample->n))
		return pmon_err_nomem(err);
	if (sample->owners != NULL)
		note_owners(group, sample->owners);
	for (size_t i = 0; i < sample->n; i++) {
		struct pmon_rowgroup_series *of = &group->series[sample->series[i]];

		if (!pmon_intervals_next(&group->intervals, sample, i, &increment, &of->form))
			return pmon_err_nomem(err);
		if (!sample->preceding)
			add_row(group, sample, i, &values[i], &increment);
	}
	return PMON_OK;
}

void
pmon_rowgroup_begin(struct pmon_rowgroup *group, const struct pmon_schema *schema,
		    const struct pmon_allocator *allocator)
{
	*group = (struct pmon_rowgroup){
		.allocator = allocator, .schema = schema, .buffer = {.allocator = allocator}};
	pmon_intervals_init(&group->intervals, schema, NULL, allocator);
}

void
pmon_rowgroup_free(struct pmon_rowgroup *group)
{
	if (group->schema == NULL)
		return;
	pmon_intervals_free(&group->intervals);
	pmon_mem_free(group->allocator, group->rows, group->cap * sizeof(*group->rows));
	pmon_mem_free(group->allocator, group->series, group->series_cap * sizeof(*group->series));
	pmon_mem_free(group->allocator, group->present,
		      group->present_cap * sizeof(*group->present));
	pmon_mem_free(group->allocator, group->order, group->order_cap * sizeof(*group->order));
	pmon_mem_free(group->allocator, group->buffer.text, group->buffer.cap);
}
