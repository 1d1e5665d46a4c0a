// test_block_limits.c - registry blocks and agent sections that exceed a limit
// SPDX-License-Identifier: MIT
//
// The limits are those of perfblock/group.c and winperf/winperf.c, and those set by callers.

#include "t.h"

#include "buf.h"
#include "dump.h"
#include "format/format.h"
#include "moments.h"
#include "perfblock_build.h"

#define MOST_MACHINES 4096
#define MOST_SECTIONS 1000

static const struct pb_counter memory[] = {
	{24, 0x00010100, 8, 0}}; // Available Bytes, LARGE_RAWCOUNT

static void
put_block(struct pb *b, int64_t time, const char *machine, uint32_t object)
{
	pb_begin(b, time, time - T0, machine);
	pb_object(b, object, memory, 1, PB_NO_INST, 0);
	pb_values(b, memory, 1, (uint64_t[]){object});
	pb_end(b);
}

// The status at the end of a read.
static enum pmon_status
read_all(const void *bytes, size_t len, const struct pmon_log_options *options, struct dump *seen,
	 struct pmon_err *err)
{
	struct pmon_source *source;
	struct pmon_file *file;
	enum pmon_status status;

	*seen = (struct dump){0};
	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, err), PMON_OK);
	status = pmon_log_open_file(file, options, &source, err);
	if (status == PMON_OK)
		status = dump_read(seen, source, err);
	pmon_source_close(source);
	return status;
}

// A failure is permanent: every later read returns it, and a rewind does not clear it.
static void
fails_for_good(const void *bytes, size_t len)
{
	const struct pmon_log_options options = {.size = sizeof(options), .limits = {.series = 1}};
	struct pmon_source *source = open_bytes(bytes, len, &options);
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_OK};

	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_E_LIMIT);
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_E_LIMIT);
	assert_int_equal(err.status, PMON_E_LIMIT);
	err = (struct pmon_err){.status = PMON_OK};
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_E_LIMIT);
	assert_int_equal(pmon_source_rewind(source, &err), PMON_E_LIMIT);
	assert_int_equal(err.status, PMON_E_LIMIT);
	pmon_source_close(source);
}

// ---- Blocks ---------------------------------------------------------------------------------

static void
blocks_of_many_machines(void **state)
{
	(void)state;
	for (int more = 0; more < 2; more++) {
		struct pb b = {.big_endian = false};
		struct pmon_err err = {.msg = ""};
		struct dump seen;

		for (int i = 0; i < MOST_MACHINES + more; i++) {
			char name[16];

			(void)snprintf(name, sizeof(name), "M%d", i);
			put_block(&b, T0, name, 4);
		}
		assert_int_equal(read_all(b.bytes, b.len, NULL, &seen, &err),
				 more ? PMON_E_LIMIT : PMON_END);
		T_EQ_U64(seen.n_samples, more ? 0 : MOST_MACHINES);
		assert_non_null(strstr(err.msg, more ? "more than 4096 machines" : ""));
		dump_free(&seen);
		pb_free(&b);
	}
}

// The number of blocks read for one moment is limited by the limit for records.
static void
blocks_of_one_moment(void **state)
{
	struct pb b = {.big_endian = false};
	struct dump told = {0}, seen;
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = dump_notice, .notice_ctx = &told};
	struct pmon_err err;

	(void)state;
	put_block(&b, T0, "A", 4);
	put_block(&b, T0, "A", 2);
	options.limits.record_bytes = b.len;
	put_block(&b, T0, "A", 238);
	put_block(&b, T0 + SECOND, "A", 4);
	assert_int_equal(read_all(b.bytes, b.len, &options, &seen, &err), PMON_END);
	T_EQ_STR(told.text, "LOSS the blocks of one sample are larger than the limit\n");
	T_EQ_U64(seen.n_samples, 2);
	T_EQ_U64(seen.n_values, 3);
	dump_free(&told);
	dump_free(&seen);
	pb_free(&b);
}

static void
blocks_that_fail(void **state)
{
	struct pb b = {.big_endian = false};

	(void)state;
	put_block(&b, T0, "A", 4);
	put_block(&b, T0 + SECOND, "A", 2);
	fails_for_good(b.bytes, b.len);
	pb_free(&b);
}

// ---- Sections -------------------------------------------------------------------------------

// The output without a host name is of a machine too.
static void
sections_of_many_machines(void **state)
{
	(void)state;
	for (int more = 0; more < 2; more++) {
		struct buf text = {NULL, 0, 0};
		struct pmon_err err = {.msg = ""};
		struct dump seen;

		for (int i = 1; i < MOST_MACHINES + more; i++)
			buf_add(&text,
				"<<<<m%d>>>>\n<<<winperf_mem>>>\n1440580801.0 4\n24 1 counter\n",
				i);
		assert_int_equal(read_all(text.text, text.len, NULL, &seen, &err),
				 more ? PMON_E_LIMIT : PMON_END);
		T_EQ_U64(seen.n_samples,
			 MOST_MACHINES - 1u - (unsigned)more); // the newest was begun
		assert_non_null(strstr(err.msg, more ? "more than 4096 machines" : ""));
		dump_free(&seen);
		buf_free(&text);
	}
}

static void
sections_of_one_moment(void **state)
{
	struct buf text = {NULL, 0, 0};
	struct pmon_err err;
	struct dump seen;

	(void)state;
	for (int i = 0; i <= MOST_SECTIONS; i++)
		buf_add(&text, "<<<winperf_s%d>>>\n1440580801.0 %d\n0 1 rawcount\n", i,
			100000 + 2 * i);
	assert_int_equal(read_all(text.text, text.len, NULL, &seen, &err), PMON_END);
	T_EQ_U64(seen.n_samples, 2);
	T_EQ_U64(seen.n_values, MOST_SECTIONS + 1);
	assert_non_null(strstr(seen.text, "\\s999\\+0 = 1 0\n"
					  "2015-08-26T09:20:01Z stream 0 sample 1 offset 0\n"
					  "\\s1000\\+0 = 1 0\n"));
	dump_free(&seen);
	buf_free(&text);
}

static void
sections_that_fail(void **state)
{
	static const char text[] = "1440580801.0 4\n24 1 counter\n1440580802.0 4\n26 1 counter\n";

	(void)state;
	fails_for_good(text, sizeof(text) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_of_many_machines),
		cmocka_unit_test(blocks_of_one_moment),
		cmocka_unit_test(blocks_that_fail),
		cmocka_unit_test(sections_of_many_machines),
		cmocka_unit_test(sections_of_one_moment),
		cmocka_unit_test(sections_that_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
