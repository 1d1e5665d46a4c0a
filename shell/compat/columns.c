// columns.c - show the counters of a sample as table columns
// SPDX-License-Identifier: MIT

#include "shell/compat/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "shell/input/by_series.h"
#include "model/gather.h"
#include "model/source.h"

struct columns {
	struct pmon_source base; // must be first
	struct pmon_source *from;
	struct by_series column_of; // uint32_t, by series of `from`: the column plus 1; 0: none
	struct pmon_gather gather;
};

static enum pmon_status
columns_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct columns *c = (struct columns *)source;
	enum pmon_status status = pmon_source_next(c->from, sample, err);
	const struct pmon_sample *in = *sample;

	c->base.info = *pmon_source_info(c->from);
	if (status != PMON_OK)
		return status;
	pmon_gather_begin(&c->gather, in);
	for (size_t i = 0; status == PMON_OK && i < in->n; i++) {
		const uint32_t *column = by_series_find(&c->column_of, in->series[i]);

		if (column != NULL && *column != 0)
			status = pmon_gather_add(&c->gather, *column - 1, &in->raw[i], err);
	}
	*sample = &c->gather.sample;
	return status;
}

static enum pmon_status
columns_rewind(struct pmon_source *source, struct pmon_err *err)
{
	return pmon_source_rewind(((struct columns *)source)->from, err);
}

static void
columns_close(struct pmon_source *source)
{
	struct columns *c = (struct columns *)source;

	pmon_source_close(c->from);
	pmon_schema_free(&c->base.schema);
	by_series_free(&c->column_of);
	pmon_gather_free(&c->gather);
	free(c);
}

static const struct pmon_source_ops columns_ops = {columns_next, columns_rewind, columns_close};

// Add the n series that a pattern matches, except those that have a column already.
static enum pmon_status
add_matches(struct columns *c, const char *text, const struct pmon_series *const *list, size_t n)
{
	struct pmon_schema *schema = &c->base.schema;
	struct pmon_path pattern;

	if (!pmon_search_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL))
		return PMON_OK;
	for (size_t i = 0; i < n; i++) {
		uint32_t *column = by_series_get(&c->column_of, list[i]->id);
		uint32_t id;
		enum pmon_status status;

		if (column == NULL)
			return PMON_E_NOMEM;
		if (*column != 0 || !pmon_series_match(&pattern, list[i]))
			continue;
		status = pmon_schema_add(schema, &list[i]->path, &list[i]->counter, schema->n,
					 SIZE_MAX, &id);
		if (status != PMON_OK)
			return status;
		*column = id + 1;
	}
	return PMON_OK;
}

static enum pmon_status
make_columns(struct columns *c, const struct pmon_select *patterns)
{
	const struct pmon_schema *from = pmon_source_schema(c->from);
	size_t n = pmon_schema_count(from);
	const struct pmon_series **list = calloc(n + 1, sizeof(*list));
	enum pmon_status status = PMON_OK;

	if (list == NULL)
		return PMON_E_NOMEM;
	pmon_schema_in_order(from, list);
	for (size_t i = 0; status == PMON_OK && i < pmon_select_count(patterns); i++)
		status = add_matches(c, pmon_select_pattern(patterns, i), list, n);
	free(list);
	return status;
}

enum pmon_status
columns_open(struct pmon_source *source, const struct pmon_select *patterns,
	     struct pmon_source **out, struct pmon_err *err)
{
	struct columns *c = calloc(1, sizeof(*c));

	*out = NULL;
	if (c == NULL) {
		pmon_source_close(source);
		return pmon_err_nomem(err);
	}
	c->base.ops = &columns_ops;
	c->base.info = *pmon_source_info(source);
	pmon_schema_init(&c->base.schema, pmon_mem_allocator(NULL));
	c->from = source;
	c->column_of = BY_SERIES_OF(uint32_t);
	pmon_gather_init(&c->gather, pmon_mem_allocator(NULL));
	if (make_columns(c, patterns) != PMON_OK) {
		columns_close(&c->base);
		return pmon_err_nomem(err);
	}
	*out = &c->base;
	return PMON_OK;
}
