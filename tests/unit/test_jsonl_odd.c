// test_jsonl_odd.c - edge cases of reading and writing JSON lines
// SPDX-License-Identifier: MIT

#include "t.h"

#ifdef PMON_WITH_JSON

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "buf.h"
#include "core/calc.h"
#include "dump.h"
#include "faulty.h"
#include "folder.h"
#include "format/format.h"
#include "memsource.h"
#include "moments.h"
#include "write_fault.h"

#define LINE(path, time, rest)                                                                     \
	"{\"path\":\"" path "\",\"time\":\"2020-01-01T00:00:0" time "Z\"," rest "}\n"
#define RAW(path, time, first)                                                                     \
	LINE(path, time, "\"type\":\"PERF_COUNTER_RAWCOUNT\",\"first\":" first)

static void
expect(const char *text, const char *want)
{
	struct dump dump;

	dump_bytes(&dump, text, strlen(text));
	T_EQ_STR(dump.text, want);
	dump_free(&dump);
}

// ---- Members --------------------------------------------------------------------------------

// A number below the range of 64 bits is invalid; a status without a known name or 32-bit number means bad data.
static void
members_that_do_not_fit(void **state)
{
	(void)state;
	expect(RAW("\\\\A\\\\a", "0", "-99999999999999999999")
		       LINE("\\\\A\\\\a", "1",
			    "\"type\":\"PERF_COUNTER_RAWCOUNT\",\"first\":5,\"index\":-1,"
			    "\"object\":\"B\",\"counter\":\"b\""),
	       "LOSS a line without a valid \"first\"\n"
	       "2020-01-01T00:00:01Z stream 0 sample 0 offset 0\n"
	       "\\A\\a = 5 0 x0\n");
}

static void
a_status_that_does_not_fit(void **state)
{
	static const char text[] = LINE(
		"\\\\A\\\\a", "0",
		"\"type\":\"PERF_COUNTER_RAWCOUNT\",\"first\":5,\"status\":\"4294967296\"")
		LINE("\\\\A\\\\a", "1",
		     "\"type\":\"PERF_COUNTER_RAWCOUNT\",\"first\":6,\"status\":\"0xC0000BBA\"");
	struct pmon_source *source = open_bytes(text, sizeof(text) - 1, NULL);
	const struct pmon_sample *sample;

	(void)state;
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_false(pmon_raw_usable(&sample->raw[0]));
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	T_EQ_U64(sample->raw[0].status, 0xC0000BBA);
	pmon_source_close(source);
}

// Displayed values may be numbers in quotes, and nothing else; the text of PERF_COUNTER_TEXT has none.
static void
displayed_values_in_quotes(void **state)
{
	static const char text[] = LINE("\\\\A\\\\a", "0", "\"value\":\"1.5\",\"status\":\"ok\"")
		LINE("\\\\A\\\\a", "1", "\"value\":\"some text\",\"status\":\"not_displayed\"")
			LINE("\\\\A\\\\a", "2",
			     "\"value\":\"some text\",\"status\":\"13 characters\"")
				LINE("\\\\A\\\\a", "3", "\"value\":\"-2e3\",\"status\":\"ok\"");
	struct dump notices = {0};
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = dump_notice, .notice_ctx = &notices};
	struct pmon_source *source = open_bytes(text, sizeof(text) - 1, &options);
	static const double want[] = {1.5, 0, -2000};
	const struct pmon_sample *sample;

	(void)state;
	for (size_t i = 0; i < T_LEN(want); i++) {
		double value;

		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		assert_int_equal(pmon_raw_usable(&sample->raw[0]), i != 1);
		memcpy(&value, &sample->raw[0].first, sizeof(value));
		T_EQ_DBL(value, want[i]);
	}
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_END);
	T_EQ_STR(notices.text, "LOSS a line without a valid \"value\"\n");
	pmon_source_close(source);
	dump_free(&notices);
}

// The machine of the log is not taken from a path that is too long to be one.
static void
the_first_path_is_too_long(void **state)
{
	static const char text[] =
		RAW("\\\\\\\\MACHINE\\\\A\\\\a", "0", "1") RAW("\\\\A\\\\a", "1", "2");
	struct pmon_log_options options = {.size = sizeof(options), .limits.string_bytes = 4};
	struct pmon_source *source = open_bytes(text, sizeof(text) - 1, &options);
	const struct pmon_sample *sample;

	(void)state;
	T_EQ_STR(pmon_source_info(source)->machine, "");
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	T_EQ_I64(sample->raw[0].first, 2);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_END);
	assert_int_equal(pmon_source_info(source)->losses, 1);
	pmon_source_close(source);
}

// ---- Paths ----------------------------------------------------------------------------------

#define PART(text)                                                                                 \
	{                                                                                          \
		text, sizeof(text) - 1                                                             \
	}

