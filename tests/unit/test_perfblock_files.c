// test_perfblock_files.c - PERF_DATA_BLOCK dumps in directories, and the tables of names next to them
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pmon/log.h>

#include "dump.h"
#include "model/titles.h"
#include "path/wellknown.h"
#include "moments.h"
#include "os/dir.h"
#include "perfblock_build.h"

// Title indexes.
#define MEMORY  4
#define PROCESS 230

static const struct pb_counter memory[] = {{24, 0x00010100, 8, 0}};   // Available Bytes
static const struct pb_counter process[] = {{784, 0x00010000, 4, 0}}; // ID Process

static void
add_process(struct pb *b, const char *name, uint64_t id)
{
	pb_instance(b, 0, 0, -1, name);
	pb_values(b, process, 1, (uint64_t[]){id});
}

// ---- Directories ----------------------------------------------------------------------------

struct folder {
	char path[64];
	char file[128];
};

static void
make_folder(struct folder *f)
{
	(void)snprintf(f->path, sizeof(f->path), "/tmp/pmon-test-XXXXXX");
	assert_non_null(mkdtemp(f->path));
}

static const char *
file_in(struct folder *f, const char *name)
{
	(void)snprintf(f->file, sizeof(f->file), "%s/%s", f->path, name);
	return f->file;
}

static void
write_in(struct folder *f, const char *name, const void *bytes, size_t len)
{
	t_write_file(file_in(f, name), bytes, len);
}

static void
remove_folder(struct folder *f)
{
	struct pmon_dir *dir;
	const char *const *paths;
	size_t n;

	assert_int_equal(pmon_dir_list(f->path, NULL, 100, &dir, NULL), PMON_OK);
	paths = pmon_dir_paths(dir, &n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(unlink(paths[i]), 0);
	pmon_dir_free(dir);
	assert_int_equal(rmdir(f->path), 0);
}

static void
write_memory(struct folder *f, const char *name, int64_t time, uint64_t value)
{
	struct pb b = {0};

	pb_begin(&b, time, 777, "A");
	pb_object(&b, MEMORY, memory, 1, PB_NO_INST, 0);
	pb_values(&b, memory, 1, (uint64_t[]){value});
	pb_end(&b);
	write_in(f, name, b.bytes, b.len);
	pb_free(&b);
}

static enum pmon_status
open_path(const char *path, const char *names, struct dump *d, struct pmon_err *err)
{
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = dump_notice, .notice_ctx = d, .names = names};
	struct pmon_source *source;
	enum pmon_status status = pmon_log_open(path, &options, &source, err);

	if (status == PMON_OK) {
		assert_int_equal(dump_read(d, source, err), PMON_END);
		pmon_source_close(source);
	}
	return status;
}

// The files of a directory are one log, in the order of time and not of names.
static void
a_directory(void **state)
{
	struct folder f;
	struct pb b = {0};
	struct dump d = {0};
	struct pmon_err err;

	(void)state;
	make_folder(&f);
	write_memory(&f, "c.bin", T0, 1);
	write_memory(&f, "b.bin", T0 + 2 * SECOND, 3);
	write_in(&f, "README.md", "words", 5);
	write_in(&f, "empty", "", 0);
	pb_begin(&b, T0, 777, "A");
	pb_object(&b, PROCESS, process, 1, 1, 0);
	add_process(&b, "x", 10);
	pb_end(&b);
	pb_begin(&b, T0 + SECOND, 777, "A");
	pb_object(&b, PROCESS, process, 1, 1, 0);
	add_process(&b, "x", 20);
	pb_end(&b);
	write_in(&f, "d.bin", b.bytes, b.len);
	pb_free(&b);
	assert_int_equal(open_path(f.path, NULL, &d, &err), PMON_OK);
	T_EQ_STR(d.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
			 "\\\\A\\Memory\\Available Bytes = 1 0\n"
			 "\\\\A\\Process(x)\\ID Process = 10 0\n"
			 "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
			 "\\\\A\\Process(x)\\ID Process = 20 0\n"
			 "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
			 "\\\\A\\Memory\\Available Bytes = 3 0\n");
	dump_free(&d);
	remove_folder(&f);
}

