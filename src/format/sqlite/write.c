// write.c - write a log as an SQLite database
// SPDX-License-Identifier: MIT
//
// The database is written under a temporary name, without a journal and without waiting for the
// disk: it is not visible until it is finished, and then it is synced and renamed. So a writer that
// crashes leaves nothing under the final name.
//
// A live database grows under its final name with a write-ahead log next to it, one transaction per
// flush. Others can read it meanwhile, and whenever the writer crashes, everything flushed is
// preserved. When it is finished it is one plain file again.

#include "format/sqlite/write.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "core/calc.h"
#include "model/schema.h"
#include "os/dir.h"

#define ROWS_A_TRANSACTION 100000

// ---- Errors ---------------------------------------------------------------------------------

static enum pmon_status
failed(const struct sqlog_writer *w, int rc, struct pmon_err *err)
{
	int sys = sqlite3_system_errno(w->db);

	if (sys == 0 && (rc & 0xFF) == SQLITE_IOERR)
		(void)sqlite3_file_control(w->db, "main", SQLITE_FCNTL_LAST_ERRNO, &sys);
	if ((rc & 0xFF) == SQLITE_NOMEM)
		return pmon_err_nomem(err);
	if (sys != 0)
		return pmon_err_sys(err, PMON_E_IO, pmon_os_errno(sys), "cannot write %s",
				    pmon_outfile_path(w->file));
	return pmon_err_set(err, PMON_E_IO, 0, "cannot write %s: %s", pmon_outfile_path(w->file),
			    sqlite3_errmsg(w->db));
}

static enum pmon_status
check(const struct sqlog_writer *w, int rc, struct pmon_err *err)
{
	return rc == SQLITE_OK ? PMON_OK : failed(w, rc, err);
}

static enum pmon_status
run(const struct sqlog_writer *w, const char *sql, struct pmon_err *err)
{
	return check(w, sqlite3_exec(w->db, sql, NULL, NULL, NULL), err);
}

// ---- Rows -----------------------------------------------------------------------------------

enum pmon_status
pmon_sqlite_insert(const struct sqlog_writer *w, struct sqlog_cells *row, struct pmon_err *err)
{
	if (row->rc != SQLITE_OK)
		return failed(w, row->rc, err);
	(void)sqlite3_step(row->stmt);
	return check(w, sqlite3_reset(row->stmt), err);
}

// ---- Series ---------------------------------------------------------------------------------

static enum pmon_status
add_counter(const struct sqlog_writer *w, const struct pmon_series *series, int64_t id,
	    struct pmon_err *err)
{
	const struct pmon_path *path = &series->path;
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_COUNTER);

	sqlog_put_int(&row, id);
	sqlog_put_span(&row, path->machine);
	sqlog_put_present(&row, path->object);
	sqlog_put_present(&row, path->counter);
	sqlog_put_int(&row, (int32_t)series->counter.type);
	sqlog_put_int(&row, series->counter.default_scale);
	sqlog_put_span(&row, path->instance);
	sqlog_put_int_if(&row, path->instance.ptr != NULL, path->index);
	sqlog_put_span(&row, path->parent);
	sqlog_put_halves(&row, series->counter.time_base);
	return pmon_sqlite_insert(w, &row, err);
}

static enum pmon_status
add_series(const struct sqlog_writer *w, const struct pmon_series *series, int64_t id,
	   struct pmon_err *err)
{
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_SERIES);

	sqlog_put_int(&row, id);
	sqlog_put_span(&row, series->name);
	sqlog_put_int(&row, series->counter.type);
	sqlog_put_int(&row, series->counter.time_base);
	sqlog_put_int(&row, series->counter.size_bytes);
	sqlog_put_int(&row, (int64_t)series->order);
	sqlog_put_int(&row, series->source);
	sqlog_put_int(&row, series->wildcard);
	sqlog_put_int(&row, series->formatted);
	sqlog_put_int_if(&row, pmon_series_says_type(series), series->known_type);
	sqlog_put_text(&row, pmon_series_unit(series));
	return pmon_sqlite_insert(w, &row, err);
}

static enum pmon_status
list_series(struct sqlog_writer *w, const struct pmon_series *series, struct pmon_err *err)
{
	struct sqlog_out_place *place = &w->places[series->id];
	enum pmon_status status;

	place->id = w->old.is_there ? w->old.next_series++ : (int64_t)series->id + 1;
	status = add_counter(w, series, place->id, err);
	return status == PMON_OK ? add_series(w, series, place->id, err) : status;
}

