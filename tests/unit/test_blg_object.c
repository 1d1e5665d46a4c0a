// test_blg_object.c - whole objects in a BLG
// SPDX-License-Identifier: MIT

#include "t.h"

#include "blg_log.h"

static const struct blg_build_title titles[] = {
	{2, "System"}, {10, "Rate"}, {12, "Fraction"}, {14, "Average"}, {16, "Multi"},
	{18, "Busy"},  {20, "Up"},   {230, "Process"}, {232, "Thread"},
};

static const struct blg_build_counter counters[] = {
	{10, COUNTER, 4, 0},    {12, FRACTION, 4, 0}, {12, RAW_BASE, 4, 0},
	{14, AVG_TIMER, 8, 3},  {15, AVG_BASE, 4, 0}, {16, MULTI_TIME, 8, 0},
	{17, MULTI_BASE, 4, 0}, {18, PRECISE, 8, 0},  {18, PRECISE_TS, 8, 0},
	{20, ELAPSED, 8, 0},    {22, RAWCOUNT, 4, 0}, {23, TEXT, 4, 0},
	{24, RAWCOUNT, 3, 0},
};

static struct blg_build *
object_log(const struct blg_build_options *options, const char *instance)
{
	const struct blg_build_entry entry = {0x10, 0x10,     0,    0,   "\\\\SRV",
					      "O",  instance, NULL, "*", 0};
	struct blg_build *b = blg_build_new(options);

	blg_build_names(b, T0 - 20, "\\\\SRV", titles, 4);
	blg_build_names(b, T0 - 20, "\\\\SRV", titles + 3, T_LEN(titles) - 3);
	blg_build_catalogue(b, T0 - 10, &entry, 1);
	return b;
}

static void
object_sample(struct blg_build *b, const struct blg_build_object *object, int64_t time)
{
	blg_build_sample_begin(b);
	blg_build_object(b, object);
	blg_build_sample_end(b, time);
}

