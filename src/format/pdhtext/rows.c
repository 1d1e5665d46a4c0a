// rows.c - tables and JSON with a row for each value, as written by `Get-Counter | Export-Csv` or dotnet-counters
// SPDX-License-Identifier: MIT
//
// The names of the columns say what they are; their order and further columns do not matter. A counter is a path, or a
// machine, an object, an instance and a counter. A value is what was displayed, or the raw value with its type, of which
// averages are exact. In JSON an object is a row, and its keys are the names. Rows form a sample as long as their times are close and no counter repeats.

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"
#include "model/gather.h"
#include "model/zone_rules.h"

#define LINE_MOST   ((size_t)1 << 20)
#define CLOSE_100NS (50 * PMON_TIME_PER_MSEC) // times of one sample lie this close
#define LOOK_LINES  1000                      // for the order of day and month

// ---- Columns --------------------------------------------------------------------------------

enum column {
	C_TIME,
	C_FILETIME, // local, in 100 ns since 1601
	C_PATH,
	C_MACHINE,
	C_OBJECT,
	C_INSTANCE,
	C_COUNTER,
	C_VALUE,
	C_TYPE,
	C_RAW,
	C_SECOND,
	C_MULTI,
	C_TIME_BASE,
	C_STATUS,
	COLUMNS
};

// Names without blanks and underscores.
static const struct {
	const char *name;
	enum column column;
} names[] = {
	{"Timestamp", C_TIME},
	{"Time", C_TIME},
	{"DateTime", C_TIME},
	{"Date", C_TIME},
	{"SampleTime", C_TIME},
	{"CounterDateTime", C_TIME},
	{"TimeGenerated", C_TIME},
	{"Timestamp100NSec", C_FILETIME},
	{"Path", C_PATH},
	{"CounterPath", C_PATH},
	{"Computer", C_MACHINE},
	{"ComputerName", C_MACHINE},
	{"Machine", C_MACHINE},
	{"MachineName", C_MACHINE},
	{"Host", C_MACHINE},
	{"Server", C_MACHINE},
	{"Object", C_OBJECT},
	{"ObjectName", C_OBJECT},
	{"Category", C_OBJECT},
	{"CategoryName", C_OBJECT},
	{"Instance", C_INSTANCE},
	{"InstanceName", C_INSTANCE},
	{"Counter", C_COUNTER},
	{"CounterName", C_COUNTER},
	{"Name", C_COUNTER},
	{"CookedValue", C_VALUE},
	{"Value", C_VALUE},
	{"CounterValue", C_VALUE},
	{"CounterType", C_TYPE},
	{"RawValue", C_RAW},
	{"SecondValue", C_SECOND},
	{"MultipleCount", C_MULTI},
	{"TimeBase", C_TIME_BASE},
	{"Status", C_STATUS},
	{"Provider", C_OBJECT}, // dotnet-counters
	{"Mean/Increment", C_VALUE},
	{"Tags", C_INSTANCE},
};

#define MOST_FIELDS 64 // of a row; further ones are not read

struct layout {
	char separator;
	bool has[COLUMNS];
	uint8_t column[MOST_FIELDS]; // of each field; COLUMNS: none that is read
	size_t n;                    // fields up to the last one that is read
	bool is_raw;
	bool is_json;
};

static int
column_of(struct pmon_span text)
{
	char name[32];
	struct pmon_text out = pmon_text_init(name, sizeof(name));

	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != ' ' && text.ptr[i] != '_')
			pmon_text_char(&out, text.ptr[i]);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (pmon_text_same((struct pmon_span){name, strlen(name)},
				   (struct pmon_span){names[i].name, strlen(names[i].name)}))
			return (int)names[i].column;
	return -1;
}

static bool
has(const struct layout *layout, enum column column)
{
	return layout->has[column];
}

static bool
is_json(struct pmon_span text)
{
	while (text.len > 0 && strchr(" \t\r\n", text.ptr[0]) != NULL && text.ptr[0] != '\0')
		text = (struct pmon_span){text.ptr + 1, text.len - 1};
	return text.len > 0 && (text.ptr[0] == '{' || text.ptr[0] == '[');
}

// A line without its end, and without a byte order mark.
static struct pmon_span
bare(struct pmon_span line)
{
	if (line.len >= 3 && memcmp(line.ptr, "\xEF\xBB\xBF", 3) == 0)
		line = (struct pmon_span){line.ptr + 3, line.len - 3};
	while (line.len > 0 && (line.ptr[line.len - 1] == '\n' || line.ptr[line.len - 1] == '\r'))
		line.len--;
	return pmon_pdht_trim(line);
}

