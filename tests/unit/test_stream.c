// test_stream.c - compressed inputs that are read while they are unpacked
// SPDX-License-Identifier: MIT
//
// The bytes read are compared with those compressed by zlib and libzstd, and logs with what is read
// from the same log after decompression.

#include "t.h"

#if defined(PMON_WITH_ZLIB) && defined(PMON_WITH_ZSTD)

#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

#include "blg_build.h"
#include "dump.h"
#include "format/format.h"
#include "os/stream.h"
#include "pack.h"

#define PLAIN_BYTES (2 * PMON_STREAM_BYTES + 123457)
#define PACKED_ROOM (PLAIN_BYTES + PLAIN_BYTES / 8)

// ---- Files ----------------------------------------------------------------------------------

struct packed {
	uint8_t *bytes;
	size_t len;
	struct pmon_file *file;
	struct pmon_file *stream;
};

static void
open_packed(struct packed *p, uint64_t limit)
{
	assert_int_equal(pmon_file_memory(p->bytes, p->len, NULL, &p->file, NULL), PMON_OK);
	assert_int_equal(pmon_file_stream(p->file, limit, NULL, &p->stream, NULL), PMON_OK);
}

static void
close_packed(struct packed *p)
{
	pmon_file_close(p->stream);
	pmon_file_close(p->file);
}

static struct packed
pack(size_t packer, const uint8_t *plain, size_t len)
{
	struct packed p = {.bytes = malloc(PACKED_ROOM)};

	assert_non_null(p.bytes);
	p.len = packers[packer](plain, len, p.bytes, PACKED_ROOM);
	return p;
}

// Read from the offset to the end in pieces. Returns what it ended with; *same is how far it was right.
static enum pmon_status
read_on(struct packed *p, uint64_t offset, size_t piece, const uint8_t *plain, uint64_t *same)
{
	uint8_t *buf = malloc(piece);
	enum pmon_status status;
	size_t got;

	assert_non_null(buf);
	*same = offset;
	do {
		status = pmon_file_read(p->stream, *same, buf, piece, &got, NULL);
		assert_true(*same + got <= PLAIN_BYTES);
		assert_memory_equal(buf, plain + *same, got);
		*same += got;
	} while (status == PMON_OK && got == piece);
	free(buf);
	return status;
}

// In pieces of any size, several times over.
static void
forward(void **state)
{
	static const size_t pieces[] = {4096, 65536, 100003, 2 * PMON_STREAM_BYTES};
	uint8_t *plain = make_plain(PLAIN_BYTES, 16);

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		struct packed p = pack(i, plain, PLAIN_BYTES);
		uint64_t same;

		open_packed(&p, PLAIN_BYTES);
		T_EQ_U64(pmon_file_size(p.stream), PMON_FILE_ENDLESS);
		for (size_t k = 0; k < T_LEN(pieces); k++) {
			assert_int_equal(read_on(&p, 0, pieces[k], plain, &same), PMON_OK);
			T_EQ_U64(same, PLAIN_BYTES);
			T_EQ_U64(pmon_file_size(p.stream), PLAIN_BYTES);
		}
		close_packed(&p);
		free(p.bytes);
	}
	free(plain);
}

// Anywhere, although that takes time.
static void
jumping(void **state)
{
	uint8_t *plain = make_plain(PLAIN_BYTES, 16);
	uint8_t buf[5000];
	struct t_rand r = {.state = 11};

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		struct packed p = pack(i, plain, PLAIN_BYTES);

		open_packed(&p, 0);
		for (size_t k = 0; k < 40; k++) {
			uint64_t at = t_rand_below(&r, PLAIN_BYTES);
			uint64_t left = PLAIN_BYTES - at;
			size_t got;

			assert_int_equal(pmon_file_read(p.stream, at, buf, sizeof(buf), &got, NULL),
					 PMON_OK);
			T_EQ_U64(got, left < sizeof(buf) ? left : sizeof(buf));
			assert_memory_equal(buf, plain + at, got);
		}
		close_packed(&p);
		free(p.bytes);
	}
	free(plain);
}

// The thread ends, whatever it waits for.
static void
left_early(void **state)
{
	uint8_t *plain = make_plain(PLAIN_BYTES, 16);

	(void)state;
	for (size_t i = 0; i < 2 * N_PACKERS; i++) {
		struct packed p = pack(i / 2, plain, PLAIN_BYTES);
		uint8_t byte;
		size_t got;

		open_packed(&p, 0);
		if (i % 2 != 0)
			assert_int_equal(
				pmon_file_read(p.stream, PMON_STREAM_BYTES, &byte, 1, &got, NULL),
				PMON_OK);
		close_packed(&p);
		free(p.bytes);
	}
	free(plain);
}