// gzip (RFC 1952) with the bytes as they are, in one block (RFC 1951). Returns the length.
static size_t
pack(const uint8_t *bytes, size_t len, uint8_t *out)
{
	static const uint8_t head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3};
	uint32_t crc = UINT32_MAX;
	size_t n = sizeof(head);

	memcpy(out, head, n);
	out[n++] = 1; // the last block, stored
	out[n++] = (uint8_t)len;
	out[n++] = (uint8_t)(len >> 8);
	out[n++] = (uint8_t)~len;
	out[n++] = (uint8_t)(~len >> 8);
	for (size_t i = 0; i < len; i++) {
		out[n++] = bytes[i];
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	for (int i = 0; i < 4; i++)
		out[n++] = (uint8_t)(~crc >> 8 * i);
	for (int i = 0; i < 4; i++)
		out[n++] = (uint8_t)(len >> 8 * i);
	return n;
}

static void
a_directory_of_compressed_files(void **state)
{
	struct folder f;
	struct dump d = {0};
	struct pmon_err err;
	enum pmon_status status;
	uint8_t packed[1000];

	(void)state;
	make_folder(&f);
	for (int k = 0; k < 2; k++) {
		struct pb b = {0};

		pb_begin(&b, T0 - k * SECOND, 777, "A");
		pb_object(&b, MEMORY, memory, 1, PB_NO_INST, 0);
		pb_values(&b, memory, 1, (uint64_t[]){(uint64_t)k});
		pb_end(&b);
		write_in(&f, k == 0 ? "a.gz" : "b.gz", packed, pack(b.bytes, b.len, packed));
		pb_free(&b);
	}
	status = open_path(f.path, NULL, &d, &err);
	remove_folder(&f);
	if (status == PMON_E_IO) // this build has no zlib
		skip();
	assert_int_equal(status, PMON_OK);
	T_EQ_STR(d.text, "2019-12-31T23:59:59Z stream 0 sample 0 offset 0\n"
			 "\\\\A\\Memory\\Available Bytes = 1 0\n"
			 "2020-01-01T00:00:00Z stream 0 sample 1 offset 0\n"
			 "\\\\A\\Memory\\Available Bytes = 0 0\n");
	dump_free(&d);
}

// Every single allocation fails once, for the directory and its files, which hold two values. A damaged file may have
// another reason then.
static void
read_without_memory(const struct folder *f, bool is_damaged)
{
	bool is_done = false;

	for (size_t at = 1; !is_done; at++) {
		struct t_memory heap = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&heap);
		struct pmon_log_options options = {.size = sizeof(options),
						   .allocator = &allocator};
		const struct pmon_sample *sample;
		struct pmon_source *source;
		struct pmon_err err;
		enum pmon_status status = pmon_log_open(f->path, &options, &source, &err);
		size_t n = 0;

		while (status == PMON_OK &&
		       (status = pmon_source_next(source, &sample, &err)) == PMON_OK)
			n += sample->n;
		pmon_source_close(source);
		assert_int_equal(heap.live_blocks, 0);
		is_done = t_memory_sufficed(&heap);
		if (is_done || (is_damaged && status == PMON_END))
			assert_true(status == PMON_END && n == 2);
		else
			assert_int_equal(status, PMON_E_NOMEM);
	}
}

static void
a_directory_without_memory(void **state)
{
	struct folder f;
	char names[1000];
	size_t n = 0;

	(void)state;
	make_folder(&f);
	write_memory(&f, "a.bin", T0, 1);
	write_memory(&f, "b.bin", T0 + SECOND, 2);
	for (char c = '1'; c <= '9'; c++) {
		memcpy(names + n, (char[]){c, 0, 0, 0, c, 0, 0, 0}, 8);
		n += 8;
	}
	write_in(&f, "Counter_009.bin", names, n);
	read_without_memory(&f, false);
	remove_folder(&f);
}

static void
a_damaged_file_without_memory(void **state)
{
	static const uint8_t packed[] = {0x1F, 0x8B, 8, 0,    0,    0,    0,
					 0,    0,    3, 0xFF, 0xFF, 0xFF, 0xFF};
	struct folder f;

	(void)state;
	make_folder(&f);
	write_memory(&f, "a.bin", T0, 1);
	write_memory(&f, "b.bin", T0 + SECOND, 2);
	write_in(&f, "c.bin.gz", packed, sizeof(packed));
	read_without_memory(&f, true);
	remove_folder(&f);
}

