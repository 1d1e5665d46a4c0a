// index.c - what pmon info has found out of a log, so that it is read only once
// SPDX-License-Identifier: MIT
//
// An entry, little-endian
//	"pmon info"       9 bytes, then u8 x 3 the version of pmon, u8 that of this layout
//	key               6 x 8 bytes, struct cache_key
//	survey            8 numbers of 8 bytes, then u32 n and n gaps of 2 x 8
//	source            format, writer, machine, zone (u32 length, text, NUL), then numbers
//	notices           u32 n, each: u8 loss, u64 offset, u64 length, text
//	hash              u64 of all before it
// It is as little trusted as any other file: what is not as it would be written is not there.

#include "apps/info/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/rd.h"
#include "base/utf.h"
#include "base/wr.h"
#include "model/source.h"

#define MAGIC       "pmon info"
#define LAYOUT      2
#define HASH_BYTES  8
#define MAX_NOTICES 1000
#define MAX_TIME    (INT64_C(1) << 62)
#define MAX_OFFSET  (100 * 24 * 60)

struct index_notice {
	struct pmon_notice notice;
	char *text; // the notice's
};

// ---- Which files ----------------------------------------------------------------------------

void
index_open(struct index *index, const struct args *args, const char *file)
{
	*index = (struct index){.file = file};
	index->is_used = !args_flag(args, "--no-cache") && args->encoding == NULL &&
			 args->known_types == NULL && args->names == NULL && !args->dst_repair &&
			 cache_folder(index->folder) && cache_key_of(file, &index->key);
	index->is_settled = index->is_used && cache_is_settled(&index->key);
}

void
index_close(struct index *index)
{
	for (size_t i = 0; i < index->n; i++)
		free(index->notices[i].text);
	free(index->notices);
	*index = (struct index){.is_used = false};
}

void
index_notice(void *ctx, const struct pmon_notice *notice)
{
	struct index *index = ctx;
	struct index_notice *kept;
	size_t size = strlen(notice->text) + 1;

	if (!index->is_used || index->is_lost)
		return;
	if (index->notices == NULL)
		index->notices = calloc(MAX_NOTICES, sizeof(*index->notices));
	index->is_lost = index->notices == NULL || index->n == MAX_NOTICES;
	if (index->is_lost)
		return;
	kept = &index->notices[index->n];
	kept->text = malloc(size);
	index->is_lost = kept->text == NULL;
	if (index->is_lost)
		return;
	memcpy(kept->text, notice->text, size);
	kept->notice = *notice;
	kept->notice.text = kept->text;
	index->n++;
}

// Are these logs of one file, which alone decides what is in them?
static bool
is_alone(const char *format)
{
	return strcmp(format, "BLG") == 0 || strcmp(format, "PDH-CSV") == 0 ||
	       strcmp(format, "PDH-TSV") == 0 || strcmp(format, "JSON lines") == 0;
}

// Is the file what it was before it was read?
static bool
is_unchanged(const struct index *index)
{
	struct cache_key now;

	return index->is_settled && cache_key_of(index->file, &now) &&
	       memcmp(&now, &index->key, sizeof(now)) == 0;
}

// ---- Writing --------------------------------------------------------------------------------

static void
put_text(struct pmon_wr *w, const char *text)
{
	size_t len = strlen(text);

	pmon_wr_u32(w, (uint32_t)len);
	pmon_wr_copy(w, text, len + 1);
}

static void
put_head(struct pmon_wr *w, const struct cache_key *key)
{
	pmon_wr_copy(w, MAGIC, strlen(MAGIC));
	pmon_wr_u8(w, PMON_VERSION_MAJOR);
	pmon_wr_u8(w, PMON_VERSION_MINOR);
	pmon_wr_u8(w, PMON_VERSION_PATCH);
	pmon_wr_u8(w, LAYOUT);
	pmon_wr_u64(w, key->device);
	pmon_wr_u64(w, key->inode);
	pmon_wr_u64(w, key->size_bytes);
	pmon_wr_i64(w, key->changed_ns);
	pmon_wr_i64(w, key->status_ns);
	pmon_wr_u64(w, key->hash);
}

