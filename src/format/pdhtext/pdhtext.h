// pdhtext.h - private parts of the reader of text logs: PDH-CSV, PDH-TSV and edited forms of them
// SPDX-License-Identifier: MIT
//
// docs/reference/formats/pdhtext.md describes the format. These are the parts of the reader:
//
//	encoding.c  converts the bytes of the file to UTF-8
//	codepage.c  from which code page, where the file does not tell
//	input.c     text to lines
//	fields.c    a line to fields
//	header.c    the first line: zone, bias, separator, columns
//	rows.c      tables and JSON with a row for each value; objects.c the objects of JSON
//	sadf.c      tables of sadf -d; its sections are in sadf_sections.c, their series in sadf_items.c and sadf_names.c
//	nmon.c      recordings of nmon
//	gathered.c  what these three have in common
//	plain.c     the first line of a table whose columns have plain names
//	columns.c   a column to its series
//	when.c      the time of a line; clock.c where the clock was changed
//	number.c    a cell to a double
//	survey.c    how this file is written, from its first lines
//	known.c     counter types by name; types_file.c those that the user adds
//	bounds.c    values that no counter can have
//	sample.c    a line to a sample
//	report.c    what the user should know
//	pdhtext.c   the source that does all this
//	part.c      a range of lines; split.c splits the source into such parts, one per thread
//	ahead.c     parts that threads read ahead

#ifndef PMON_FORMAT_PDHTEXT_H
#define PMON_FORMAT_PDHTEXT_H

#include "base/arena.h"
#include "simd/simd.h"
#include "base/err.h"
#include "base/map.h"
#include "base/time.h"
#include "format/format.h"
#include "model/report.h"

struct pdht;

// ---- encoding.c: bytes to UTF-8 -------------------------------------------------------------

enum pdht_form {
	PDHT_BYTES, // UTF-8, or an unknown encoding
	PDHT_UTF16LE,
	PDHT_UTF16BE,
	PDHT_CODE_PAGE, // through os/codec.h
};

#define PDHT_RAW_BYTES ((size_t)32 << 10) // converted at a time
#define PDHT_RAW_GROWS 3                  // maximum bytes of UTF-8 per input byte

struct pdht_decoder {
	enum pdht_form form;
	struct pmon_codec *codec; // NULL if there is none
	uint8_t *raw;             // bytes read and not yet converted, up to PDHT_RAW_BYTES
	size_t raw_n;
	uint64_t n_bad; // bytes invalid in this encoding, each replaced by U+FFFD
};

// Detect the encoding from the beginning of the text: by byte order mark, or by the zero byte that
// UTF-16 has in every ASCII character. *mark_out is the length of the mark.
enum pdht_form pmon_pdht_form_of(const uint8_t *head, size_t len, size_t *mark_out);

// Start converting. encoding is for PDHT_CODE_PAGE only. PMON_E_ARG if the encoding is unknown:
// bytes are then not converted.
PMON_NODISCARD enum pmon_status pmon_pdht_decoder_open(struct pdht_decoder *d, enum pdht_form form,
						       const char *encoding,
						       const struct pmon_allocator *allocator,
						       struct pmon_err *err);
void pmon_pdht_decoder_close(struct pdht_decoder *d, const struct pmon_allocator *allocator);
void pmon_pdht_decoder_rewind(struct pdht_decoder *d);

// Convert the contents of raw to out, which has room for PDHT_RAW_BYTES * PDHT_RAW_GROWS bytes. An
// incomplete character stays in raw until more bytes arrive, unless is_last. Returns the length
// written.
size_t pmon_pdht_decode(struct pdht_decoder *d, bool is_last, char *out, size_t room);

// ---- codepage.c -----------------------------------------------------------------------------

struct pdht_code_page {
	const char *name; // for os/codec.h
	const char *what; // it is for
};

// The most likely code page of text that is not UTF-8. NULL when memory is short.
const struct pdht_code_page *pmon_pdht_guess_code_page(struct pmon_span text,
						       const struct pmon_allocator *allocator);

// ---- input.c: lines -------------------------------------------------------------------------

// A line without its end. ptr is valid until the next call.
struct pdht_row {
	const char *ptr;
	size_t len;
	uint64_t offset; // in the file; approximate after non-ASCII characters in code pages
	uint64_t bytes;  // in the file
	uint64_t line;   // its number, from 1
	bool is_ended;   // a line end follows it
};

