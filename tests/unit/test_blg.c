// test_blg.c - the BLG reader on logs that are built field by field, and on real ones
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "base/time.h"
#include "blg_log.h"

// ---- Values ---------------------------------------------------------------------------------

static void
single_and_multi_in_all_generations(void **state)
{
	static const struct blg_build_entry entries[] = {
		{0, COUNTER, 2630633, -1, "\\\\SRV", "Memory", NULL, NULL, "Faults/sec", 0},
		{1, RAWCOUNT, 0, 0, "\\\\SRV", "Disk", "*", NULL, "Queue", 0},
		{0, RAWCOUNT, 0, 0, "\\\\SRV", "Process", "cmd", NULL, "ID", 2},
		{0, RAWCOUNT, 0, 0, "", "Thread", "0", "cmd", "ID", 0},
	};

	(void)state;
	for (size_t g = 0; g < N_GENERATIONS; g++) {
		struct blg_build *b = blg_build_new(&blg_generations[g]);

		blg_build_catalogue(b, T0 - 10, entries, T_LEN(entries));
		blg_build_sample_begin(b);
		blg_build_single(b, 1, T0, 7, -8, 1);
		blg_build_multi_begin(b, 0, T0);
		blg_build_item(b, "0 C:", 0, 1, 2);
		blg_build_item(b, "_Total", 1, INT64_MAX, INT64_MIN);
		blg_build_multi_end(b);
		blg_build_single(b, 0x800007D0, 0, 0, 0, 1);
		blg_build_single(b, 0, T0 + 20000, 4, 5, 6);
		blg_build_sample_end(b, T0);
		blg_expect(
			b,
			"2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
			"\\\\SRV\\Memory\\Faults/sec = 7 -8 status 00000001\n"
			"\\\\SRV\\Disk(0 C:)\\Queue = 1 2 x0\n"
			"\\\\SRV\\Disk(_Total)\\Queue = 9223372036854775807 -9223372036854775808\n"
			"\\\\SRV\\Process(cmd#2)\\ID = 0 0 status 800007D0\n"
			"\\Thread(cmd/0)\\ID = 4 5 x6 time +2ms\n");
	}
}

static void
series_know_how_to_be_computed(void **state)
{
	static const struct blg_build_entry entry = {
		1, COUNTER, 2630633, -4, "\\\\SRV", "Disk", "*", NULL, "Reads/sec", 0};
	struct blg_build *b = blg_build_new(NULL);
	struct blg_opened log;
	const struct pmon_series *series;

	(void)state;
	blg_build_catalogue(b, T0 - 10, &entry, 1);
	blg_build_sample_begin(b);
	blg_build_multi_begin(b, 0, T0);
	blg_build_item(b, "R", 1, 1, 1);
	blg_build_multi_end(b);
	blg_build_sample_end(b, T0);
	log = blg_log_open(b, NULL);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(log.source)), 0);
	blg_log_read(&log);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(log.source)), 1);
	series = pmon_schema_at(pmon_source_schema(log.source), 0);
	T_EQ_U64(series->counter.type, COUNTER);
	T_EQ_I64(series->counter.time_base, 2630633);
	T_EQ_I64(series->counter.default_scale, -4);
	T_EQ_U64(series->counter.size_bytes, 0);
	T_EQ_SPAN(series->path.machine, "SRV");
	T_EQ_SPAN(series->path.object, "Disk");
	T_EQ_SPAN(series->path.instance, "R");
	T_EQ_SPAN(series->path.counter, "Reads/sec");
	blg_log_close(&log);
}

