// test_sqlite_faults.c - databases that are read and written while SQLite is short of memory
// SPDX-License-Identifier: MIT
//
// SQLite has its memory from an allocator of its own. The outcome is the right one, or PMON_E_NOMEM.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "faulty.h"
#include "folder.h"
#include "memsource.h"
#include "moments.h"
#include "odd_log.h"
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
#include "sql.h"

// ---- SQLite's memory ------------------------------------------------------------------------

static struct {
	sqlite3_mem_methods libc;
	size_t calls;
	size_t fail_at; // the number of the call, from 1, that gets NULL; 0 for none
	bool fail_rest; // and so do all later ones
} heap;

static bool
is_short(void)
{
	heap.calls++;
	return heap.fail_at != 0 &&
	       (heap.fail_rest ? heap.calls >= heap.fail_at : heap.calls == heap.fail_at);
}

static void *
heap_alloc(int size)
{
	return is_short() ? NULL : heap.libc.xMalloc(size);
}

static void *
heap_realloc(void *ptr, int size)
{
	return is_short() ? NULL : heap.libc.xRealloc(ptr, size);
}

static int
heap_install(void **state)
{
	sqlite3_mem_methods own;

	assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &heap.libc), SQLITE_OK);
	own = heap.libc;
	own.xMalloc = heap_alloc;
	own.xRealloc = heap_realloc;
	assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &own), SQLITE_OK);
	return folder_make(state);
}

static void
heap_fail(size_t at, bool rest)
{
	heap.calls = 0;
	heap.fail_at = at;
	heap.fail_rest = rest;
}

// From here on there is memory. Was there for all that was asked?
static bool
heap_sufficed(void)
{
	bool sufficed = heap.calls < heap.fail_at;

	assert_true(heap.calls > 0);
	heap.fail_at = 0;
	return sufficed;
}

// ---- Reading --------------------------------------------------------------------------------

static char *
take_file(const char *path, size_t *len)
{
	char *bytes = t_read_file(path, len);

	assert_non_null(bytes);
	assert_int_equal(unlink(path), 0);
	return bytes;
}

static void
read_short_of_memory(const char *name, const char *bytes, size_t len)
{
	struct dump healthy = faulty_healthy(name, bytes, len);

	for (int rest = 0; rest < 2; rest++) {
		bool is_done = false;

		for (size_t at = 1; !is_done; at += 1 + at / 64) {
			struct faulty f = {.name = name, .bytes = bytes, .len = len};
			struct t_memory memory = {0};
			enum pmon_status status;
			struct dump seen;

			// SQLite is begun anew, which takes memory too
			assert_int_equal(sqlite3_shutdown(), SQLITE_OK);
			heap_fail(at, rest == 1);
			status = faulty_read(&f, &memory, &seen);
			is_done = heap_sufficed();
			if (status == PMON_END)
				T_EQ_STR_AT(seen.text, healthy.text, name);
			else
				T_EQ_I64_AT(status, PMON_E_NOMEM, name);
			assert_true(!is_done || status == PMON_END);
			dump_free(&seen);
		}
	}
	dump_free(&healthy);
}

static void
check_database(const char *name, const char *bytes, size_t len)
{
	read_short_of_memory(name, bytes, len);
	faulty_reads(name, bytes, len);
	faulty_allocations(name, bytes, len);
}

// Change a database that pmon wrote, and read it.
static void
check_changed(const char *sql)
{
	size_t len;
	char *bytes = changed_database(sql, &len);

	check_database(sql, bytes, len);
	free(bytes);
}

static void
a_database_of_pmon(void **state)
{
	(void)state;
	check_changed("SELECT 1");
}

// The missing rows are reported.
static void
a_database_with_rows_missing(void **state)
{
	(void)state;
	check_changed("DELETE FROM pmon_sample WHERE id IN (5, 6);"
		      "DELETE FROM CounterData WHERE Sample = 6 OR (Sample = 9 AND CounterID = 1);"
		      "DELETE FROM pmon_series WHERE id = 2;"
		      "DELETE FROM CounterDetails WHERE CounterID = 3;");
}

// Read by the tables of Windows.
static void
a_database_with_values_of_others(void **state)
{
	(void)state;
	check_changed("UPDATE CounterData SET Sample = NULL WHERE Sample = 7");
}

static void
a_database_of_the_tables_of_windows(void **state)
{
	(void)state;
	check_changed("DROP TABLE pmon_log");
}

// Each name of a counter needs memory of its own.
static void
a_database_of_long_names(void **state)
{
	(void)state;
	check_changed("DROP TABLE pmon_log; DELETE FROM CounterData WHERE RecordIndex > 2;"
		      "UPDATE CounterDetails SET MachineName = hex(zeroblob(8200)),"
		      " ObjectName = hex(zeroblob(8201)), CounterName = hex(zeroblob(8202)),"
		      " InstanceName = hex(zeroblob(8203)), ParentName = hex(zeroblob(8204))");
}

