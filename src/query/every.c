// every.c - every n-th sample of each stream
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/source.h"

// How far a stream has come.
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

static enum pmon_status
every_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct every *e = (struct every *)source;
	enum pmon_status status;

	while ((status = pmon_source_next(e->base.inner, sample, err)) == PMON_OK) {
		struct stream *stream = find_stream(e, (*sample)->stream);

		if (stream == NULL)
			return pmon_err_nomem(err);
		if ((*sample)->lead_in)
			return PMON_OK;
		if (stream->seen++ % e->n != 0)
			continue;
		// Numbered anew: what was left out is no absence.
		e->sample = **sample;
		e->sample.ordinal = stream->kept++;
		*sample = &e->sample;
		return PMON_OK;
	}
	return status;
}

static enum pmon_status
every_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct every *e = (struct every *)source;

	e->streams_n = 0;
	return pmon_source_rewind(e->base.inner, err);
}

static void
every_close(struct pmon_source *source)
{
	struct every *e = (struct every *)source;

	pmon_source_close(e->base.inner);
	pmon_mem_free(e->allocator, e->streams, e->streams_cap * sizeof(*e->streams));
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
			     : pmon_err_set(err, PMON_E_ARG, 0, "every 0th sample is none");
	}
	e->base.ops = &every_ops;
	e->base.inner = source;
	e->allocator = allocator;
	e->n = n;
	*out = &e->base;
	return PMON_OK;
}
