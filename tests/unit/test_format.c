// test_format.c - how logs are found and opened: in folders, through pipes, while they are unpacked
// SPDX-License-Identifier: MIT

#include "t.h"

#if defined(PMON_WITH_ZLIB) && defined(PMON_WITH_ZSTD)

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buf.h"
#include "dump.h"
#include "folder.h"
#include "format/format.h"
#include "moments.h"
#include "pack.h"
#include "perfblock_build.h"
#include "write_fault.h"

#define GZIP_TAIL 8 // bytes of a sum and a size, after which a gzip file ends (RFC 1952)

extern const struct pmon_format pmon_format_perfblock;

// ---- Files ----------------------------------------------------------------------------------

// A block of one counter, \\SRV\Memory\Available Bytes, into a file of the folder.
static void
build_block(struct pb *b, int64_t time, int64_t perf_time, uint64_t value)
{
	static const struct pb_counter counter = {24, 0x00010100, 8, 0};

	pb_begin(b, time, perf_time, "SRV");
	pb_object(b, 4, &counter, 1, PB_NO_INST, 0);
	pb_values(b, &counter, 1, (uint64_t[]){value});
	pb_end(b);
}

static void
write_block(const char *path, int64_t time, int64_t perf_time, uint64_t value)
{
	struct pb b = {0};

	build_block(&b, time, perf_time, value);
	t_write_file(path, b.bytes, b.len);
	pb_free(&b);
}

// The file without its last `cut` bytes.
static void
write_packed(const char *path, const void *bytes, size_t len, size_t cut)
{
	size_t size = 2 * len + 1000;
	uint8_t *out = malloc(size);
	size_t n;

	assert_non_null(out);
	n = packers[0](bytes, len, out, size);
	assert_true(n > cut);
	t_write_file(path, out, n - cut);
	free(out);
}

static enum pmon_status
read_path(const char *path, const struct pmon_log_options *options, struct dump *seen)
{
	struct pmon_log_options own = *options;
	struct pmon_source *source;
	struct pmon_err err;
	enum pmon_status status;

	*seen = (struct dump){0};
	own.notice = dump_notice;
	own.notice_ctx = seen;
	status = pmon_log_open(path, &own, &source, &err);
	if (status == PMON_OK)
		status = dump_read(seen, source, &err);
	pmon_source_close(source);
	return status;
}

static const struct pmon_log_options defaults = {.size = sizeof(defaults)};

// ---- Folders --------------------------------------------------------------------------------

// A truncated compressed file is read as far as possible, and the loss is reported with its name.
static void
a_folder_with_a_cut_file(void **state)
{
	const char *path = in_folder("dump");
	const char *files[] = {in_folder("dump/a.bin"), in_folder("dump/b.bin.gz")};
	struct pb b = {0};
	struct dump seen;

	(void)state;
	assert_int_equal(mkdir(path, 0700), 0);
	write_block(files[0], T0, 777, 1);
	build_block(&b, T0 + SECOND, 778, 2);
	write_packed(files[1], b.bytes, b.len, GZIP_TAIL);
	pb_free(&b);
	assert_int_equal(read_path(path, &defaults, &seen), PMON_END);
	assert_int_equal(seen.n_values, 2);
	assert_int_equal(strncmp(seen.text, "LOSS ", 5), 0);
	assert_non_null(
		strstr(seen.text, "dump/b.bin.gz: the compressed data is truncated or damaged\n"));
	dump_free(&seen);
	for (size_t i = 0; i < T_LEN(files); i++)
		assert_int_equal(unlink(files[i]), 0);
	assert_int_equal(rmdir(path), 0);
}

