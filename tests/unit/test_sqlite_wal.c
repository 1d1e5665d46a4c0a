// test_sqlite_wal.c - databases with a write-ahead log
// SPDX-License-Identifier: MIT
//
// sqlite.org/wal.html describes when the log is removed; bytes 18 and 19 of a database are 2 while
// it may have one, and 1 for a plain file (sqlite.org/fileformat2.html, 1.3.3).

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "dump.h"
#include "folder.h"
#include "memsource.h"
#include "moments.h"
#include "write_fault.h"

#ifndef PMON_WITH_SQLITE

int
main(void)
{
	puts("built without SQLite");
	return 77;
}

#else

#include "format/sqlite/sqlite.h"

#define VERSIONS 18
#define SAMPLES  40

static sqlite3 *
open_db(const char *path)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	return db;
}

static int
run_sql(sqlite3 *db, const char *sql)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static char *
take_file(const char *path, size_t *len)
{
	char *bytes = t_read_file(path, len);

	assert_non_null(bytes);
	return bytes;
}

static const char *
beside(const char *path, const char *suffix)
{
	static char name[160];

	(void)snprintf(name, sizeof(name), "%s%s", path, suffix);
	return name;
}

static bool
is_marked(const char *path)
{
	size_t len;
	char *bytes = take_file(path, &len);
	char version = bytes[VERSIONS];

	free(bytes);
	assert_in_range(version, 1, 2);
	return version == 2;
}

static void
remove_database(const char *path)
{
	(void)unlink(path);
	(void)unlink(beside(path, "-wal"));
	(void)unlink(beside(path, "-shm"));
	assert_int_equal(folder_count(), 0);
}

// ---- Leaving the log --------------------------------------------------------------------------

enum other {
	NOBODY,
	A_READER,        // in the middle of reading
	AN_IDLE_READER,  // has the database open
	A_QUERY_OF_OURS, // which is not at its end
	A_MOVE,          // of the file
};

static const struct leaving {
	const char *name;
	enum other other;
	bool unmark;
	bool stays_marked;
} leavings[] = {
	{"nobody", NOBODY, false, false},
	// the values are in the write-ahead log
	{"a reader", A_READER, false, true},
	// all is in the file, which SQLite alone may not say while another has it open
	{"an idle reader", AN_IDLE_READER, true, true},
	{"a query", A_QUERY_OF_OURS, false, true},
#ifndef _WIN32 // where a file that SQLite has open cannot be renamed
	// SQLite writes no more to a file whose name is another
	{"a move", A_MOVE, true, true},
#endif
};

