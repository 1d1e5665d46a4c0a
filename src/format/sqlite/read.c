// read.c - a log in an SQLite database, as a source of samples
// SPDX-License-Identifier: MIT
//
// The database may come from anywhere, so SQLite is configured to trust nothing in it: views and
// triggers are not used, tables must be real tables, functions in the schema are disabled, cells
// are checked, and a query is aborted when it exceeds what a sound database of this size could
// need: steps, bytes read, bytes in temporary files, and processor time. The limit on time covers
// single steps that follow a chain of pages which many rows share.

#include "base/text.h"
#include "format/sqlite/sqlite.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/time.h"
#include "os/dir.h"
#include "os/threads.h"

#define INDEX_HEADER     48 // bytes of a -shm header
#define INDEX_IS_INIT    12 // offset of the flag that the index is valid
#define INDEX_SALT       32
#define INDEX_SALT_BYTES 8
#define MAX_STRING       (16 << 20)
#define TEXTS_A_ROW      5 // in CounterDetails: machine, object, parent, instance, counter
#define STEPS_A_CALLBACK 1000
#define STEPS_A_BYTE     64 // a row has at least 20 bytes, and needs less than 1000 steps
#define STEPS_AT_LEAST   20000000u
// for all passes, including the caller's processing: many times the usual
#define CPU_NS_A_BYTE   2000
#define CPU_NS_AT_LEAST UINT64_C(5000000000)

// ---- Errors ---------------------------------------------------------------------------------

enum pmon_status
pmon_sqlite_failure(struct sqlog *log, int rc, struct pmon_err *err)
{
	if (log->vfs.is_over)
		rc = SQLITE_INTERRUPT;
	switch (rc & 0xFF) {
	case SQLITE_NOMEM:
		return pmon_err_nomem(err);
	case SQLITE_IOERR:
		if (log->vfs.err.status == PMON_OK)
			return pmon_err_sys(err, PMON_E_IO,
					    pmon_os_errno(sqlite3_system_errno(log->db)),
					    "cannot read the database");
		if (err != NULL)
			*err = log->vfs.err;
		return log->vfs.err.status;
	case SQLITE_FULL:
	case SQLITE_CANTOPEN:
		return pmon_err_set(err, PMON_E_IO, 0,
				    "no space for a temporary file to sort the database");
	case SQLITE_INTERRUPT:
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "reading the database takes more work than its size justifies");
	default:
		return pmon_err_set(err, PMON_E_FORMAT, 0, "a damaged SQLite database: %s",
				    sqlite3_errmsg(log->db));
	}
}

enum pmon_status
pmon_sqlite_prepare(struct sqlog *log, const char *sql, sqlite3_stmt **out, struct pmon_err *err)
{
	int rc = sqlite3_prepare_v2(log->db, sql, -1, out, NULL);

	return rc == SQLITE_OK ? PMON_OK : pmon_sqlite_failure(log, rc, err);
}

enum pmon_status
pmon_sqlite_ask(struct sqlog *log, const char *sql, int64_t none, int64_t *out,
		struct pmon_err *err)
{
	sqlite3_stmt *row;
	enum pmon_status status = pmon_sqlite_prepare(log, sql, &row, err);
	int rc;

	*out = none;
	if (status != PMON_OK)
		return status;
	rc = sqlite3_step(row);
	if (rc == SQLITE_ROW)
		*out = sqlite3_column_int64(row, 0);
	else if (rc != SQLITE_DONE)
		status = pmon_sqlite_failure(log, rc, err);
	(void)sqlite3_finalize(row);
	return status;
}

// ---- Reading --------------------------------------------------------------------------------

static void
allow_steps(struct sqlog *log)
{
	uint64_t size = log->source.info.size_bytes;

	log->steps_left = (STEPS_AT_LEAST + size * STEPS_A_BYTE) / STEPS_A_CALLBACK;
	pmon_sqlite_vfs_allow(&log->vfs, size);
}