// Are these the columns of such a table?
static bool
settle_layout(struct layout *out)
{
	out->is_raw = has(out, C_RAW) && has(out, C_TYPE);
	return (has(out, C_TIME) || has(out, C_FILETIME)) &&
	       (has(out, C_PATH) || (has(out, C_OBJECT) && has(out, C_COUNTER))) &&
	       (has(out, C_VALUE) || out->is_raw);
}

// The columns of a header. False if they are not those of such a table.
static bool
read_header(struct pmon_span line, struct layout *out)
{
	struct pdht_row row = {.ptr = line.ptr, .len = line.len};
	struct pdht_fields fields;
	struct pdht_field field;

	*out = (struct layout){.separator = ','};
	memset(out->column, COLUMNS, sizeof(out->column));
	for (const char *c = ";\t"; *c != '\0'; c++)
		if (memchr(line.ptr, ',', line.len) == NULL &&
		    memchr(line.ptr, *c, line.len) != NULL)
			out->separator = *c;
	fields = pdht_fields(&row, out->separator, false);
	for (size_t n = 0; n < MOST_FIELDS && pmon_pdht_field_next(&fields, &field); n++) {
		int column = column_of(pmon_pdht_trim(field.text));

		if (column < 0 || out->has[column])
			continue;
		out->has[column] = true;
		out->column[n] = (uint8_t)column;
		out->n = n + 1;
	}
	return settle_layout(out);
}

// The same of an object, which is changed.
static bool
read_keys(char *object, size_t len, struct layout *out)
{
	struct pmon_span key;
	struct pmon_span value;
	size_t at = 0;

	*out = (struct layout){.is_json = true};
	while (pmon_pdht_member_next(object, len, &at, &key, &value)) {
		int column = column_of(key);

		if (column >= 0)
			out->has[column] = true;
	}
	return settle_layout(out);
}

// ---- The log --------------------------------------------------------------------------------

struct counter {
	struct pmon_span path; // in the arena
	uint32_t type;
	uint32_t series; // PMON_SERIES_NONE: not wanted
};

struct value {
	pmon_time time;
	uint32_t series;
	struct pmon_raw raw;
	bool has_value;
};

struct rows {
	struct pmon_source source; // first
	const struct pmon_allocator *allocator;
	struct pmon_limits limits;
	pmon_want_fn want;
	void *want_ctx;
	struct pdht_input input;
	struct pdht_braces braces; // of JSON
	struct pmon_span rest;     // ... of its line
	char *object;              // ... the current one
	size_t n_object;
	size_t object_cap;
	struct pmon_report report;
	struct pmon_arena arena;
	struct pmon_gather gather;
	struct layout layout;
	struct pmon_span header; // in the arena
	enum pdht_order order;
	struct pdht_clock clock; // of times without a zone
	bool has_zone;           // given by the caller
	bool is_zoned;           // times have offsets
	struct counter *counters;
	size_t n_counters;
	size_t counters_cap;
	struct pmon_map map;
	uint64_t seed;
	char *scratch; // for paths
	size_t scratch_cap;
	struct value next;
	bool has_next;
	uint64_t n_samples;
	struct pdht_tally bad; // rows that could not be read
};

// ---- Cells ----------------------------------------------------------------------------------

// The cells of a row that have a meaning.
struct cells {
	struct pmon_span at[COLUMNS];
};

static bool
split_line(const struct rows *rows, struct pmon_span line, struct cells *out)
{
	struct pdht_row row = {.ptr = line.ptr, .len = line.len};
	struct pdht_fields fields = pdht_fields(&row, rows->layout.separator, false);
	struct pdht_field field = {.is_open = false};
	size_t n;

	for (n = 0; n < rows->layout.n && pmon_pdht_field_next(&fields, &field); n++)
		if (rows->layout.column[n] < COLUMNS)
			out->at[rows->layout.column[n]] = pmon_pdht_trim(field.text);
	return n == rows->layout.n && !field.is_open;
}

static bool
split_object(const struct rows *rows, struct cells *out)
{
	struct pmon_span key;
	struct pmon_span value;
	size_t at = 0;

	while (pmon_pdht_member_next(rows->object, rows->n_object, &at, &key, &value)) {
		int column = column_of(key);

		if (column >= 0)
			out->at[column] = value;
	}
	return true;
}

