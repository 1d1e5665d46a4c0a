// write_sets.c - the log sets of a database that is written: a set for each stream of the source
// SPDX-License-Identifier: MIT

#include "format/sqlite/write.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/wr.h"
#include "os/dir.h"

// The hash of a list of bytes: that of the list without its last, with the last, is hashed again.
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
hash_log(const struct sqlog_writer *w, const struct sqlog_out_set *set)
{
	const struct pmon_source_info *info = w->info;
	struct pmon_hash128 hash = {0};
	uint8_t numbers[20];
	struct pmon_wr out = pmon_wr_init(numbers, sizeof(numbers));

	pmon_wr_i64(&out, info->log_start);
	pmon_wr_i64(&out, set->first);
	pmon_wr_u32(&out, set->stream);
	hash = hash_more(hash, info->writer, strlen(info->writer));
	hash = hash_more(hash, info->machine, strlen(info->machine));
	hash = hash_more(hash, numbers, sizeof(numbers));
	for (size_t i = 0; i < pmon_schema_count(w->schema); i++) {
		struct pmon_span name = pmon_schema_at(w->schema, i)->name;

		hash = hash_more(hash, name.ptr, name.len);
	}
	return hash;
}

// A GUID that is made from what the log is of, so that the same log always has the same: version 8,
// which is for such (RFC 9562).
static void
make_guid(const struct sqlog_writer *w, struct sqlog_out_set *set)
{
	struct pmon_hash128 hash = hash_log(w, set);
	uint64_t a = hash.high;
	uint64_t b = hash.low;

	(void)snprintf(set->guid, sizeof(set->guid), "%08X-%04X-8%03X-%04X-%04X%08X",
		       (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xFFFF), (unsigned)(a & 0xFFF),
		       (unsigned)((b >> 48 & 0x3FFF) | 0x8000), (unsigned)(b >> 32 & 0xFFFF),
		       (unsigned)(b & 0xFFFFFFFF));
}

static enum pmon_status
add_log(const struct sqlog_writer *w, const struct sqlog_out_set *set, struct pmon_err *err)
{
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_LOG);

	sqlog_put_int(&row, set->stream);
	sqlog_put_text(&row, set->guid);
	sqlog_put_text(&row, w->info->format);
	sqlog_put_text(&row, w->info->writer);
	sqlog_put_text(&row, w->info->machine);
	sqlog_put_text(&row, w->info->zone);
	sqlog_put_int(&row, w->info->utc_offset_min);
	sqlog_put_time(&row, w->info->log_start);
	sqlog_put_time(&row, w->info->log_end);
	sqlog_put_text(&row, pmon_source_converter(w->info));
	sqlog_put_int(&row, w->info->sampled_by_pmon);
	return pmon_sqlite_insert(w, &row, err);
}

// A live source is one stream.
static void
continue_set(const struct sqlog_writer *w, struct sqlog_out_set *set)
{
	memcpy(set->guid, w->old.guid, sizeof(set->guid));
	set->records = w->old.records;
	set->first = w->old.first;
	set->utc_offset_min = w->old.utc_offset_min;
}

enum pmon_status
pmon_sqlite_out_set(struct sqlog_writer *w, const struct pmon_sample *sample,
		    struct sqlog_out_set **out, struct pmon_err *err)
{
	struct sqlog_out_set *set;

	for (size_t i = 0; i < w->n_sets; i++)
		if (w->sets[i].stream == sample->stream) {
			*out = &w->sets[i];
			return PMON_OK;
		}
	if (!pmon_mem_grow(w->allocator, &w->sets, &w->sets_cap, w->n_sets + 1, sizeof(*w->sets)))
		return pmon_err_nomem(err);
	set = &w->sets[w->n_sets++];
	*set = (struct sqlog_out_set){.stream = sample->stream,
				      .first = sample->time,
				      .utc_offset_min = sample->utc_offset_min};
	*out = set;
	if (w->old.is_there) {
		continue_set(w, set);
		return PMON_OK;
	}
	make_guid(w, set);
	return add_log(w, set, err);
}

static enum pmon_status
tell_set(const struct sqlog_writer *w, size_t i, struct pmon_err *err)
{
	const struct sqlog_out_set *set = &w->sets[i];
	char from[PMON_TIME_SIZE];
	char to[PMON_TIME_SIZE];
	char name[300];
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_SET);

	(void)snprintf(name, sizeof(name), i == 0 ? "%s" : "%s (%zu)", w->stem, i + 1);
	pmon_time_local(set->first, 0, from);
	pmon_time_local(set->last, 0, to);
	sqlog_put_text(&row, set->guid);
	sqlog_put_text(&row, name);
	sqlog_put_text(&row, from);
	sqlog_put_text(&row, to);
	sqlog_put_int(&row, (int64_t)set->records);
	sqlog_put_int(&row, -(int64_t)set->utc_offset_min);
	sqlog_put_text(&row, w->info->zone);
	return pmon_sqlite_insert(w, &row, err);
}

void
pmon_sqlite_set_stem(struct sqlog_writer *w, const char *path)
{
	const char *name = pmon_os_name(path);
	const char *dot;
	size_t len;

	dot = strrchr(name, '.');
	len = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
	(void)snprintf(w->stem, sizeof(w->stem), "%.*s", (int)len, name);
}

enum pmon_status
pmon_sqlite_tell_sets(const struct sqlog_writer *w, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < w->n_sets; i++)
		status = tell_set(w, i, err);
	return status;
}