static void
records_in_many_parts(void **state)
{
	struct blg_build_options options = {.chunk_bytes = 24, .buffer_bytes = 0x200, .end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	for (int i = 0; i < 3; i++)
		memory_sample(b, T0 + i * SECOND, i);
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 0 0\n"
		      "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		      "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 2 0\n");
}

// ---- Instances ------------------------------------------------------------------------------

static struct blg_build *
log_of_indexed_names(void)
{
	static const char *const order[] = {"a", "a"};
	static const char *const alone[] = {"a#1"};
	static const char *const others[] = {"a#2", "a#01"};
	static const char *const all[] = {"a", "a", "a#1", "a"};
	struct blg_build *b = disk_log();

	disk_sample(b, T0, order, T_LEN(order));
	disk_sample(b, T0 + 1 * SECOND, alone, T_LEN(alone));
	disk_sample(b, T0 + 2 * SECOND, others, T_LEN(others));
	disk_sample(b, T0 + 3 * SECOND, all, T_LEN(all));
	disk_sample(b, T0 + 4 * SECOND, all, T_LEN(all));
	return b;
}

// "a#1" is the second "a", whether it is the second of its name or has the index in its name. So the log
// has five series: a, a#1, a#2, a#01, whose index is one that no program prints, and, as the last two
// samples have all of them, another a#1.
static void
an_index_in_a_name(void **state)
{
	struct blg_opened log = blg_log_open(log_of_indexed_names(), NULL);

	(void)state;
	blg_log_read(&log);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(log.source)), 5);
	dump_short_of_memory(log.file, log.len);
	blg_log_close(&log);
	blg_expect(log_of_indexed_names(),
		   "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(a#1)\\C = 1 0\n"
		   "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n\\\\S\\P(a#1)\\C = 0 0\n"
		   "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		   "\\\\S\\P(a#2)\\C = 0 0\n\\\\S\\P(a#01)\\C = 1 0\n"
		   "2020-01-01T00:00:03Z stream 0 sample 3 offset 0\n"
		   "\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(a#1)\\C = 1 0\n"
		   "\\\\S\\P(a#1)\\C = 2 0\n\\\\S\\P(a#2)\\C = 3 0\n"
		   "2020-01-01T00:00:04Z stream 0 sample 4 offset 0\n"
		   "\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(a#1)\\C = 1 0\n"
		   "\\\\S\\P(a#1)\\C = 2 0\n\\\\S\\P(a#2)\\C = 3 0\n");
}

static void
instances_come_and_go(void **state)
{
	static const char *const one[] = {"a", "b", "c"};
	static const char *const two[] = {"a", "c", "d"};
	static const char *const three[] = {"c", "b", "a", "d"};
	struct blg_build *b = disk_log();

	(void)state;
	disk_sample(b, T0, one, T_LEN(one));
	disk_sample(b, T0 + 1 * SECOND, two, T_LEN(two));
	disk_sample(b, T0 + 2 * SECOND, NULL, 0);
	disk_sample(b, T0 + 3 * SECOND, three, T_LEN(three));
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(b)\\C = 1 0\n\\\\S\\P(c)\\C = 2 0\n"
		      "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		      "\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(c)\\C = 1 0\n\\\\S\\P(d)\\C = 2 0\n"
		      "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		      "2020-01-01T00:00:03Z stream 0 sample 3 offset 0\n"
		      "\\\\S\\P(c)\\C = 0 0\n\\\\S\\P(b)\\C = 1 0\n\\\\S\\P(a)\\C = 2 0\n"
		      "\\\\S\\P(d)\\C = 3 0\n");
}

// The n-th instance of a name in a record is #n, whatever was at its position before.
static void
duplicates_are_numbered_in_each_record(void **state)
{
	static const char *const one[] = {"x", "a", "x", "x"};
	static const char *const two[] = {"a", "b", "x"};
	static const char *const three[] = {"x", "x", "a", "x", "x"};
	struct blg_build *b = disk_log();

	(void)state;
	disk_sample(b, T0, one, T_LEN(one));
	disk_sample(b, T0 + 1 * SECOND, two, T_LEN(two));
	disk_sample(b, T0 + 2 * SECOND, three, T_LEN(three));
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\S\\P(x)\\C = 0 0\n\\\\S\\P(a)\\C = 1 0\n"
		      "\\\\S\\P(x#1)\\C = 2 0\n\\\\S\\P(x#2)\\C = 3 0\n"
		      "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		      "\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(b)\\C = 1 0\n\\\\S\\P(x)\\C = 2 0\n"
		      "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		      "\\\\S\\P(x)\\C = 0 0\n\\\\S\\P(x#1)\\C = 1 0\n\\\\S\\P(a)\\C = 2 0\n"
		      "\\\\S\\P(x#2)\\C = 3 0\n\\\\S\\P(x#3)\\C = 4 0\n");
}

