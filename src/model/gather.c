// gather.c - collect a sample value by value
// SPDX-License-Identifier: MIT

#include "model/gather.h"

#include "base/err.h"
#include "base/mem.h"

void
pmon_gather_init(struct pmon_gather *gather, const struct pmon_allocator *allocator)
{
	*gather = (struct pmon_gather){.allocator = allocator};
}

void
pmon_gather_free(struct pmon_gather *gather)
{
	const struct pmon_allocator *allocator = gather->allocator;

	pmon_mem_free(allocator, gather->series, gather->series_cap * sizeof(*gather->series));
	pmon_mem_free(allocator, gather->raw, gather->raw_cap * sizeof(*gather->raw));
	pmon_mem_free(allocator, gather->seen, gather->seen_cap * sizeof(*gather->seen));
}

void
pmon_gather_begin(struct pmon_gather *gather, const struct pmon_sample *head)
{
	gather->sample = *head;
	gather->sample.n = 0;
	gather->sample.series = gather->series;
	gather->sample.raw = gather->raw;
	gather->n_samples++;
}

bool
pmon_gather_has(const struct pmon_gather *gather, uint32_t series)
{
	return series < gather->n_seen && gather->seen[series] == gather->n_samples;
}

enum pmon_status
pmon_gather_grow(struct pmon_gather *gather, uint32_t series, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = gather->allocator;
	size_t n = gather->sample.n + 1;

	if (!pmon_mem_grow(allocator, &gather->series, &gather->series_cap, n,
			   sizeof(*gather->series)) ||
	    !pmon_mem_grow(allocator, &gather->raw, &gather->raw_cap, n, sizeof(*gather->raw)) ||
	    !pmon_mem_grow(allocator, &gather->seen, &gather->seen_cap, (size_t)series + 1,
			   sizeof(*gather->seen)))
		return pmon_err_nomem(err);
	while (gather->n_seen <= series)
		gather->seen[gather->n_seen++] = 0;
	gather->sample.series = gather->series;
	gather->sample.raw = gather->raw;
	return PMON_OK;
}