// Two blocks with the same time are two samples if the performance clock advanced between them,
// which orders them.
static void
blocks_of_one_time(void **state)
{
	const char *path = in_folder("dump");
	const char *files[] = {in_folder("dump/a.bin"), in_folder("dump/b.bin"),
			       in_folder("dump/c.bin")};
	struct dump seen;

	(void)state;
	assert_int_equal(mkdir(path, 0700), 0);
	write_block(files[0], T0, 777, 2);
	write_block(files[1], T0, 776, 1);
	write_block(files[2], T0, 778, 3);
	assert_int_equal(read_path(path, &defaults, &seen), PMON_END);
	T_EQ_STR(seen.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
			    "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
			    "2020-01-01T00:00:00Z stream 0 sample 1 offset 0\n"
			    "\\\\SRV\\Memory\\Available Bytes = 2 0\n"
			    "2020-01-01T00:00:00Z stream 0 sample 2 offset 0\n"
			    "\\\\SRV\\Memory\\Available Bytes = 3 0\n");
	dump_free(&seen);
	for (size_t i = 0; i < T_LEN(files); i++)
		assert_int_equal(unlink(files[i]), 0);
	assert_int_equal(rmdir(path), 0);
}

// A compressed file that is not a log comes first. Wherever memory runs out, the log is read
// completely or the failure is reported.
static void
a_folder_with_a_compressed_text(void **state)
{
	const char *path = in_folder("dump");
	const char *files[] = {in_folder("dump/0.txt.gz"), in_folder("dump/a.bin")};
	struct dump healthy, seen;
	bool is_done = false;

	(void)state;
	assert_int_equal(mkdir(path, 0700), 0);
	write_packed(files[0], "some words", 10, 0);
	write_block(files[1], T0, 777, 5);
	assert_int_equal(read_path(path, &defaults, &healthy), PMON_END);
	T_EQ_STR(healthy.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
			       "\\\\SRV\\Memory\\Available Bytes = 5 0\n");
	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_log_options options = {.size = sizeof(options),
						   .allocator = &allocator};
		enum pmon_status status = read_path(path, &options, &seen);

		is_done = t_memory_sufficed(&memory);
		T_EQ_U64(memory.live_blocks, 0);
		if (status == PMON_END)
			T_EQ_STR(seen.text, healthy.text);
		else
			T_EQ_I64(status, PMON_E_NOMEM);
		dump_free(&seen);
	}
	dump_free(&healthy);
	for (size_t i = 0; i < T_LEN(files); i++)
		assert_int_equal(unlink(files[i]), 0);
	assert_int_equal(rmdir(path), 0);
}

// Unreadable files among several are reported; if no file is readable, that is the error.
static void
missing_files(void **state)
{
	const char *paths[] = {in_folder("missing"), in_folder("a.bin")};
	struct dump seen = {0};
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = dump_notice, .notice_ctx = &seen};
	struct pmon_source *source;
	struct pmon_err err = {.status = PMON_OK};
	const struct pmon_format *format = &pmon_format_perfblock;
	const struct pmon_log_files one = {.paths = paths, .n = 1}, two = {.paths = paths, .n = 2};

	(void)state;
	assert_int_equal(pmon_format_open(format, &one, &options, &source, &err), PMON_E_NOTFOUND);
	assert_int_equal(err.status, PMON_E_NOTFOUND);
	assert_int_equal(pmon_format_open(format, &one, &options, &source, NULL), PMON_E_NOTFOUND);
	assert_null(seen.text);
	write_block(paths[1], T0, 777, 5);
	assert_int_equal(pmon_format_open(format, &two, &options, &source, &err), PMON_OK);
	assert_int_equal(strncmp(seen.text, "LOSS ", 5), 0);
	assert_non_null(strstr(seen.text, "/missing: "));
	assert_int_equal(pmon_source_info(source)->losses, 1);
	pmon_source_close(source);
	dump_free(&seen);
	assert_int_equal(unlink(paths[1]), 0);
}

