// rows.c - the statistics of series, each for itself
// SPDX-License-Identifier: MIT

#include "query/rows.h"

#include "base/mem.h"
#include "core/calc.h"

void
pmon_rows_free(struct pmon_rows *rows)
{
	pmon_arena_free(&rows->arena);
	pmon_mem_free(rows->allocator, rows->list, rows->cap * sizeof(*rows->list));
	pmon_mem_free(rows->allocator, rows->first, rows->first_cap * sizeof(*rows->first));
	pmon_mem_free(rows->allocator, rows->spreads, rows->spreads_cap * sizeof(*rows->spreads));
	pmon_paces_free(&rows->paces);
}

bool
pmon_rows_grow(struct pmon_rows *rows)
{
	size_t n = pmon_schema_count(rows->schema);

	if (!pmon_mem_grow(rows->allocator, &rows->list, &rows->cap, n, sizeof(*rows->list)) ||
	    !pmon_mem_grow(rows->allocator, &rows->first, &rows->first_cap, n,
			   sizeof(*rows->first)) ||
	    (rows->keep != 0 && !pmon_mem_grow(rows->allocator, &rows->spreads, &rows->spreads_cap,
					       n, sizeof(*rows->spreads))))
		return false;
	for (; rows->n < n; rows->n++) {
		rows->list[rows->n] = (struct pmon_row){.stats = NULL};
		if (rows->keep != 0)
			rows->spreads[rows->n] = (struct pmon_spread){.weight = 0};
	}
	return true;
}

// The statistics of a series, to begin with. Where its number was that of another series before
// they take the place of those.
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
	if (rows->keep == 0)
		return true;
	rows->spreads[i] = (struct pmon_spread){.weight = 0};
	pmon_spread_begin(&rows->spreads[i], series);
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
	if (sample->preceding)
		pmon_stats_lead(stats, &sample->raw[i]);
	else
		*value_out = pmon_stats_add(stats, &sample->raw[i]);
	pmon_run_begin(&row->run, stats);
	return true;
}

// ---- Totals and percentiles -----------------------------------------------------------------

// pmon_spread_older() of a row.
static bool
newest(const struct pmon_row *row, struct pmon_raw *out)
{
	const struct pmon_stats *stats = row->stats;

	if (row->run.n > 0) {
		*out = row->run.pair.tail;
		return true;
	}
	return pmon_spread_older(stats, out);
}

// Whether a value of the row needs two raw values; uses the row's own fields if possible.
static bool
takes_two(const struct pmon_row *row)
{
	enum pmon_formula formula = (enum pmon_formula)row->run.pair.formula;

	return formula != PMON_FORMULA_NONE ? !pmon_formula_is_single(formula)
					    : pmon_calc_needs_two(&row->stats->calc);
}

// Move the time of the older raw value so that the time to the newer one excludes gaps and clock
// changes.
static void
add_jumps(struct pmon_raw *older, int64_t jumps_100ns)
{
	if (older->time != PMON_TIME_NONE)
		older->time = (pmon_time)pmon_raw_difference(older->time, jumps_100ns);
}

bool
pmon_rows_add_kept(struct pmon_rows *rows, const struct pmon_sample *sample, size_t i,
		   struct pmon_value *value_out)
{
	struct pmon_row *row = &rows->list[sample->series[i]];
	struct pmon_spread *spread = &rows->spreads[sample->series[i]];
	bool is_known = row->stats != NULL;
	uint32_t life = row->life;
	struct pmon_raw older;
	bool is_follower;
	int64_t jumps;

	// After an absence, or in another log, a level does not cover the time before it.
	if (is_known && !takes_two(row))
		is_known = row->stream == sample->stream && row->ordinal + 1 == sample->ordinal;
	is_known = is_known && newest(row, &older);
	is_follower = row->stream == sample->stream;
	if (!pmon_rows_add(rows, sample, i, value_out))
		return false;
	jumps = pmon_pace_jumps(rows->pace, spread->is_whole);
	if (is_known && is_follower)
		add_jumps(&older, (int64_t)pmon_raw_difference(jumps, spread->jumps_100ns));
	spread->jumps_100ns = jumps;
	if (!pmon_vstat_has_value(value_out->status))
		return true;
	return pmon_spread_add(spread, &rows->arena, rows->keep,
			       is_known && row->life == life ? &older : NULL, &sample->raw[i],
			       value_out->value);
}

// Assign a weight to the value at a boundary, which has none yet. False when memory is short.
static bool
weigh_seam(struct pmon_rows *rows, size_t i, const struct pmon_stats *next, int64_t jumps_100ns)
{
	bool needs_two = pmon_calc_needs_two(&next->calc);
	struct pmon_value value;
	struct pmon_raw older;

	if (!newest(&rows->list[i], &older))
		return true;
	add_jumps(&older, jumps_100ns);
	value = pmon_calc_value(&next->calc, needs_two ? &older : NULL, &next->head);
	return !pmon_vstat_has_value(value.status) ||
	       pmon_spread_boundary(&rows->spreads[i], &rows->arena, rows->keep, &older,
				    &next->head, value.value);
}

bool
pmon_rows_merge(struct pmon_rows *rows, size_t i, const struct pmon_stats *next,
		const struct pmon_spread *spread, bool is_next, int64_t jumps_100ns,
		enum pmon_status *status)
{
	bool has_seam = rows->keep != 0 && next->has_head &&
			(pmon_calc_needs_two(&next->calc) || (is_next && spread->is_waiting));

	if (rows->keep != 0 && ((has_seam && !weigh_seam(rows, i, next, jumps_100ns)) ||
				!pmon_spread_merge(&rows->spreads[i], &rows->arena, spread)))
		return false;
	*status = pmon_stats_merge(rows->list[i].stats, next);
	return true;
}
