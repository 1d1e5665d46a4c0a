// rows.c - read the values of a database, sample by sample
// SPDX-License-Identifier: MIT
//
// Both queries return the values in sample order. pmon's own tables define the samples; with only
// PDH's, values with the same GUID and RecordIndex are a sample, at the earliest of their times.

#include "format/sqlite/sqlite.h"
#include "format/sqlite/sql.h"

#include <string.h>

#include "base/mem.h"
#include "base/time.h"
#include "core/calc.h"

// The columns of both queries, identical from R_COUNTER on.
enum column {
	R_SAMPLE,  // exact
	R_STREAM,  //
	R_ORDINAL, //
	R_TIME,    //
	R_OFFSET,  //
	R_LEAD_IN, //
	R_COUNTER,
	R_FIRST_A,
	R_FIRST_B,
	R_SECOND_A,
	R_SECOND_B,
	R_MULTI,
	R_STATUS,
	R_RAW_TIME,
	R_N_VALUES, // exact; NULL if unknown
	R_GUID = R_SAMPLE,
	R_RECORD = R_STREAM,
};

#define EXACT_QUERY(n_values)                                                                      \
	"SELECT s.id, s.stream, s.ordinal, s.time_100ns, s.utc_offset_min, s.lead_in,"             \
	" d.CounterID, d.FirstValueA, d.FirstValueB, d.SecondValueA, d.SecondValueB, "             \
	"d.MultiCount,"                                                                            \
	" d.Status, d.Time100ns, " n_values                                                        \
	" FROM pmon_sample AS s LEFT JOIN CounterData AS d ON d.Sample = s.id"                     \
	" ORDER BY s.id, d.rowid"

// A damaged database, or one of an early version, may lack the number of values per sample.
// Everything else is exact.
static const char *const exact_queries[] = {EXACT_QUERY("NULL"), EXACT_QUERY("s.n_values")};

static const char sets_query[] = "SELECT GUID, MinutesToUTC FROM DisplayToID";

#define SETS_MAX 65536

// ---- Times ----------------------------------------------------------------------------------

// "yyyy-mm-dd hh:mm:ss.nnn" with any of the usual separators, and padding after it. UTC.
static bool
parse_time(struct pmon_span text, pmon_time *out)
{
	char buf[32];
	size_t len = 0;

	while (len < text.len && len < sizeof(buf) && text.ptr[len] != '\0')
		len++;
	while (len > 0 && text.ptr[len - 1] == ' ')
		len--;
	if (len > 0)
		memcpy(buf, text.ptr, len);
	if (len > 7 && buf[4] == '/' && buf[7] == '/')
		buf[4] = buf[7] = '-';
	if (len > 19 && (buf[19] == ':' || buf[19] == ','))
		buf[19] = '.';
	return pmon_time_parse((struct pmon_span){buf, len}, 0, out) && pmon_time_is_sane(*out);
}

static struct pmon_span
text_at(sqlite3_stmt *row, enum column column)
{
	const unsigned char *text = sqlite3_column_text(row, (int)column);

	return (struct pmon_span){(const char *)text,
				  (size_t)sqlite3_column_bytes(row, (int)column)};
}

// ---- Log sets -------------------------------------------------------------------------------

static size_t
take_guid(sqlite3_stmt *row, uint8_t guid[SQLOG_GUID_SIZE])
{
	const void *bytes = sqlite3_column_blob(row, R_GUID);
	size_t len = (size_t)sqlite3_column_bytes(row, R_GUID);

	if (len > SQLOG_GUID_SIZE)
		len = SQLOG_GUID_SIZE;
	if (len > 0)
		memcpy(guid, bytes, len);
	return len;
}

static enum pmon_status
add_set(struct sqlog *log, sqlite3_stmt *row, struct pmon_err *err)
{
	struct sqlog_set set = {.guid_len = 0};
	int64_t minutes = row != NULL ? sqlite3_column_int64(row, 1) : 0;

	if (row != NULL)
		set.guid_len = take_guid(row, set.guid);
	if (minutes >= -1440 && minutes <= 1440)
		set.utc_offset_min = (int32_t)-minutes;
	if (log->n_sets >= SETS_MAX)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %d log sets", SETS_MAX);
	if (!pmon_mem_grow(log->allocator, &log->sets, &log->sets_cap, log->n_sets + 1,
			   sizeof(*log->sets)))
		return pmon_err_nomem(err);
	log->sets[log->n_sets++] = set;
	return PMON_OK;
}