// False if the row is not whole.
static bool
split(const struct rows *rows, struct pmon_span line, struct cells *out)
{
	*out = (struct cells){{{NULL, 0}}};
	return rows->layout.is_json ? split_object(rows, out) : split_line(rows, line, out);
}

// "/Date(1772010000000)/", in milliseconds since 1970, which may be followed by an offset that changes nothing.
static bool
read_date(struct pmon_span text, pmon_time *out)
{
	struct pmon_scan s = pmon_scan_init(text);
	uint64_t ms;

	for (const char *c = "/Date("; *c != '\0'; c++)
		if (!pmon_scan_take(&s, *c))
			return false;
	if (!pmon_scan_u64(&s, &ms) || ms > INT64_MAX / PMON_TIME_PER_MSEC / 2)
		return false;
	*out = PMON_TIME_EARLIEST + (pmon_time)ms * PMON_TIME_PER_MSEC;
	return true;
}

static pmon_time
utc_of(struct rows *rows, pmon_time local)
{
	struct pdht_clock *clock = &rows->clock;

	if (clock->zone != NULL)
		(void)pmon_pdht_clock_take(clock, local, false);
	return local - clock->offset_min * PMON_TIME_PER_MIN;
}

static bool
take_utc(struct rows *rows, pmon_time utc)
{
	if (pmon_time_is_sane(utc) && rows->clock.zone != NULL)
		rows->clock.offset_min = pmon_zone_offset_at(rows->clock.zone, utc);
	return pmon_time_is_sane(utc);
}

static bool
read_time(struct rows *rows, const struct cells *cells, pmon_time *out)
{
	struct pdht_stamp stamp;
	bool has_stamp = pmon_pdht_stamp_read(cells->at[C_TIME], &stamp);
	int64_t local;

	if (read_date(cells->at[C_TIME], out))
		return take_utc(rows, *out);
	*out = stamp.utc;
	if (has_stamp && stamp.is_zoned)
		return take_utc(rows, *out);
	if (!pmon_num_parse_i64(cells->at[C_FILETIME], &local) || !pmon_time_is_sane(local)) {
		if (!has_stamp)
			return false;
		local = pmon_pdht_stamp_local(&stamp, rows->order);
		if (!pmon_time_is_sane(local))
			return false;
	}
	*out = utc_of(rows, local);
	return pmon_time_is_sane(*out);
}

static void
append(struct rows *rows, size_t *n, const char *text, size_t len)
{
	memcpy(rows->scratch + *n, text, len);
	*n += len;
}

// A path in scratch, of its parts where the table has those. False when memory is short.
static bool
build_path(struct rows *rows, const struct cells *cells, struct pmon_span *out)
{
	const struct pmon_span *at = cells->at;
	size_t need = at[C_PATH].len + at[C_MACHINE].len + at[C_OBJECT].len + at[C_INSTANCE].len +
		      at[C_COUNTER].len + sizeof("\\\\\\()\\");
	size_t n = 0;

	if (!pmon_mem_grow(rows->allocator, &rows->scratch, &rows->scratch_cap, need, 1))
		return false;
	if (has(&rows->layout, C_PATH)) {
		append(rows, &n, at[C_PATH].ptr != NULL ? at[C_PATH].ptr : "", at[C_PATH].len);
	} else {
		if (at[C_MACHINE].len > 0) {
			append(rows, &n, "\\\\", 2);
			append(rows, &n, at[C_MACHINE].ptr, at[C_MACHINE].len);
		}
		append(rows, &n, "\\", 1);
		append(rows, &n, at[C_OBJECT].ptr != NULL ? at[C_OBJECT].ptr : "",
		       at[C_OBJECT].len);
		if (at[C_INSTANCE].len > 0) {
			append(rows, &n, "(", 1);
			append(rows, &n, at[C_INSTANCE].ptr, at[C_INSTANCE].len);
			append(rows, &n, ")", 1);
		}
		append(rows, &n, "\\", 1);
		append(rows, &n, at[C_COUNTER].ptr != NULL ? at[C_COUNTER].ptr : "",
		       at[C_COUNTER].len);
	}
	*out = (struct pmon_span){rows->scratch, n};
	return true;
}

static bool
read_u32(struct pmon_span text, uint32_t *out)
{
	uint64_t number;

	if (!pmon_num_parse_u64(text, &number) || number > UINT32_MAX)
		return false;
	*out = (uint32_t)number;
	return true;
}

