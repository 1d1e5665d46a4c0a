// rows.c - tables and JSON with a row for each value, as written by `Get-Counter | Export-Csv` or dotnet-counters
// SPDX-License-Identifier: MIT
//
// The names of the columns say what they are; their order and further columns do not matter. A counter is a path, or a
// machine, an object, an instance and a counter. A value is what was displayed, or the raw value with its type, of which
// averages are exact. In JSON an object is a row, and its keys are the names. Rows form a sample as long as their times are close and no counter repeats.

#include "format/pdhtext/gathered.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"
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

struct value {
	pmon_time time;
	uint32_t series;
	struct pmon_raw raw;
	bool has_value;
};

struct rows {
	struct pdht_gathered base; // first
	struct pdht_row line;      // the last one that was read
	struct pdht_braces braces; // of JSON
	struct pmon_span rest;     // ... of its line
	char *object;              // ... the current one
	size_t n_object;
	size_t object_cap;
	struct layout layout;
	struct pmon_span header; // in the arena
	enum pdht_order order;
	bool is_zoned; // times have offsets
	struct value next;
	bool has_next;
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

static bool
take_utc(struct rows *rows, pmon_time utc)
{
	if (pmon_time_is_sane(utc) && rows->base.clock.zone != NULL)
		rows->base.clock.offset_min = pmon_zone_offset_at(rows->base.clock.zone, utc);
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
	}
	return pmon_pdht_gathered_utc(&rows->base, local, out);
}

static void
append(struct rows *rows, size_t *n, const char *text, size_t len)
{
	memcpy(rows->base.scratch + *n, text, len);
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

	if (!pmon_pdht_gathered_scratch(&rows->base, need))
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
	*out = (struct pmon_span){rows->base.scratch, n};
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

// The series of a row. PMON_E_FORMAT: it has no counter path.
static enum pmon_status
find_series(struct rows *rows, const struct cells *cells, const struct pmon_counter *counter,
	    uint32_t *out, struct pmon_err *err)
{
	struct pmon_span text;
	struct pmon_path path;
	uint64_t hash;

	if (!build_path(rows, cells, &text))
		return pmon_err_nomem(err);
	if (pmon_pdht_gathered_find(&rows->base, text, counter->type, &hash, out))
		return PMON_OK;
	if (text.len > rows->base.limits.string_bytes || !pmon_path_parse(text, &path, NULL))
		return PMON_E_FORMAT;
	if (!pmon_arena_copy(&rows->base.arena, text, &text))
		return pmon_err_nomem(err);
	return pmon_pdht_gathered_add(&rows->base, text, hash, &path, counter, out, err);
}

// ---- Rows -----------------------------------------------------------------------------------

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
		if (!pmon_mem_grow(rows->base.allocator, &rows->object, &rows->object_cap,
				   rows->n_object + 1, 1))
			return pmon_err_nomem(err);
		rows->object[rows->n_object++] = c;
	}
	return PMON_OK;
}

// The next line or object, which is a step. PMON_E_LIMIT: it is too long. PMON_E_FORMAT: the input ends inside of it.
static enum pmon_status
next_text(struct rows *rows, struct pdht_row *row, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool is_whole = false;

	rows->base.report.here++;
	for (;;) {
		if (rows->layout.is_json)
			status = take_object(rows, &is_whole, err);
		if (status != PMON_OK || is_whole)
			break;
		status = pmon_pdht_input_row(&rows->base.input, &rows->line, err);
		*row = rows->line;
		if (status != PMON_OK)
			break;
		rows->base.source.info.bytes_read = row->offset + row->bytes;
		if (!rows->layout.is_json)
			return PMON_OK;
		rows->rest = (struct pmon_span){row->ptr, row->len};
	}
	if (is_whole) {
		*row = rows->line;
		row->ptr = rows->object;
		row->len = row->bytes = rows->n_object;
	}
	if (status != PMON_END || !rows->braces.is_open)
		return status;
	rows->braces.is_open = false;
	return PMON_E_FORMAT;
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
	struct pmon_span text = pmon_pdht_bare((struct pmon_span){row->ptr, row->len});
	struct cells cells;
	bool is_whole;

	*is_row = rows->layout.is_json || !is_passed(rows, text);
	if (!*is_row)
		return PMON_OK;
	is_whole = split(rows, text, &cells);
	if (rows->layout.is_json)
		*is_row = cells.at[C_PATH].len > 0 || cells.at[C_COUNTER].len > 0;
	else if (text.ptr[text.len - 1] != '"')
		pmon_pdht_gathered_unended(&rows->base, row);
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
			pmon_pdht_gathered_bad(&rows->base, &row);
		else if (status != PMON_OK || is_row)
			return status;
	}
}

// ---- Samples --------------------------------------------------------------------------------

static bool
belongs(const struct rows *rows)
{
	int64_t apart = rows->next.time - rows->base.gather.sample.time;
	uint32_t series = rows->next.series;

	return apart < CLOSE_100NS && apart > -CLOSE_100NS &&
	       (series == PMON_SERIES_NONE || !pmon_gather_has(&rows->base.gather, series));
}