// The first value of a series in a live database. If the database is continued, it continues the
// run of the newest existing sample if it was in that; otherwise it was absent, and begins a run
// that it never had.
static enum pmon_status
begin_series(struct sqlog_writer *w, const struct pmon_series *series, struct pmon_err *err)
{
	struct sqlog_out_place *place = &w->places[series->id];
	enum pmon_status status = PMON_E_NOTFOUND;
	int64_t run = -1;

	if (w->old.is_there)
		status = pmon_sqlite_old_series(&w->old, series, &place->id, &run, err);
	if (status == PMON_E_NOTFOUND)
		return list_series(w, series, err);
	if (status != PMON_OK)
		return status;
	place->begun = run >= 0;
	place->run = place->begun ? (uint32_t)run : (uint32_t)w->old.records;
	place->ordinal = w->old.next_ordinal - 1;
	return PMON_OK;
}

// Add new series. Those of a live source may belong to instances that are long gone, so they wait
// for their first value.
static enum pmon_status
add_new_series(struct sqlog_writer *w, struct pmon_err *err)
{
	size_t n = pmon_schema_count(w->schema);
	enum pmon_status status = PMON_OK;

	if (!pmon_mem_grow(w->allocator, &w->places, &w->places_cap, n, sizeof(*w->places)))
		return pmon_err_nomem(err);
	for (; status == PMON_OK && w->n_places < n; w->n_places++) {
		w->places[w->n_places] = (struct sqlog_out_place){.begun = false};
		if (!w->live)
			status = list_series(w, pmon_schema_at(w->schema, w->n_places), err);
	}
	return status;
}

// ---- Samples --------------------------------------------------------------------------------

static enum pmon_status
add_sample(struct sqlog_writer *w, const struct pmon_log_set *set, const struct pmon_sample *sample,
	   struct pmon_err *err)
{
	char time[PMON_TIME_SIZE];
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_SAMPLE);

	pmon_time_iso(sample->time, time);
	sqlog_put_int(&row, w->n_samples);
	sqlog_put_int(&row, sample->stream);
	sqlog_put_int(&row, (int64_t)set->records);
	sqlog_put_int(&row, (int64_t)(sample->ordinal + w->old.next_ordinal));
	sqlog_put_text(&row, time);
	sqlog_put_int(&row, sample->time);
	sqlog_put_int(&row, sample->utc_offset_min);
	sqlog_put_int(&row, sample->preceding);
	sqlog_put_int(&row, (int64_t)sample->n);
	return pmon_sqlite_insert(w, &row, err);
}

// The series has a value in the sample.
static enum pmon_status
step_place(struct sqlog_writer *w, const struct pmon_sample *sample,
	   const struct pmon_series *series, struct pmon_err *err)
{
	struct sqlog_out_place *place = &w->places[series->id];
	uint64_t ordinal = sample->ordinal + w->old.next_ordinal;
	enum pmon_status status = w->live && !place->begun ? begin_series(w, series, err) : PMON_OK;

	if (status != PMON_OK)
		return status;
	if (place->begun && place->stream == sample->stream && ordinal > place->ordinal + 1)
		place->run++;
	place->begun = true;
	place->stream = sample->stream;
	place->ordinal = ordinal;
	return PMON_OK;
}

// The columns of CounterData that keep the previous row's cells, unless they are set again.
enum {
	COLUMN_GUID = 1,
	COLUMN_COUNTER,
	COLUMN_RECORD,
	COLUMN_TIME,
	COLUMN_VALUE,
	COLUMN_SAMPLE = 11,
	COLUMN_STATUS
};

static void
put_local_time(struct sqlog_writer *w, struct sqlog_cells *row, pmon_time time)
{
	w->time = time;
	pmon_time_local(time, 0, w->time_text);
	row->column = COLUMN_TIME;
	sqlog_put_text(row, w->time_text);
}

