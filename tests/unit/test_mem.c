// test_mem.c - memory: sizes that cannot overflow, arrays that grow, arenas
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/mem.h"

// ---- Sizes ----------------------------------------------------------------------------------

static void
products_do_not_overflow(void **state)
{
	static const struct {
		size_t a;
		size_t b;
		bool ok;
	} rows[] = {
		{0, 0, true},
		{0, SIZE_MAX, true},
		{SIZE_MAX, 0, true},
		{1, SIZE_MAX, true},
		{SIZE_MAX, 1, true},
		{SIZE_MAX / 2, 2, true},
		{SIZE_MAX / 2 + 1, 2, false},
		{2, SIZE_MAX / 2 + 1, false},
		{SIZE_MAX, SIZE_MAX, false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		size_t product = 99;

		if (pmon_mul(rows[i].a, rows[i].b, &product) != rows[i].ok)
			fail_msg("%zu * %zu", rows[i].a, rows[i].b);
		T_EQ_U64(product, rows[i].ok ? rows[i].a * rows[i].b : 99);
	}
}

static void
sums_do_not_overflow(void **state)
{
	size_t sum = 99;

	(void)state;
	assert_true(pmon_add(0, SIZE_MAX, &sum));
	T_EQ_U64(sum, SIZE_MAX);
	assert_true(pmon_add(SIZE_MAX - 7, 7, &sum));
	T_EQ_U64(sum, SIZE_MAX);
	assert_false(pmon_add(SIZE_MAX - 7, 8, &sum));
	assert_false(pmon_add(SIZE_MAX, SIZE_MAX, &sum));
}

// ---- Allocators -----------------------------------------------------------------------------

static void
null_means_libc(void **state)
{
	const struct pmon_allocator *libc = pmon_mem_allocator(NULL);
	char *block = pmon_mem_alloc0(libc, 100);
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);

	(void)state;
	assert_non_null(block);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(block[i], 0);
	pmon_mem_free(libc, block, 100);
	assert_ptr_equal(pmon_mem_allocator(&own), &own);
}

static void
blocks_come_from_the_allocator(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	char *block = pmon_mem_alloc0(&own, 100);

	(void)state;
	assert_non_null(block);
	T_EQ_U64(memory.live_bytes, 100);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(block[i], 0); // the test's allocator fills blocks with rubbish
	pmon_mem_free(&own, block, 100);
	pmon_mem_free(&own, NULL, 100);
	T_EQ_U64(memory.live_blocks, 0);
	memory = (struct t_memory){.fail_at = 1};
	assert_null(pmon_mem_alloc0(&own, 100));
	assert_non_null(block = pmon_mem_alloc(&own, 1));
	pmon_mem_free(&own, block, 1);
}

// ---- Arrays ---------------------------------------------------------------------------------

static void
arrays_grow(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	uint32_t *array = NULL;
	size_t cap = 0;

	(void)state;
	for (uint32_t n = 0; n < 10000; n++) {
		assert_true(pmon_mem_grow(&own, &array, &cap, n + 1, sizeof(*array)));
		assert_true(cap > n);
		array[n] = n;
	}
	for (uint32_t n = 0; n < 10000; n++)
		assert_int_equal(array[n], n);
	assert_in_range(memory.calls, 1, 25); // by half at least: 16 * 1.5^16 > 10000
	T_EQ_U64(memory.live_blocks, 1);
	T_EQ_U64(memory.live_bytes, cap * sizeof(*array));
	pmon_mem_free(&own, array, cap * sizeof(*array));
}

static void
arrays_with_room_do_not_grow(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	uint64_t *array = NULL;
	size_t cap = 0;

	(void)state;
	assert_true(pmon_mem_grow(&own, &array, &cap, 0, sizeof(*array)));
	assert_true(array == NULL && cap == 0);
	assert_true(pmon_mem_grow(&own, &array, &cap, 1000, sizeof(*array)));
	assert_true(cap >= 1000);
	assert_true(pmon_mem_grow(&own, &array, &cap, 1000, sizeof(*array)));
	T_EQ_U64(memory.calls, 1);
	pmon_mem_free(&own, array, cap * sizeof(*array));
}

static void
arrays_stay_when_memory_is_short(void **state)
{
	struct t_memory memory = {.fail_at = 2};
	struct pmon_allocator own = t_memory_allocator(&memory);
	uint32_t *array = NULL;
	uint32_t *before;
	size_t cap = 0;
	size_t cap_before;

	(void)state;
	assert_true(pmon_mem_grow(&own, &array, &cap, 1, sizeof(*array)));
	array[0] = 42;
	before = array;
	cap_before = cap;
	assert_false(pmon_mem_grow(&own, &array, &cap, cap + 1, sizeof(*array)));
	assert_ptr_equal(array, before);
	T_EQ_U64(cap, cap_before);
	T_EQ_U64(array[0], 42);
	// More than there can be.
	assert_false(pmon_mem_grow(&own, &array, &cap, SIZE_MAX, sizeof(*array)));
	assert_false(pmon_mem_grow(&own, &array, &cap, SIZE_MAX / 4 + 1, sizeof(*array)));
	T_EQ_U64(memory.calls, 2);
	assert_ptr_equal(array, before);
	pmon_mem_free(&own, array, cap * sizeof(*array));
	T_EQ_U64(memory.live_blocks, 0);
}