static void
object_values(void **state)
{
	static const int64_t values[] = {0xFFFFFFFF, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
	struct blg_build_object object = {
		.title = 2,
		.system_time = T0 - HOUR, // local, an hour earlier
		.perf_time = 100,
		.perf_freq = 1000,
		.perf_time_100ns = T0 + 5,
		.object_time = 300,
		.object_freq = 3000,
		.counters = counters,
		.n_counters = T_LEN(counters),
		.values = values,
	};

	(void)state;
	for (size_t g = 0; g < N_GENERATIONS; g++) {
		struct blg_build *b = object_log(&blg_generations[g], NULL);

		object.extra = g % 2 * 8;
		object_sample(b, &object, T0 - HOUR);
		blg_build_instance_list(b, T0 - HOUR);
		blg_expect(b, "LOSS the log has no name for counter #22 of O\n"
			      "LOSS the log has no name for counter #24 of O\n"
			      "2020-01-01T00:00:00Z stream 0 sample 0 offset -60\n"
			      "\\\\SRV\\O\\Rate = 4294967295 100\n"
			      "\\\\SRV\\O\\Fraction = 3 4\n"
			      "\\\\SRV\\O\\Average = 5 6\n"
			      "\\\\SRV\\O\\Multi = 7 100 x8\n"
			      "\\\\SRV\\O\\Busy = 9 10\n"
			      "\\\\SRV\\O\\Up = 11 300\n"
			      "\\\\SRV\\O\\#22 = 12 0\n"
			      "\\\\SRV\\O\\#24 = 0 0 x0 status C0000BBA\n");
	}
}

static void
object_series_know_how_to_be_computed(void **state)
{
	static const int64_t values[T_LEN(counters)] = {0};
	static const struct {
		const char *counter;
		int64_t time_base;
		uint8_t size;
	} want[] = {
		{"Rate", 1000, 4},  {"Fraction", 1000, 4}, {"Average", 1000, 8},
		{"Multi", 1000, 8}, {"Busy", 10000000, 8}, {"Up", 3000, 8},
		{"#22", 1000, 4},
	};
	struct blg_build_object object = {
		.title = 2,
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.object_freq = 3000,
		.counters = counters,
		.n_counters = T_LEN(counters),
		.values = values,
	};
	struct blg_build *b = object_log(NULL, NULL);
	struct blg_opened log;

	(void)state;
	object_sample(b, &object, T0);
	log = blg_log_open(b, NULL);
	blg_log_read(&log);
	for (size_t i = 0; i < T_LEN(want); i++) {
		const struct pmon_series *s = pmon_schema_at(pmon_source_schema(log.source), i);

		T_EQ_SPAN(s->path.counter, want[i].counter);
		assert_null(s->path.instance.ptr);
		T_EQ_I64_AT(s->counter.time_base, want[i].time_base, want[i].counter);
		T_EQ_U64_AT(s->counter.size_bytes, want[i].size, want[i].counter);
	}
	T_EQ_I64(pmon_schema_at(pmon_source_schema(log.source), 2)->counter.default_scale, 3);
	blg_log_close(&log);
}

static const struct blg_build_counter one_counter[] = {{10, COUNTER, 4, 0}};
static const int64_t small_values[] = {1, 2, 3, 4};

// An object of that counter at T0.
static struct blg_build_object
one_object(uint32_t title, const struct blg_build_instance *instances, size_t n)
{
	return (struct blg_build_object){
		.title = title,
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.counters = one_counter,
		.n_counters = 1,
		.values = small_values,
		.instances = instances,
		.n_instances = n,
	};
}

static void
object_instances(void **state)
{
	static const struct blg_build_instance first[] = {
		{"svchost", 0, 0, 0}, {"cmd", 0, 0, 0}, {"svchost", 0, 0, 0}, {"", 0, 0, 42}};
	static const struct blg_build_instance second[] = {{"cmd", 0, 0, 0}, {"svchost", 0, 0, 0}};
	struct blg_build_object object = one_object(230, first, T_LEN(first));
	struct blg_build_options options = {.end = T0, .chunk_bytes = 64};
	struct blg_build *b = object_log(&options, "*");

	(void)state;
	object_sample(b, &object, T0);
	object.instances = second;
	object.n_instances = 2;
	object_sample(b, &object, T0 + SECOND);
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\O(svchost)\\Rate = 1 0\n"
		      "\\\\SRV\\O(cmd)\\Rate = 2 0\n"
		      "\\\\SRV\\O(svchost#1)\\Rate = 3 0\n"
		      "\\\\SRV\\O(42)\\Rate = 4 0\n"
		      "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		      "\\\\SRV\\O(cmd)\\Rate = 1 0 time -1000ms\n"
		      "\\\\SRV\\O(svchost)\\Rate = 2 0 time -1000ms\n");
}

// A definition that appears later gives a new series; existing ones stay.
static void
object_definitions_may_change(void **state)
{
	static const struct blg_build_counter more[] = {{18, RAWCOUNT, 4, 0}, {10, COUNTER, 4, 0}};
	static const struct blg_build_instance instances[] = {{"a", 0, 0, 0}};
	struct blg_build_object object = one_object(230, instances, T_LEN(instances));
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = object_log(&options, "*");

	(void)state;
	object_sample(b, &object, T0);
	object.counters = more;
	object.n_counters = 2;
	object_sample(b, &object, T0 + 1);
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\O(a)\\Rate = 1 0\n"
		      "2020-01-01T00:00:00.0000001Z stream 0 sample 1 offset 0\n"
		      "\\\\SRV\\O(a)\\Busy = 1 0 time +0ms\n"
		      "\\\\SRV\\O(a)\\Rate = 2 0 time +0ms\n");
}

