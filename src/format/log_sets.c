// log_sets.c - what the tables of Windows' SQL logs need, in whatever database
// SPDX-License-Identifier: MIT

#include "format/log_sets.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/wr.h"
#include "core/calc.h"
#include "model/schema.h"
#include "os/dir.h"

// The hash of a list of bytes: hashes the previous hash together with the new bytes.
static struct pmon_hash128
hash_more(struct pmon_hash128 hash, const void *bytes, size_t len)
{
	struct pmon_hash128 last = pmon_hash128(bytes, len);
	uint8_t both[32];
	struct pmon_wr w = pmon_wr_init(both, sizeof(both));

	pmon_wr_u64(&w, hash.high);
	pmon_wr_u64(&w, hash.low);
	pmon_wr_u64(&w, last.high);
	pmon_wr_u64(&w, last.low);
	return pmon_hash128(both, sizeof(both));
}

static struct pmon_hash128
hash_log(const struct pmon_log_set *set, const struct pmon_schema *schema,
	 const struct pmon_source_info *info)
{
	struct pmon_hash128 hash = {0};
	uint8_t numbers[20];
	struct pmon_wr out = pmon_wr_init(numbers, sizeof(numbers));

	pmon_wr_i64(&out, info->log_start);
	pmon_wr_i64(&out, set->first);
	pmon_wr_u32(&out, set->stream);
	hash = hash_more(hash, info->writer, strlen(info->writer));
	hash = hash_more(hash, info->machine, strlen(info->machine));
	hash = hash_more(hash, numbers, sizeof(numbers));
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		struct pmon_span name = pmon_schema_at(schema, i)->name;

		hash = hash_more(hash, name.ptr, name.len);
	}
	return hash;
}

// Version 8, which is meant for this (RFC 9562).
void
pmon_log_set_make_guid(struct pmon_log_set *set, const struct pmon_schema *schema,
		       const struct pmon_source_info *info)
{
	struct pmon_hash128 hash = hash_log(set, schema, info);
	uint64_t a = hash.high;
	uint64_t b = hash.low;

	(void)snprintf(set->guid, sizeof(set->guid), "%08X-%04X-8%03X-%04X-%04X%08X",
		       (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xFFFF), (unsigned)(a & 0xFFF),
		       (unsigned)((b >> 48 & 0x3FFF) | 0x8000), (unsigned)(b >> 32 & 0xFFFF),
		       (unsigned)(b & 0xFFFFFFFF));
}

void
pmon_log_set_stem(const char *path, char stem[PMON_SET_STEM])
{
	const char *name = pmon_os_name(path);
	const char *dot = strrchr(name, '.');
	size_t len = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);

	(void)snprintf(stem, PMON_SET_STEM, "%.*s", (int)len, name);
}

void
pmon_log_set_name(const char *stem, size_t i, char name[PMON_SET_NAME])
{
	(void)snprintf(name, PMON_SET_NAME, i == 0 ? "%s" : "%s (%zu)", stem, i + 1);
}

double
pmon_log_set_value(const struct pmon_series *series, const struct pmon_raw *raw,
		   const struct pmon_value *value)
{
	double number;

	if (series->counter.type == PMON_PERF_DOUBLE_RAW) {
		number = pmon_raw_double(raw);
		return number - number == 0 ? number : 0;
	}
	return value != NULL && pmon_vstat_has_value(value->status) ? value->value : 0;
}