struct pdht_input {
	struct pmon_file *file;
	const struct pmon_allocator *allocator;
	struct pdht_decoder decoder;
	size_t max_row;
	uint64_t start; // of the text in the file, after a byte order mark
	uint64_t stop;  // end of the file, or of a part
	uint64_t next;  // file offset of the next read
	int64_t origin; // offset in the file of buf[0]
	char *buf;
	size_t cap;
	size_t row;  // start of the last row ...
	size_t pos;  // ... and of the next one
	size_t scan; // no line end before this position
	size_t end;
	bool at_end;      // the rest of the file is in buf
	bool skip_lf;     // the last row ended in CR
	uint64_t line;    // number of the last row
	uint64_t n_zeros; // zero bytes before lines, which rows exclude
	uint64_t zeros_at;
};

// Start reading. encoding may be NULL: bytes are not converted.
PMON_NODISCARD enum pmon_status pmon_pdht_input_open(struct pdht_input *in, const char *encoding,
						     struct pmon_err *err);
void pmon_pdht_input_close(struct pdht_input *in);
void pmon_pdht_input_rewind(struct pdht_input *in);

// Continue with the line at this offset of a file that is not converted. The offset of the next
// line is the position to continue from if nothing was read ahead.
void pmon_pdht_input_seek(struct pdht_input *in, uint64_t offset);
uint64_t pmon_pdht_input_offset(const struct pdht_input *in);

// Change the encoding; discards buffered text.
PMON_NODISCARD enum pmon_status pmon_pdht_input_encoding(struct pdht_input *in,
							 const char *encoding,
							 struct pmon_err *err);

// The next line. PMON_OK; PMON_END; PMON_E_IO; PMON_E_NOMEM; PMON_E_LIMIT if it is longer than
// max_row: it is skipped, row has offset, bytes and line, and reading can continue.
PMON_NODISCARD enum pmon_status pmon_pdht_input_row(struct pdht_input *in, struct pdht_row *row,
						    struct pmon_err *err);

// Return the same line joined with the next one as one row. PMON_END if there is no next line.
PMON_NODISCARD enum pmon_status pmon_pdht_input_join(struct pdht_input *in, struct pdht_row *row,
						     struct pmon_err *err);

// Look at the first line after this one that is not empty; *next is empty if none of the next lines is such, or it is too
// long. The row is as before, except that its text may have moved.
PMON_NODISCARD enum pmon_status pmon_pdht_input_ahead(struct pdht_input *in, struct pdht_row *row,
						      struct pmon_span *next, struct pmon_err *err);

// Undo a join: cut the row back to len bytes.
void pmon_pdht_input_part(struct pdht_input *in, struct pdht_row *row, size_t len);

// ---- fields.c -------------------------------------------------------------------------------

struct pdht_fields {
	const char *p;
	const char *end;
	char separator;
	bool is_strict; // all fields are quoted: a quote ends a field only before `,"`
	bool is_done;
};

struct pdht_field {
	struct pmon_span text; // without the enclosing quotes; quotes inside are still doubled
	bool is_quoted;
	bool is_open; // its closing quote is missing
};

static inline struct pdht_fields
pdht_fields(const struct pdht_row *row, char separator, bool is_strict)
{
	return (struct pdht_fields){
		row->ptr, row->ptr + row->len, separator, is_strict, false,
	};
}

// The next field. False at the end of the line.
bool pmon_pdht_field_next(struct pdht_fields *fields, struct pdht_field *out);

// The text without leading and trailing blanks.
struct pmon_span pmon_pdht_trim(struct pmon_span text);

// ---- when.c: the time of a line -------------------------------------------------------------

// The order of the numbers of a date. If the year comes first, the order is known.
enum pdht_order {
	PDHT_MONTH_FIRST, // as Windows writes it in every language
	PDHT_DAY_FIRST,
};

// What the first field of a line holds. A spreadsheet shows what its cells hold in another form, and saves what it
// shows.
enum pdht_time_form {
	PDHT_DATED,       // a date and a time of day
	PDHT_TIME_OF_DAY, // "10:59:30"
	PDHT_PAST_HOUR,   // minutes and seconds, such as "56:30.9"
	PDHT_SERIAL,      // days since 1899-12-30
	PDHT_NO_TIME_FORM // none of these
};

