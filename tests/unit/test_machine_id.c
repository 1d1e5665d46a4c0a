// test_machine_id.c - machine ids, which distinguish machines with the same name, in each of pmon's
// own formats
// SPDX-License-Identifier: MIT

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
#include "model/machine.h"

#define T0 INT64_C(132223104000000000) // 2020-01-01
#define A  "c54036b723af49078c8ccadd03b47807"
#define B  "0b50dfd1eec44ec68708840245ef60f4"

static const char *const formats[] = {"blg", "sqlite", "jsonl"};

// ---- The machine ----------------------------------------------------------------------------

// Expected: `systemd-id128 machine-id -a 5ce24d0a7b1f4b6e9a35d86013c972af` (systemd 252) on machines with this
// /etc/machine-id, and the same by Python: hmac.new(id, application, sha256), 16 bytes, marked as a UUID of
// version 4.
static void
test_live(void **state)
{
	static const struct {
		const char *file; // NULL: there is none
		const char *id;
	} machines[] = {
		{"0123456789abcdef0123456789abcdef\n", A},
		{"fedcba98765432100123456789abcdef\n", B},
		{NULL, NULL},
		{"", NULL},
		{"uninitialized\n", NULL},
		{"00000000000000000000000000000000\n", NULL},
		{"0123456789abcdef0123456789abcde\n", NULL},
		{"0123456789abcdef0123456789abcdef0\n", NULL},
		{"0123456789abcdef0123456789abcdeg\n", NULL},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(machines); i++) {
		struct tree *t = tree_new();
		const struct pmon_source_info *info;

		tree_file(t, 0, "proc/stat", "ctxt 1000\n");
		tree_file(t, 0, "proc/sys/kernel/hostname", "db01\n");
		if (machines[i].file != NULL)
			tree_file(t, 0, "etc/machine-id", machines[i].file);
		tree_open(t, "\\System\\*", NULL);
		info = pmon_source_info(tree_source(t));
		assert_int_equal(info->n_machines, machines[i].id != NULL);
		if (machines[i].id != NULL) {
			T_EQ_STR(info->machines[0].name, "db01");
			T_EQ_STR(pmon_machine_id(info, PMON_SPAN("DB01")), machines[i].id);
		}
		assert_null(pmon_machine_id(info, PMON_SPAN("db02")));
		tree_free(t);
	}
}

// ---- Formats --------------------------------------------------------------------------------

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

static struct pmon_source *
source_of(const struct pmon_machine *machines, size_t n)
{
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, "\\\\S\\M\\C", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);

	m->base.info.machines = machines;
	m->base.info.n_machines = n;
	mem_source_sample(m, T0);
	mem_source_raw(m, id, 5, 0);
	return mem_source_open(m);
}

// In any order: SQLite has them by name.
static void
check(const char *name, const struct pmon_machine *want, size_t n)
{
	struct pmon_source *source = open_named(name);
	const struct pmon_source_info *info = pmon_source_info(source);

	assert_int_equal(info->n_machines, n);
	for (size_t i = 0; i < n; i++) {
		struct pmon_span machine = {want[i].name, strlen(want[i].name)};

		T_EQ_STR(pmon_machine_id(info, machine), want[i].id);
	}
	pmon_source_close(source);
}

// Each format preserves them, and so does a copy; a log without ids is unchanged.
static void
test_formats(void **state)
{
	static const struct pmon_machine two[] = {{"db \"01\"", A},
						  {"w\xC3\xBC"
						   "b",
						   B}};

	(void)state;
	for (size_t i = 0; i < T_LEN(formats); i++)
		for (size_t k = 0; k < T_LEN(formats); k++)
			for (size_t n = 0; n <= T_LEN(two); n++) {
				write_as(source_of(two, n), formats[i], "a");
				check("a", two, n);
				write_as(open_named("a"), formats[k], "b");
				check("b", two, n);
			}
	remove_named("a");
	remove_named("b");
}

// The longest names, the longest texts next to them, and more machines than BLG has room for.
static void
test_many(void **state)
{
	static char names[PMON_MACHINES_MOST + 1][208];
	static struct pmon_machine machines[PMON_MACHINES_MOST + 1];

	(void)state;
	for (size_t i = 0; i < T_LEN(machines); i++) {
		memset(names[i], 'm', 206);
		(void)snprintf(names[i], 8, "%05u", (unsigned)i);
		names[i][5] = '-';
		machines[i] = (struct pmon_machine){names[i], A};
	}
	write_as(source_of(machines, T_LEN(machines)), "blg", "a");
	check("a", machines, 4);
	// Six bytes a letter and 40 more: of 512 KiB.
	write_as(source_of(machines, T_LEN(machines)), "jsonl", "a");
	check("a", machines, (512 << 10) / (6 * 206 + 40));
	write_as(source_of(machines, T_LEN(machines)), "sqlite", "a");
	check("a", machines, PMON_MACHINES_MOST);
	// One letter more than fits in a BLG text: the name is omitted, not truncated.
	assert_int_equal(strlen(names[0]) + strlen(A) + 1, 239);
	names[0][206] = 'm';
	write_as(source_of(machines, 1), "blg", "a");
	check("a", machines, 0);
	remove_named("a");
}

