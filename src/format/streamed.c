// streamed.c - read a compressed log while it is unpacked
// SPDX-License-Identifier: MIT
//
// Only an intact log in order can be read while it is unpacked. Problems that only the end reveals
// (damaged compressed data, buffers of a BLG log out of order) fail with PMON_E_STATE, and the
// caller unpacks the log and opens it again. Reports are held back until the end is read, so that
// none is repeated then.

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "format/format.h"
#include "os/stream.h"

#define MAX_NOTICES 1000

struct note {
	struct note *next;
	struct pmon_notice notice;
};

struct streamed {
	struct pmon_source source;
	const struct pmon_allocator *allocator;
	struct pmon_file *packed;
	struct pmon_file *file; // the log's
	pmon_notice_fn notice;
	void *notice_ctx;
	struct pmon_arena arena;
	struct note *first; // not reported yet
	struct note **end;
	size_t n_notes;
	bool is_full; // there were too many to keep
};

// ---- Reports --------------------------------------------------------------------------------

static void
keep(void *ctx, const struct pmon_notice *notice)
{
	struct streamed *s = ctx;
	struct note *note = NULL;
	struct pmon_span text = {notice->text, strlen(notice->text)};

	if (s->n_notes++ < MAX_NOTICES)
		note = pmon_arena_alloc(&s->arena, sizeof(*note));
	if (note == NULL || !pmon_arena_copy(&s->arena, text, &text)) {
		s->is_full = true;
		return;
	}
	note->notice = *notice;
	note->notice.text = text.ptr;
	*s->end = note;
	s->end = &note->next;
}

static void
tell_all(struct streamed *s)
{
	for (const struct note *note = s->first; note != NULL; note = note->next)
		if (s->notice != NULL)
			s->notice(s->notice_ctx, &note->notice);
	s->first = NULL;
	s->end = &s->first;
	s->n_notes = 0;
}

// ---- The source -----------------------------------------------------------------------------

static enum pmon_status
finish(struct streamed *s)
{
	struct pmon_source_info *info = &s->source.inner->info;

	info->size_bytes = info->bytes_read = pmon_file_size(s->file);
	tell_all(s);
	return PMON_END;
}

static enum pmon_status
streamed_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct streamed *s = (struct streamed *)source;
	enum pmon_status status = pmon_source_next(source->inner, sample, err);

	if (status == PMON_END && !s->is_full)
		return finish(s);
	if (status != PMON_OK)
		return pmon_err_set(err, PMON_E_STATE, 0, "cannot be read while being unpacked");
	return PMON_OK;
}

static enum pmon_status
streamed_rewind(struct pmon_source *source, struct pmon_err *err)
{
	return pmon_source_rewind(source->inner, err);
}

static void
streamed_close(struct pmon_source *source)
{
	struct streamed *s = (struct streamed *)source;
	const struct pmon_allocator *allocator = s->allocator;

	pmon_source_close(source->inner);
	pmon_file_close(s->packed);
	pmon_arena_free(&s->arena);
	pmon_mem_free(allocator, s, sizeof(*s));
}

static const struct pmon_source_ops ops = {streamed_next, streamed_rewind, streamed_close};

// Takes ownership of the stream, even on failure.
static enum pmon_status
open_log(struct streamed *s, const struct pmon_log_options *options, struct pmon_err *err)
{
	struct pmon_log_options inner = *options;
	const struct pmon_format *format;
	uint8_t head[PMON_PROBE_BYTES];
	size_t len;
	enum pmon_status status = pmon_file_read(s->file, 0, head, sizeof(head), &len, err);

	format = status == PMON_OK ? pmon_format_find(head, len) : NULL;
	if (format == NULL || !format->is_forward) {
		pmon_file_close(s->file);
		return pmon_err_set(err, PMON_E_STATE, 0,
				    "not a log that can be read sequentially");
	}
	inner.notice = keep;
	inner.notice_ctx = s;
	return pmon_format_open(format, &(struct pmon_log_files){.file = s->file}, &inner,
				&s->source.inner, err);
}

enum pmon_status
pmon_streamed_open(struct pmon_file *packed, const struct pmon_log_options *options,
		   struct pmon_source **source, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct streamed *s = pmon_mem_alloc0(allocator, sizeof(*s));
	enum pmon_status status;

	if (s == NULL)
		return pmon_err_nomem(err);
	s->source.ops = &ops;
	s->allocator = allocator;
	s->notice = options->notice;
	s->notice_ctx = options->notice_ctx;
	s->end = &s->first;
	pmon_arena_init(&s->arena, allocator);
	status = pmon_file_stream(packed, options->limits.unpacked_bytes, allocator, &s->file, err);
	if (status == PMON_OK)
		status = open_log(s, options, err);
	if (status != PMON_OK) {
		streamed_close(&s->source);
		return status;
	}
	s->packed = packed;
	s->source.inner->info.size_bytes = 0; // unknown so far
	*source = &s->source;
	return PMON_OK;
}
