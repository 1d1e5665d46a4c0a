// test_blg_sparse.c - one counter of a binary log of many is read, while its file fails or becomes shorter
// SPDX-License-Identifier: MIT
//
// If one of many counters is requested, the reader reads event headers and that counter's values,
// in many small reads. If one of these fails, the values read are still the written ones, or the
// failure is reported.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE // defines pread() inline

#include "t.h"

#ifdef __linux__

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "blg_log.h"
#include "buf.h"
#include "folder.h"
#include "format/format.h"

#define N_SINGLES 400
#define WANTED    217
#define BUFFER    0x8000
#define HEAD      8
#define VALUE     0x30

#define WITHOUT_CLOCK 5 // the number of a sample

// ---- Reads that fail ------------------------------------------------------------------------

// Found before the function of the C library.
static struct {
	size_t n;       // reads
	size_t fail_at; // from 1; 0: none
	bool fail_rest; // and all later ones
	size_t cut_at;  // from this read on the file ends `cut` bytes after the start of that read
	off_t cut;
	off_t end;
} reads;

ssize_t
pread(int fd, void *buf, size_t n, off_t offset)
{
	reads.n++;
	if (reads.n == reads.fail_at || (reads.fail_rest && reads.n > reads.fail_at)) {
		errno = EIO;
		return -1;
	}
	if (reads.n == reads.cut_at)
		reads.end = offset + reads.cut;
	if (reads.cut_at > 0 && reads.n >= reads.cut_at) {
		if (offset >= reads.end)
			return 0;
		n = n < (size_t)(reads.end - offset) ? n : (size_t)(reads.end - offset);
	}
	return preadv(fd, &(struct iovec){.iov_base = buf, .iov_len = n}, 1, offset);
}

// ---- Logs -----------------------------------------------------------------------------------

static void
put_little(uint8_t *out, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = (uint8_t)(value >> 8 * i);
}

// The bytes of a sample of single values, by docs/reference/formats/blg.md: value i is 1000 * number + i.
static uint8_t *
make_sample(int64_t number, int64_t time, size_t n, size_t *len)
{
	static const uint8_t sample_head[] = {'B', 'L', 3, 0};
	static const uint8_t value_head[] = {'B', 'L', 3, 1, VALUE};
	uint8_t *bytes = calloc(1, HEAD + n * VALUE);

	assert_non_null(bytes);
	*len = HEAD + n * VALUE;
	memcpy(bytes, sample_head, sizeof(sample_head));
	put_little(bytes + 4, *len, 4);
	for (size_t i = 0; i < n; i++) {
		uint8_t *value = bytes + HEAD + i * VALUE;
		int64_t first = 1000 * number + (int64_t)i;

		memcpy(value, value_head, sizeof(value_head));
		put_little(value + 0x0C, (uint64_t)time, 8);
		put_little(value + 0x18, (uint64_t)first, 8);
		put_little(value + 0x20, (uint64_t)time, 8);
		value[0x28] = 1;
	}
	// If the value that gives the offset to UTC is invalid, the others are used: the sample is read whole.
	if (number == WITHOUT_CLOCK)
		put_little(bytes + HEAD + 8, PMON_RAW_INVALID, 4);
	return bytes;
}

// The counters \\O(i<from>)\C and so on.
static void
list_counters(struct blg_build *b, size_t from, size_t n)
{
	struct blg_build_entry *entries = calloc(n, sizeof(*entries));
	char(*names)[16] = calloc(n, sizeof(*names));

	assert_non_null(entries);
	assert_non_null(names);
	for (size_t i = 0; i < n; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "i%zu", from + i);
		// the first gives the offset to UTC
		entries[i] = (struct blg_build_entry){.type = i == 0 ? TIMER_100N : RAWCOUNT,
						      .time_base = 10000000,
						      .object = "O",
						      .instance = names[i],
						      .counter = "C"};
	}
	blg_build_catalogue(b, T0 - SECOND, entries, n);
	free(entries);
	free(names);
}

// How samples are cut into parts: these lengths, then the rest.
struct cut {
	size_t n;
	size_t len[4];
};

