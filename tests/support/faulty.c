// faulty.c - read a log while memory or file access fails
// SPDX-License-Identifier: MIT

#include "faulty.h"

#include <errno.h>

#include "format/format.h"
#include "model/source.h"

static enum pmon_status
bad_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out, struct pmon_err *err)
{
	struct faulty *f = ctx;
	size_t left = offset < f->len ? f->len - (size_t)offset : 0;

	f->calls++;
	if (f->fail_at != 0 && (f->fail_rest ? f->calls >= f->fail_at : f->calls == f->fail_at))
		return pmon_err_sys(err, PMON_E_IO, EIO, "cannot read");
	*got_out = len < left ? len : left;
	memcpy(buf, (const char *)f->bytes + offset, *got_out);
	return PMON_OK;
}

static const struct pmon_file_ops bad_ops = {bad_read, NULL};

// Open the log, which takes ownership of the file.
static enum pmon_status
open_faulty(struct faulty *f, const struct pmon_log_options *options, struct pmon_source **source,
	    struct pmon_err *err)
{
	struct pmon_file *file;
	enum pmon_status status =
		pmon_file_custom(&bad_ops, f, f->len, options->allocator, &file, err);

	return status == PMON_OK ? pmon_log_open_file(file, options, source, err) : status;
}

// A reader that continues after a failure gets the same sample or the next one.
static void
go_on(struct pmon_source *source, enum pmon_status failure, const char *name)
{
	const struct pmon_sample *sample;
	enum pmon_status status = pmon_source_next(source, &sample, NULL);

	if (status != PMON_OK && status != PMON_END)
		T_EQ_I64_AT(status, failure, name);
}

enum pmon_status
faulty_read(struct faulty *f, struct t_memory *memory, struct dump *seen)
{
	struct pmon_allocator allocator = t_memory_allocator(memory);
	struct pmon_log_options options = {.size = sizeof(options),
					   .allocator = &allocator,
					   .notice = dump_notice,
					   .notice_ctx = seen,
					   .texts = true};
	struct pmon_source *source = NULL;
	struct pmon_err own = {.status = PMON_OK};
	struct pmon_err *err = f->is_quiet ? NULL : &own;
	enum pmon_status status;

	*seen = (struct dump){0};
	dump_notice(seen, &(struct pmon_notice){.text = "begin"});
	status = open_faulty(f, &options, &source, err);
	if (status == PMON_OK)
		status = dump_read(seen, source, err);
	if (status == PMON_END)
		status = pmon_source_rewind(source, err);
	if (status == PMON_OK)
		status = dump_read(seen, source, err);
	if (status != PMON_END && !f->is_quiet)
		T_EQ_I64_AT(own.status, status, f->name);
	if (status != PMON_END && source != NULL)
		go_on(source, status, f->name);
	pmon_source_close(source);
	T_EQ_U64_AT(memory->live_blocks, 0, f->name);
	return status;
}

struct dump
faulty_healthy(const char *name, const void *bytes, size_t len)
{
	struct faulty f = {.name = name, .bytes = bytes, .len = len};
	struct t_memory memory = {0};
	struct dump seen;

	T_EQ_I64_AT(faulty_read(&f, &memory, &seen), PMON_END, name);
	return seen;
}

void
faulty_allocations(const char *name, const void *bytes, size_t len)
{
	struct dump healthy = faulty_healthy(name, bytes, len);

	for (int mode = 0; mode < 4; mode++) {
		bool is_done = false;

		for (size_t at = 1; !is_done; at++) {
			struct faulty f = {
				.name = name, .bytes = bytes, .len = len, .is_quiet = mode >= 2};
			struct t_memory memory = {.fail_at = at, .fail_rest = mode % 2 == 1};
			struct dump seen;
			enum pmon_status status = faulty_read(&f, &memory, &seen);

			is_done = t_memory_sufficed(&memory);
			if (status != PMON_END || is_done)
				T_EQ_I64_AT(status, is_done ? PMON_END : PMON_E_NOMEM, name);
			if (status == PMON_END)
				T_EQ_STR_AT(seen.text, healthy.text, name);
			dump_free(&seen);
		}
	}
	dump_free(&healthy);
}