// Names that are written with their parent and index have these parts.
static void
names_are_split_into_parts(void **state)
{
	static const char *const names[] = {"explorer/0", "svchost#3", "", "a(b)", "cmd/1#2"};
	struct blg_build *b = disk_log();
	const struct pmon_schema *schema;
	struct blg_opened log;

	(void)state;
	disk_sample(b, T0, names, T_LEN(names));
	log = blg_log_open(b, NULL);
	blg_log_read(&log);
	schema = pmon_source_schema(log.source);
	T_EQ_U64(pmon_schema_count(schema), 5);
	T_EQ_SPAN(pmon_schema_at(schema, 0)->path.parent, "explorer");
	T_EQ_SPAN(pmon_schema_at(schema, 0)->path.instance, "0");
	T_EQ_SPAN(pmon_schema_at(schema, 1)->path.instance, "svchost");
	T_EQ_I64(pmon_schema_at(schema, 1)->path.index, 3);
	T_EQ_SPAN(pmon_schema_at(schema, 2)->path.instance, "");
	T_EQ_SPAN(pmon_schema_at(schema, 3)->path.instance, "a(b)");
	T_EQ_SPAN(pmon_schema_at(schema, 4)->path.parent, "cmd");
	T_EQ_SPAN(pmon_schema_at(schema, 4)->path.instance, "1");
	T_EQ_I64(pmon_schema_at(schema, 4)->path.index, 2);
	T_EQ_SPAN(pmon_schema_at(schema, 4)->name, "\\\\S\\P(cmd/1#2)\\C");
	blg_log_close(&log);
}

// Later instances are listed with their counter.
static void
order_follows_the_catalogue(void **state)
{
	static const struct blg_build_entry entries[] = {
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "*", NULL, "C", 0},
		{0, RAWCOUNT, 0, 0, "\\\\S", "M", NULL, NULL, "A", 0},
	};
	struct blg_build *b = blg_build_new(NULL);
	const struct pmon_schema *schema;
	struct blg_opened log;

	(void)state;
	blg_build_catalogue(b, T0 - 10, entries, T_LEN(entries));
	for (int64_t i = 0; i < 2; i++) {
		blg_build_sample_begin(b);
		blg_build_multi_begin(b, 0, T0);
		blg_build_item(b, i == 0 ? "first" : "later", 1, 0, 0);
		blg_build_multi_end(b);
		blg_build_single(b, 0, T0, 0, 0, 1);
		blg_build_sample_end(b, T0 + i);
	}
	log = blg_log_open(b, NULL);
	blg_log_read(&log);
	schema = pmon_source_schema(log.source);
	T_EQ_U64(pmon_schema_count(schema), 3);
	T_EQ_SPAN(pmon_schema_at(schema, 0)->name, "\\\\S\\M\\A");
	T_EQ_SPAN(pmon_schema_at(schema, 2)->name, "\\\\S\\P(later)\\C");
	assert_true(pmon_schema_at(schema, 1)->order < pmon_schema_at(schema, 2)->order);
	assert_true(pmon_schema_at(schema, 2)->order < pmon_schema_at(schema, 0)->order);
	blg_log_close(&log);
}

static bool
want_b(void *ctx, const struct pmon_path *path)
{
	(*(size_t *)ctx)++;
	return pmon_text_same(path->instance, PMON_SPAN("b"));
}

static void
unwanted_series_are_left_out(void **state)
{
	static const char *const names[] = {"a", "b", "c"};
	struct blg_build *b = disk_log();
	size_t asked = 0;
	struct pmon_log_options options = {
		.size = sizeof(options), .want = want_b, .want_ctx = &asked};
	struct blg_opened log;

	(void)state;
	disk_sample(b, T0, names, T_LEN(names));
	disk_sample(b, T0 + SECOND, names, T_LEN(names));
	log = blg_log_open(b, &options);
	blg_log_read(&log);
	T_EQ_STR(log.dump.text,
		 "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n\\\\S\\P(b)\\C = 1 0\n"
		 "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n\\\\S\\P(b)\\C = 1 0\n");
	T_EQ_U64(asked, 3);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(log.source)), 1);
	blg_log_close(&log);
}

// ---- Order of the buffers -------------------------------------------------------------------

// The values of the samples in the order in which they are read, and the notices.
static void
expect_order(const size_t *order, size_t n, const char *want, const char *notices)
{
	struct blg_build_options options = {.buffer_bytes = 0x200, .end = T0};
	struct blg_build *b = memory_log(&options);
	char values[32] = "";
	struct dump dump;
	size_t len;
	uint8_t *file;

	// A buffer of 0x200 bytes holds the catalogue and one sample, or three samples.
	for (int i = 0; i < 8; i++)
		memory_sample(b, T0 + i * SECOND, i);
	file = blg_build_finish(b, &len);
	T_EQ_U64(len / 0x200, n + 1);
	blg_build_reorder(file, len, order, n);
	dump_bytes(&dump, file, len);
	for (const char *at = dump.text; (at = strstr(at, "Bytes = ")) != NULL; at++)
		strncat(values, at + 8, 1);
	T_EQ_STR(values, want);
	dump.text[dump.n_notices] = '\0';
	T_EQ_STR(dump.text, notices);
	dump_free(&dump);
	free(file);
}

