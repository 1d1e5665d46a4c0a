// window.c - the samples of a time window, with the preceding ones
// SPDX-License-Identifier: MIT

#include "query/window.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/calc.h"
#include "model/source.h"
#include "model/streams.h"
#include "query/clocks.h"

// A copy of the newest sample of a stream outside the window: it precedes the next one inside. Where
// a clock was set back, a window has several parts. A raw value that is not usable is
// replaced by the last usable one of the series since its last absence, so that the first pair is
// the same as in the whole log.
struct lead {
	struct pmon_sample sample;
	uint32_t *series;
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
	bool is_due; // not yet returned
};

// Holds the usable raw values of a lead while another sample replaces it.
struct usable {
	struct pmon_raw *raw; // usable ones, by series
	size_t raw_cap;
	uint64_t *mark; // the round in which raw was set
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
	const struct pmon_sample *waiting; // a sample inside, due after the preceding ones
	const struct pmon_sample *inside;  // the newest sample, if the clocks do not know it yet
	struct lead *leads;                // one per stream
	size_t n_leads;
	struct pmon_streams streams; // by the index of a lead
	size_t leads_cap;
	uint32_t *due; // leads to return, of which some were
	size_t n_due;
	size_t due_cap;
	size_t given;
	struct usable usable;
	struct pmon_clocks clocks; // of all samples: a lead has raw values of several
};

// Find or add the lead of a stream. NULL when memory is short.
static struct lead *
lead_of(struct window *w, uint32_t stream)
{
	uint32_t at = pmon_streams_index(&w->streams, w->allocator, stream);

	if (at < w->n_leads)
		return &w->leads[at];
	if (at != w->n_leads || // no memory, now or before
	    !pmon_mem_grow(w->allocator, &w->leads, &w->leads_cap, w->n_leads + 1,
			   sizeof(*w->leads)) ||
	    !pmon_mem_grow(w->allocator, &w->due, &w->due_cap, w->n_leads + 1, sizeof(*w->due)))
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

// Make room for all series of the schema.
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

// Append raw values to a lead after its first n.
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

// Replace unusable values of the lead with usable ones.
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
	// The whole log also starts a new run after an absence.
	bool follows =
		lead != NULL && lead->sample.n > 0 && sample->ordinal <= lead->sample.ordinal + 1;
	bool mends = follows && !sample->starts && has_unusable(sample);

	if (lead == NULL || (mends && !grow_usable(w)) || !pmon_clocks_see(&w->clocks, sample))
		return pmon_err_nomem(err);
	if (mends)
		note_usable(&w->usable, &lead->sample);
	if (!copy_raw(w, lead, follows && sample->starts ? lead->sample.n : 0, sample))
		return pmon_err_nomem(err);
	if (follows && sample->starts) { // the sample that they belong to follows
		lead->sample.n += sample->n;
		return PMON_OK;
	}
	if (!lead->is_due)
		w->due[w->n_due++] = (uint32_t)(lead - w->leads);
	lead->is_due = true;
	lead->sample = *sample;
	lead->sample.preceding = true;
	lead->sample.clocks = &w->clocks;
	lead->sample.series = lead->series;
	lead->sample.raw = lead->raw;
	if (mends)
		mend(&w->usable, lead);
	return PMON_OK;
}

static const struct pmon_sample *
next_lead(struct window *w)
{
	struct lead *lead;

	if (w->given == w->n_due) {
		w->given = w->n_due = 0;
		return NULL;
	}
	lead = &w->leads[w->due[w->given++]];
	lead->is_due = false;
	return &lead->sample;
}

// Return the preceding samples, then the sample that they precede, then NULL.
static const struct pmon_sample *
next_waiting(struct window *w)
{
	const struct pmon_sample *sample = w->waiting;
	const struct pmon_sample *lead = sample != NULL ? next_lead(w) : NULL;

	if (lead != NULL)
		return lead;
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

static bool
is_inside(const struct window *w, pmon_time time)
{
	return (w->to == PMON_TIME_NONE || time <= w->to) &&
	       (w->from == PMON_TIME_NONE || time >= w->from);
}

// The next sample inside. The newest ones outside are kept as preceding samples.
static enum pmon_status
read_on(struct window *w, const struct pmon_sample **sample, struct pmon_err *err)
{
	enum pmon_status status;

	if (w->inside != NULL && !pmon_clocks_see(&w->clocks, w->inside))
		return pmon_err_nomem(err);
	w->inside = NULL;
	while ((status = pmon_source_next(w->base.inner, sample, err)) == PMON_OK) {
		note_time(w, (*sample)->time);
		if (is_inside(w, (*sample)->time))
			break;
		status = keep_lead(w, *sample, err);
		if (status != PMON_OK)
			break;
	}
	if (status == PMON_OK)
		w->inside = *sample;
	return status;
}

enum pmon_status
pmon_window_seek(struct pmon_source *window, const struct pmon_sample **sample,
		 struct pmon_err *err)
{
	struct window *w = (struct window *)window;
	enum pmon_status status = read_on(w, sample, err);

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
	status = pmon_window_seek(source, sample, err);
	if (status == PMON_OK)
		*sample = next_waiting(w);
	return status;
}

static enum pmon_status
window_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct window *w = (struct window *)source;

	w->waiting = w->inside = NULL;
	w->given = w->n_due = 0;
	for (size_t i = 0; i < w->n_leads; i++) { // until the stream occurs again
		w->leads[i].sample.n = 0;
		w->leads[i].is_due = false;
	}
	pmon_clocks_rewind(&w->clocks);
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
	pmon_mem_free(allocator, w->due, w->due_cap * sizeof(*w->due));
	pmon_streams_free(&w->streams, allocator);
	pmon_clocks_free(&w->clocks);
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
	pmon_clocks_init(&w->clocks, allocator, pmon_source_schema(source));
	*out = &w->base;
	return PMON_OK;
}

const struct pmon_sample *
pmon_window_next_lead(struct pmon_source *window)
{
	return next_lead((struct window *)window);
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