// A time as written in the file.
struct pdht_stamp {
	int32_t first; // first number of the date: month or day; the month if the order is clear
	int32_t second;
	struct pmon_civil clock; // the year and the time of day
	char separator;          // of the date
	bool is_clear;           // the order: the year comes first, or the month is a name
	bool has_seconds;
	bool is_padded;  // two digits of month and day, then four of the year, slashes between
	bool is_windows; // exactly MM/DD/YYYY hh:mm:ss.mmm
	bool is_zoned;   // with a Z or its own offset; then utc is set
	pmon_time utc;
	enum pdht_time_form form;
	pmon_time serial; // PDHT_SERIAL: the local time
};

bool pmon_pdht_stamp_read(struct pmon_span text, struct pdht_stamp *out);

// The same for times of this form.
bool pmon_pdht_stamp_read_form(struct pmon_span text, enum pdht_time_form form,
			       struct pdht_stamp *out);

enum pdht_time_form pmon_pdht_time_form(struct pmon_span text);

// The local time of a stamp that has no date: the first such time at or after that of the line before. For the first line, the
// time on the day, or in the hour, of `last`.
pmon_time pmon_pdht_stamp_after(const struct pdht_stamp *stamp, pmon_time last, bool is_first);

// The local time of the log, as if it were UTC. PMON_TIME_NONE if there is no such day.
pmon_time pmon_pdht_stamp_local(const struct pdht_stamp *stamp, enum pdht_order order);

// ---- clock.c: daylight saving ---------------------------------------------------------------

enum pdht_change {
	PDHT_NO_CHANGE,
	PDHT_FORWARD, // an hour is missing
	PDHT_BACK,    // an hour is repeated
};

struct pdht_clock {
	int32_t base_min;   // offset to UTC from the header
	int32_t offset_min; // as repaired
	bool has_last;
	pmon_time last;               // local time of the last sample
	int64_t interval;             // between the last two different times; 0: unknown
	const struct pmon_zone *zone; // whose changes apply; NULL: they are found by the times
};

void pmon_pdht_clock_start(struct pdht_clock *clock, int32_t offset_min,
			   const struct pmon_zone *zone);

// The zone that the caller gives; NULL: none. PMON_E_ARG if it is unknown.
enum pmon_status pmon_pdht_given_zone(const struct pmon_log_options *options,
				      const struct pmon_zone **zone, struct pmon_err *err);

// Take the local time of the next sample. Returns whether daylight saving began or ended before it; repair: adjusts the
// offset in that case.
enum pdht_change pmon_pdht_clock_take(struct pdht_clock *clock, pmon_time local, bool repair);

// ---- number.c -------------------------------------------------------------------------------

enum pmon_pdht_number {
	PDHT_NUMBER,
	PDHT_NOT_FINITE, // NaN, infinite or too large
	PDHT_NO_NUMBER,
	PDHT_UNCLEAR, // a number whose mark may be a decimal mark or a thousands separator
};

// Read a whole text as a decimal number, correctly rounded. decimal is its mark.
enum pmon_pdht_number pmon_pdht_number(struct pmon_span text, char decimal, double *out);

// Which decimal marks a number is consistent with. Thousands separators may be points, commas,
// spaces or apostrophes.
enum pdht_mark {
	PDHT_MARK_BAD,             // not a number
	PDHT_MARK_NONE,            // 12, 1 234
	PDHT_MARK_POINT,           // 1.5, 1,234.5, 1,234,567
	PDHT_MARK_COMMA,           // 1,5, 1.234,5, 1.234.567
	PDHT_MARK_POINT_OR_GROUPS, // 1.234
	PDHT_MARK_COMMA_OR_GROUPS, // 1,234
};
enum pdht_mark pmon_pdht_mark(struct pmon_span text);

#define PDHT_NO_MARK '\1' // a mark that never occurs in text: the mark of the column is unknown

// Read a number that may have thousands separators. decimal is the mark of its column; a number
// with an unambiguous mark of its own uses that.
enum pmon_pdht_number pmon_pdht_number_grouped(struct pmon_span text, char decimal, double *out);