// The last set is for values of log sets that DisplayToID does not list.
static enum pmon_status
load_sets(struct sqlog *log, struct pmon_err *err)
{
	sqlite3_stmt *rows;
	enum pmon_status status = PMON_OK;
	int rc;

	if (sqlite3_table_column_metadata(log->db, NULL, "DisplayToID", "MinutesToUTC", NULL, NULL,
					  NULL, NULL, NULL) == SQLITE_OK)
		status = pmon_sqlite_prepare(log, sets_query, &rows, err);
	else
		return add_set(log, NULL, err);
	if (status != PMON_OK)
		return status;
	while (status == PMON_OK && (rc = sqlite3_step(rows)) != SQLITE_DONE)
		status = rc == SQLITE_ROW ? add_set(log, rows, err)
					  : pmon_sqlite_failure(log, rc, err);
	(void)sqlite3_finalize(rows);
	return status == PMON_OK ? add_set(log, NULL, err) : status;
}

static bool
is_set(const struct sqlog_set *set, const uint8_t *guid, size_t len)
{
	return set->guid_len == len && memcmp(set->guid, guid, len) == 0;
}

// The log set of the row, usually that of the preceding row.
static size_t
find_set(struct sqlog *log, sqlite3_stmt *row)
{
	uint8_t guid[SQLOG_GUID_SIZE];
	size_t len = take_guid(row, guid);
	size_t last = log->gather.sample.stream;

	if (is_set(&log->sets[last], guid, len))
		return last;
	for (size_t i = 0; i + 1 < log->n_sets; i++)
		if (is_set(&log->sets[i], guid, len))
			return i;
	if (!log->unknown_set_told && log->n_sets > 1)
		pmon_report_remark(&log->report, 0, "values of a log set missing in DisplayToID");
	log->unknown_set_told = true;
	return log->n_sets - 1;
}

// ---- Values ---------------------------------------------------------------------------------

static int64_t
halves_at(sqlite3_stmt *row, enum column low)
{
	uint64_t a = (uint32_t)sqlite3_column_int64(row, (int)low);
	uint64_t b = (uint32_t)sqlite3_column_int64(row, (int)low + 1);

	return (int64_t)(b << 32 | a);
}

// Rows from before MultiCount and SecondValue existed, or values that PDH lacked, are NULL.
static void
take_raw(const struct sqlog *log, sqlite3_stmt *row, struct pmon_raw *raw)
{
	bool has_value = sqlite3_column_type(row, R_FIRST_A) != SQLITE_NULL;

	*raw = (struct pmon_raw){
		.status = has_value ? PMON_RAW_VALID : PMON_RAW_INVALID,
		.multi = (uint32_t)sqlite3_column_int64(row, R_MULTI),
		.time = log->gather.sample.time,
		.first = halves_at(row, R_FIRST_A),
		.second = halves_at(row, R_SECOND_A),
	};
	if (!log->exact) {
		(void)parse_time(text_at(row, R_RAW_TIME), &raw->time);
		return;
	}
	raw->status = (uint32_t)sqlite3_column_int64(row, R_STATUS);
	if (log->ignores_changes)
		raw->status = pmon_raw_unmarked(raw->status);
	raw->time = sqlite3_column_type(row, R_RAW_TIME) != SQLITE_NULL
			    ? sqlite3_column_int64(row, R_RAW_TIME)
			    : PMON_TIME_NONE;
}

// A row of CounterData is lost.
static void
tell_value(struct sqlog *log, sqlite3_stmt *row, uint32_t series, const char *why)
{
	enum {
		NAME_MAX_BYTES = 120
	};
	const struct pmon_span *name = &pmon_schema_at(&log->source.schema, series)->name;
	int number = log->exact ? R_SAMPLE : R_RECORD;

	pmon_report_loss(&log->report, 0, 0, "CounterData, %s %lld, counter %lld: %s: %.*s",
			 log->exact ? "sample" : "record",
			 (long long)sqlite3_column_int64(row, number),
			 (long long)sqlite3_column_int64(row, R_COUNTER), why,
			 (int)(name->len < NAME_MAX_BYTES ? name->len : NAME_MAX_BYTES), name->ptr);
}