static void
leave(const struct leaving *l, const char *path)
{
	sqlite3 *db = open_db(path);
	sqlite3 *reader = open_db(path);
	sqlite3_stmt *query = NULL;
	const char *moved = in_folder("moved.db");
	bool unmark = false;

	assert_int_equal(run_sql(db, "PRAGMA journal_mode = WAL; CREATE TABLE t (x);"
				     "INSERT INTO t VALUES (1), (2)"),
			 SQLITE_OK);
	if (l->other == A_READER)
		assert_int_equal(run_sql(reader, "BEGIN; SELECT * FROM t"), SQLITE_OK);
	else if (l->other == AN_IDLE_READER)
		assert_int_equal(run_sql(reader, "SELECT * FROM t"), SQLITE_OK);
	if (l->other == A_QUERY_OF_OURS) {
		assert_int_equal(sqlite3_prepare_v2(db, "SELECT * FROM t", -1, &query, NULL),
				 SQLITE_OK);
		assert_int_equal(sqlite3_step(query), SQLITE_ROW);
	}
	assert_int_equal(run_sql(db, "INSERT INTO t VALUES (3)"), SQLITE_OK);
	if (l->other == A_MOVE)
		assert_int_equal(rename(path, moved), 0);
	T_EQ_I64_AT(pmon_sqlite_leave_wal(db, &unmark), SQLITE_OK, l->name);
	T_EQ_BOOL_AT(unmark, l->unmark, l->name);
	if (l->other == A_MOVE)
		assert_int_equal(rename(moved, path), 0);
	T_EQ_BOOL_AT(is_marked(path), l->stays_marked, l->name);
	(void)sqlite3_finalize(query);
	assert_int_equal(sqlite3_close(reader), SQLITE_OK);
	assert_int_equal(pmon_sqlite_leave_wal(db, &unmark), SQLITE_OK);
	assert_false(unmark);
	assert_false(is_marked(path));
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
the_wal_is_removed_when_unused(void **state)
{
	const char *path = in_folder("leave.db");

	(void)state;
	for (size_t i = 0; i < T_LEN(leavings); i++) {
		leave(&leavings[i], path);
		remove_database(path);
	}
}

static void
files_that_are_not_databases_are_reported(void **state)
{
	const char *path = in_folder("text");
	char text[1024];
	bool unmark = true;
	sqlite3 *db;

	(void)state;
	memset(text, 'x', sizeof(text));
	t_write_file(path, text, sizeof(text));
	db = open_db(path);
	assert_int_equal(pmon_sqlite_leave_wal(db, &unmark), SQLITE_NOTADB);
	assert_false(unmark);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	remove_database(path);
}

// ---- Recordings -----------------------------------------------------------------------------

static struct pmon_source *
recording(void)
{
	struct mem_source *m = mem_source_new();

	m->base.info.live = true;
	m->base.info.sampled_by_pmon = true;
	for (uint32_t i = 0; i < 40; i++) {
		char name[40];

		(void)snprintf(name, sizeof(name), "\\\\S\\O(%u)\\C", (unsigned)i);
		(void)mem_source_series(m, name, PMON_PERF_COUNTER_RAWCOUNT, 0);
	}
	for (int k = 0; k < SAMPLES; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		for (uint32_t i = 0; i < 40; i++)
			mem_source_raw(m, i, INT64_C(100) * k + i, 0);
	}
	return mem_source_open(m);
}

struct live {
	struct pmon_source *source;
	struct pmon_sink *sink;
};

// All samples are written and can be read, and the recording is not finished.
static struct live
record(const char *path)
{
	const struct pmon_create_options options = {.size = sizeof(options), .live = true};
	struct live live = {.source = recording()};
	const struct pmon_sample *sample;
	enum pmon_status status;
	struct pmon_err err;

	assert_int_equal(pmon_log_create(path, "sqlite", &options, &live.sink, &err), PMON_OK);
	assert_int_equal(pmon_sink_begin(live.sink, pmon_source_schema(live.source),
					 pmon_source_info(live.source), &err),
			 PMON_OK);
	while ((status = pmon_source_next(live.source, &sample, &err)) == PMON_OK)
		assert_int_equal(pmon_sink_add(live.sink, sample, NULL, &err), PMON_OK);
	assert_int_equal(status, PMON_END);
	assert_int_equal(pmon_sink_flush(live.sink, false, &err), PMON_OK);
	return live;
}

static void
finish(struct live *live)
{
	struct pmon_err err;

	if (pmon_sink_finish(live->sink, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	pmon_sink_close(live->sink);
	pmon_source_close(live->source);
}

static void
copy_file(const char *from, const char *to)
{
	size_t len;
	char *bytes = take_file(from, &len);

	t_write_file(to, bytes, len);
	free(bytes);
}

// The files on the disk when the writer is killed, without the index of the log in shared memory.
static void
copy_database(const char *from, const char *to)
{
	char log[160];

	copy_file(from, to);
	(void)snprintf(log, sizeof(log), "%s", beside(to, "-wal"));
	copy_file(beside(from, "-wal"), log);
}

// Open and read; what is read is in the dump, notices too.
static enum pmon_status
read_path(const char *path, const struct pmon_allocator *allocator, struct dump *seen)
{
	const struct pmon_log_options options = {.size = sizeof(options),
						 .allocator = allocator,
						 .notice = dump_notice,
						 .notice_ctx = seen};
	struct pmon_source *source;
	enum pmon_status status = pmon_log_open(path, &options, &source, NULL);

	if (status == PMON_OK)
		status = dump_read(seen, source, NULL);
	pmon_source_close(source);
	return status;
}

static void
expect_all_after(const char *notice, const char *path)
{
	struct pmon_source *source = recording();
	struct dump want = {.n = 0};
	struct dump seen = {.n = 0};

	if (notice != NULL)
		dump_notice(&want, &(struct pmon_notice){.text = notice});
	assert_int_equal(dump_read(&want, source, NULL), PMON_END);
	pmon_source_close(source);
	T_EQ_I64(read_path(path, NULL, &seen), PMON_END);
	T_EQ_STR(seen.text, want.text);
	dump_free(&want);
	dump_free(&seen);
}

static void
expect_all(const char *path)
{
	expect_all_after(NULL, path);
}

// Either memory runs out, or everything is returned.
static void
read_short_of_memory(const char *path)
{
	struct dump whole = {.n = 0};
	bool is_done = false;

	T_EQ_I64(read_path(path, NULL, &whole), PMON_END);
	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct dump seen = {.n = 0};
		enum pmon_status status = read_path(path, &allocator, &seen);

		is_done = t_memory_sufficed(&memory);
		T_EQ_I64(status, is_done ? PMON_END : PMON_E_NOMEM);
		T_EQ_U64(memory.live_blocks, 0);
		if (is_done)
			T_EQ_STR(seen.text, whole.text);
		dump_free(&seen);
	}
	dump_free(&whole);
}

static void
a_recording_is_read_while_it_is_written(void **state)
{
	const char *path = in_folder("live.db");
	struct live live = record(path);

	(void)state;
	assert_true(is_marked(path));
	expect_all(path);
	read_short_of_memory(path);
	finish(&live);
	assert_false(is_marked(path));
	expect_all(path);
	remove_database(path);
}

// No other process has the database open, so pmon alone reads the log.
static void
a_recording_is_read_whose_writer_was_killed(void **state)
{
	const char *path = in_folder("live.db");
	const char *copy = in_folder("copy.db");
	struct live live = record(path);

	(void)state;
	copy_database(path, copy);
	finish(&live);
	assert_int_equal(unlink(path), 0);
	expect_all(copy);
	read_short_of_memory(copy);
	assert_int_equal(access(beside(copy, "-shm"), F_OK), -1);
	remove_database(copy);
}

// The writer was killed while SQLite copied the log into the database: the first page is there, and
// states how many there should be.
static void
a_recording_is_read_whose_first_page_is_newer(void **state)
{
	const char *path = in_folder("live.db");
	const char *copy = in_folder("copy.db");
	struct live live = record(path);
	char *old, *now;
	size_t len, n;

	(void)state;
	copy_database(path, copy);
	finish(&live);
	old = take_file(copy, &len);
	now = take_file(path, &n);
	assert_int_equal(unlink(path), 0);
	assert_in_range(len, 4096, n - 4096);
	memcpy(old, now, 4096);
	old[VERSIONS] = old[VERSIONS + 1] = 2;
	t_write_file(copy, old, len);
	free(old);
	free(now);
	expect_all(copy);
	remove_database(copy);
}

// The reader keeps the log, which SQLite removes when the reader is gone; the mark of it stays in the file.
static void
a_recording_is_finished_while_it_is_read(void **state)
{
	const char *path = in_folder("live.db");
	struct live live = record(path);
	sqlite3 *reader = open_db(path);

	(void)state;
	T_EQ_I64(run_sql(reader, "BEGIN; SELECT * FROM pmon_sample"), SQLITE_OK);
	finish(&live);
	assert_true(is_marked(path));
	expect_all(path);
	assert_int_equal(sqlite3_close(reader), SQLITE_OK);
	assert_int_equal(access(beside(path, "-wal"), F_OK), -1);
	expect_all_after("the write-ahead log (-wal) of the database is missing; its content "
			 "is not read",
			 path);
	remove_database(path);
}

// A process that has the database open and does not read does not block it.
static void
a_recording_is_finished_while_others_have_it_open(void **state)
{
	const char *path = in_folder("live.db");
	struct live live = record(path);
	sqlite3 *other = open_db(path);

	(void)state;
	T_EQ_I64(run_sql(other, "SELECT * FROM pmon_sample"), SQLITE_OK);
	finish(&live);
	assert_false(is_marked(path));
	expect_all(path);
	T_EQ_I64(run_sql(other, "SELECT * FROM CounterData"), SQLITE_OK);
	assert_int_equal(sqlite3_close(other), SQLITE_OK);
	expect_all(path);
	remove_database(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wal_is_removed_when_unused),
		cmocka_unit_test(files_that_are_not_databases_are_reported),
		cmocka_unit_test(a_recording_is_read_while_it_is_written),
		cmocka_unit_test(a_recording_is_read_whose_writer_was_killed),
		cmocka_unit_test(a_recording_is_read_whose_first_page_is_newer),
		cmocka_unit_test(a_recording_is_finished_while_it_is_read),
		cmocka_unit_test(a_recording_is_finished_while_others_have_it_open),
	};

	return cmocka_run_group_tests_name("sqlite", tests, folder_make, folder_remove);
}

#endif
