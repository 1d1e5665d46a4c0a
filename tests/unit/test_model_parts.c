// test_model_parts.c - texts of counters, tables of names, and what a sink can do
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "base/mem.h"
#include "dump.h"
#include "folder.h"
#include "format/format.h"
#include "model/texts.h"
#include "model/titles.h"
#include "moments.h"
#include "perfblock_build.h"
#include "write_fault.h"

// ---- Texts ----------------------------------------------------------------------------------

static int64_t
number_of(struct pmon_texts *texts, const char *text)
{
	int64_t number = -1;

	assert_int_equal(pmon_texts_add(texts, t_span(text), &number), PMON_OK);
	return number;
}

static void
equal_texts_are_one_while_they_are_near(void **state)
{
	struct pmon_series series = {.texts = NULL};
	struct pmon_raw raw = {.status = PMON_RAW_VALID};
	struct pmon_texts texts;
	char text[16];

	(void)state;
	pmon_texts_init(&texts, pmon_mem_allocator(NULL));
	T_EQ_SPAN(pmon_series_text(&series, &raw), NULL);
	series.texts = &texts;
	T_EQ_SPAN(pmon_series_text(&series, &raw), NULL);
	assert_int_equal(number_of(&texts, "one"), 0);
	assert_int_equal(number_of(&texts, ""), 1);
	assert_int_equal(number_of(&texts, "two"), 2);
	assert_int_equal(number_of(&texts, ""), 1);
	assert_int_equal(number_of(&texts, "one"), 0);
	for (int i = 0; i < 100; i++) {
		(void)snprintf(text, sizeof(text), "text %d", i);
		assert_int_equal(number_of(&texts, text), 3 + i);
	}
	assert_int_equal(number_of(&texts, "text 99"), 102);
	assert_int_equal(number_of(&texts, "one"), 103); // the first is far away
	raw.first = 103;
	T_EQ_SPAN(pmon_series_text(&series, &raw), "one");
	raw.status = PMON_RAW_NEW;
	raw.first = 1;
	T_EQ_SPAN(pmon_series_text(&series, &raw), "");
	raw.status = PMON_RAW_NO_INSTANCE;
	T_EQ_SPAN(pmon_series_text(&series, &raw), NULL);
	raw.status = PMON_RAW_VALID;
	raw.first = 104;
	T_EQ_SPAN(pmon_series_text(&series, &raw), NULL);
	raw.first = -1;
	T_EQ_SPAN(pmon_series_text(&series, &raw), NULL);
	pmon_texts_free(&texts);
}

static void
texts_short_of_memory(void **state)
{
	(void)state;
	for (size_t at = 1; at <= 2; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_texts texts;
		int64_t number;

		pmon_texts_init(&texts, &allocator);
		assert_int_equal(pmon_texts_add(&texts, t_span("a"), &number), PMON_E_NOMEM);
		assert_int_equal(pmon_texts_add(&texts, t_span("a"), &number), PMON_OK);
		assert_int_equal(number, 0);
		pmon_texts_free(&texts);
		T_EQ_U64(memory.live_blocks, 0);
	}
}

// ---- Names ----------------------------------------------------------------------------------

// UTF-16 of ASCII, with or without a byte order mark.
static size_t
utf16(const char *text, size_t len, bool big, bool mark, uint8_t *out)
{
	size_t n = 0;

	if (mark) {
		out[n++] = big ? 0xFE : 0xFF;
		out[n++] = big ? 0xFF : 0xFE;
	}
	for (size_t i = 0; i < len; i++) {
		out[n++] = big ? 0 : (uint8_t)text[i];
		out[n++] = big ? (uint8_t)text[i] : 0;
	}
	return n;
}

// If an index occurs twice, its first name is used.
static void
names_of_either_byte_order(void **state)
{
	static const char text[] = "6\0Six\0002\0Two\0006\0Sixth\0";

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct pmon_titles titles;
		struct pmon_err err;
		uint8_t bytes[100];
		size_t n = utf16(text, sizeof(text), i & 1, i & 2, bytes);

		pmon_titles_init(&titles, pmon_mem_allocator(NULL));
		assert_int_equal(pmon_titles_load(&titles, bytes, n, &err), PMON_OK);
		T_EQ_SPAN(pmon_titles_find(&titles, 0, 2), "Two");
		T_EQ_SPAN(pmon_titles_find(&titles, 0, 6), "Six");
		T_EQ_SPAN(pmon_titles_find(&titles, 0, 4), NULL);
		pmon_titles_free(&titles);
	}
}

