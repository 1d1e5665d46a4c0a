// test_origin.c - every recorded format says who recorded a log and who converted it
// SPDX-License-Identifier: MIT
//
// The rule that is tested is written at struct pmon_source_info in model.h.

#include "t.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pmon/log.h>
#include <pmon/query.h>
#include <pmon/sink.h>

#include "folder.h"
#include "live_tree.h"
#include "memsource.h"

#define T0        INT64_C(132223104000000000) // 2020-01-01
#define CONVERTER "pmon " PMON_VERSION_TEXT

static const char *const formats[] = {"blg", "sqlite", "jsonl"};

static void
path_of(char buf[64], const char *name)
{
	(void)snprintf(buf, 64, "%s/%s", folder, name);
}

// Closes the source.
static void
write_as(struct pmon_source *source, const char *format, const char *name)
{
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	struct pmon_sink *sink;
	struct pmon_err err;
	char path[64];

	path_of(path, name);
	if (pmon_log_create(path, format, &options, &sink, &err) != PMON_OK ||
	    pmon_copy(source, sink, NULL, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	pmon_sink_close(sink);
	pmon_source_close(source);
}

static struct pmon_source *
open_named(const char *name)
{
	struct pmon_source *source;
	struct pmon_err err;
	char path[64];

	path_of(path, name);
	if (pmon_log_open(path, NULL, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	return source;
}

static void
remove_named(const char *name)
{
	char path[64];

	path_of(path, name);
	assert_int_equal(unlink(path), 0);
}

static struct mem_source *
small_source(const char *writer)
{
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, "\\\\S\\M\\C", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);

	m->base.info.writer = writer;
	m->base.info.log_start = m->base.info.log_end = PMON_TIME_NONE;
	mem_source_sample(m, T0);
	mem_source_raw(m, id, 5, 0);
	return m;
}

static void
check(const char *name, const char *writer, const char *converter, bool sampled)
{
	struct pmon_source *source = open_named(name);
	const struct pmon_source_info *info = pmon_source_info(source);

	T_EQ_STR(info->writer, writer);
	T_EQ_STR(info->converter, converter);
	assert_int_equal(info->sampled_by_pmon, sampled);
	pmon_source_close(source);
}

// A recording has its writer and no converter; each copy of it has the same writer, and pmon as its
// converter.
static void
test_recorded(void **state)
{
	static const char writer[] = "pmon 9.9 on Linux 6.1 x86_64";

	(void)state;
	for (size_t i = 0; i < T_LEN(formats); i++) {
		struct mem_source *m = small_source(writer);

		m->base.info.live = true;
		m->base.info.sampled_by_pmon = true;
		write_as(&m->base, formats[i], "a");
		check("a", writer, "", true);
		for (size_t k = 0; k < T_LEN(formats); k++) {
			write_as(open_named("a"), formats[k], "b");
			check("b", writer, CONVERTER, true);
			write_as(open_named("b"), formats[i], "c");
			check("c", writer, CONVERTER, true);
		}
	}
	remove_named("a");
	remove_named("b");
	remove_named("c");
}

static void
test_converted(void **state)
{
	static const char writer[] = "Windows 7 build 7601 x64";

	(void)state;
	for (size_t i = 0; i < T_LEN(formats); i++) {
		write_as(&small_source(writer)->base, formats[i], "a");
		check("a", writer, CONVERTER, false);
		write_as(&small_source("")->base, formats[i], "a");
		check("a", "", CONVERTER, false);
	}
	remove_named("a");
}

// BLG has room for 239 bytes of a writer, and keeps whole characters: 1 + 119 * 2 of the 2-byte ones.
static void
test_long_writer(void **state)
{
	char text[400] = "x";
	char want[240] = "x";

	(void)state;
	for (size_t i = 0; i < 150; i++)
		memcpy(text + 1 + 2 * i, "\xC3\xBC", 3);
	for (size_t i = 0; i < 119; i++)
		memcpy(want + 1 + 2 * i, "\xC3\xBC", 3);
	write_as(&small_source(text)->base, "blg", "a");
	check("a", want, CONVERTER, false);
	text[0] = 'y'; // no character ends at byte 239
	memmove(text + 2, text + 1, 300);
	text[1] = 'y';
	text[302] = '\0';
	memmove(want + 2, want + 1, 237);
	want[0] = want[1] = 'y';
	want[238] = '\0';
	write_as(&small_source(text)->base, "blg", "a");
	check("a", want, CONVERTER, false);
	remove_named("a");
}

// A log by Windows has no converter and was not sampled by pmon.
static void
test_windows(void **state)
{
	const char *path = t_data_path("blg/pwsh-CounterSamples.blg");
	struct pmon_source *source;

	(void)state;
	if (path == NULL)
		skip();
	assert_int_equal(pmon_log_open(path, NULL, &source, NULL), PMON_OK);
	T_EQ_STR(pmon_source_info(source)->writer, "Windows 10 build 14393 x64");
	T_EQ_STR(pmon_source_info(source)->converter, "");
	assert_false(pmon_source_info(source)->sampled_by_pmon);
	pmon_source_close(source);
}

// A damaged block is ignored: the log is then read as one from the Windows version with the same
// layout.
static void
test_damaged_block(void **state)
{
	size_t len, at = 0;
	char path[64];
	char *bytes;
	FILE *file;

	(void)state;
	write_as(&small_source("somebody")->base, "blg", "a");
	path_of(path, "a");
	bytes = t_read_file(path, &len);
	assert_non_null(bytes);
	while (memcmp(bytes + at, "writer=somebody", 15) != 0)
		at++;
	bytes[at - 8] = 0; // of its length
	bytes[at - 7] = 0;
	file = fopen(path, "wb");
	assert_non_null(file);
	T_EQ_U64(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
	free(bytes);
	check("a", "Windows 10 build 14393 x64", "", false);
	remove_named("a");
}

// The result of a merge counts as sampled by pmon only if all its sources were.
static void
test_merged(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 4; bits++) {
		struct mem_source *a = small_source("a");
		struct mem_source *b = small_source("b");
		struct pmon_source *both[] = {&a->base, &b->base};
		struct pmon_source *merged;

		a->base.info.sampled_by_pmon = bits & 1;
		b->base.info.sampled_by_pmon = bits >> 1;
		assert_int_equal(pmon_merge_open(both, 2, NULL, &merged, NULL), PMON_OK);
		assert_int_equal(pmon_source_info(merged)->sampled_by_pmon, bits == 3);
		pmon_source_close(merged);
	}
}

static void
test_live(void **state)
{
	struct tree *t = tree_new();
	const struct pmon_source_info *info;

	(void)state;
	tree_file(t, 0, "proc/stat", "ctxt 1000\n");
	tree_file(t, 0, "proc/sys/kernel/osrelease", "6.1.0-13-amd64\n");
	tree_file(t, 0, "proc/sys/kernel/arch", "x86_64\n");
	tree_open(t, "\\System\\*", NULL);
	info = pmon_source_info(tree_source(t));
	T_EQ_STR(info->writer, CONVERTER " on Linux 6.1.0-13-amd64 x86_64");
	T_EQ_STR(info->converter, "");
	assert_true(info->sampled_by_pmon);
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),      cmocka_unit_test(test_converted),
		cmocka_unit_test(test_long_writer),   cmocka_unit_test(test_windows),
		cmocka_unit_test(test_damaged_block), cmocka_unit_test(test_merged),
		cmocka_unit_test(test_live),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
