// test_sqlite_limits.c - databases that ask for too much
// SPDX-License-Identifier: MIT
//
// A page of a b-tree may be the child of many others, so that a small file holds any number of rows. Such files are
// made by changing the page numbers in the interior pages of a sound database (sqlite.org/fileformat2.html, 1.6).

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "dump.h"
#include "folder.h"
#include "format/format.h"
#include "odd_log.h"
#include "sql.h"
#include "write_fault.h"

#ifndef PMON_WITH_SQLITE

int
main(void)
{
	puts("built without SQLite");
	return 77;
}

#else

#include <sqlite3.h>

// Open the log and read it to its end. What is reported is in the dump, which may be NULL.
static enum pmon_status
read_log(const char *bytes, size_t len, const struct pmon_log_options *options, struct dump *dump,
	 struct pmon_err *err)
{
	const struct pmon_sample *sample;
	struct pmon_log_options all = *options;
	struct pmon_source *source;
	struct pmon_file *file;
	enum pmon_status status;

	if (dump != NULL) {
		all.notice = dump_notice;
		all.notice_ctx = dump;
	}
	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, err), PMON_OK);
	status = pmon_log_open_file(file, &all, &source, err);
	while (status == PMON_OK)
		status = pmon_source_next(source, &sample, err);
	pmon_source_close(source);
	return status;
}

// ---- Counts ---------------------------------------------------------------------------------

static bool
want_none(void *ctx, const struct pmon_path *path)
{
	(void)ctx, (void)path;
	return false;
}

static void
too_many_counters(void **state)
{
	static const char *const changes[] = {
		"SELECT 1",
		"DROP TABLE pmon_log", // read by the tables of Windows
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(changes); i++) {
		struct pmon_log_options options = {.size = sizeof(options), .want = want_none};
		struct pmon_err err;
		size_t len;
		char *bytes = changed_database(changes[i], &len);

		options.limits.series = 4;
		T_EQ_I64_AT(read_log(bytes, len, &options, NULL, &err), PMON_END, changes[i]);
		options.limits.series = 3;
		T_EQ_I64_AT(read_log(bytes, len, &options, NULL, &err), PMON_E_LIMIT, changes[i]);
		T_EQ_STR_AT(err.msg, "more than 3 counters in one log", changes[i]);
		free(bytes);
	}
}

static void
too_many_log_sets(void **state)
{
	static const char sets[] =
		"DROP TABLE pmon_log; DELETE FROM DisplayToID; WITH RECURSIVE n(i) AS"
		" (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 65536)"
		" INSERT INTO DisplayToID (GUID, DisplayString) SELECT i, i FROM n";
	const struct pmon_log_options options = {.size = sizeof(options), .names = NULL};
	struct pmon_err err;
	size_t len;
	char *bytes = changed_database(sets, &len);

	(void)state;
	T_EQ_I64(read_log(bytes, len, &options, NULL, &err), PMON_E_LIMIT);
	T_EQ_STR(err.msg, "more than 65536 log sets");
	free(bytes);
}

// A name of 100,000 bytes, where 64 KiB are usual. A limit above that of SQLite is as good as that.
static void
names_of_any_length(void **state)
{
	static const char sql[] =
		"UPDATE CounterDetails SET ObjectName = hex(zeroblob(50000)) WHERE CounterID = 1";
	struct pmon_log_options options = {.size = sizeof(options), .names = NULL};
	struct dump usual = {.n = 0};
	struct dump large = {.n = 0};
	struct pmon_err err;
	size_t len;
	char *bytes = changed_database(sql, &len);

	(void)state;
	dump_notice(&large, &(struct pmon_notice){.text = "begin"});
	T_EQ_I64(read_log(bytes, len, &options, &usual, &err), PMON_END);
	assert_non_null(
		strstr(usual.text, "CounterDetails, counter 1: a name exceeds 65536 bytes"));
	options.limits.string_bytes = (size_t)1 << 30;
	T_EQ_I64(read_log(bytes, len, &options, &large, &err), PMON_END);
	T_EQ_STR(large.text, "note begin\n");
	dump_free(&usual);
	dump_free(&large);
	free(bytes);
}

// ---- Work -----------------------------------------------------------------------------------

#define PAGE          512
#define INTERIOR      5 // an interior page of a table
#define INTERIOR_HEAD 12
#define MOST_INTERIOR 8 // of a chain

