// merge.c - several sources as one, by time
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf.h"
#include "model/source.h"

// What a merged series was given last, to know a sample again that two logs hold.
struct newest {
	pmon_time time;
	int64_t first;
	int64_t second;
	size_t input; // plus 1; 0 is none yet
};

// One of the sources that are merged.
struct input {
	struct pmon_source *source;
	const struct pmon_sample *sample; // the next one; NULL after the last
	uint32_t *map;                    // its series -> merged series
	size_t map_n;
	size_t map_cap;
	uint8_t *taken; // a byte for each merged series: one of this input's is mapped to it
	size_t taken_n;
	size_t taken_cap;
};

struct merge {
	struct pmon_source base;
	const struct pmon_allocator *allocator;
	struct input *inputs;
	size_t n;
	bool primed;           // each input holds its next sample
	struct input *current; // the input whose sample was given last
	struct pmon_sample sample;
	uint32_t *series;
	size_t series_cap;
	struct pmon_raw *raw;
	size_t raw_cap;
	struct newest *newest; // by merged series
	size_t newest_n;
	size_t newest_cap;
	uint32_t *slots; // open-addressed hash of merged series, PMON_SERIES_NONE is free
	size_t slots_n;  // a power of two, at least twice the number of series
};

static uint64_t
mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t
hash_of(const struct pmon_series *series)
{
	uint64_t hash = mix(series->counter.type, (uint64_t)series->counter.time_base);

	for (size_t pos = 0; pos < series->name.len;)
		hash = mix(hash, pmon_utf_fold(pmon_utf8_next(series->name, &pos)));
	return hash ^ hash >> 32;
}

static bool
same_series(const struct pmon_series *a, const struct pmon_series *b)
{
	return a->counter.type == b->counter.type && a->counter.time_base == b->counter.time_base &&
	       pmon_path_same(&a->path, &b->path);
}

static void
put_slot(struct merge *m, uint32_t id)
{
	size_t at = (size_t)hash_of(pmon_schema_at(&m->base.schema, id)) & (m->slots_n - 1);

	while (m->slots[at] != PMON_SERIES_NONE)
		at = (at + 1) & (m->slots_n - 1);
	m->slots[at] = id;
}

// Keep the hash at most half full with one more series.
static bool
grow_slots(struct merge *m)
{
	size_t have = pmon_schema_count(&m->base.schema);
	size_t n = m->slots_n == 0 ? 64 : m->slots_n;
	uint32_t *slots;

	while (n < 2 * (have + 1))
		n *= 2;
	if (n == m->slots_n)
		return true;
	slots = pmon_mem_alloc(m->allocator, n * sizeof(*slots));
	if (slots == NULL)
		return false;
	memset(slots, 0xFF, n * sizeof(*slots));
	pmon_mem_free(m->allocator, m->slots, m->slots_n * sizeof(*m->slots));
	m->slots = slots;
	m->slots_n = n;
	for (size_t i = 0; i < have; i++)
		put_slot(m, (uint32_t)i);
	return true;
}

// The merged series that a series of an input belongs to; one that no other series of the same input
// has. PMON_SERIES_NONE when there is none yet.
static uint32_t
find(const struct merge *m, const struct input *input, const struct pmon_series *series)
{
	size_t at = (size_t)hash_of(series) & (m->slots_n - 1);

	for (; m->slots[at] != PMON_SERIES_NONE; at = (at + 1) & (m->slots_n - 1)) {
		uint32_t id = m->slots[at];

		if (same_series(series, pmon_schema_at(&m->base.schema, id)) &&
		    !(id < input->taken_n && input->taken[id]))
			return id;
	}
	return PMON_SERIES_NONE;
}

static bool
take(struct merge *m, struct input *input, uint32_t id)
{
	if (!pmon_mem_grow(m->allocator, &input->taken, &input->taken_cap, id + 1,
			   sizeof(*input->taken)))
		return false;
	if (id >= input->taken_n) {
		memset(input->taken + input->taken_n, 0, id + 1 - input->taken_n);
		input->taken_n = id + 1;
	}
	input->taken[id] = 1;
	return true;
}

// What a series is beside its path and counter.
static void
copy_nature(struct pmon_series *to, const struct pmon_series *from)
{
	to->wildcard = from->wildcard;
	to->formatted = from->formatted;
	to->type_known = from->type_known;
	to->known_type = from->known_type;
}