static void
buffers_are_read_in_order_of_sequence(void **state)
{
	static const size_t as_is[] = {1, 2, 3, 4};
	static const size_t rotated[] = {3, 4, 1, 2};
	static const size_t mixed[] = {3, 1, 4, 2};
	static const size_t twice[] = {1, 3, 2, 3}; // buffer 3 two times, 4 not at all

	(void)state;
	expect_order(as_is, 4, "01234567", "");
	expect_order(rotated, 4, "01234567", "");
	expect_order(mixed, 4, "01234567", "");
	expect_order(twice, 4, "0123456",
		     "LOSS skipping a buffer that duplicates the one at byte 1024\n");
}

// A circular log that has wrapped begins in the middle of a record, and its list of counters may be
// anywhere.
static void
samples_before_their_catalogue(void **state)
{
	struct blg_build_options options = {.end = T0, .log_mode = 2};
	struct blg_build *b = blg_build_new(&options);
	static const char tail[] = "tail of a record";

	(void)state;
	blg_build_part(b, 0x22, T0 - SECOND, 2, 2, tail, sizeof(tail));
	memory_sample(b, T0, 1);
	blg_build_catalogue(b, T0 - 10, &memory_entry, 1);
	memory_sample(b, T0 + SECOND, 2);
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		      "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 2 0\n");
}

// ---- Things that are not known --------------------------------------------------------------

static void
unknown_things_are_counted(void **state)
{
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);
	struct blg_opened log;
	struct pmon_err err;

	(void)state;
	blg_build_foreign(b, 20);
	blg_build_system_event(b, 12);
	blg_build_record(b, 0x25, T0, "something", 9);
	blg_build_sample_begin(b);
	blg_build_value(b, 0x0903, "something else", 14);
	blg_build_sample_end(b, T0);
	memory_sample(b, T0 + SECOND, 5);
	blg_build_instance_list(b, T0);
	log = blg_log_open(b, NULL);
	for (int pass = 0; pass < 2; pass++) {
		log.dump.n = 0;
		blg_log_read(&log);
		T_EQ_STR(log.dump.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
					"2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
					"\\\\SRV\\Memory\\Available Bytes = 5 0\n");
		T_EQ_U64(pmon_source_info(log.source)->records_unknown, 2);
		T_EQ_U64(pmon_source_info(log.source)->losses, 0);
		assert_int_equal(pmon_source_rewind(log.source, &err), PMON_OK);
	}
	blg_log_close(&log);
}

static void
several_logs_in_one_file(void **state)
{
	static const uint8_t other_id[16] = {0x22};
	static const uint8_t first_id[16] = {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
					     0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11};
	struct blg_build_entry other = memory_entry;
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	other.counter = "Pages/sec";
	memory_sample(b, T0, 1);
	blg_build_log_id(b, other_id);
	blg_build_catalogue(b, T0, &other, 1);
	memory_sample(b, T0 + SECOND, 2);
	blg_build_log_id(b, first_id);
	memory_sample(b, T0 + 2 * SECOND, 3);
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		      "2020-01-01T00:00:01Z stream 1 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Pages/sec = 2 0\n"
		      "2020-01-01T00:00:02Z stream 0 sample 1 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 3 0\n");
}

// Enough logs that the reader must reallocate its state.
static void
many_logs_in_one_file(void **state)
{
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);
	const struct pmon_sample *sample;
	struct pmon_err err;
	struct blg_opened log;

	(void)state;
	for (uint8_t i = 0; i < 40; i++) {
		const uint8_t id[16] = {i};

		blg_build_log_id(b, id);
		blg_build_catalogue(b, T0, &memory_entry, 1);
		memory_sample(b, T0 + i * SECOND, i);
	}
	log = blg_log_open(b, NULL);
	for (uint32_t i = 0; i < 40; i++) {
		assert_int_equal(pmon_source_next(log.source, &sample, &err), PMON_OK);
		T_EQ_U64(sample->stream, i);
		T_EQ_U64(sample->ordinal, 0);
		T_EQ_I64(sample->raw[0].first, i);
	}
	assert_int_equal(pmon_source_next(log.source, &sample, &err), PMON_END);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(log.source)), 40);
	blg_log_close(&log);
}

