// test_perfblock_damage.c - PERF_DATA_BLOCK dumps with every bit wrong, cut anywhere, without memory
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "dump.h"
#include "format/format.h"
#include "moments.h"
#include "perfblock_build.h"

static const struct pb_counter counters[] = {
	{206, 0x30020400, 8, 0}, // AVERAGE_TIMER
	{206, 0x40030402, 4, 0}, // AVERAGE_BASE
	{28, 0x10410400, 4, 0},  // COUNTER
};

// Two moments, all kinds of objects, parents in another block.
static void
build(struct pb *b)
{
	for (int k = 0; k < 2; k++) {
		pb_begin(b, T0 + k * PMON_TIME_PER_SEC, 777 + k, "SRV");
		pb_object(b, 4, counters + 2, 1, PB_NO_INST, 0);
		pb_values(b, counters + 2, 1, (uint64_t[]){1});
		pb_object(b, 232, counters, 3, 1, 0);
		pb_instance(b, 230, 0, -1, "0");
		pb_values(b, counters, 3, (uint64_t[]){1, 2, 3});
		pb_instance(b, 230, 0, 5, "");
		pb_values(b, counters, 3, (uint64_t[]){1, 2, 3});
		pb_end(b);
		pb_begin(b, T0 + k * PMON_TIME_PER_SEC, 777 + k, "SRV");
		pb_object(b, 230, counters, 1, 1, 1252);
		pb_instance(b, 0, 0, -1, "a\xF6");
		pb_values(b, counters, 1, (uint64_t[]){7});
		pb_instance(b, 0, 0, -1, "a\xF6");
		pb_values(b, counters, 1, (uint64_t[]){8});
		pb_end(b);
	}
}

static void
mutations(void **state)
{
	struct pb little = {0};
	struct pb big = {.big_endian = true, .without_head = true, .slack = 8};

	(void)state;
	build(&little);
	dump_mutations(little.bytes, little.len);
	pb_free(&little);
	build(&big);
	dump_mutations(big.bytes, big.len);
	pb_free(&big);
}

static void
short_of_memory(void **state)
{
	struct pb b = {.big_endian = true};

	(void)state;
	build(&b);
	dump_short_of_memory(b.bytes, b.len);
	pb_free(&b);
}

// Many objects, and many instances whose parent is missing: the time must grow linearly with the
// file.
static void
nothing_quadratic(void **state)
{
	struct pb b = {0};
	struct dump d;

	(void)state;
	pb_begin(&b, T0, 777, "SRV");
	for (uint32_t i = 0; i < 20000; i++) {
		pb_object(&b, 100000 + i, counters + 2, 1, 1, 0);
		pb_instance(&b, 500000 + i, i, -1, "x");
		pb_values(&b, counters + 2, 1, (uint64_t[]){1});
	}
	pb_object(&b, 230, counters + 2, 1, 1, 0);
	for (uint32_t i = 0; i < 50000; i++) {
		pb_instance(&b, 500000 + i, i, -1, "x");
		pb_values(&b, counters + 2, 1, (uint64_t[]){1});
	}
	pb_end(&b);
	dump_bytes(&d, b.bytes, b.len);
	assert_int_equal(d.n_samples, 1);
	assert_int_equal(d.n_values, 70000);
	dump_free(&d);
	pb_free(&b);
}

// Only signatures: each is examined, none is a block.
static void
signatures_only(void **state)
{
	const size_t n = 200000;
	uint8_t *bytes = malloc(n * 16);
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < n; i++)
		memcpy(bytes + i * 16, "P\0E\0R\0F\0\1\0\0\0\1\0\0", 16);
	assert_int_equal(pmon_file_memory(bytes, n * 16, NULL, &file, &err), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, NULL, &source, &err), PMON_E_FORMAT);
	assert_null(source);
	free(bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutations),
		cmocka_unit_test(short_of_memory),
		cmocka_unit_test(nothing_quadratic),
		cmocka_unit_test(signatures_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
