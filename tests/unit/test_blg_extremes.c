// test_blg_extremes.c - binary logs with as much of something as is allowed, and more, or with nothing
// SPDX-License-Identifier: MIT
//
// The limits are those of catalogue.c, names.c and object.c, and those set by callers.

#include "t.h"

#include <stdlib.h>

#include "base/wr.h"
#include "blg_log.h"
#include "format/format.h"
#include "perfblock_build.h"

#define MOST_LISTS    4096
#define MOST_MACHINES 4096
#define MOST_COLUMNS  4096
#define MOST_LOADS    64

static const struct blg_build_options roomy = {.end = T0 + HOUR, .buffer_bytes = 0x10000};

// ---- Lists of counters ----------------------------------------------------------------------

static enum pmon_status
open_with_lists(size_t n, struct pmon_err *err)
{
	struct blg_build *b = blg_build_new(&roomy);
	struct pmon_source *source;
	struct pmon_file *file;
	enum pmon_status status;
	uint8_t *bytes;
	size_t len;

	for (size_t i = 0; i < n; i++) {
		struct blg_build_entry entry = memory_entry;

		entry.time_base = (int64_t)i;
		blg_build_catalogue(b, T0, &entry, 1);
	}
	bytes = blg_build_finish(b, &len);
	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, err), PMON_OK);
	status = pmon_log_open_file(file, NULL, &source, err);
	pmon_source_close(source);
	free(bytes);
	return status;
}

static void
many_lists_of_counters(void **state)
{
	struct pmon_err err;

	(void)state;
	T_EQ_I64(open_with_lists(MOST_LISTS, &err), PMON_OK);
	T_EQ_I64(open_with_lists(MOST_LISTS + 1, &err), PMON_E_LIMIT);
	assert_non_null(strstr(err.msg, "lists of counters"));
}

// A list that continues where the newest one ended has its counters, and no counter of an older one.
static void
continued_lists(void **state)
{
	struct blg_build_entry entries[] = {memory_entry, memory_entry, memory_entry, memory_entry};
	static const char *const names[] = {"A", "B", "C", "D"};
	static const struct {
		size_t from, n;
	} lists[] = {{0, 1}, {1, 2}, {1, 3}};
	struct blg_build *b = blg_build_new(&roomy);

	(void)state;
	for (size_t i = 0; i < T_LEN(entries); i++)
		entries[i].counter = names[i];
	for (size_t k = 0; k < T_LEN(lists); k++) {
		int64_t time = T0 + (int64_t)k * SECOND;

		blg_build_catalogue(b, time, entries + lists[k].from, lists[k].n);
		blg_build_sample_begin(b);
		for (size_t i = 0; i < lists[k].n; i++)
			blg_build_single(b, 0, time, (int64_t)(10 * k + i), 0, 1);
		blg_build_sample_end(b, time);
	}
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\A = 0 0\n"
		      "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		      "\\\\SRV\\Memory\\B = 10 0\n"
		      "\\\\SRV\\Memory\\C = 11 0\n"
		      "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		      "\\\\SRV\\Memory\\B = 20 0\n"
		      "\\\\SRV\\Memory\\C = 21 0\n"
		      "\\\\SRV\\Memory\\D = 22 0\n");
}

// Wildcards that differ in something, the last two in nothing but the counter; the first cannot be used.
static void
wildcards_that_differ(void **state)
{
	static const struct blg_build_entry entries[] = {
		{1, RAWCOUNT, 0, 0, "\\\\S", NULL, "*", NULL, "A", 0},
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "*", NULL, "A", 0},
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "*", "p", "B", 0},
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "i*", "p", "C", 0},
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "i*", "p", "D", 1},
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "i*", "p", "E", 1},
	};
	struct blg_build *b = blg_build_new(&roomy);

	(void)state;
	blg_build_catalogue(b, T0 - 10, entries, T_LEN(entries));
	blg_build_sample_begin(b);
	for (size_t i = 0; i < T_LEN(entries); i++) {
		blg_build_multi_begin(b, 0, T0);
		blg_build_item(b, "i", 1, (int64_t)i, 0);
		blg_build_multi_end(b);
	}
	blg_build_sample_end(b, T0);
	blg_expect(b, "LOSS entry 1 of the list of counters is damaged\n"
		      "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\S\\P(i)\\A = 1 0\n"
		      "\\\\S\\P(i)\\B = 2 0\n"
		      "\\\\S\\P(i)\\C = 3 0\n"
		      "\\\\S\\P(i)\\D = 4 0\n"
		      "\\\\S\\P(i)\\E = 5 0\n");
}