// Windows' tables of names have some 100 KiB.
static void
an_invalid_table_of_names(void **state)
{
	const char *names = in_folder("names");
	const char *path = in_folder("a.bin");
	struct pmon_log_options options = {.size = sizeof(options), .names = names};
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	write_block(path, T0, 777, 5);
	t_write_text(names, "");
	assert_int_equal(truncate(names, ((off_t)64 << 20) + 1), 0);
	assert_int_equal(pmon_log_open(path, &options, &source, &err), PMON_E_LIMIT);
	assert_non_null(strstr(err.msg, "/names: larger than 67108864 bytes"));
	assert_int_equal(unlink(names), 0);
	assert_int_equal(unlink(path), 0);
}

// ---- Pipes ----------------------------------------------------------------------------------

// A piped log may be compressed too.
static void
a_compressed_log_through_a_pipe(void **state)
{
	const char *pipe = in_folder("pipe");
	const char *file = in_folder("file");
	struct pb b = {0};
	struct dump seen;
	pid_t child;
	int how;

	(void)state;
	build_block(&b, T0, 777, 5);
	write_packed(file, b.bytes, b.len, 0);
	pb_free(&b);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		size_t len;
		char *bytes = t_read_file(file, &len);
		FILE *out = fopen(pipe, "wb");

		_exit(bytes == NULL || out == NULL || fwrite(bytes, 1, len, out) != len ||
		      fclose(out) != 0);
	}
	assert_int_equal(read_path(pipe, &defaults, &seen), PMON_END);
	T_EQ_STR(seen.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
			    "\\\\SRV\\Memory\\Available Bytes = 5 0\n");
	dump_free(&seen);
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_int_equal(how, 0);
	assert_int_equal(unlink(pipe), 0);
	assert_int_equal(unlink(file), 0);
}

// ---- While it is unpacked -------------------------------------------------------------------

#define CSV_HEAD "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\S\\O\\C\"\n"
#define CSV_ROW  "\"01/01/2020 00:00:00.000\",\"1\"\n"

// A truncated log, without a function for notices.
static void
a_cut_log_without_a_listener(void **state)
{
	static const char text[] = CSV_HEAD CSV_ROW;
	const char *path = in_folder("cut.csv.gz");
	const struct pmon_sample *sample;
	struct pmon_source *source;

	(void)state;
	write_packed(path, text, sizeof(text) - 1, GZIP_TAIL);
	assert_int_equal(pmon_log_open(path, NULL, &source, NULL), PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_END);
	assert_int_equal(pmon_source_info(source)->losses, 1);
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
}

// Only formats that are read from the beginning to the end are read on the way.
static void
a_log_that_is_not_read_in_order(void **state)
{
	const char *path = in_folder("a.bin.gz");
	struct pmon_log_options options = {.size = sizeof(options), .stream = true};
	struct pb b = {0};
	struct dump seen;

	(void)state;
	build_block(&b, T0, 777, 5);
	write_packed(path, b.bytes, b.len, 0);
	pb_free(&b);
	assert_int_equal(read_path(path, &options, &seen), PMON_END);
	T_EQ_STR(seen.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
			    "\\\\SRV\\Memory\\Available Bytes = 5 0\n");
	dump_free(&seen);
	assert_int_equal(unlink(path), 0);
}

#ifdef PMON_WITH_JSON

// JSON lines: two values with this many invalid lines between them, each of which is reported.
static void
write_bad_lines(const char *path, size_t n_bad)
{
	static const char value[] = "{\"path\":\"\\\\O\\\\C\",\"time\":\"2020-01-01T00:00:0%dZ\","
				    "\"type\":\"PERF_COUNTER_RAWCOUNT\",\"first\":%d}\n";
	struct buf buf = {NULL, 0, 0};

	buf_add(&buf, value, 0, 10);
	for (size_t i = 0; i < n_bad; i++)
		buf_add(&buf, "bad line %zu\n", i);
	buf_add(&buf, value, 1, 11);
	write_packed(path, buf.text, buf.len, 0);
	buf_free(&buf);
}

static size_t
count_text(const char *text, const char *word)
{
	size_t n = 0;

	for (; text != NULL && (text = strstr(text, word)) != NULL; text++)
		n++;
	return n;
}

