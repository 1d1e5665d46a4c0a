// test_blg_odd.c - binary logs that are odd in many ways at once
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/sink.h>

#include "blg_log.h"
#include "faulty.h"
#include "folder.h"
#include "format/format.h"
#include "fuzz_log.h"
#include "memsource.h"
#include "model/source.h"
#include "write_fault.h"

// ---- Names ----------------------------------------------------------------------------------

#define N_SEEDS 400

static const char *
any_name(struct t_rand *r)
{
	static const char *const names[] = {"a",   "a",     "a#1", "a#2",  "a#01",
					    "p/a", "",      "b",   "a#",   "a#99999999999",
					    "#1",  "p/a#1", "a ",  "a#1#1"};

	return names[t_rand_below(r, T_LEN(names))];
}

static void
build_items(struct blg_build *b, struct t_rand *r, int64_t time)
{
	blg_build_multi_begin(b, t_rand_below(r, 20) == 0 ? 0xC0000BC6 : 0, time);
	for (size_t n = t_rand_below(r, 6); n > 0; n--)
		blg_build_item(b, any_name(r), 1, (int64_t)t_rand_below(r, 100), time);
	blg_build_multi_end(b);
}

// A whole object, now and then of other counters than before.
static void
build_object(struct blg_build *b, struct t_rand *r, int64_t time)
{
	struct blg_build_counter counters[] = {
		{10, RAWCOUNT, 4, 0}, {12, COUNTER, 4, 0}, {14, RAWCOUNT, 8, 0}};
	struct blg_build_instance instances[4];
	int64_t values[12];
	struct blg_build_object object = {
		.title = 230,
		.system_time = time,
		.perf_time = time,
		.perf_freq = 10000000,
		.perf_time_100ns = time,
		.counters = counters,
		.n_counters = 1 + t_rand_below(r, 3),
		.instances = instances,
		.n_instances = t_rand_below(r, 5),
		.values = values,
	};

	if (t_rand_below(r, 15) == 0)
		counters[t_rand_below(r, 3)].scale = 1;
	if (t_rand_below(r, 15) == 0)
		counters[t_rand_below(r, 3)].title = 16;
	if (t_rand_below(r, 15) == 0)
		object.perf_freq = 1000;
	for (size_t i = 0; i < T_LEN(instances); i++)
		instances[i] = (struct blg_build_instance){
			.name = any_name(r),
			.parent_title = t_rand_below(r, 4) == 0 ? 230 : 0,
			.parent_number = (uint32_t)t_rand_below(r, 3)};
	for (size_t i = 0; i < T_LEN(values); i++)
		values[i] = (int64_t)t_rand_below(r, 1000);
	blg_build_object(b, &object);
}

// Instances appear, disappear and change places, in parts across several buffers.
static void
each_odd_log(uint64_t n_seeds, void (*check)(const uint8_t *file, size_t len))
{
	static const struct blg_build_title titles[] = {
		{10, "Ten"}, {12, "Twelve"}, {14, "Fourteen"}, {230, "Process"}};
	static const struct blg_build_entry entries[] = {
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "*", NULL, "C", 0},
		{1, COUNTER, 0, 0, "\\\\S", "P", "*", NULL, "D", 0},
		{1, RAWCOUNT, 0, 0, "\\\\S", "Q", "*", NULL, "C", 0},
		{0x10, 0, 0, 0, "\\\\S", "Process", "*", NULL, "*", 0},
		{0, RAWCOUNT, 0, 0, "\\\\S", "M", NULL, NULL, "C", 0},
	};

	for (uint64_t seed = 0; seed < n_seeds; seed++) {
		struct t_rand r = {.state = seed};
		struct blg_build_options options = {.buffer_bytes = 0x400, .chunk_bytes = 700};
		struct blg_build *b;
		size_t len;
		uint8_t *file;

		options.end = seed % 3 == 0 ? 0 : T0 + HOUR;
		b = blg_build_new(&options);
		blg_build_names(b, T0 - 20, "\\\\S", titles, T_LEN(titles));
		blg_build_catalogue(b, T0 - 10, entries, T_LEN(entries));
		for (int64_t k = 0; k < 12; k++) {
			blg_build_sample_begin(b);
			build_items(b, &r, T0 + k * SECOND);
			build_items(b, &r, T0 + k * SECOND);
			build_items(b, &r, T0 + k * SECOND);
			build_object(b, &r, T0 + k * SECOND);
			blg_build_single(b, 0, T0 + k * SECOND, k, 0, 1);
			blg_build_sample_end(b, T0 + k * SECOND);
		}
		file = blg_build_finish(b, &len);
		check(file, len);
		free(file);
	}
}