static void
put_sample(struct blg_build *b, int64_t number, const struct cut *cut)
{
	int64_t time = T0 + number * SECOND;
	size_t len, at = 0;
	uint8_t *bytes = make_sample(number, time, N_SINGLES, &len);

	for (size_t i = 0; i <= cut->n; i++) {
		size_t part = i < cut->n ? cut->len[i] : len - at;

		blg_build_part(b, 0x22, time, (uint32_t)i + 1, (uint32_t)cut->n + 1, bytes + at,
			       part);
		at += part;
	}
	free(bytes);
}

#define N_SAMPLES 8

static uint8_t *
make_log(size_t *len)
{
	static const struct cut cuts[] = {
		{0, {0}},
		{3, {0, 3, 4}}, // the beginning of a sample in several parts
		{2, {HEAD + WANTED * VALUE + 20, 4000}}, // ... the value that is wanted in two
		{2, {19000, 8 + 200}},                   // ... and a last one that is short
	};
	struct blg_build_options options = {.end = T0 + HOUR, .buffer_bytes = BUFFER};
	struct blg_build *b = blg_build_new(&options);

	list_counters(b, 0, N_SINGLES);
	for (int64_t s = 0; s < N_SAMPLES; s++)
		put_sample(b, s, &cuts[s % 4]);
	return blg_build_finish(b, len);
}

// ---- Reading --------------------------------------------------------------------------------

static bool
want_one(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	return path->instance.len == 4 && memcmp(path->instance.ptr, "i217", 4) == 0;
}

static void
add_notice(void *ctx, const struct pmon_notice *notice)
{
	buf_add(ctx, "%d %" PRIu64 " %" PRIu64 " %s\n", (int)notice->is_loss, notice->offset,
		notice->length, notice->text);
}

static void
add_sample(struct buf *text, const struct pmon_source *source, const struct pmon_sample *sample)
{
	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_series *s =
			pmon_schema_at(pmon_source_schema(source), sample->series[i]);

		if (want_one(NULL, &s->path))
			buf_add(text, "%" PRId64 " = %" PRId64 "\n", (sample->time - T0) / SECOND,
				sample->raw[i].first);
	}
}

static struct buf
written(void)
{
	struct buf text = {NULL, 0, 0};

	for (int64_t s = 0; s < N_SAMPLES; s++)
		buf_add(&text, "%" PRId64 " = %" PRId64 "\n", s, 1000 * s + WANTED);
	return text;
}

// Read to the end, or until it fails twice in a row. Returns the last status.
static enum pmon_status
read_source(struct pmon_source *source, struct buf *text)
{
	const struct pmon_sample *sample;
	enum pmon_status status, before = PMON_OK;

	for (;; before = status) {
		status = pmon_source_next(source, &sample, NULL);
		if (status == PMON_OK)
			add_sample(text, source, sample);
		else if (status == PMON_END || status == before)
			return status;
	}
}

// The result of a read of a file with the faults that are set.
struct outcome {
	enum pmon_status status;
	struct buf text;
	struct buf notices;
};

static struct outcome
read_file(const char *path)
{
	struct outcome out = {.status = PMON_OK};
	struct pmon_log_options options = {.size = sizeof(options),
					   .want = want_one,
					   .notice = add_notice,
					   .notice_ctx = &out.notices};
	struct pmon_source *source;

	buf_add(&out.text, "%s", "");
	buf_add(&out.notices, "%s", "");
	reads.n = 0;
	out.status = pmon_log_open(path, &options, &source, NULL);
	if (out.status != PMON_OK)
		return out;
	out.status = read_source(source, &out.text);
	pmon_source_close(source);
	return out;
}

static struct outcome
read_bytes(const uint8_t *bytes, size_t len, bool all)
{
	struct outcome out = {.status = PMON_OK};
	struct pmon_log_options options = {.size = sizeof(options),
					   .want = all ? NULL : want_one,
					   .notice = add_notice,
					   .notice_ctx = &out.notices};
	struct pmon_source *source;

	buf_add(&out.text, "%s", "");
	buf_add(&out.notices, "%s", "");
	source = open_bytes(bytes, len, &options);
	out.status = read_source(source, &out.text);
	pmon_source_close(source);
	return out;
}

static void
free_outcome(struct outcome *out)
{
	buf_free(&out->text);
	buf_free(&out->notices);
}

static void
write_file(char path[64])
{
	size_t len;
	uint8_t *bytes = make_log(&len);

	(void)snprintf(path, 64, "%s/one.blg", folder);
	t_write_file(path, bytes, len);
	free(bytes);
}

