// test_log_faults.c - small logs of every format, read while memory or the file fails
// SPDX-License-Identifier: MIT
//
// The outcome is the right one, or a status that says what failed; and all memory is given back.

#include "t.h"

#include "buf.h"
#include "corpus.h"
#include "faulty.h"

// Small enough for a thousand readings.
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

// A text log without notices: the seeds all have some, and are read in one part.
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails),
		cmocka_unit_test(each_read_fails),
		cmocka_unit_test(each_allocation_of_parts_fails),
		cmocka_unit_test(each_allocation_of_text_parts_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
