// intervals.c - what each raw value of a source adds to an average
// SPDX-License-Identifier: MIT

#include "query/intervals.h"

#include "base/mem.h"

void
pmon_intervals_init(struct pmon_intervals *intervals, const struct pmon_schema *schema,
		    const struct pmon_calc_options *options, const struct pmon_allocator *allocator)
{
	*intervals = (struct pmon_intervals){.allocator = pmon_mem_allocator(allocator),
					     .schema = schema,
					     .options = {.size = sizeof(intervals->options)}};
	if (options != NULL)
		intervals->options = *options;
}

void
pmon_intervals_free(struct pmon_intervals *intervals)
{
	if (intervals->allocator != NULL)
		pmon_mem_free(intervals->allocator, intervals->list,
			      intervals->cap * sizeof(*intervals->list));
}

static bool
grow(struct pmon_intervals *intervals)
{
	size_t n = pmon_schema_count(intervals->schema);

	if (!pmon_mem_grow(intervals->allocator, &intervals->list, &intervals->cap, n,
			   sizeof(*intervals->list)))
		return false;
	for (; intervals->n < n; intervals->n++)
		intervals->list[intervals->n].is_begun = false;
	return true;
}

static void
begin(const struct pmon_intervals *intervals, struct pmon_interval *of,
      const struct pmon_series *series)
{
	struct pmon_calc calc;

	(void)pmon_calc_init(&calc, &series->counter, &intervals->options);
	pmon_increments_begin(&of->rows, &calc);
	of->form = pmon_increment_form(&calc);
	of->life = series->life;
	of->is_begun = true;
}

struct pmon_interval *
pmon_intervals_at(struct pmon_intervals *intervals, const struct pmon_sample *sample, size_t i)
{
	uint32_t id = sample->series[i];
	const struct pmon_series *series = pmon_schema_at(intervals->schema, id);
	struct pmon_interval *of;

	if (id >= intervals->n && !grow(intervals))
		return NULL;
	of = &intervals->list[id];
	if (!of->is_begun || of->life != series->life)
		begin(intervals, of, series);
	else if (of->stream == sample->stream && sample->ordinal > of->ordinal + 1)
		pmon_increments_gap(&of->rows);
	of->stream = sample->stream;
	of->ordinal = sample->ordinal;
	return of;
}

bool
pmon_intervals_next(struct pmon_intervals *intervals, const struct pmon_sample *sample, size_t i,
		    struct pmon_increment *row, struct pmon_increment_form *form)
{
	struct pmon_interval *of = pmon_intervals_at(intervals, sample, i);

	if (of == NULL)
		return false;
	*row = pmon_increments_next(&of->rows, &sample->raw[i]);
	*form = of->form;
	return true;
}