static int
count_steps(void *ctx)
{
	struct sqlog *log = ctx;

	uint64_t most = CPU_NS_AT_LEAST + log->source.info.size_bytes * CPU_NS_A_BYTE;
	uint64_t now = pmon_os_thread_cpu_ns();

	// Count the time of each thread that reads the log.
	if (now > log->cpu_ns_seen && log->cpu_ns_seen != 0)
		log->cpu_ns += now - log->cpu_ns_seen;
	log->cpu_ns_seen = now;
	if (log->steps_left == 0 || log->cpu_ns > most)
		return 1;
	log->steps_left--;
	return 0;
}

// Everything before the damage was returned; the rest is lost.
static enum pmon_status
sqlog_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct sqlog *log = (struct sqlog *)source;
	struct pmon_err why;
	enum pmon_status status = pmon_sqlite_rows_next(log, &why);

	if (status == PMON_OK) {
		log->gather.sample.perf_100ns =
			pmon_perf_of(&log->perf, &log->source.schema, &log->gather.sample);
		*sample = &log->gather.sample;
	} else if (status == PMON_E_FORMAT) {
		log->report.here++;
		pmon_report_loss(&log->report, 0, 0, "%s", why.msg);
		return PMON_END;
	} else if (status != PMON_END && err != NULL) {
		*err = why;
	}
	return status;
}

static enum pmon_status
sqlog_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct sqlog *log = (struct sqlog *)source;

	pmon_report_rewind(&log->report);
	allow_steps(log);
	return pmon_sqlite_rows_begin(log, err);
}

static void
sqlog_close(struct pmon_source *source)
{
	struct sqlog *log = (struct sqlog *)source;
	const struct pmon_allocator *allocator = log->allocator;

	(void)sqlite3_finalize(log->rows);
	(void)sqlite3_close(log->db);
	if (log->registered)
		pmon_sqlite_vfs_unregister(&log->vfs);
	pmon_file_close(log->vfs.wal);
	pmon_file_close(log->file);
	pmon_mem_free(allocator, log->counters, log->counters_cap * sizeof(*log->counters));
	pmon_mem_free(allocator, log->known, log->known_cap * sizeof(*log->known));
	pmon_map_free(&log->known_map, allocator);
	pmon_streams_free(&log->streams, allocator);
	pmon_mem_free(allocator, log->sets, log->sets_cap * sizeof(*log->sets));
	pmon_gather_free(&log->gather);
	pmon_schema_free(&log->source.schema);
	pmon_arena_free(&log->arena);
	pmon_mem_free(allocator, log, sizeof(*log));
}

static const struct pmon_source_ops ops = {sqlog_next, sqlog_rewind, sqlog_close};

// ---- Opening --------------------------------------------------------------------------------

