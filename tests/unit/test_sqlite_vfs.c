// test_sqlite_vfs.c - what SQLite asks of the file that a log is in
// SPDX-License-Identifier: MIT
//
// The interface is that of sqlite.org/c3ref/vfs.html and sqlite.org/c3ref/io_methods.html.

#include "t.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "dump.h"
#include "folder.h"
#include "memsource.h"
#include "moments.h"
#include "odd_log.h"
#include "write_fault.h"

#ifdef _WIN32
#include <windows.h>
#endif

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

// ---- A database in memory ---------------------------------------------------------------------

struct opened {
	struct sqlog_vfs vfs;
	struct pmon_file *file;
	char *bytes;
	sqlite3 *db;
};

static void
open_small(struct opened *o)
{
	const char *path = in_folder("v.db");
	struct pmon_err err;
	size_t len;

	*o = (struct opened){.db = NULL};
	write_over(odd_log(7), path, "sqlite");
	o->bytes = t_read_file(path, &len);
	assert_non_null(o->bytes);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(pmon_file_memory(o->bytes, len, NULL, &o->file, &err), PMON_OK);
	assert_true(pmon_sqlite_vfs_register(&o->vfs, o->file));
	assert_int_equal(sqlite3_open_v2("log", &o->db, SQLITE_OPEN_READONLY, o->vfs.name),
			 SQLITE_OK);
}

static void
close_small(struct opened *o)
{
	assert_int_equal(sqlite3_close(o->db), SQLITE_OK);
	pmon_sqlite_vfs_unregister(&o->vfs);
	pmon_file_close(o->file);
	free(o->bytes);
}

static int
run_opened(struct opened *o, const char *sql)
{
	return sqlite3_exec(o->db, sql, NULL, NULL, NULL);
}

static void
reading_ends_where_it_is_too_much(void **state)
{
	struct opened o;

	(void)state;
	open_small(&o);
	o.vfs.read_left = 4096;
	assert_int_equal(run_opened(&o, "SELECT count(*) FROM CounterData"), SQLITE_IOERR);
	assert_true(o.vfs.is_over);
	pmon_sqlite_vfs_allow(&o.vfs, o.vfs.size);
	assert_int_equal(run_opened(&o, "SELECT count(*) FROM CounterData"), SQLITE_OK);
	close_small(&o);
}

// For a size larger than any file, more is allowed than for any real size, and the products do not wrap.
static void
any_size_has_a_limit(void **state)
{
	struct sqlog_vfs vfs = {.size = 0};

	(void)state;
	pmon_sqlite_vfs_allow(&vfs, UINT64_MAX);
	assert_true(vfs.read_left > UINT64_MAX / 8);
	assert_true(vfs.spool_left > UINT64_MAX / 8);
}

static void
nothing_is_changed(void **state)
{
	static const char *const changes[] = {"DELETE FROM CounterData", "CREATE TABLE t (x)",
					      "PRAGMA user_version = 7"};
	struct opened o;

	(void)state;
	open_small(&o);
	for (size_t i = 0; i < T_LEN(changes); i++)
		T_EQ_I64_AT(run_opened(&o, changes[i]), SQLITE_READONLY, changes[i]);
	close_small(&o);
}