static enum pmon_status
take_value(struct sqlog *log, sqlite3_stmt *row, struct pmon_err *err)
{
	uint32_t series;
	struct pmon_raw raw;
	enum pmon_status status;

	if (sqlite3_column_type(row, R_COUNTER) == SQLITE_NULL)
		return PMON_OK; // a sample without values
	log->n_values++;
	status = pmon_sqlite_series(log, log->gather.sample.stream,
				    sqlite3_column_int64(row, R_COUNTER), &series, err);
	if (status != PMON_OK || series == PMON_SERIES_NONE)
		return status;
	if (pmon_gather_has(&log->gather, series)) {
		tell_value(log, row, series, "second value in its sample");
		return PMON_OK;
	}
	take_raw(log, row, &raw);
	// Only NULL means that there is no time; PMON_TIME_NONE is an ordinary number here.
	if (sqlite3_column_type(row, R_RAW_TIME) != SQLITE_NULL && !pmon_time_is_sane(raw.time)) {
		tell_value(log, row, series, "invalid time");
		return PMON_OK;
	}
	pmon_raw_zero_extend(&pmon_schema_at(&log->source.schema, series)->counter, &raw);
	return pmon_gather_add(&log->gather, series, &raw, err);
}

// ---- Samples --------------------------------------------------------------------------------

// Identifies the sample of a row, to detect where the next sample begins.
struct key {
	int64_t number;
	uint8_t guid[SQLOG_GUID_SIZE];
	size_t guid_len;
};

static struct key
key_of(const struct sqlog *log, sqlite3_stmt *row)
{
	struct key key = {.guid_len = 0};

	key.number = sqlite3_column_int64(row, log->exact ? (int)R_SAMPLE : (int)R_RECORD);
	if (!log->exact)
		key.guid_len = take_guid(row, key.guid);
	return key;
}

static bool
same_key(const struct key *a, const struct key *b)
{
	return a->number == b->number && a->guid_len == b->guid_len &&
	       memcmp(a->guid, b->guid, a->guid_len) == 0;
}

static bool
lose_sample(struct sqlog *log, sqlite3_stmt *row, const char *why)
{
	pmon_report_loss(&log->report, 0, 0, "pmon_sample, sample %lld: %s",
			 (long long)sqlite3_column_int64(row, R_SAMPLE), why);
	return false;
}

// Times before 1601 are invalid, so that differences cannot overflow.
static enum pmon_status
begin_exact(struct sqlog *log, sqlite3_stmt *row, bool *good, struct pmon_err *err)
{
	int64_t offset = sqlite3_column_int64(row, R_OFFSET);
	struct pmon_sample head = {
		.time = sqlite3_column_int64(row, R_TIME),
		.utc_offset_min = offset >= -1440 && offset <= 1440 ? (int32_t)offset : 0,
		.ordinal = (uint64_t)sqlite3_column_int64(row, R_ORDINAL),
		.preceding = sqlite3_column_int(row, R_LEAD_IN) != 0,
	};
	enum pmon_status status =
		pmon_streams_number(&log->streams, log->allocator,
				    (uint32_t)sqlite3_column_int64(row, R_STREAM), &head.stream);

	if (status == PMON_E_NOMEM)
		return pmon_err_nomem(err);
	if (log->cut)
		head.utc_offset_min = log->source.info.utc_offset_min;
	pmon_gather_begin(&log->gather, &head);
	*good = true;
	if (status == PMON_E_LIMIT)
		*good = lose_sample(log, row, "more streams than a log can have");
	else if (!pmon_time_is_sane(head.time))
		*good = lose_sample(log, row, "invalid time");
	return PMON_OK;
}

// Returns false if the time cannot be parsed; the sample is then skipped.
static bool
begin_pdh(struct sqlog *log, sqlite3_stmt *row)
{
	size_t set = find_set(log, row);
	pmon_time time;
	bool good = parse_time(text_at(row, R_RAW_TIME), &time);
	struct pmon_sample head = {
		.time = time,
		.utc_offset_min = log->sets[set].utc_offset_min,
		.stream = (uint32_t)set,
		.ordinal = log->sets[set].ordinal,
	};

	pmon_gather_begin(&log->gather, &head);
	if (good)
		log->sets[set].ordinal++;
	else
		pmon_report_loss(&log->report, 0, 0, "CounterData, record %lld: invalid time",
				 (long long)sqlite3_column_int64(row, R_RECORD));
	return good;
}

