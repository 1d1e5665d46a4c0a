// test_pdhtext_write.c - PDH-CSV and PDH-TSV as Windows 10 writes them
// SPDX-License-Identifier: MIT

#include "test_pdhtext.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmon/query.h>
#include <pmon/sink.h>

#include "memsource.h"

#define OUT "test_pdhtext_write.out"

// Read as for copies: all numbers are kept.
static void
read_log(const char *text, struct pmon_source **source)
{
	struct pmon_log_options options = {.size = sizeof(options), .ignore_changes = true};
	struct pmon_file *file;

	assert_int_equal(pmon_file_memory(text, strlen(text), NULL, &file, NULL), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, &options, source, NULL), PMON_OK);
}

static enum pmon_status
copy_to(struct pmon_source *source, const char *path, const char *format,
	const struct pmon_create_options *options, struct pmon_err *err)
{
	struct pmon_sink *sink;
	enum pmon_status status = pmon_log_create(path, format, options, &sink, err);

	if (status == PMON_OK)
		status = pmon_copy(source, sink, NULL, err);
	pmon_sink_close(sink);
	return status;
}

// A log written as text, to be freed.
static char *
written(struct pmon_source *source, const char *format, const struct pmon_create_options *options)
{
	struct pmon_err err;
	char *text;
	size_t len;

	(void)remove(OUT);
	if (copy_to(source, OUT, format, options, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	text = t_read_file(OUT, &len);
	assert_non_null(text);
	(void)remove(OUT);
	return text;
}

static void
writes(const char *text, const char *format, const struct pmon_create_options *options,
       const char *want)
{
	struct pmon_source *source;
	char *got;

	read_log(text, &source);
	got = written(source, format, options);
	T_EQ_STR(got, want);
	free(got);
	pmon_source_close(source);
}

// ---- Bytes ----------------------------------------------------------------------------------

static void
a_log_is_written_as_it_was(void **state)
{
	static const char more[] =
		"\"(PDH-TSV 4.0) (Tokyo Standard Time)(-540)\"\t" A "\t" B
		"\t\"\\\\S\\O(a\"\"b, c)\\C\"" CRLF T0 "\t\"1.5e-005\"\t\"1e+020\"\t\" \"" CRLF T1
		"\t\" \"\t\"-25.629232186011372\"\t\"4294967295\"" CRLF;

	(void)state;
	writes(plain, "csv", NULL, plain);
	writes(more, "tsv", NULL, more);
}

static void
other_forms_become_the_form_of_windows(void **state)
{
	(void)state;
	writes("\xEF\xBB\xBF(PDH-CSV 4.0) (UTC)(0);\\\\S\\O\\C;\\\\S\\O\\D\n"
	       "31.01.2026 00:00;1,5;x\n31.01.2026 00:01;;0,1\n",
	       "csv", NULL,
	       HEAD ",\"\\\\S\\O\\C\",\"\\\\S\\O\\D\"" CRLF
		    "\"01/31/2026 00:00:00.000\",\"1.5\",\" \"" CRLF
		    "\"01/31/2026 00:01:00.000\",\" \",\"0.10000000000000001\"" CRLF);
}

static void
digits_can_be_chosen(void **state)
{
	struct pmon_create_options options = {.size = sizeof(options), .digits = 20};
	struct pmon_sink *sink;

	(void)state;
	writes(HEAD "," A CRLF T0 ",\"0.1\"" CRLF T1 ",\"25.6292321860113681\"" CRLF, "csv",
	       &options,
	       HEAD "," A CRLF T0 ",\"0.10000000000000000555\"" CRLF T1
		    ",\"25.6292321860113681\"" CRLF);
	for (int i = 0; i < 2; i++) {
		options.digits = i == 0 ? 22 : -1;
		assert_int_equal(pmon_log_create(OUT, "csv", &options, &sink, NULL), PMON_E_ARG);
		assert_null(sink);
	}
}

static void
the_clock_can_be_fixed(void **state)
{
	struct pmon_create_options options = {.size = sizeof(options), .fixed_clock = true};

	(void)state;
	writes(plain, "csv", &options,
	       HEAD "," A "," B CRLF "\"07/23/2026 13:04:43.000\",\"4112\",\" \"" CRLF
		    "\"07/23/2026 13:04:44.000\",\"4117.5\",\"11.296813511113458\"" CRLF);
	options.offset_min = 330;
	writes(plain, "csv", &options,
	       "\"(PDH-CSV 4.0) (UTC+05:30)(-330)\"," A "," B CRLF
	       "\"07/23/2026 18:34:43.000\",\"4112\",\" \"" CRLF
	       "\"07/23/2026 18:34:44.000\",\"4117.5\",\"11.296813511113458\"" CRLF);
	options.offset_min = -420;
	writes(plain, "csv", &options, plain);
}

static void
preceding_is_not_shown(void **state)
{
	struct pmon_source *source;
	char *got;

	(void)state;
	read_log(plain, &source);
	assert_int_equal(pmon_window_open(source, when("2026-07-23T13:04:44.000Z"), PMON_TIME_NONE,
					  NULL, &source, NULL),
			 PMON_OK);
	got = written(source, "csv", NULL);
	assert_null(strstr(got, "4112"));
	assert_non_null(strstr(got, "4117.5"));
	free(got);
	pmon_source_close(source);
}

// ---- Real logs ------------------------------------------------------------------------------

static void
drop_cr(char *text)
{
	char *out = text;

	for (; *text != '\0'; text++)
		if (*text != '\r')
			*out++ = *text;
	*out = '\0';
}

static void
same_as_file(struct pmon_source *source, const char *format, const char *name,
	     const struct pmon_create_options *options)
{
	size_t len;
	char *want = t_read_file(t_data_path(name), &len);
	char *got = written(source, format, options);

	assert_non_null(want);
	drop_cr(got);
	drop_cr(want);
	T_EQ_STR_AT(got, want, name);
	free(got);
	free(want);
}

static void
round_trip_of_real_logs_keeps_every_byte(void **state)
{
	static const struct {
		const char *name;
		const char *format;
		int digits;
	} logs[] = {
		{"blg/pwsh-CounterSamples.csv", "csv", 17},
		{"blg/pwsh-CounterSamples.tsv", "tsv", 17},
		{"pdh-text/sirisaac_Sample01.csv", "csv", 20},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(logs); i++) {
		struct pmon_create_options options = {.size = sizeof(options),
						      .digits = logs[i].digits};
		const char *path = t_data_path(logs[i].name);
		struct pmon_source *source;

		if (path == NULL)
			skip();
		assert_int_equal(pmon_log_open(path, NULL, &source, NULL), PMON_OK);
		same_as_file(source, logs[i].format, logs[i].name, &options);
		pmon_source_close(source);
	}
}

// Windows' own conversion of the binary log.
static void
a_converted_binary_log_equals_that_of_windows(void **state)
{
	static const char *const formats[] = {"csv", "tsv"};
	char name[64];

	(void)state;
	for (size_t i = 0; i < T_LEN(formats); i++) {
		const char *path = t_data_path("blg/pwsh-CounterSamples.blg");
		struct pmon_source *source;

		if (path == NULL)
			skip();
		assert_int_equal(pmon_log_open(path, NULL, &source, NULL), PMON_OK);
		// Windows keeps the zone as a resource, the name of which is the reader's to find.
		if (pmon_source_info(source)->zone[0] == '@') {
			pmon_source_close(source);
			skip();
		}
		(void)snprintf(name, sizeof(name), "blg/pwsh-CounterSamples.%s", formats[i]);
		same_as_file(source, formats[i], name, NULL);
		pmon_source_close(source);
	}
}

// Random values below 2^80, the largest that pmon computes with, and missing cells.
static void
round_trip_keeps_values(void **state)
{
	struct t_rand r = {5};
	char text[16384];

	(void)state;
	for (int round = 0; round < 50; round++) {
		size_t len = (size_t)snprintf(text, sizeof(text), "%s",
					      "\"(PDH-CSV 4.0) (Z)(-90)\"," A "," B "," A CRLF);
		struct table a;
		struct table b;
		struct pmon_source *source;
		char *again;

		for (int row = 0; row < 40; row++) {
			len += (size_t)snprintf(text + len, sizeof(text) - len,
						"\"07/23/2026 06:04:%02d.%03d\"", row, row);
			for (int i = 0; i < 3; i++) {
				double d = ldexp((double)(t_rand_u64(&r) >> 11),
						 (int)t_rand_below(&r, 150) - 125);

				len += (size_t)snprintf(
					text + len, sizeof(text) - len,
					t_rand_below(&r, 4) == 0 ? ",\" \"" : ",\"%.17g\"", d);
			}
			len += (size_t)snprintf(text + len, sizeof(text) - len, CRLF);
		}
		read_text(&a, text);
		read_log(text, &source);
		again = written(source, "csv", NULL);
		read_text(&b, again);
		T_EQ_U64(b.n_rows, 40);
		T_EQ_U64(b.n_rows, a.n_rows);
		assert_memory_equal(a.time, b.time, sizeof(a.time));
		assert_memory_equal(a.offset_min, b.offset_min, sizeof(a.offset_min));
		for (size_t row = 0; row < 40; row++)
			for (size_t i = 0; i < COLUMNS; i++)
				T_EQ_DBL(a.cell[row][i], b.cell[row][i]);
		free(again);
		pmon_source_close(source);
		close_table(&a);
		close_table(&b);
	}
}

// ---- Live -----------------------------------------------------------------------------------

#define LONG_NAME                                                                                  \
	"\\\\S\\Process(a process of a name of more letters than a buffer has)\\ID Process"
#define LONG_HEAD HEAD ",\"" LONG_NAME "\"\r\n"

// A log of one counter of this name that continues in what is in the file.
static enum pmon_status
go_on(const char *there, const char *name, struct pmon_err *err)
{
	struct pmon_create_options options = {
		.size = sizeof(options), .live = true, .append = true};
	struct mem_source *m = mem_source_new();
	struct pmon_source *source;
	enum pmon_status status;

	t_write_text(OUT, there);
	(void)mem_source_series(m, name, PMON_PERF_COUNTER_RAWCOUNT, 0);
	mem_source_sample(m, when("2026-07-23T06:04:44.000Z"));
	mem_source_raw(m, 0, 7, 0);
	source = mem_source_open(m);
	status = copy_to(source, OUT, "csv", &options, err);
	pmon_source_close(source);
	return status;
}

static void
has_text(const char *want)
{
	size_t len;
	char *text = t_read_file(OUT, &len);

	assert_non_null(text);
	T_EQ_STR(text, want);
	free(text);
	(void)remove(OUT);
}

// Only a file with the same header is continued; any other is left unchanged.
static void
the_same_header_is_continued(void **state)
{
	static const char *const others[] = {"x\n", HEAD "\r\n", HEAD ",\"\\\\S\\O\\C\"\r\n",
					     HEAD ",\"" LONG_NAME "#1\"\r\n"};
	struct pmon_err err;

	(void)state;
	assert_int_equal(go_on(LONG_HEAD T0 ",\"6\"" CRLF, LONG_NAME, &err), PMON_OK);
	has_text(LONG_HEAD T0 ",\"6\"" CRLF T1 ",\"7\"" CRLF);
	for (size_t i = 0; i < T_LEN(others); i++) {
		T_EQ_I64_AT(go_on(others[i], LONG_NAME, &err), PMON_E_STATE, others[i]);
		T_EQ_STR(err.msg, "the existing file has other columns");
		has_text(others[i]);
	}
}

static void
count_notice(void *ctx, const struct pmon_notice *notice)
{
	(void)notice;
	++*(size_t *)ctx;
}

// A live log has columns for the counters of its first sample. The others are reported once, known before or not.
static void
the_first_sample_makes_the_columns(void **state)
{
	size_t n_notices = 0;
	struct pmon_create_options options = {.size = sizeof(options),
					      .live = true,
					      .notice = count_notice,
					      .notice_ctx = &n_notices};
	struct mem_source *m = mem_source_new();
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	(void)mem_source_series(m, "\\\\S\\O\\Second", PMON_PERF_COUNTER_RAWCOUNT, 0);
	(void)mem_source_series(m, "\\\\S\\O\\First", PMON_PERF_COUNTER_RAWCOUNT, 0);
	for (int64_t k = 0; k < 3; k++) {
		mem_source_sample(m, when("2026-07-23T06:04:43.000Z") + k * PMON_TIME_PER_SEC);
		mem_source_raw(m, 1, 10 + k, 0);
		if (k > 0)
			mem_source_raw(m, 0, 20 + k, 0);
	}
	source = mem_source_open(m);
	assert_int_equal(copy_to(source, OUT, "csv", &options, &err), PMON_OK);
	pmon_source_close(source);
	T_EQ_U64(n_notices, 1);
	has_text(HEAD ",\"\\\\S\\O\\First\"\r\n" T0 ",\"10\"" CRLF T1 ",\"11\"" CRLF
		      "\"07/23/2026 06:04:45.000\",\"12\"" CRLF);
}

static void
keep_text(void *ctx, const struct pmon_notice *notice)
{
	(void)snprintf(ctx, 200, "%s", notice->text);
}

static void
counters_that_come_late_are_counted(void **state)
{
	static const struct {
		size_t n_late;
		pmon_notice_fn notice;
		const char *want;
	} rows[] = {
		{1, keep_text, "1 counter "},
		{3, keep_text, "3 counters "},
		{2, NULL, ""},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		char text[200] = "";
		struct pmon_create_options options = {.size = sizeof(options),
						      .live = true,
						      .notice = rows[i].notice,
						      .notice_ctx = text};
		struct mem_source *m = mem_source_new();
		struct pmon_source *source;
		char name[40];

		for (uint32_t id = 0; id <= rows[i].n_late; id++) {
			(void)snprintf(name, sizeof(name), "\\\\S\\O\\C %u", (unsigned)id);
			(void)mem_source_series(m, name, PMON_PERF_COUNTER_RAWCOUNT, 0);
		}
		for (int64_t k = 0; k < 2; k++) {
			mem_source_sample(m,
					  when("2026-07-23T06:04:43.000Z") + k * PMON_TIME_PER_SEC);
			for (uint32_t id = 0; id <= (k == 0 ? 0 : rows[i].n_late); id++)
				mem_source_raw(m, id, k, 0);
		}
		source = mem_source_open(m);
		free(written(source, "csv", &options));
		pmon_source_close(source);
		T_EQ_I64(strncmp(text, rows[i].want, strlen(rows[i].want)), 0);
	}
}

// Any other log has all counters in its header.
static void
a_counter_after_the_header_is_refused(void **state)
{
	struct mem_source *m = mem_source_new();
	struct pmon_value values[2] = {{.status = PMON_V_NO_DATA}, {.status = PMON_V_NO_DATA}};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_sink *sink;
	struct pmon_err err;

	(void)state;
	(void)mem_source_series(m, "\\\\S\\O\\C", PMON_PERF_COUNTER_RAWCOUNT, 0);
	mem_source_sample(m, when("2026-07-23T06:04:43.000Z"));
	mem_source_raw(m, 0, 1, 0);
	source = mem_source_open(m);
	assert_int_equal(pmon_log_create(OUT, "csv", NULL, &sink, &err), PMON_OK);
	assert_int_equal(
		pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err),
		PMON_OK);
	mem_source_raw(m, mem_source_series(m, "\\\\S\\O\\D", PMON_PERF_COUNTER_RAWCOUNT, 0), 2, 0);
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
	assert_int_equal(pmon_sink_add(sink, sample, values, &err), PMON_E_STATE);
	T_EQ_STR(err.msg, "a counter appeared after the header was written");
	pmon_sink_close(sink);
	pmon_source_close(source);
}

// ---- Failures -------------------------------------------------------------------------------

static bool
is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static void
existing_files_are_kept(void **state)
{
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	struct pmon_sink *sink;
	FILE *file = fopen(OUT, "wb");

	(void)state;
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(pmon_log_create(OUT, "csv", NULL, &sink, NULL), PMON_E_EXISTS);
	assert_null(sink);
	assert_int_equal(pmon_log_create(OUT, "csv", &options, &sink, NULL), PMON_OK);
	pmon_sink_close(sink);
	assert_true(is_there(OUT));
	(void)remove(OUT);
}

static void
unfinished_files_are_removed(void **state)
{
	struct pmon_source *source;
	struct pmon_sink *sink;

	(void)state;
	read_log(plain, &source);
	assert_int_equal(pmon_log_create(OUT, "csv", NULL, &sink, NULL), PMON_OK);
	assert_int_equal(pmon_sink_needs(sink), PMON_SINK_SCHEMA | PMON_SINK_VALUES);
	assert_int_equal(
		pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), NULL),
		PMON_OK);
	pmon_sink_close(sink);
	assert_false(is_there(OUT));
	pmon_source_close(source);
}

