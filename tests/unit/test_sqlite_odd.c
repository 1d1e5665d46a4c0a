// test_sqlite_odd.c - databases with rows that neither Windows nor pmon writes
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "dump.h"
#include "folder.h"
#include "memsource.h"
#include "moments.h"
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

// Compare what is read from a database with `want`; notices come first. Removes the database.
static void
expect(const char *path, const char *label, const char *want)
{
	struct dump dump;
	size_t len;
	char *bytes = t_read_file(path, &len);

	assert_non_null(bytes);
	assert_int_equal(unlink(path), 0);
	dump_bytes(&dump, bytes, len);
	T_EQ_STR_AT(dump.text, want, label);
	dump_free(&dump);
	free(bytes);
}

// ---- Tables of Windows ----------------------------------------------------------------------

// No column has a type that would change what is put in. Microsoft Learn, "CounterData", "CounterDetails",
// "DisplayToID" name the columns.
static const char tables[] =
	"CREATE TABLE CounterDetails (CounterID, MachineName, ObjectName, CounterName,"
	" CounterType, DefaultScale, InstanceName, InstanceIndex, ParentName, ParentObjectID,"
	" TimeBaseA, TimeBaseB);"
	"CREATE TABLE CounterData (GUID, CounterID, RecordIndex, CounterDateTime, CounterValue,"
	" FirstValueA, FirstValueB, SecondValueA, SecondValueB, MultiCount);";

#define SETS "CREATE TABLE DisplayToID (GUID, MinutesToUTC);"
#define MEMORY                                                                                     \
	"INSERT INTO CounterDetails VALUES (5, '\\\\S', 'M', 'B', 65792, 0, NULL, NULL, NULL, "    \
	"NULL, 0, 0);"
#define VALUE(guid, time)                                                                          \
	"INSERT INTO CounterData VALUES (" guid ", 5, 1, " time ", 0, 7, 0, 0, 0, 1);"
#define NOON      "'2020-01-01 12:00:00.000'"
#define IS_7      "\\\\S\\M\\B = 7 0\n"
#define SIXTYFOUR "0123456789012345678901234567890123456789012345678901234567890123"
#define HEAD0     "2020-01-01T12:00:00Z stream 0 sample 0 offset 0\n"

