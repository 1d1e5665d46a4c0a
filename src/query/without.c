// without.c - a source without some of its series
// SPDX-License-Identifier: MIT

#include "query/without.h"

#include "base/err.h"
#include "base/mem.h"
#include "model/gather.h"
#include "model/source.h"

struct without {
	struct pmon_source base; // first, as every source has it
	struct pmon_source *from;
	pmon_stays_fn stays;
	void *ctx;
	uint32_t *map; // by number in `from`; PMON_SERIES_NONE: left out
	size_t n_map;
	size_t map_cap;
	struct pmon_gather gather;
	struct pmon_gather owners; // of its values
};

static enum pmon_status
map_series(struct without *w, struct pmon_err *err)
{
	const struct pmon_schema *from = pmon_source_schema(w->from);
	enum pmon_status status = PMON_OK;

	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &w->map, &w->map_cap, pmon_schema_count(from),
			   sizeof(*w->map)))
		return pmon_err_nomem(err);
	for (; status == PMON_OK && w->n_map < pmon_schema_count(from); w->n_map++) {
		const struct pmon_series *series = pmon_schema_at(from, w->n_map);

		w->map[w->n_map] = PMON_SERIES_NONE;
		if (w->stays(w->ctx, series))
			status = pmon_schema_copy(&w->base.schema, series, &w->map[w->n_map]);
	}
	return status == PMON_OK ? PMON_OK : pmon_schema_refuse(status, PMON_SERIES_NONE, err);
}

// The values of the series that stay, under their new numbers.
static enum pmon_status
gather(const struct without *w, struct pmon_gather *out, const struct pmon_sample *in,
       struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	pmon_gather_begin(out, in);
	for (size_t i = 0; status == PMON_OK && i < in->n; i++)
		if (w->map[in->series[i]] != PMON_SERIES_NONE)
			status = pmon_gather_add(out, w->map[in->series[i]], &in->raw[i], err);
	return status;
}

static enum pmon_status
without_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct without *w = (struct without *)source;
	const struct pmon_sample *in;
	enum pmon_status status = pmon_source_next(w->from, &in, err);

	w->base.info = *pmon_source_info(w->from);
	if (status == PMON_OK)
		status = map_series(w, err);
	if (status != PMON_OK)
		return status;
	status = gather(w, &w->gather, in, err);
	w->gather.sample.owners = NULL;
	if (status == PMON_OK && in->owners != NULL) {
		status = gather(w, &w->owners, in->owners, err);
		w->gather.sample.owners = &w->owners.sample;
	}
	*sample = &w->gather.sample;
	return status;
}

static enum pmon_status
without_rewind(struct pmon_source *source, struct pmon_err *err)
{
	return pmon_source_rewind(((struct without *)source)->from, err);
}

static void
without_close(struct pmon_source *source)
{
	struct without *w = (struct without *)source;

	pmon_source_close(w->from);
	pmon_schema_free(&w->base.schema);
	pmon_gather_free(&w->gather);
	pmon_gather_free(&w->owners);
	pmon_mem_free(pmon_mem_allocator(NULL), w->map, w->map_cap * sizeof(*w->map));
	pmon_mem_free(pmon_mem_allocator(NULL), w, sizeof(*w));
}

static const struct pmon_source_ops ops = {without_next, without_rewind, without_close};

enum pmon_status
pmon_without_open(struct pmon_source *source, pmon_stays_fn stays, void *ctx,
		  struct pmon_source **out, struct pmon_err *err)
{
	struct without *w = pmon_mem_alloc0(pmon_mem_allocator(NULL), sizeof(*w));
	enum pmon_status status;

	*out = NULL;
	if (w == NULL) {
		pmon_source_close(source);
		return pmon_err_nomem(err);
	}
	w->base.ops = &ops;
	w->base.info = *pmon_source_info(source);
	pmon_schema_init(&w->base.schema, pmon_mem_allocator(NULL));
	pmon_gather_init(&w->gather, pmon_mem_allocator(NULL));
	pmon_gather_init(&w->owners, pmon_mem_allocator(NULL));
	w->from = source;
	w->stays = stays;
	w->ctx = ctx;
	status = map_series(w, err);
	if (status == PMON_OK)
		*out = &w->base;
	else
		without_close(&w->base);
	return status;
}
