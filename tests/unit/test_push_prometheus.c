// test_push_prometheus.c - bodies of remote writes, and what is remembered of series
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "memsource.h"

#ifdef PMON_PUSH_PROMETHEUS

#include <snappy-c.h>

#include "base/mem.h"
#include "base/wr.h"
#include "push/prometheus/prometheus.h"

#define URL "prometheus+http://127.0.0.1:9090"

// ---- Bodies ---------------------------------------------------------------------------------

// "Protocol Buffers, Encoding": a field is its number * 8 + its wire type (0 varint, 1 eight bytes, 2
// length and bytes). 1.5 is 0x3FF8000000000000, 300 is AC 02.
static void
a_series_is_packed_as_the_protocol_says(void **state)
{
	static const char want[] = "\x0A\x2D"                      // one time series of 45 bytes
				   "\x0A\x11"                      // a label of 17
				   "\x0A\x08__name__\x12\x05x_sum" //
				   "\x0A\x06\x0A\x01i\x12\x01v"    // a label of 6
				   "\x12\x0C"                      // a sample of 12
				   "\x09\0\0\0\0\0\0\xF8\x3F\x10\xAC\x02" //
				   "\x12\x02\x10\x01";                    // value 0 is left out
	const struct prom_point points[] = {{300, UINT64_C(0x3FF8000000000000)}, {1, 0}};
	struct prom_labels labels = {{"__name__", "i"}, {NULL, "v"}, 2};
	struct pmon_push_bytes body = {NULL, 0, 0};
	struct pmon_push_bytes packed = {NULL, 0, 0};
	char plain[100];
	size_t len = sizeof(plain);
	struct snappy_calls snappy;
	struct pmon_err err;

	(void)state;
	assert_true(
		pmon_prom_add(pmon_mem_allocator(NULL), &body, &labels, "x_sum", false, points, 2));
	assert_int_equal(body.n, sizeof(want) - 1);
	assert_memory_equal(body.list, want, sizeof(want) - 1);
	assert_int_equal(PMON_OS_LOAD(PMON_LIBRARY_SNAPPY, SNAPPY_CALLS, &snappy, &err), PMON_OK);
	assert_true(pmon_prom_compress(&snappy, pmon_mem_allocator(NULL), &body, &packed));
	assert_int_equal(snappy_uncompress((const char *)packed.list, packed.n, plain, &len),
			 SNAPPY_OK);
	assert_int_equal(len, sizeof(want) - 1);
	assert_memory_equal(plain, want, len);
	pmon_mem_free(pmon_mem_allocator(NULL), body.list, body.cap);
	pmon_mem_free(pmon_mem_allocator(NULL), packed.list, packed.cap);
}

static void
labels_are_text(void **state)
{
	struct mem_source *m = mem_source_new();
	struct pmon_source *source;
	struct om_registry registry;
	struct pmon_arena arena;
	struct prom_labels labels;

	(void)state;
	(void)mem_source_series(m, "\\\\S\\O(a\xFFz#2)\\C", PMON_PERF_COUNTER_RAWCOUNT, 0);
	source = mem_source_open(m);
	pmon_om_registry_open(&registry, pmon_source_schema(source), pmon_mem_allocator(NULL));
	pmon_arena_init(&arena, pmon_mem_allocator(NULL));
	assert_true(pmon_om_registry_grow(&registry));
	assert_true(pmon_prom_labels(&arena, registry.tracks[0], &labels));
	assert_int_equal(labels.n, 5);
	assert_string_equal(labels.names[1], "index");
	assert_string_equal(labels.values[1], "2");
	assert_string_equal(labels.names[2], "instance");
	assert_string_equal(labels.values[2], "a\xEF\xBF\xBDz");
	assert_string_equal(labels.values[3], "S");
	pmon_arena_free(&arena);
	pmon_om_registry_close(&registry);
	pmon_source_close(source);
}

// ---- Memory ---------------------------------------------------------------------------------