static void
second_catalogue_of_a_log(void **state)
{
	struct blg_build_entry other = memory_entry;
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	other.counter = "Pages/sec";
	memory_sample(b, T0, 1);
	blg_build_catalogue(b, T0, &memory_entry, 1); // the same again changes nothing
	memory_sample(b, T0 + SECOND, 2);
	blg_build_catalogue(b, T0, &other, 1);
	memory_sample(b, T0 + 2 * SECOND, 3);
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		      "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 2 0\n"
		      "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		      "\\\\SRV\\Memory\\Pages/sec = 3 0\n");
}

// Two entries of the same path stay two series.
static void
same_path_twice(void **state)
{
	const struct blg_build_entry entries[] = {memory_entry, memory_entry};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	(void)state;
	blg_build_catalogue(b, T0 - 10, entries, 2);
	blg_build_sample_begin(b);
	blg_build_single(b, 0, T0, 1, 0, 1);
	blg_build_single(b, 0, T0, 2, 0, 1);
	blg_build_sample_end(b, T0);
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 2 0\n");
}

// ---- Real files -----------------------------------------------------------------------------

// Samples and writers as in blg/MANIFEST.md next to the files; values and series as the reader of
// tests/oracle/blg.py, which shares nothing with this one, counts them.
static void
real_files(void **state)
{
	static const struct {
		const char *name;
		uint64_t samples, values;
		size_t series;
		const char *writer, *machine, *first;
	} rows[] = {
		{"blg/pwsh-CounterSamples.blg", 25, 250, 10, "Windows 10 build 14393 x64",
		 "charlieparker", "2016-11-26T21:46:30.874Z"},
		{"blg/tx-BasicPerfCounters.blg", 601, 6010, 10, "Windows 8 build 9200 x64",
		 "GEORGIS3", "2013-02-20T02:50:17.844Z"},
		{"blg/pal-SampleLog.blg", 11, 18164, 1832, "Windows Vista build 6000 x86",
		 "ZACH-PC", "2007-08-14T19:40:38.659Z"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		const char *path = t_data_path(rows[i].name);
		const struct pmon_sample *sample;
		struct pmon_source *source;
		struct pmon_err err;
		uint64_t samples = 0, values = 0;

		if (path == NULL)
			skip();
		assert_int_equal(pmon_log_open(path, NULL, &source, &err), PMON_OK);
		while (pmon_source_next(source, &sample, &err) == PMON_OK) {
			char time[PMON_TIME_SIZE];

			(void)pmon_time_iso(sample->time, time);
			if (samples == 0)
				T_EQ_STR_AT(time, rows[i].first, rows[i].name);
			T_EQ_U64(sample->ordinal, samples);
			samples++;
			values += sample->n;
		}
		T_EQ_U64_AT(samples, rows[i].samples, rows[i].name);
		T_EQ_U64_AT(values, rows[i].values, rows[i].name);
		T_EQ_U64_AT(pmon_schema_count(pmon_source_schema(source)), rows[i].series,
			    rows[i].name);
		T_EQ_STR(pmon_source_info(source)->writer, rows[i].writer);
		T_EQ_STR(pmon_source_info(source)->machine, rows[i].machine);
		T_EQ_U64(pmon_source_info(source)->losses, 0);
		T_EQ_U64(pmon_source_info(source)->records_unknown, 0);
		pmon_source_close(source);
	}
}

static void
real_file_that_is_not_a_blg(void **state)
{
	const char *path = t_data_path("blg/pwsh-CorruptBlg.blg");
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	if (path == NULL)
		skip();
	T_EQ_I64(pmon_log_open(path, NULL, &source, &err), PMON_E_FORMAT);
	assert_non_null(strstr(err.msg, "text"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_and_multi_in_all_generations),
		cmocka_unit_test(series_know_how_to_be_computed),
		cmocka_unit_test(records_in_many_parts),
		cmocka_unit_test(an_index_in_a_name),
		cmocka_unit_test(instances_come_and_go),
		cmocka_unit_test(duplicates_are_numbered_in_each_record),
		cmocka_unit_test(names_are_split_into_parts),
		cmocka_unit_test(order_follows_the_catalogue),
		cmocka_unit_test(unwanted_series_are_left_out),
		cmocka_unit_test(buffers_are_read_in_order_of_sequence),
		cmocka_unit_test(samples_before_their_catalogue),
		cmocka_unit_test(unknown_things_are_counted),
		cmocka_unit_test(several_logs_in_one_file),
		cmocka_unit_test(many_logs_in_one_file),
		cmocka_unit_test(second_catalogue_of_a_log),
		cmocka_unit_test(same_path_twice),
		cmocka_unit_test(real_files),
		cmocka_unit_test(real_file_that_is_not_a_blg),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