// Reading again finds no new series when columns of whole objects appear and disappear.
static void
read_again(const uint8_t *file, size_t len)
{
	struct pmon_source *source = open_bytes(file, len, NULL);
	const struct pmon_sample *sample;
	struct pmon_err err;
	size_t n;

	while (pmon_source_next(source, &sample, &err) == PMON_OK)
		continue;
	n = pmon_schema_count(pmon_source_schema(source));
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	while (pmon_source_next(source, &sample, &err) == PMON_OK)
		continue;
	T_EQ_U64(pmon_schema_count(pmon_source_schema(source)), n);
	pmon_source_close(source);
	fuzz_log(NULL, NULL, file, len);
}

static void
instances_in_any_order(void **state)
{
	(void)state;
	each_odd_log(N_SEEDS, read_again);
}

static void
fail_allocations(const uint8_t *file, size_t len)
{
	faulty_allocations("instances", file, len);
	(void)faulty_parts("instances", file, len);
}

static void
instances_short_of_memory(void **state)
{
	(void)state;
	each_odd_log(25, fail_allocations);
}

static const uint8_t *odd_bytes;
static size_t odd_len;

static struct pmon_source *
odd_source(void)
{
	return open_bytes(odd_bytes, odd_len, NULL);
}

static void
fail_writers(const uint8_t *file, size_t len)
{
	odd_bytes = file;
	odd_len = len;
	for (size_t i = 0; pmon_log_writable(i) != NULL; i++)
		each_allocation_of_writing_fails(odd_source, pmon_log_writable(i));
}

static void
writers_of_instances_short_of_memory(void **state)
{
	(void)state;
	each_odd_log(3, fail_writers);
}

// ---- The header -----------------------------------------------------------------------------

// Read a log and write it as another: the round trip keeps everything, in particular the offsets to UTC.
static void
same_when_written(const uint8_t *bytes, size_t len, size_t bit)
{
	const char *path = in_folder("out.blg");
	struct dump want = {0}, got = {0};
	struct pmon_source *source = open_bytes(bytes, len, NULL);
	struct pmon_err err;

	assert_int_equal(dump_read(&want, source, &err), PMON_END);
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	write_over(source, path, "blg");
	if (pmon_log_open(path, NULL, &source, &err) != PMON_OK)
		fail_msg("bit %zu: %s", bit, err.msg);
	assert_int_equal(dump_read(&got, source, &err), PMON_END);
	if (got.text == NULL || want.text == NULL)
		assert_ptr_equal(got.text, want.text);
	else
		T_EQ_STR(got.text, want.text);
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
	dump_free(&want);
	dump_free(&got);
}

static bool
is_log(const uint8_t *bytes, size_t len)
{
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, &err), PMON_OK);
	if (pmon_log_open_file(file, NULL, &source, &err) != PMON_OK)
		return false;
	pmon_source_close(source);
	return true;
}

