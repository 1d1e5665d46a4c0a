// gather.h - collect a sample value by value
// SPDX-License-Identifier: MIT
//
// In logs that are rows of values, each value says to which sample it belongs. A gathering holds
// the sample that is being collected, and knows which series it has.

#ifndef PMON_MODEL_GATHER_H
#define PMON_MODEL_GATHER_H

#include <pmon/model.h>

struct pmon_gather {
	const struct pmon_allocator *allocator;
	struct pmon_sample sample;
	uint32_t *series;
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
	uint64_t *seen; // by series: the sample that it was last in
	size_t seen_cap;
	size_t n_seen;
	uint64_t n_samples;
};

void pmon_gather_init(struct pmon_gather *gather, const struct pmon_allocator *allocator);
void pmon_gather_free(struct pmon_gather *gather);

// Begin a sample with the time and stream of this one, and no values yet.
void pmon_gather_begin(struct pmon_gather *gather, const struct pmon_sample *head);

bool pmon_gather_has(const struct pmon_gather *gather, uint32_t series);

// Make room for one more value, of that series. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_gather_grow(struct pmon_gather *gather, uint32_t series,
						 struct pmon_err *err);

// Add a series that it does not have yet. PMON_E_NOMEM.
PMON_NODISCARD static inline enum pmon_status
pmon_gather_add(struct pmon_gather *gather, uint32_t series, const struct pmon_raw *raw,
		struct pmon_err *err)
{
	size_t n = gather->sample.n;
	bool has_room = n < gather->series_cap && n < gather->raw_cap && series < gather->n_seen;
	enum pmon_status status = has_room ? PMON_OK : pmon_gather_grow(gather, series, err);

	if (status != PMON_OK)
		return status;
	gather->seen[series] = gather->n_samples;
	gather->series[n] = series;
	gather->raw[n] = *raw;
	gather->sample.n = n + 1;
	return PMON_OK;
}

#endif