// Bind what all rows of a sample share, and what nearly all do.
static enum pmon_status
begin_values(struct sqlog_writer *w, const struct pmon_log_set *set,
	     const struct pmon_sample *sample, struct pmon_err *err)
{
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_DATA);

	sqlog_put_text(&row, set->guid);
	row.column = COLUMN_RECORD;
	sqlog_put_int(&row, (int64_t)set->records);
	row.column = COLUMN_SAMPLE;
	sqlog_put_int(&row, w->n_samples);
	put_local_time(w, &row, sample->time);
	return check(w, row.rc, err);
}

// Readers that use only raw values, and no start values of processes, must not compute a difference
// here either.
static uint32_t
status_of(struct sqlog_out_place *place, const struct pmon_raw *raw)
{
	uint32_t status = place->has_start && pmon_raw_plain(raw) ? PMON_RAW_CHANGED : raw->status;

	place->has_start = false;
	return status;
}

static enum pmon_status
add_value(struct sqlog_writer *w, const struct pmon_sample *sample, size_t i,
	  const struct pmon_value *value, struct pmon_err *err)
{
	const struct pmon_raw *raw = &sample->raw[i];
	const struct pmon_series *series = pmon_schema_at(w->schema, sample->series[i]);
	struct sqlog_out_place *place = &w->places[sample->series[i]];
	pmon_time time = raw->time != PMON_TIME_NONE ? raw->time : sample->time;
	enum pmon_status status = step_place(w, sample, series, err);
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_DATA);

	if (status != PMON_OK)
		return status;
	if (time != w->time)
		put_local_time(w, &row, time);
	row.column = COLUMN_COUNTER;
	sqlog_put_int(&row, place->id);
	row.column = COLUMN_VALUE;
	sqlog_keep(&row, sqlite3_bind_double(row.stmt, row.column++,
					     pmon_log_set_value(series, raw, value)));
	sqlog_put_halves(&row, raw->first);
	sqlog_put_halves(&row, raw->second);
	sqlog_put_int(&row, (int32_t)raw->multi);
	row.column = COLUMN_STATUS;
	sqlog_put_int(&row, status_of(place, raw));
	sqlog_put_time(&row, raw->time);
	sqlog_put_int(&row, place->run);
	return pmon_sqlite_insert(w, &row, err);
}

// Write the start value of a counter whose process began: it is no value in Windows' tables.
static enum pmon_status
add_start(struct sqlog_writer *w, const struct pmon_sample *sample, size_t i, struct pmon_err *err)
{
	const struct pmon_raw *raw = &sample->raw[i];
	const struct pmon_series *series = pmon_schema_at(w->schema, sample->series[i]);
	struct sqlog_out_place *place = &w->places[sample->series[i]];
	enum pmon_status status = step_place(w, sample, series, err);
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_START);

	if (status != PMON_OK)
		return status;
	place->has_start = true;
	sqlog_put_int(&row, place->id);
	sqlog_put_int(&row, w->n_samples + 1); // the next
	sqlog_put_int(&row, place->run);
	sqlog_put_int(&row, raw->time);
	sqlog_put_int(&row, raw->first);
	sqlog_put_int(&row, raw->second);
	sqlog_put_int(&row, raw->multi);
	return pmon_sqlite_insert(w, &row, err);
}

static enum pmon_status
add_starts(struct sqlog_writer *w, const struct pmon_sample *sample, struct pmon_err *err)
{
	enum pmon_status status = add_new_series(w, err);

	for (size_t i = 0; status == PMON_OK && i < sample->n; i++)
		status = add_start(w, sample, i, err);
	return status;
}

// The first sample in a database that is continued. An unusable raw value of a process other than
// the one in the database cannot mark this with its status; the next value then starts a new run.
static enum pmon_status
join_old(struct sqlog_writer *w, const struct pmon_sample **sample, struct pmon_err *err)
{
	enum pmon_status status = pmon_sqlite_old_join(&w->old, w->schema, sample, err);

	if (status == PMON_OK && w->old.starts.sample.n > 0)
		status = add_starts(w, &w->old.starts.sample, err);
	for (size_t i = 0; status == PMON_OK && i < (*sample)->n; i++) {
		uint32_t series = (*sample)->series[i];
		struct sqlog_out_place *place = &w->places[series];

		if (!pmon_sqlite_old_changed(&w->old, i) || pmon_raw_usable(&(*sample)->raw[i]))
			continue;
		status = begin_series(w, pmon_schema_at(w->schema, series), err);
		place->run = (uint32_t)w->old.records;
	}
	return status;
}