static void
small(void **state)
{
	static const size_t lens[] = {0, 1, 65535, 65536, 65537};
	uint8_t *plain = make_plain(PLAIN_BYTES, 16);

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++)
		for (size_t k = 0; k < T_LEN(lens); k++) {
			struct packed p = pack(i, plain, lens[k]);
			uint64_t same;

			open_packed(&p, 0);
			assert_int_equal(read_on(&p, 0, 65536, plain, &same), PMON_OK);
			T_EQ_U64(same, lens[k]);
			close_packed(&p);
			free(p.bytes);
		}
	free(plain);
}

// Truncated, damaged and too large: the bytes before are right, and the loss is reported.
static void
damaged(void **state)
{
	uint8_t *plain = make_plain(PLAIN_BYTES, 16);
	struct t_rand r = {.state = 3};

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		struct packed p = pack(i, plain, PLAIN_BYTES);
		size_t whole = p.len;
		uint64_t same;

		for (int round = 0; round < 6; round++) {
			p.len = 4 + t_rand_below(&r, whole - 4);
			open_packed(&p, 0);
			assert_int_equal(read_on(&p, 0, 100000, plain, &same), PMON_E_STATE);
			close_packed(&p);
		}
		p.len = whole;
		open_packed(&p, PLAIN_BYTES - 1);
		assert_int_equal(read_on(&p, 0, 100000, plain, &same), PMON_E_STATE);
		close_packed(&p);
		free(p.bytes);
	}
	free(plain);
}

static void
not_packed(void **state)
{
	struct pmon_file *file;
	struct pmon_file *stream;

	(void)state;
	assert_int_equal(pmon_file_memory("(PDH-CSV 4.0)", 13, NULL, &file, NULL), PMON_OK);
	assert_int_equal(pmon_file_stream(file, 0, NULL, &stream, NULL), PMON_END);
	assert_null(stream);
	pmon_file_close(file);
}

// ---- Logs -----------------------------------------------------------------------------------

struct reading {
	struct dump notices;
	struct dump samples;
	struct pmon_source_info info;
	enum pmon_status status;
	bool is_on_the_way; // it was opened without its end
};

static struct reading
read_packed(const struct packed *p, bool stream)
{
	struct reading r = {.status = PMON_OK};
	struct pmon_log_options options = {.size = sizeof(options),
					   .notice = dump_notice,
					   .notice_ctx = &r.notices,
					   .stream = stream};
	struct pmon_source *source;
	struct pmon_file *file;

	assert_int_equal(pmon_file_memory(p->bytes, p->len, NULL, &file, NULL), PMON_OK);
	r.status = pmon_log_open_file(file, &options, &source, NULL);
	if (r.status != PMON_OK)
		return r;
	r.is_on_the_way = pmon_source_info(source)->size_bytes == 0;
	r.status = dump_read(&r.samples, source, NULL);
	r.info = *pmon_source_info(source);
	pmon_source_close(source);
	return r;
}

static void
free_reading(struct reading *r)
{
	dump_free(&r->notices);
	dump_free(&r->samples);
}

static const char *
text_of(const struct dump *dump)
{
	return dump->text != NULL ? dump->text : "";
}

// A compressed log is read directly as it is read after decompression. False if that is impossible,
// which opening may already find out.
static bool
is_streamed(const struct packed *p, const char *label)
{
	struct reading whole = read_packed(p, false);
	struct reading way = read_packed(p, true);
	bool is_whole = way.status != PMON_E_STATE;

	assert_false(whole.is_on_the_way);
	if (is_whole) {
		T_EQ_I64_AT(way.status, whole.status, label);
		T_EQ_STR_AT(text_of(&way.samples), text_of(&whole.samples), label);
		T_EQ_STR_AT(text_of(&way.notices), text_of(&whole.notices), label);
		T_EQ_U64_AT(way.info.size_bytes, whole.info.size_bytes, label);
		T_EQ_U64_AT(way.info.bytes_read, whole.info.bytes_read, label);
		T_EQ_U64_AT(way.info.losses, whole.info.losses, label);
		T_EQ_U64_AT(way.info.bytes_lost, whole.info.bytes_lost, label);
	} else {
		T_EQ_STR_AT(text_of(&way.notices), "", label);
	}
	free_reading(&whole);
	free_reading(&way);
	return is_whole && way.is_on_the_way;
}

static void
check_log(const uint8_t *bytes, size_t len, bool is_plain, const char *label)
{
	for (size_t i = 0; i < N_PACKERS; i++) {
		struct packed p = pack(i, bytes, len);
		size_t whole = p.len;

		T_EQ_BOOL_AT(is_streamed(&p, label), is_plain, label);
		p.len = whole * 2 / 3;
		(void)is_streamed(&p, label);
		p.len = whole;
		p.bytes[whole / 2] ^= 0x55;
		(void)is_streamed(&p, label);
		free(p.bytes);
	}
}

