// test_perfdata.c - the walker of PERF_DATA_BLOCK: both byte orders, cut blocks, real ones
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "model/perfdata.h"

// ---- A block, built in either byte order ----------------------------------------------------

struct out {
	uint8_t bytes[1024];
	size_t n;
	bool big;
};

static void
put(struct out *o, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		o->bytes[o->n++] = (uint8_t)(v >> 8 * (o->big ? size - 1 - i : i));
}

static void
put_text(struct out *o, const char *s)
{
	for (; *s != '\0'; s++)
		put(o, (uint8_t)*s, 2);
}

static void
put_definition(struct out *o, uint32_t title, uint32_t type, uint32_t size, uint32_t offset)
{
	put(o, 40, 4);         // 0x00 length
	put(o, title, 4);      // 0x04
	put(o, 0, 4);          // 0x08
	put(o, title + 1, 4);  // 0x0C
	put(o, 0, 4);          // 0x10
	put(o, UINT32_MAX, 4); // 0x14 scale -1
	put(o, 100, 4);        // 0x18
	put(o, type, 4);       // 0x1C
	put(o, size, 4);       // 0x20
	put(o, offset, 4);     // 0x24
}

// An object with one instance "ab", a rate and a fraction with its base; then one without instances
// and with a multi timer.
static void
build(struct out *o, bool big)
{
	static const uint16_t date[8] = {2020, 1, 3, 1, 12, 30, 15, 250};
	size_t i;

	*o = (struct out){.big = big};
	put_text(o, "PERF");       // 0x00
	put(o, !big, 4);           // 0x08
	put(o, 1, 4);              // 0x0C
	put(o, 1, 4);              // 0x10
	put(o, 96 + 260 + 168, 4); // 0x14 total
	put(o, 96, 4);             // 0x18 header
	put(o, 2, 4);              // 0x1C objects
	put(o, 238, 4);            // 0x20 default
	for (i = 0; i < 8; i++)    // 0x24
		put(o, date[i], 2);
	put(o, 0, 4);       // 0x34
	put(o, 1000, 8);    // 0x38
	put(o, 10, 8);      // 0x40
	put(o, 2000, 8);    // 0x48
	put(o, 8, 4);       // 0x50
	put(o, 88, 4);      // 0x54
	put_text(o, "BOX"); // 0x58
	put(o, 0, 2);

	put(o, 260, 4);         // object 0x00 total
	put(o, 64 + 3 * 40, 4); // 0x04
	put(o, 64, 4);          // 0x08
	put(o, 238, 4);         // 0x0C
	put(o, 0, 4);           // 0x10
	put(o, 239, 4);         // 0x14
	put(o, 0, 4);           // 0x18
	put(o, 100, 4);         // 0x1C
	put(o, 3, 4);           // 0x20 definitions
	put(o, 0, 4);           // 0x24
	put(o, 1, 4);           // 0x28 instances
	put(o, 0, 4);           // 0x2C
	put(o, 3000, 8);        // 0x30
	put(o, 30, 8);          // 0x38
	put_definition(o, 6, 0x10410500, 8, 8);
	put_definition(o, 8, 0x20020400, 4, 16);
	put_definition(o, 8, 0x40030403, 4, 20);
	put(o, 32, 4);         // instance 0x00 length
	put(o, 240, 4);        // 0x04 parent object
	put(o, 7, 4);          // 0x08 parent instance
	put(o, UINT32_MAX, 4); // 0x0C
	put(o, 24, 4);         // 0x10
	put(o, 6, 4);          // 0x14
	put_text(o, "ab");     // 0x18
	put(o, 0, 4);
	put(o, 44, 4); // counter block 0x00 length
	put(o, 0, 4);
	put(o, 0x123456789A, 8); // 0x08
	put(o, 0xFFFFFFFF, 4);   // 0x10
	put(o, 4, 4);            // 0x14
	put(o, 0, 8);
	put(o, 0, 8);
	put(o, 0, 4);

	put(o, 168, 4);         // object 0x00 total
	put(o, 64 + 2 * 40, 4); // 0x04
	put(o, 64, 4);          // 0x08
	put(o, 2, 4);           // 0x0C
	put(o, 0, 4);
	put(o, 3, 4);
	put(o, 0, 4);
	put(o, 100, 4);
	put(o, 2, 4); // 0x20 definitions
	put(o, 0, 4);
	put(o, UINT32_MAX, 4); // 0x28 no instances
	put(o, 0, 4);
	put(o, 4000, 8);
	put(o, 40, 8);
	put_definition(o, 10, 0x22610500, 8, 8);
	put_definition(o, 12, 0x42030500, 4, 16);
	put(o, 24, 4); // counter block
	put(o, 0, 4);
	put(o, 55, 8);
	put(o, 3, 4);
	put(o, 0, 4);
}