// ---- Tests ----------------------------------------------------------------------------------

// A reader that continues after a failure gets the next sample, or the failure again; never another one.
static void
each_read_fails(void **state)
{
	struct buf want = written();
	char path[64];

	(void)state;
	write_file(path);
	for (int rest = 0; rest < 2; rest++) {
		size_t n_failed = 0;
		size_t at = 0;

		do {
			struct outcome out;

			reads.fail_at = ++at;
			reads.fail_rest = rest != 0;
			out = read_file(path);
			assert_in_range(out.text.len, 0, want.len);
			assert_memory_equal(out.text.text, want.text, out.text.len);
			if (out.status == PMON_END)
				T_EQ_U64(out.text.len, want.len);
			else
				T_EQ_I64(out.status, PMON_E_IO);
			T_EQ_U64(out.notices.len, 0);
			n_failed += out.status != PMON_END;
			free_outcome(&out);
		} while (reads.n >= at);
		assert_in_range(n_failed, 20, at - 1);
	}
	memset(&reads, 0, sizeof(reads));
	assert_int_equal(unlink(path), 0);
	buf_free(&want);
}

// The values read from a file that became shorter are those written, and the missing part is reported.
static void
the_file_becomes_shorter(void **state)
{
	static const off_t cuts[] = {0, 4, 0x47, 0x48 + 40, 0x48 + 79, 150, 200};
	struct buf want = written();
	char path[64];

	(void)state;
	write_file(path);
	for (size_t i = 0; i < T_LEN(cuts); i++) {
		size_t at = 0;

		do {
			struct outcome out;

			reads.cut_at = ++at;
			reads.cut = cuts[i];
			out = read_file(path);
			if (out.status == PMON_END && strcmp(out.text.text, want.text) != 0) {
				assert_in_range(out.text.len, 0, want.len - 1);
				assert_memory_equal(out.text.text, want.text, out.text.len);
				assert_in_range(out.notices.len, 1, SIZE_MAX);
			}
			free_outcome(&out);
		} while (reads.n >= at);
	}
	memset(&reads, 0, sizeof(reads));
	assert_int_equal(unlink(path), 0);
	buf_free(&want);
}

// A file that is cut off is the same log whether one counter of it is read or all are.
static void
cut_files(void **state)
{
	size_t len;
	uint8_t *bytes = make_log(&len);
	size_t last = (len - 1) / BUFFER * BUFFER;
	const uint8_t *p = bytes + last;
	size_t used = (size_t)(p[0x30] | p[0x31] << 8);

	(void)state;
	for (size_t at = len; at > last - 300;
	     at -= at > last + used + 9 || at < last + 400 ? 1 : 7) {
		struct outcome all = read_bytes(bytes, at, true);
		struct outcome one = read_bytes(bytes, at, false);

		T_EQ_STR(one.text.text, all.text.text);
		T_EQ_STR(one.notices.text, all.notices.text);
		T_EQ_BOOL_AT(all.notices.len > 0, at < len, "cut");
		free_outcome(&all);
		free_outcome(&one);
	}
	free(bytes);
}

// The samples of another log are in the same buffers; they are few values, and read whole.
static void
samples_of_two_logs(void **state)
{
	static const uint8_t ids[2][16] = {{1}, {2}};
	struct blg_build_options options = {.end = T0 + HOUR, .buffer_bytes = BUFFER};
	struct blg_build *b = blg_build_new(&options);
	struct outcome one;
	uint8_t *file;
	size_t len;

	(void)state;
	blg_build_log_id(b, ids[0]);
	list_counters(b, 0, N_SINGLES);
	blg_build_log_id(b, ids[1]);
	list_counters(b, WANTED - 1, 2);
	for (int64_t s = 0; s < 3; s++) {
		blg_build_log_id(b, ids[0]);
		put_sample(b, s, &(struct cut){.n = 0});
		blg_build_log_id(b, ids[1]);
		blg_build_sample_begin(b);
		blg_build_single(b, 0, T0 + s * SECOND, 50 + s, T0 + s * SECOND, 1);
		blg_build_single(b, 0, T0 + s * SECOND, 60 + s, 0, 1);
		blg_build_sample_end(b, T0 + s * SECOND);
	}
	file = blg_build_finish(b, &len);
	one = read_bytes(file, len, false);
	T_EQ_STR(one.text.text, "0 = 217\n0 = 60\n1 = 1217\n1 = 61\n2 = 2217\n2 = 62\n");
	T_EQ_U64(one.notices.len, 0);
	free_outcome(&one);
	free(file);
}