// A raw value and its counter.
static bool
read_raw(const struct cells *cells, struct pmon_raw *raw, struct pmon_counter *counter)
{
	struct pmon_type_fields fields;
	uint32_t pdh = 0;

	if (cells->at[C_RAW].len == 0 ||
	    pmon_type_parse(cells->at[C_TYPE], &counter->type) == PMON_TYPE_FORM_NONE ||
	    !pmon_num_parse_i64(cells->at[C_RAW], &raw->first))
		return false;
	pmon_type_decode(counter->type, &fields);
	counter->size_bytes = fields.size == 0 ? 4 : 8; // DWORD
	(void)pmon_num_parse_i64(cells->at[C_SECOND], &raw->second);
	(void)pmon_num_parse_i64(cells->at[C_TIME_BASE], &counter->time_base);
	raw->multi = 1;
	(void)read_u32(cells->at[C_MULTI], &raw->multi);
	(void)read_u32(cells->at[C_STATUS], &pdh);
	raw->status = pdh;
	pmon_raw_zero_extend(counter, raw);
	return true;
}

// A displayed value: its bits.
static bool
read_displayed(const struct cells *cells, struct pmon_raw *raw, struct pmon_counter *counter)
{
	double number;

	*counter = (struct pmon_counter){.type = PMON_PERF_DOUBLE_RAW, .size_bytes = 8};
	if (pmon_pdht_number(cells->at[C_VALUE], '.', &number) != PDHT_NUMBER &&
	    pmon_pdht_number_grouped(cells->at[C_VALUE], ',', &number) != PDHT_NUMBER)
		return false;
	pmon_source_raw_of(&number, 1, raw->time, raw);
	return true;
}

// ---- Counters -------------------------------------------------------------------------------

static enum pmon_status
add_series(struct rows *rows, const struct pmon_path *path, const struct pmon_counter *counter,
	   uint32_t *out, struct pmon_err *err)
{
	struct pmon_schema *schema = &rows->source.schema;
	uint32_t word;
	bool is_known;
	enum pmon_status status;

	*out = PMON_SERIES_NONE;
	if (rows->want != NULL && !rows->want(rows->want_ctx, path))
		return PMON_OK;
	status = pmon_schema_add(schema, path, counter, rows->n_counters,
				 rows->limits.wanted_series, out);
	if (status != PMON_OK)
		return pmon_schema_refuse(status, rows->limits.wanted_series, err);
	if (counter->type != PMON_PERF_DOUBLE_RAW)
		return PMON_OK;
	is_known = pmon_pdht_known_type(&(struct pdht_types){.n = 0}, schema->list[*out], &word);
	pmon_schema_set_formatted(schema, *out, is_known ? &word : NULL);
	return PMON_OK;
}

static enum pmon_status
add_counter(struct rows *rows, struct pmon_span text, const struct pmon_path *path,
	    const struct pmon_counter *counter, uint64_t hash, uint32_t *out, struct pmon_err *err)
{
	struct counter added = {.type = counter->type};
	struct pmon_source_info *info = &rows->source.info;
	enum pmon_status status;

	if (rows->n_counters >= rows->limits.series)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu counters",
				    rows->limits.series);
	status = add_series(rows, path, counter, &added.series, err);
	if (status != PMON_OK)
		return status;
	if (!pmon_arena_copy(&rows->arena, text, &added.path) ||
	    !pmon_mem_grow(rows->allocator, &rows->counters, &rows->counters_cap,
			   rows->n_counters + 1, sizeof(*rows->counters)) ||
	    !pmon_map_put(&rows->map, rows->allocator, hash, (uint32_t)rows->n_counters))
		return pmon_err_nomem(err);
	rows->counters[rows->n_counters++] = added;
	*out = added.series;
	if (info->machine[0] == '\0' && path->machine.len > 0) {
		struct pmon_span machine;

		if (!pmon_arena_copy(&rows->arena, path->machine, &machine))
			return pmon_err_nomem(err);
		info->machine = machine.ptr;
	}
	return PMON_OK;
}

// The series of a row. PMON_E_FORMAT: it has no counter path.
static enum pmon_status
find_series(struct rows *rows, const struct cells *cells, const struct pmon_counter *counter,
	    uint32_t *out, struct pmon_err *err)
{
	struct pmon_span text;
	struct pmon_path path;
	uint64_t hash;
	size_t at = 0;
	uint32_t i;

	if (!build_path(rows, cells, &text))
		return pmon_err_nomem(err);
	hash = pmon_map_mix(pmon_map_mix_bytes(rows->seed, text.ptr, text.len), counter->type);
	while ((i = pmon_map_next(&rows->map, hash, &at)) != PMON_MAP_NONE)
		if (rows->counters[i].type == counter->type &&
		    rows->counters[i].path.len == text.len &&
		    memcmp(rows->counters[i].path.ptr, text.ptr, text.len) == 0) {
			*out = rows->counters[i].series;
			return PMON_OK;
		}
	if (text.len > rows->limits.string_bytes || !pmon_path_parse(text, &path, NULL))
		return PMON_E_FORMAT;
	return add_counter(rows, text, &path, counter, hash, out, err);
}