static void
a_directory_of_other_things(void **state)
{
	struct folder f;
	struct dump d = {0};
	struct pmon_err err;

	(void)state;
	make_folder(&f);
	write_in(&f, "README.md", "words", 5);
	assert_int_equal(open_path(f.path, NULL, &d, &err), PMON_E_IO);
	T_EQ_STR(err.msg, "is a directory");
	remove_folder(&f);
}

// "4\0Speicher\0" and so on.
static const char table[] = "4\0\0\0S\0p\0e\0i\0c\0h\0e\0r\0\0\0"
			    "2\0"
			    "4\0\0\0F\0r\0e\0i\0\0\0\0";

static void
names_beside_and_given(void **state)
{
	struct folder f;
	struct dump d = {0};
	struct pmon_err err;
	char names[128];

	(void)state;
	make_folder(&f);
	write_memory(&f, "m.bin", T0, 1);
	write_in(&f, "names", table, sizeof(table) - 1);
	(void)snprintf(names, sizeof(names), "%s", file_in(&f, "names"));
	assert_int_equal(open_path(file_in(&f, "m.bin"), names, &d, &err), PMON_OK);
	assert_non_null(strstr(d.text, "\\\\A\\Speicher\\Frei = 1 0\n"));
	dump_free(&d);
	write_in(&f, "Counter 009", table, sizeof(table) - 1);
	assert_int_equal(open_path(file_in(&f, "m.bin"), NULL, &d, &err), PMON_OK);
	assert_non_null(strstr(d.text, "\\\\A\\Speicher\\Frei = 1 0\n"));
	dump_free(&d);
	// A table of the machine is all of its names.
	write_in(&f, "Counter 009", table, 22);
	assert_int_equal(open_path(f.path, NULL, &d, &err), PMON_OK);
	assert_non_null(strstr(d.text, "\\\\A\\Speicher\\#24 = 1 0\n"));
	dump_free(&d);
	write_in(&f, "Counter 009", "x\0", 2);
	assert_int_equal(open_path(f.path, NULL, &d, &err), PMON_OK);
	assert_non_null(strstr(d.text, "LOSS /tmp/pmon-test-"));
	assert_non_null(strstr(d.text, "\\\\A\\Memory\\Available Bytes = 1 0\n"));
	dump_free(&d);
	(void)snprintf(names, sizeof(names), "%s", file_in(&f, "none"));
	assert_int_equal(open_path(f.path, names, &d, &err), PMON_E_NOTFOUND);
	assert_non_null(strstr(err.msg, "/none: no such file"));
	dump_free(&d);
	remove_folder(&f);
}

// ---- Names ----------------------------------------------------------------------------------

static enum pmon_status
load(struct pmon_titles *titles, const char *bytes, size_t len)
{
	struct pmon_err err;

	pmon_titles_init(titles, NULL);
	return pmon_titles_load(titles, bytes, len, &err);
}

#define LOAD(titles, bytes) load((titles), (bytes), sizeof(bytes) - 1)

