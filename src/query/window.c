// window.c - the samples of a time window, with the one before it
// SPDX-License-Identifier: MIT

#include "query/window.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/source.h"

// A copy of the newest sample of a stream before the window.
struct lead {
	struct pmon_sample sample;
	uint32_t *series;
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
};

struct window {
	struct pmon_source base;
	const struct pmon_allocator *allocator;
	pmon_time from;
	pmon_time to;
	pmon_time oldest; // of all samples so far, PMON_TIME_NONE before
	pmon_time newest;
	bool started;                      // the first sample of the window was reached
	const struct pmon_sample *waiting; // it, after the samples before the window
	struct lead *leads;                // one a stream that has any
	size_t n_leads;
	size_t leads_cap;
	size_t given; // of them
};

// The place for the sample of a stream before the window. NULL when memory is short.
static struct lead *
lead_of(struct window *w, uint32_t stream)
{
	for (size_t i = 0; i < w->n_leads; i++)
		if (w->leads[i].sample.stream == stream)
			return &w->leads[i];
	if (!pmon_mem_grow(w->allocator, &w->leads, &w->leads_cap, w->n_leads + 1,
			   sizeof(*w->leads)))
		return NULL;
	w->leads[w->n_leads] = (struct lead){.series = NULL};
	return &w->leads[w->n_leads++];
}

static enum pmon_status
keep_lead(struct window *w, const struct pmon_sample *sample, struct pmon_err *err)
{
	struct lead *lead = lead_of(w, sample->stream);

	if (lead == NULL ||
	    !pmon_mem_grow(w->allocator, &lead->series, &lead->series_cap, sample->n,
			   sizeof(*lead->series)) ||
	    !pmon_mem_grow(w->allocator, &lead->raw, &lead->raw_cap, sample->n, sizeof(*lead->raw)))
		return pmon_err_nomem(err);
	lead->sample = *sample;
	lead->sample.lead_in = true;
	if (sample->n > 0) {
		memcpy(lead->series, sample->series, sample->n * sizeof(*lead->series));
		memcpy(lead->raw, sample->raw, sample->n * sizeof(*lead->raw));
	}
	lead->sample.series = lead->series;
	lead->sample.raw = lead->raw;
	return PMON_OK;
}

// What goes out before the first sample of the window, then that sample itself. NULL when it was.
static const struct pmon_sample *
next_waiting(struct window *w)
{
	const struct pmon_sample *sample = w->waiting;

	if (sample == NULL)
		return NULL;
	if (w->given < w->n_leads)
		return &w->leads[w->given++].sample;
	w->waiting = NULL;
	return sample;
}

static void
note_time(struct window *w, pmon_time time)
{
	if (w->oldest == PMON_TIME_NONE || time < w->oldest)
		w->oldest = time;
	if (time > w->newest)
		w->newest = time;
}

// The next sample of the window. What comes before its first one is kept, to lead in.
static enum pmon_status
read_on(struct window *w, const struct pmon_sample **sample, struct pmon_err *err)
{
	enum pmon_status status;

	while ((status = pmon_source_next(w->base.inner, sample, err)) == PMON_OK) {
		note_time(w, (*sample)->time);
		if (w->to != PMON_TIME_NONE && (*sample)->time > w->to)
			continue;
		if (w->from == PMON_TIME_NONE || (*sample)->time >= w->from)
			break;
		// A sample of before that comes late, because a clock stepped, leads nothing in.
		status = w->started ? PMON_OK : keep_lead(w, *sample, err);
		if (status != PMON_OK)
			break;
	}
	return status;
}

enum pmon_status
pmon_window_seek(struct pmon_source *window, const struct pmon_sample **sample,
		 struct pmon_err *err)
{
	struct window *w = (struct window *)window;
	enum pmon_status status = read_on(w, sample, err);

	w->started = true;
	w->waiting = status == PMON_OK ? *sample : NULL;
	return status;
}

static enum pmon_status
window_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct window *w = (struct window *)source;
	enum pmon_status status;

	*sample = next_waiting(w);
	if (*sample != NULL)
		return PMON_OK;
	if (w->started)
		return read_on(w, sample, err);
	status = pmon_window_seek(source, sample, err);
	if (status == PMON_OK)
		*sample = next_waiting(w);
	return status;
}

static enum pmon_status
window_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct window *w = (struct window *)source;

	w->started = false;
	w->waiting = NULL;
	w->given = 0;
	for (size_t i = 0; i < w->n_leads; i++)
		w->leads[i].sample.n = 0; // until the stream is met again
	return pmon_source_rewind(w->base.inner, err);
}

static void
window_close(struct pmon_source *source)
{
	struct window *w = (struct window *)source;
	const struct pmon_allocator *allocator = w->allocator;

	pmon_source_close(w->base.inner);
	for (size_t i = 0; i < w->n_leads; i++) {
		struct lead *lead = &w->leads[i];

		pmon_mem_free(allocator, lead->series, lead->series_cap * sizeof(*lead->series));
		pmon_mem_free(allocator, lead->raw, lead->raw_cap * sizeof(*lead->raw));
	}
	pmon_mem_free(allocator, w->leads, w->leads_cap * sizeof(*w->leads));
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
	w->oldest = w->newest = PMON_TIME_NONE;
	*out = &w->base;
	return PMON_OK;
}

const struct pmon_sample *
pmon_window_next_lead(struct pmon_source *window)
{
	struct window *w = (struct window *)window;

	return w->given < w->n_leads ? &w->leads[w->given++].sample : NULL;
}

pmon_time
pmon_window_oldest(const struct pmon_source *window)
{
	return ((const struct window *)window)->oldest;
}

pmon_time
pmon_window_newest(const struct pmon_source *window)
{
	return ((const struct window *)window)->newest;
}
