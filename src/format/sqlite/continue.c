// continue.c - what a database has already that is written further
// SPDX-License-Identifier: MIT

#include "format/sqlite/sqlite.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"

static enum pmon_status
refuse(struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_STATE, 0,
			    "the file that is there is no recording of one machine by pmon");
}

static int64_t
number_of(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *row;
	int64_t n = -1;

	if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK &&
	    sqlite3_step(row) == SQLITE_ROW)
		n = sqlite3_column_int64(row, 0);
	(void)sqlite3_finalize(row);
	return n;
}

static bool
is_ours(sqlite3 *db)
{
	return number_of(db, "PRAGMA application_id") == SQLOG_APPLICATION_ID &&
	       number_of(db, "PRAGMA user_version") == SQLOG_VERSION &&
	       number_of(db, "SELECT count(*) FROM pmon_log") == 1 &&
	       number_of(db, "SELECT stream = 0 AND sampled_by_pmon FROM pmon_log") == 1 &&
	       number_of(db, "SELECT count(*) FROM pmon_sample") > 0 &&
	       number_of(db, "SELECT count(n_values) FROM pmon_sample") >= 0 && // since 0.2
	       number_of(db, "SELECT count(*) FROM pmon_start") >= 0;           // since 0.2
}

static bool
read_guid(sqlite3 *db, char guid[SQLOG_GUID_TEXT])
{
	sqlite3_stmt *row;
	bool is_there = false;

	if (sqlite3_prepare_v2(db, "SELECT GUID FROM pmon_log", -1, &row, NULL) == SQLITE_OK &&
	    sqlite3_step(row) == SQLITE_ROW &&
	    sqlite3_column_bytes(row, 0) == SQLOG_GUID_TEXT - 1) {
		memcpy(guid, sqlite3_column_text(row, 0), SQLOG_GUID_TEXT);
		is_there = true;
	}
	(void)sqlite3_finalize(row);
	return is_there;
}

// Series by path; and the runs of those that are in the newest sample, whose intervals go on.
static bool
prepare(struct sqlog_old *old, sqlite3 *db)
{
	static const char runs[] =
		"PRAGMA temp_store = MEMORY;"
		"CREATE TEMP TABLE pmon_old (id integer PRIMARY KEY, run int);"
		"INSERT OR REPLACE INTO temp.pmon_old SELECT CounterID, Run FROM CounterData"
		" WHERE Sample = (SELECT max(id) FROM pmon_sample)";
	static const char find[] =
		"SELECT s.id, o.run FROM pmon_series s LEFT JOIN temp.pmon_old o ON o.id = s.id"
		" WHERE s.path = ?1 AND s.type_word = ?2 AND s.time_base = ?3";

	return sqlite3_exec(db, runs, NULL, NULL, NULL) == SQLITE_OK &&
	       sqlite3_prepare_v2(db, find, -1, &old->find, NULL) == SQLITE_OK;
}

enum pmon_status
pmon_sqlite_old_open(struct sqlog_old *old, sqlite3 *db, struct pmon_err *err)
{
	*old = (struct sqlog_old){.is_there = true};
	if (!is_ours(db) || !read_guid(db, old->guid) || !prepare(old, db))
		return refuse(err);
	old->samples = number_of(db, "SELECT max(id) FROM pmon_sample");
	old->records = (uint64_t)number_of(db, "SELECT max(RecordIndex) FROM pmon_sample");
	old->next_ordinal = (uint64_t)number_of(db, "SELECT max(ordinal) + 1 FROM pmon_sample");
	old->first = number_of(db, "SELECT min(time_100ns) FROM pmon_sample");
	old->utc_offset_min = (int32_t)number_of(
		db, "SELECT utc_offset_min FROM pmon_sample ORDER BY id LIMIT 1");
	old->next_series = number_of(db, "SELECT ifnull(max(id), 0) + 1 FROM pmon_series");
	return PMON_OK;
}

bool
pmon_sqlite_old_series(const struct sqlog_old *old, const struct pmon_series *series, int64_t *id,
		       int64_t *run)
{
	struct pmon_span name = series->name;
	bool is_there;

	(void)sqlite3_bind_text64(old->find, 1, name.ptr, name.len, SQLITE_STATIC, SQLITE_UTF8);
	(void)sqlite3_bind_int64(old->find, 2, series->counter.type);
	(void)sqlite3_bind_int64(old->find, 3, series->counter.time_base);
	is_there = sqlite3_step(old->find) == SQLITE_ROW;
	if (is_there) {
		*id = sqlite3_column_int64(old->find, 0);
		*run = sqlite3_column_type(old->find, 1) == SQLITE_NULL
			       ? -1
			       : sqlite3_column_int64(old->find, 1);
	}
	(void)sqlite3_reset(old->find);
	return is_there;
}

void
pmon_sqlite_old_close(struct sqlog_old *old)
{
	(void)sqlite3_finalize(old->find);
	*old = (struct sqlog_old){.is_there = false};
}