// The clock is that of the system: days since noon of November 24 in 4714 BC. 1970 began at 2440587.5.
static void
the_vfs_has_the_time_of_the_system(void **state)
{
	sqlite3_stmt *row;
	struct opened o;
	double days;

	(void)state;
	open_small(&o);
	assert_int_equal(sqlite3_prepare_v2(o.db, "SELECT julianday('now')", -1, &row, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	days = sqlite3_column_double(row, 0) - 2440587.5 - (double)time(NULL) / 86400;
	assert_true(days > -0.01 && days < 0.01);
	assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
	close_small(&o);
}

// The only files are the database and, if it is to be read, its write-ahead log.
static void
other_files_are_hidden(void **state)
{
	static const struct {
		const char *name;
		bool is_there; // where a write-ahead log is to be read
	} names[] = {{"log-wal", true}, {"log-journal", false}, {"-wal", false}, {"", false}};
	static const struct {
		int flags;
		int rc;
	} opens[] = {
		{SQLITE_OPEN_MAIN_DB, SQLITE_OK},
		{SQLITE_OPEN_WAL, SQLITE_CANTOPEN},
		{SQLITE_OPEN_MAIN_JOURNAL, SQLITE_CANTOPEN},
	};
	struct opened o;
	sqlite3_vfs *vfs = &o.vfs.vfs;
	sqlite3_file *file;
	int is_there;

	(void)state;
	open_small(&o);
	file = calloc(1, (size_t)vfs->szOsFile);
	assert_non_null(file);
	for (size_t i = 0; i < T_LEN(opens); i++)
		T_EQ_I64(vfs->xOpen(vfs, "log", file, opens[i].flags, NULL), opens[i].rc);
	for (int has_wal = 0; has_wal < 2; has_wal++) {
		o.vfs.wal = has_wal ? o.file : NULL;
		for (size_t i = 0; i < T_LEN(names); i++) {
			assert_int_equal(
				vfs->xAccess(vfs, names[i].name, SQLITE_ACCESS_EXISTS, &is_there),
				SQLITE_OK);
			T_EQ_BOOL_AT(is_there != 0, has_wal && names[i].is_there, names[i].name);
		}
	}
	T_EQ_I64(vfs->xOpen(vfs, "log-wal", file, SQLITE_OPEN_WAL, NULL), SQLITE_OK);
	free(file);
	close_small(&o);
}

// ---- A system whose files fail ----------------------------------------------------------------

enum op {
	OPEN,
	READ,
	WRITE,
	N_OPS
};

// The methods of a system file, and those that wrap them.
struct layer {
	const sqlite3_io_methods *os;
	sqlite3_io_methods own;
};

static struct {
	sqlite3_vfs vfs;
	sqlite3_vfs *os;
	struct layer layers[8];
	enum op op; // the one that fails ...
	size_t calls;
	size_t fail_at; // ... the call of it, from 1, and all later ones; 0 for none
	int rc;         // ... and what it then returns
} disk;

static bool
fails(enum op op)
{
	if (disk.fail_at == 0 || op != disk.op || ++disk.calls < disk.fail_at)
		return false;
#ifdef _WIN32
	SetLastError(ERROR_CRC); // which is EIO
#else
	errno = EIO;
#endif
	return true;
}

static const sqlite3_io_methods *
os_methods(const sqlite3_file *file)
{
	for (size_t i = 0; i < T_LEN(disk.layers); i++)
		if (file->pMethods == &disk.layers[i].own)
			return disk.layers[i].os;
	fail_msg("a file of no layer");
	return NULL;
}

static int
disk_read(sqlite3_file *file, void *buf, int len, sqlite3_int64 offset)
{
	return fails(READ) ? disk.rc : os_methods(file)->xRead(file, buf, len, offset);
}

static int
disk_write(sqlite3_file *file, const void *buf, int len, sqlite3_int64 offset)
{
	return fails(WRITE) ? disk.rc : os_methods(file)->xWrite(file, buf, len, offset);
}

static void
add_layer(sqlite3_file *file)
{
	for (size_t i = 0; i < T_LEN(disk.layers); i++) {
		struct layer *layer = &disk.layers[i];

		if (layer->os == NULL) {
			layer->os = file->pMethods;
			layer->own = *file->pMethods;
			layer->own.xRead = disk_read;
			layer->own.xWrite = disk_write;
			// what is mapped is not read
			if (layer->own.iVersion > 2)
				layer->own.iVersion = 2;
		}
		if (layer->os == file->pMethods) {
			file->pMethods = &layer->own;
			return;
		}
	}
	fail_msg("too many kinds of files");
}

static int
disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
	int rc;

	(void)vfs;
	file->pMethods = NULL;
	if (fails(OPEN))
		return disk.rc;
	rc = disk.os->xOpen(disk.os, name, file, flags, flags_out);
	if (file->pMethods != NULL)
		add_layer(file);
	return rc;
}

static void
disk_install(void)
{
	disk.os = sqlite3_vfs_find(NULL);
	assert_non_null(disk.os);
	disk.vfs = *disk.os;
	disk.vfs.zName = "failing";
	disk.vfs.xOpen = disk_open;
	assert_int_equal(sqlite3_vfs_register(&disk.vfs, 1), SQLITE_OK);
}

static void
disk_remove(void)
{
	assert_int_equal(sqlite3_vfs_unregister(&disk.vfs), SQLITE_OK);
	assert_ptr_equal(sqlite3_vfs_find(NULL), disk.os);
}

static void
disk_fail(enum op op, size_t at, int rc)
{
	disk.op = op;
	disk.calls = 0;
	disk.fail_at = at;
	disk.rc = rc;
}

// A log of the tables of Windows whose values are sorted in temporary files, where pointers have 32 bits too.
static char *
large_log(size_t *len)
{
	static const char rows[] =
		"DROP TABLE pmon_log; DROP INDEX CounterData_key;"
		"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 149999)"
		" INSERT INTO CounterData SELECT 'A', 1, i, strftime('%Y-%m-%d %H:%M:%f',"
		" 2458850.0 + i / 8640000.0), 0, i, 0, 0, 0, 1, NULL, NULL, NULL, 0 FROM n";

	return changed_database(rows, len);
}

static enum pmon_status
read_bytes(const char *bytes, size_t len, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	struct pmon_source *source = open_bytes(bytes, len, NULL);
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK)
		status = pmon_source_next(source, &sample, err);
	pmon_source_close(source);
	return status;
}