static enum pmon_status
commit_sometimes(struct sqlog_writer *w, struct pmon_err *err)
{
	if (w->rows < ROWS_A_TRANSACTION)
		return PMON_OK;
	w->rows = 0;
	return run(w, "COMMIT; BEGIN", err);
}

static enum pmon_status
writer_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	   const struct pmon_value *values, struct pmon_err *err)
{
	struct sqlog_writer *w = (struct sqlog_writer *)sink;
	struct pmon_log_set *set = NULL;
	enum pmon_status status;

	if (sample->starts)
		return add_starts(w, sample, err);
	status = add_new_series(w, err);
	if (status == PMON_OK && w->old.is_there && !w->old.is_joined)
		status = join_old(w, &sample, err);
	if (status == PMON_OK)
		status = pmon_sqlite_out_set(w, sample, &set, err);
	if (status != PMON_OK)
		return status;
	set->records++;
	set->last = sample->time;
	w->n_samples++;
	status = add_sample(w, set, sample, err);
	if (status == PMON_OK)
		status = begin_values(w, set, sample, err);
	for (size_t i = 0; status == PMON_OK && i < sample->n; i++)
		status = add_value(w, sample, i, values != NULL ? &values[i] : NULL, err);
	w->rows += sample->n + 1;
	return status == PMON_OK ? commit_sometimes(w, err) : status;
}

// ---- Beginning and end ----------------------------------------------------------------------

static enum pmon_status
writer_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	     const struct pmon_source_info *info, struct pmon_err *err)
{
	struct sqlog_writer *w = (struct sqlog_writer *)sink;
	enum pmon_status status = PMON_OK;

	w->schema = schema;
	w->info = info;
	if (!w->old.is_there)
		status = check(w, pmon_sqlite_make_machines(w->db, info), err);
	return status == PMON_OK ? add_new_series(w, err) : status;
}

static int
close_db(struct sqlog_writer *w)
{
	int rc;

	pmon_sqlite_old_close(&w->old);
	for (size_t i = 0; i < SQLOG_N_ROWS; i++) {
		(void)sqlite3_finalize(w->insert[i]);
		w->insert[i] = NULL;
	}
	rc = sqlite3_close(w->db);
	w->db = NULL;
	return rc;
}

static enum pmon_status
writer_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	struct sqlog_writer *w = (struct sqlog_writer *)sink;
	enum pmon_status status;

	if (!w->live)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "a database cannot be read before it is finished");
	status = pmon_sqlite_tell_sets(w, err);
	if (status == PMON_OK)
		status = run(w, "COMMIT", err);
	// A checkpoint syncs both files. It is not an error if readers keep it from completing.
	if (status == PMON_OK && sync)
		status = run(w, "PRAGMA wal_checkpoint(PASSIVE)", err);
	w->rows = 0;
	return status == PMON_OK ? run(w, "BEGIN", err) : status;
}

static uint64_t
number_of(const struct sqlog_writer *w, const char *query)
{
	sqlite3_stmt *row;
	uint64_t number = 0;

	if (sqlite3_prepare_v2(w->db, query, -1, &row, NULL) == SQLITE_OK &&
	    sqlite3_step(row) == SQLITE_ROW)
		number = (uint64_t)sqlite3_column_int64(row, 0);
	(void)sqlite3_finalize(row);
	return number;
}

static uint64_t
writer_size(const struct pmon_sink *sink)
{
	return number_of((const struct sqlog_writer *)sink,
			 "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
}

static struct pmon_outfile *
writer_file(const struct pmon_sink *sink)
{
	return ((const struct sqlog_writer *)sink)->file;
}

// Set the file format versions for writing and reading to 1, which means without a log. Source:
// sqlite.org/fileformat2.html, 1.3.3.
static void
unmark_wal(const struct sqlog_writer *w)
{
	static const uint8_t versions[2] = {1, 1};

	pmon_outfile_write_at(w->file, 18, versions, sizeof(versions));
}

static enum pmon_status
writer_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct sqlog_writer *w = (struct sqlog_writer *)sink;
	enum pmon_status status = add_new_series(w, err);
	bool unmark = false;

	if (status == PMON_OK)
		status = pmon_sqlite_tell_sets(w, err);
	if (status == PMON_OK && !w->live)
		status = check(w, pmon_sqlite_make_means(w->db, w->schema, w->allocator), err);
	if (status == PMON_OK && !w->live)
		status = check(w, pmon_sqlite_make_indexes(w->db), err);
	if (status == PMON_OK)
		status = run(w, "COMMIT", err);
	if (status == PMON_OK && w->live)
		status = check(w, pmon_sqlite_leave_wal(w->db, &unmark), err);
	if (status != PMON_OK)
		return status;
	if (close_db(w) != SQLITE_OK)
		return pmon_err_set(err, PMON_E_IO, 0, "cannot finish the database");
	if (unmark)
		unmark_wal(w);
	return pmon_outfile_commit(w->file, err);
}

