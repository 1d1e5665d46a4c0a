// continue.c - the existing contents of a database that is continued
// SPDX-License-Identifier: MIT

#include "format/sqlite/sqlite.h"
#include "format/sqlite/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/calc.h"

// Why SQLite returned no result: it was out of memory, could not read, or the file contains
// something else.
static enum pmon_status
failed(int rc, struct pmon_err *err)
{
	switch (rc & 0xFF) {
	case SQLITE_NOMEM:
		return pmon_err_nomem(err);
	case SQLITE_IOERR:
		return pmon_err_set(err, PMON_E_IO, 0, "cannot read the existing file");
	default:
		return pmon_err_set(
			err, PMON_E_STATE, 0,
			"the existing file is not a recording of one machine made by pmon");
	}
}

// Does the query return a row? The first failure is kept.
static bool
ask(struct sqlog_old *old, sqlite3 *db, const char *sql, sqlite3_stmt **row)
{
	int rc = sqlite3_prepare_v2(db, sql, -1, row, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(*row);
	if (old->rc == SQLITE_OK && rc != SQLITE_ROW)
		old->rc = rc;
	return rc == SQLITE_ROW;
}

static int64_t
number_of(struct sqlog_old *old, sqlite3 *db, const char *sql)
{
	sqlite3_stmt *row;
	int64_t n = ask(old, db, sql, &row) ? sqlite3_column_int64(row, 0) : -1;

	(void)sqlite3_finalize(row);
	return n;
}

static bool
is_ours(struct sqlog_old *old, sqlite3 *db)
{
	return number_of(old, db, "PRAGMA application_id") == SQLOG_APPLICATION_ID &&
	       number_of(old, db, "PRAGMA user_version") == SQLOG_VERSION &&
	       number_of(old, db, "SELECT count(unit) FROM pmon_series") >=
		       0 && // older ones lack it
	       number_of(old, db, "SELECT count(*) FROM pmon_log") == 1 &&
	       number_of(old, db, "SELECT stream = 0 AND sampled_by_pmon FROM pmon_log") == 1 &&
	       number_of(old, db, "SELECT count(*) FROM pmon_sample") > 0 &&
	       number_of(old, db, "SELECT count(n_values) FROM pmon_sample") >= 0 &&
	       number_of(old, db, "SELECT count(*) FROM pmon_start") >= 0;
}

static bool
read_guid(struct sqlog_old *old, sqlite3 *db)
{
	sqlite3_stmt *row;
	const unsigned char *text = ask(old, db, "SELECT GUID FROM pmon_log", &row)
					    ? sqlite3_column_text(row, 0)
					    : NULL;
	bool is_there = text != NULL && sqlite3_column_bytes(row, 0) == PMON_GUID_TEXT - 1;

	if (is_there)
		memcpy(old->guid, text, PMON_GUID_TEXT);
	(void)sqlite3_finalize(row);
	return is_there;
}

// Look up series by path and, for those in the newest sample, whose intervals continue, the run and
// the raw value there.
static int
prepare(struct sqlog_old *old, sqlite3 *db)
{
	int rc = sqlite3_exec(db, pmon_sqlite_sql_old_values, NULL, NULL, NULL);

	return rc == SQLITE_OK
		       ? sqlite3_prepare_v2(db, pmon_sqlite_sql_old_series, -1, &old->find, NULL)
		       : rc;
}

enum pmon_status
pmon_sqlite_old_open(struct sqlog_old *old, sqlite3 *db, const struct pmon_allocator *allocator,
		     struct pmon_err *err)
{
	*old = (struct sqlog_old){.is_there = true, .allocator = allocator};
	if (!is_ours(old, db) || !read_guid(old, db))
		return failed(old->rc, err);
	old->rc = prepare(old, db);
	old->samples = number_of(old, db, "SELECT max(id) FROM pmon_sample");
	old->records = (uint64_t)number_of(old, db, "SELECT max(RecordIndex) FROM pmon_sample");
	old->next_ordinal =
		(uint64_t)number_of(old, db, "SELECT max(ordinal) + 1 FROM pmon_sample");
	old->last =
		number_of(old, db, "SELECT time_100ns FROM pmon_sample ORDER BY id DESC LIMIT 1");
	old->first = number_of(old, db, "SELECT min(time_100ns) FROM pmon_sample");
	old->utc_offset_min = (int32_t)number_of(
		old, db, "SELECT utc_offset_min FROM pmon_sample ORDER BY id LIMIT 1");
	old->next_series = number_of(old, db, "SELECT ifnull(max(id), 0) + 1 FROM pmon_series");
	return old->rc == SQLITE_OK ? PMON_OK : failed(old->rc, err);
}

enum pmon_status
pmon_sqlite_old_series(const struct sqlog_old *old, const struct pmon_series *series, int64_t *id,
		       int64_t *run, struct pmon_err *err)
{
	struct pmon_span name = series->name;
	int rc;

	(void)sqlite3_bind_text64(old->find, 1, name.ptr, name.len, SQLITE_STATIC, SQLITE_UTF8);
	(void)sqlite3_bind_int64(old->find, 2, series->counter.type);
	(void)sqlite3_bind_int64(old->find, 3, series->counter.time_base);
	rc = sqlite3_step(old->find);
	if (rc == SQLITE_ROW) {
		*id = sqlite3_column_int64(old->find, 0);
		*run = sqlite3_column_type(old->find, 1) == SQLITE_NULL
			       ? -1
			       : sqlite3_column_int64(old->find, 1);
	}
	(void)sqlite3_reset(old->find);
	if (rc == SQLITE_ROW)
		return PMON_OK;
	return rc == SQLITE_DONE ? PMON_E_NOTFOUND : failed(rc, err);
}

// ---- Processes ------------------------------------------------------------------------------

// The newest existing sample, only its instances.
enum column {
	C_ID,
	C_MACHINE,
	C_OBJECT,
	C_PARENT,
	C_INSTANCE,
	C_INDEX,
	C_COUNTER,
	C_TYPE,
	C_TIME_BASE,
	C_SIZE,
	C_FIRST,
	C_SECOND,
	C_MULTI,
	C_STATUS,
	C_TIME
};

static struct pmon_span
text_at(sqlite3_stmt *row, enum column column)
{
	const unsigned char *text = sqlite3_column_text(row, (int)column);

	return (struct pmon_span){(const char *)text,
				  (size_t)sqlite3_column_bytes(row, (int)column)};
}

static struct pmon_raw
raw_at(sqlite3_stmt *row)
{
	bool has_time = sqlite3_column_type(row, C_TIME) != SQLITE_NULL;

	return (struct pmon_raw){
		.first = sqlite3_column_int64(row, C_FIRST),
		.second = sqlite3_column_int64(row, C_SECOND),
		.multi = (uint32_t)sqlite3_column_int64(row, C_MULTI),
		.status = (uint32_t)sqlite3_column_int64(row, C_STATUS),
		.time = has_time ? sqlite3_column_int64(row, C_TIME) : PMON_TIME_NONE,
	};
}

static enum pmon_status
add_old(struct sqlog_old *old, sqlite3_stmt *row, struct pmon_err *err)
{
	struct pmon_path path = {
		.machine = text_at(row, C_MACHINE),
		.object = text_at(row, C_OBJECT),
		.parent = text_at(row, C_PARENT),
		.instance = text_at(row, C_INSTANCE),
		.index = sqlite3_column_int(row, C_INDEX),
		.counter = text_at(row, C_COUNTER),
	};
	struct pmon_counter counter = {
		.type = (uint32_t)sqlite3_column_int64(row, C_TYPE),
		.size_bytes = (uint8_t)sqlite3_column_int(row, C_SIZE),
		.time_base = sqlite3_column_int64(row, C_TIME_BASE),
	};
	struct pmon_raw raw = raw_at(row);
	uint32_t number;
	enum pmon_status status = PMON_E_NOMEM;

	if (pmon_mem_grow(old->allocator, &old->ids, &old->ids_cap, old->n_ids + 1,
			  sizeof(*old->ids)))
		status = pmon_schema_add(&old->schema, &path, &counter, old->n_ids, SIZE_MAX,
					 &number);
	if (status != PMON_OK)
		return pmon_err_set(err, status, 0, "%s", pmon_status_text(status));
	old->ids[old->n_ids++] = sqlite3_column_int64(row, C_ID);
	return pmon_gather_add(&old->gather, number, &raw, err);
}

static enum pmon_status
load_newest(struct sqlog_old *old, struct pmon_err *err)
{
	sqlite3_stmt *rows = NULL;
	enum pmon_status status = PMON_OK;
	int rc = sqlite3_prepare_v2(sqlite3_db_handle(old->find), pmon_sqlite_sql_old_instances, -1,
				    &rows, NULL);

	if (rc == SQLITE_OK)
		rc = SQLITE_ROW;
	while (status == PMON_OK && rc == SQLITE_ROW) {
		rc = sqlite3_step(rows);
		if (rc == SQLITE_ROW)
			status = add_old(old, rows, err);
	}
	(void)sqlite3_finalize(rows);
	return status == PMON_OK && rc != SQLITE_DONE ? failed(rc, err) : status;
}

static int
by_id(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

// The number here for a series of the newest sample. A series that is missing from that gets a new
// number.
static enum pmon_status
find_number(struct sqlog_old *old, const struct pmon_series *series, uint32_t *out,
	    struct pmon_err *err)
{
	const int64_t *found;
	int64_t run;
	int64_t id = 0;
	enum pmon_status status = pmon_sqlite_old_series(old, series, &id, &run, err);

	if (status != PMON_OK && status != PMON_E_NOTFOUND)
		return status;
	found = old->n_ids > 0 ? bsearch(&id, old->ids, old->n_ids, sizeof(id), by_id) : NULL;
	if (found != NULL) {
		*out = (uint32_t)(found - old->ids);
		return PMON_OK;
	}
	status = pmon_schema_copy(&old->schema, series, out);
	return status == PMON_OK ? PMON_OK
				 : pmon_err_set(err, status, 0, "%s", pmon_status_text(status));
}

// The numbers here for the series of the first new sample.
static enum pmon_status
find_numbers(struct sqlog_old *old, const struct pmon_schema *schema, const struct pmon_sample *now,
	     struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (!pmon_mem_grow(old->allocator, &old->numbers, &old->numbers_cap, now->n,
			   sizeof(*old->numbers)))
		return pmon_err_nomem(err);
	for (size_t i = 0; status == PMON_OK && i < now->n; i++)
		status = find_number(old, pmon_schema_at(schema, now->series[i]), &old->numbers[i],
				     err);
	return status;
}

// Find the process at each slot in the newest existing sample, and then the current one.
static enum pmon_status
compare(struct sqlog_old *old, const struct pmon_schema *schema, const struct pmon_sample *now,
	struct pmon_err *err)
{
	struct pmon_sample before = *now;
	struct pmon_sample after = *now;
	enum pmon_status status;

	before.time = old->last;
	before.ordinal = old->next_ordinal - 1;
	after.ordinal = old->next_ordinal;
	pmon_gather_begin(&old->gather, &before);
	status = load_newest(old, err);
	if (status == PMON_OK)
		status = find_numbers(old, schema, now, err);
	after.series = old->numbers;
	if (status != PMON_OK)
		return status;
	if (!pmon_slots_see(&old->places, &old->gather.sample))
		return pmon_err_nomem(err);
	pmon_slots_keep(&old->places, &old->gather.sample);
	return pmon_slots_see(&old->places, &after) ? PMON_OK : pmon_err_nomem(err);
}

// The slot of value i of the first new sample, if it needs two samples. Otherwise NULL.
static const struct pmon_slot *
place_at(const struct sqlog_old *old, size_t i)
{
	uint32_t place = pmon_slot_of(&old->places, old->numbers[i]);

	return place != PMON_SLOT_NONE && old->places.members[old->numbers[i]].is_paired
		       ? &old->places.list[place]
		       : NULL;
}

bool
pmon_sqlite_old_changed(const struct sqlog_old *old, size_t i)
{
	const struct pmon_slot *place = place_at(old, i);

	return place != NULL && place->changed;
}

// The start value for value i, if its process began after the newest existing sample, or had
// another slot in it.
static bool
find_start(const struct sqlog_old *old, size_t i, const struct pmon_raw *now, struct pmon_raw *out)
{
	const struct pmon_slot *place = place_at(old, i);
	const struct pmon_slots *places = &old->places;
	const struct pmon_series *series = pmon_schema_at(&old->schema, old->numbers[i]);

	if (place == NULL || !pmon_raw_usable(now))
		return false;
	if (place->from != PMON_SLOT_NONE)
		return pmon_slots_kept(places, &places->before, place->from, series, out);
	return place->began && pmon_slot_started(series, place->age_100ns, now, out);
}

static enum pmon_status
give(struct sqlog_old *old, const struct pmon_sample *now, size_t i, struct pmon_err *err)
{
	struct pmon_raw raw = now->raw[i];
	enum pmon_status status = PMON_OK;
	struct pmon_raw start;

	if (find_start(old, i, &raw, &start))
		status = pmon_gather_add(&old->starts, now->series[i], &start, err);
	else if (pmon_sqlite_old_changed(old, i) && pmon_raw_usable(&raw))
		raw.status = PMON_RAW_CHANGED;
	return status == PMON_OK ? pmon_gather_add(&old->gather, now->series[i], &raw, err)
				 : status;
}

enum pmon_status
pmon_sqlite_old_join(struct sqlog_old *old, const struct pmon_schema *schema,
		     const struct pmon_sample **sample, struct pmon_err *err)
{
	const struct pmon_sample *now = *sample;
	struct pmon_sample head = *now;
	enum pmon_status status;

	old->is_joined = true;
	pmon_gather_init(&old->gather, old->allocator);
	pmon_gather_init(&old->starts, old->allocator);
	pmon_schema_init(&old->schema, old->allocator);
	pmon_slots_init(&old->places, old->allocator, &old->schema);
	old->places.from_start = true; // it was recorded by pmon
	status = compare(old, schema, now, err);
	pmon_gather_begin(&old->gather, now);
	head.ordinal--;
	head.preceding = head.starts = true;
	pmon_gather_begin(&old->starts, &head);
	for (size_t i = 0; status == PMON_OK && i < now->n; i++)
		status = give(old, now, i, err);
	*sample = &old->gather.sample;
	return status;
}

void
pmon_sqlite_old_close(struct sqlog_old *old)
{
	(void)sqlite3_finalize(old->find);
	if (old->is_joined) {
		pmon_gather_free(&old->gather);
		pmon_gather_free(&old->starts);
		pmon_slots_free(&old->places);
		pmon_schema_free(&old->schema);
		pmon_mem_free(old->allocator, old->ids, old->ids_cap * sizeof(*old->ids));
		pmon_mem_free(old->allocator, old->numbers,
			      old->numbers_cap * sizeof(*old->numbers));
	}
	*old = (struct sqlog_old){.is_there = false};
}