// No Windows log has raw values of this type: they come from text logs that an older pmon
// converted.
static void
displayed_values(void **state)
{
	struct blg_build_entry entry = memory_entry;
	struct blg_build *b = blg_build_new(&roomy);
	const struct pmon_series *series;
	struct blg_opened log;

	(void)state;
	entry.type = DOUBLE_RAW;
	blg_build_catalogue(b, T0 - 10, &entry, 1);
	memory_sample(b, T0, 1);
	log = blg_log_open(b, NULL);
	series = pmon_schema_at(pmon_source_schema(log.source), 0);
	assert_true(series->formatted);
	assert_true(series->type_known); // by its name: Memory, Available Bytes
	T_EQ_U64(series->known_type, PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	assert_false(series->type_inferred);
	blg_log_close(&log);
}

// An instance whose name has its index, and two others with that name, in one record: two of the
// three are "a#1".
static void
doubles_of_namesakes(void **state)
{
	static const struct blg_build_entry entry = {1,   DOUBLE_RAW, 0,    0,   "\\\\S",
						     "P", "*",        NULL, "C", 0};
	static const char *const names[] = {"a#1", "a", "a"};

	(void)state;
	for (size_t most = 2; most <= 3; most++) {
		const struct pmon_log_options options = {.size = sizeof(options),
							 .limits = {.series = most}};
		struct blg_build *b = blg_build_new(&roomy);
		const struct pmon_schema *schema;
		struct blg_opened log;
		struct pmon_err err;

		blg_build_catalogue(b, T0 - 10, &entry, 1);
		disk_sample(b, T0, names, T_LEN(names));
		log = blg_log_open(b, &options);
		T_EQ_I64(dump_read(&log.dump, log.source, &err),
			 most < 3 ? PMON_E_LIMIT : PMON_END);
		schema = pmon_source_schema(log.source);
		T_EQ_U64(pmon_schema_count(schema), most);
		for (size_t i = 0; i < most; i++)
			assert_true(pmon_schema_at(schema, i)->formatted);
		if (most == 3)
			T_EQ_STR(log.dump.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
						"\\\\S\\P(a#1)\\C = 0 0\n"
						"\\\\S\\P(a)\\C = 1 0\n"
						"\\\\S\\P(a#1)\\C = 2 0\n");
		blg_log_close(&log);
	}
}

// ---- Tables of names ------------------------------------------------------------------------

static void
tables_of_many_machines(void **state)
{
	static const struct blg_build_title title = {10, "Rate"};
	struct blg_build *b = blg_build_new(&roomy);

	(void)state;
	for (int i = 0; i <= MOST_MACHINES; i++) {
		char machine[16];

		(void)snprintf(machine, sizeof(machine), "\\\\M%d", i);
		blg_build_names(b, T0 - 20, machine, &title, 1);
	}
	blg_build_catalogue(b, T0 - 10, &memory_entry, 1);
	memory_sample(b, T0, 1);
	blg_expect(b, "LOSS a table of counter names is damaged\n"
		      "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 1 0\n");
}

static void
tables_with_names_longer_than_allowed(void **state)
{
	static const struct blg_build_entry entry = {0,   RAWCOUNT, 0,    0,   "\\\\S",
						     "P", NULL,     NULL, "C", 0};
	static const struct {
		const char *machine, *name;
		uint64_t losses;
	} rows[] = {
		{"\\\\S", "eightchr", 0},
		{"\\\\S", "nine char", 1},
		{"\\\\NINE_CH", "C", 1},
	};
	const struct pmon_log_options options = {.size = sizeof(options),
						 .limits = {.string_bytes = 16}};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		const struct blg_build_title title = {10, rows[i].name};
		struct blg_build *b = blg_build_new(&roomy);
		struct blg_opened log;

		blg_build_names(b, T0 - 20, rows[i].machine, &title, 1);
		blg_build_catalogue(b, T0 - 10, &entry, 1);
		memory_sample(b, T0, 1);
		log = blg_log_open(b, &options);
		blg_log_read(&log);
		T_EQ_U64_AT(pmon_source_info(log.source)->losses, rows[i].losses, rows[i].name);
		T_EQ_STR(log.dump.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
					"\\\\S\\P\\C = 1 0\n");
		blg_log_close(&log);
	}
}