static void
put_survey(struct pmon_wr *w, const struct survey *s)
{
	uint32_t n = s->n_gaps < SURVEY_GAPS ? (uint32_t)s->n_gaps : SURVEY_GAPS;

	pmon_wr_u64(w, s->samples);
	pmon_wr_u64(w, s->values);
	pmon_wr_u64(w, s->counters);
	pmon_wr_i64(w, s->first);
	pmon_wr_i64(w, s->last);
	pmon_wr_u64(w, s->steps_back);
	pmon_wr_i64(w, s->usual);
	pmon_wr_u64(w, s->n_gaps);
	pmon_wr_u32(w, n);
	for (uint32_t i = 0; i < n; i++) {
		pmon_wr_i64(w, s->gaps[i].from);
		pmon_wr_i64(w, s->gaps[i].to);
	}
}

static void
put_info(struct pmon_wr *w, const struct pmon_source_info *info)
{
	put_text(w, info->format);
	put_text(w, info->writer);
	put_text(w, info->converter);
	pmon_wr_u8(w, info->sampled_by_pmon);
	put_text(w, info->machine);
	put_text(w, info->zone);
	pmon_wr_i32(w, info->utc_offset_min);
	pmon_wr_i64(w, info->log_start);
	pmon_wr_i64(w, info->log_end);
	pmon_wr_u64(w, info->size_bytes);
	pmon_wr_u64(w, info->records_unknown);
	pmon_wr_u64(w, info->losses);
	pmon_wr_u64(w, info->bytes_lost);
}

static void
put_notices(struct pmon_wr *w, const struct index *index)
{
	pmon_wr_u32(w, (uint32_t)index->n);
	for (size_t i = 0; i < index->n; i++) {
		const struct pmon_notice *notice = &index->notices[i].notice;

		pmon_wr_u8(w, notice->is_loss);
		pmon_wr_u64(w, notice->offset);
		pmon_wr_u64(w, notice->length);
		put_text(w, notice->text);
	}
}

void
index_keep(const struct index *index, const struct pmon_source *source, const struct survey *survey)
{
	const struct pmon_source_info *info = pmon_source_info(source);
	uint8_t *bytes = malloc(CACHE_ENTRY_BYTES);
	struct pmon_wr w = pmon_wr_init(bytes, bytes != NULL ? CACHE_ENTRY_BYTES : 0);
	size_t len;

	put_head(&w, &index->key);
	put_survey(&w, survey);
	put_info(&w, info);
	put_notices(&w, index);
	len = pmon_wr_pos(&w);
	if (pmon_wr_ok(&w))
		pmon_wr_u64(&w, cache_hash(CACHE_HASH_SEED, bytes, len));
	if (pmon_wr_ok(&w) && index->is_used && !index->is_lost && is_alone(info->format) &&
	    is_unchanged(index))
		cache_put(index->folder, &index->key, bytes, pmon_wr_pos(&w));
	free(bytes);
}

// ---- Reading --------------------------------------------------------------------------------

// A text that stays in the bytes of the entry.
static const char *
take_text(struct pmon_rd *r)
{
	uint32_t len = pmon_rd_count(r, 1);
	const char *text = (const char *)pmon_rd_bytes(r, (size_t)len + 1);

	if (text != NULL && memchr(text, '\0', (size_t)len + 1) == text + len &&
	    pmon_utf8_valid((struct pmon_span){text, len}))
		return text;
	pmon_rd_fail(r);
	return "";
}

static pmon_time
take_time(struct pmon_rd *r)
{
	pmon_time t = pmon_rd_i64(r);

	if (t != PMON_TIME_NONE && (t < 0 || t > MAX_TIME))
		pmon_rd_fail(r);
	return t;
}

static void
take_survey(struct pmon_rd *r, struct survey *s)
{
	uint64_t most;
	uint32_t n;

	s->samples = pmon_rd_u64(r);
	s->values = pmon_rd_u64(r);
	s->counters = pmon_rd_u64(r);
	s->first = take_time(r);
	s->last = take_time(r);
	s->steps_back = pmon_rd_u64(r);
	s->usual = take_time(r);
	s->n_gaps = pmon_rd_u64(r);
	most = s->n_gaps < SURVEY_GAPS ? s->n_gaps : SURVEY_GAPS;
	n = pmon_rd_u32(r);
	if (n != most)
		pmon_rd_fail(r);
	for (uint32_t i = 0; i < n && pmon_rd_ok(r); i++) {
		s->gaps[i].from = take_time(r);
		s->gaps[i].to = take_time(r);
	}
}

