// picked.c - samples of some of the series of a source
// SPDX-License-Identifier: MIT

#include "cli/input/picked.h"

#include "base/mem.h"

bool
picked_add(struct picked *picked, uint32_t series)
{
	bool *chosen = by_series_get(&picked->chosen, series);

	if (chosen != NULL)
		*chosen = true;
	return chosen != NULL;
}

static bool
add_value(struct picked *picked, uint32_t series, const struct pmon_raw *raw)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);
	size_t n = picked->sample.n + 1;

	if (!pmon_mem_grow(allocator, &picked->series, &picked->series_cap, n,
			   sizeof(*picked->series)) ||
	    !pmon_mem_grow(allocator, &picked->raw, &picked->raw_cap, n, sizeof(*picked->raw)))
		return false;
	picked->series[n - 1] = series;
	picked->raw[n - 1] = *raw;
	picked->sample.n = n;
	return true;
}

const struct pmon_sample *
picked_of(struct picked *picked, const struct pmon_sample *sample)
{
	picked->sample = *sample;
	picked->sample.n = 0;
	for (size_t i = 0; i < sample->n; i++) {
		const bool *chosen = by_series_find(&picked->chosen, sample->series[i]);

		if (chosen != NULL && *chosen &&
		    !add_value(picked, sample->series[i], &sample->raw[i]))
			return NULL;
	}
	picked->sample.series = picked->series;
	picked->sample.raw = picked->raw;
	return &picked->sample;
}

void
picked_free(struct picked *picked)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);

	by_series_free(&picked->chosen);
	pmon_mem_free(allocator, picked->series, picked->series_cap * sizeof(*picked->series));
	pmon_mem_free(allocator, picked->raw, picked->raw_cap * sizeof(*picked->raw));
	*picked = PICKED;
}