// ---- Writing --------------------------------------------------------------------------------

static void
writing_short_of_memory(void **state)
{
	const char *path = in_folder("out.db");
	struct dump healthy;
	size_t len;
	char *bytes;

	(void)state;
	write_over(odd_log(3), path, "sqlite");
	bytes = take_file(path, &len);
	healthy = faulty_healthy("written", bytes, len);
	free(bytes);
	for (int rest = 0; rest < 2; rest++) {
		bool is_done = false;

		for (size_t at = 1; !is_done; at += 1 + at / 64) {
			enum pmon_status status;
			struct pmon_err err;
			struct dump seen;

			heap_fail(at, rest == 1);
			status = write_source(odd_log(3), path, "sqlite", NULL, &err);
			is_done = heap_sufficed();
			assert_true(!is_done || status == PMON_OK);
			if (status != PMON_OK) {
				T_EQ_I64(status, PMON_E_NOMEM);
				assert_int_equal(folder_count(), 0);
				continue;
			}
			bytes = take_file(path, &len);
			seen = faulty_healthy("written", bytes, len);
			T_EQ_STR(seen.text, healthy.text);
			dump_free(&seen);
			free(bytes);
		}
	}
	dump_free(&healthy);
}

// SQLite says that memory is short, or the views are there.
static void
views_short_of_memory(void **state)
{
	static const char drop[] =
		"DROP VIEW pmon_raw; DROP VIEW pmon_pair; DROP VIEW pmon_displayed;"
		"DROP VIEW pmon_average; DROP VIEW pmon_group_average";
	bool is_done = false;

	(void)state;
	for (size_t at = 1; !is_done; at += 1 + at / 64) {
		sqlite3 *db;
		int rc;

		assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
		assert_int_equal(pmon_sqlite_make_tables(db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, drop, NULL, NULL, NULL), SQLITE_OK);
		heap_fail(at, false);
		rc = pmon_sqlite_make_views(db);
		is_done = heap_sufficed();
		if (rc != SQLITE_OK)
			assert_int_equal(rc, SQLITE_NOMEM);
		assert_true(!is_done || rc == SQLITE_OK);
		if (rc == SQLITE_OK)
			assert_int_equal(
				sqlite3_exec(db, "SELECT * FROM pmon_displayed", NULL, NULL, NULL),
				SQLITE_OK);
		assert_int_equal(sqlite3_close(db), SQLITE_OK);
	}
}

#ifndef _WIN32 // where SQLite needs memory to remove its files, and leaves them without

// A second try gives a plain file.
static void
leaving_a_log_short_of_memory(void **state)
{
	static const char rows[] = "PRAGMA journal_mode = WAL; CREATE TABLE t (x);"
				   " INSERT INTO t VALUES (1)";
	const char *path = in_folder("wal.db");
	bool is_done = false;

	(void)state;
	for (size_t at = 1; !is_done; at++) {
		bool unmark;
		sqlite3 *db;
		int rc;

		assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, rows, NULL, NULL, NULL), SQLITE_OK);
		heap_fail(at, false);
		rc = pmon_sqlite_leave_wal(db, &unmark);
		is_done = heap_sufficed();
		if (rc != SQLITE_OK)
			assert_int_equal(rc, SQLITE_NOMEM);
		assert_false(unmark);
		assert_true(!is_done || rc == SQLITE_OK);
		assert_int_equal(pmon_sqlite_leave_wal(db, &unmark), SQLITE_OK);
		assert_int_equal(sqlite3_close(db), SQLITE_OK);
		assert_int_equal(folder_count(), 1);
		assert_int_equal(unlink(path), 0);
	}
}

#endif

// ---- Going on -------------------------------------------------------------------------------

#define NEW_INSTANCES 150

// A recording of processes, one of which ends; another takes its place and name in the second run.
static struct pmon_source *
recording(int run)
{
	struct mem_source *m = mem_source_new();
	uint32_t id, time, count;

	m->base.info.sampled_by_pmon = true;
	m->base.info.live = true;
	id = mem_source_series(m, "\\\\S\\Process(a)\\ID Process", PMON_PERF_COUNTER_RAWCOUNT, 0);
	time = mem_source_series(m, "\\\\S\\Process(a)\\% Processor Time", PMON_PERF_100NSEC_TIMER,
				 10000000);
	count = mem_source_series(m, "\\\\S\\Memory\\Pages/sec", PMON_PERF_COUNTER_COUNTER,
				  10000000);
	for (int i = 0; run == 1 && i < NEW_INSTANCES; i++) {
		char name[60];

		(void)snprintf(name, sizeof(name), "\\\\S\\Process(new%d)\\Thread Count", i);
		(void)mem_source_series(m, name, PMON_PERF_COUNTER_RAWCOUNT, 0);
	}
	for (int k = 0; k < 3; k++) {
		pmon_time now = T0 + (run * 10 + k) * SECOND;

		mem_source_sample(m, now);
		mem_source_raw(m, id, 100 + run, 0);
		mem_source_raw(m, time, (run * 10 + k) * INT64_C(1000000), now);
		mem_source_raw(m, count, run * 10 + k, now);
		for (uint32_t i = 0; run == 1 && i < NEW_INSTANCES; i++)
			mem_source_raw(m, 3 + i, k, 0);
	}
	return mem_source_open(m);
}