// ---- known.c, types_file.c: counter types by name -------------------------------------------

struct pdht_type {
	struct pmon_span object; // {NULL, 0} for any
	struct pmon_span counter;
	uint32_t word;
};

// The types that the user adds, sorted.
struct pdht_types {
	struct pdht_type *list;
	size_t n;
	size_t cap;
};

// Compare two names, ignoring the case of ASCII letters.
int pmon_pdht_compare(struct pmon_span a, struct pmon_span b);

// Compare two struct pdht_type by object and counter, for bsearch() and qsort().
int pmon_pdht_compare_types(const void *a, const void *b);

// The type of counters with this name. User types in `added` take precedence. False if unknown.
bool pmon_pdht_known_type(const struct pdht_types *added, const struct pmon_series *series,
			  uint32_t *word_out);

// Read the user's table. PMON_E_FORMAT, with the line, if it is malformed.
PMON_NODISCARD enum pmon_status pmon_pdht_types_load(struct pdht_types *types, const char *path,
						     struct pmon_arena *arena,
						     const struct pmon_limits *limits,
						     struct pmon_err *err);
void pmon_pdht_types_free(struct pdht_types *types, const struct pmon_allocator *allocator);

// ---- report.c: what the user should know ----------------------------------------------------

// Frequent findings are counted and reported once, at the end.
enum pdht_kind {
	PDHT_SHORT,
	PDHT_LONG,
	PDHT_OPEN_QUOTE,
	PDHT_TORN_CELL,
	PDHT_WORDS,
	PDHT_HEADER_AGAIN,
	PDHT_NO_TIME,
	PDHT_STUMP,
	PDHT_TOO_LONG,
	PDHT_ZEROS,
	PDHT_KINDS // the number of them
};

#define PDHT_SAMPLE_BYTES 48 // of a text in a message

struct pdht_tally {
	uint64_t n;
	uint64_t offset; // of the first
	uint64_t line;
	uint64_t bytes; // of all
	char text[PDHT_SAMPLE_BYTES + 1];
};

struct pdht_report {
	struct pmon_report base; // its steps are lines; opening is step 1
	bool has_full_line;      // with a field for each column
	bool is_summed_up;
	bool is_odd; // something was counted
	struct pdht_tally tallies[PDHT_KINDS];
};

// Text for messages: truncated, without control characters.
const char *pmon_pdht_show(struct pmon_span text, char buf[PDHT_SAMPLE_BYTES + 1]);

void pmon_pdht_count(struct pdht_report *report, enum pdht_kind kind, const struct pdht_row *row,
		     struct pmon_span text);

// Cells without a value, counted by column.
enum pdht_cell {
	PDHT_CELL_TEXT,    // not a number, no digits
	PDHT_CELL_BAD,     // not a number, but has digits
	PDHT_CELL_UNCLEAR, // a number with a mark that is ambiguous in its column
	PDHT_CELL_INFINITE,
	PDHT_CELL_IMPOSSIBLE,   // a number impossible for its counter type
	PDHT_CELL_KEPT,         // the same, kept as a value
	PDHT_CELL_SKIPPED_TEXT, // of a column without a counter path
	PDHT_CELL_SKIPPED,      // the same, and a number
	PDHT_CELLS
};

struct pdht_cell_tally {
	enum pdht_cell kind;
	uint32_t column; // of struct pdht_columns
	uint32_t next;   // of the same column; PMON_SERIES_NONE: none
	struct pdht_tally tally;
};

struct pdht_cell_tallies {
	struct pdht_cell_tally *list;
	size_t n;
	size_t cap;
};

// Count a cell of column i of the header. False when memory is short.
PMON_NODISCARD bool pmon_pdht_count_cell(struct pdht *pdht, enum pdht_cell kind, size_t i,
					 const struct pdht_row *row, struct pmon_span text);

// Report all counts.
void pmon_pdht_sum_up(struct pdht *pdht);

// ---- objects.c: JSON ------------------------------------------------------------------------

// The braces of JSON text, character by character.
struct pdht_braces {
	bool is_open; // an object without one inside, so far
	bool is_string;
	bool is_escaped;
};