// Notices are kept until the end. Past a thousand notices none is delivered: the log is read again.
static void
notices_wait_for_the_end(void **state)
{
	static const struct {
		size_t n_bad;
		enum pmon_status end;
		size_t n_told;
	} logs[] = {{0, PMON_END, 0},
		    {3, PMON_END, 3},
		    {1000, PMON_END, 1000},
		    {1001, PMON_E_STATE, 0}};
	const char *path = in_folder("bad.jsonl.gz");
	struct pmon_log_options options = {.size = sizeof(options), .stream = true};
	struct dump seen;

	(void)state;
	for (size_t i = 0; i < T_LEN(logs); i++) {
		write_bad_lines(path, logs[i].n_bad);
		T_EQ_I64(read_path(path, &options, &seen), logs[i].end);
		assert_int_equal(seen.n_values, 2);
		T_EQ_U64(count_text(seen.text, "LOSS "), logs[i].n_told);
		dump_free(&seen);
	}
	assert_int_equal(unlink(path), 0);
}

// It can be read again from the beginning, without a callback for notices.
static void
a_stream_from_its_beginning_again(void **state)
{
	const char *path = in_folder("bad.jsonl.gz");
	struct pmon_log_options options = {.size = sizeof(options), .stream = true};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	write_bad_lines(path, 2);
	assert_int_equal(pmon_log_open(path, &options, &source, &err), PMON_OK);
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		T_EQ_I64(sample->raw[0].first, 10);
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		T_EQ_I64(sample->raw[0].first, 11);
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_END);
		assert_int_equal(pmon_source_info(source)->losses, 2);
		assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	}
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
}

// Short of memory for a notice, the log is not read as if there were none.
static void
no_notice_is_forgotten(void **state)
{
	const char *path = in_folder("bad.jsonl.gz");
	bool is_done = false;
	struct dump seen;

	(void)state;
	write_bad_lines(path, 300);
	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_log_options options = {
			.size = sizeof(options), .allocator = &allocator, .stream = true};
		enum pmon_status status = read_path(path, &options, &seen);

		is_done = t_memory_sufficed(&memory);
		T_EQ_U64(memory.live_blocks, 0);
		if (status == PMON_END)
			T_EQ_U64(count_text(seen.text, "LOSS "), 300);
		else
			assert_true(status == PMON_E_NOMEM || status == PMON_E_STATE);
		dump_free(&seen);
	}
	assert_int_equal(unlink(path), 0);
}

#endif

static void
paths_that_are_not_files(void **state)
{
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	T_EQ_I64(pmon_log_open("/nonexistent/a.blg", NULL, &source, &err), PMON_E_NOTFOUND);
	assert_null(source);
	T_EQ_I64(pmon_log_open("/", NULL, &source, &err), PMON_E_IO);
	assert_non_null(strstr(err.msg, "is a directory"));
	T_EQ_I64(pmon_log_open("/dev/null", NULL, &source, NULL), PMON_E_FORMAT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_that_are_not_files),
		cmocka_unit_test(a_folder_with_a_cut_file),
		cmocka_unit_test(blocks_of_one_time),
		cmocka_unit_test(a_folder_with_a_compressed_text),
		cmocka_unit_test(missing_files),
		cmocka_unit_test(an_invalid_table_of_names),
		cmocka_unit_test(a_compressed_log_through_a_pipe),
		cmocka_unit_test(a_cut_log_without_a_listener),
		cmocka_unit_test(a_log_that_is_not_read_in_order),
#ifdef PMON_WITH_JSON
		cmocka_unit_test(notices_wait_for_the_end),
		cmocka_unit_test(a_stream_from_its_beginning_again),
		cmocka_unit_test(no_notice_is_forgotten),
#endif
	};

	return cmocka_run_group_tests_name("format", tests, folder_make, folder_remove);
}

#else

int
main(void)
{
	printf("built without zlib or zstd\n");
	return 77;
}

#endif
