// test_logs.c - small logs of all formats, read by the library while memory or file access fails
// SPDX-License-Identifier: MIT
//
// Each run succeeds, or returns a status that names the failure, and frees all memory. faults.sh
// injects the same failures into the command, but cannot see statuses and leaks.

#include "t.h"

#include <errno.h>
#include <stdlib.h>

#include <pmon/log.h>

#include "base/err.h"
#include "blg_build.h"
#include "buf.h"
#include "corpus.h"
#include "faulty.h"
#include "format/format.h"
#include "moments.h"

// Small enough to be read a thousand times.
#define MOST_BYTES 9000

// ---- Reading --------------------------------------------------------------------------------

static void
fail_each_allocation(const struct corpus_log *log)
{
	faulty_allocations(log->name, log->bytes, log->len);
}

static void
fail_each_read(const struct corpus_log *log)
{
	faulty_reads(log->name, log->bytes, log->len);
}

static void
each_allocation_fails(void **state)
{
	(void)state;
	corpus_each(MOST_BYTES, fail_each_allocation);
}

static void
each_read_fails(void **state)
{
	(void)state;
	corpus_each(MOST_BYTES, fail_each_read);
}

// ---- Parts ----------------------------------------------------------------------------------

static size_t n_joined; // logs that were read in parts

static void
fail_each_allocation_of_parts(const struct corpus_log *log)
{
	n_joined += faulty_parts(log->name, log->bytes, log->len);
}

static void
each_allocation_of_parts_fails(void **state)
{
	(void)state;
	n_joined = 0;
	corpus_each(MOST_BYTES, fail_each_allocation_of_parts);
	assert_in_range(n_joined, 5, 100);
}

// A text log without notices: all seeds have some, and so are read as one part.
static void
each_allocation_of_text_parts_fails(void **state)
{
	struct buf text = {NULL, 0, 0};

	(void)state;
	buf_add(&text, "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\S\\O\\C\"\r\n");
	for (int i = 0; i < 60; i++)
		buf_add(&text, "\"07/23/2026 06:04:%02d.000\",\"%d\"\r\n", i, i);
	assert_true(faulty_parts("text", text.text, text.len));
	buf_free(&text);
}

// ---- BLG: all that takes memory -------------------------------------------------------------

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
		.n_counters = i < 3 ? 1 : 2, // definitions change midway
		.instances = threads,
		.n_instances = 2,
		.values = values,
	};

	blg_build_object(b, &object);
	object.title = 230;
	object.instances = processes;
	blg_build_object(b, &object);
}

// A log with everything that takes memory: parts, names, new instances, parents, a second list of
// counters, and buffers out of order.
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

static void
blg_with_everything(void **state)
{
	size_t len;
	uint8_t *bytes = build(&len);

	(void)state;
	faulty_allocations("BLG", bytes, len);
	faulty_reads("BLG", bytes, len);
	free(bytes);
}

struct bad_file {
	const uint8_t *bytes;
	size_t calls;
	size_t fail_at;   // the read that fails, from 1
	bool short_reads; // return fewer bytes than requested, which is valid
};

static enum pmon_status
bad_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out, struct pmon_err *err)
{
	struct bad_file *f = ctx;

	f->calls++;
	if (f->fail_at != 0 && f->calls == f->fail_at)
		return pmon_err_sys(err, PMON_E_IO, EIO, "cannot read");
	if (f->short_reads && len > 100)
		len = 100;
	memcpy(buf, f->bytes + offset, len);
	*got_out = len;
	return PMON_OK;
}

static const struct pmon_file_ops bad_ops = {bad_read, NULL};

// After a failed read, the next one continues at the same position: no sample is skipped.
static void
reading_goes_on_after_a_failed_read(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options)};
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
		f.fail_at = f.calls + 1; // the first attempt at each read
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
	const struct pmon_log_options options = {.size = sizeof(options)};
	struct bad_file f = {.short_reads = true};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;
	size_t len, n = 0;
	uint8_t *bytes = build(&len);

	(void)state;
	f.bytes = bytes;
	assert_int_equal(pmon_file_custom(&bad_ops, &f, len, NULL, &file, &err), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, &options, &source, &err), PMON_OK);
	while (pmon_source_next(source, &sample, &err) == PMON_OK)
		n++;
	assert_int_equal(n, N_SAMPLES);
	pmon_source_close(source);
	free(bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails),
		cmocka_unit_test(each_read_fails),
		cmocka_unit_test(each_allocation_of_parts_fails),
		cmocka_unit_test(each_allocation_of_text_parts_fails),
		cmocka_unit_test(blg_with_everything),
		cmocka_unit_test(reading_goes_on_after_a_failed_read),
		cmocka_unit_test(short_reads_are_accepted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