enum pdht_brace {
	PDHT_BRACE_NONE,
	PDHT_BRACE_OPENS,  // an object; the one around it, if any, has one inside
	PDHT_BRACE_CLOSES, // an object without one inside
};

enum pdht_brace pmon_pdht_brace(struct pdht_braces *braces, char c);

// The next member of such an object, given without its braces, from *at on. Strings are unescaped in place. The value is a
// string, a number or a word; null is an empty one. False at the end, and where it is malformed.
bool pmon_pdht_member_next(char *object, size_t len, size_t *at, struct pmon_span *key,
			   struct pmon_span *value);

// ---- header.c -------------------------------------------------------------------------------

// The first field of a header: "(PDH-CSV 4.0) (Tokyo Standard Time)(-540)".
struct pdht_marker {
	bool is_tsv;
	struct pmon_span zone; // {NULL, 0} if there is none
	bool zone_is_cut;
	bool has_bias;
	int32_t bias_min; // UTC minus local time
};

// Convert the beginning of a file to one byte per character, with '?' for non-ASCII. out has room for len. Returns the length.
size_t pmon_pdht_take_head(const uint8_t *head, size_t len, char *out);

// Whether a header begins here.
bool pmon_pdht_is_header(struct pmon_span line);

// Whether a table of counters begins here: a column of times with a name of its own, and counter paths.
bool pmon_pdht_is_table(struct pmon_span line);

// Whether these two lines begin a table of times and numbers whose columns have plain names.
bool pmon_pdht_is_plain(struct pmon_span line, struct pmon_span next);

// What separates the fields of this header.
char pmon_pdht_separator(struct pmon_span line);

// Load the header that begins with this row, and may span more lines: separator, offset to UTC,
// columns. is_first: the header that identifies the log.
PMON_NODISCARD enum pmon_status pmon_pdht_header_load(struct pdht *pdht, struct pdht_row *row,
						      bool is_first, struct pmon_err *err);

// Report oddities of the columns of the first header, after examining their contents.
void pmon_pdht_tell_columns(struct pdht *pdht);

// ---- columns.c ------------------------------------------------------------------------------

// The minimum and maximum possible value of a column, and the value that means that there was none; NAN: no value does.
struct pdht_bounds {
	double least;
	double most;
	double missing;
};

// The instances of Processor in the log, read or not.
struct pdht_processors {
	uint64_t machine; // hash of its name; 0: none yet
	uint64_t seen;    // numbers, as bits
	bool has_total;
	bool has_others; // of other machines
};

#define PDHT_NAMES_BYTES 1024 // of the names of columns in a message

// A column seen so far. Columns with the same text form a chain from the first, the head.
struct pdht_column {
	struct pmon_span text; // in the arena
	uint32_t series;       // PMON_SERIES_NONE: none
	uint32_t next;         // in the chain
	uint32_t stamp;        // head only: the header in which the chain was last used ...
	uint32_t cursor;       // ... and the column that was used last
	uint32_t tallies;      // the first of its cells without a value; PMON_SERIES_NONE: none
	bool has_path;
	char decimal; // mark of its numbers
	struct pdht_bounds bounds;
};

// What was corrected in a path.
enum pdht_path_fault {
	PDHT_PATH_WHOLE,   // nothing, or its first backslash is missing
	PDHT_PATH_DOUBLED, // each backslash is written twice
	PDHT_PATH_HOST,    // only one backslash precedes the machine
	PDHT_PATH_FAULTS   // the number of them
};

struct pdht_columns {
	struct pdht_column *list;
	size_t n;
	size_t cap;
	struct pmon_map heads; // by text
	uint64_t seed;         // of its hashes
	uint32_t stamp;
	uint64_t n_paths; // number of columns with a path, wanted or not
	struct pdht_processors processors;
	// oddities of the columns
	uint64_t n_faults[PDHT_PATH_FAULTS]; // paths
	uint64_t n_twice;
	uint64_t n_strange;
	char strange[PDHT_NAMES_BYTES]; // their names
	uint64_t n_damaged;             // damaged counter paths
	char damaged[PDHT_NAMES_BYTES];
	struct pdht_cell_tallies cells;
};

// The counter path of a column is damaged.
void pmon_pdht_column_damaged(struct pdht_columns *columns, struct pmon_span text);

