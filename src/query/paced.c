// paced.c - set the usual interval in the samples of a log
// SPDX-License-Identifier: MIT
//
// Samples are read one by one, so whether the first interval is a gap is known only a few samples
// later. Two intervals that agree are enough; these are almost always the first two.

#include "query/paced.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/pace.h"
#include "model/source.h"

#define MOST_AHEAD 8 // samples read before the first one is returned

struct ahead {
	struct pmon_sample sample;
	uint32_t *series;
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
};

struct paced {
	struct pmon_source base;
	const struct pmon_allocator *allocator;
	bool is_primed;
	uint32_t stream; // the stream of the interval
	int64_t usual_100ns;
	struct ahead ahead[MOST_AHEAD];
	size_t n_ahead;
	size_t given;            // number already returned
	enum pmon_status status; // status after these samples, if not PMON_OK
	struct pmon_err err;
	struct pmon_sample sample;
};

// ---- The usual interval ---------------------------------------------------------------------

#define AGREE 1.25 // maximum ratio of intervals that agree

static int
ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

// The shorter of two intervals that agree; the lower median if none do yet.
static bool
find_usual(int64_t *intervals, size_t n, int64_t *usual)
{
	qsort(intervals, n, sizeof(*intervals), ascending);
	*usual = n > 0 ? intervals[(n - 1) / 2] : 0;
	for (size_t i = 1; i < n; i++)
		if ((double)intervals[i] <= AGREE * (double)intervals[i - 1]) {
			*usual = intervals[i - 1];
			return true;
		}
	return false;
}

// Whether the samples read so far determine the usual interval.
static bool
is_told(struct paced *p)
{
	struct pmon_pace pace = {.samples = 0};
	int64_t intervals[MOST_AHEAD];
	size_t n = 0;

	for (size_t i = 0; i < p->n_ahead; i++) {
		const struct pmon_sample *sample = &p->ahead[i].sample;

		if (sample->stream != p->ahead[0].sample.stream)
			continue;
		pmon_pace_add(&pace, sample);
		if (pace.interval_100ns > 0)
			intervals[n++] = pace.interval_100ns;
	}
	p->stream = p->ahead[0].sample.stream;
	return find_usual(intervals, n, &p->usual_100ns);
}

// ---- Reading ahead --------------------------------------------------------------------------

static enum pmon_status
keep(struct paced *p, const struct pmon_sample *sample)
{
	struct ahead *ahead = &p->ahead[p->n_ahead];

	if (!pmon_mem_grow(p->allocator, &ahead->series, &ahead->series_cap, sample->n,
			   sizeof(*ahead->series)) ||
	    !pmon_mem_grow(p->allocator, &ahead->raw, &ahead->raw_cap, sample->n,
			   sizeof(*ahead->raw)))
		return PMON_E_NOMEM;
	if (sample->n > 0) {
		memcpy(ahead->series, sample->series, sample->n * sizeof(*ahead->series));
		memcpy(ahead->raw, sample->raw, sample->n * sizeof(*ahead->raw));
	}
	ahead->sample = *sample;
	ahead->sample.series = ahead->series;
	ahead->sample.raw = ahead->raw;
	p->n_ahead++;
	return PMON_OK;
}

// Keep the status after these samples until they were returned.
static void
prime(struct paced *p)
{
	const struct pmon_sample *sample;

	p->is_primed = true;
	p->status = PMON_OK;
	p->n_ahead = p->given = 0;
	while (p->status == PMON_OK && p->n_ahead < MOST_AHEAD) {
		p->status = pmon_source_next(p->base.inner, &sample, &p->err);
		if (p->status == PMON_OK)
			p->status = keep(p, sample);
		if (p->status == PMON_E_NOMEM)
			(void)pmon_err_nomem(&p->err);
		if (p->status == PMON_OK && (sample->usual_100ns > 0 || is_told(p)))
			break;
	}
}

static void
free_ahead(struct paced *p)
{
	for (size_t i = 0; i < MOST_AHEAD; i++) {
		struct ahead *ahead = &p->ahead[i];

		pmon_mem_free(p->allocator, ahead->series,
			      ahead->series_cap * sizeof(*ahead->series));
		pmon_mem_free(p->allocator, ahead->raw, ahead->raw_cap * sizeof(*ahead->raw));
		*ahead = (struct ahead){.series = NULL};
	}
	p->n_ahead = p->given = 0;
}

// ---- The source -----------------------------------------------------------------------------

static const struct pmon_sample *
with_usual(struct paced *p, const struct pmon_sample *sample)
{
	if (sample->usual_100ns > 0 || sample->stream != p->stream)
		return sample;
	p->sample = *sample;
	p->sample.usual_100ns = p->usual_100ns;
	return &p->sample;
}

