// memory_old.c - keys and digests of pmon 0.1, by which its files are found and read
// SPDX-License-Identifier: MIT

#include "base/utf.h"
#include "push/prometheus/prometheus.h"

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

struct pmon_hash128
pmon_prom_old_key(const struct pmon_series *series, uint32_t duplicate)
{
	uint64_t hash = hash_series(series);

	return (struct pmon_hash128){0, duplicate > 0 ? mix(hash, duplicate) : hash};
}

static void
add(struct pmon_hash128 *digest, uint64_t value)
{
	digest->high = mix(digest->high, value);
	digest->low = (digest->low + value) * UINT64_C(0xC2B2AE3D27D4EB4F);
	digest->low ^= digest->low >> 31;
}

struct pmon_hash128
pmon_prom_old_digest(const char *url)
{
	struct pmon_hash128 digest = {0};

	for (; *url != '\0'; url++)
		add(&digest, (uint8_t)*url);
	add(&digest, UINT64_C(1) << 32);
	return digest;
}