// ---- Arenas ---------------------------------------------------------------------------------

#define PIECES 2000

// Allocations of many sizes must be zeroed, aligned, disjoint, and stay in place to the end.
static void
arenas_keep_what_they_gave(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	struct pmon_arena arena;
	struct t_rand r = {6};
	static struct {
		unsigned char *ptr;
		size_t size;
	} piece[PIECES];

	(void)state;
	pmon_arena_init(&arena, &own);
	for (size_t i = 0; i < PIECES; i++) {
		piece[i].size = t_rand_below(&r, i % 100 == 0 ? 40000 : 200);
		piece[i].ptr = pmon_arena_alloc(&arena, piece[i].size);
		assert_non_null(piece[i].ptr);
		assert_int_equal((uintptr_t)piece[i].ptr % _Alignof(long double), 0);
		for (size_t j = 0; j < piece[i].size; j++)
			assert_int_equal(piece[i].ptr[j], 0);
		memset(piece[i].ptr, (int)(i % 255) + 1, piece[i].size);
	}
	for (size_t i = 0; i < PIECES; i++)
		for (size_t j = 0; j < piece[i].size; j++)
			assert_int_equal(piece[i].ptr[j], i % 255 + 1);
	pmon_arena_free(&arena);
	T_EQ_U64(memory.live_blocks, 0);
	T_EQ_U64(memory.live_bytes, 0);
	pmon_arena_free(&arena); // an empty arena
}

static void
arenas_around_the_size_of_a_block(void **state)
{
	(void)state;
	for (size_t size = 16384 - 64; size <= 16384 + 64; size++) {
		struct t_memory memory = {0};
		struct pmon_allocator own = t_memory_allocator(&memory);
		struct pmon_arena arena;
		char *ptr;

		pmon_arena_init(&arena, &own);
		assert_non_null(pmon_arena_alloc(&arena, 1));
		ptr = pmon_arena_alloc(&arena, size);
		assert_non_null(ptr);
		memset(ptr, 1, size);
		assert_non_null(pmon_arena_alloc(&arena, 1));
		pmon_arena_free(&arena);
		T_EQ_U64(memory.live_blocks, 0);
	}
}

static void
arenas_without_memory(void **state)
{
	struct t_memory memory = {.fail_at = 2};
	struct pmon_allocator own = t_memory_allocator(&memory);
	struct pmon_arena arena;
	char *first;

	(void)state;
	pmon_arena_init(&arena, &own);
	first = pmon_arena_alloc(&arena, 10);
	assert_non_null(first);
	memcpy(first, "is kept", 8);
	assert_null(pmon_arena_alloc(&arena, 20000));
	assert_null(pmon_arena_alloc(&arena, SIZE_MAX));
	assert_null(pmon_arena_alloc(&arena, SIZE_MAX - 15));
	assert_null(pmon_arena_alloc(&arena, SIZE_MAX / 2 + 1));
	T_EQ_U64(memory.calls, 2);
	assert_non_null(pmon_arena_alloc(&arena, 20000)); // memory is back
	T_EQ_STR(first, "is kept");
	pmon_arena_free(&arena);
	T_EQ_U64(memory.live_blocks, 0);
}

static void
arenas_copy_text(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	struct pmon_arena arena;
	char text[] = "Memory\\Pages";
	struct pmon_span copy;

	(void)state;
	pmon_arena_init(&arena, &own);
	assert_true(pmon_arena_copy(&arena, (struct pmon_span){text, 6}, &copy));
	memset(text, 'x', sizeof(text));
	T_EQ_SPAN(copy, "Memory");
	T_EQ_STR(copy.ptr, "Memory"); // with a NUL after it
	assert_true(pmon_arena_copy(&arena, t_span(""), &copy));
	T_EQ_SPAN(copy, "");
	T_EQ_STR(copy.ptr, "");
	assert_true(pmon_arena_copy(&arena, (struct pmon_span){NULL, 0}, &copy));
	T_EQ_SPAN(copy, NULL);
	pmon_arena_free(&arena);
	memory = (struct t_memory){.fail_at = 1};
	copy = t_span("x");
	assert_false(pmon_arena_copy(&arena, t_span("y"), &copy));
	T_EQ_SPAN(copy, NULL);
	pmon_arena_free(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_do_not_overflow),
		cmocka_unit_test(sums_do_not_overflow),
		cmocka_unit_test(null_means_libc),
		cmocka_unit_test(blocks_come_from_the_allocator),
		cmocka_unit_test(arrays_grow),
		cmocka_unit_test(arrays_with_room_do_not_grow),
		cmocka_unit_test(arrays_stay_when_memory_is_short),
		cmocka_unit_test(arenas_keep_what_they_gave),
		cmocka_unit_test(arenas_around_the_size_of_a_block),
		cmocka_unit_test(arenas_without_memory),
		cmocka_unit_test(arenas_copy_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
