// every.c - every n-th sample of each stream
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/calc.h"
#include "model/source.h"

// The position in a stream.
struct stream {
	uint32_t number;
	uint64_t seen;
	uint64_t kept;
};

struct every {
	struct pmon_source base;
	const struct pmon_allocator *allocator;
	uint64_t n;
	struct pmon_sample sample;
	struct stream *streams;
	size_t streams_n;
	size_t streams_cap;
	// By series: a skipped sample had PMON_RAW_CHANGED, so the next usable raw value gets it.
	bool *is_changed;
	size_t is_changed_cap;
	size_t n_series; // that it knows
	size_t n_changed;
	struct pmon_raw *raw; // raw values of a sample in which some are marked
	size_t raw_cap;
};

static struct stream *
find_stream(struct every *e, uint32_t number)
{
	for (size_t i = 0; i < e->streams_n; i++)
		if (e->streams[i].number == number)
			return &e->streams[i];
	if (!pmon_mem_grow(e->allocator, &e->streams, &e->streams_cap, e->streams_n + 1,
			   sizeof(*e->streams)))
		return NULL;
	e->streams[e->streams_n] = (struct stream){.number = number};
	return &e->streams[e->streams_n++];
}

// Keep the marks of the log: its counters may not identify processes.
static bool
skip(struct every *e, const struct pmon_sample *sample)
{
	size_t n = pmon_schema_count(pmon_source_schema(e->base.inner));

	if (!pmon_mem_grow(e->allocator, &e->is_changed, &e->is_changed_cap, n,
			   sizeof(*e->is_changed)))
		return false;
	for (; e->n_series < n; e->n_series++)
		e->is_changed[e->n_series] = false;
	for (size_t i = 0; i < sample->n; i++) {
		bool *is_changed = &e->is_changed[sample->series[i]];

		if (sample->raw[i].status != PMON_RAW_CHANGED)
			continue;
		e->n_changed += !*is_changed;
		*is_changed = true;
	}
	return true;
}

static bool
mark(struct every *e)
{
	struct pmon_sample *sample = &e->sample;

	if (!pmon_mem_grow(e->allocator, &e->raw, &e->raw_cap, sample->n, sizeof(*e->raw)))
		return false;
	for (size_t i = 0; i < sample->n; i++) {
		uint32_t id = sample->series[i];

		e->raw[i] = sample->raw[i];
		if (id >= e->n_series || !e->is_changed[id] || !pmon_raw_usable(&e->raw[i]))
			continue;
		e->raw[i].status = PMON_RAW_CHANGED;
		e->is_changed[id] = false;
		e->n_changed--;
	}
	sample->raw = e->raw;
	return true;
}

static enum pmon_status
every_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct every *e = (struct every *)source;
	enum pmon_status status;

	while ((status = pmon_source_next(e->base.inner, sample, err)) == PMON_OK) {
		struct stream *stream = find_stream(e, (*sample)->stream);

		if (stream == NULL)
			return pmon_err_nomem(err);
		if ((*sample)->preceding)
			return PMON_OK;
		if (stream->seen++ % e->n != 0) {
			if (!skip(e, *sample))
				return pmon_err_nomem(err);
			continue;
		}
		// Renumbered, so that skipped samples do not count as absence.
		e->sample = **sample;
		e->sample.ordinal = stream->kept++;
		*sample = &e->sample;
		return e->n_changed == 0 || mark(e) ? PMON_OK : pmon_err_nomem(err);
	}
	return status;
}

static enum pmon_status
every_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct every *e = (struct every *)source;

	e->streams_n = e->n_series = e->n_changed = 0;
	return pmon_source_rewind(e->base.inner, err);
}

static void
every_close(struct pmon_source *source)
{
	struct every *e = (struct every *)source;

	pmon_source_close(e->base.inner);
	pmon_mem_free(e->allocator, e->streams, e->streams_cap * sizeof(*e->streams));
	pmon_mem_free(e->allocator, e->is_changed, e->is_changed_cap * sizeof(*e->is_changed));
	pmon_mem_free(e->allocator, e->raw, e->raw_cap * sizeof(*e->raw));
	pmon_mem_free(e->allocator, e, sizeof(*e));
}

static const struct pmon_source_ops every_ops = {every_next, every_rewind, every_close};

enum pmon_status
pmon_every_open(struct pmon_source *source, uint64_t n, const struct pmon_allocator *allocator,
		struct pmon_source **out, struct pmon_err *err)
{
	struct every *e;

	*out = NULL;
	allocator = pmon_mem_allocator(allocator);
	e = n > 0 ? pmon_mem_alloc0(allocator, sizeof(*e)) : NULL;
	if (e == NULL) {
		pmon_source_close(source);
		return n > 0 ? pmon_err_nomem(err)
			     : pmon_err_set(err, PMON_E_ARG, 0,
					    "cannot keep every 0th sample: the minimum is 1");
	}
	e->base.ops = &every_ops;
	e->base.inner = source;
	e->allocator = allocator;
	e->n = n;
	*out = &e->base;
	return PMON_OK;
}
