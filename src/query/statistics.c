// statistics.c - the statistics and displayed values of every series of a source
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include "base/err.h"
#include "base/mem.h"

// One series. `stream` and `ordinal` tell of its newest sample: when the next one is not the one that
// follows in the same stream, the series was absent in between.
struct row {
	struct pmon_stats stats;
	uint64_t ordinal;
	uint32_t stream;
	bool begun;
};

struct pmon_statistics {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_calc_options options;
	struct row **rows; // each allocated alone, so that growing moves pointers only
	size_t n;
	size_t cap;
	struct pmon_value *values;
	size_t values_cap;
};

enum pmon_status
pmon_statistics_new(const struct pmon_schema *schema, const struct pmon_calc_options *options,
		    const struct pmon_allocator *allocator, struct pmon_statistics **out,
		    struct pmon_err *err)
{
	allocator = pmon_mem_allocator(allocator);
	*out = pmon_mem_alloc0(allocator, sizeof(**out));
	if (*out == NULL)
		return pmon_err_nomem(err);
	(*out)->allocator = allocator;
	(*out)->schema = schema;
	if (options != NULL)
		(*out)->options = *options;
	return PMON_OK;
}

void
pmon_statistics_free(struct pmon_statistics *statistics)
{
	const struct pmon_allocator *allocator;

	if (statistics == NULL)
		return;
	allocator = statistics->allocator;
	for (size_t i = 0; i < statistics->n; i++)
		pmon_mem_free(allocator, statistics->rows[i], sizeof(**statistics->rows));
	pmon_mem_free(allocator, statistics->rows, statistics->cap * sizeof(*statistics->rows));
	pmon_mem_free(allocator, statistics->values,
		      statistics->values_cap * sizeof(*statistics->values));
	pmon_mem_free(allocator, statistics, sizeof(*statistics));
}

// Rows for the series that have come since.
static bool
grow(struct pmon_statistics *statistics)
{
	size_t n = pmon_schema_count(statistics->schema);

	if (!pmon_mem_grow(statistics->allocator, &statistics->rows, &statistics->cap, n,
			   sizeof(*statistics->rows)))
		return false;
	for (; statistics->n < n; statistics->n++) {
		struct row *row = pmon_mem_alloc0(statistics->allocator, sizeof(*row));
		struct pmon_calc calc;

		if (row == NULL)
			return false;
		pmon_calc_init(&calc, &pmon_schema_at(statistics->schema, statistics->n)->counter,
			       &statistics->options);
		pmon_stats_init(&row->stats, &calc);
		statistics->rows[statistics->n] = row;
	}
	return true;
}

static struct pmon_value
add_raw(struct row *row, const struct pmon_sample *sample, const struct pmon_raw *raw)
{
	if (row->begun && row->stream == sample->stream && sample->ordinal > row->ordinal + 1)
		pmon_stats_gap(&row->stats);
	row->begun = true;
	row->stream = sample->stream;
	row->ordinal = sample->ordinal;
	if (sample->lead_in) {
		pmon_stats_lead(&row->stats, raw);
		return (struct pmon_value){.status = PMON_V_NO_DATA};
	}
	return pmon_stats_add(&row->stats, raw);
}

enum pmon_status
pmon_statistics_add(struct pmon_statistics *statistics, const struct pmon_sample *sample,
		    const struct pmon_value **values, struct pmon_err *err)
{
	if (values != NULL)
		*values = NULL;
	if (statistics->n < pmon_schema_count(statistics->schema) && !grow(statistics))
		return pmon_err_nomem(err);
	if (!pmon_mem_grow(statistics->allocator, &statistics->values, &statistics->values_cap,
			   sample->n, sizeof(*statistics->values)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++)
		statistics->values[i] =
			add_raw(statistics->rows[sample->series[i]], sample, &sample->raw[i]);
	if (values != NULL)
		*values = statistics->values;
	return PMON_OK;
}

void
pmon_statistics_restart(struct pmon_statistics *statistics)
{
	for (size_t i = 0; i < statistics->n; i++) {
		struct pmon_stats *stats = &statistics->rows[i]->stats;
		struct pmon_stats fresh;

		pmon_stats_init(&fresh, &stats->calc);
		if (stats->tail_open)
			pmon_stats_lead(&fresh, &stats->tail);
		*stats = fresh;
	}
}

const struct pmon_stats *
pmon_statistics_at(const struct pmon_statistics *statistics, size_t i)
{
	if (i >= statistics->n || !statistics->rows[i]->begun)
		return NULL;
	return &statistics->rows[i]->stats;
}