static void
names_short_of_memory(void **state)
{
	static const char text[] = "6\0Six\0";
	bool is_done = false;

	(void)state;
	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_titles titles;
		struct pmon_err err;
		uint8_t bytes[100];
		size_t n = utf16(text, sizeof(text), true, false, bytes);
		enum pmon_status status;

		pmon_titles_init(&titles, &allocator);
		status = pmon_titles_load(&titles, bytes, n, &err);
		is_done = t_memory_sufficed(&memory);
		assert_int_equal(status, is_done ? PMON_OK : PMON_E_NOMEM);
		pmon_titles_free(&titles);
		T_EQ_U64(memory.live_blocks, 0);
	}
}

// ---- Instances ------------------------------------------------------------------------------

static const struct pb_counter counter = {28, 0x10410400, 4, 0};

// The parts of the paths of instances with these names, as "parent|instance|index;".
static void
expect_parts(const char *const *names, size_t n, const char *want)
{
	struct pb b = {.big_endian = false};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	char got[1000] = "";

	pb_begin(&b, T0, 777, "SRV");
	pb_object(&b, 230, &counter, 1, 1, 0);
	for (size_t i = 0; i < n; i++) {
		pb_instance(&b, 0, 0, -1, names[i]);
		pb_values(&b, &counter, 1, (uint64_t[]){i});
	}
	pb_end(&b);
	source = open_bytes(b.bytes, b.len, NULL);
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
	assert_int_equal(sample->n, n);
	for (size_t i = 0; i < n; i++) {
		const struct pmon_path *path =
			&pmon_schema_at(pmon_source_schema(source), sample->series[i])->path;
		size_t used = strlen(got);

		T_EQ_I64(sample->raw[i].first, (int64_t)i);
		(void)snprintf(got + used, sizeof(got) - used, "%.*s|%.*s|%d;",
			       (int)path->parent.len,
			       path->parent.ptr != NULL ? path->parent.ptr : "",
			       (int)path->instance.len, path->instance.ptr, (int)path->index);
	}
	T_EQ_STR(got, want);
	pmon_source_close(source);
	pb_free(&b);
}

// As in Windows' paths: "parent/instance#index". Any other path is kept unchanged.
static void
names_that_say_more_are_taken_apart(void **state)
{
	static const char *const plain[] = {"a", "a", "a"};
	static const char *const parted[] = {"p/a", "a#3", "p/a#4"};
	static const char *const twice[] = {"a#3", "a#3"};
	static const char *const odd[] = {"a)\\b(c", "\\", "(x)"};

	(void)state;
	expect_parts(plain, 3, "|a|0;|a|1;|a|2;");
	expect_parts(parted, 3, "p|a|0;|a|3;p|a|4;");
	expect_parts(twice, 2, "|a|3;|a#3|1;");
	expect_parts(odd, 3, "|a)\\b(c|0;|\\|0;|(x)|0;");
}

// ---- Sinks ----------------------------------------------------------------------------------

static void
unsupported_sink_calls_are_reported(void **state)
{
	(void)state;
	for (size_t i = 0; pmon_log_writable(i) != NULL; i++) {
		const char *format = pmon_log_writable(i);
		struct pmon_create_options options = {.size = sizeof(options), .append = true};
		struct pmon_sink *sink;
		struct pmon_err err;

		assert_int_equal(pmon_log_create(in_folder("x"), format, &options, &sink, &err),
				 PMON_E_UNSUPPORTED); // only live logs are continued
		assert_null(sink);
		options = (struct pmon_create_options){.size = sizeof(struct pmon_create_options),
						       .ring_bytes = 1 << 20};
		assert_int_equal(pmon_log_create(in_folder("x"), format, &options, &sink, &err),
				 PMON_E_UNSUPPORTED); // nor are others rings
		assert_int_equal(pmon_log_create(in_folder("x"), format, NULL, &sink, &err),
				 PMON_OK);
		assert_in_range(pmon_sink_size(sink), 0, 1 << 20);
		pmon_sink_close(sink);
		assert_int_equal(folder_count(), 0);
	}
	assert_null(pmon_log_writable(1000));
}

static void
a_format_for_the_end_is_not_flushed(void **state)
{
	struct pmon_sink *sink;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_log_create(in_folder("x"), "openmetrics", NULL, &sink, &err),
			 PMON_OK);
	assert_int_equal(pmon_sink_flush(sink, false, &err), PMON_E_UNSUPPORTED);
	T_EQ_U64(pmon_sink_size(sink), 0);
	pmon_sink_close(sink);
	assert_int_equal(pmon_log_create(in_folder("x"), "none", NULL, &sink, &err), PMON_E_ARG);
	assert_null(sink);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_are_one_while_they_are_near),
		cmocka_unit_test(texts_short_of_memory),
		cmocka_unit_test(names_of_either_byte_order),
		cmocka_unit_test(names_short_of_memory),
		cmocka_unit_test(names_that_say_more_are_taken_apart),
		cmocka_unit_test(unsupported_sink_calls_are_reported),
		cmocka_unit_test(a_format_for_the_end_is_not_flushed),
	};

	return cmocka_run_group_tests_name("model", tests, folder_make, folder_remove);
}
