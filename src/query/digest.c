// digest.c - checksums of samples: two numbers per series
// SPDX-License-Identifier: MIT

#include "query/digest.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "core/calc.h"
#include "model/source.h"
#include "os/threads.h"

void
pmon_digest_init(struct pmon_digest *digest, enum pmon_digest_kind kind,
		 const struct pmon_schema *schema, const struct pmon_allocator *allocator)
{
	*digest = (struct pmon_digest){
		.allocator = pmon_mem_allocator(allocator), .schema = schema, .kind = kind};
}

void
pmon_digest_free(struct pmon_digest *digest)
{
	pmon_mem_free(digest->allocator, digest->list, digest->cap * sizeof(*digest->list));
}

// ---- Values ---------------------------------------------------------------------------------

static inline uint64_t
hash_of(uint64_t time, uint64_t first, uint64_t second)
{
	uint64_t hash = (time ^ first) * UINT64_C(0x9E3779B97F4A7C15);

	hash = ((hash ^ hash >> 32) + second) * UINT64_C(0xD6E8FEB86659FD93);
	return hash ^ hash >> 29;
}

// The hash of all values of a sample begins with its time.
static uint64_t
hash_of_time(const struct pmon_digest *digest, pmon_time time)
{
	pmon_time rest = time % PMON_TIME_PER_MSEC;

	if (digest->kind == PMON_DIGEST_SHOWN)
		time -= rest < 0 ? rest + PMON_TIME_PER_MSEC : rest;
	return hash_of(0, (uint64_t)time, 0);
}

static void
count(struct pmon_digest_entry *entry, uint64_t hash)
{
	entry->n++;
	entry->hash += hash;
}

static void
count_value(struct pmon_digest *digest, uint32_t series, uint64_t hash)
{
	count(&digest->list[series], hash);
	digest->values++;
}

static bool
is_usable(uint32_t status)
{
	status = pmon_raw_unmarked(status);
	return status == PMON_RAW_VALID || status == PMON_RAW_NEW;
}

static void
add_raw(struct pmon_digest *digest, const struct pmon_sample *sample)
{
	uint64_t time = hash_of_time(digest, sample->time);

	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_raw *raw = &sample->raw[i];

		if (is_usable(raw->status))
			count_value(digest, sample->series[i],
				    hash_of(time, (uint64_t)raw->first,
					    (uint64_t)raw->second + raw->multi));
	}
	count(&digest->samples, time);
}

// The value as read back after writing it with this many digits. Negative zero becomes zero.
static double
as_written(const struct pmon_digest *digest, double value)
{
	char buf[PMON_NUM_SIZE];
	double written;

	if (digest->digits == 0 || digest->digits > 16)
		return value + 0.0;
	if (!pmon_num_parse_double(
		    (struct pmon_span){buf, pmon_num_digits(value, digest->digits, buf)}, &written))
		return value;
	return written + 0.0;
}

static void
add_number(struct pmon_digest *digest, uint64_t time, uint32_t series, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	count_value(digest, series, hash_of(time, bits, 0));
}

static void
add_shown(struct pmon_digest *digest, const struct pmon_sample *sample,
	  const struct pmon_value *values)
{
	uint64_t time = hash_of_time(digest, sample->time);

	for (size_t i = 0; i < sample->n; i++)
		if (pmon_vstat_has_value(values[i].status))
			add_number(digest, time, sample->series[i],
				   as_written(digest, values[i].value));
	count(&digest->samples, time);
}

// Make room in the list for every series of the schema.
static bool
make_room(struct pmon_digest *digest)
{
	size_t n = pmon_schema_count(digest->schema);
	size_t had = digest->cap;

	if (n <= had)
		return true;
	if (!pmon_mem_grow(digest->allocator, &digest->list, &digest->cap, n,
			   sizeof(*digest->list)))
		return false;
	memset(digest->list + had, 0, (digest->cap - had) * sizeof(*digest->list));
	return true;
}

bool
pmon_digest_add(struct pmon_digest *digest, const struct pmon_sample *sample,
		const struct pmon_value *values)
{
	if (!make_room(digest))
		return false;
	if (digest->kind == PMON_DIGEST_RAW)
		add_raw(digest, sample);
	else if (!sample->preceding)
		add_shown(digest, sample, values);
	return true;
}

// ---- Sources --------------------------------------------------------------------------------