static enum pmon_status
paced_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct paced *p = (struct paced *)source;
	struct pmon_source *inner = source->inner;
	enum pmon_status status;

	source->numbers = NULL;
	if (!p->is_primed)
		prime(p);
	if (p->given < p->n_ahead) {
		*sample = with_usual(p, &p->ahead[p->given++].sample);
		return PMON_OK;
	}
	status = p->status;
	if (p->n_ahead > 0)
		free_ahead(p);
	if (status !=
	    PMON_OK) { // once: what follows is up to the source, but a sample was lost without memory
		p->status = status == PMON_E_NOMEM ? status : PMON_OK;
		if (err != NULL && status != PMON_END)
			*err = p->err;
		return status;
	}
	inner->numbers_suffice = source->numbers_suffice;
	status = pmon_source_next(inner, sample, err);
	inner->numbers_suffice = false;
	source->numbers = inner->numbers;
	if (status == PMON_OK)
		*sample = with_usual(p, *sample);
	return status;
}

static enum pmon_status
paced_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct paced *p = (struct paced *)source;
	enum pmon_status status = pmon_source_rewind(source->inner, err);

	if (status == PMON_OK)
		p->is_primed = false;
	return status;
}

static void
paced_close(struct pmon_source *source)
{
	struct paced *p = (struct paced *)source;

	pmon_source_close(source->inner);
	free_ahead(p);
	pmon_mem_free(p->allocator, p, sizeof(*p));
}

static const struct pmon_source_ops paced_ops = {paced_next, paced_rewind, paced_close};

// ---- Parts ----------------------------------------------------------------------------------

static const struct pmon_source_split paced_splits;

static struct paced *
new_paced(struct pmon_source *source, const struct pmon_allocator *allocator)
{
	struct paced *p = pmon_mem_alloc0(allocator, sizeof(*p));

	if (p == NULL)
		return NULL;
	p->base.ops = &paced_ops;
	p->base.split = source->split != NULL ? &paced_splits : NULL;
	p->base.inner = source;
	p->allocator = allocator;
	return p;
}

// A part of a log has the usual interval of the whole.
static enum pmon_status
open_part(const struct paced *whole, struct pmon_source *input, struct pmon_source **out)
{
	struct paced *p = new_paced(input, whole->allocator);

	*out = p != NULL ? &p->base : NULL;
	if (p == NULL) {
		pmon_source_close(input);
		return PMON_E_NOMEM;
	}
	p->is_primed = true;
	p->stream = whole->stream;
	p->usual_100ns = whole->usual_100ns;
	return PMON_OK;
}

static enum pmon_status
paced_split(struct pmon_source *source, uint64_t part_bytes, struct pmon_source **parts, size_t *n,
	    struct pmon_err *err)
{
	struct paced *p = (struct paced *)source;
	struct pmon_source *inner = source->inner;
	enum pmon_status status = PMON_OK;

	if (!p->is_primed) {
		prime(p);
		status = p->status == PMON_E_NOMEM ? pmon_err_nomem(err)
						   : pmon_source_rewind(inner, err);
	}
	// If it is read in one pass after all, read the samples ahead again.
	if (status == PMON_OK) {
		p->is_primed = false;
		status = inner->split->split(inner, part_bytes, parts, n, err);
	} else {
		*n = 0;
	}
	for (size_t i = 0; i < *n; i++) {
		struct pmon_source *part = parts[i];

		parts[i] = NULL;
		if (part != NULL && status == PMON_OK)
			status = open_part(p, part, &parts[i]);
		else
			pmon_source_close(part);
	}
	return status;
}

#define MOST_PARTS 64

static enum pmon_status
paced_join(struct pmon_source *source, struct pmon_source *const *parts, size_t n,
	   uint32_t *const *maps, struct pmon_err *err)
{
	struct pmon_source *inputs[MOST_PARTS];

	if (n > MOST_PARTS)
		return PMON_E_STATE;
	for (size_t i = 0; i < n; i++)
		inputs[i] = parts[i]->inner;
	return source->inner->split->join(source->inner, inputs, n, maps, err);
}

static const struct pmon_source_split paced_splits = {paced_split, paced_join};

// ---- Opening --------------------------------------------------------------------------------

enum pmon_status
pmon_paced_open(struct pmon_source *source, const struct pmon_allocator *allocator,
		struct pmon_source **out, struct pmon_err *err)
{
	struct paced *p;

	*out = source;
	if (pmon_source_info(source)->live || source->ops == &paced_ops)
		return PMON_OK;
	p = new_paced(source, pmon_mem_allocator(allocator));
	*out = p != NULL ? &p->base : NULL;
	if (p != NULL)
		return PMON_OK;
	pmon_source_close(source);
	return pmon_err_nomem(err);
}