static uint32_t
be(const uint8_t *at, size_t n)
{
	uint32_t value = 0;

	while (n-- > 0)
		value = value << 8 | *at++;
	return value;
}

static void
put_child(uint8_t *at, uint32_t child)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(child >> (24 - 8 * i));
}

static uint8_t *
page_at(char *bytes, uint32_t number)
{
	return (uint8_t *)bytes + (size_t)(number - 1) * PAGE;
}

// Make one page all children of an interior page.
static void
point_to(uint8_t *page, uint32_t child)
{
	uint32_t n = be(page + 3, 2);

	assert_int_equal(page[0], INTERIOR);
	for (uint32_t i = 0; i < n; i++)
		put_child(page + be(page + INTERIOR_HEAD + (size_t)i * 2, 2), child);
	put_child(page + 8, child);
}

static uint32_t
root_of(const char *path, const char *table)
{
	sqlite3_stmt *row;
	sqlite3 *db;
	uint32_t root;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_master WHERE name = ?",
					    -1, &row, NULL),
			 SQLITE_OK);
	(void)sqlite3_bind_text(row, 1, table, -1, SQLITE_STATIC);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	root = (uint32_t)sqlite3_column_int(row, 0);
	assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return root;
}

// The children of the root all become its second child, whose children all become the third, and so on: rows
// are multiplied by the number of children at each step.
static void
multiply_rows(char *bytes, uint32_t root, size_t steps)
{
	uint32_t chain[MOST_INTERIOR];
	uint8_t *page = page_at(bytes, root);

	assert_int_equal(page[0], INTERIOR);
	assert_true(be(page + 3, 2) > steps);
	for (size_t i = 0; i < steps; i++)
		chain[i] = be(page + be(page + INTERIOR_HEAD + i * 2, 2), 4);
	for (size_t i = 0; i < steps; i++) {
		point_to(page, chain[i]);
		page = page_at(bytes, chain[i]);
	}
}

// A log of 9,000 values in pages of 512 bytes that its page numbers multiply.
static char *
multiplied_log(const char *sql, size_t *len)
{
	const char *path = in_folder("b.db");
	uint32_t root;
	char *bytes = changed_database("PRAGMA page_size = 512; VACUUM", len);

	t_write_file(path, bytes, *len);
	free(bytes);
	run_sql(path,
		"DROP INDEX CounterData_key; DROP INDEX CounterData_sample;"
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)"
		" INSERT INTO CounterData SELECT 'A', 1, 999, '2020-01-01 00:00:00.000', 0,"
		" 0, 0, 0, 0, 1, 1, 0, 0, 0 FROM n");
	run_sql(path, sql);
	root = root_of(path, "CounterData");
	bytes = t_read_file(path, len);
	assert_non_null(bytes);
	assert_int_equal(unlink(path), 0);
	multiply_rows(bytes, root, 4);
	return bytes;
}

static const char too_much[] = "reading the database takes more work than its size justifies";

// All rows are looked at before the first sample.
static void
too_many_steps(void **state)
{
	const struct pmon_log_options options = {.size = sizeof(options), .names = NULL};
	struct pmon_err err;
	size_t len;
	char *bytes = multiplied_log("SELECT 1", &len);

	(void)state;
	T_EQ_I64(read_log(bytes, len, &options, NULL, &err), PMON_E_FORMAT);
	T_EQ_STR(err.msg, too_much);
	free(bytes);
}

// The rows are sorted, in temporary files.
static void
too_much_to_sort(void **state)
{
	const struct pmon_log_options options = {.size = sizeof(options), .names = NULL};
	struct dump dump = {.n = 0};
	struct pmon_err err;
	char want[100];
	size_t len;
	char *bytes = multiplied_log("DROP TABLE pmon_log", &len);

	(void)state;
	(void)snprintf(want, sizeof(want), "LOSS %s\n", too_much);
	T_EQ_I64(read_log(bytes, len, &options, &dump, &err), PMON_END);
	T_EQ_STR(dump.text, want);
	dump_free(&dump);
	free(bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_many_counters),   cmocka_unit_test(too_many_log_sets),
		cmocka_unit_test(names_of_any_length), cmocka_unit_test(too_many_steps),
		cmocka_unit_test(too_much_to_sort),
	};

	return cmocka_run_group_tests_name("sqlite", tests, folder_make, folder_remove);
}

#endif