// ---- Objects --------------------------------------------------------------------------------

static struct blg_build_object
object_of(uint32_t title, const struct blg_build_counter *counters, size_t n_counters,
	  const int64_t *values)
{
	return (struct blg_build_object){
		.title = title,
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.object_freq = 1000,
		.counters = counters,
		.n_counters = n_counters,
		.values = values,
	};
}

static const struct blg_build_entry object_entry = {0x10, 0x10, 0,    0,   "\\\\S",
						    "O",  NULL, NULL, "*", 0};
static const struct blg_build_title rate = {10, "Rate"};

static void
object_with_many_counters(void **state)
{
	struct blg_build_counter *counters = calloc(MOST_COLUMNS + 1, sizeof(*counters));
	int64_t *values = calloc(MOST_COLUMNS + 1, sizeof(*values));

	(void)state;
	assert_non_null(counters);
	assert_non_null(values);
	for (uint32_t i = 0; i <= MOST_COLUMNS; i++)
		counters[i] = (struct blg_build_counter){10, RAWCOUNT, 4, (int32_t)i};
	for (size_t more = 0; more <= 1; more++) {
		struct blg_build_object object =
			object_of(2, counters, MOST_COLUMNS + more, values);
		struct blg_build *b = blg_build_new(&roomy);
		struct dump told = {0};
		struct pmon_log_options options = {
			.size = sizeof(options), .notice = dump_notice, .notice_ctx = &told};
		struct blg_opened log;

		blg_build_names(b, T0 - 20, "\\\\S", &rate, 1);
		blg_build_catalogue(b, T0 - 10, &object_entry, 1);
		blg_build_sample_begin(b);
		blg_build_object(b, &object);
		blg_build_sample_end(b, T0);
		log = blg_log_open(b, &options);
		blg_log_read(&log);
		T_EQ_STR(told.text, more == 0 ? NULL
					      : "LOSS sample of 2020-01-01 00:00:00.000: an object "
						"has too many counters\n");
		T_EQ_U64(log.dump.n_values, more == 0 ? MOST_COLUMNS : 0);
		blg_log_close(&log);
		dump_free(&told);
	}
	free(counters);
	free(values);
}

// An object without counters, and one that could not be read: a block without objects.
static void
objects_with_nothing(void **state)
{
	static const struct blg_build_instance instances[] = {{"a", 0, 0, 0}};
	struct blg_build_object nothing = object_of(2, NULL, 0, NULL);
	struct blg_build *b = blg_build_new(&roomy);
	struct pb block = {.big_endian = false};

	(void)state;
	nothing.instances = instances;
	nothing.n_instances = 1;
	pb_begin(&block, T0, 0, "S");
	pb_end(&block);
	blg_build_names(b, T0 - 20, "\\\\S", &rate, 1);
	blg_build_catalogue(b, T0 - 10, &object_entry, 1);
	for (int64_t i = 0; i < 2; i++) {
		blg_build_sample_begin(b);
		blg_build_object(b, &nothing);
		blg_build_sample_end(b, T0 + i * SECOND);
	}
	blg_build_sample_begin(b);
	blg_build_value(b, 0x0503, block.bytes, block.len);
	blg_build_sample_end(b, T0 + 2 * SECOND);
	pb_free(&block);
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		      "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n");
}