// ---- Rows -----------------------------------------------------------------------------------

static void
count_bad(struct rows *rows, const struct pdht_row *row)
{
	if (rows->report.here <= rows->report.seen)
		return;
	if (rows->bad.n++ == 0) {
		rows->bad.offset = row->offset;
		rows->bad.line = row->line;
	}
	rows->bad.bytes += row->bytes;
}

static void
report_bad(struct rows *rows)
{
	if (rows->bad.n > 0)
		pmon_report_loss(&rows->report, rows->bad.offset, rows->bad.bytes,
				 "%llu %s; the first is line %llu", (unsigned long long)rows->bad.n,
				 pmon_text_word(rows->bad.n,
						"row has no readable time, counter or value",
						"rows have no readable time, counter or value"),
				 (unsigned long long)rows->bad.line);
	rows->bad.n = 0;
}

// PMON_E_FORMAT: the row cannot be read.
static enum pmon_status
read_row(struct rows *rows, const struct cells *cells, struct value *out, struct pmon_err *err)
{
	struct pmon_counter counter = {.type = 0};

	*out = (struct value){.series = PMON_SERIES_NONE};
	if (!read_time(rows, cells, &out->time))
		return PMON_E_FORMAT;
	out->raw.time = out->time;
	if (rows->layout.is_raw)
		out->has_value = read_raw(cells, &out->raw, &counter);
	else
		out->has_value = read_displayed(cells, &out->raw, &counter);
	if (!out->has_value)
		return cells->at[rows->layout.is_raw ? C_RAW : C_VALUE].len == 0 ? PMON_OK
										 : PMON_E_FORMAT;
	return find_series(rows, cells, &counter, &out->series, err);
}

// Continue with the rest of a line of JSON. *is_whole is set when rows->object is one.
static enum pmon_status
take_object(struct rows *rows, bool *is_whole, struct pmon_err *err)
{
	*is_whole = false;
	while (rows->rest.len > 0 && !*is_whole) {
		char c = *rows->rest.ptr++;
		enum pdht_brace brace = pmon_pdht_brace(&rows->braces, c);

		rows->rest.len--;
		*is_whole = brace == PDHT_BRACE_CLOSES && rows->n_object < LINE_MOST;
		if (brace == PDHT_BRACE_OPENS)
			rows->n_object = 0;
		if (brace != PDHT_BRACE_NONE || !rows->braces.is_open ||
		    rows->n_object >= LINE_MOST)
			continue;
		if (!pmon_mem_grow(rows->allocator, &rows->object, &rows->object_cap,
				   rows->n_object + 1, 1))
			return pmon_err_nomem(err);
		rows->object[rows->n_object++] = c;
	}
	return PMON_OK;
}

// The next line or object. PMON_E_LIMIT: it is too long. PMON_E_FORMAT: the input ends inside of it.
static enum pmon_status
next_text(struct rows *rows, struct pdht_row *row, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool is_whole = false;

	for (;;) {
		if (rows->layout.is_json)
			status = take_object(rows, &is_whole, err);
		if (status != PMON_OK || is_whole)
			break;
		status = pmon_pdht_input_row(&rows->input, row, err);
		if (status != PMON_OK)
			break;
		rows->report.here = row->line;
		rows->source.info.bytes_read = row->offset + row->bytes;
		if (!rows->layout.is_json)
			return PMON_OK;
		rows->rest = (struct pmon_span){row->ptr, row->len};
	}
	if (status == PMON_END && rows->braces.is_open) {
		rows->braces.is_open = false;
		return PMON_E_FORMAT;
	}
	row->ptr = rows->object;
	row->len = rows->n_object;
	return status;
}

// Is it a line that PowerShell writes before the header, or the header again?
static bool
is_passed(const struct rows *rows, struct pmon_span text)
{
	return text.len == 0 || text.ptr[0] == '#' ||
	       (text.len == rows->header.len && memcmp(text.ptr, rows->header.ptr, text.len) == 0);
}