static void
adjacent_intervals_are_joined(void **state)
{
	struct prom_memory m = {.key = {0, 1}};

	(void)state;
	assert_false(pmon_prom_interval_has(&m, 0));
	pmon_prom_interval_add(&m, (struct prom_interval){10, 20});
	pmon_prom_interval_add(&m, (struct prom_interval){40, 50});
	pmon_prom_interval_add(&m, (struct prom_interval){1, 2});
	assert_true(pmon_prom_newest(&m) == 50);
	assert_true(pmon_prom_interval_has(&m, 2) && pmon_prom_interval_has(&m, 10));
	assert_false(pmon_prom_interval_has(&m, 3) || pmon_prom_interval_has(&m, 30));
	pmon_prom_interval_add(&m, (struct prom_interval){20, 45});
	assert_true(pmon_prom_interval_has(&m, 30));
	assert_true(m.intervals[PROM_INTERVALS - 1].from == 10);
	// The oldest is forgotten when there is one too many.
	for (pmon_time t = 100; t < 100 + 10 * (PROM_INTERVALS - 1); t += 10)
		pmon_prom_interval_add(&m, (struct prom_interval){t, t + 1});
	assert_false(pmon_prom_interval_has(&m, 1));
	assert_true(pmon_prom_interval_has(&m, 15));
	assert_true(pmon_prom_newest(&m) == 100 + 10 * (PROM_INTERVALS - 2) + 1);
}

static struct prom_memory
made(uint64_t key, uint64_t n)
{
	struct prom_memory m = {
		.key = {key % 2, key},
		.raw = {.status = 1, .multi = 4, .time = 7, .first = -1, .second = 9},
		.n = n,
		.d = 6,
		.pairs = 5};

	pmon_prom_interval_add(&m, (struct prom_interval){3, (pmon_time)key});
	return m;
}

static const struct prom_memory *
find(const struct prom_memories *memories, uint64_t key)
{
	return pmon_prom_memories_find(memories, (struct pmon_hash128){key % 2, key});
}

static void
save(const char *folder, uint64_t first, uint64_t n, uint64_t step)
{
	struct prom_memory list[1000];
	struct prom_memories memories = {.list = list};
	struct pmon_err err;

	for (uint64_t i = n; i > 0; i--) // in no order
		list[memories.n++] = made(first + (i - 1) * step, first);
	pmon_prom_memories_sort(&memories);
	assert_int_equal(
		pmon_prom_memories_save(&memories, pmon_mem_allocator(NULL), folder, URL, &err),
		PMON_OK);
}

static void
round_trip_of_memories(void **state)
{
	char folder[] = "/tmp/pmon-test-memory-XXXXXX";
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);
	struct prom_memories memories;
	const struct prom_memory *m;
	char command[200];
	struct pmon_err err;

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(pmon_prom_memories_load(&memories, allocator, folder, URL, &err), PMON_OK);
	assert_int_equal(memories.n, 0);
	assert_null(find(&memories, 5));
	pmon_prom_memories_free(&memories, allocator);
	save(folder, 10, 600, 2); // 10, 12, ...
	save(folder, 11, 4, 3);   // 11, 14, 17, 20: two are new, two replaced
	assert_int_equal(pmon_prom_memories_load(&memories, allocator, folder, URL, &err), PMON_OK);
	assert_int_equal(memories.n, 602);
	m = find(&memories, 14);
	assert_non_null(m);
	assert_true(m->n == 11 && m->d == 6 && m->pairs == 5 && m->raw.first == -1 &&
		    m->raw.second == 9 && m->raw.multi == 4 && m->raw.status == 1);
	assert_true(pmon_prom_interval_has(m, 3) && pmon_prom_newest(m) == 14);
	assert_true(find(&memories, 12)->n == 10);
	assert_null(find(&memories, 13));
	pmon_prom_memories_free(&memories, allocator);
	// Cut, it is not taken.
	(void)snprintf(command, sizeof(command), "truncate -s -1 %s/*.series", folder);
	assert_int_equal(system(command), 0);
	assert_int_equal(pmon_prom_memories_load(&memories, allocator, folder, URL, &err),
			 PMON_E_FORMAT);
	pmon_prom_memories_free(&memories, allocator);
	(void)snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_series_is_packed_as_the_protocol_says),
		cmocka_unit_test(labels_are_text),
		cmocka_unit_test(adjacent_intervals_are_joined),
		cmocka_unit_test(round_trip_of_memories),
	};

	return cmocka_run_group_tests_name("push_prometheus", tests, NULL, NULL);
}

#else

int
main(void)
{
	printf("skipped: built without remote write\n");
	return 77;
}

#endif