// Map the next series of an input.
static enum pmon_status
map_series(struct merge *m, struct input *input, struct pmon_err *err)
{
	const struct pmon_schema *schema = pmon_source_schema(input->source);
	const struct pmon_series *series = pmon_schema_at(schema, input->map_n);
	enum pmon_status status;
	uint32_t id;

	if (!grow_slots(m) || !pmon_mem_grow(m->allocator, &input->map, &input->map_cap,
					     input->map_n + 1, sizeof(*input->map)))
		return pmon_err_nomem(err);
	id = find(m, input, series);
	if (id == PMON_SERIES_NONE) {
		status = pmon_schema_add(&m->base.schema, &series->path, &series->counter,
					 series->order, PMON_SERIES_NONE, &id);
		if (status != PMON_OK)
			return pmon_err_set(err, status, 0, "%s", pmon_status_text(status));
		copy_nature(m->base.schema.list[id], series);
		pmon_schema_set_source(&m->base.schema, id, (uint32_t)(input - m->inputs));
		put_slot(m, id);
	}
	if (!take(m, input, id))
		return pmon_err_nomem(err);
	input->map[input->map_n++] = id;
	return PMON_OK;
}

static enum pmon_status
map_all(struct merge *m, struct input *input, struct pmon_err *err)
{
	const struct pmon_schema *schema = pmon_source_schema(input->source);
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && input->map_n < pmon_schema_count(schema))
		status = map_series(m, input, err);
	return status;
}

// Counts that readers keep while they read, summed over the inputs.
static void
sum_info(struct merge *m)
{
	struct pmon_source_info *info = &m->base.info;

	info->records_unknown = info->losses = info->bytes_lost = 0;
	info->bytes_read = info->size_bytes = 0;
	for (size_t i = 0; i < m->n; i++) {
		const struct pmon_source_info *in = pmon_source_info(m->inputs[i].source);

		info->records_unknown += in->records_unknown;
		info->losses += in->losses;
		info->bytes_lost += in->bytes_lost;
		info->size_bytes += in->size_bytes;
		info->bytes_read += in->bytes_read;
	}
}

static enum pmon_status
advance(struct merge *m, struct input *input, struct pmon_err *err)
{
	enum pmon_status status = pmon_source_next(input->source, &input->sample, err);

	if (status == PMON_END)
		return PMON_OK;
	if (status != PMON_OK)
		return status;
	return map_all(m, input, err);
}

static struct input *
earliest(struct merge *m)
{
	struct input *best = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct input *input = &m->inputs[i];

		if (input->sample != NULL &&
		    (best == NULL || input->sample->time < best->sample->time))
			best = input;
	}
	return best;
}

static bool
grow_newest(struct merge *m)
{
	size_t n = pmon_schema_count(&m->base.schema);

	if (!pmon_mem_grow(m->allocator, &m->newest, &m->newest_cap, n, sizeof(*m->newest)))
		return false;
	for (; m->newest_n < n; m->newest_n++)
		m->newest[m->newest_n] = (struct newest){.input = 0};
	return true;
}

// Logs that overlap hold the same sample twice: the second is left out.
static bool
is_repeated(struct merge *m, uint32_t id, const struct pmon_raw *raw)
{
	struct newest *newest = &m->newest[id];
	size_t input = (size_t)(m->current - m->inputs) + 1;
	bool same = newest->input != 0 && newest->input != input && newest->time == raw->time &&
		    newest->first == raw->first && newest->second == raw->second;

	*newest = (struct newest){raw->time, raw->first, raw->second, same ? newest->input : input};
	return same;
}

static enum pmon_status
give(struct merge *m, const struct pmon_sample **sample, struct pmon_err *err)
{
	const struct pmon_sample *in = m->current->sample;
	size_t n = 0;

	if (!pmon_mem_grow(m->allocator, &m->series, &m->series_cap, in->n, sizeof(*m->series)) ||
	    !pmon_mem_grow(m->allocator, &m->raw, &m->raw_cap, in->n, sizeof(*m->raw)) ||
	    !grow_newest(m))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < in->n; i++) {
		uint32_t id = m->current->map[in->series[i]];

		if (is_repeated(m, id, &in->raw[i]))
			continue;
		m->series[n] = id;
		m->raw[n++] = in->raw[i];
	}
	m->sample = *in;
	m->sample.n = n;
	m->sample.series = m->series;
	m->sample.raw = m->raw;
	m->sample.stream = (uint32_t)(m->current - m->inputs) << 16 | (in->stream & 0xFFFF);
	*sample = &m->sample;
	return PMON_OK;
}