static void
write_text(const char *name, const char *text)
{
	char path[64];
	FILE *file;

	path_of(path, name);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

// Invalid ids are ignored, and a repeated name keeps its first id.
static void
test_odd_ids(void **state)
{
	static const struct {
		const char *json;
		size_t n;
	} rows[] = {
		{"{\"s\":\"" A "\"}", 1},
		{"{\"s\":\"" A "\",\"S\":\"" B "\"}", 1},
		{"{\"s\":\"" A "\",\"t\":\"" B "\"}", 2},
		{"{\"s\":\"C54036B723AF49078C8CCADD03B47807\"}", 0},
		{"{\"s\":\"c54036b723af49078c8ccadd03b4780\"}", 0},
		{"{\"s\":\"00000000000000000000000000000000\"}", 0},
		{"{\"\":\"" A "\"}", 0},
		{"{\"s\":7}", 0},
		{"{\"s\":null}", 0},
		{"{}", 0},
		{"\"" A "\"", 0},
		{"[\"" A "\"]", 0},
		{"null", 0},
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		static const struct pmon_machine want[] = {{"s", A}, {"t", B}};

		(void)snprintf(
			text, sizeof(text),
			"{\"path\":\"\\\\\\\\S\\\\M\\\\C\",\"time\":\"2020-01-01T00:00:00Z\","
			"\"value\":1,\"log_machine_ids\":%s}\n",
			rows[i].json);
		write_text("a", text);
		check("a", want, rows[i].n);
	}
	remove_named("a");
}

// A log that was cut anywhere has the id, or no id, or cannot be opened.
static void
test_truncated(void **state)
{
	static const struct pmon_machine one[] = {{"S", A}};
	static uint8_t bytes[1 << 18];

	(void)state;
	for (size_t i = 0; i < T_LEN(formats); i++) {
		char path[64];
		FILE *file;
		size_t len;
		size_t n_read = 0;

		write_as(source_of(one, 1), formats[i], "a");
		path_of(path, "a");
		file = fopen(path, "rb");
		assert_non_null(file);
		len = fread(bytes, 1, sizeof(bytes), file);
		assert_int_equal(fclose(file), 0);
		// The first buffer of BLG, the first lines, and each page of SQLite.
		for (size_t n = 0; n < len; n += n < 4096 ? 1 : 511) {
			struct pmon_source *source;

			file = fopen(path, "wb");
			assert_non_null(file);
			assert_int_equal(fwrite(bytes, 1, n, file), n);
			assert_int_equal(fclose(file), 0);
			if (pmon_log_open(path, NULL, &source, NULL) != PMON_OK)
				continue;
			if (pmon_source_info(source)->n_machines != 0)
				T_EQ_STR(pmon_machine_id(pmon_source_info(source), PMON_SPAN("s")),
					 A);
			n_read++;
			pmon_source_close(source);
		}
		assert_true(n_read > 0);
	}
	remove_named("a");
}

// ---- Several --------------------------------------------------------------------------------

static void
test_merged(void **state)
{
	static const struct pmon_machine left[] = {{"db01", A}, {"web", B}};
	static const struct pmon_machine right[] = {{"DB01", B}, {"mail", A}};
	struct pmon_source *sources[2] = {source_of(left, 2), source_of(right, 2)};
	struct pmon_source *merged;
	struct pmon_err err;
	const struct pmon_source_info *info;

	(void)state;
	assert_int_equal(pmon_merge_open(sources, 2, NULL, &merged, &err), PMON_OK);
	info = pmon_source_info(merged);
	assert_int_equal(info->n_machines, 3);
	T_EQ_STR(pmon_machine_id(info, PMON_SPAN("db01")), A); // the first
	T_EQ_STR(pmon_machine_id(info, PMON_SPAN("web")), B);
	T_EQ_STR(pmon_machine_id(info, PMON_SPAN("mail")), A);
	pmon_source_close(merged);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live),      cmocka_unit_test(test_formats),
		cmocka_unit_test(test_many),      cmocka_unit_test(test_odd_ids),
		cmocka_unit_test(test_truncated), cmocka_unit_test(test_merged),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
