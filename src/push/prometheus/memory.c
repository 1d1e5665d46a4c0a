// memory.c - what was pushed of each series before, in a file per URL
// SPDX-License-Identifier: MIT
//
// Counting continues in the next log where the previous one ended, so that both form one series on
// the server. PATH/<digest of URL>.series: a magic word, then records of fixed size.

#include "push/prometheus/prometheus.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rd.h"
#include "base/wr.h"
#include "os/file.h"
#include "os/outfile.h"

#define MAGIC       UINT64_C(0x32736569726573) // "series2"
#define RECORD_SIZE (92 + 16 * PROM_INTERVALS)
#define PATH_SIZE   4096
#define AT_ONCE     256 // records

static enum pmon_status
path_of(const char *folder, struct pmon_hash128 digest, char path[PATH_SIZE], struct pmon_err *err)
{
	char name[PMON_HASH128_SIZE];

	pmon_hash128_print(digest, name);
	if (snprintf(path, PATH_SIZE, "%s/%s.series", folder, name) >= PATH_SIZE)
		return pmon_err_set(err, PMON_E_ARG, 0, "the folder name is too long");
	return PMON_OK;
}

static struct pmon_hash128
digest_of(const char *url)
{
	struct pmon_hash128 digest = {0};

	pmon_push_digest_text(&digest, url);
	return digest;
}

// ---- Stretches of time ----------------------------------------------------------------------

// No interval: its times would be in 1601.
static bool
is_empty(const struct prom_interval *s)
{
	return s->from == 0 && s->to == 0;
}

void
pmon_prom_interval_add(struct prom_memory *memory, struct prom_interval interval)
{
	struct prom_interval list[PROM_INTERVALS + 1];
	size_t n = 0;
	size_t at;

	for (size_t i = 0; i < PROM_INTERVALS; i++) {
		const struct prom_interval *s = &memory->intervals[i];

		if (is_empty(s))
			continue;
		if (s->to < interval.from || s->from > interval.to) {
			list[n++] = *s;
			continue;
		}
		interval.from = s->from < interval.from ? s->from : interval.from;
		interval.to = s->to > interval.to ? s->to : interval.to;
	}
	for (at = n++; at > 0 && list[at - 1].from > interval.from; at--)
		list[at] = list[at - 1];
	list[at] = interval;
	for (size_t i = PROM_INTERVALS; i > 0; i--)
		memory->intervals[i - 1] = n > 0 ? list[--n] : (struct prom_interval){0, 0};
}

bool
pmon_prom_interval_has(const struct prom_memory *memory, pmon_time time)
{
	for (size_t i = 0; i < PROM_INTERVALS; i++)
		if (!is_empty(&memory->intervals[i]) && time >= memory->intervals[i].from &&
		    time <= memory->intervals[i].to)
			return true;
	return false;
}

// ---- Reading --------------------------------------------------------------------------------

static struct prom_memory
get_record(struct pmon_rd *r)
{
	struct prom_memory m = {.key.high = pmon_rd_u64(r)};

	m.key.low = pmon_rd_u64(r);
	for (size_t i = 0; i < PROM_INTERVALS; i++) {
		m.intervals[i].from = pmon_rd_i64(r);
		m.intervals[i].to = pmon_rd_i64(r);
	}
	m.raw.time = pmon_rd_i64(r);
	m.raw.first = pmon_rd_i64(r);
	m.raw.second = pmon_rd_i64(r);
	m.raw.multi = pmon_rd_u32(r);
	m.raw.status = pmon_rd_u32(r);
	m.n = pmon_rd_u64(r);
	m.d = pmon_rd_u64(r);
	m.pairs = pmon_rd_u64(r);
	m.owner.first = pmon_rd_i64(r);
	m.owner.second = pmon_rd_i64(r);
	m.owner.multi = pmon_rd_u32(r);
	return m;
}

static enum pmon_status
damaged(const char *path, struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_FORMAT, 0,
			    "%s is damaged; remove it to push everything again", path);
}

static enum pmon_status
read_records(struct prom_memories *memories, const struct pmon_allocator *allocator,
	     struct pmon_file *file, struct pmon_err *err)
{
	uint8_t buf[RECORD_SIZE * AT_ONCE];
	enum pmon_status status = PMON_OK;
	uint64_t at = sizeof(uint64_t);
	size_t got = RECORD_SIZE * AT_ONCE;

	while (status == PMON_OK && got == RECORD_SIZE * AT_ONCE) {
		struct pmon_rd r;

		status = pmon_file_read(file, at, buf, RECORD_SIZE * AT_ONCE, &got, err);
		r = pmon_rd_init(buf, got, at);
		at += got;
		if (status == PMON_OK &&
		    !pmon_mem_grow(allocator, &memories->list, &memories->cap,
				   memories->n + got / RECORD_SIZE, sizeof(*memories->list)))
			status = pmon_err_nomem(err);
		while (status == PMON_OK && pmon_rd_left(&r) >= RECORD_SIZE)
			memories->list[memories->n++] = get_record(&r);
	}
	return status;
}

static bool
is_whole(const struct prom_memories *memories, struct pmon_file *file)
{
	uint8_t buf[sizeof(uint64_t)];
	size_t got;
	struct pmon_rd r;

	if (pmon_file_size(file) != sizeof(buf) + memories->n * RECORD_SIZE ||
	    pmon_file_read(file, 0, buf, sizeof(buf), &got, NULL) != PMON_OK)
		return false;
	r = pmon_rd_init(buf, got, 0);
	for (size_t i = 1; i < memories->n; i++)
		if (pmon_hash128_compare(memories->list[i - 1].key, memories->list[i].key) >= 0)
			return false;
	return pmon_rd_u64(&r) == MAGIC;
}