// Read a row. PMON_E_FORMAT: it cannot be read. *is_row is false for lines and objects of other kinds.
static enum pmon_status
take_row(struct rows *rows, const struct pdht_row *row, bool *is_row, struct pmon_err *err)
{
	struct pmon_span text = bare((struct pmon_span){row->ptr, row->len});
	struct cells cells;
	bool is_whole;

	*is_row = rows->layout.is_json || !is_passed(rows, text);
	if (!*is_row)
		return PMON_OK;
	is_whole = split(rows, text, &cells);
	if (rows->layout.is_json)
		*is_row = cells.at[C_PATH].len > 0 || cells.at[C_COUNTER].len > 0;
	else if (!row->is_ended && text.ptr[text.len - 1] != '"')
		pmon_report_remark(
			&rows->report, row->offset,
			"the last line has no line terminator; its last value may be truncated");
	if (!*is_row)
		return PMON_OK;
	return is_whole ? read_row(rows, &cells, &rows->next, err) : PMON_E_FORMAT;
}

static enum pmon_status
next_value(struct rows *rows, struct pmon_err *err)
{
	struct pdht_row row = {.ptr = ""};
	bool is_row = false;
	enum pmon_status status;

	for (;;) {
		status = next_text(rows, &row, err);
		if (status == PMON_OK)
			status = take_row(rows, &row, &is_row, err);
		if (status == PMON_E_LIMIT || status == PMON_E_FORMAT)
			count_bad(rows, &row);
		else if (status != PMON_OK || is_row)
			return status;
	}
}

// ---- Samples --------------------------------------------------------------------------------

static bool
belongs(const struct rows *rows)
{
	int64_t apart = rows->next.time - rows->gather.sample.time;
	uint32_t series = rows->next.series;

	return apart < CLOSE_100NS && apart > -CLOSE_100NS &&
	       (series == PMON_SERIES_NONE || !pmon_gather_has(&rows->gather, series));
}

static enum pmon_status
rows_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct rows *rows = (struct rows *)source;
	enum pmon_status status = rows->has_next ? PMON_OK : next_value(rows, err);
	struct pmon_sample head = {.time = rows->next.time,
				   .ordinal = rows->n_samples,
				   .utc_offset_min = rows->clock.offset_min};

	if (status == PMON_END)
		report_bad(rows);
	if (status != PMON_OK)
		return status;
	rows->n_samples++;
	pmon_gather_begin(&rows->gather, &head);
	do {
		if (rows->next.series != PMON_SERIES_NONE)
			status = pmon_gather_add(&rows->gather, rows->next.series, &rows->next.raw,
						 err);
		if (status == PMON_OK)
			status = next_value(rows, err);
		rows->has_next = status == PMON_OK;
	} while (status == PMON_OK && belongs(rows));
	if (status != PMON_OK && status != PMON_END)
		return status;
	*sample = &rows->gather.sample;
	return PMON_OK;
}

static enum pmon_status
rows_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct rows *rows = (struct rows *)source;

	(void)err;
	pmon_report_rewind(&rows->report);
	pmon_pdht_input_rewind(&rows->input);
	rows->rest.len = 0;
	rows->braces = (struct pdht_braces){.is_open = false};
	rows->has_next = false;
	rows->clock.has_last = false;
	rows->n_samples = 0;
	rows->bad = (struct pdht_tally){.n = 0};
	return PMON_OK;
}

// ---- Opening and closing --------------------------------------------------------------------

static void
rows_close(struct pmon_source *source)
{
	struct rows *rows = (struct rows *)source;
	const struct pmon_allocator *allocator = rows->allocator;

	pmon_file_close(rows->input.file);
	pmon_pdht_input_close(&rows->input);
	pmon_mem_free(allocator, rows->object, rows->object_cap);
	pmon_mem_free(allocator, rows->counters, rows->counters_cap * sizeof(*rows->counters));
	pmon_mem_free(allocator, rows->scratch, rows->scratch_cap);
	pmon_map_free(&rows->map, allocator);
	pmon_gather_free(&rows->gather);
	pmon_schema_free(&rows->source.schema);
	pmon_arena_free(&rows->arena);
	pmon_mem_free(allocator, rows, sizeof(*rows));
}