static const struct {
	const char *sql;
	const char *want;
} windows_rows[] = {
	// no log set is listed, or none of this GUID
	{MEMORY VALUE("'A'", NOON), HEAD0 IS_7},
	{MEMORY VALUE("NULL", NOON), HEAD0 IS_7},
	{SETS MEMORY VALUE("'A'", NOON), HEAD0 IS_7},
	{SETS MEMORY "INSERT INTO DisplayToID VALUES ('A', 0);" VALUE("'B'", NOON)
		 VALUE("'C'", NOON),
	 "note values of a log set missing in DisplayToID\n"
	 "2020-01-01T12:00:00Z stream 1 sample 0 offset 0\n" IS_7
	 "2020-01-01T12:00:00Z stream 1 sample 1 offset 0\n" IS_7},
	// UTC minus local time in minutes, a day at most
	{SETS MEMORY "INSERT INTO DisplayToID VALUES ('A', -120);" VALUE("'A'", NOON),
	 "2020-01-01T12:00:00Z stream 0 sample 0 offset 120\n" IS_7},
	{SETS MEMORY "INSERT INTO DisplayToID VALUES ('A', 1441);" VALUE("'A'", NOON), HEAD0 IS_7},
	{SETS MEMORY "INSERT INTO DisplayToID VALUES ('A', -1441);" VALUE("'A'", NOON), HEAD0 IS_7},
	// of a GUID the first 64 bytes count
	{SETS MEMORY "INSERT INTO DisplayToID VALUES ('" SIXTYFOUR
		     "a', -60);" VALUE("'" SIXTYFOUR "b'", NOON),
	 "2020-01-01T12:00:00Z stream 0 sample 0 offset 60\n" IS_7},
	// samples of one time and number, each of a log set of its own
	{MEMORY VALUE("'A'", NOON) VALUE("'B'", NOON) VALUE("'BB'", NOON),
	 HEAD0 IS_7 "2020-01-01T12:00:00Z stream 0 sample 1 offset 0\n" IS_7
		    "2020-01-01T12:00:00Z stream 0 sample 2 offset 0\n" IS_7},
	// a counter that is in a sample twice; a message has 120 bytes of its path
	{MEMORY VALUE("'A'", NOON) VALUE("'A'", NOON),
	 "LOSS CounterData, record 1, counter 5: second value in its sample: "
	 "\\\\S\\M\\B\n" HEAD0 IS_7},
	{"INSERT INTO CounterDetails VALUES (5, NULL, 'M', '" SIXTYFOUR SIXTYFOUR
	 "', 65792, 0, NULL, NULL, NULL, NULL, 0, 0);" VALUE("'A'", NOON) VALUE("'A'", NOON),
	 "LOSS CounterData, record 1, counter 5: second value in its sample: "
	 "\\M\\" SIXTYFOUR "01234567890123456789012345678901234567890123456789012\n" HEAD0
	 "\\M\\" SIXTYFOUR SIXTYFOUR " = 7 0\n"},
	// forms of times
	{MEMORY VALUE("'A'", "'2020/01/01 12:00:00,500'"),
	 "2020-01-01T12:00:00.5Z stream 0 sample 0 offset 0\n" IS_7},
	{MEMORY VALUE("'A'", "'2020-01-01 12:00:00.000    '"), HEAD0 IS_7},
	{MEMORY VALUE("'A'", "'2020-01/01 12:00:00.000'"),
	 "LOSS CounterData, record 1: invalid time\n"},
	{MEMORY VALUE("'A'", "X'323032302D30312D30312031323A30303A30302E3030300078'"), HEAD0 IS_7},
	{MEMORY VALUE("'A'", "'2020/01-01 12:00:00.000'"),
	 "LOSS CounterData, record 1: invalid time\n"},
	{MEMORY VALUE("'A'", "'2020-01-01 12:00:00.000          '"), HEAD0 IS_7},
	{MEMORY VALUE("'A'", "NULL"), "LOSS CounterData, record 1: invalid time\n"},
	{MEMORY VALUE("'A'", "'   '"), "LOSS CounterData, record 1: invalid time\n"},
	{MEMORY VALUE("'A'", "'2020'"), "LOSS CounterData, record 1: invalid time\n"},
	{MEMORY VALUE("'A'", "'1601-01-01 12:00:00.000'"),
	 "LOSS CounterData, record 1: invalid time\n"},
	// invalid indexes
	{"INSERT INTO CounterDetails VALUES"
	 " (4, NULL, 'M', 'B', 65792, 0, 'i', -1, NULL, NULL, 0, 0),"
	 " (6, NULL, 'M', 'B', 65792, 0, 'j', 4294967296, NULL, NULL, 0, 0),"
	 " (7, NULL, 'M', 'B', 65792, 0, 'k', 2, 'p', NULL, 0, 0);"
	 "INSERT INTO CounterData VALUES ('A', 4, 1, " NOON ", 0, 1, 0, 0, 0, 1),"
	 " ('A', 6, 1, " NOON ", 0, 2, 0, 0, 0, 1), ('A', 7, 1, " NOON ", 0, 3, 0, 0, 0, 1);",
	 HEAD0 "\\M(i)\\B = 1 0\n\\M(j)\\B = 2 0\n\\M(p/k#2)\\B = 3 0\n"},
	// counters without a name, before and after those that have one
	{MEMORY VALUE("'A'", NOON) "INSERT INTO CounterData VALUES"
				   " ('A', 1, 1, " NOON ", 0, 1, 0, 0, 0, 1),"
				   " ('A', 9, 1, " NOON ", 0, 2, 0, 0, 0, 1);",
	 "LOSS CounterData: values of counters that CounterDetails does not name: 2 (of 2 "
	 "counters, first: "
	 "counter 1)\n" HEAD0 IS_7},
};

