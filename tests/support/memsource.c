// memsource.c - a source with samples from a test
// SPDX-License-Identifier: MIT

#include "memsource.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "t.h"

static enum pmon_status
mem_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct mem_source *m = (struct mem_source *)source;
	struct pmon_sample *s;

	(void)err;
	if (m->next == m->n)
		return PMON_END;
	s = &m->samples[m->next];
	s->series = s->n > 0 ? m->series + m->from[m->next] : NULL;
	s->raw = s->n > 0 ? m->raw + m->from[m->next] : NULL;
	m->next++;
	*sample = s;
	return PMON_OK;
}

static enum pmon_status
mem_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)err;
	((struct mem_source *)source)->next = 0;
	return PMON_OK;
}

static void
mem_close(struct pmon_source *source)
{
	struct mem_source *m = (struct mem_source *)source;

	pmon_schema_free(&m->base.schema);
	free(m->samples);
	free(m->from);
	free(m->series);
	free(m->raw);
	free(m);
}

static const struct pmon_source_ops mem_ops = {mem_next, mem_rewind, mem_close};

struct mem_source *
mem_source_new(void)
{
	struct mem_source *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	m->base.ops = &mem_ops;
	m->base.info = (struct pmon_source_info){.format = "memory",
						 .writer = "",
						 .converter = "",
						 .machine = "",
						 .zone = "",
						 .log_start = PMON_TIME_NONE,
						 .log_end = PMON_TIME_NONE};
	pmon_schema_init(&m->base.schema, pmon_mem_allocator(NULL));
	return m;
}

uint32_t
mem_source_add(struct mem_source *m, const struct pmon_path *path,
	       const struct pmon_counter *counter)
{
	uint32_t id;

	assert_int_equal(
		pmon_schema_add(&m->base.schema, path, counter, m->base.schema.n, UINT32_MAX, &id),
		PMON_OK);
	return id;
}

uint32_t
mem_source_series(struct mem_source *m, const char *path, uint32_t type, int64_t time_base)
{
	struct pmon_counter counter = {.type = type, .time_base = time_base};
	struct pmon_path parsed;

	assert_true(pmon_path_parse(t_span(path), &parsed, NULL));
	return mem_source_add(m, &parsed, &counter);
}

// Make room for one more item. Release the result with free().
static void *
grow(void *items, size_t *cap, size_t n, size_t size)
{
	assert_true(pmon_mem_grow(pmon_mem_allocator(NULL), &items, cap, n + 1, size));
	return items;
}

void
mem_source_sample_of(struct mem_source *m, pmon_time time, int32_t offset_min, uint32_t stream)
{
	assert_true(stream < T_LEN(m->ordinals));
	m->samples = grow(m->samples, &m->samples_cap, m->n, sizeof(*m->samples));
	m->from = grow(m->from, &m->from_cap, m->n, sizeof(*m->from));
	m->from[m->n] = m->n_values;
	m->samples[m->n++] = (struct pmon_sample){.time = time,
						  .utc_offset_min = offset_min,
						  .stream = stream,
						  .ordinal = m->ordinals[stream]++};
}

void
mem_source_sample(struct mem_source *m, pmon_time time)
{
	mem_source_sample_of(m, time, 0, 0);
}

void
mem_source_skip(struct mem_source *m)
{
	m->ordinals[0]++;
}

void
mem_source_put(struct mem_source *m, uint32_t series, const struct pmon_raw *raw)
{
	m->series = grow(m->series, &m->series_cap, m->n_values, sizeof(*m->series));
	m->raw = grow(m->raw, &m->raw_cap, m->n_values, sizeof(*m->raw));
	m->series[m->n_values] = series;
	m->raw[m->n_values++] = *raw;
	m->samples[m->n - 1].n++;
}

void
mem_source_raw(struct mem_source *m, uint32_t series, int64_t first, int64_t second)
{
	struct pmon_raw raw = {
		.multi = 1, .time = m->samples[m->n - 1].time, .first = first, .second = second};

	mem_source_put(m, series, &raw);
}

void
mem_source_bad(struct mem_source *m, uint32_t series, uint32_t status)
{
	struct pmon_raw raw = {.status = status, .multi = 1, .time = m->samples[m->n - 1].time};

	mem_source_put(m, series, &raw);
}

struct pmon_source *
mem_source_open(struct mem_source *m)
{
	return &m->base;
}
