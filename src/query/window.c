// window.c - the samples of a stretch of time, with the one before it
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/source.h"

struct window {
	struct pmon_source base;
	const struct pmon_allocator *allocator;
	pmon_time from;
	pmon_time to;
	bool started;                      // the first sample of the window was reached
	const struct pmon_sample *waiting; // it, while the lead-in goes out first
	// a copy of the newest sample before the window
	struct pmon_sample lead;
	bool has_lead;
	uint32_t *series;
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
};

static enum pmon_status
keep_lead(struct window *w, const struct pmon_sample *sample, struct pmon_err *err)
{
	if (!pmon_mem_grow(w->allocator, &w->series, &w->series_cap, sample->n,
			   sizeof(*w->series)) ||
	    !pmon_mem_grow(w->allocator, &w->raw, &w->raw_cap, sample->n, sizeof(*w->raw)))
		return pmon_err_nomem(err);
	w->lead = *sample;
	w->lead.lead_in = true;
	w->has_lead = true;
	if (sample->n > 0) {
		memcpy(w->series, sample->series, sample->n * sizeof(*w->series));
		memcpy(w->raw, sample->raw, sample->n * sizeof(*w->raw));
	}
	w->lead.series = w->series;
	w->lead.raw = w->raw;
	return PMON_OK;
}

static enum pmon_status
window_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct window *w = (struct window *)source;
	enum pmon_status status;

	if (w->waiting != NULL) {
		*sample = w->waiting;
		w->waiting = NULL;
		return PMON_OK;
	}
	while ((status = pmon_source_next(w->base.inner, sample, err)) == PMON_OK) {
		if (w->to != PMON_TIME_NONE && (*sample)->time > w->to)
			continue;
		if (w->from == PMON_TIME_NONE || (*sample)->time >= w->from)
			break;
		// A sample of before that comes late, because a clock stepped, leads nothing in.
		status = w->started ? PMON_OK : keep_lead(w, *sample, err);
		if (status != PMON_OK)
			break;
	}
	if (status == PMON_OK && !w->started && w->has_lead) {
		w->waiting = *sample;
		*sample = &w->lead;
	}
	w->started = true;
	return status;
}

static enum pmon_status
window_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct window *w = (struct window *)source;

	w->started = false;
	w->waiting = NULL;
	w->has_lead = false;
	return pmon_source_rewind(w->base.inner, err);
}

static void
window_close(struct pmon_source *source)
{
	struct window *w = (struct window *)source;
	const struct pmon_allocator *allocator = w->allocator;

	pmon_source_close(w->base.inner);
	pmon_mem_free(allocator, w->series, w->series_cap * sizeof(*w->series));
	pmon_mem_free(allocator, w->raw, w->raw_cap * sizeof(*w->raw));
	pmon_mem_free(allocator, w, sizeof(*w));
}

static const struct pmon_source_ops window_ops = {window_next, window_rewind, window_close};

enum pmon_status
pmon_window_open(struct pmon_source *source, pmon_time from, pmon_time to,
		 const struct pmon_allocator *allocator, struct pmon_source **out,
		 struct pmon_err *err)
{
	struct window *w;

	allocator = pmon_mem_allocator(allocator);
	*out = NULL;
	w = pmon_mem_alloc0(allocator, sizeof(*w));
	if (w == NULL) {
		pmon_source_close(source);
		return pmon_err_nomem(err);
	}
	w->base.ops = &window_ops;
	w->base.inner = source;
	w->allocator = allocator;
	w->from = from;
	w->to = to;
	*out = &w->base;
	return PMON_OK;
}