// The displayed values in a log.
static void
add_formatted(struct pmon_digest *digest, const struct pmon_sample *sample, const double *numbers)
{
	uint64_t time = hash_of_time(digest, sample->time);

	for (size_t i = 0; i < sample->n; i++) {
		double number;

		if (numbers == NULL && !is_usable(sample->raw[i].status))
			continue;
		if (numbers != NULL)
			number = numbers[i];
		else
			memcpy(&number, &sample->raw[i].first, sizeof(number));
		add_number(digest, time, sample->series[i], number + 0.0);
	}
	count(&digest->samples, time);
}

static enum pmon_status
read_all(struct pmon_digest *digest, struct pmon_source *source, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status;

	while ((status = pmon_source_next(source, &sample, err)) == PMON_OK) {
		if (!make_room(digest))
			return pmon_err_nomem(err);
		if (digest->kind == PMON_DIGEST_SHOWN)
			add_formatted(digest, sample, source->numbers);
		else
			add_raw(digest, sample);
	}
	return status == PMON_END ? PMON_OK : status;
}

static enum pmon_status
read_whole(struct pmon_digest *digest, struct pmon_source *source, struct pmon_err *err)
{
	enum pmon_status status;

	source->numbers_suffice = digest->kind == PMON_DIGEST_SHOWN;
	status = read_all(digest, source, err);
	source->numbers_suffice = false;
	return status;
}

// ---- Parts of a source, by threads ----------------------------------------------------------

#define MOST_PARTS 8
#define PART_BYTES ((uint64_t)4 << 20)

struct part {
	struct pmon_source *source;
	struct pmon_digest digest;
	uint32_t *map; // series of the part to series of the whole
	size_t n_map;
	enum pmon_status status;
};

struct parts {
	struct part list[MOST_PARTS];
	size_t n;
};

static void
read_part(void *ctx, size_t i)
{
	struct part *part = &((struct parts *)ctx)->list[i];

	part->status = read_whole(&part->digest, part->source, NULL);
}

static bool
begin_map(const struct pmon_digest *digest, struct part *part)
{
	size_t n = pmon_schema_count(digest->schema);

	part->n_map = pmon_schema_count(pmon_source_schema(part->source));
	part->map = pmon_mem_alloc(digest->allocator, (part->n_map + 1) * sizeof(*part->map));
	if (part->map == NULL)
		return false;
	for (size_t i = 0; i < part->n_map; i++)
		part->map[i] = i < n ? (uint32_t)i : PMON_SERIES_NONE;
	return true;
}

static enum pmon_status
begin_parts(const struct pmon_digest *digest, struct pmon_source *source, unsigned threads,
	    struct parts *parts)
{
	struct pmon_source *sources[MOST_PARTS];
	enum pmon_status status;

	if (source->split == NULL || threads < 2)
		return PMON_E_STATE;
	parts->n = threads < MOST_PARTS ? threads : MOST_PARTS;
	status = source->split->split(source, PART_BYTES, sources, &parts->n, NULL);
	for (size_t i = 0; i < parts->n; i++)
		parts->list[i].source = sources[i];
	for (size_t i = 0; i < parts->n && status == PMON_OK; i++)
		pmon_digest_init(&parts->list[i].digest, digest->kind,
				 pmon_source_schema(sources[i]), digest->allocator);
	return status == PMON_OK && parts->n == 0 ? PMON_E_STATE : status;
}

static enum pmon_status
map_parts(const struct pmon_digest *digest, struct pmon_source *source, struct parts *parts)
{
	struct pmon_source *sources[MOST_PARTS];
	uint32_t *maps[MOST_PARTS];

	for (size_t i = 0; i < parts->n; i++) {
		if (parts->list[i].status != PMON_OK)
			return parts->list[i].status;
		if (!begin_map(digest, &parts->list[i]))
			return PMON_E_NOMEM;
		sources[i] = parts->list[i].source;
		maps[i] = parts->list[i].map;
	}
	return source->split->join(source, sources, parts->n, maps, NULL);
}

static void
add_entry(struct pmon_digest_entry *entry, const struct pmon_digest_entry *part)
{
	entry->n += part->n;
	entry->hash += part->hash;
}

static enum pmon_status
add_parts(struct pmon_digest *digest, const struct parts *parts)
{
	if (!make_room(digest))
		return PMON_E_NOMEM;
	for (size_t i = 0; i < parts->n; i++) {
		const struct part *part = &parts->list[i];

		for (size_t k = 0; k < part->n_map && k < part->digest.cap; k++)
			add_entry(&digest->list[part->map[k]], &part->digest.list[k]);
		add_entry(&digest->samples, &part->digest.samples);
		digest->values += part->digest.values;
	}
	return PMON_OK;
}