static void
writer_close(struct pmon_sink *sink)
{
	struct sqlog_writer *w = (struct sqlog_writer *)sink;

	(void)close_db(w);
	pmon_outfile_close(w->file);
	pmon_mem_free(w->allocator, w->sets, w->sets_cap * sizeof(*w->sets));
	pmon_mem_free(w->allocator, w->places, w->places_cap * sizeof(*w->places));
	pmon_mem_free(w->allocator, w, sizeof(*w));
}

static const struct pmon_sink_ops ops = {
	.needs = PMON_SINK_VALUES | PMON_SINK_STARTS,
	.begin = writer_begin,
	.add = writer_add,
	.finish = writer_finish,
	.close = writer_close,
	.flush = writer_flush,
	.size = writer_size,
	.file = writer_file,
};

// ---- Creating -------------------------------------------------------------------------------

static int
make_database(const struct sqlog_writer *w)
{
	char version[80];
	int rc;

	(void)snprintf(version, sizeof(version),
		       "PRAGMA application_id = %d; PRAGMA user_version = %d", SQLOG_APPLICATION_ID,
		       SQLOG_VERSION);
	rc = sqlite3_exec(w->db, version, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = pmon_sqlite_make_tables(w->db);
	if (rc == SQLITE_OK && w->live)
		rc = pmon_sqlite_make_live_indexes(w->db);
	return rc;
}

static int
connect_to(struct sqlog_writer *w)
{
	size_t size;
	char *name = pmon_sqlite_name(pmon_outfile_path(w->file), w->allocator, &size);
	int rc = SQLITE_NOMEM;

	if (name != NULL)
		rc = sqlite3_open_v2(name, &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
				     NULL);
	pmon_mem_free(w->allocator, name, size);
	return rc;
}

static int
prepare_inserts(struct sqlog_writer *w)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < SQLOG_N_ROWS; i++)
		rc = sqlite3_prepare_v3(w->db, pmon_sqlite_inserts[i], -1,
					SQLITE_PREPARE_PERSISTENT, &w->insert[i], NULL);
	return rc;
}

// ---- A database that cannot be read before it is finished --------------------------------------

