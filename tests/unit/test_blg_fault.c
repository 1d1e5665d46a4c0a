// test_blg_fault.c - the BLG reader when memory is short or the file cannot be read
// SPDX-License-Identifier: MIT
//
// Each allocation and each read fails once, in turn, and then all later ones with it. Reading then
// fails with the right status or does without; nothing is ever leaked.

#include "t.h"

#include <errno.h>
#include <stdlib.h>

#include <pmon/log.h>

#include "base/err.h"
#include "blg_build.h"
#include "format/format.h"
#include "moments.h"

#define N_SAMPLES 6

static const struct blg_build_entry entries[] = {
	{0, 0x20510500, 10000000, 0, "\\\\S", "P", "cmd/0", NULL, "Busy", 0},
	{1, 0x10410500, 1000, 0, "\\\\S", "D", "*", NULL, "Reads", 0},
	{0x10, 0x10, 0, 0, "\\\\S", "Thread", "*", NULL, "*", 0},
	{0x10, 0x10, 0, 0, "\\\\S", "Process", "*", NULL, "*", 0},
};

static void
build_objects(struct blg_build *b, int64_t i)
{
	static const struct blg_build_counter counters[] = {{10, 0x10410400, 4, 0},
							    {99, 0x00010000, 4, 0}};
	static const struct blg_build_instance threads[] = {{"0", 230, 0, 0}, {"0", 230, 1, 0}};
	static const struct blg_build_instance processes[] = {{"x", 0, 0, 0}, {"y", 0, 0, 0}};
	const int64_t values[] = {i, i, i, i};
	struct blg_build_object object = {
		.title = 232,
		.system_time = T0 + i * SECOND,
		.perf_freq = 1000,
		.perf_time_100ns = T0 + i * SECOND,
		.counters = counters,
		.n_counters = i < 3 ? 1 : 2, // definitions change on the way
		.instances = threads,
		.n_instances = 2,
		.values = values,
	};

	blg_build_object(b, &object);
	object.title = 230;
	object.instances = processes;
	blg_build_object(b, &object);
}

// A log in which everything occurs that takes memory: parts, names, instances that come, parents, a
// second list of counters, and buffers out of order.
static uint8_t *
build(size_t *len_out)
{
	static const struct blg_build_title titles[] = {{10, "Rate"}, {230, "Process"}};
	static const size_t order[] = {2, 3, 1, 5, 4};
	struct blg_build_entry later[T_LEN(entries)];
	struct blg_build_options options = {.buffer_bytes = 0x800, .chunk_bytes = 700, .end = T0};
	struct blg_build *b = blg_build_new(&options);
	uint8_t *file;

	memcpy(later, entries, sizeof(later));
	later[0].counter = "Idle";
	blg_build_names(b, T0 - 20, "\\\\S", titles, 2);
	blg_build_catalogue(b, T0 - 10, entries, T_LEN(entries));
	for (int64_t i = 0; i < N_SAMPLES; i++) {
		char name[2] = {(char)('a' + i), '\0'};

		if (i == 4)
			blg_build_catalogue(b, T0, later, T_LEN(later));
		blg_build_sample_begin(b);
		blg_build_single(b, 0, T0 + i * SECOND, i, T0 + i * SECOND, 1);
		blg_build_multi_begin(b, 0, T0 + i * SECOND);
		blg_build_item(b, name, 1, i, i);
		blg_build_item(b, name, 1, i, i);
		blg_build_multi_end(b);
		build_objects(b, i);
		blg_build_sample_end(b, T0 + i * SECOND);
	}
	file = blg_build_finish(b, len_out);
	assert_int_equal(*len_out / options.buffer_bytes, T_LEN(order) + 1);
	blg_build_reorder(file, *len_out, order, T_LEN(order));
	return file;
}

// ---- A file that fails ----------------------------------------------------------------------

struct bad_file {
	const uint8_t *bytes;
	size_t calls;
	size_t fail_at; // number of the read, from 1
	bool fail_rest;
	bool short_reads; // return fewer bytes than requested, which is valid
	bool closed;
};

static enum pmon_status
bad_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out, struct pmon_err *err)
{
	struct bad_file *f = ctx;

	f->calls++;
	if (f->fail_at != 0 && (f->calls == f->fail_at || (f->fail_rest && f->calls > f->fail_at)))
		return pmon_err_sys(err, PMON_E_IO, EIO, "cannot read");
	if (f->short_reads && len > 100)
		len = 100;
	memcpy(buf, f->bytes + offset, len);
	*got_out = len;
	return PMON_OK;
}

static void
bad_close(void *ctx)
{
	struct bad_file *f = ctx;

	assert_false(f->closed);
	f->closed = true;
}

