// test_perfdata.c - the walker of PERF_DATA_BLOCK: both byte orders, cut blocks, real ones
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "model/perfdata.h"
#include "moments.h"
#include "perfblock_build.h"

static const struct pb_counter rate_and_fraction[] = {
	{6, 0x10410500, 8, -1}, // PERF_COUNTER_BULK_COUNT
	{8, 0x20020400, 4, -1}, // PERF_RAW_FRACTION
	{8, 0x40030403, 4, -1}, // its base
};
static const struct pb_counter multi_timer[] = {
	{10, 0x22610500, 8, -1}, // PERF_100NSEC_MULTI_TIMER on the clock of the object
	{12, 0x42030500, 4, -1}, // its base
};

// An object with one instance "ab", a rate and a fraction with its base; then one without instances
// and with a multi timer.
static void
build(struct pb *b, bool big)
{
	const int64_t time = T0 + 12 * HOUR + 30 * 60 * SECOND + 152500000; // 12:30:15.250

	*b = (struct pb){.big_endian = big};
	pb_begin(b, time, 777, "BOX");
	pb_patch(b, 0x20, 238); // the default object
	pb_object(b, 238, rate_and_fraction, T_LEN(rate_and_fraction), 1, 0);
	pb_instance(b, 240, 7, -1, "ab");
	pb_values(b, rate_and_fraction, 3, (uint64_t[]){0x123456789A, 0xFFFFFFFF, 4});
	pb_object(b, 2, multi_timer, T_LEN(multi_timer), PB_NO_INST, 0);
	pb_values(b, multi_timer, 2, (uint64_t[]){55, 3});
	pb_end(b);
}

static struct pmon_perf_value
value_of(const struct pmon_perf_counter *counter, const struct pmon_perf_object *object,
	 const struct pmon_perf_instance *instance)
{
	struct pmon_perf_value value;

	pmon_perf_counter_read(counter, object, instance, &value);
	return value;
}

static void
check_rate_and_fraction(struct pmon_perf_object *object)
{
	struct pmon_perf_counters counters = pmon_perf_object_counters(object);
	struct pmon_perf_counter rate, fraction, none;
	struct pmon_perf_instance instance;
	struct pmon_perf_value value;

	T_EQ_U64(object->title_index, 238);
	T_EQ_I64(object->n_instances, 1);
	assert_true(pmon_perf_counters_next(&counters, &rate));
	assert_true(pmon_perf_counters_next(&counters, &fraction));
	assert_false(pmon_perf_counters_next(&counters, &none));
	assert_true(pmon_perf_counters_ok(&counters));
	T_EQ_U64(rate.title_index, 6);
	T_EQ_I64(rate.default_scale, -1);
	T_EQ_I64(pmon_perf_time_base(&rate, object), PB_FREQ);
	assert_true(pmon_perf_object_next(object, &instance));
	T_EQ_U64(instance.name.len, 4);
	T_EQ_U64(instance.parent_object, 240);
	T_EQ_U64(instance.parent_instance, 7);
	value = value_of(&rate, object, &instance);
	T_EQ_I64(value.first, 0x123456789A);
	T_EQ_I64(value.second, 777); // the performance clock of the block
	T_EQ_U64(value.multi, 1);
	value = value_of(&fraction, object, &instance);
	T_EQ_I64(value.first, 0xFFFFFFFF);
	T_EQ_I64(value.second, 4);
	assert_false(pmon_perf_object_next(object, &instance));
	assert_true(pmon_perf_object_ok(object));
}

static void
check_multi_timer(struct pmon_perf_object *object)
{
	struct pmon_perf_counters counters = pmon_perf_object_counters(object);
	struct pmon_perf_counter multi;
	struct pmon_perf_instance instance;
	struct pmon_perf_value value;

	assert_true(pmon_perf_counters_next(&counters, &multi));
	assert_true(pmon_perf_object_next(object, &instance));
	assert_null(instance.name.ptr);
	value = value_of(&multi, object, &instance);
	T_EQ_I64(value.first, 55);
	T_EQ_I64(value.second, PB_OBJECT_TIME);
	T_EQ_U64(value.multi, 3);
	T_EQ_I64(pmon_perf_time_base(&multi, object), PB_OBJECT_FREQ);
}

static void
both_byte_orders(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct pb b;
		struct pmon_perf_block block;
		struct pmon_perf_object object;

		build(&b, big != 0);
		assert_true(pmon_perf_block_init(&block, b.bytes, b.len, 0));
		T_EQ_U64(block.big_endian, big != 0);
		T_EQ_U64(block.n_objects, 2);
		T_EQ_I64(block.default_object, 238);
		T_EQ_I64(block.system_time, INT64_C(132223554152500000));
		T_EQ_I64(block.perf_time, 777);
		T_EQ_I64(block.perf_freq, PB_FREQ);
		T_EQ_I64(block.perf_time_100ns, INT64_C(132223554152500000));
		T_EQ_U64(block.system_name.len, 6);
		assert_true(pmon_perf_block_next(&block, &object));
		check_rate_and_fraction(&object);
		assert_true(pmon_perf_block_next(&block, &object));
		check_multi_timer(&object);
		assert_false(pmon_perf_block_next(&block, &object));
		assert_true(pmon_perf_block_ok(&block));
		pb_free(&b);
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
	struct pb b;
	size_t n;

	(void)state;
	build(&b, false);
	assert_true(walk(b.bytes, b.len, &n));
	T_EQ_U64(n, 3);
	for (size_t len = 0; len < b.len; len++) {
		uint8_t *copy = malloc(len + 1);

		assert_non_null(copy);
		memcpy(copy, b.bytes, len);
		assert_false(walk(copy, len, &n));
		free(copy);
	}
	for (size_t bit = 0; bit < b.len * 8; bit++) {
		uint8_t *copy = malloc(b.len);

		assert_non_null(copy);
		memcpy(copy, b.bytes, b.len);
		copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
		(void)walk(copy, b.len, &n);
		assert_true(n < 100);
		free(copy);
	}
	pb_free(&b);
}

static void
values_that_are_no_numbers(void **state)
{
	struct pb b;
	struct pmon_perf_block block;
	struct pmon_perf_object object;
	struct pmon_perf_instance instance;
	struct pmon_perf_counter counter = {.type = 0x00010000, .size = 8, .offset = 40};

	(void)state;
	build(&b, false);
	assert_true(pmon_perf_block_init(&block, b.bytes, b.len, 0));
	assert_true(pmon_perf_block_next(&block, &object));
	assert_true(pmon_perf_object_next(&object, &instance));
	T_EQ_U64(value_of(&counter, &object, &instance).status,
		 PMON_RAW_INVALID); // over the end of the counter block
	counter.size = 3;
	counter.offset = 8;
	T_EQ_U64(value_of(&counter, &object, &instance).status, PMON_RAW_INVALID);
	counter.size = 0;
	T_EQ_U64(value_of(&counter, &object, &instance).status, PMON_RAW_VALID);
	T_EQ_I64(value_of(&counter, &object, &instance).first, 0);
	assert_true(pmon_perf_is_text(0x00000B00));
	assert_false(pmon_perf_is_text(0x00000100));
	assert_true(pmon_perf_is_base(0x40030503));
	assert_false(pmon_perf_is_base(0x20570500));
	pb_free(&b);
}

// Dumps of the registry of Windows Vista, and of Samba, whose total excludes the header.
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