static void
both_byte_orders(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct out o;
		struct pmon_perf_block block;
		struct pmon_perf_object object;
		struct pmon_perf_counters counters;
		struct pmon_perf_counter rate, fraction, multi, none;
		struct pmon_perf_instance instance;
		struct pmon_perf_value value;

		build(&o, big != 0);
		assert_true(pmon_perf_block_init(&block, o.bytes, o.n, 0));
		T_EQ_U64(block.big_endian, big != 0);
		T_EQ_U64(block.n_objects, 2);
		T_EQ_I64(block.default_object, 238);
		T_EQ_I64(block.system_time, INT64_C(132223554152500000));
		T_EQ_I64(block.perf_time, 1000);
		T_EQ_I64(block.perf_freq, 10);
		T_EQ_I64(block.perf_time_100ns, 2000);
		T_EQ_U64(block.system_name.len, 6);

		assert_true(pmon_perf_block_next(&block, &object));
		T_EQ_U64(object.title_index, 238);
		T_EQ_I64(object.n_instances, 1);
		counters = pmon_perf_object_counters(&object);
		assert_true(pmon_perf_counters_next(&counters, &rate));
		assert_true(pmon_perf_counters_next(&counters, &fraction));
		assert_false(pmon_perf_counters_next(&counters, &none));
		assert_true(pmon_perf_counters_ok(&counters));
		T_EQ_U64(rate.title_index, 6);
		T_EQ_I64(rate.default_scale, -1);
		T_EQ_I64(pmon_perf_time_base(&rate, &object), 10);
		assert_true(pmon_perf_object_next(&object, &instance));
		T_EQ_U64(instance.name.len, 4);
		T_EQ_U64(instance.parent_object, 240);
		T_EQ_U64(instance.parent_instance, 7);
		pmon_perf_counter_read(&rate, &object, &instance, &value);
		T_EQ_I64(value.first, 0x123456789A);
		T_EQ_I64(value.second, 1000);
		T_EQ_U64(value.multi, 1);
		pmon_perf_counter_read(&fraction, &object, &instance, &value);
		T_EQ_I64(value.first, 0xFFFFFFFF);
		T_EQ_I64(value.second, 4);
		assert_false(pmon_perf_object_next(&object, &instance));
		assert_true(pmon_perf_object_ok(&object));

		assert_true(pmon_perf_block_next(&block, &object));
		counters = pmon_perf_object_counters(&object);
		assert_true(pmon_perf_counters_next(&counters, &multi));
		assert_true(pmon_perf_object_next(&object, &instance));
		assert_null(instance.name.ptr);
		pmon_perf_counter_read(&multi, &object, &instance, &value);
		T_EQ_I64(value.first, 55);
		T_EQ_I64(value.second, 4000); // the object's clock
		T_EQ_U64(value.multi, 3);
		T_EQ_I64(pmon_perf_time_base(&multi, &object), 40);
		assert_false(pmon_perf_block_next(&block, &object));
		assert_true(pmon_perf_block_ok(&block));
	}
}

