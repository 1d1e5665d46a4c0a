// rename.c - a source with renamed machines
// SPDX-License-Identifier: MIT
//
// Series are selected by their new names, so the input reads all of them, and unwanted ones are
// dropped here.

#include <pmon/query.h>

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"
#include "model/machine.h"
#include "model/source.h"

struct rename {
	struct pmon_source base;
	struct pmon_source *input;
	const struct pmon_allocator *allocator;
	pmon_machine_name_fn name;
	void *ctx;
	pmon_want_fn want;
	void *want_ctx;
	uint32_t *map; // of the series of the input to ours
	size_t n_map;
	size_t map_cap;
	struct pmon_sample sample;
	uint32_t *series; // of the sample
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
	struct pmon_arena texts;
	struct pmon_machines machines;
	const char *machine;   // machine of the source info, renamed
	struct pmon_span from; // of the previous series, which usually has the same machine
	struct pmon_span to;
};

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

static enum pmon_status
name_machine(struct rename *r, struct pmon_span from, struct pmon_span *to, struct pmon_err *err)
{
	const char *id = pmon_machine_id(pmon_source_info(r->input), from);

	*to = from;
	return r->name(r->ctx, from, id, to, err);
}

static enum pmon_status
copy_series(struct rename *r, const struct pmon_series *series, struct pmon_err *err)
{
	struct pmon_span machine = series->path.machine;
	struct pmon_series copy = *series;
	enum pmon_status status = PMON_OK;

	if (!pmon_mem_grow(r->allocator, &r->map, &r->map_cap, r->n_map + 1, sizeof(*r->map)))
		return pmon_err_nomem(err);
	if (r->n_map == 0 || machine.ptr != r->from.ptr || machine.len != r->from.len)
		status = name_machine(r, machine, &r->to, err);
	if (status != PMON_OK)
		return status;
	r->from = machine;
	copy.path.machine = r->to;
	r->map[r->n_map++] = PMON_SERIES_NONE;
	if (r->want != NULL && !r->want(r->want_ctx, &copy.path))
		return PMON_OK;
	status = pmon_schema_copy(&r->base.schema, &copy, &r->map[r->n_map - 1]);
	return status == PMON_OK ? PMON_OK : pmon_schema_refuse(status, PMON_SERIES_NONE, err);
}

// What the input knows by now.
static enum pmon_status
follow(struct rename *r, struct pmon_err *err)
{
	const struct pmon_schema *schema = pmon_source_schema(r->input);
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && r->n_map < pmon_schema_count(schema))
		status = copy_series(r, pmon_schema_at(schema, r->n_map), err);
	r->base.info = *pmon_source_info(r->input);
	r->base.info.machine = r->machine;
	pmon_machines_give(&r->machines, &r->base.info);
	return status;
}

static enum pmon_status
rename_facts(struct rename *r, struct pmon_err *err)
{
	const struct pmon_source_info *info = pmon_source_info(r->input);
	struct pmon_span name = span_of(info->machine);
	enum pmon_status status = PMON_OK;

	if (name.len > 0)
		status = name_machine(r, name, &name, err);
	if (status == PMON_OK && !pmon_arena_copy(&r->texts, name, &name))
		status = pmon_err_nomem(err);
	r->machine = name.ptr;
	for (size_t i = 0; status == PMON_OK && i < info->n_machines; i++) {
		status = name_machine(r, span_of(info->machines[i].name), &name, err);
		if (status == PMON_OK &&
		    !pmon_machines_add(&r->machines, name, span_of(info->machines[i].id)))
			status = pmon_err_nomem(err);
	}
	return status;
}

static enum pmon_status
give(struct rename *r, const struct pmon_sample **sample, struct pmon_err *err)
{
	const struct pmon_sample *in = *sample;
	size_t n = 0;

	if (!pmon_mem_grow(r->allocator, &r->series, &r->series_cap, in->n, sizeof(*r->series)) ||
	    !pmon_mem_grow(r->allocator, &r->raw, &r->raw_cap, in->n, sizeof(*r->raw)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < in->n; i++) {
		if (r->map[in->series[i]] == PMON_SERIES_NONE)
			continue;
		r->series[n] = r->map[in->series[i]];
		r->raw[n++] = in->raw[i];
	}
	r->sample = *in;
	r->sample.n = n;
	r->sample.series = r->series;
	r->sample.raw = r->raw;
	*sample = &r->sample;
	return PMON_OK;
}

static enum pmon_status
rename_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct rename *r = (struct rename *)source;
	struct pmon_err why;
	enum pmon_status status = pmon_source_next(r->input, sample, err);
	enum pmon_status followed = follow(r, &why);

	if (status != PMON_OK && status != PMON_END)
		return status;
	if (followed != PMON_OK && err != NULL)
		*err = why;
	if (followed != PMON_OK || status == PMON_END)
		return followed == PMON_OK ? status : followed;
	return give(r, sample, err);
}

static enum pmon_status
rename_rewind(struct pmon_source *source, struct pmon_err *err)
{
	return pmon_source_rewind(((struct rename *)source)->input, err);
}

static void
rename_close(struct pmon_source *source)
{
	struct rename *r = (struct rename *)source;

	pmon_source_close(r->input);
	pmon_schema_free(&r->base.schema);
	pmon_arena_free(&r->texts);
	pmon_mem_free(r->allocator, r->map, r->map_cap * sizeof(*r->map));
	pmon_mem_free(r->allocator, r->series, r->series_cap * sizeof(*r->series));
	pmon_mem_free(r->allocator, r->raw, r->raw_cap * sizeof(*r->raw));
	pmon_mem_free(r->allocator, r, sizeof(*r));
}

static const struct pmon_source_ops rename_ops = {rename_next, rename_rewind, rename_close};

enum pmon_status
pmon_rename_machines(struct pmon_source *source, const struct pmon_rename_options *options,
		     struct pmon_source **out, struct pmon_err *err)
{
	struct pmon_rename_options own;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);
	const struct pmon_allocator *allocator = pmon_mem_allocator(own.allocator);
	struct rename *r;

	*out = NULL;
	if (status != PMON_OK) {
		pmon_source_close(source);
		return status;
	}
	r = pmon_mem_alloc0(allocator, sizeof(*r));
	if (r == NULL) {
		pmon_source_close(source);
		return pmon_err_nomem(err);
	}
	r->base.ops = &rename_ops;
	r->input = source;
	r->allocator = allocator;
	r->name = own.name;
	r->ctx = own.ctx;
	r->want = own.want;
	r->want_ctx = own.want_ctx;
	pmon_schema_init(&r->base.schema, allocator);
	pmon_arena_init(&r->texts, allocator);
	r->machines.arena = &r->texts;
	status = rename_facts(r, err);
	if (status == PMON_OK)
		status = follow(r, err);
	if (status != PMON_OK) {
		rename_close(&r->base);
		return status;
	}
	*out = &r->base;
	return PMON_OK;
}
