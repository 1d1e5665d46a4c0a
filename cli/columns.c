// columns.c - the counters of a sample as the columns of a table
// SPDX-License-Identifier: MIT

#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/source.h"

struct columns {
	struct pmon_source base; // first, as every source has it
	struct pmon_source *from;
	uint32_t *column_of; // by number of the series in `from`; PMON_SERIES_NONE: in no column
	size_t n_from;       // series that `from` had when the columns were made
	struct pmon_sample sample;
	uint32_t *series; // of the sample
	struct pmon_raw *raw;
};

static enum pmon_status
columns_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct columns *c = (struct columns *)source;
	enum pmon_status status = pmon_source_next(c->from, sample, err);
	size_t n = 0;

	c->base.info = *pmon_source_info(c->from);
	if (status != PMON_OK)
		return status;
	c->sample = **sample;
	for (size_t i = 0; i < (*sample)->n; i++) {
		uint32_t id = (*sample)->series[i];

		if (id >= c->n_from || c->column_of[id] == PMON_SERIES_NONE)
			continue;
		c->series[n] = c->column_of[id];
		c->raw[n++] = (*sample)->raw[i];
	}
	c->sample.series = c->series;
	c->sample.raw = c->raw;
	c->sample.n = n;
	*sample = &c->sample;
	return PMON_OK;
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
	free(c->column_of);
	free(c->series);
	free(c->raw);
	free(c);
}

static const struct pmon_source_ops columns_ops = {columns_next, columns_rewind, columns_close};

// The series that a pattern names, but for those that have a column already.
static enum pmon_status
add_matches(struct columns *c, const char *text, const struct pmon_series *const *list)
{
	struct pmon_schema *schema = &c->base.schema;
	struct pmon_path pattern;
	enum pmon_status status = PMON_OK;

	if (!pmon_pattern_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL))
		return PMON_OK;
	for (size_t i = 0; status == PMON_OK && i < c->n_from; i++) {
		uint32_t *column = &c->column_of[list[i]->id];

		if (*column == PMON_SERIES_NONE && pmon_path_match(&pattern, &list[i]->path))
			status = pmon_schema_add(schema, &list[i]->path, &list[i]->counter,
						 schema->n, SIZE_MAX, column);
	}
	return status;
}

static enum pmon_status
make_columns(struct columns *c, const struct pmon_select *patterns)
{
	const struct pmon_schema *from = pmon_source_schema(c->from);
	const struct pmon_series **list = calloc(c->n_from + 1, sizeof(*list));
	enum pmon_status status = PMON_OK;

	if (list == NULL || c->column_of == NULL || c->series == NULL || c->raw == NULL) {
		free(list);
		return PMON_E_NOMEM;
	}
	memset(c->column_of, 0xFF, c->n_from * sizeof(*c->column_of));
	pmon_schema_in_order(from, list);
	for (size_t i = 0; status == PMON_OK && i < pmon_select_count(patterns); i++)
		status = add_matches(c, pmon_select_pattern(patterns, i), list);
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
	c->n_from = pmon_schema_count(pmon_source_schema(source));
	c->column_of = calloc(c->n_from + 1, sizeof(*c->column_of));
	c->series = calloc(c->n_from + 1, sizeof(*c->series));
	c->raw = calloc(c->n_from + 1, sizeof(*c->raw));
	if (make_columns(c, patterns) != PMON_OK) {
		columns_close(&c->base);
		return pmon_err_nomem(err);
	}
	*out = &c->base;
	return PMON_OK;
}