static void
tables_that_windows_would_not_write(void **state)
{
	const char *path = in_folder("w.db");

	(void)state;
	for (size_t i = 0; i < T_LEN(windows_rows); i++) {
		run_sql(path, tables);
		run_sql(path, windows_rows[i].sql);
		expect(path, windows_rows[i].sql, windows_rows[i].want);
	}
}

// More rows than are sorted in memory, in no order: record k is k/100 s after noon.
static void
many_rows_are_sorted(void **state)
{
	static const char rows[] =
		"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 119999)"
		" INSERT INTO CounterData SELECT 'A', 5, i * 7919 % 120000,"
		" strftime('%Y-%m-%d %H:%M:%f', 2458850.0 + (i * 7919 % 120000) / 8640000.0), 0,"
		" i * 7919 % 120000, 0, 0, 0, 1 FROM n";
	const char *path = in_folder("many.db");
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	int64_t n = 0;

	(void)state;
	run_sql(path, tables);
	run_sql(path, MEMORY);
	run_sql(path, rows);
	if (pmon_log_open(path, NULL, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	while (pmon_source_next(source, &sample, &err) == PMON_OK) {
		assert_int_equal(sample->n, 1);
		if (sample->raw[0].first != n)
			fail_msg("value %lld as the %lldth", (long long)sample->raw[0].first,
				 (long long)n);
		n++;
	}
	T_EQ_I64(n, 120000);
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
}

// ---- Tables of pmon -------------------------------------------------------------------------

static struct pmon_source *
one_counter(void)
{
	struct mem_source *m = mem_source_new();

	(void)mem_source_series(m, "\\\\S\\M\\B", PMON_PERF_COUNTER_RAWCOUNT, 0);
	mem_source_sample_of(m, T0 + 12 * 3600 * SECOND, 60, 0);
	mem_source_raw(m, 0, 7, 0);
	return mem_source_open(m);
}

static void
tables_that_pmon_would_not_write(void **state)
{
#define HEAD60    "2020-01-01T12:00:00Z stream 0 sample 0 offset 60\n"
	static const struct {
		const char *sql;
		const char *want;
	} rows[] = {
		{"SELECT 1", HEAD60 IS_7},
		{"UPDATE pmon_sample SET utc_offset_min = 1440",
		 "2020-01-01T12:00:00Z stream 0 sample 0 offset 1440\n" IS_7},
		{"UPDATE pmon_sample SET utc_offset_min = -1440",
		 "2020-01-01T12:00:00Z stream 0 sample 0 offset -1440\n" IS_7},
		{"UPDATE pmon_sample SET utc_offset_min = 1441", HEAD0 IS_7},
		{"UPDATE pmon_sample SET utc_offset_min = -1441", HEAD0 IS_7},
		{"UPDATE pmon_log SET utc_offset_min = 99999", HEAD60 IS_7},
		{"UPDATE pmon_log SET utc_offset_min = -99999", HEAD60 IS_7},
		{"UPDATE pmon_log SET writer = hex(zeroblob(40000))", HEAD60 IS_7},
		{"UPDATE pmon_log SET writer = NULL, zone = NULL, log_start_100ns = NULL",
		 HEAD60 IS_7},
		{"UPDATE pmon_series SET formatted = 1, known_type = NULL", HEAD60 IS_7},
		{"PRAGMA page_size = 65536; VACUUM", HEAD60 IS_7},
		{"PRAGMA page_size = 512; VACUUM", HEAD60 IS_7},
		{"DELETE FROM pmon_log", HEAD60 IS_7},
		{"DELETE FROM pmon_sample; DELETE FROM CounterData; DELETE FROM DisplayToID", ""},
		{"PRAGMA journal_mode = WAL",
		 "note the write-ahead log (-wal) of the database is missing; its "
		 "content is not read\n" HEAD60 IS_7},
		{"UPDATE CounterData SET CounterID = 44",
		 "LOSS CounterData: values of counters that CounterDetails does not name: 1 (of 1 "
		 "counter, "
		 "first: counter 44)\n" HEAD60},
	};
	const char *path = in_folder("p.db");

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		write_over(one_counter(), path, "sqlite");
		run_sql(path, rows[i].sql);
		expect(path, rows[i].sql, rows[i].want);
	}
}

// Columns that must not be NULL have an empty text where a path has no such part; a name that begins with its only
// dot has no extension.
static void
empty_path_parts_are_written(void **state)
{
	static const char query[] = "SELECT MachineName || ObjectName || '|' || CounterName || '|'"
				    " || DisplayString FROM CounterDetails, DisplayToID";
	const struct pmon_path path = {.counter = {"C", 1}};
	const struct pmon_counter counter = {.type = PMON_PERF_COUNTER_RAWCOUNT};
	struct mem_source *m = mem_source_new();
	const char *file = in_folder(".db");
	sqlite3_stmt *row;
	sqlite3 *db;

	(void)state;
	(void)mem_source_add(m, &path, &counter);
	mem_source_sample(m, T0);
	mem_source_raw(m, 0, 7, 0);
	write_over(mem_source_open(m), file, "sqlite");
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, query, -1, &row, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	T_EQ_STR((const char *)sqlite3_column_text(row, 0), "|C|.db");
	assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	assert_int_equal(unlink(file), 0);
}

// ---- Going on -------------------------------------------------------------------------------

static struct pmon_source *
recording(void)
{
	struct pmon_source *source = one_counter();

	source->info.sampled_by_pmon = true;
	source->info.live = true;
	return source;
}

// A file that pmon did not record is left unchanged.
static void
only_recordings_are_continued(void **state)
{
	static const char *const changes[] = {
		"PRAGMA application_id = 1",
		"PRAGMA user_version = 99",
		"DELETE FROM pmon_log",
		"UPDATE pmon_log SET sampled_by_pmon = 0",
		"UPDATE pmon_log SET stream = 1",
		"DELETE FROM pmon_sample",
		"ALTER TABLE pmon_sample RENAME COLUMN n_values TO n",
		"ALTER TABLE pmon_start RENAME TO start",
		"UPDATE pmon_log SET GUID = 'short'",
		"UPDATE pmon_log SET GUID = ''",
		("CREATE TEMP TABLE log AS SELECT * FROM pmon_log; DROP TABLE pmon_log;"
		 "CREATE TABLE pmon_log AS SELECT * FROM temp.log;"
		 "UPDATE pmon_log SET GUID = NULL"),
		"ALTER TABLE CounterData RENAME COLUMN Run TO r",
		"ALTER TABLE pmon_series RENAME COLUMN time_base TO t",
	};
	const struct pmon_create_options live = {.size = sizeof(live), .live = true};
	const struct pmon_create_options more = {
		.size = sizeof(more), .live = true, .append = true};
	const char *path = in_folder("r.db");

	(void)state;
	for (size_t i = 0; i < T_LEN(changes); i++) {
		struct pmon_err err;
		size_t before, after;
		char *was, *is;

		if (write_source(recording(), path, "sqlite", &live, &err) != PMON_OK)
			fail_msg("%s", err.msg);
		run_sql(path, changes[i]);
		was = t_read_file(path, &before);
		T_EQ_I64_AT(write_source(recording(), path, "sqlite", &more, &err), PMON_E_STATE,
			    changes[i]);
		T_EQ_STR_AT(err.msg,
			    "the existing file is not a recording of one machine made by pmon",
			    changes[i]);
		is = t_read_file(path, &after);
		T_EQ_U64_AT(after, before, changes[i]);
		assert_memory_equal(is, was, before);
		free(was);
		free(is);
		assert_int_equal(unlink(path), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_that_windows_would_not_write),
		cmocka_unit_test(many_rows_are_sorted),
		cmocka_unit_test(tables_that_pmon_would_not_write),
		cmocka_unit_test(empty_path_parts_are_written),
		cmocka_unit_test(only_recordings_are_continued),
	};

	return cmocka_run_group_tests_name("sqlite", tests, folder_make, folder_remove);
}

#endif