// The next column of a header, as a number in the list.
PMON_NODISCARD enum pmon_status pmon_pdht_column_take(struct pdht *pdht, struct pmon_span text,
						      uint32_t *column_out, struct pmon_err *err);
void pmon_pdht_columns_free(struct pdht_columns *columns, const struct pmon_allocator *allocator);

// Whether the text is a counter path, allowing for the usual faults of text logs. scratch has
// text.len + 2 bytes for completing a path; the path may point into it.
bool pmon_pdht_path_read(struct pmon_span text, char *scratch, enum pdht_path_fault *fault,
			 struct pmon_path *out);

// ---- bounds.c -------------------------------------------------------------------------------

// Record the path if it is an instance of Processor.
void pmon_pdht_note_processor(struct pdht_processors *processors, const struct pmon_path *path);

// The bounds for the values of a column. largest is the largest value of the first lines up to
// PDHT_FAR; NAN if there is none, or many are above.
#define PDHT_FAR (2147483648.0 / 60) // per second: half the range of a 32-bit counter in a minute
// are_beyond: most values of the first lines are outside the bounds of the column.
void pmon_pdht_set_bounds(struct pdht *pdht, struct pdht_column *column, double largest,
			  bool are_beyond);

// ---- survey.c -------------------------------------------------------------------------------

// The style of a file.
struct pdht_style {
	char separator;
	bool is_strict;     // all fields of the header are quoted
	char decimal;       // mark in all columns; PDHT_NO_MARK if they differ
	char usual_decimal; // mark of columns with ambiguous numbers only
	enum pdht_order order;
	enum pdht_time_form form; // of the times
	// findings from the first lines
	bool is_quoted;
	bool begins_blank;   // with an empty line
	bool has_no_seconds; // in its times
	int64_t interval;    // shortest interval between two lines; 0: unknown
	unsigned digits;     // significant digits of the longest number
	bool is_fixed;       // all numbers have six decimals
	bool is_esxtop;
	bool is_table; // without the marker of Performance Monitor
	bool is_plain; // ... and its columns have plain names
};

// Examine the lines after the loaded header, and report oddities. If none has a date, it only finds the form of
// the times: the caller goes back to the header and calls it again.
PMON_NODISCARD enum pmon_status pmon_pdht_survey(struct pdht *pdht, struct pmon_err *err);

// ---- sample.c -------------------------------------------------------------------------------

// Room for the values of a line.
PMON_NODISCARD bool pmon_pdht_sample_room(struct pdht *pdht);
void pmon_pdht_sample_free(struct pdht *pdht);

// Process a line. *is_sample is set if it is a sample, which is then in pdht->sample.
PMON_NODISCARD enum pmon_status pmon_pdht_row_load(struct pdht *pdht, struct pdht_row *row,
						   bool *is_sample, struct pmon_err *err);

// ---- pdhtext.c: the source ------------------------------------------------------------------

// ---- map.c ----------------------------------------------------------------------------------

// The columns of the current header.
struct pdht_map {
	size_t n;
	uint32_t *series; // of each column; PMON_SERIES_NONE: it is not read
	uint32_t *column; // of each, its number in struct pdht_columns
	uint32_t *given;  // the series of the columns read, in order
	double *least;    // minimum values of these, then maximum values, then what means no value
	double *most;
	double *missing;
	uint32_t *skipped; // columns without a counter path, in order
	uint64_t *is_read; // columns, as bits
	size_t n_given;
	size_t n_skipped;
	size_t series_cap;
	size_t column_cap;
	size_t given_cap;
	size_t least_cap;
	size_t most_cap;
	size_t missing_cap;
	size_t skipped_cap;
	size_t is_read_cap;
};

// Add a column. has_path: its cells are values, read unless series is PMON_SERIES_NONE. False when
// memory is short.
PMON_NODISCARD bool pmon_pdht_map_add(struct pdht_map *map, uint32_t column, uint32_t series,
				      bool has_path, const struct pmon_allocator *allocator);

// Update derived state after columns were added or changed.
void pmon_pdht_map_index(struct pdht_map *map, const struct pdht_columns *columns);

// Copy a map. False when memory is short.
PMON_NODISCARD bool pmon_pdht_map_copy(struct pdht_map *to, const struct pdht_map *from,
				       const struct pmon_allocator *allocator);
