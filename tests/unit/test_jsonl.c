// test_jsonl.c - logs as JSON lines, written and read
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "blg_log.h"
#include "dump.h"
#include "folder.h"
#include "format/format.h"
#include "memsource.h"
#include "moments.h"
#include "write_limit.h"

// A source written in a format, to be freed.
static char *
written(struct pmon_source *source, const char *format)
{
	const char *path = in_folder("log");
	char *text;
	size_t len;

	write_over(source, path, format);
	text = t_read_file(path, &len);
	assert_non_null(text);
	assert_int_equal(unlink(path), 0);
	return text;
}

static struct pmon_source *
small_log(void)
{
	struct mem_source *m = mem_source_new();
	uint32_t a = mem_source_series(m, "\\\\S\\O(\xC3\xBC\"\\x)\\R/sec",
				       PMON_PERF_COUNTER_COUNTER, 10);
	uint32_t b = mem_source_series(m, "\\M\\Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);

	mem_source_sample(m, T0);
	mem_source_raw(m, a, 5, 100);
	mem_source_raw(m, b, INT64_MIN, 0);
	mem_source_sample(m, T0 + SECOND + 1);
	mem_source_raw(m, a, 8, 110);
	mem_source_bad(m, b, PMON_RAW_NO_OBJECT);
	return mem_source_open(m);
}

static void
raw_values_are_written(void **state)
{
	char *text = written(small_log(), "jsonl");

	(void)state;
	T_EQ_STR(
		text,
		"{\"path\":\"\\\\\\\\S\\\\O(\xC3\xBC\\\"\\\\x)\\\\R/sec\","
		"\"type\":\"PERF_COUNTER_COUNTER\",\"time\":\"2020-01-01T00:00:00Z\","
		"\"status\":\"valid_data\",\"first\":5,\"second\":100,\"multi\":1,\"time_base\":10,"
		"\"unit\":\"/s\",\"series\":0,\"sample\":0,\"utc_offset_min\":0,\"line\":1,"
		"\"order\":0,"
		"\"log_writer\":\"\",\"log_converter\":\"pmon " PMON_VERSION_TEXT
		"\",\"log_machine\":\"\",\"log_zone\":\"\","
		"\"log_start\":null,\"log_end\":null,\"log_last\":true}\n"
		"{\"path\":\"\\\\M\\\\Bytes\",\"type\":\"PERF_COUNTER_LARGE_RAWCOUNT\","
		"\"time\":\"2020-01-01T00:00:00Z\",\"status\":\"valid_data\","
		"\"first\":\"-9223372036854775808\",\"second\":0,\"multi\":1,"
		"\"time_base\":null,\"unit\":\"\",\"series\":1,\"sample\":0,"
		"\"utc_offset_min\":0,\"order\":1}\n"
		"{\"path\":\"\\\\\\\\S\\\\O(\xC3\xBC\\\"\\\\x)\\\\R/sec\","
		"\"type\":\"PERF_COUNTER_COUNTER\",\"time\":\"2020-01-01T00:00:01.0000001Z\","
		"\"status\":\"valid_data\",\"first\":8,\"second\":110,\"multi\":1,\"time_base\":10,"
		"\"unit\":\"/s\",\"series\":0,\"sample\":1,\"utc_offset_min\":0,\"line\":3}\n"
		"{\"path\":\"\\\\M\\\\Bytes\",\"type\":\"PERF_COUNTER_LARGE_RAWCOUNT\","
		"\"time\":\"2020-01-01T00:00:01.0000001Z\",\"status\":\"no_object\",\"first\":0,"
		"\"second\":0,\"multi\":1,\"time_base\":null,\"unit\":\"\",\"series\":1,"
		"\"sample\":1,\"utc_offset_min\":0,\"line\":4,\"last\":true}\n");
	free(text);
}

static void
displayed_values_are_written(void **state)
{
	char *text = written(small_log(), "jsonl-values");

	(void)state;
	assert_non_null(strstr(text,
			       "R/sec\",\"time\":\"2020-01-01T00:00:01.0000001Z\","
			       "\"value\":3,\"status\":\"ok\",\"unit\":\"/s\","
			       "\"series\":0,\"sample\":1,\"utc_offset_min\":0,\"line\":3}\n"));
	assert_non_null(strstr(text, "\"value\":null,\"status\":\"first_sample\","));
	assert_non_null(strstr(text, "\"known_type\":\"PERF_COUNTER_COUNTER\""));
	free(text);
}

#ifdef PMON_WITH_JSON

static void
round_trip_keeps_values(void **state)
{
	char *first = written(small_log(), "jsonl");
	char *second = written(open_bytes(first, strlen(first), NULL), "jsonl");

	(void)state;
	T_EQ_STR(second, first);
	free(first);
	free(second);
}

static void
round_trip_of_real_logs(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_REAL_BLGS; i++) {
		const char *path = t_data_path(real_blgs[i]);
		struct dump want = {0}, got = {0};
		struct pmon_source *source;
		struct pmon_err err;
		char *text;

		if (path == NULL)
			skip();
		assert_int_equal(pmon_log_open(path, NULL, &source, &err), PMON_OK);
		assert_int_equal(dump_read(&want, source, &err), PMON_END);
		assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
		text = written(source, "jsonl");
		dump_bytes(&got, text, strlen(text));
		T_EQ_STR(got.text, want.text);
		dump_free(&want);
		dump_free(&got);
		free(text);
	}
}