// Paths whose text would be read as another path, or as none, are written with their parts too.
static const struct pmon_path odd_paths[] = {
	{.object = PART("O"), .instance = PART("a#2"), .counter = PART("C")},
	{.object = PART("O"), .instance = PART("p/q"), .counter = PART("C")},
	{.object = PART("O("), .counter = PART("C")},
	{.object = PART("O"), .counter = PART("C\\(x)\\D")},
	{.object = PART("O"), .index = 3, .counter = PART("C")},
	{.object = PART("O"), .instance = PART("a)\\b("), .counter = PART("C")},
	{.object = PART("O"), .instance = PART("a"), .counter = PART("")},
	{.machine = PART("S\\T"), .object = PART("O"), .counter = PART("C")},
	{.object = PART("O"), .instance = PART("\xF0\x9F\x98\x80"), .counter = PART("C")},
	{.object = PART("O"),
	 .parent = PART("p"),
	 .instance = PART("a"),
	 .index = 4,
	 .counter = PART("C")},
};

static void
paths_keep_their_parts(void **state)
{
	static const struct pmon_counter gauge = {.type = PMON_PERF_COUNTER_RAWCOUNT};
	const char *path = in_folder("paths");
	struct mem_source *m = mem_source_new();
	const struct pmon_sample *sample;
	struct pmon_source *source;

	(void)state;
	for (size_t i = 0; i < T_LEN(odd_paths); i++)
		(void)mem_source_add(m, &odd_paths[i], &gauge);
	mem_source_sample(m, T0);
	for (uint32_t i = 0; i < T_LEN(odd_paths); i++)
		mem_source_raw(m, i, i, 0);
	write_over(mem_source_open(m), path, "jsonl");
	assert_int_equal(pmon_log_open(path, NULL, &source, NULL), PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	T_EQ_U64(sample->n, T_LEN(odd_paths));
	for (size_t i = 0; i < T_LEN(odd_paths); i++) {
		const struct pmon_series *series =
			pmon_schema_at(pmon_source_schema(source), sample->series[i]);
		const struct pmon_path *want = &odd_paths[i];

		T_EQ_SPAN_AT(series->path.machine, want->machine.ptr, series->name.ptr);
		T_EQ_SPAN_AT(series->path.object, want->object.ptr, series->name.ptr);
		T_EQ_SPAN_AT(series->path.parent, want->parent.ptr, series->name.ptr);
		T_EQ_SPAN_AT(series->path.instance, want->instance.ptr, series->name.ptr);
		T_EQ_SPAN_AT(series->path.counter, want->counter.ptr, series->name.ptr);
		T_EQ_I64_AT(series->path.index, want->index, series->name.ptr);
	}
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
}

// Only JSON lines of pmon are continued.
static void
other_files_are_not_continued(void **state)
{
	static const char *const others[] = {"x\n", "{\"time\":1}\n"};
	struct pmon_create_options options = {
		.size = sizeof(options), .live = true, .append = true};
	const char *path = in_folder("live.jsonl");
	struct pmon_sink *sink;
	struct pmon_err err;

	(void)state;
	for (size_t i = 0; i < T_LEN(others); i++) {
		t_write_text(path, others[i]);
		T_EQ_I64_AT(pmon_log_create(path, "jsonl", &options, &sink, &err), PMON_E_FORMAT,
			    others[i]);
		T_EQ_STR(err.msg, "the existing file does not contain pmon's JSON lines");
	}
	assert_int_equal(unlink(path), 0);
}

// ---- Long lines -----------------------------------------------------------------------------

// A line that is too long, in the middle and at the end of a file, and while the file fails.
static void
long_lines(void **state)
{
	struct buf text = {NULL, 0, 0};
	struct dump dump;

	(void)state;
	buf_add(&text, RAW("\\\\A\\\\a", "0", "1") "%01200000d\n" RAW("\\\\A\\\\a", "1", "2"), 0);
	faulty_reads("a long line", text.text, text.len);
	buf_add(&text, "%01200000d", 0);
	dump_bytes(&dump, text.text, text.len);
	assert_int_equal(dump.n_samples, 2);
	assert_int_equal(strncmp(dump.text,
				 "LOSS a line exceeds 1048576 bytes\n"
				 "LOSS a line exceeds 1048576 bytes\n2020",
				 72),
			 0);
	dump_free(&dump);
	buf_free(&text);
}

// Names of any length, in any member of the first line: the format is known by lines, not by its first bytes.
static void
a_long_first_line(void **state)
{
	static const char *const forms[] = {
		"{\"path\":\"\\\\A(%0*d)\\\\a\",\"time\":\"2020-01-01T00:00:00Z\","
		"\"type\":\"PERF_COUNTER_RAWCOUNT\",\"first\":1}\n",
		"{\"note\":\"%0*d\",\"path\":\"\\\\A\\\\a\",\"time\":\"2020-01-01T00:00:00Z\","
		"\"type\":\"PERF_COUNTER_RAWCOUNT\",\"first\":1}\n",
		"\n "
		"{\"path\":\"\\\\A\\\\a\",\"machine_id\":\"%0*d\",\"time\":\"2020-01-01T00:00:"
		"00Z\","
		"\"value\":1}\n",
	};

	(void)state;
	for (size_t form = 0; form < sizeof(forms) / sizeof(forms[0]); form++)
		for (int length = 1; length < 60000; length = length * 5 / 4 + 1) {
			struct buf text = {NULL, 0, 0};
			struct dump dump;

			buf_add(&text, forms[form], length, 0);
			buf_add(&text, forms[form], length, 0);
			dump_bytes(&dump, text.text, text.len);
			assert_int_equal(dump.n_values, 2);
			assert_int_equal(dump.n_notices, 0);
			dump_free(&dump);
			buf_free(&text);
		}
}

// ---- The library for JSON is short of memory ------------------------------------------------

static size_t n_blocks; // that it still gets
static bool was_short;

static void *
give_block(size_t size)
{
	was_short = was_short || n_blocks == 0;
	if (n_blocks == 0)
		return NULL;
	n_blocks--;
	return malloc(size);
}

static enum pmon_status
read_all(const char *text, struct dump *seen)
{
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = dump_notice, .notice_ctx = seen};
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;
	enum pmon_status status;

	*seen = (struct dump){0};
	assert_int_equal(pmon_file_memory(text, strlen(text), NULL, &file, NULL), PMON_OK);
	status = pmon_log_open_file(file, &options, &source, &err);
	return dump_opened(seen, status, source, &err);
}