// The zone stands at 0x48 + 0x88 of the header (TRACE_LOGFILE_HEADER of evntrace.h); the rest is sizes, times
// and flags.
static void
each_bit_of_the_header_is_wrong(void **state)
{
	struct blg_build *b = memory_log(&blg_berlin);
	size_t n_logs = 0;
	size_t len;
	uint8_t *file;

	(void)state;
	// about both changes of the clock in 2020, and in winter again
	for (int64_t day = 0; day < 330; day += 30)
		memory_sample(b, T0 + day * 24 * HOUR, day);
	file = blg_build_finish(b, &len);
	for (size_t bit = 0x48 * 8; bit < 0x190 * 8; bit++) {
		file[bit / 8] ^= (uint8_t)(1u << bit % 8);
		fuzz_log(NULL, NULL, file, len);
		if (bit % 3 == 0 && is_log(file, len)) {
			same_when_written(file, len, bit);
			n_logs++;
		}
		file[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	assert_in_range(n_logs, 300, 1000);
	free(file);
}

// ---- A wide log, of which a few counters are read -------------------------------------------

#define N_WIDE   1500
#define N_WRONG  300
#define WANTED   "Counter 700"
#define WANTED_N 700

static bool
want_wanted(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	return path->counter.len == strlen(WANTED) &&
	       memcmp(path->counter.ptr, WANTED, strlen(WANTED)) == 0;
}

static struct pmon_source *
wide_source(void)
{
	struct mem_source *m = mem_source_new();
	char name[40];

	for (int i = 0; i < N_WIDE; i++) {
		(void)snprintf(name, sizeof(name), "\\\\S\\O\\Counter %d", i);
		(void)mem_source_series(m, name, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
	}
	for (int64_t k = 0; k < 4; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		for (uint32_t i = 0; i < N_WIDE; i++)
			mem_source_raw(m, i, 10000 * k + i, 0);
	}
	return mem_source_open(m);
}

struct few {
	int64_t values[8];
	size_t n;
	struct dump told;
};

static void
read_few(struct few *few, const uint8_t *bytes, size_t len, bool all)
{
	struct pmon_log_options options = {.size = sizeof(options),
					   .notice = dump_notice,
					   .notice_ctx = &few->told,
					   .want = all ? NULL : want_wanted};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	*few = (struct few){.n = 0};
	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, &err), PMON_OK);
	if (pmon_log_open_file(file, &options, &source, &err) != PMON_OK) {
		dump_notice(&few->told, &(struct pmon_notice){.text = err.msg});
		return;
	}
	while (pmon_source_next(source, &sample, &err) == PMON_OK)
		for (size_t i = 0; i < sample->n; i++)
			if (want_wanted(NULL, &pmon_schema_at(pmon_source_schema(source),
							      sample->series[i])
						       ->path) &&
			    few->n < T_LEN(few->values))
				few->values[few->n++] = sample->raw[i].first;
	pmon_source_close(source);
}

// A reader of one counter gets the same values as in a full read, or a report of damage.
static void
one_counter_reads_as_in_a_full_read(void **state)
{
	const char *path = in_folder("wide.blg");
	struct t_rand r = {.state = 5};
	struct few few, whole;
	size_t len;
	uint8_t *bytes;

	(void)state;
	write_over(wide_source(), path, "blg");
	bytes = (uint8_t *)t_read_file(path, &len);
	assert_non_null(bytes);
	assert_int_equal(unlink(path), 0);
	read_few(&few, bytes, len, false);
	assert_int_equal(few.n, 4);
	for (int64_t k = 0; k < 4; k++)
		T_EQ_I64(few.values[k], 10000 * k + WANTED_N);
	for (int i = 0; i < N_WRONG; i++) {
		size_t at = t_rand_below(&r, len);
		uint8_t was = bytes[at];

		// heads of buffers and events more often than values
		if (i % 2 == 0)
			at = at / 0x10000 * 0x10000 + t_rand_below(&r, 0x100);
		at = at < len ? at : len - 1;
		was = bytes[at];
		bytes[at] ^= (uint8_t)(1u << t_rand_below(&r, 8));
		read_few(&few, bytes, len, false);
		read_few(&whole, bytes, len, true);
		if (few.told.n == 0 && whole.told.n == 0) {
			T_EQ_U64(few.n, whole.n);
			assert_memory_equal(few.values, whole.values,
					    whole.n * sizeof(whole.values[0]));
		}
		dump_free(&few.told);
		dump_free(&whole.told);
		bytes[at] = was;
	}
	free(bytes);
}

// ---- Parts ----------------------------------------------------------------------------------

// A source is split at its beginning only, into parts of some size, and where several can read the file.
static void
unsplittable_logs_are_read_in_one_part(void **state)
{
	struct blg_build *b = memory_log(&(struct blg_build_options){.buffer_bytes = 0x400});
	struct pmon_source *parts[4];
	const struct pmon_sample *sample;
	struct blg_opened log;
	struct pmon_err err;
	size_t n;

	(void)state;
	for (int64_t k = 0; k < 40; k++)
		memory_sample(b, T0 + k * SECOND, k);
	log = blg_log_open(b, NULL);
	n = 4;
	assert_int_equal(log.source->split->split(log.source, 0, parts, &n, &err), PMON_OK);
	assert_int_equal(n, 0);
	n = 1;
	assert_int_equal(log.source->split->split(log.source, 1, parts, &n, &err), PMON_OK);
	assert_int_equal(n, 0);
	n = 4;
	assert_int_equal(log.source->split->split(log.source, 1, parts, &n, &err), PMON_OK);
	assert_int_equal(n, 4);
	assert_int_equal(pmon_source_rewind(parts[1], &err), PMON_E_STATE);
	while (n > 0)
		pmon_source_close(parts[--n]);
	for (int k = 0; k < 30; k++)
		assert_int_equal(pmon_source_next(log.source, &sample, &err), PMON_OK);
	n = 4;
	assert_int_equal(log.source->split->split(log.source, 1, parts, &n, &err), PMON_OK);
	assert_int_equal(n, 0);
	blg_log_close(&log);
}

// ---- Writing --------------------------------------------------------------------------------

// Instances of one counter are one entry of the list; where anything of the counter differs they are not.
static void
counters_that_differ_a_little(void **state)
{
	static const struct pmon_counter counters[] = {
		{.type = COUNTER, .time_base = 1000, .default_scale = 0, .size_bytes = 4},
		{.type = COUNTER, .time_base = 2000, .default_scale = 0, .size_bytes = 4},
		{.type = COUNTER, .time_base = 1000, .default_scale = -1, .size_bytes = 4},
		{.type = COUNTER, .time_base = 1000, .default_scale = 0, .size_bytes = 8},
		{.type = RAWCOUNT, .time_base = 1000, .default_scale = 0, .size_bytes = 4},
	};
	struct mem_source *m = mem_source_new();
	const char *path = in_folder("differ.blg");
	struct pmon_source *source;
	struct pmon_err err;
	char name[16];

	(void)state;
	for (size_t i = 0; i < 2 * T_LEN(counters); i++) {
		struct pmon_path p = {.machine = {"S", 1}, .object = {"O", 1}, .counter = {"C", 1}};
		uint32_t id;

		(void)snprintf(name, sizeof(name), "i%zu", i);
		p.instance = t_span(name);
		id = mem_source_add(m, &p, &counters[i % T_LEN(counters)]);
		m->base.schema.list[id]->wildcard = true;
	}
	mem_source_sample(m, T0);
	for (uint32_t i = 0; i < 2 * T_LEN(counters); i++)
		mem_source_raw(m, i, 100 + i, 0);
	write_over(mem_source_open(m), path, "blg");
	if (pmon_log_open(path, NULL, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	while (pmon_source_next(source, &(const struct pmon_sample *){NULL}, &err) == PMON_OK)
		continue;
	assert_int_equal(pmon_schema_count(pmon_source_schema(source)), 2 * T_LEN(counters));
	for (size_t i = 0; i < 2 * T_LEN(counters); i++) {
		const struct pmon_series *s = pmon_schema_at(pmon_source_schema(source), i);
		size_t k = (size_t)(s->path.instance.ptr[1] - '0') % T_LEN(counters);

		T_EQ_U64(s->counter.type, counters[k].type);
		T_EQ_I64(s->counter.time_base, counters[k].time_base);
		T_EQ_I64(s->counter.default_scale, counters[k].default_scale);
	}
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
}

static void
a_finished_log_takes_nothing(void **state)
{
	struct pmon_create_options live = {.size = sizeof(live), .live = true};
	const char *path = in_folder("done.blg");
	struct mem_source *m = mem_source_new();
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_sink *sink;
	struct pmon_err err;

	(void)state;
	(void)mem_source_series(m, "\\\\S\\O\\C", RAWCOUNT, 0);
	mem_source_sample(m, T0);
	mem_source_raw(m, 0, 1, 0);
	source = mem_source_open(m);
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
	assert_int_equal(pmon_log_create(path, "blg", &live, &sink, &err), PMON_OK);
	assert_int_equal(pmon_sink_flush(sink, false, &err), PMON_E_STATE);
	assert_int_equal(pmon_sink_add(sink, sample, NULL, &err), PMON_E_STATE);
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_E_STATE);
	assert_int_equal(
		pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err),
		PMON_OK);
	assert_int_equal(pmon_sink_flush(sink, false, &err), PMON_OK); // nothing is there yet
	assert_int_equal(pmon_sink_add(sink, sample, NULL, &err), PMON_OK);
	assert_int_equal(pmon_sink_flush(sink, false, &err), PMON_OK);
	assert_int_equal(pmon_sink_flush(sink, true, &err), PMON_OK); // nothing is new
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_OK);
	assert_int_equal(pmon_sink_add(sink, sample, NULL, &err), PMON_E_STATE);
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_E_STATE);
	pmon_sink_close(sink);
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instances_in_any_order),
		cmocka_unit_test(instances_short_of_memory),
		cmocka_unit_test(writers_of_instances_short_of_memory),
		cmocka_unit_test(each_bit_of_the_header_is_wrong),
		cmocka_unit_test(one_counter_reads_as_in_a_full_read),
		cmocka_unit_test(unsplittable_logs_are_read_in_one_part),
		cmocka_unit_test(counters_that_differ_a_little),
		cmocka_unit_test(a_finished_log_takes_nothing),
	};

	return cmocka_run_group_tests_name("binary logs", tests, folder_make, folder_remove);
}