// The next row, or the end.
static enum pmon_status
step(struct sqlog *log, struct pmon_err *err)
{
	int rc = sqlite3_step(log->rows);

	log->has_row = rc == SQLITE_ROW;
	if (rc == SQLITE_ROW)
		return PMON_OK;
	log->done = true;
	return rc == SQLITE_DONE ? PMON_OK : pmon_sqlite_failure(log, rc, err);
}

// Report deleted rows of a sample.
static void
check_values(struct sqlog *log, int64_t sample, int64_t want, uint64_t got)
{
	if (want > 0 && (uint64_t)want > got)
		pmon_report_loss(
			&log->report, 0, 0, "CounterData, sample %lld: missing rows: %llu of %lld",
			(long long)sample, (unsigned long long)want - got, (long long)want);
}

// Read all rows of one sample. *good is false if it cannot be returned.
static enum pmon_status
take_sample(struct sqlog *log, bool *good, struct pmon_err *err)
{
	struct key key = key_of(log, log->rows);
	struct key next = key;
	int64_t want = log->exact ? sqlite3_column_int64(log->rows, R_N_VALUES) : 0;
	uint64_t before = log->n_values;
	enum pmon_status status = PMON_OK;

	log->report.here++;
	if (log->exact)
		status = begin_exact(log, log->rows, good, err);
	else
		*good = begin_pdh(log, log->rows);
	while (status == PMON_OK && log->has_row && same_key(&key, &next)) {
		if (*good)
			status = take_value(log, log->rows, err);
		else
			log->n_values += sqlite3_column_type(log->rows, R_COUNTER) != SQLITE_NULL;
		if (status == PMON_OK)
			status = step(log, err);
		if (status == PMON_OK && log->has_row)
			next = key_of(log, log->rows);
	}
	if (status == PMON_OK && *good)
		check_values(log, key.number, want, log->n_values - before);
	return status;
}

// Update the progress: in exact logs, samples are numbered.
static void
note_progress(struct sqlog *log, int64_t sample)
{
	struct pmon_source_info *info = &log->source.info;
	double part = log->last_id > 0 ? (double)sample / (double)log->last_id : 0;

	if (log->done)
		info->bytes_read = info->size_bytes;
	else if (part > 0 && part < 1)
		info->bytes_read = (uint64_t)(part * (double)info->size_bytes);
}

enum pmon_status
pmon_sqlite_rows_next(struct sqlog *log, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool good = false;

	while (status == PMON_OK && !good) {
		int64_t number;

		if (!log->has_row && !log->done)
			status = step(log, err);
		if (status == PMON_OK && !log->has_row && !log->is_checked) {
			log->is_checked = true;
			status = pmon_sqlite_missing(log, err);
		}
		if (status != PMON_OK || !log->has_row)
			return status == PMON_OK ? PMON_END : status;
		number = sqlite3_column_int64(log->rows, R_SAMPLE);
		status = take_sample(log, &good, err);
		note_progress(log, number);
	}
	return status;
}

enum pmon_status
pmon_sqlite_rows_begin(struct sqlog *log, struct pmon_err *err)
{
	const char *query = !log->exact ? pmon_sqlite_sql_rows_pdh
			    : log->cut  ? pmon_sqlite_sql_rows_cut
					: exact_queries[log->tells_values];

	if (!log->exact && log->n_sets == 0) {
		enum pmon_status status = load_sets(log, err);

		if (status != PMON_OK)
			return status;
	}
	for (size_t i = 0; i < log->n_sets; i++)
		log->sets[i].ordinal = 0;
	log->has_row = false;
	log->done = false;
	log->is_checked = false;
	log->n_values = 0;
	log->unnamed = (struct sqlog_unnamed){.n = 0};
	log->gather.sample = (struct pmon_sample){.n = 0};
	if (log->rows == NULL)
		return pmon_sqlite_prepare(log, query, &log->rows, err);
	(void)sqlite3_reset(log->rows);
	// A damaged page is detected when it is read, not when it is found in the cache, and each
	// pass must detect it.
	(void)sqlite3_db_release_memory(log->db);
	return PMON_OK;
}