// The text is read as that.
static void
expect(const char *text, const char *want)
{
	struct dump dump;

	dump_bytes(&dump, text, strlen(text));
	T_EQ_STR(dump.text, want);
	dump_free(&dump);
}

#define RAW(path, time, first)                                                                     \
	"{\"path\":\"\\\\" path "\",\"type\":\"PERF_COUNTER_LARGE_RAWCOUNT\",\"time\":\"2020-01-"  \
	"01T00:00:0" time "Z\",\"first\":" first "}\n"

// As `pmon raw` prints them: times and paths show what belongs to one sample.
static void
lines_without_samples_are_grouped(void **state)
{
	(void)state;
	expect(RAW("A\\\\a", "0", "1") RAW("A\\\\b", "0.004", "2") RAW("A\\\\b", "1", "3")
		       RAW("A\\\\a", "2", "4") RAW("A\\\\b", "2", "5") RAW("A\\\\b", "2", "6"),
	       "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
	       "\\A\\a = 1 0 x0\n"
	       "\\A\\b = 2 0 x0 time +4ms\n"
	       "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
	       "\\A\\b = 3 0 x0\n"
	       "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
	       "\\A\\a = 4 0 x0\n"
	       "\\A\\b = 5 0 x0\n"
	       "2020-01-01T00:00:02Z stream 0 sample 3 offset 0\n"
	       "\\A\\b = 6 0 x0\n");
}

static void
integers_have_all_forms(void **state)
{
	(void)state;
	expect(RAW("A\\\\a", "0", "9223372036854775807") RAW("A\\\\a", "1", "\"-5\"")
		       RAW("A\\\\a", "2", "\"18446744073709551615\"") RAW("A\\\\a", "3", "1e3")
			       RAW("A\\\\a", "4", "9223372036854775808000"),
	       "LOSS a line without a valid \"first\"\n"
	       "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
	       "\\A\\a = 9223372036854775807 0 x0\n"
	       "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
	       "\\A\\a = -5 0 x0\n"
	       "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
	       "\\A\\a = -1 0 x0\n"
	       "2020-01-01T00:00:03Z stream 0 sample 3 offset 0\n"
	       "\\A\\a = 1000 0 x0\n");
}