// Walk all of a block. Returns false when it is damaged; counts the values.
static bool
walk(const uint8_t *bytes, size_t len, size_t *n_values)
{
	struct pmon_perf_block block;
	struct pmon_perf_object object;
	struct pmon_perf_instance instance;

	*n_values = 0;
	if (!pmon_perf_block_init(&block, bytes, len, 0))
		return false;
	while (pmon_perf_block_next(&block, &object)) {
		while (pmon_perf_object_next(&object, &instance)) {
			struct pmon_perf_counters counters = pmon_perf_object_counters(&object);
			struct pmon_perf_counter counter;
			struct pmon_perf_value value;

			while (pmon_perf_counters_next(&counters, &counter)) {
				pmon_perf_counter_read(&counter, &object, &instance, &value);
				++*n_values;
			}
			if (!pmon_perf_counters_ok(&counters))
				return false;
		}
		if (!pmon_perf_object_ok(&object))
			return false;
	}
	return pmon_perf_block_ok(&block);
}

// Every cut is found, and no bit that is wrong leads outside.
static void
damaged_blocks(void **state)
{
	struct out o;
	size_t n;

	(void)state;
	build(&o, false);
	assert_true(walk(o.bytes, o.n, &n));
	T_EQ_U64(n, 3);
	for (size_t len = 0; len < o.n; len++) {
		uint8_t *copy = malloc(len + 1);

		assert_non_null(copy);
		memcpy(copy, o.bytes, len);
		assert_false(walk(copy, len, &n));
		free(copy);
	}
	for (size_t bit = 0; bit < o.n * 8; bit++) {
		uint8_t *copy = malloc(o.n);

		assert_non_null(copy);
		memcpy(copy, o.bytes, o.n);
		copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
		(void)walk(copy, o.n, &n);
		assert_true(n < 100);
		free(copy);
	}
}

static void
values_that_are_no_numbers(void **state)
{
	struct out o;
	struct pmon_perf_block block;
	struct pmon_perf_object object;
	struct pmon_perf_instance instance;
	struct pmon_perf_value value;
	struct pmon_perf_counter counter = {.type = 0x00010000, .size = 8, .offset = 40};

	(void)state;
	build(&o, false);
	assert_true(pmon_perf_block_init(&block, o.bytes, o.n, 0));
	assert_true(pmon_perf_block_next(&block, &object));
	assert_true(pmon_perf_object_next(&object, &instance));
	pmon_perf_counter_read(&counter, &object, &instance, &value);
	T_EQ_U64(value.status, PMON_RAW_INVALID); // over the end of the counter block
	counter.size = 3;
	counter.offset = 8;
	pmon_perf_counter_read(&counter, &object, &instance, &value);
	T_EQ_U64(value.status, PMON_RAW_INVALID);
	counter.size = 0;
	pmon_perf_counter_read(&counter, &object, &instance, &value);
	T_EQ_U64(value.status, PMON_RAW_VALID);
	T_EQ_I64(value.first, 0);
	assert_true(pmon_perf_is_text(0x00000B00));
	assert_false(pmon_perf_is_text(0x00000100));
	assert_true(pmon_perf_is_base(0x40030503));
	assert_false(pmon_perf_is_base(0x20570500));
}

// Dumps of Windows Vista's registry, and of Samba's, whose total leaves out the head.
static void
real_blocks(void **state)
{
	static const struct {
		const char *name;
		size_t values;
	} rows[] = {
		{"perfblock/windows/s01_Process_230.bin", 1428},
		{"perfblock/windows/s01_Memory_4.bin", 35},
		{"perfblock/samba/snap1/Global.bin", 54},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		const char *path = t_data_path(rows[i].name);
		size_t len, n;
		char *bytes;

		if (path == NULL)
			skip();
		bytes = t_read_file(path, &len);
		assert_non_null(bytes);
		assert_true(walk((const uint8_t *)bytes, len, &n));
		T_EQ_U64_AT(n, rows[i].values, rows[i].name);
		free(bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_byte_orders),
		cmocka_unit_test(damaged_blocks),
		cmocka_unit_test(values_that_are_no_numbers),
		cmocka_unit_test(real_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
