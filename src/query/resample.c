// resample.c - one sample per time step
// SPDX-License-Identifier: MIT
//
// Values of a step are computed from the sums of pmon_stats, so a reset within it loses only one
// pair, and a pair across a boundary belongs to the step in which it ends. Raw values are the
// newest of the step; an instance that was absent within a step and is back at its end continues as
// the same one.

#include <pmon/query.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/calc.h"

// The state of a series in the current step.
struct slot {
	struct pmon_raw raw; // its newest raw value
	bool here;           // it has one in this step
	uint32_t mark;       // PMON_RAW_CHANGED or _STEPPED since the last value returned; or 0
};

struct pmon_resampler {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_statistics *statistics;
	int64_t step_100ns;
	int64_t step; // number of the current step
	bool begun;
	uint64_t given;            // steps returned
	struct pmon_sample sample; // the newest of the step
	struct slot *slots;
	size_t slots_n;
	size_t slots_cap;
	// output
	struct pmon_sample out;
	uint32_t *series;
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
	struct pmon_value *values;
	size_t values_cap;
};

enum pmon_status
pmon_resampler_new(const struct pmon_schema *schema, int64_t step_100ns,
		   const struct pmon_calc_options *options, const struct pmon_allocator *allocator,
		   struct pmon_resampler **out, struct pmon_err *err)
{
	enum pmon_status status;
	struct pmon_resampler *r;

	*out = NULL;
	allocator = pmon_mem_allocator(allocator);
	if (step_100ns <= 0)
		return pmon_err_set(err, PMON_E_ARG, 0, "the step must be greater than zero");
	r = pmon_mem_alloc0(allocator, sizeof(*r));
	if (r == NULL)
		return pmon_err_nomem(err);
	r->allocator = allocator;
	r->schema = schema;
	r->step_100ns = step_100ns;
	status = pmon_statistics_new(schema, options, allocator, &r->statistics, err);
	if (status != PMON_OK) {
		pmon_resampler_free(r);
		return status;
	}
	*out = r;
	return PMON_OK;
}

void
pmon_resampler_free(struct pmon_resampler *r)
{
	if (r == NULL)
		return;
	pmon_statistics_free(r->statistics);
	pmon_mem_free(r->allocator, r->slots, r->slots_cap * sizeof(*r->slots));
	pmon_mem_free(r->allocator, r->series, r->series_cap * sizeof(*r->series));
	pmon_mem_free(r->allocator, r->raw, r->raw_cap * sizeof(*r->raw));
	pmon_mem_free(r->allocator, r->values, r->values_cap * sizeof(*r->values));
	pmon_mem_free(r->allocator, r, sizeof(*r));
}

// The step of a sample: steps exclude their start and include their end, so a sample exactly on a
// boundary ends a step.
static int64_t
step_of(const struct pmon_resampler *r, const struct pmon_sample *sample)
{
	int64_t local = sample->time + sample->utc_offset_min * PMON_TIME_PER_MIN - 1;

	return local >= 0 ? local / r->step_100ns : -((-local - 1) / r->step_100ns) - 1;
}

static bool
grow_slots(struct pmon_resampler *r)
{
	size_t n = pmon_schema_count(r->schema);

	if (!pmon_mem_grow(r->allocator, &r->slots, &r->slots_cap, n, sizeof(*r->slots)))
		return false;
	for (; r->slots_n < n; r->slots_n++)
		r->slots[r->slots_n] = (struct slot){.here = false};
	return true;
}

static bool
grow_out(struct pmon_resampler *r)
{
	return pmon_mem_grow(r->allocator, &r->series, &r->series_cap, r->slots_n,
			     sizeof(*r->series)) &&
	       pmon_mem_grow(r->allocator, &r->raw, &r->raw_cap, r->slots_n, sizeof(*r->raw)) &&
	       pmon_mem_grow(r->allocator, &r->values, &r->values_cap, r->slots_n,
			     sizeof(*r->values));
}

static void
give_slot(struct pmon_resampler *r, uint32_t id)
{
	struct slot *slot = &r->slots[id];

	if (!slot->here)
		return;
	r->series[r->out.n] = id;
	r->raw[r->out.n] = slot->raw;
	if (slot->mark != 0 && pmon_raw_usable(&slot->raw)) {
		r->raw[r->out.n].status = slot->mark;
		slot->mark = 0;
	}
	r->values[r->out.n] = pmon_stats_average(pmon_statistics_at(r->statistics, id));
	r->out.n++;
	slot->here = false;
}

// The step is complete: collect its values in series order.
static enum pmon_status
give(struct pmon_resampler *r, const struct pmon_sample **out, const struct pmon_value **values,
     struct pmon_err *err)
{
	if (!grow_out(r))
		return pmon_err_nomem(err);
	r->out = r->sample;
	r->out.n = 0;
	r->out.stream = 0;
	r->out.ordinal = r->given++;
	r->out.series = r->series;
	r->out.raw = r->raw;
	for (size_t i = 0; i < r->slots_n; i++)
		give_slot(r, (uint32_t)i);
	pmon_statistics_restart(r->statistics);
	*out = &r->out;
	*values = r->values;
	return PMON_OK;
}

static enum pmon_status
gather(struct pmon_resampler *r, const struct pmon_sample *sample, struct pmon_err *err)
{
	if (!grow_slots(r))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++) {
		struct slot *slot = &r->slots[sample->series[i]];

		slot->raw = sample->raw[i];
		slot->here = !sample->preceding;
		if (!sample->preceding && pmon_raw_break(&slot->raw) != PMON_V_OK)
			slot->mark = slot->raw.status;
	}
	r->sample = *sample;
	return pmon_statistics_add(r->statistics, sample, NULL, err);
}

enum pmon_status
pmon_resampler_add(struct pmon_resampler *r, const struct pmon_sample *sample,
		   const struct pmon_sample **out, const struct pmon_value **values,
		   struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	*out = NULL;
	*values = NULL;
	// Processes that began within a step count in its statistics, and do not end a step.
	if (r->begun && sample != NULL && sample->starts)
		return pmon_statistics_add(r->statistics, sample, NULL, err);
	// A sample outside the window, between two parts of it, ends a step too.
	if (r->begun && (sample == NULL || sample->preceding || step_of(r, sample) != r->step))
		status = give(r, out, values, err);
	r->begun = false;
	if (status != PMON_OK || sample == NULL)
		return status;
	// The next step does not follow the one before such a sample.
	r->given += sample->preceding && r->given > 0;
	r->begun = !sample->preceding;
	r->step = step_of(r, sample);
	return gather(r, sample, err);
}