// Have the next sample of every input at hand, and choose the earliest.
static enum pmon_status
choose(struct merge *m, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && !m->primed && i < m->n; i++)
		status = advance(m, &m->inputs[i], err);
	if (status == PMON_OK && m->current != NULL)
		status = advance(m, m->current, err);
	m->primed = true;
	sum_info(m);
	if (status != PMON_OK)
		return status;
	m->current = earliest(m);
	return m->current != NULL ? PMON_OK : PMON_END;
}

static enum pmon_status
merge_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct merge *m = (struct merge *)source;
	enum pmon_status status;

	do {
		status = choose(m, err);
		if (status == PMON_OK)
			status = give(m, sample, err);
	} while (status == PMON_OK && m->sample.n == 0 && m->current->sample->n > 0);
	return status;
}

static enum pmon_status
merge_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct merge *m = (struct merge *)source;
	enum pmon_status status = PMON_OK;

	m->primed = false;
	m->current = NULL;
	m->newest_n = 0;
	for (size_t i = 0; status == PMON_OK && i < m->n; i++) {
		m->inputs[i].sample = NULL;
		status = pmon_source_rewind(m->inputs[i].source, err);
	}
	return status;
}

static void
merge_close(struct pmon_source *source)
{
	struct merge *m = (struct merge *)source;
	const struct pmon_allocator *allocator = m->allocator;

	for (size_t i = 0; i < m->n; i++) {
		struct input *input = &m->inputs[i];

		pmon_source_close(input->source);
		pmon_mem_free(allocator, input->map, input->map_cap * sizeof(*input->map));
		pmon_mem_free(allocator, input->taken, input->taken_cap);
	}
	pmon_mem_free(allocator, m->inputs, m->n * sizeof(*m->inputs));
	pmon_mem_free(allocator, m->series, m->series_cap * sizeof(*m->series));
	pmon_mem_free(allocator, m->raw, m->raw_cap * sizeof(*m->raw));
	pmon_mem_free(allocator, m->newest, m->newest_cap * sizeof(*m->newest));
	pmon_mem_free(allocator, m->slots, m->slots_n * sizeof(*m->slots));
	pmon_schema_free(&m->base.schema);
	pmon_mem_free(allocator, m, sizeof(*m));
}

static const struct pmon_source_ops merge_ops = {merge_next, merge_rewind, merge_close};

static struct merge *
new_merge(struct pmon_source *const *sources, size_t n, const struct pmon_allocator *allocator)
{
	struct merge *m = pmon_mem_alloc0(allocator, sizeof(*m));

	if (m == NULL)
		return NULL;
	m->inputs = pmon_mem_alloc0(allocator, n * sizeof(*m->inputs));
	if (m->inputs == NULL) {
		pmon_mem_free(allocator, m, sizeof(*m));
		return NULL;
	}
	m->base.ops = &merge_ops;
	m->allocator = allocator;
	m->n = n;
	for (size_t i = 0; i < n; i++)
		m->inputs[i].source = sources[i];
	m->base.info = *pmon_source_info(sources[0]);
	pmon_schema_init(&m->base.schema, allocator);
	return m;
}

static void
close_all(struct pmon_source *const *sources, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pmon_source_close(sources[i]);
}

enum pmon_status
pmon_merge_open(struct pmon_source *const *sources, size_t n,
		const struct pmon_allocator *allocator, struct pmon_source **out,
		struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct merge *m;

	*out = NULL;
	if (n == 0 || n > UINT16_MAX) {
		close_all(sources, n);
		return pmon_err_set(err, PMON_E_ARG, 0, "%zu sources cannot be merged", n);
	}
	allocator = pmon_mem_allocator(allocator);
	m = new_merge(sources, n, allocator);
	if (m == NULL) {
		close_all(sources, n);
		return pmon_err_nomem(err);
	}
	// What the inputs know of their counters before the first sample.
	for (size_t i = 0; status == PMON_OK && i < n; i++)
		status = map_all(m, &m->inputs[i], err);
	sum_info(m);
	if (status != PMON_OK) {
		merge_close(&m->base);
		return status;
	}
	*out = &m->base;
	return PMON_OK;
}