static void
tables_of_names(void **state)
{
	struct pmon_titles t;

	(void)state;
	assert_int_equal(LOAD(&t, "2\0\0\0b\0\0\0"
				  "1\0\0\0a\0\0\0"
				  "2\0\0\0c\0\0\0\0\0"),
			 PMON_OK);
	T_EQ_SPAN(pmon_titles_find(&t, 0, 1), "a");
	T_EQ_SPAN(pmon_titles_find(&t, 0, 2), "b");
	T_EQ_SPAN(pmon_titles_find(&t, 0, 3), NULL);
	T_EQ_SPAN(pmon_titles_find(&t, 0, 0), NULL);
	pmon_titles_free(&t);
	// with a byte order mark, big-endian, and big-endian with one
	assert_int_equal(LOAD(&t, "\xFF\xFE"
				  "1\0\0\0a\0\0\0"),
			 PMON_OK);
	T_EQ_SPAN(pmon_titles_find(&t, 0, 1), "a");
	pmon_titles_free(&t);
	assert_int_equal(LOAD(&t, "\0"
				  "1\0\0\0a\0\0"),
			 PMON_OK);
	T_EQ_SPAN(pmon_titles_find(&t, 0, 1), "a");
	pmon_titles_free(&t);
	assert_int_equal(LOAD(&t, "\xFE\xFF\0"
				  "1\0\0\0a\0\0"),
			 PMON_OK);
	T_EQ_SPAN(pmon_titles_find(&t, 0, 1), "a");
	pmon_titles_free(&t);
	// invalid tables
	assert_int_equal(LOAD(&t, ""), PMON_E_FORMAT);
	pmon_titles_free(&t);
	assert_int_equal(LOAD(&t, "a\0\0\0b\0\0\0"), PMON_E_FORMAT);
	pmon_titles_free(&t);
	assert_int_equal(LOAD(&t, "4\0"
				  "2\0"
				  "9\0"
				  "4\0"
				  "9\0"
				  "6\0"
				  "7\0"
				  "2\0"
				  "9\0"
				  "6\0\0\0b\0\0\0"),
			 PMON_E_FORMAT);
	pmon_titles_free(&t);
	assert_int_equal(LOAD(&t, "1\0\0\0a\0\0\0"
				  "2\0\0\0b\0"),
			 PMON_E_FORMAT);
	T_EQ_SPAN(pmon_titles_find(&t, 0, 1), "a");
	pmon_titles_free(&t);
}

static void
well_known_names(void **state)
{
	(void)state;
	T_EQ_SPAN(pmon_wellknown_title(2), "System");
	T_EQ_SPAN(pmon_wellknown_title(4), "Memory");
	T_EQ_SPAN(pmon_wellknown_title(6), "% Processor Time");
	T_EQ_SPAN(pmon_wellknown_title(238), "Processor");
	T_EQ_SPAN(pmon_wellknown_title(1758), "C3 Transitions/sec");
	T_EQ_SPAN(pmon_wellknown_title(0), NULL);
	T_EQ_SPAN(pmon_wellknown_title(3), NULL);
	T_EQ_SPAN(pmon_wellknown_title(UINT32_MAX), NULL);
}

static void
lists_of_files(void **state)
{
	struct folder f;
	struct pmon_dir *dir;
	const char *const *paths;
	struct pmon_err err;
	size_t n;

	(void)state;
	make_folder(&f);
	write_in(&f, "b", "", 0);
	write_in(&f, "a", "", 0);
	write_in(&f, ".hidden", "", 0);
	assert_int_equal(mkdir(file_in(&f, "folder"), 0700), 0);
#ifndef _WIN32 // whose pipes are in no folder
	assert_int_equal(mkfifo(file_in(&f, "pipe"), 0600), 0);
#endif
	assert_true(pmon_is_directory(f.path));
	assert_false(pmon_is_regular(f.path));
	assert_true(pmon_is_regular(file_in(&f, "a")));
	assert_false(pmon_is_regular(file_in(&f, "pipe")));
	assert_false(pmon_is_directory("-"));
	assert_int_equal(pmon_dir_list(f.path, NULL, 2, &dir, &err), PMON_OK);
	paths = pmon_dir_paths(dir, &n);
	assert_int_equal(n, 2);
	T_EQ_STR(paths[0], file_in(&f, "a"));
	T_EQ_STR(paths[1], file_in(&f, "b"));
	pmon_dir_free(dir);
	assert_int_equal(pmon_dir_list(f.path, NULL, 1, &dir, &err), PMON_E_LIMIT);
	assert_null(dir);
	assert_int_equal(pmon_dir_list(file_in(&f, "none"), NULL, 1, &dir, &err), PMON_E_NOTFOUND);
	assert_int_equal(unlink(file_in(&f, ".hidden")), 0);
#ifndef _WIN32
	assert_int_equal(unlink(file_in(&f, "pipe")), 0);
#endif
	assert_int_equal(rmdir(file_in(&f, "folder")), 0);
	remove_folder(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_directory),
		cmocka_unit_test(a_directory_of_compressed_files),
		cmocka_unit_test(a_directory_without_memory),
		cmocka_unit_test(a_damaged_file_without_memory),
		cmocka_unit_test(a_directory_of_other_things),
		cmocka_unit_test(names_beside_and_given),
		cmocka_unit_test(tables_of_names),
		cmocka_unit_test(well_known_names),
		cmocka_unit_test(lists_of_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
