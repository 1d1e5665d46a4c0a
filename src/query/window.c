// window.c - the samples of a time window, with the one before it
// SPDX-License-Identifier: MIT

#include "query/window.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/calc.h"
#include "model/source.h"

// A copy of the newest sample of a stream before the window. Where a raw value of it is not usable, it has the last
// usable one of the series since it was absent, so that the first pair is that of the whole log.
struct lead {
	struct pmon_sample sample;
	uint32_t *series;
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
};

// The usable raw values of a lead, while another sample takes its place.
struct usable {
	struct pmon_raw *raw; // by number of the series, as far as they are usable
	size_t raw_cap;
	uint64_t *mark; // the turn in which raw was set
	size_t mark_cap;
	uint64_t turn;
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
	struct usable usable;
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

static bool
has_unusable(const struct pmon_sample *sample)
{
	for (size_t i = 0; i < sample->n; i++)
		if (!pmon_raw_usable(&sample->raw[i]))
			return true;
	return false;
}

// Room for all series of the schema.
static bool
grow_usable(struct window *w)
{
	struct usable *usable = &w->usable;
	size_t had = usable->mark_cap;
	size_t n = pmon_source_schema(&w->base)->n;

	if (!pmon_mem_grow(w->allocator, &usable->raw, &usable->raw_cap, n, sizeof(*usable->raw)) ||
	    !pmon_mem_grow(w->allocator, &usable->mark, &usable->mark_cap, n,
			   sizeof(*usable->mark)))
		return false;
	if (usable->mark_cap > had)
		memset(usable->mark + had, 0, (usable->mark_cap - had) * sizeof(*usable->mark));
	return true;
}

static void
note_usable(struct usable *usable, const struct pmon_sample *sample)
{
	usable->turn++;
	for (size_t i = 0; i < sample->n; i++)
		if (pmon_raw_usable(&sample->raw[i])) {
			usable->raw[sample->series[i]] = sample->raw[i];
			usable->mark[sample->series[i]] = usable->turn;
		}
}

// Copy raw values into a lead after its first n.
static bool
copy_raw(struct window *w, struct lead *lead, size_t n, const struct pmon_sample *sample)
{
	if (!pmon_mem_grow(w->allocator, &lead->series, &lead->series_cap, n + sample->n,
			   sizeof(*lead->series)) ||
	    !pmon_mem_grow(w->allocator, &lead->raw, &lead->raw_cap, n + sample->n,
			   sizeof(*lead->raw)))
		return false;
	if (sample->n > 0) {
		memcpy(lead->series + n, sample->series, sample->n * sizeof(*lead->series));
		memcpy(lead->raw + n, sample->raw, sample->n * sizeof(*lead->raw));
	}
	lead->sample.series = lead->series;
	lead->sample.raw = lead->raw;
	return true;
}

// Put usable values in place of those of the lead that are not.
static void
mend(const struct usable *usable, struct lead *lead)
{
	for (size_t i = 0; i < lead->sample.n; i++)
		if (!pmon_raw_usable(&lead->raw[i]) &&
		    usable->mark[lead->series[i]] == usable->turn)
			lead->raw[i] = usable->raw[lead->series[i]];
}

static enum pmon_status
keep_lead(struct window *w, const struct pmon_sample *sample, struct pmon_err *err)
{
	struct lead *lead = lead_of(w, sample->stream);
	// After an absence the whole log begins anew too.
	bool follows =
		lead != NULL && lead->sample.n > 0 && sample->ordinal <= lead->sample.ordinal + 1;
	bool mends = follows && !sample->starts && has_unusable(sample);

	if (lead == NULL || (mends && !grow_usable(w)))
		return pmon_err_nomem(err);
	if (mends)
		note_usable(&w->usable, &lead->sample);
	if (!copy_raw(w, lead, follows && sample->starts ? lead->sample.n : 0, sample))
		return pmon_err_nomem(err);
	if (follows && sample->starts) { // the sample that they belong to follows
		lead->sample.n += sample->n;
		return PMON_OK;
	}
	lead->sample = *sample;
	lead->sample.lead_in = true;
	lead->sample.series = lead->series;
	lead->sample.raw = lead->raw;
	if (mends)
		mend(&w->usable, lead);
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
	pmon_mem_free(allocator, w->usable.raw, w->usable.raw_cap * sizeof(*w->usable.raw));
	pmon_mem_free(allocator, w->usable.mark, w->usable.mark_cap * sizeof(*w->usable.mark));
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