void pmon_pdht_map_free(struct pdht_map *map, const struct pmon_allocator *allocator);

// ---- The log --------------------------------------------------------------------------------

struct pdht {
	struct pmon_source source; // first, as every source has it
	const struct pmon_allocator *allocator;
	struct pmon_limits limits; // without zeros
	pmon_want_fn want;
	void *want_ctx;
	bool dst_repair;
	bool keeps_impossible; // values, as Windows does
	struct pdht_report report;
	struct pdht_input input;
	struct pmon_arena arena; // texts with the lifetime of the source
	struct pdht_style style;
	struct pdht_columns columns;
	struct pdht_types types;
	struct pdht_clock clock;
	pmon_time start;     // local time that times without a date are counted from
	pmon_time last_time; // ... the last of them; `start` before the first
	bool has_time;       // there was one
	bool has_start;      // given by the caller
	// the UTC offset of logs without one, if the caller gave it
	bool has_zone;
	int32_t zone_offset_min;
	const struct pmon_zone *zone; // its rules, instead; NULL: none
	bool uses_zone;               // because the header has no offset

	// the current header
	struct pdht_map map;
	size_t least;  // fields that a line needs to include the last counter
	size_t widest; // fields of the longest complete line after it
	char *scratch; // buffer for converting a column's text to a path
	size_t scratch_cap;
	bool change_told; // of daylight saving
	// the last column, if it may be a caption
	char caption[PDHT_SAMPLE_BYTES + 1]; // empty: there is none
	bool caption_is_long;
	bool has_no_caption; // the last column has numbers

	unsigned threads;         // threads that may read, including the caller's
	struct pdht_ahead *ahead; // data they have read; NULL without threads

	// of a part (part.c)
	bool is_part;
	pmon_time begun[2]; // the first times that the clock processed
	size_t n_begun;

	enum pmon_status failure; // of memory or limits: fatal
	struct pmon_err failure_err;
	struct pmon_sample sample;
	uint64_t n_samples;
	uint32_t *series;     // sample.series, sample.raw and the numbers in it
	struct pmon_raw *raw; // NULL in a part that keeps only the numbers
	double *numbers;
	size_t series_cap;
	size_t raw_cap;
	size_t numbers_cap;
};

// Advance to the next line that is a sample.
PMON_NODISCARD enum pmon_status pmon_pdht_read_sample(struct pdht *pdht, struct pmon_err *err);

// ---- part.c: a range of whole lines ---------------------------------------------------------

// Whether a log can be read in parts.
bool pmon_pdht_has_parts(const struct pdht *pdht);

// Create or reinitialize a part: the log between two offsets at line starts, read with the current
// header. It shares the log's map, and has its own input buffer and value arrays.
void pmon_pdht_part_set(struct pdht *part, const struct pdht *pdht, uint64_t from, uint64_t to);

// The next sample of a part. PMON_E_STATE if it is odd; PMON_END.
PMON_NODISCARD enum pmon_status pmon_pdht_part_read(struct pdht *part, struct pmon_err *err);

// The offset of the first line that begins at or after `from`; `to` if there is none before it.
PMON_NODISCARD enum pmon_status pmon_pdht_find_line(const struct pdht *pdht, uint64_t from,
						    uint64_t to, uint64_t *out,
						    struct pmon_err *err);

// Continue the clock before a part with the part's first two lines. Is its state then the same as
// that of the part's own clock, so that the part's applies from there on?
bool pmon_pdht_clock_goes_on(const struct pdht_clock *before, const struct pdht *part);

// ---- ahead.c: parts read ahead ------------------------------------------

// Take the next sample from the data that threads read, into pdht->sample. False: the caller must
// use pmon_pdht_read_sample().
bool pmon_pdht_ahead_take(struct pdht *pdht);

// End the threads and discard the data they read.
void pmon_pdht_ahead_close(struct pdht *pdht);

// ---- split.c: the source in parts -----------------------------------------------------------

extern const struct pmon_source_split pmon_pdht_split;

extern const struct pmon_format pmon_format_pdhtext;

#define PDHT_WRITERS 2
extern const struct pmon_writer pmon_pdht_writers[PDHT_WRITERS]; // write.c

#endif