// Killed in the middle of its work, a writer leaves nothing under the final name.
static void
a_killed_writer_leaves_no_log(void **state)
{
	char temp[64];
	struct pmon_source *source;
	struct pmon_sink *sink;
	pid_t child = fork();
	int how;

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		read_log(plain, &source);
		if (pmon_log_create(OUT, "csv", NULL, &sink, NULL) == PMON_OK &&
		    pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source),
				    NULL) == PMON_OK)
			(void)kill(getpid(), SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_true(WIFSIGNALED(how));
	assert_false(is_there(OUT));
	(void)snprintf(temp, sizeof(temp), OUT ".%ld-0.tmp", (long)child);
	assert_true(is_there(temp));
	(void)remove(temp);
}

// A log of 3 MB onto a full disk, as standard output.
static void
a_full_disk_is_a_status(void **state)
{
	int full = open("/dev/full", O_WRONLY);
	size_t size = 3 << 20;
	char *text = malloc(size + 100);
	size_t len = (size_t)snprintf(text, size, "%s", HEAD "," A CRLF);
	struct pmon_source *source;
	struct pmon_err err = {.sys = 0};
	enum pmon_status status;
	int saved;

	(void)state;
	if (full < 0) {
		free(text);
		skip();
	}
	while (len < size)
		len += (size_t)snprintf(text + len, 100, T0 ",\"0.10000000000000001\"" CRLF);
	read_log(text, &source);
	(void)fflush(stdout);
	saved = dup(STDOUT_FILENO);
	assert_true(saved >= 0 && dup2(full, STDOUT_FILENO) >= 0);
	status = copy_to(source, "-", "csv", NULL, &err);
	assert_true(dup2(saved, STDOUT_FILENO) >= 0);
	(void)close(saved);
	(void)close(full);
	assert_int_equal(status, PMON_E_IO);
	assert_non_null(strstr(err.msg, "cannot write standard output"));
	pmon_source_close(source);
	free(text);
}