static void
temporary_files_that_fail(void **state)
{
	static const struct {
		enum op op;
		int rc;
		const char *why;
	} cases[] = {
		{OPEN, SQLITE_CANTOPEN, "no space for a temporary file to sort the database"},
		{WRITE, SQLITE_FULL, "no space for a temporary file to sort the database"},
		{WRITE, SQLITE_IOERR_WRITE, "cannot read the database"},
		{READ, SQLITE_IOERR_READ, "cannot read the database"},
	};
	size_t len;
	char *bytes = large_log(&len);
	struct pmon_err err;

	(void)state;
	disk_install();
	for (size_t i = 0; i < T_LEN(cases); i++) {
		disk_fail(cases[i].op, 1, cases[i].rc);
		T_EQ_I64_AT(read_bytes(bytes, len, &err), PMON_E_IO, cases[i].why);
		T_EQ_STR_AT(err.msg, cases[i].why, cases[i].why);
	}
	disk_fail(OPEN, 0, SQLITE_OK);
	T_EQ_I64(read_bytes(bytes, len, &err), PMON_END);
	disk_remove();
	free(bytes);
}

// ---- Recordings on a disk that fails ----------------------------------------------------------

static struct mem_source *
new_recording(void)
{
	struct mem_source *m = mem_source_new();

	m->base.info.live = true;
	m->base.info.sampled_by_pmon = true;
	for (uint32_t i = 0; i < 30; i++) {
		char name[40];

		(void)snprintf(name, sizeof(name), "\\\\S\\Process(p%u)\\Thread Count",
			       (unsigned)i);
		(void)mem_source_series(m, name, PMON_PERF_COUNTER_RAWCOUNT, 0);
	}
	for (int k = 0; k < 20; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		for (uint32_t i = 0; i < 30; i++)
			mem_source_raw(m, i, k, 0);
	}
	return m;
}

// Read the file, unless it is in memory. Returns the number of samples, or the failure.
static enum pmon_status
read_file(const char *path, uint64_t *n, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	struct pmon_source *source;
	enum pmon_status status = pmon_log_open(path, NULL, &source, err);

	*n = 0;
	while (status == PMON_OK) {
		status = pmon_source_next(source, &sample, err);
		*n += status == PMON_OK;
	}
	pmon_source_close(source);
	return status;
}

