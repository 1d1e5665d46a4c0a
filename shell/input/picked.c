// picked.c - pass on only selected series of a source
// SPDX-License-Identifier: MIT

#include "shell/input/picked.h"

#include <string.h>

#include "base/mem.h"

bool
picked_add(struct picked *picked, uint32_t series)
{
	bool *chosen = by_series_get(&picked->chosen, series);

	picked->n_all = 0; // the positions must be found again
	if (chosen != NULL)
		*chosen = true;
	return chosen != NULL;
}

void
picked_drop(struct picked *picked, uint32_t series)
{
	bool *chosen = by_series_find(&picked->chosen, series);

	if (chosen == NULL || !*chosen)
		return;
	*chosen = false;
	picked->n_all = 0;
}

// Find the positions of the chosen series in a sample. False if out of memory.
static bool
find_places(struct picked *picked, const struct pmon_sample *sample)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);

	if (!pmon_mem_grow(allocator, &picked->all, &picked->all_cap, sample->n,
			   sizeof(*picked->all)) ||
	    !pmon_mem_grow(allocator, &picked->places, &picked->places_cap, sample->n,
			   sizeof(*picked->places)))
		return false;
	picked->n_places = 0;
	picked->n_all = sample->n;
	for (size_t i = 0; i < sample->n; i++) {
		const bool *chosen = by_series_find(&picked->chosen, sample->series[i]);

		picked->all[i] = sample->series[i];
		if (chosen != NULL && *chosen)
			picked->places[picked->n_places++] = i;
	}
	return pmon_mem_grow(allocator, &picked->series, &picked->series_cap, picked->n_places,
			     sizeof(*picked->series)) &&
	       pmon_mem_grow(allocator, &picked->raw, &picked->raw_cap, picked->n_places,
			     sizeof(*picked->raw));
}

const struct pmon_sample *
picked_of(struct picked *picked, const struct pmon_sample *sample)
{
	if (sample->n == 0 || picked->n_all != sample->n ||
	    memcmp(picked->all, sample->series, sample->n * sizeof(*picked->all)) != 0) {
		if (!find_places(picked, sample))
			return NULL;
	}
	picked->sample = *sample;
	picked->sample.n = picked->n_places;
	for (size_t i = 0; i < picked->n_places; i++) {
		picked->series[i] = sample->series[picked->places[i]];
		picked->raw[i] = sample->raw[picked->places[i]];
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
	pmon_mem_free(allocator, picked->all, picked->all_cap * sizeof(*picked->all));
	pmon_mem_free(allocator, picked->places, picked->places_cap * sizeof(*picked->places));
	*picked = PICKED;
}
