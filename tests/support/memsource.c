// memsource.c - a source over samples that a test writes down
// SPDX-License-Identifier: MIT

#include "memsource.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/source.h"
#include "t.h"

#define SAMPLES 2048
#define VALUES  256

struct mem_sample {
	struct pmon_sample sample;
	uint32_t series[VALUES];
	struct pmon_raw raw[VALUES];
};

struct mem_source {
	struct pmon_source base;
	struct mem_sample samples[SAMPLES];
	size_t n;
	size_t next;
	uint64_t ordinal;
};

static enum pmon_status
mem_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct mem_source *m = (struct mem_source *)source;

	(void)err;
	if (m->next == m->n)
		return PMON_END;
	*sample = &m->samples[m->next++].sample;
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
	pmon_schema_free(&source->schema);
	free(source);
}

static const struct pmon_source_ops mem_ops = {mem_next, mem_rewind, mem_close};

struct mem_source *
mem_source_new(void)
{
	struct mem_source *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	m->base.ops = &mem_ops;
	m->base.info = (struct pmon_source_info){
		.format = "memory", .writer = "", .machine = "", .zone = ""};
	pmon_schema_init(&m->base.schema, pmon_mem_allocator(NULL));
	return m;
}

uint32_t
mem_source_series(struct mem_source *m, const char *path, uint32_t type, int64_t time_base)
{
	struct pmon_counter counter = {.type = type, .time_base = time_base};
	struct pmon_path parsed;
	uint32_t id;

	assert_true(pmon_path_parse((struct pmon_span){path, strlen(path)}, &parsed, NULL));
	assert_int_equal(
		pmon_schema_add(&m->base.schema, &parsed, &counter, m->base.schema.n, 1000, &id),
		PMON_OK);
	return id;
}

void
mem_source_sample(struct mem_source *m, pmon_time time)
{
	struct mem_sample *s = &m->samples[m->n++];

	assert_true(m->n <= SAMPLES);
	s->sample = (struct pmon_sample){
		.time = time, .ordinal = m->ordinal++, .series = s->series, .raw = s->raw};
}

void
mem_source_skip(struct mem_source *m)
{
	m->ordinal++;
}

static struct pmon_raw *
new_raw(struct mem_source *m, uint32_t series)
{
	struct mem_sample *s = &m->samples[m->n - 1];

	assert_true(s->sample.n < VALUES);
	s->series[s->sample.n] = series;
	s->raw[s->sample.n] = (struct pmon_raw){.time = s->sample.time, .multi = 1};
	return &s->raw[s->sample.n++];
}

void
mem_source_raw(struct mem_source *m, uint32_t series, int64_t first, int64_t second)
{
	struct pmon_raw *raw = new_raw(m, series);

	raw->first = first;
	raw->second = second;
}

void
mem_source_bad(struct mem_source *m, uint32_t series, uint32_t status)
{
	new_raw(m, series)->status = status;
}

struct pmon_source *
mem_source_open(struct mem_source *m)
{
	return &m->base;
}