// Look at the first dates: which of their numbers is the day?
static void
see_order(struct rows *rows, struct pmon_span line, bool *is_clear)
{
	struct pdht_stamp stamp;
	struct cells cells;
	pmon_time utc;

	(void)split(rows, line, &cells);
	rows->is_zoned = rows->is_zoned || read_date(cells.at[C_TIME], &utc) ||
			 (pmon_pdht_stamp_read(cells.at[C_TIME], &stamp) && stamp.is_zoned);
	if (!pmon_pdht_stamp_read(cells.at[C_TIME], &stamp) || stamp.is_zoned || stamp.is_clear) {
		*is_clear =
			*is_clear || rows->is_zoned || cells.at[C_TIME].len == 0 || stamp.is_clear;
		return;
	}
	if (stamp.first > 12 || (stamp.separator == '.' && stamp.second <= 12))
		rows->order = PDHT_DAY_FIRST;
	*is_clear = *is_clear || stamp.first > 12 || stamp.second > 12;
}

// A line that is not UTF-8 shows the code page, and reading begins again.
static enum pmon_status
settle_code_page(struct rows *rows, const struct pdht_row *row, struct pmon_err *err)
{
	const struct pdht_code_page *page =
		pmon_pdht_guess_code_page((struct pmon_span){row->ptr, row->len}, rows->allocator);
	enum pmon_status status;

	if (page == NULL)
		return pmon_err_nomem(err);
	status = pmon_pdht_input_encoding(&rows->input, page->name, err);
	if (status == PMON_OK)
		pmon_report_remark(&rows->report, row->offset,
				   "the text is not UTF-8; treating it as %s (%s); use --encoding "
				   "to select another one",
				   page->name, page->what);
	return status == PMON_E_ARG ? PMON_OK : status;
}

// Is it the header, or an object that shows the keys?
static bool
is_layout(struct rows *rows, const struct pdht_row *row)
{
	struct pmon_span text = bare((struct pmon_span){row->ptr, row->len});

	if (rows->layout.is_json)
		return read_keys(rows->object, rows->n_object, &rows->layout);
	return read_header(text, &rows->layout);
}

// From the header on. PMON_END: the lines ended before it.
static enum pmon_status
look_at_lines(struct rows *rows, bool *is_clear, bool is_known, struct pmon_err *err)
{
	struct pdht_row row = {.ptr = ""};
	enum pmon_status status = PMON_OK;

	for (int n = 0; status == PMON_OK && n < LOOK_LINES; n++) {
		struct pmon_span text;

		status = next_text(rows, &row, err);
		if (status == PMON_E_LIMIT || status == PMON_E_FORMAT)
			status = PMON_OK;
		if (status != PMON_OK)
			break;
		text = bare((struct pmon_span){row.ptr, row.len});
		if (!is_known && rows->input.decoder.form == PDHT_BYTES && !pmon_utf8_valid(text)) {
			status = settle_code_page(rows, &row, err);
			is_known = true;
			rows->header.len = 0;
			(void)rows_rewind(&rows->source, NULL);
		} else if (rows->header.len > 0) {
			see_order(rows, text, is_clear);
		} else if (is_layout(rows, &row) &&
			   !pmon_arena_copy(&rows->arena, text, &rows->header)) {
			return pmon_err_nomem(err);
		}
	}
	return status;
}

static enum pmon_status
look_ahead(struct rows *rows, bool has_encoding, struct pmon_err *err)
{
	bool is_clear = false;
	enum pmon_status status;

	rows->report.here = 1;
	status = look_at_lines(rows, &is_clear, has_encoding, err);
	if (status != PMON_OK && status != PMON_END)
		return status;
	if (rows->header.len == 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "a table without a header");
	rows->report.here = 1;
	pmon_report_remark(&rows->report, 0, "%s for each value%s",
			   rows->layout.is_json ? "JSON with an object" : "a table with a row",
			   rows->has_zone || rows->is_zoned
				   ? ""
				   : "; treating its times as UTC; use --log-zone to "
				     "specify its time zone");
	if (!is_clear && !has(&rows->layout, C_FILETIME))
		pmon_report_remark(
			&rows->report, 0, "dates are read as %s: nothing shows the order",
			rows->order == PDHT_DAY_FIRST ? "day/month/year" : "month/day/year");
	return rows_rewind(&rows->source, err);
}