static int
distrust(struct sqlog *log)
{
	static const char pragmas[] = "PRAGMA cell_size_check = ON; PRAGMA query_only = ON;"
				      "PRAGMA mmap_size = 0; PRAGMA cache_size = -8192;"
				      "PRAGMA temp_store = FILE";
	static const struct {
		int what;
		int on;
	} settings[] = {
		{SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
		{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
		{SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0},
	};
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(settings) / sizeof(settings[0]); i++)
		rc = sqlite3_db_config(log->db, settings[i].what, settings[i].on, NULL);
	(void)sqlite3_limit(log->db, SQLITE_LIMIT_LENGTH,
			    (int)(log->string_limit < MAX_STRING ? log->string_limit : MAX_STRING) *
					    TEXTS_A_ROW +
				    4096);
	(void)sqlite3_limit(log->db, SQLITE_LIMIT_ATTACHED, 0);
	(void)sqlite3_limit(log->db, SQLITE_LIMIT_WORKER_THREADS, 0);
	sqlite3_progress_handler(log->db, STEPS_A_CALLBACK, count_steps, log);
	return rc == SQLITE_OK ? sqlite3_exec(log->db, pragmas, NULL, NULL, NULL) : rc;
}

// Is there a file next to the database, such as "-wal"? Opens it if out is not NULL.
static enum pmon_status
find_beside(struct sqlog *log, const char *suffix, bool *is_there, struct pmon_file **out,
	    struct pmon_err *err)
{
	const char *path = pmon_file_path(log->file);
	size_t size = path != NULL ? strlen(path) + strlen(suffix) + 1 : 0;
	char *name = size > 0 ? pmon_mem_alloc(log->allocator, size) : NULL;
	enum pmon_status status = PMON_OK;

	*is_there = false;
	if (name == NULL)
		return size == 0 ? PMON_OK : pmon_err_nomem(err);
	(void)snprintf(name, size, "%s%s", path, suffix);
	*is_there = pmon_is_regular(name);
	if (*is_there && out != NULL)
		status = pmon_file_open_by(pmon_file_door(log->file), name, NULL, log->allocator,
					   out, err);
	pmon_mem_free(log->allocator, name, size);
	return status;
}

// Is the index of the write-ahead log complete? A program that is killed while creating it leaves
// it without a valid header, which has two copies, or, before its first commit, without the salts
// of the log. Readers that may not write the index would wait in vain for a new one:
// https://www.sqlite.org/walformat.html, 2.1.
static enum pmon_status
find_index(struct sqlog *log, struct pmon_err *err)
{
	struct pmon_file *index = NULL;
	enum pmon_status status = find_beside(log, "-shm", &log->is_shared, &index, err);
	static const uint8_t unset[INDEX_SALT_BYTES];
	uint8_t head[2 * INDEX_HEADER];
	size_t len = 0;

	if (status == PMON_OK && index != NULL)
		status = pmon_file_read(index, 0, head, sizeof(head), &len, err);
	pmon_file_close(index);
	log->is_shared = log->is_shared && len == sizeof(head) && head[INDEX_IS_INIT] != 0 &&
			 memcmp(head, head + INDEX_HEADER, INDEX_HEADER) == 0 &&
			 memcmp(head + INDEX_SALT, unset, sizeof(unset)) != 0;
	return status;
}

// Is there a write-ahead log? If its index is in shared memory, a program is writing the database,
// or was stopped while writing, and reading must be coordinated with it. Without an index, only
// this reader uses the log.
static enum pmon_status
find_wal(struct sqlog *log, struct pmon_err *err)
{
	struct pmon_file *wal = NULL;
	enum pmon_status status = find_beside(log, "-wal", &log->has_wal, &wal, err);

	if (status == PMON_OK && log->has_wal)
		status = find_index(log, err);
	if (wal != NULL) {
		log->source.info.size_bytes += pmon_file_size(wal);
		allow_steps(log);
	}
	if (status == PMON_OK && !log->is_shared)
		log->vfs.wal = wal;
	else
		pmon_file_close(wal);
	return status;
}

// The header contains the number of pages. A truncated file is read as far as it goes.
static enum pmon_status
check_header(struct sqlog *log, struct pmon_err *err)
{
	uint8_t head[100];
	size_t len;
	uint64_t page;
	uint64_t whole;
	enum pmon_status status = pmon_file_read(log->file, 0, head, sizeof(head), &len, err);

	if (status != PMON_OK)
		return status;
	if (len < sizeof(head))
		return pmon_err_set(err, PMON_E_TRUNC, len, "an SQLite database without pages");
	page = (uint64_t)head[16] << 8 | head[17];
	page = page == 1 ? 65536 : page;
	whole = page * ((uint64_t)head[28] << 24 | (uint64_t)head[29] << 16 |
			(uint64_t)head[30] << 8 | head[31]);
	log->report.here = 1;
	status = head[18] == 2 ? find_wal(log, err) : PMON_OK;
	if (status != PMON_OK)
		return status;
	if (head[18] == 2 && !log->has_wal)
		pmon_report_remark(&log->report, 18,
				   "the write-ahead log (-wal) of the database is missing; its "
				   "content is not read");
	if (whole <= log->vfs.size || log->has_wal)
		return PMON_OK;
	log->cut = true;
	pmon_report_loss(&log->report, log->vfs.size, whole - log->vfs.size, "the file is cut off");
	log->vfs.size = whole;
	return PMON_OK;
}

static int
open_file(struct sqlog *log)
{
	int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
	size_t size;
	char *name;
	int rc;

	if (!log->is_shared)
		return sqlite3_open_v2("log", &log->db, flags, log->vfs.name);
	name = pmon_sqlite_name(pmon_file_path(log->file), log->allocator, &size);
	if (name == NULL)
		return SQLITE_NOMEM;
	rc = sqlite3_open_v2(name, &log->db, flags, NULL);
	pmon_mem_free(log->allocator, name, size);
	return rc;
}

static enum pmon_status
open_db(struct sqlog *log, struct pmon_err *err)
{
	enum pmon_status status;
	int rc;

	log->registered = pmon_sqlite_vfs_register(&log->vfs, log->file);
	if (!log->registered)
		return pmon_err_nomem(err);
	status = check_header(log, err);
	if (status != PMON_OK)
		return status;
	rc = open_file(log);
	// Before the first access to the log, so that its index is created in memory.
	if (rc == SQLITE_OK && log->vfs.wal != NULL)
		rc = sqlite3_exec(log->db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = distrust(log);
	// Read a snapshot, whatever is written meanwhile.
	if (rc == SQLITE_OK && log->is_shared)
		rc = sqlite3_exec(log->db, "BEGIN", NULL, NULL, NULL);
	return rc == SQLITE_OK ? PMON_OK : pmon_sqlite_failure(log, rc, err);
}

// ---- What it holds --------------------------------------------------------------------------

// Is this a real table: neither a view nor a virtual table, and without computed columns?
static enum pmon_status
has_table(struct sqlog *log, const char *name, bool *out, struct pmon_err *err)
{
	sqlite3_stmt *row;
	enum pmon_status status = pmon_sqlite_prepare(
		log,
		"SELECT 1 FROM sqlite_master AS m WHERE m.name = ? COLLATE NOCASE"
		" AND m.type = 'table' AND m.rootpage > 0 AND NOT EXISTS"
		" (SELECT 1 FROM pragma_table_xinfo(m.name) WHERE hidden <> 0)",
		&row, err);
	int rc;

	*out = false;
	if (status != PMON_OK)
		return status;
	(void)sqlite3_bind_text(row, 1, name, -1, SQLITE_STATIC);
	rc = sqlite3_step(row);
	*out = rc == SQLITE_ROW;
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		status = pmon_sqlite_failure(log, rc, err);
	(void)sqlite3_finalize(row);
	return status;
}

enum pmon_status
pmon_sqlite_has_tables(struct sqlog *log, const char *const *names, size_t n, bool *out,
		       struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	*out = true;
	for (size_t i = 0; status == PMON_OK && *out && i < n; i++)
		status = has_table(log, names[i], out, err);
	return status;
}

// Find values without a sample. The index finds the first; the table tells whether it exists, and
// how many there are.
static enum pmon_status
find_foreign(struct sqlog *log, int64_t *n, struct pmon_err *err)
{
	enum pmon_status status = pmon_sqlite_ask(
		log, "SELECT 1 FROM CounterData WHERE Sample IS NULL LIMIT 1", 0, n, err);
	int64_t found = *n;

	if (status != PMON_OK || found == 0)
		return status;
	status = pmon_sqlite_ask(
		log, "SELECT count(*) FROM CounterData NOT INDEXED WHERE Sample IS NULL", 0, n,
		err);
	if (status == PMON_OK && *n == 0)
		pmon_report_loss(&log->report, 0, 0,
				 "the index of CounterData by sample is damaged: reading the log "
				 "from Windows' tables, without samples that have no values");
	else if (status == PMON_OK)
		pmon_report_remark(
			&log->report, 0, "%lld %s no sample: the log is read by Windows' tables",
			(long long)*n, pmon_text_word((uint64_t)*n, "value has", "values have"));
	*n = found;
	return status;
}

// pmon's own tables are used if they have the right version and contain the sample of every value:
// a tool that only knows PDH's tables may have added some.
static enum pmon_status
find_tables(struct sqlog *log, struct pmon_err *err)
{
	static const char *const pdh[] = {"CounterData", "CounterDetails"};
	static const char *const ours[] = {"pmon_sample", "pmon_series", "pmon_log"};
	int64_t version;
	int64_t foreign = 0;
	int64_t n = 0;
	bool found;
	enum pmon_status status = pmon_sqlite_has_tables(log, pdh, 2, &found, err);

	if (status == PMON_OK && !found)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "an SQLite database without the tables CounterData and "
				    "CounterDetails of a performance log");
	if (status == PMON_OK)
		status = pmon_sqlite_has_tables(log, ours, 3, &log->exact, err);
	if (status == PMON_OK)
		status = pmon_sqlite_ask(log, "PRAGMA user_version", 0, &version, err);
	if (status != PMON_OK || !log->exact)
		return status;
	if (!log->cut)
		status = find_foreign(log, &foreign, err);
	if (status == PMON_OK)
		status = pmon_sqlite_ask(log,
					 "SELECT count(*) FROM pragma_table_info('pmon_sample')"
					 " WHERE name = 'n_values'",
					 0, &n, err);
	log->tells_values = n == 1;
	log->exact = version == SQLOG_VERSION && foreign == 0;
	return status;
}

static enum pmon_status
copy_text(struct sqlog *log, sqlite3_stmt *row, int column, const char **out, struct pmon_err *err)
{
	struct pmon_span text = {(const char *)sqlite3_column_text(row, column),
				 (size_t)sqlite3_column_bytes(row, column)};

	if (text.ptr == NULL || text.len > log->string_limit)
		return PMON_OK;
	if (!pmon_arena_copy(&log->arena, text, &text))
		return pmon_err_nomem(err);
	*out = text.ptr;
	return PMON_OK;
}

static pmon_time
time_at(sqlite3_stmt *row, int column)
{
	return sqlite3_column_type(row, column) != SQLITE_NULL ? sqlite3_column_int64(row, column)
							       : PMON_TIME_NONE;
}

static enum pmon_status
take_info(struct sqlog *log, sqlite3_stmt *row, struct pmon_err *err)
{
	struct pmon_source_info *info = &log->source.info;
	int64_t offset = sqlite3_column_int64(row, 3);
	enum pmon_status status = copy_text(log, row, 0, &info->writer, err);

	if (status == PMON_OK)
		status = copy_text(log, row, 6, &info->converter, err);
	info->sampled_by_pmon = sqlite3_column_int64(row, 7) == 1;
	if (status == PMON_OK)
		status = copy_text(log, row, 1, &info->machine, err);
	if (status == PMON_OK)
		status = copy_text(log, row, 2, &info->zone, err);
	if (offset >= -1440 && offset <= 1440)
		info->utc_offset_min = (int32_t)offset;
	info->log_start = pmon_time_if_sane(time_at(row, 4));
	info->log_end = pmon_time_if_sane(time_at(row, 5));
	return status;
}

#define INFO_COLUMNS "writer, machine, zone, utc_offset_min, log_start_100ns, log_end_100ns"

// Read pmon_log for the first log. Databases of early versions lack the last two columns.
static enum pmon_status
read_info(struct sqlog *log, struct pmon_err *err)
{
	static const char *const queries[] = {
		"SELECT " INFO_COLUMNS ", '', 0 FROM pmon_log ORDER BY rowid LIMIT 1",
		"SELECT " INFO_COLUMNS ", converter, sampled_by_pmon"
		" FROM pmon_log ORDER BY rowid LIMIT 1",
	};
	sqlite3_stmt *row;
	int64_t n;
	enum pmon_status status =
		pmon_sqlite_ask(log,
				"SELECT count(*) FROM pragma_table_info('pmon_log')"
				" WHERE name IN ('converter', 'sampled_by_pmon')",
				0, &n, err);
	int rc;

	if (status == PMON_OK)
		status = pmon_sqlite_prepare(log, queries[n == 2], &row, err);
	if (status != PMON_OK)
		return status;
	rc = sqlite3_step(row);
	if (rc == SQLITE_ROW)
		status = take_info(log, row, err);
	else if (rc != SQLITE_DONE)
		status = pmon_sqlite_failure(log, rc, err);
	(void)sqlite3_finalize(row);
	if (status == PMON_OK)
		status = pmon_sqlite_read_machines(log, err);
	if (status != PMON_OK || log->cut)
		return status;
	return pmon_sqlite_ask(log, "SELECT max(id) FROM pmon_sample", 0, &log->last_id, err);
}

// With only PDH's tables: the machine of the first counter.
static void
guess_info(struct sqlog *log)
{
	for (size_t i = 0; i < log->n_counters; i++)
		if (log->counters[i].path.machine.ptr != NULL) {
			log->source.info.machine = log->counters[i].path.machine.ptr;
			return;
		}
}

static enum pmon_status
open_all(struct sqlog *log, struct pmon_err *err)
{
	enum pmon_status status;

	allow_steps(log);
	status = open_db(log, err);
	if (status == PMON_OK)
		status = find_tables(log, err);
	if (status == PMON_OK)
		status = pmon_sqlite_counters_load(log, err);
	if (status != PMON_OK)
		return status;
	if (log->exact)
		status = read_info(log, err);
	else
		guess_info(log);
	if (status == PMON_OK)
		status = pmon_sqlite_unmatched(log, err);
	if (status == PMON_OK)
		status = pmon_sqlite_rows_begin(log, err);
	if (status == PMON_OK && !log->exact && log->n_sets > 1)
		log->source.info.utc_offset_min = log->sets[0].utc_offset_min;
	return status;
}

static enum pmon_status
sqlog_open(struct pmon_source *source, const struct pmon_log_files *files,
	   const struct pmon_log_options *options, struct pmon_err *err)
{
	struct sqlog *log = (struct sqlog *)source;
	struct pmon_limits limits =
		pmon_limits_of_size(&options->limits, pmon_file_size(files->file));

	log->allocator = pmon_mem_allocator(options->allocator);
	log->seed = pmon_hash_seed();
	log->series_limit = limits.series;
	log->wanted_limit = limits.wanted_series;
	log->string_limit = limits.string_bytes;
	log->path_bytes_left = limits.path_bytes;
	log->want = options->want;
	log->want_ctx = options->want_ctx;
	log->ignores_changes = options->ignore_changes;
	log->file = files->file;
	source->info.size_bytes = pmon_file_size(log->file);
	pmon_format_report(&log->report, source, options);
	pmon_arena_init(&log->arena, log->allocator);
	pmon_gather_init(&log->gather, log->allocator);
	return open_all(log, err);
}

static bool
sqlog_probe(const uint8_t *head, size_t len)
{
	return len >= sizeof(SQLOG_MAGIC) && memcmp(head, SQLOG_MAGIC, sizeof(SQLOG_MAGIC)) == 0;
}

const struct pmon_format pmon_format_sqlite = {
	.name = "SQLite",
	.probe = sqlog_probe,
	.open = sqlog_open,
	.source_bytes = sizeof(struct sqlog),
	.ops = &ops,
	.writers = &pmon_sqlite_writer,
	.n_writers = 1,
};