enum pmon_status
pmon_prom_memories_load(struct prom_memories *memories, const struct pmon_allocator *allocator,
			const char *folder, const char *url, struct pmon_err *err)
{
	char path[PATH_SIZE];
	struct pmon_file *file = NULL;
	enum pmon_status status = path_of(folder, digest_of(url), path, err);

	*memories = (struct prom_memories){.n = 0};
	if (status == PMON_OK)
		status = pmon_file_open(path, allocator, &file, err);
	if (status == PMON_E_NOTFOUND)
		return PMON_OK;
	if (status == PMON_OK)
		status = read_records(memories, allocator, file, err);
	if (status == PMON_OK && !is_whole(memories, file))
		status = damaged(path, err);
	pmon_file_close(file);
	return status;
}

void
pmon_prom_memories_free(struct prom_memories *memories, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, memories->list, memories->cap * sizeof(*memories->list));
}

static int
by_key(const void *a, const void *b)
{
	return pmon_hash128_compare(((const struct prom_memory *)a)->key,
				    ((const struct prom_memory *)b)->key);
}

const struct prom_memory *
pmon_prom_memories_find(const struct prom_memories *memories, struct pmon_hash128 key)
{
	const struct prom_memory wanted = {.key = key};

	if (memories->n == 0)
		return NULL;
	return bsearch(&wanted, memories->list, memories->n, sizeof(wanted), by_key);
}

void
pmon_prom_memories_sort(struct prom_memories *memories)
{
	if (memories->n > 1)
		qsort(memories->list, memories->n, sizeof(*memories->list), by_key);
}

enum pmon_status
pmon_prom_memories_merge(struct prom_memories *memories, const struct prom_memories *newer,
			 const struct pmon_allocator *allocator, struct pmon_err *err)
{
	struct prom_memories all = {.n = 0};
	size_t k = 0;

	if (!pmon_mem_grow(allocator, &all.list, &all.cap, memories->n + newer->n,
			   sizeof(*all.list)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < newer->n; i++) {
		while (k < memories->n && by_key(&memories->list[k], &newer->list[i]) < 0)
			all.list[all.n++] = memories->list[k++];
		if (k < memories->n && by_key(&memories->list[k], &newer->list[i]) == 0)
			k++;
		all.list[all.n++] = newer->list[i];
	}
	while (k < memories->n)
		all.list[all.n++] = memories->list[k++];
	pmon_prom_memories_free(memories, allocator);
	*memories = all;
	return PMON_OK;
}

// ---- Writing --------------------------------------------------------------------------------

static void
put_record(struct pmon_outfile *file, const struct prom_memory *m)
{
	uint8_t buf[RECORD_SIZE];
	struct pmon_wr w = pmon_wr_init(buf, sizeof(buf));

	pmon_wr_u64(&w, m->key.high);
	pmon_wr_u64(&w, m->key.low);
	for (size_t i = 0; i < PROM_INTERVALS; i++) {
		pmon_wr_i64(&w, m->intervals[i].from);
		pmon_wr_i64(&w, m->intervals[i].to);
	}
	pmon_wr_i64(&w, m->raw.time);
	pmon_wr_i64(&w, m->raw.first);
	pmon_wr_i64(&w, m->raw.second);
	pmon_wr_u32(&w, m->raw.multi);
	pmon_wr_u32(&w, m->raw.status);
	pmon_wr_u64(&w, m->n);
	pmon_wr_u64(&w, m->d);
	pmon_wr_u64(&w, m->pairs);
	pmon_wr_i64(&w, m->owner.first);
	pmon_wr_i64(&w, m->owner.second);
	pmon_wr_u32(&w, m->owner.multi);
	pmon_outfile_write(file, buf, sizeof(buf));
}

static enum pmon_status
write_file(const char *path, const struct pmon_allocator *allocator,
	   const struct prom_memories *memories, struct pmon_err *err)
{
	uint8_t magic[sizeof(uint64_t)];
	struct pmon_wr w = pmon_wr_init(magic, sizeof(magic));
	struct pmon_outfile_options how = {.allocator = allocator, .overwrite = true, .sync = true};
	struct pmon_outfile *file = NULL;
	enum pmon_status status = pmon_outfile_open(path, &how, &file, err);

	pmon_wr_u64(&w, MAGIC);
	if (status == PMON_OK) {
		pmon_outfile_write(file, magic, sizeof(magic));
		for (size_t i = 0; i < memories->n; i++)
			put_record(file, &memories->list[i]);
		status = pmon_outfile_commit(file, err);
	}
	pmon_outfile_close(file);
	return status;
}

enum pmon_status
pmon_prom_memories_save(const struct prom_memories *memories,
			const struct pmon_allocator *allocator, const char *folder, const char *url,
			struct pmon_err *err)
{
	char path[PATH_SIZE];
	struct prom_memories all;
	enum pmon_status status = pmon_prom_memories_load(&all, allocator, folder, url, err);

	if (status == PMON_OK)
		status = pmon_prom_memories_merge(&all, memories, allocator, err);
	if (status == PMON_OK)
		status = path_of(folder, digest_of(url), path, err);
	if (status == PMON_OK)
		status = write_file(path, allocator, &all, err);
	pmon_prom_memories_free(&all, allocator);
	return status;
}