// The first sample names the first counters and the machine.
static enum pmon_status
name_counters(struct rows *rows, struct pmon_err *err)
{
	struct pmon_report report = rows->report;
	const struct pmon_sample *sample;
	enum pmon_status status = PMON_OK;

	rows->report.notice = NULL;
	while (status == PMON_OK && rows->n_counters == 0)
		status = rows_next(&rows->source, &sample, err);
	if (rows->clock.zone != NULL)
		rows->source.info.utc_offset_min = rows->gather.sample.utc_offset_min;
	(void)rows_rewind(&rows->source, NULL);
	rows->report = report;
	rows->source.info.losses = rows->source.info.bytes_lost = rows->source.info.bytes_read = 0;
	return status == PMON_END ? PMON_OK : status;
}

// Find the encoding, and whether it is JSON: its first character is a brace or a bracket.
static enum pmon_status
begin(struct rows *rows, const char *encoding, struct pmon_err *err)
{
	struct pdht_row row = {.ptr = ""};
	enum pmon_status status = pmon_pdht_input_open(&rows->input, encoding, err);

	while (status == PMON_OK && pmon_pdht_trim((struct pmon_span){row.ptr, row.len}).len == 0)
		status = pmon_pdht_input_row(&rows->input, &row, err);
	if (status == PMON_OK)
		rows->layout.is_json = is_json((struct pmon_span){row.ptr, row.len});
	rows->source.info.format = rows->layout.is_json ? "JSON rows" : "CSV rows";
	(void)rows_rewind(&rows->source, NULL);
	return status == PMON_END || status == PMON_E_LIMIT ? PMON_OK : status;
}

static enum pmon_status
rows_open(struct pmon_source *source, const struct pmon_log_files *files,
	  const struct pmon_log_options *options, struct pmon_err *err)
{
	struct rows *rows = (struct rows *)source;
	const struct pmon_zone *zone;
	enum pmon_status status;

	rows->allocator = pmon_mem_allocator(options->allocator);
	rows->limits = pmon_limits_filled(&options->limits);
	rows->want = options->want;
	rows->want_ctx = options->want_ctx;
	rows->seed = pmon_hash_seed();
	rows->input.file = files->file;
	rows->input.allocator = rows->allocator;
	rows->input.max_row = rows->limits.record_bytes;
	source->info.size_bytes = pmon_file_size(files->file);
	rows->has_zone = options->has_zone || options->zone != NULL;
	pmon_format_report(&rows->report, source, options);
	pmon_arena_init(&rows->arena, rows->allocator);
	pmon_gather_init(&rows->gather, rows->allocator);
	status = pmon_pdht_given_zone(options, &zone, err);
	if (status != PMON_OK)
		return status;
	source->info.utc_offset_min = options->has_zone ? options->zone_offset_min : 0;
	pmon_pdht_clock_start(&rows->clock, source->info.utc_offset_min, zone);
	status = begin(rows, options->encoding, err);
	if (status == PMON_OK)
		status = look_ahead(rows, options->encoding != NULL, err);
	return status == PMON_OK ? name_counters(rows, err) : status;
}

// ---- Recognising ----------------------------------------------------------------------------

// Does the text have an object with the keys of a row?
static bool
has_object(char *text, size_t len)
{
	struct pdht_braces braces = {.is_open = false};
	struct layout layout;
	size_t start = 0;

	for (size_t i = 0; i < len; i++) {
		enum pdht_brace brace = pmon_pdht_brace(&braces, text[i]);

		if (brace == PDHT_BRACE_OPENS)
			start = i + 1;
		else if (brace == PDHT_BRACE_CLOSES && read_keys(text + start, i - start, &layout))
			return true;
	}
	return false;
}

// The first line that is neither empty nor a comment is a header.
static bool
has_header(const char *text, size_t len)
{
	struct layout layout;
	size_t start = 0;

	for (size_t i = 0; i < len; i++) {
		struct pmon_span line;

		if (text[i] != '\n' && text[i] != '\r')
			continue;
		line = bare((struct pmon_span){text + start, i - start});
		if (line.len > 0 && line.ptr[0] != '#')
			return read_header(line, &layout);
		start = i + 1;
	}
	return false;
}

static bool
probe(const uint8_t *head, size_t len)
{
	char text[PMON_PROBE_BYTES];
	size_t n = pmon_pdht_take_head(head, len < sizeof(text) ? len : sizeof(text), text);

	return is_json((struct pmon_span){text, n}) ? has_object(text, n) : has_header(text, n);
}

static const struct pmon_source_ops rows_ops = {rows_next, rows_rewind, rows_close};

const struct pmon_format pmon_format_rows = {
	.name = "rows",
	.probe = probe,
	.open = rows_open,
	.source_bytes = sizeof(struct rows),
	.ops = &rows_ops,
	.is_forward = true,
	.is_asked_last = true,
};