// The parents of instances are looked for whenever they are of another object than those before, but not in
// any number for one sample.
static void
parents_in_many_objects(void **state)
{
	static const struct blg_build_entry entries[] = {
		{0x10, 0x10, 0, 0, "\\\\S", "Thread", "*", NULL, "*", 0},
		{0x10, 0x10, 0, 0, "\\\\S", "Process", "*", NULL, "*", 0},
		{0x10, 0x10, 0, 0, "\\\\S", "Job", "*", NULL, "*", 0},
	};
	static const struct blg_build_counter counter = {10, RAWCOUNT, 4, 0};
	static const struct blg_build_instance parents[2][1] = {{{"process", 0, 0, 0}},
								{{"job", 0, 0, 0}}};
	struct blg_build_instance threads[MOST_LOADS + 2];
	char names[T_LEN(threads)][16];
	const int64_t values[T_LEN(threads)] = {0};
	struct blg_build_object object = object_of(232, &counter, 1, values);
	struct blg_build *b = blg_build_new(&roomy);
	struct blg_opened log;

	(void)state;
	for (size_t i = 0; i < T_LEN(threads); i++) {
		(void)snprintf(names[i], sizeof(names[i]), "%zu", i);
		threads[i] = (struct blg_build_instance){names[i], 230 + (uint32_t)(i % 2), 0, 0};
	}
	blg_build_names(b, T0 - 20, "\\\\S", &rate, 1);
	blg_build_catalogue(b, T0 - 10, entries, T_LEN(entries));
	blg_build_sample_begin(b);
	object.instances = threads;
	object.n_instances = T_LEN(threads);
	blg_build_object(b, &object);
	for (uint32_t i = 0; i < 2; i++) {
		object.title = 230 + i;
		object.instances = parents[i];
		object.n_instances = 1;
		blg_build_object(b, &object);
	}
	blg_build_sample_end(b, T0);
	log = blg_log_open(b, NULL);
	blg_log_read(&log);
	for (size_t i = 0; i < T_LEN(threads); i++) {
		const struct pmon_path *path =
			&pmon_schema_at(pmon_source_schema(log.source), i)->path;

		T_EQ_SPAN(path->instance, names[i]);
		T_EQ_SPAN(path->parent, i >= MOST_LOADS ? NULL : parents[i % 2][0].name);
	}
	blg_log_close(&log);
}

// ---- Instances ------------------------------------------------------------------------------

// A record of form 0203 by docs/reference/formats/blg.md: the names are the ends of one text of n_chars, each a character
// shorter than the one before, and n_empty empty ones.
static void
put_overlapping(struct blg_build *b, int64_t time, size_t n_chars, size_t n, size_t n_empty)
{
	uint32_t fields[6 + 6 * 64] = {0};
	uint8_t bytes[sizeof(fields) + 256];
	size_t names_at = 24 + 24 * (n + n_empty);
	size_t len = names_at + 2 * (n_chars + 1);

	assert_true(n + n_empty <= 64 && n_chars < 100);
	fields[0] = (uint32_t)len - 4;       // 0x08 bytes that follow
	fields[1] = (uint32_t)(n + n_empty); // 0x0C instances
	fields[4] = (uint32_t)time;          // 0x18
	fields[5] = (uint32_t)(time >> 32);
	for (size_t i = 0; i < n + n_empty; i++) {
		fields[6 + 6 * i] = (uint32_t)(names_at + 2 * (i < n ? i : n_chars));
		fields[6 + 6 * i + 1] = 1;
		fields[6 + 6 * i + 2] = (uint32_t)i;
	}
	for (size_t i = 0; 4 * i < names_at; i++)
		pmon_put_le32(bytes + 4 * i, fields[i]);
	for (size_t i = 0; i <= n_chars; i++) {
		bytes[names_at + 2 * i] = (uint8_t)(i < n_chars ? 'a' + i % 26 : 0);
		bytes[names_at + 2 * i + 1] = 0;
	}
	blg_build_sample_begin(b);
	blg_build_value(b, 0x0203, bytes, len);
	blg_build_sample_end(b, time);
}

#define OVERLAP "LOSS sample of 2020-01-01 00:00:01.000: instance names overlap\n"

// Names may not take more room together than their record has: 8 of 40 to 33 characters have 584 bytes, and the
// record 306, or 24 more for each empty name. What is known of the record before changes nothing.
static void
names_that_overlap(void **state)
{
	static const struct {
		size_t n_empty_before; // in a record before that
		const char *want;
	} rows[] = {{0, OVERLAP OVERLAP}, {12, OVERLAP}};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct blg_build *b = disk_log();
		struct dump told = {0};
		struct pmon_log_options options = {
			.size = sizeof(options), .notice = dump_notice, .notice_ctx = &told};
		struct blg_opened log;

		put_overlapping(b, T0 + SECOND, 40, 8, rows[i].n_empty_before);
		put_overlapping(b, T0 + SECOND, 40, 8, 0);
		log = blg_log_open(b, &options);
		blg_log_read(&log);
		T_EQ_STR(told.text, rows[i].want);
		dump_free(&told);
		blg_log_close(&log);
	}
}