static void
invalid_lines_are_reported(void **state)
{
	(void)state;
	expect("\r\n" RAW("A\\\\a", "0",
			  "1") "{\"path\":\"\\\\A\\\\a\",\"type\":\"PERF_CO\n"
			       "[1]\n{\"path\":7}\n"
			       "{\"path\":\"\\\\A\\\\a\",\"time\":\"noon\",\"first\":1}\n"
			       "{\"path\":\"\\\\A\\\\a\",\"time\":null,\"first\":1}\n"
			       "{\"path\":\"\\\\A\\\\a\",\"path\":\"\\\\A\\\\a\"}\n"
			       "{\"path\":\"nothing\",\"type\":\"0x10000\",\"time\":\"2020-01-01\","
			       "\"first\":1}\n"
			       "{\"path\":\"\\\\A\\\\a\",\"type\":\"new\",\"time\":\"2020-01-01\","
			       "\"first\":1}\n"
			       "\n" RAW("A\\\\a", "1", "2"),
	       "LOSS a line is not JSON: unexpected newline near '\"PERF_CO'\n"
	       "LOSS a line without a valid \"path\"\n"
	       "LOSS a line without a valid \"path\"\n"
	       "LOSS a line without a valid \"time\"\n"
	       "LOSS a line without a valid \"time\"\n"
	       "LOSS a line is not JSON: duplicate object key near '\"path\"'\n"
	       "LOSS an invalid path: a path begins with '\\'\n"
	       "LOSS a line without a valid \"type\"\n"
	       "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
	       "\\A\\a = 1 0 x0\n"
	       "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
	       "\\A\\a = 2 0 x0\n");
}

// A file that ends within a line ends with the sample before.
static void
half_a_sample_is_not_shown(void **state)
{
	char *text = written(small_log(), "jsonl");
	const struct pmon_sample *sample;
	struct pmon_source *source;
	const char *path = in_folder("half");

	(void)state;
	t_write_file(path, text, strlen(text) - 5);
	assert_int_equal(pmon_log_open(path, NULL, &source, NULL), PMON_OK);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		assert_int_equal(sample->n, 2);
		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_END);
		assert_int_equal(pmon_source_info(source)->losses, 1);
		assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	}
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
	free(text);
}

static void
a_line_that_is_too_long_is_skipped(void **state)
{
	size_t len = (size_t)3 << 20;
	char *text = malloc(len + 1000);
	struct dump dump;

	(void)state;
	assert_non_null(text);
	strcpy(text, RAW("A\\\\a", "0", "1"));
	memset(text + strlen(text), 'x', len);
	strcpy(text + strlen(RAW("A\\\\a", "0", "1")) + len, "\n" RAW("A\\\\a", "1", "2"));
	dump_bytes(&dump, text, strlen(text));
	assert_true(strncmp(dump.text, "LOSS a line exceeds 1048576 bytes\n", 34) == 0);
	assert_int_equal(dump.n_samples, 2);
	dump_free(&dump);
	free(text);
}

static void
displayed_values_are_numbers_of_their_own(void **state)
{
	static const char text[] =
		"{\"path\":\"\\\\A\\\\a\",\"time\":\"2020-01-01\",\"value\":null,"
		"\"status\":\"first_sample\",\"known_type\":\"PERF_COUNTER_COUNTER\"}\n"
		"{\"path\":\"\\\\A\\\\a\",\"time\":\"2020-01-02\",\"value\":1.5,"
		"\"status\":\"ok\",\"unit\":\"/s\"}\n"
		"{\"path\":\"\\\\A\\\\a\",\"time\":\"2020-01-03\",\"value\":12345678901234567890,"
		"\"status\":\"ok\",\"unit\":\"/s\"}\n";
	struct pmon_source *source = open_bytes(text, strlen(text), NULL);
	const struct pmon_series *series = pmon_schema_at(pmon_source_schema(source), 0);
	static const double want[] = {0, 1.5, 12345678901234567890.0};
	const struct pmon_sample *sample;
	struct pmon_err err;

	(void)state;
	assert_non_null(series);
	assert_true(series->formatted && series->type_known);
	T_EQ_U64(series->known_type, PMON_PERF_COUNTER_COUNTER);
	T_EQ_U64(series->counter.type, PMON_PERF_DOUBLE_RAW);
	for (size_t i = 0; i < T_LEN(want); i++) {
		double value;

		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		memcpy(&value, &sample->raw[0].first, sizeof(value));
		T_EQ_DBL(value, want[i]);
		T_EQ_U64(sample->raw[0].status, i == 0 ? PMON_RAW_INVALID : PMON_RAW_VALID);
	}
	pmon_source_close(source);
}