static void
check_real_log(const char *bytes, size_t len, const char *name)
{
	check_log((const uint8_t *)bytes, len, true, name);
}

static void
real_logs(void **state)
{
	static const char *const names[] = {
		"blg/pal-SampleLog.blg",
		"blg/pwsh-CounterSamples.blg",
		"blg/pwsh-CounterSamples.csv",
		"blg/tx-BasicPerfCounters.blg",
		"pdh-text/esxtop_gsliu_origin.csv",
		"pdh-text/mizosk_synthetic_small.csv",
		"pdh-text/wfjsg_test2.csv",
		"pdh-text/wfjsg_test_sjis.csv",
	};

	(void)state;
	t_each_data(names, T_LEN(names), check_real_log);
}

#define N_BUFFERS 6
#define T0        INT64_C(132539328000000000) // 2021-01-01

static uint8_t *
make_blg(size_t *len)
{
	static const struct blg_build_entry entries[] = {
		{.machine = "SRV", .object = "Memory", .counter = "Pages/sec", .type = 0x10410400}};
	const struct blg_build_options options = {.start = T0, .end = T0 + PMON_TIME_PER_SEC};
	struct blg_build *b = blg_build_new(&options);
	uint8_t *bytes;

	blg_build_catalogue(b, T0, entries, 1);
	for (int64_t i = 0; blg_build_where(b) < N_BUFFERS; i++) {
		blg_build_sample_begin(b);
		blg_build_single(b, 0, T0 + i, i, i, 1);
		blg_build_sample_end(b, T0 + i * PMON_TIME_PER_SEC);
	}
	bytes = blg_build_finish(b, len);
	bytes[0x68 + 0x24] = N_BUFFERS + 1; // buffers written
	return bytes;
}

// Fields that depend on the end of a log need the whole file.
static void
odd_buffers(void **state)
{
	static const size_t wrapped[] = {3, 4, 5, 6, 1, 2};
	static const size_t swapped[] = {1, 3, 2, 4, 5, 6};
	static const size_t as_it_is[] = {1, 2, 3, 4, 5, 6};
	size_t len;
	uint8_t *blg = make_blg(&len);
	size_t size = len / (N_BUFFERS + 1);

	(void)state;
	T_EQ_U64(len % (N_BUFFERS + 1), 0);
	check_log(blg, len, true, "in order");
	blg_build_reorder(blg, len, wrapped, N_BUFFERS);
	check_log(blg, len, false, "wrapped");
	free(blg);
	blg = make_blg(&len);
	blg_build_reorder(blg, len, swapped, N_BUFFERS);
	check_log(blg, len, false, "swapped");
	free(blg);
	blg = make_blg(&len);
	blg_build_reorder(blg, len, as_it_is, N_BUFFERS);
	check_log(blg, len - size, false, "cut off");
	memset(blg + 3 * size, 0, size);
	check_log(blg, len, false, "an empty buffer");
	memset(blg + 3 * size, 0x11, 64);
	check_log(blg, len, true, "a bad buffer");
	free(blg);
}

// Wherever an allocation fails, no memory leaks.
static void
short_of_memory(void **state)
{
	size_t len;
	uint8_t *blg = make_blg(&len);
	struct packed p = pack(1, blg, len);
	bool is_done = false;

	(void)state;
	for (size_t fail_at = 1; !is_done; fail_at++) {
		struct t_memory memory = {.fail_at = fail_at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_log_options options = {
			.size = sizeof(options), .allocator = &allocator, .stream = true};
		struct dump samples = {.text = NULL};
		struct pmon_source *source;
		struct pmon_file *file;

		assert_int_equal(pmon_file_memory(p.bytes, p.len, NULL, &file, NULL), PMON_OK);
		if (pmon_log_open_file(file, &options, &source, NULL) == PMON_OK) {
			(void)dump_read(&samples, source, NULL);
			pmon_source_close(source);
		}
		T_EQ_U64(memory.live_blocks, 0);
		is_done = t_memory_sufficed(&memory);
		dump_free(&samples);
	}
	free(p.bytes);
	free(blg);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forward),         cmocka_unit_test(jumping),
		cmocka_unit_test(left_early),      cmocka_unit_test(small),
		cmocka_unit_test(damaged),         cmocka_unit_test(not_packed),
		cmocka_unit_test(real_logs),       cmocka_unit_test(odd_buffers),
		cmocka_unit_test(short_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int
main(void)
{
	printf("built without zlib or zstd\n");
	return 77;
}

#endif