// An index that is out of range is part of the name, and so is "#1" in a name that is not a path.
static void
indexes_in_names(void **state)
{
	static const char *const names[] = {"a#2147483647", "a#2147483648", "a)\\b#1"};
	struct blg_build *b = disk_log();
	const struct pmon_schema *schema;
	struct blg_opened log;

	(void)state;
	disk_sample(b, T0, names, T_LEN(names));
	log = blg_log_open(b, NULL);
	blg_log_read(&log);
	schema = pmon_source_schema(log.source);
	T_EQ_SPAN(pmon_schema_at(schema, 0)->path.instance, "a");
	T_EQ_I64(pmon_schema_at(schema, 0)->path.index, 2147483647);
	T_EQ_SPAN(pmon_schema_at(schema, 1)->path.instance, "a#2147483648");
	T_EQ_I64(pmon_schema_at(schema, 1)->path.index, 0);
	T_EQ_SPAN(pmon_schema_at(schema, 2)->path.instance, "a)\\b#1");
	T_EQ_I64(pmon_schema_at(schema, 2)->path.index, 0);
	blg_log_close(&log);
}

#define N_MANY 300

static const struct blg_build_entry disk_entry = {1,   RAWCOUNT, 0,    0,   "\\\\S",
						  "P", "*",      NULL, "C", 0};

// Instances disappear at many places in a record; the remaining ones keep their values.
static void
many_instances_go(void **state)
{
	char texts[N_MANY][16];
	const char *all[N_MANY], *left[N_MANY];
	struct blg_build *b = blg_build_new(&roomy);
	const struct pmon_sample *sample;
	struct blg_opened log;
	struct pmon_err err;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < N_MANY; i++) {
		(void)snprintf(texts[i], sizeof(texts[i]), "instance %zu", i);
		all[i] = texts[i];
		if (i % 3 != 1)
			left[n++] = texts[i];
	}
	blg_build_catalogue(b, T0 - 10, &disk_entry, 1);
	disk_sample(b, T0, all, N_MANY);
	disk_sample(b, T0 + SECOND, left, n);
	disk_sample(b, T0 + 2 * SECOND, all, N_MANY);
	log = blg_log_open(b, NULL);
	for (int k = 0; k < 3; k++) {
		const char *const *names = k == 1 ? left : all;

		assert_int_equal(pmon_source_next(log.source, &sample, &err), PMON_OK);
		T_EQ_U64(sample->n, k == 1 ? n : N_MANY);
		for (size_t i = 0; i < sample->n; i++) {
			T_EQ_SPAN(pmon_schema_at(pmon_source_schema(log.source), sample->series[i])
					  ->path.instance,
				  names[i]);
			T_EQ_I64(sample->raw[i].first, (int64_t)i);
		}
	}
	blg_log_close(&log);
}

// The list of instances at the end of a log adds nothing, but one that is too large is reported.
static void
list_of_instances_larger_than_allowed(void **state)
{
	static const uint8_t zeros[200];
	struct dump told = {0};
	struct pmon_log_options options = {.size = sizeof(options),
					   .limits = {.record_bytes = 300},
					   .notice = dump_notice,
					   .notice_ctx = &told};
	struct blg_build *b = memory_log(&roomy);
	struct blg_opened log;

	(void)state;
	memory_sample(b, T0, 1);
	blg_build_part(b, 0x23, T0, 1, 2, zeros, sizeof(zeros));
	blg_build_part(b, 0x23, T0, 2, 2, zeros, sizeof(zeros));
	log = blg_log_open(b, &options);
	blg_log_read(&log);
	T_EQ_STR(told.text, "LOSS list of instances of 2020-01-01 00:00:00.000: larger than the "
			    "limit of 300 bytes\n");
	T_EQ_U64(log.dump.n_samples, 1);
	dump_free(&told);
	blg_log_close(&log);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_lists_of_counters),
		cmocka_unit_test(continued_lists),
		cmocka_unit_test(wildcards_that_differ),
		cmocka_unit_test(displayed_values),
		cmocka_unit_test(doubles_of_namesakes),
		cmocka_unit_test(tables_of_many_machines),
		cmocka_unit_test(tables_with_names_longer_than_allowed),
		cmocka_unit_test(object_with_many_counters),
		cmocka_unit_test(objects_with_nothing),
		cmocka_unit_test(parents_in_many_objects),
		cmocka_unit_test(names_that_overlap),
		cmocka_unit_test(indexes_in_names),
		cmocka_unit_test(many_instances_go),
		cmocka_unit_test(list_of_instances_larger_than_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