// Damage in the first bytes of a sample is reported and loses the sample, as in a full read.
static void
heads_of_samples_are_damaged(void **state)
{
	struct blg_build_options options = {.end = T0 + HOUR, .buffer_bytes = BUFFER};
	struct blg_build *b = blg_build_new(&options);
	uint8_t *file, *head;
	size_t len;

	(void)state;
	list_counters(b, 0, N_SINGLES);
	for (int64_t s = 0; s < 3; s++) {
		(void)blg_build_flush(b);
		put_sample(b, s, &(struct cut){.n = 0});
	}
	file = blg_build_finish(b, &len);
	// the sample in the middle: after the heads of its buffer and its event
	head = file + (len / BUFFER - 2) * BUFFER + 0x48 + 72;
	assert_memory_equal(head, "BL\3\0", 4);
	for (size_t i = 0; i < HEAD; i++) {
		struct outcome all, one;

		head[i] ^= 0x80;
		all = read_bytes(file, len, true);
		one = read_bytes(file, len, false);
		T_EQ_STR(one.text.text, "0 = 217\n2 = 2217\n");
		T_EQ_STR(all.text.text, one.text.text);
		T_EQ_STR(one.notices.text, all.notices.text);
		assert_non_null(strstr(one.notices.text, "sample of 2020-01-01 00:00:01.000"));
		free_outcome(&all);
		free_outcome(&one);
		head[i] ^= 0x80;
	}
	free(file);
}

static void
each_allocation_fails(void **state)
{
	struct buf want = written();
	struct t_memory memory;
	size_t len, at = 0;
	uint8_t *bytes = make_log(&len);

	(void)state;
	do {
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_log_options options = {
			.size = sizeof(options), .want = want_one, .allocator = &allocator};
		struct buf text = {NULL, 0, 0};
		struct pmon_source *source = NULL;
		struct pmon_file *file;
		enum pmon_status status;

		memory = (struct t_memory){.fail_at = ++at};
		buf_add(&text, "%s", "");
		status = pmon_file_memory(bytes, len, &allocator, &file, NULL);
		if (status == PMON_OK)
			status = pmon_log_open_file(file, &options, &source, NULL);
		if (status == PMON_OK)
			status = read_source(source, &text);
		pmon_source_close(source);
		T_EQ_I64(status, memory.calls < at ? PMON_END : PMON_E_NOMEM);
		assert_memory_equal(text.text, want.text, text.len);
		T_EQ_U64(memory.live_blocks, 0);
		buf_free(&text);
	} while (memory.calls >= at);
	assert_in_range(at, 20, 1000);
	free(bytes);
	buf_free(&want);
}

// A sample in more parts than the reader keeps in mind, of one byte each: 65536 of them (record.c).
static void
a_sample_in_many_parts(void **state)
{
	enum {
		N = 1400
	};
	struct blg_build_options options = {.end = T0 + HOUR, .buffer_bytes = 0x10000};
	struct blg_build *b = blg_build_new(&options);
	struct outcome one;
	size_t len, file_len;
	uint8_t *bytes = make_sample(0, T0, N, &len);
	uint8_t *file;

	(void)state;
	assert_in_range(len, 65537, 70000);
	list_counters(b, 0, N);
	(void)blg_build_flush(b); // of the buffer of a list of counters all is read
	for (size_t i = 0; i < len; i++)
		blg_build_part(b, 0x22, T0, (uint32_t)i + 1, (uint32_t)len, bytes + i, 1);
	file = blg_build_finish(b, &file_len);
	one = read_bytes(file, file_len, false);
	T_EQ_STR(one.text.text, "0 = 217\n");
	T_EQ_U64(one.notices.len, 0);
	free_outcome(&one);
	free(file);
	free(bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_read_fails),
		cmocka_unit_test(the_file_becomes_shorter),
		cmocka_unit_test(cut_files),
		cmocka_unit_test(samples_of_two_logs),
		cmocka_unit_test(heads_of_samples_are_damaged),
		cmocka_unit_test(each_allocation_fails),
		cmocka_unit_test(a_sample_in_many_parts),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}

#else

int
main(void)
{
	return 77;
}

#endif