static enum pmon_status
open_whole(struct sqlog_writer *w, struct pmon_err *err)
{
	static const char settings[] = "PRAGMA page_size = 8192;"
				       "PRAGMA journal_mode = OFF;"
				       "PRAGMA synchronous = OFF;"
				       "PRAGMA locking_mode = EXCLUSIVE;"
				       "PRAGMA cache_size = -16384;"
				       "BEGIN";
	int rc = connect_to(w);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(w->db, settings, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = make_database(w);
	if (rc == SQLITE_OK)
		rc = prepare_inserts(w);
	return check(w, rc, err);
}

// ---- One that is read while it grows ----------------------------------------------------------------

// Create a database without samples, complete before it gets its name, so that whatever has the
// name can be read whenever the recording is killed.
static enum pmon_status
make_empty(struct sqlog_writer *w, const char *path, const struct pmon_create_options *options,
	   struct pmon_err *err)
{
	// Each flush writes all pages that it touched, so they are small.
	static const char settings[] = "PRAGMA page_size = 4096;"
				       "PRAGMA journal_mode = OFF;"
				       "PRAGMA synchronous = OFF;"
				       "BEGIN";
	struct pmon_create_options whole = *options;
	enum pmon_status status;
	int rc;

	whole.live = false;
	status = pmon_format_outfile(path, &whole, &w->file, err);
	if (status != PMON_OK)
		return status;
	rc = connect_to(w);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(w->db, settings, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = make_database(w);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(w->db, "COMMIT", NULL, NULL, NULL);
	status = check(w, rc, err);
	if (close_db(w) != SQLITE_OK && status == PMON_OK)
		status = pmon_err_set(err, PMON_E_IO, 0, "cannot write %s", path);
	if (status == PMON_OK)
		status = pmon_outfile_commit(w->file, err);
	pmon_outfile_close(w->file);
	w->file = NULL;
	return status;
}

// Leftovers of an earlier database with this name would be mistaken for a part of this one.
static void
remove_rests(const struct sqlog_writer *w)
{
	static const char *const endings[] = {"-wal", "-journal"};
	char name[4096];

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		int n = snprintf(name, sizeof(name), "%s%s", pmon_outfile_path(w->file),
				 endings[i]);

		if (n > 0 && (size_t)n < sizeof(name) && pmon_os_stat(name, false).is_regular)
			(void)pmon_os_remove(name);
	}
}

// An existing file is replaced only if no other process is writing it.
static enum pmon_status
check_unused(const char *path, const struct pmon_create_options *options, struct pmon_err *err)
{
	struct pmon_create_options look = *options;
	struct pmon_outfile *file;
	enum pmon_status status;

	if (!options->overwrite || !pmon_os_stat(path, true).is_regular)
		return PMON_OK;
	look.append = true;
	status = pmon_format_outfile(path, &look, &file, err);
	if (status == PMON_OK)
		pmon_outfile_close(file);
	return status;
}

// SQLite gives a file that was truncated its size again as it writes its last page. The first page of a table that
// no recording writes to is gone then; it begins with the kind of the page, which is never 0. Source:
// sqlite.org/fileformat2.html, 1.6.
static void
keep_page(const struct sqlog_writer *w)
{
	pmon_outfile_keep(w->file,
			  number_of(w, "SELECT (rootpage - 1) * page_size FROM sqlite_master,"
				       " pragma_page_size WHERE name = 'pmon_group'"));
}

static enum pmon_status
open_live(struct sqlog_writer *w, const char *path, const struct pmon_create_options *options,
	  struct pmon_err *err)
{
	static const char settings[] = "PRAGMA journal_mode = WAL;"
				       "PRAGMA synchronous = NORMAL;"
				       "PRAGMA busy_timeout = 1000;"
				       "BEGIN";
	struct pmon_create_options there = *options;
	enum pmon_status status = PMON_OK;
	int rc;

	if (!options->append)
		status = check_unused(path, options, err);
	if (status == PMON_OK && !options->append)
		status = make_empty(w, path, options, err);
	there.append = true;
	if (status == PMON_OK)
		status = pmon_format_outfile(path, &there, &w->file, err);
	if (status != PMON_OK)
		return status;
	if (!options->append)
		remove_rests(w);
	rc = connect_to(w);
	// The settings change a database: one that pmon did not write is rejected before them.
	if (rc == SQLITE_OK && options->append) {
		status = pmon_sqlite_old_open(&w->old, w->db, w->allocator, err);
		if (status != PMON_OK)
			return status;
		w->n_samples = w->old.samples;
	}
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(w->db, settings, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = prepare_inserts(w);
	if (rc == SQLITE_OK)
		keep_page(w);
	return check(w, rc, err);
}

static enum pmon_status
writer_open(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
	    const struct pmon_create_options *options, struct pmon_err *err)
{
	struct sqlog_writer *w = (struct sqlog_writer *)sink;
	enum pmon_status status;

	(void)writer;
	w->allocator = pmon_mem_allocator(options->allocator);
	if (strcmp(path, "-") == 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "cannot write a database to standard output");
	pmon_log_set_stem(path, w->stem);
	w->live = options->live;
	if (w->live)
		return open_live(w, path, options, err);
	status = pmon_format_outfile(path, options, &w->file, err);
	return status == PMON_OK ? open_whole(w, err) : status;
}

const struct pmon_writer pmon_sqlite_writer = {
	.name = "sqlite",
	.alias = "sql",
	.endings = {"db", "sqlite", "sqlite3"},
	.reads_as = "SQLite",
	.can_name = pmon_names_have_machine,
	.open = writer_open,
	.sink_bytes = sizeof(struct sqlog_writer),
	.ops = &ops,
	.raw = true,
	.record = true,
	.append = true,
};