static void
end_parts(const struct pmon_digest *digest, struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		struct part *part = &parts->list[i];

		pmon_digest_free(&part->digest);
		pmon_source_close(part->source);
		pmon_mem_free(digest->allocator, part->map, (part->n_map + 1) * sizeof(*part->map));
	}
}

// Any status but PMON_OK: nothing was added, and the source must be read in one pass.
static enum pmon_status
read_in_parts(struct pmon_digest *digest, struct pmon_source *source, unsigned threads)
{
	struct parts parts = {.n = 0};
	enum pmon_status status = begin_parts(digest, source, threads, &parts);

	if (status == PMON_OK) {
		pmon_threads_run(parts.n, read_part, &parts);
		status = map_parts(digest, source, &parts);
	}
	if (status == PMON_OK)
		status = add_parts(digest, &parts);
	end_parts(digest, &parts);
	return status;
}

enum pmon_status
pmon_digest_read(struct pmon_digest *digest, struct pmon_source *source, unsigned threads,
		 struct pmon_err *err)
{
	return read_in_parts(digest, source, threads) == PMON_OK ? PMON_OK
								 : read_whole(digest, source, err);
}

// ---- Comparing ------------------------------------------------------------------------------

// Series of one path, type and time base, of both sides.
struct group {
	const struct pmon_series *series; // one of them
	struct pmon_digest_entry sides[2];
};

struct groups {
	const struct pmon_allocator *allocator;
	bool typed;
	struct group *list;
	size_t n;
	size_t cap;
	struct pmon_map map;
	uint64_t seed;
};

static bool
is_same(const struct groups *groups, const struct pmon_series *a, const struct pmon_series *b)
{
	return a->name.len == b->name.len && memcmp(a->name.ptr, b->name.ptr, a->name.len) == 0 &&
	       (!groups->typed || (a->counter.type == b->counter.type &&
				   a->counter.time_base == b->counter.time_base));
}

// NULL when memory is short.
static struct group *
group_of(struct groups *groups, const struct pmon_series *series)
{
	uint64_t hash = pmon_hash64(groups->seed, series->name.ptr, series->name.len);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&groups->map, hash, &at)) != PMON_MAP_NONE)
		if (is_same(groups, groups->list[i].series, series))
			return &groups->list[i];
	if (!pmon_mem_grow(groups->allocator, &groups->list, &groups->cap, groups->n + 1,
			   sizeof(*groups->list)) ||
	    !pmon_map_put(&groups->map, groups->allocator, hash, (uint32_t)groups->n))
		return NULL;
	groups->list[groups->n] = (struct group){.series = series};
	return &groups->list[groups->n++];
}

static bool
gather(struct groups *groups, const struct pmon_digest *digest, int side)
{
	for (size_t i = 0; i < digest->cap && i < pmon_schema_count(digest->schema); i++) {
		struct group *group;

		if (digest->list[i].n == 0)
			continue;
		group = group_of(groups, pmon_schema_at(digest->schema, i));
		if (group == NULL)
			return false;
		add_entry(&group->sides[side], &digest->list[i]);
	}
	return true;
}

static bool
is_other(const struct pmon_digest_entry *a, const struct pmon_digest_entry *b)
{
	return a->n != b->n || a->hash != b->hash;
}

static void
report(const struct groups *groups, const struct group *group, pmon_difference_fn differs,
       void *ctx)
{
	struct pmon_difference difference = {.path = group->series->name,
					     .n = {group->sides[0].n, group->sides[1].n}};

	if (groups->typed) {
		difference.type = group->series->counter.type;
		difference.time_base = group->series->counter.time_base;
	}
	differs(ctx, &difference);
}

enum pmon_status
pmon_digest_compare(const struct pmon_digest *a, const struct pmon_digest *b,
		    pmon_difference_fn differs, void *ctx, struct pmon_err *err)
{
	struct groups groups = {.allocator = a->allocator,
				.typed = a->kind == PMON_DIGEST_RAW,
				.seed = pmon_hash_seed()};
	enum pmon_status status = PMON_OK;

	if (!gather(&groups, a, 0) || !gather(&groups, b, 1))
		status = pmon_err_nomem(err);
	for (size_t i = 0; i < groups.n && status == PMON_OK; i++) {
		const struct group *group = &groups.list[i];

		if (is_other(&group->sides[0], &group->sides[1]))
			report(&groups, group, differs, ctx);
	}
	if (status == PMON_OK && is_other(&a->samples, &b->samples))
		differs(ctx, &(struct pmon_difference){.n = {a->samples.n, b->samples.n}});
	pmon_mem_free(groups.allocator, groups.list, groups.cap * sizeof(*groups.list));
	pmon_map_free(&groups.map, groups.allocator);
	return status;
}