static enum pmon_status
rows_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct rows *rows = (struct rows *)source;
	enum pmon_status status = rows->has_next ? PMON_OK : next_value(rows, err);
	struct pmon_sample head = {.time = rows->next.time,
				   .ordinal = rows->base.n_samples,
				   .utc_offset_min = rows->base.clock.offset_min};

	if (status == PMON_END)
		pmon_pdht_gathered_end(&rows->base, "row has no readable time, counter or value",
				       "rows have no readable time, counter or value");
	if (status != PMON_OK)
		return status;
	rows->base.n_samples++;
	pmon_gather_begin(&rows->base.gather, &head);
	do {
		if (rows->next.series != PMON_SERIES_NONE)
			status = pmon_gather_add(&rows->base.gather, rows->next.series,
						 &rows->next.raw, err);
		if (status == PMON_OK)
			status = next_value(rows, err);
		rows->has_next = status == PMON_OK;
	} while (status == PMON_OK && belongs(rows));
	if (status != PMON_OK && status != PMON_END)
		return status;
	*sample = &rows->base.gather.sample;
	return PMON_OK;
}

// Read from the first line again.
static void
restart(struct rows *rows)
{
	pmon_pdht_input_rewind(&rows->base.input);
	rows->rest.len = 0;
	rows->braces = (struct pdht_braces){.is_open = false};
}

static enum pmon_status
rows_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct rows *rows = (struct rows *)source;

	(void)err;
	restart(rows);
	pmon_pdht_gathered_rewind(&rows->base);
	rows->has_next = false;
	return PMON_OK;
}

// ---- Opening and closing --------------------------------------------------------------------

static void
rows_close(struct pmon_source *source)
{
	struct rows *rows = (struct rows *)source;
	const struct pmon_allocator *allocator = rows->base.allocator;

	pmon_mem_free(allocator, rows->object, rows->object_cap);
	pmon_pdht_gathered_close(&rows->base);
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
	const struct pdht_code_page *page = pmon_pdht_guess_code_page(
		(struct pmon_span){row->ptr, row->len}, rows->base.allocator);
	enum pmon_status status;

	if (page == NULL)
		return pmon_err_nomem(err);
	status = pmon_pdht_input_encoding(&rows->base.input, page->name, err);
	if (status == PMON_OK)
		pmon_report_remark(&rows->base.report, row->offset,
				   "the text is not UTF-8; treating it as %s (%s); use --encoding "
				   "to select another one",
				   page->name, page->what);
	return status == PMON_E_ARG ? PMON_OK : status;
}

// Is it the header, or an object that shows the keys?
static bool
is_layout(struct rows *rows, const struct pdht_row *row)
{
	struct pmon_span text = pmon_pdht_bare((struct pmon_span){row->ptr, row->len});

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
		text = pmon_pdht_bare((struct pmon_span){row.ptr, row.len});
		if (!is_known && rows->base.input.decoder.form == PDHT_BYTES &&
		    !pmon_utf8_valid(text)) {
			status = settle_code_page(rows, &row, err);
			is_known = true;
			rows->header.len = 0;
			restart(rows);
		} else if (rows->header.len > 0) {
			see_order(rows, text, is_clear);
		} else if (is_layout(rows, &row) &&
			   !pmon_arena_copy(&rows->base.arena, text, &rows->header)) {
			return pmon_err_nomem(err);
		}
	}
	return status;
}

static enum pmon_status
look_ahead(struct rows *rows, bool has_encoding, struct pmon_err *err)
{
	bool is_clear = false;
	enum pmon_status status = look_at_lines(rows, &is_clear, has_encoding, err);

	if (status != PMON_OK && status != PMON_END)
		return status;
	if (rows->header.len == 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "a table without a header");
	rows->base.report.here = 1;
	pmon_pdht_gathered_tell(&rows->base,
				rows->layout.is_json ? "JSON with an object for each value"
						     : "a table with a row for each value",
				!rows->is_zoned);
	if (!is_clear && !has(&rows->layout, C_FILETIME))
		pmon_report_remark(
			&rows->base.report, 0, "dates are read as %s: nothing shows the order",
			rows->order == PDHT_DAY_FIRST ? "day/month/year" : "month/day/year");
	restart(rows);
	return PMON_OK;
}

// Find the encoding, and whether it is JSON: its first character is a brace or a bracket.
static enum pmon_status
begin(struct rows *rows, const char *encoding, struct pmon_err *err)
{
	struct pdht_row row = {.ptr = ""};
	enum pmon_status status = pmon_pdht_input_open(&rows->base.input, encoding, err);

	while (status == PMON_OK && pmon_pdht_trim((struct pmon_span){row.ptr, row.len}).len == 0)
		status = pmon_pdht_input_row(&rows->base.input, &row, err);
	if (status == PMON_OK)
		rows->layout.is_json = is_json((struct pmon_span){row.ptr, row.len});
	rows->base.source.info.format = rows->layout.is_json ? "JSON rows" : "CSV rows";
	restart(rows);
	return status == PMON_END || status == PMON_E_LIMIT ? PMON_OK : status;
}

static enum pmon_status
rows_open(struct pmon_source *source, const struct pmon_log_files *files,
	  const struct pmon_log_options *options, struct pmon_err *err)
{
	struct rows *rows = (struct rows *)source;
	enum pmon_status status = pmon_pdht_gathered_open(&rows->base, files, options, err);

	if (status == PMON_OK)
		status = begin(rows, options->encoding, err);
	if (status == PMON_OK)
		status = look_ahead(rows, options->encoding != NULL, err);
	return status == PMON_OK ? pmon_pdht_gathered_look(&rows->base, err) : status;
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
		line = pmon_pdht_bare((struct pmon_span){text + start, i - start});
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