static void
take_info(struct pmon_rd *r, struct pmon_source_info *info)
{
	info->format = take_text(r);
	info->writer = take_text(r);
	info->converter = take_text(r);
	info->sampled_by_pmon = pmon_rd_u8(r) != 0;
	info->machine = take_text(r);
	info->zone = take_text(r);
	info->utc_offset_min = pmon_rd_i32(r);
	if (info->utc_offset_min < -MAX_OFFSET || info->utc_offset_min > MAX_OFFSET)
		pmon_rd_fail(r);
	info->log_start = take_time(r);
	info->log_end = take_time(r);
	info->size_bytes = pmon_rd_u64(r);
	info->records_unknown = pmon_rd_u64(r);
	info->losses = pmon_rd_u64(r);
	info->bytes_lost = pmon_rd_u64(r);
}

// Go through the notices, and tell them unless tell is NULL.
static void
take_notices(struct pmon_rd *r, pmon_notice_fn tell, void *ctx)
{
	uint32_t n = pmon_rd_count(r, 1);

	for (uint32_t i = 0; i < n && pmon_rd_ok(r); i++) {
		struct pmon_notice notice = {.is_loss = pmon_rd_u8(r) != 0};

		notice.offset = pmon_rd_u64(r);
		notice.length = pmon_rd_u64(r);
		notice.text = take_text(r);
		if (tell != NULL && pmon_rd_ok(r))
			tell(ctx, &notice);
	}
}

// The entry of the file as it is, after its key. False when it is another's, or damaged.
static bool
open_entry(const struct cache_key *key, const uint8_t *bytes, size_t len, struct pmon_rd *r)
{
	uint8_t head[128];
	struct pmon_wr w = pmon_wr_init(head, sizeof(head));

	put_head(&w, key);
	if (len < pmon_wr_pos(&w) + HASH_BYTES || memcmp(bytes, head, pmon_wr_pos(&w)) != 0)
		return false;
	len -= HASH_BYTES;
	if (pmon_le64(bytes + len) != cache_hash(CACHE_HASH_SEED, bytes, len))
		return false;
	*r = pmon_rd_init(bytes, len, 0);
	pmon_rd_skip(r, pmon_wr_pos(&w));
	return true;
}

// ---- A source that has all been read --------------------------------------------------------

struct known {
	struct pmon_source source;
	uint8_t bytes[CACHE_ENTRY_BYTES];
};

static enum pmon_status
known_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	(void)source, (void)sample, (void)err;
	return PMON_END;
}

static enum pmon_status
known_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)source, (void)err;
	return PMON_OK;
}

static void
known_close(struct pmon_source *source)
{
	free(source);
}

static const struct pmon_source_ops known_ops = {known_next, known_rewind, known_close};

// Read what was kept; *notices is where they begin. False when nothing was, or it is not right.
static bool
take_entry(struct known *known, const struct index *index, struct survey *survey,
	   struct pmon_rd *notices)
{
	size_t len = cache_get(index->folder, &index->key, known->bytes);
	struct pmon_rd r;

	if (!open_entry(&index->key, known->bytes, len, &r))
		return false;
	take_survey(&r, survey);
	take_info(&r, &known->source.info);
	*notices = r;
	take_notices(&r, NULL, NULL);
	return pmon_rd_ok(&r) && pmon_rd_left(&r) == 0;
}

struct pmon_source *
index_find(const struct index *index, struct survey *survey, pmon_notice_fn tell, void *ctx)
{
	struct known *known = index->is_used ? calloc(1, sizeof(*known)) : NULL;
	struct pmon_rd notices;

	if (known == NULL)
		return NULL;
	known->source.ops = &known_ops;
	if (!take_entry(known, index, survey, &notices)) {
		*survey = (struct survey){.samples = 0};
		free(known);
		return NULL;
	}
	take_notices(&notices, tell, ctx);
	return &known->source;
}