// For some strings, jansson reports failed allocations as malformed text. pmon then reports that.
static void
each_allocation_of_the_library_fails(void **state)
{
	static const char text[] = RAW("\\\\A\\\\a", "0", "1") RAW("\\\\A\\\\b", "0", "-7.5e3")
		RAW("\\\\A\\\\a", "1", "\"18446744073709551615\"");
	struct dump healthy, seen;
	bool is_done = false;
	size_t n_named = 0;
	size_t n;

	(void)state;
	assert_int_equal(read_all(text, &healthy), PMON_END);
	for (n = 0; !is_done; n++) {
		enum pmon_status status;

		n_blocks = n;
		was_short = false;
		json_set_alloc_funcs(give_block, free);
		status = read_all(text, &seen);
		is_done = !was_short;
		json_set_alloc_funcs(malloc, free);
		n_named += status == PMON_E_NOMEM;
		if (is_done)
			T_EQ_STR(seen.text, healthy.text);
		else if (status == PMON_END)
			assert_int_equal(strncmp(seen.text, "LOSS ", 5), 0);
		else
			assert_true(status == PMON_E_NOMEM || status == PMON_E_FORMAT);
		dump_free(&seen);
	}
	assert_in_range(n_named, n * 3 / 4, n);
	dump_free(&healthy);
}

// ---- Values alone ---------------------------------------------------------------------------

// As JSON lines with displayed values: a value that another program displayed has no raw value, and
// nothing is displayed before the first interval.
static void
displayed_values_as_lines(void **state)
{
	struct mem_source *m = mem_source_new();
	const char *path = in_folder("values.jsonl");
	struct pmon_path bad = {.machine = {"S", 1}, .object = {"O", 1}, .counter = {"\xFF", 1}};
	struct pmon_counter gauge = {.type = PMON_PERF_COUNTER_RAWCOUNT};
	size_t n = 0;
	size_t len;
	char *text;

	(void)state;
	(void)mem_source_add(m, &bad, &gauge);
	(void)mem_source_series(m, "\\\\S\\O\\D", PMON_PERF_DOUBLE_RAW, 0);
	pmon_schema_set_formatted(&m->base.schema, 1, NULL);
	for (int k = 0; k < 3; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		m->samples[k].preceding = k == 0;
		mem_source_raw(m, 0, 70 + k, 0);
		mem_source_raw(m, 1, 0, 0);
	}
	write_over(mem_source_open(m), path, "jsonl-values");
	text = t_read_file(path, &len);
	assert_non_null(text);
	assert_null(strstr(text, "\xFF"));
	assert_non_null(strstr(text, "\\ufffd"));
	for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
		n++;
	assert_int_equal(n, 4); // two samples of two values
	free(text);
	assert_int_equal(unlink(path), 0);
}

#endif

int
main(void)
{
#ifdef PMON_WITH_JSON
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_that_do_not_fit),
		cmocka_unit_test(a_status_that_does_not_fit),
		cmocka_unit_test(displayed_values_in_quotes),
		cmocka_unit_test(the_first_path_is_too_long),
		cmocka_unit_test(paths_keep_their_parts),
		cmocka_unit_test(other_files_are_not_continued),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(a_long_first_line),
		cmocka_unit_test(each_allocation_of_the_library_fails),
		cmocka_unit_test(displayed_values_as_lines),
	};

	return cmocka_run_group_tests_name("jsonl", tests, folder_make, folder_remove);
#else
	printf("built without jansson\n");
	return 77;
#endif
}