// With the write-ahead log beside it, if writing was not finished.
static struct dump
dump_file(const char *path)
{
	struct pmon_source *source;
	struct dump seen = {0};
	struct pmon_err err;

	dump_notice(&seen, &(struct pmon_notice){.text = "begin"});
	if (pmon_log_open(path, NULL, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	T_EQ_I64(dump_read(&seen, source, &err), PMON_END);
	pmon_source_close(source);
	return seen;
}

static void
remove_database(const char *path)
{
	static const char *const suffixes[] = {"", "-wal", "-shm"};
	char name[160];

	for (size_t i = 0; i < T_LEN(suffixes); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
		(void)unlink(name);
	}
	assert_int_equal(folder_count(), 0);
}

static enum pmon_status
go_on(const char *path, const struct pmon_allocator *allocator, struct pmon_err *err)
{
	const struct pmon_create_options more = {
		.live = true, .append = true, .allocator = allocator};

	return write_source(recording(1), path, "sqlite", &more, err);
}

// Existing rows are kept.
static void
going_on_short_of_memory(void **state)
{
	const struct pmon_create_options live = {.live = true};
	const char *path = in_folder("live.db");
	struct dump healthy;
	struct pmon_err err;
	size_t len;
	char *first;

	(void)state;
	assert_int_equal(write_source(recording(0), path, "sqlite", &live, &err), PMON_OK);
	first = t_read_file(path, &len);
	assert_non_null(first);
	if (go_on(path, NULL, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	healthy = dump_file(path);
	remove_database(path);
	assert_int_equal(healthy.n_samples, 6);
	for (int rest = 0; rest < 2; rest++) {
		bool is_done = false;

		for (size_t at = 1; !is_done; at += 1 + at / 64) {
			enum pmon_status status;
			struct dump seen;

			t_write_file(path, first, len);
			heap_fail(at, rest == 1);
			status = go_on(path, NULL, &err);
			is_done = heap_sufficed();
			if (status != PMON_OK)
				T_EQ_I64(status, PMON_E_NOMEM);
			assert_true(!is_done || status == PMON_OK);
			seen = dump_file(path);
			if (status == PMON_OK)
				T_EQ_STR(seen.text, healthy.text);
			else
				assert_in_range(seen.n_samples, 3, 6);
			dump_free(&seen);
			remove_database(path);
		}
	}
	dump_free(&healthy);
	free(first);
}

// The same where pmon's own memory is short.
static void
going_on_without_an_allocation(void **state)
{
	const struct pmon_create_options live = {.live = true};
	const char *path = in_folder("own.db");
	bool is_done = false;
	struct pmon_err err;
	size_t len;
	char *first;

	(void)state;
	assert_int_equal(write_source(recording(0), path, "sqlite", &live, &err), PMON_OK);
	first = t_read_file(path, &len);
	assert_non_null(first);
	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		enum pmon_status status;
		struct dump seen;

		t_write_file(path, first, len);
		status = go_on(path, &allocator, &err);
		is_done = t_memory_sufficed(&memory);
		T_EQ_I64(status, is_done ? PMON_OK : PMON_E_NOMEM);
		T_EQ_U64(memory.live_blocks, 0);
		seen = dump_file(path);
		assert_in_range(seen.n_samples, is_done ? 6 : 3, 6);
		dump_free(&seen);
		remove_database(path);
	}
	free(first);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_database_of_pmon),
		cmocka_unit_test(a_database_with_rows_missing),
		cmocka_unit_test(a_database_with_values_of_others),
		cmocka_unit_test(a_database_of_the_tables_of_windows),
		cmocka_unit_test(a_database_of_long_names),
		cmocka_unit_test(writing_short_of_memory),
		cmocka_unit_test(views_short_of_memory),
#ifndef _WIN32
		cmocka_unit_test(leaving_a_log_short_of_memory),
#endif
		cmocka_unit_test(going_on_short_of_memory),
		cmocka_unit_test(going_on_without_an_allocation),
	};

	return cmocka_run_group_tests_name("sqlite", tests, heap_install, folder_remove);
}

#endif