static void
each_failing_allocation_is_a_status(void **state)
{
	struct pmon_source *source;

	(void)state;
	read_log(plain, &source);
	for (size_t fail_at = 1;; fail_at++) {
		struct t_memory memory = {.fail_at = fail_at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_create_options options = {.size = sizeof(options),
						      .allocator = &allocator};
		enum pmon_status status = copy_to(source, OUT, "csv", &options, NULL);

		T_EQ_U64(memory.live_blocks, 0);
		if (memory.calls < fail_at) {
			assert_int_equal(status, PMON_OK);
			break;
		}
		assert_int_equal(status, PMON_E_NOMEM);
		assert_false(is_there(OUT));
	}
	(void)remove(OUT);
	pmon_source_close(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_is_written_as_it_was),
		cmocka_unit_test(other_forms_become_the_form_of_windows),
		cmocka_unit_test(digits_can_be_chosen),
		cmocka_unit_test(the_clock_can_be_fixed),
		cmocka_unit_test(preceding_is_not_shown),
		cmocka_unit_test(round_trip_of_real_logs_keeps_every_byte),
		cmocka_unit_test(a_converted_binary_log_equals_that_of_windows),
		cmocka_unit_test(round_trip_keeps_values),
		cmocka_unit_test(the_same_header_is_continued),
		cmocka_unit_test(the_first_sample_makes_the_columns),
		cmocka_unit_test(counters_that_come_late_are_counted),
		cmocka_unit_test(a_counter_after_the_header_is_refused),
		cmocka_unit_test(existing_files_are_kept),
		cmocka_unit_test(unfinished_files_are_removed),
		cmocka_unit_test(a_killed_writer_leaves_no_log),
		cmocka_unit_test(a_full_disk_is_a_status),
		cmocka_unit_test(each_failing_allocation_is_a_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