static const struct pmon_file_ops bad_ops = {bad_read, bad_close};

// ---- Reading --------------------------------------------------------------------------------

// Read twice over. Returns the first failure; the samples that came are counted.
static enum pmon_status
read_twice(struct pmon_source *source, size_t *n)
{
	const struct pmon_sample *sample;
	enum pmon_status status;
	struct pmon_err err;

	for (int pass = 0; pass < 2; pass++) {
		while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK)
			++*n;
		if (status != PMON_END) {
			assert_int_equal(err.status, status);
			return status;
		}
		if (pmon_source_rewind(source, &err) != PMON_OK)
			return err.status;
	}
	return PMON_END;
}

static enum pmon_status
open_and_read(struct bad_file *f, size_t len, const struct pmon_log_options *options, size_t *n)
{
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;
	enum pmon_status status;

	f->calls = 0;
	f->closed = false;
	*n = 0;
	status = pmon_file_custom(&bad_ops, f, len, options->allocator, &file, &err);
	if (status != PMON_OK)
		return status;
	status = pmon_log_open_file(file, options, &source, &err);
	if (status == PMON_OK) {
		status = read_twice(source, n);
		pmon_source_close(source);
	}
	assert_true(f->closed);
	return status;
}

static void
each_allocation_fails(void **state)
{
	struct bad_file f = {0};
	size_t len, n;
	uint8_t *bytes = build(&len);

	(void)state;
	f.bytes = bytes;
	for (int rest = 0; rest < 2; rest++) {
		struct t_memory memory = {.fail_rest = rest != 0};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_log_options options = {.allocator = &allocator};
		enum pmon_status status;

		do {
			memory.calls = 0;
			memory.fail_at++;
			status = open_and_read(&f, len, &options, &n);
			assert_int_equal(memory.live_blocks, 0);
			assert_int_equal(memory.live_bytes, 0);
			assert_true(status == PMON_E_NOMEM || memory.calls < memory.fail_at);
		} while (memory.calls >= memory.fail_at);
		assert_int_equal(status, PMON_END);
		assert_int_equal(n, 2 * N_SAMPLES);
		assert_true(memory.fail_at > 50); // it did take some
	}
	free(bytes);
}

static void
each_read_fails(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_log_options options = {.allocator = &allocator};
	struct bad_file f = {0};
	size_t len, n;
	uint8_t *bytes = build(&len);

	(void)state;
	f.bytes = bytes;
	for (int rest = 0; rest < 2; rest++) {
		enum pmon_status status;

		f.fail_at = 0;
		f.fail_rest = rest != 0;
		do {
			f.fail_at++;
			status = open_and_read(&f, len, &options, &n);
			assert_int_equal(memory.live_blocks, 0);
			assert_true(status == PMON_E_IO || f.calls < f.fail_at);
		} while (f.calls >= f.fail_at);
		assert_int_equal(status, PMON_END);
		assert_int_equal(n, 2 * N_SAMPLES);
	}
	free(bytes);
}

// After a failed read the next one continues at the same position: no sample is skipped.
static void
reading_goes_on_after_a_failed_read(void **state)
{
	struct pmon_log_options options = {0};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct bad_file f = {0};
	struct pmon_file *file;
	struct pmon_err err;
	size_t n_ok = 0, n_failed = 0;
	size_t len;
	uint8_t *bytes = build(&len);
	enum pmon_status status;

	(void)state;
	f.bytes = bytes;
	assert_int_equal(pmon_file_custom(&bad_ops, &f, len, NULL, &file, &err), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, &options, &source, &err), PMON_OK);
	do {
		f.fail_at = f.calls + 1; // the first try of each read
		status = pmon_source_next(source, &sample, &err);
		if (status == PMON_E_IO) {
			assert_int_equal(err.sys, EIO);
			n_failed++;
			f.fail_at = 0;
			status = pmon_source_next(source, &sample, &err);
		}
		n_ok += status == PMON_OK;
	} while (status == PMON_OK);
	assert_int_equal(status, PMON_END);
	assert_int_equal(n_ok, N_SAMPLES);
	assert_true(n_failed >= 3);
	pmon_source_close(source);
	free(bytes);
}

static void
short_reads_are_accepted(void **state)
{
	struct pmon_log_options options = {0};
	struct bad_file f = {.short_reads = true};
	size_t len, n;
	uint8_t *bytes = build(&len);

	(void)state;
	f.bytes = bytes;
	assert_int_equal(open_and_read(&f, len, &options, &n), PMON_END);
	assert_int_equal(n, 2 * N_SAMPLES);
	free(bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails),
		cmocka_unit_test(each_read_fails),
		cmocka_unit_test(reading_goes_on_after_a_failed_read),
		cmocka_unit_test(short_reads_are_accepted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
