// keys.c - samples as facts: rows with keys, batches with digests
// SPDX-License-Identifier: MIT

#include "push/keys.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf.h"

#define FREE UINT32_MAX

void
pmon_push_keys_init(struct pmon_push_keys *keys, const struct pmon_schema *schema,
		    const struct pmon_allocator *allocator)
{
	*keys = (struct pmon_push_keys){.allocator = pmon_mem_allocator(allocator),
					.schema = schema};
}

void
pmon_push_keys_free(struct pmon_push_keys *keys)
{
	if (keys->allocator == NULL)
		return;
	pmon_mem_free(keys->allocator, keys->list, keys->cap * sizeof(*keys->list));
	pmon_mem_free(keys->allocator, keys->slots, keys->n_slots * sizeof(*keys->slots));
}

// ---- Hashing --------------------------------------------------------------------------------

static uint64_t
mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

static uint64_t
mix_name(uint64_t hash, struct pmon_span name)
{
	for (size_t pos = 0; pos < name.len;)
		hash = mix(hash, pmon_utf_fold(pmon_utf8_next(name, &pos)));
	return mix(hash, UINT64_C(1) << 32 | (name.ptr != NULL));
}

// The machine of a counter of this one is absent or empty, which is the same.
static uint64_t
hash_series(const struct pmon_series *series)
{
	const struct pmon_path *path = &series->path;
	uint64_t hash = 0;

	hash = mix_name(hash, path->machine.len > 0 ? path->machine : (struct pmon_span){NULL, 0});
	hash = mix_name(hash, path->object);
	hash = mix_name(hash, path->parent);
	hash = mix_name(hash, path->instance);
	hash = mix(hash, (uint64_t)path->index);
	hash = mix_name(hash, path->counter);
	hash = mix(hash, series->counter.type);
	hash = mix(hash, (uint64_t)series->counter.time_base);
	return mix(mix(hash, series->counter.size_bytes), hash);
}

// ---- Keys -----------------------------------------------------------------------------------

// Where the key is, or where it would be.
static uint32_t *
slot_of(const struct pmon_push_keys *keys, uint64_t key)
{
	size_t at = (size_t)key & (keys->n_slots - 1);

	while (keys->slots[at] != FREE && keys->list[keys->slots[at]].key != key)
		at = (at + 1) & (keys->n_slots - 1);
	return &keys->slots[at];
}

// Keep the hash at most half full with n keys.
static bool
grow_slots(struct pmon_push_keys *keys, size_t n)
{
	size_t n_slots = keys->n_slots == 0 ? 64 : keys->n_slots;
	uint32_t *slots;

	while (n_slots < 2 * n)
		n_slots *= 2;
	if (n_slots == keys->n_slots)
		return true;
	slots = pmon_mem_alloc(keys->allocator, n_slots * sizeof(*slots));
	if (slots == NULL)
		return false;
	memset(slots, 0xFF, n_slots * sizeof(*slots));
	pmon_mem_free(keys->allocator, keys->slots, keys->n_slots * sizeof(*keys->slots));
	keys->slots = slots;
	keys->n_slots = n_slots;
	for (size_t i = 0; i < keys->n; i++)
		*slot_of(keys, keys->list[i].key) = (uint32_t)i;
	return true;
}

// The key of the next series: that of its counter, or of the second, third ... of the same in this log.
static void
add_key(struct pmon_push_keys *keys)
{
	uint64_t hash = hash_series(pmon_schema_at(keys->schema, keys->n));
	struct pmon_push_key key = {.key = hash, .time = PMON_TIME_NONE};
	uint32_t *slot = slot_of(keys, key.key);

	while (*slot != FREE) {
		key.twin++;
		key.key = mix(hash, key.twin);
		slot = slot_of(keys, key.key);
	}
	*slot = (uint32_t)keys->n;
	keys->list[keys->n++] = key;
}

enum pmon_status
pmon_push_keys_grow(struct pmon_push_keys *keys, struct pmon_err *err)
{
	size_t n = pmon_schema_count(keys->schema);

	if (n == keys->n)
		return PMON_OK;
	if (!pmon_mem_grow(keys->allocator, &keys->list, &keys->cap, n, sizeof(*keys->list)) ||
	    !grow_slots(keys, n))
		return pmon_err_nomem(err);
	while (keys->n < n)
		add_key(keys);
	return PMON_OK;
}

void
pmon_push_keys_row(struct pmon_push_keys *keys, const struct pmon_sample *sample, size_t i,
		   struct pmon_push_row *row)
{
	struct pmon_push_key *key = &keys->list[sample->series[i]];
	bool was_absent =
		key->begun && key->stream == sample->stream && sample->ordinal > key->ordinal + 1;
	bool is_again = key->begun && key->time == sample->time;

	*row = (struct pmon_push_row){.series = key->key,
				      .time = sample->time,
				      .nth = is_again ? key->nth + 1 : 0,
				      .absent_after = was_absent ? key->time : 0,
				      .raw = &sample->raw[i]};
	key->begun = true;
	key->stream = sample->stream;
	key->ordinal = sample->ordinal;
	key->time = sample->time;
	key->nth = row->nth;
}

// ---- Digests --------------------------------------------------------------------------------

static void
digest_add(struct pmon_push_digest *digest, uint64_t value)
{
	digest->a = mix(digest->a, value);
	digest->b = (digest->b + value) * UINT64_C(0xC2B2AE3D27D4EB4F);
	digest->b ^= digest->b >> 31;
}

void
pmon_push_digest_row(struct pmon_push_digest *digest, const struct pmon_push_row *row)
{
	digest_add(digest, row->series);
	digest_add(digest, (uint64_t)row->time);
	digest_add(digest, row->nth);
	digest_add(digest, (uint64_t)row->absent_after);
	digest_add(digest, (uint64_t)row->raw->time);
	digest_add(digest, (uint64_t)row->raw->first);
	digest_add(digest, (uint64_t)row->raw->second);
	digest_add(digest, (uint64_t)row->raw->multi << 32 | row->raw->status);
}

void
pmon_push_digest_text(struct pmon_push_digest *digest, const char *text)
{
	for (; *text != '\0'; text++)
		digest_add(digest, (uint8_t)*text);
	digest_add(digest, UINT64_C(1) << 32);
}

static void
print_hex(uint64_t n, char *out)
{
	for (int i = 0; i < 16; i++)
		out[i] = "0123456789abcdef"[n >> (60 - 4 * i) & 15];
}

void
pmon_push_digest_print(const struct pmon_push_digest *digest, char buf[PMON_PUSH_DIGEST_SIZE])
{
	print_hex(digest->a, buf);
	print_hex(digest->b, buf + 16);
	buf[32] = '\0';
}

static bool
parse_hex(const char *text, uint64_t *out)
{
	static const char digits[] = "0123456789abcdef";

	*out = 0;
	for (int i = 0; i < 16; i++) {
		const char *at = text[i] != '\0' ? strchr(digits, text[i]) : NULL;

		if (at == NULL)
			return false;
		*out = *out << 4 | (uint64_t)(at - digits);
	}
	return true;
}

bool
pmon_push_digest_parse(struct pmon_span text, struct pmon_push_digest *out)
{
	return text.len == 32 && parse_hex(text.ptr, &out->a) && parse_hex(text.ptr + 16, &out->b);
}
