// rows.c - the statistics of series, each for itself
// SPDX-License-Identifier: MIT

#include "query/rows.h"

#include "base/mem.h"

void
pmon_rows_free(struct pmon_rows *rows)
{
	pmon_arena_free(&rows->arena);
	pmon_mem_free(rows->allocator, rows->list, rows->cap * sizeof(*rows->list));
	pmon_mem_free(rows->allocator, rows->first, rows->first_cap * sizeof(*rows->first));
}

bool
pmon_rows_grow(struct pmon_rows *rows)
{
	size_t n = pmon_schema_count(rows->schema);

	if (!pmon_mem_grow(rows->allocator, &rows->list, &rows->cap, n, sizeof(*rows->list)) ||
	    !pmon_mem_grow(rows->allocator, &rows->first, &rows->first_cap, n,
			   sizeof(*rows->first)))
		return false;
	for (; rows->n < n; rows->n++)
		rows->list[rows->n] = (struct pmon_row){.stats = NULL};
	return true;
}

// The statistics of a series, to begin with. Where its number was that of another series before they
// take the place of those.
static bool
begin_stats(struct pmon_rows *rows, size_t i, const struct pmon_series *series, uint64_t ordinal)
{
	struct pmon_stats *stats = rows->list[i].stats;
	struct pmon_calc calc;

	if (stats == NULL)
		stats = pmon_arena_alloc(&rows->arena, sizeof(*stats));
	else
		pmon_run_end(&rows->list[i].run, stats);
	if (stats == NULL)
		return false;
	pmon_calc_init(&calc, &series->counter, &rows->options);
	pmon_stats_init(stats, &calc);
	rows->list[i].stats = stats;
	rows->list[i].life = series->life;
	rows->first[i] = ordinal;
	return true;
}

bool
pmon_rows_add_plain(struct pmon_rows *rows, const struct pmon_sample *sample, size_t i,
		    struct pmon_value *value_out)
{
	uint32_t id = sample->series[i];
	struct pmon_row *row = &rows->list[id];
	const struct pmon_series *series = pmon_schema_at(rows->schema, id);
	bool is_first = row->stats == NULL || row->life != series->life;
	struct pmon_stats *stats;

	if (is_first && !begin_stats(rows, id, series, sample->ordinal))
		return false;
	stats = row->stats;
	pmon_run_end(&row->run, stats);
	if (!is_first && row->stream == sample->stream && sample->ordinal > row->ordinal + 1)
		pmon_stats_gap(stats);
	row->stream = sample->stream;
	row->ordinal = sample->ordinal;
	*value_out = (struct pmon_value){.status = PMON_V_NO_DATA};
	if (sample->lead_in)
		pmon_stats_lead(stats, &sample->raw[i]);
	else
		*value_out = pmon_stats_add(stats, &sample->raw[i]);
	pmon_run_begin(&row->run, stats);
	return true;
}