// A database that is being written is read by SQLite's own means.
static void
a_recording_on_a_disk_that_cannot_be_read(void **state)
{
	const char *path = in_folder("live.db");
	bool is_done = false;
	struct pmon_err err;
	sqlite3 *writer;
	uint64_t n;

	(void)state;
	write_over(mem_source_open(new_recording()), path, "sqlite");
	assert_int_equal(sqlite3_open(path, &writer), SQLITE_OK);
	assert_int_equal(sqlite3_exec(writer,
				      "PRAGMA journal_mode = WAL;"
				      "UPDATE pmon_log SET converter = 'x'",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	disk_install();
	for (size_t at = 1; !is_done; at++) {
		enum pmon_status status;

		disk_fail(READ, at, SQLITE_IOERR_READ);
		status = read_file(path, &n, &err);
		is_done = disk.calls < at;
		T_EQ_I64(status, is_done ? PMON_END : PMON_E_IO);
		if (!is_done)
			T_EQ_STR(err.msg, "cannot read the database: Input/output error");
	}
	T_EQ_U64(n, 20);
	disk_remove();
	assert_int_equal(sqlite3_close(writer), SQLITE_OK);
	assert_int_equal(unlink(path), 0);
}

// A recording that cannot be read is not continued, but left in place.
static void
a_recording_is_continued_on_a_disk_that_cannot_be_read(void **state)
{
	const struct pmon_create_options live = {.size = sizeof(live), .live = true};
	const struct pmon_create_options more = {
		.size = sizeof(more), .live = true, .append = true};
	const char *path = in_folder("more.db");
	bool is_done = false;
	struct pmon_err err;
	uint64_t n;

	(void)state;
	assert_int_equal(
		write_source(mem_source_open(new_recording()), path, "sqlite", &live, &err),
		PMON_OK);
	for (size_t at = 1; !is_done; at++) {
		enum pmon_status status;

		disk_install();
		disk_fail(READ, at, SQLITE_IOERR_READ);
		status =
			write_source(mem_source_open(new_recording()), path, "sqlite", &more, &err);
		is_done = disk.calls < at;
		disk_fail(READ, 0, SQLITE_OK);
		disk_remove();
		T_EQ_I64(status, is_done ? PMON_OK : PMON_E_IO);
		T_EQ_I64(read_file(path, &n, &err), PMON_END);
		T_EQ_U64(n, is_done ? 40 : 20);
	}
	assert_int_equal(unlink(path), 0);
}

// ---- No disk ----------------------------------------------------------------------------------

// Without a file system, SQLite cannot be tested.
static void
a_system_without_files(void **state)
{
	sqlite3_vfs *removed[8];
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;
	sqlite3_vfs *vfs;
	size_t n = 0;

	(void)state;
	while ((vfs = sqlite3_vfs_find(NULL)) != NULL) {
		assert_true(n < T_LEN(removed));
		removed[n++] = vfs;
		assert_int_equal(sqlite3_vfs_unregister(vfs), SQLITE_OK);
	}
	assert_int_equal(pmon_file_memory(SQLOG_MAGIC, sizeof(SQLOG_MAGIC), NULL, &file, &err),
			 PMON_OK);
	assert_int_equal(pmon_log_open_file(file, NULL, &source, &err), PMON_E_NOMEM);
	while (n-- > 0)
		assert_int_equal(sqlite3_vfs_register(removed[n], n == 0), SQLITE_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_ends_where_it_is_too_much),
		cmocka_unit_test(any_size_has_a_limit),
		cmocka_unit_test(nothing_is_changed),
		cmocka_unit_test(the_vfs_has_the_time_of_the_system),
		cmocka_unit_test(other_files_are_hidden),
		cmocka_unit_test(temporary_files_that_fail),
		cmocka_unit_test(a_recording_on_a_disk_that_cannot_be_read),
		cmocka_unit_test(a_recording_is_continued_on_a_disk_that_cannot_be_read),
		cmocka_unit_test(a_system_without_files),
	};

	return cmocka_run_group_tests_name("sqlite", tests, folder_make, folder_remove);
}

#endif