// Threads know their process by its number in the process object of the same sample.
static void
object_parents(void **state)
{
	static const struct blg_build_entry entries[] = {
		{0x10, 0x10, 0, 0, "\\\\SRV", "Thread", "*", NULL, "*", 0},
		{0x10, 0x10, 0, 0, "\\\\SRV", "Process", "*", NULL, "*", 0},
	};
	static const struct blg_build_instance threads[] = {
		{"0", 230, 1, 0}, {"0", 230, 0, 0}, {"0", 230, 1, 0}, {"7", 230, 99, 0}};
	static const struct blg_build_instance processes[] = {{"idle", 0, 0, 0}, {"cmd", 0, 0, 0}};
	const struct blg_build_object objects[] = {
		one_object(232, threads, T_LEN(threads)),
		one_object(230, processes, T_LEN(processes)),
	};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	(void)state;
	blg_build_names(b, T0 - 20, "\\\\SRV", titles, T_LEN(titles));
	blg_build_catalogue(b, T0 - 10, entries, 2);
	blg_build_sample_begin(b);
	blg_build_object(b, &objects[0]);
	blg_build_object(b, &objects[1]);
	blg_build_sample_end(b, T0);
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Thread(cmd/0)\\Rate = 1 0\n"
		      "\\\\SRV\\Thread(idle/0)\\Rate = 2 0\n"
		      "\\\\SRV\\Thread(cmd/0#1)\\Rate = 3 0\n"
		      "\\\\SRV\\Thread(7)\\Rate = 4 0\n"
		      "\\\\SRV\\Process(idle)\\Rate = 1 0\n"
		      "\\\\SRV\\Process(cmd)\\Rate = 2 0\n");
}

static void
object_names_of_one_byte(void **state)
{
	static const struct blg_build_instance instances[] = {{"caf\xE9", 0, 0, 0}};
	struct blg_build_object object = one_object(230, instances, T_LEN(instances));
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = object_log(&options, "*");

	(void)state;
	object.code_page = 1252;
	for (int i = 0; i < 2; i++) {
		object_sample(b, &object, T0);
	}
	blg_expect(b, "note instance names in code page 1252: characters beyond ASCII may come out "
		      "wrong\n"
		      "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\O(caf\xC3\xA9)\\Rate = 1 0\n"
		      "2020-01-01T00:00:00Z stream 0 sample 1 offset 0\n"
		      "\\\\SRV\\O(caf\xC3\xA9)\\Rate = 1 0\n");
}

static void
object_names_of_several_machines(void **state)
{
	static const struct blg_build_entry entries[] = {
		{0x10, 0x10, 0, 0, "\\\\A", "O", NULL, NULL, "*", 0},
		{0x10, 0x10, 0, 0, "\\\\B", "O", NULL, NULL, "*", 0},
		{0x10, 0x10, 0, 0, "\\\\C", "O", NULL, NULL, "*", 0},
	};
	static const struct blg_build_title of_a[] = {{10, "name at A"}};
	static const struct blg_build_title of_b[] = {{10, "name at B"}};
	struct blg_build_object object = one_object(2, NULL, 0);
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	(void)state;
	blg_build_names(b, T0 - 20, "\\\\A", of_a, 1);
	blg_build_names(b, T0 - 20, "\\\\b", of_b, 1);
	blg_build_catalogue(b, T0 - 10, entries, 3);
	blg_build_sample_begin(b);
	for (int i = 0; i < 3; i++)
		blg_build_object(b, &object);
	blg_build_sample_end(b, T0);
	blg_expect(b, "LOSS the log has no name for counter #10 of O\n"
		      "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\A\\O\\name at A = 1 0\n"
		      "\\\\B\\O\\name at B = 1 0\n"
		      "\\\\C\\O\\#10 = 1 0\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(object_values),
		cmocka_unit_test(object_series_know_how_to_be_computed),
		cmocka_unit_test(object_instances),
		cmocka_unit_test(object_definitions_may_change),
		cmocka_unit_test(object_parents),
		cmocka_unit_test(object_names_of_one_byte),
		cmocka_unit_test(object_names_of_several_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