static void
damage_is_survived(void **state)
{
	char *text = written(small_log(), "jsonl");

	(void)state;
	dump_mutations(text, strlen(text));
	dump_short_of_memory(text, strlen(text));
	free(text);
}

#endif

// ---- Write failures -------------------------------------------------------------------------

// A log that could not be read again is not written: a text log of times alone, an empty file.
static void
a_log_without_a_counter_is_refused(void **state)
{
	static const char *const refused[] = {"blg", "csv", "tsv", "jsonl"};

	(void)state;
	for (size_t i = 0; i < T_LEN(refused); i++) {
		struct mem_source *m = mem_source_new();
		struct pmon_source *source;
		struct pmon_sink *sink;
		struct pmon_err err;

		mem_source_sample(m, T0);
		source = mem_source_open(m);
		assert_int_equal(pmon_log_create(in_folder("none"), refused[i], NULL, &sink, &err),
				 PMON_OK);
		T_EQ_I64_AT(pmon_copy(source, sink, NULL, &err), PMON_E_UNSUPPORTED, refused[i]);
		assert_non_null(strstr(err.msg, "without counters"));
		pmon_sink_close(sink);
		pmon_source_close(source);
		assert_int_equal(access(in_folder("none"), F_OK), -1);
	}
}

static void
each_allocation_of_the_writer_fails(void **state)
{
	(void)state;
	each_allocation_of_writing_fails(small_log, "jsonl");
}

static void
files_that_cannot_be_created_are_reported(void **state)
{
	struct pmon_sink *sink;

	(void)state;
	assert_int_equal(pmon_log_create(folder, "jsonl", NULL, &sink, NULL), PMON_E_EXISTS);
	assert_int_equal(pmon_log_create("/no/such/folder/x", "jsonl", NULL, &sink, NULL),
			 PMON_E_IO);
}

static void
half_a_file_is_never_seen(void **state)
{
	(void)state;
	half_a_file_is_not_seen(small_log, "jsonl", 100);
	half_a_file_is_not_seen(small_log, "jsonl-values", 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raw_values_are_written),
		cmocka_unit_test(displayed_values_are_written),
#ifdef PMON_WITH_JSON
		cmocka_unit_test(round_trip_keeps_values),
		cmocka_unit_test(round_trip_of_real_logs),
		cmocka_unit_test(lines_without_samples_are_grouped),
		cmocka_unit_test(integers_have_all_forms),
		cmocka_unit_test(invalid_lines_are_reported),
		cmocka_unit_test(half_a_sample_is_not_shown),
		cmocka_unit_test(a_line_that_is_too_long_is_skipped),
		cmocka_unit_test(displayed_values_are_numbers_of_their_own),
		cmocka_unit_test(damage_is_survived),
#endif
		cmocka_unit_test(each_allocation_of_the_writer_fails),
		cmocka_unit_test(files_that_cannot_be_created_are_reported),
		cmocka_unit_test(a_log_without_a_counter_is_refused),
		cmocka_unit_test(half_a_file_is_never_seen),
	};

	return cmocka_run_group_tests_name("jsonl", tests, folder_make, folder_remove);
}