void
faulty_reads(const char *name, const void *bytes, size_t len)
{
	struct dump healthy = faulty_healthy(name, bytes, len);

	for (int mode = 0; mode < 4; mode++) {
		bool is_done = false;

		for (size_t at = 1; !is_done; at++) {
			struct faulty f = {.name = name,
					   .bytes = bytes,
					   .len = len,
					   .fail_at = at,
					   .fail_rest = mode % 2 == 1,
					   .is_quiet = mode >= 2};
			struct t_memory memory = {0};
			struct dump seen;
			enum pmon_status status = faulty_read(&f, &memory, &seen);

			is_done = f.calls < at;
			if (status == PMON_END)
				T_EQ_STR_AT(seen.text, healthy.text, name);
			else
				T_EQ_I64_AT(status, PMON_E_IO, name);
			dump_free(&seen);
		}
	}
	dump_free(&healthy);
}

// ---- Parts ----------------------------------------------------------------------------------

#define MOST_PARTS 4

// Read the parts of a source one after another, and join them. Returns PMON_END or the first
// failure.
static enum pmon_status
read_parts(struct pmon_source *source, struct pmon_source **parts, size_t *n)
{
	static uint32_t numbers[MOST_PARTS][256];
	uint32_t *maps[MOST_PARTS];
	const struct pmon_sample *sample;
	struct pmon_err err;
	enum pmon_status status = source->split->split(source, 1, parts, n, &err);

	for (size_t i = 0; i < *n && status == PMON_OK; i++) {
		while (status == PMON_OK)
			status = pmon_source_next(parts[i], &sample, &err);
		assert_in_range(pmon_schema_count(pmon_source_schema(parts[i])), 0,
				T_LEN(numbers[i]));
		memset(numbers[i], 0xFF, sizeof(numbers[i]));
		maps[i] = numbers[i];
		status = status == PMON_END ? PMON_OK : status;
	}
	if (status == PMON_OK && *n > 0)
		status = source->split->join(source, parts, *n, maps, &err);
	return status == PMON_OK ? PMON_END : status;
}

// A log that is read in parts: what it has learned by then is in the number of its counters.
static enum pmon_status
read_in_parts(const char *name, const void *bytes, size_t len, struct t_memory *memory,
	      size_t *n_series)
{
	struct pmon_allocator allocator = t_memory_allocator(memory);
	struct pmon_log_options options = {.size = sizeof(options), .allocator = &allocator};
	struct pmon_source *parts[MOST_PARTS];
	struct pmon_source *source = NULL;
	struct pmon_file *file;
	struct pmon_err err;
	size_t n = MOST_PARTS;
	enum pmon_status status = pmon_file_memory(bytes, len, &allocator, &file, &err);

	if (status == PMON_OK)
		status = pmon_log_open_file(file, &options, &source, &err);
	if (status == PMON_OK) {
		status = source->split != NULL ? read_parts(source, parts, &n) : PMON_E_STATE;
		while (source->split != NULL && n > 0)
			pmon_source_close(parts[--n]);
	}
	*n_series = source != NULL ? pmon_schema_count(pmon_source_schema(source)) : 0;
	pmon_source_close(source);
	T_EQ_U64_AT(memory->live_blocks, 0, name);
	return status;
}

bool
faulty_parts(const char *name, const void *bytes, size_t len)
{
	struct t_memory enough = {0};
	size_t n_healthy;
	enum pmon_status healthy = read_in_parts(name, bytes, len, &enough, &n_healthy);
	bool is_done = healthy == PMON_E_STATE;

	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		size_t n;
		enum pmon_status status = read_in_parts(name, bytes, len, &memory, &n);

		is_done = t_memory_sufficed(&memory);
		if (is_done || status == PMON_END) {
			T_EQ_I64_AT(status, healthy, name);
			T_EQ_U64_AT(n, n_healthy, name);
		} else if (status != PMON_E_STATE) {
			T_EQ_I64_AT(status, PMON_E_NOMEM, name);
		}
	}
	return healthy == PMON_END;
}
