// pdhtext.h - private parts of the reader of text logs: PDH-CSV, PDH-TSV and edited forms of them
// SPDX-License-Identifier: MIT
//
// docs/reference/formats/pdhtext.md describes the format. Reading goes through these parts, each in a file of
// its own:
//
//	encoding.c  the bytes of the file to UTF-8
//	input.c     text to lines
//	fields.c    a line to fields
//	header.c    the first line: zone, bias, separator, columns
//	columns.c   a column to its series
//	when.c      the time of a line; clock.c where the clock was changed
//	number.c    a cell to a double
//	survey.c    how this file is written, from its first lines
//	known.c     counter types by name; types_file.c those that the user adds
//	sample.c    a line to a sample
//	report.c    what the user should know
//	pdhtext.c   the source that does all this
//	part.c      a range of lines; split.c the source in such parts, each for a thread
//	ahead.c     parts that threads read before they are asked for

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

#define PDHT_RAW_BYTES ((size_t)32 << 10) // that are converted at a time
#define PDHT_RAW_GROWS 3                  // bytes of UTF-8 that one byte may become, at the most

struct pdht_decoder {
	enum pdht_form form;
	struct pmon_codec *codec; // NULL when there is none
	uint8_t *raw;             // what was read and not yet converted, of PDHT_RAW_BYTES
	size_t raw_n;
	uint64_t n_bad; // bytes that are no text in this encoding: each became U+FFFD
};

// How the text is encoded, as far as its beginning shows: by byte order mark, or by the zero bytes
// that UTF-16 has in every ASCII character. *mark_out is the length of the mark.
enum pdht_form pmon_pdht_form_of(const uint8_t *head, size_t len, size_t *mark_out);

// The code page that text which is not UTF-8 is in, to the best of our knowledge: a name for os/codec.h.
const char *pmon_pdht_guess_code_page(struct pmon_span text);

// Begin to convert. encoding is for PDHT_CODE_PAGE only. PMON_E_ARG when there is no such encoding: bytes are
// then taken as they are.
PMON_NODISCARD enum pmon_status pmon_pdht_decoder_open(struct pdht_decoder *d, enum pdht_form form,
						       const char *encoding,
						       const struct pmon_allocator *allocator,
						       struct pmon_err *err);
void pmon_pdht_decoder_close(struct pdht_decoder *d, const struct pmon_allocator *allocator);
void pmon_pdht_decoder_rewind(struct pdht_decoder *d);

// Convert what is in raw into out, which has room for PDHT_RAW_BYTES * PDHT_RAW_GROWS bytes. What is
// left of it waits in raw for the bytes that complete it, unless is_last. Returns the length written.
size_t pmon_pdht_decode(struct pdht_decoder *d, bool is_last, char *out, size_t room);

// ---- input.c: lines -------------------------------------------------------------------------

// A line without its end. ptr is valid until the next call.
struct pdht_row {
	const char *ptr;
	size_t len;
	uint64_t offset; // in the file; after characters that are not ASCII about, in code pages
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
	uint64_t stop;  // where it ends: that of the file, or of a part
	uint64_t next;  // offset in the file of what is read next
	int64_t origin; // offset in the file of buf[0]
	char *buf;
	size_t cap;
	size_t row;  // where the last row begins ...
	size_t pos;  // ... and where the next one does
	size_t scan; // there is no line end before here
	size_t end;
	bool at_end;      // all of the file is in buf
	bool skip_lf;     // the last row ended in CR
	uint64_t line;    // number of the last row
	uint64_t n_zeros; // bytes 0 before lines, which no row includes
	uint64_t zeros_at;
};

// Begin. encoding may be NULL: bytes are taken as they are.
PMON_NODISCARD enum pmon_status pmon_pdht_input_open(struct pdht_input *in, const char *encoding,
						     struct pmon_err *err);
void pmon_pdht_input_close(struct pdht_input *in);
void pmon_pdht_input_rewind(struct pdht_input *in);

// Go on with the line that begins at this offset of the file, which is not converted. The offset of the next line
// is where to go on when nothing was read ahead.
void pmon_pdht_input_seek(struct pdht_input *in, uint64_t offset);
uint64_t pmon_pdht_input_offset(const struct pdht_input *in);

// Change how bytes become text; what was read is forgotten.
PMON_NODISCARD enum pmon_status pmon_pdht_input_encoding(struct pdht_input *in,
							 const char *encoding,
							 struct pmon_err *err);

// The next line. PMON_OK; PMON_END; PMON_E_IO; PMON_E_NOMEM; PMON_E_LIMIT when it is longer than
// max_row: then it was skipped, row has offset, bytes and line, and reading can go on.
PMON_NODISCARD enum pmon_status pmon_pdht_input_row(struct pdht_input *in, struct pdht_row *row,
						    struct pmon_err *err);

// The same line again, and the one after it, as one row. PMON_END when there is none.
PMON_NODISCARD enum pmon_status pmon_pdht_input_join(struct pdht_input *in, struct pdht_row *row,
						     struct pmon_err *err);

// Undo a join: the row ends before position len of it again.
void pmon_pdht_input_part(struct pdht_input *in, struct pdht_row *row, size_t len);

// ---- fields.c -------------------------------------------------------------------------------

struct pdht_fields {
	const char *p;
	const char *end;
	char separator;
	bool is_strict; // every field is quoted: a quote ends one only before `,"`
	bool is_done;
};

struct pdht_field {
	struct pmon_span text; // without the quotes around it, quotes inside still doubled
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

// The text without blanks around it.
struct pmon_span pmon_pdht_trim(struct pmon_span text);

// ---- when.c: the time of a line -------------------------------------------------------------

// The order of the numbers of a date. If the year comes first, the order is known.
enum pdht_order {
	PDHT_MONTH_FIRST, // as Windows writes, in every language
	PDHT_DAY_FIRST,
};

// A time as it is written.
struct pdht_stamp {
	int32_t first; // number of the date: month or day, or the month when year_first
	int32_t second;
	struct pmon_civil clock; // the year and the time of day
	char separator;          // of the date
	bool year_first;
	bool has_seconds;
	bool is_padded;  // two digits of month and day, then four of the year, slashes between
	bool is_windows; // exactly MM/DD/YYYY hh:mm:ss.mmm
	bool is_zoned;   // with a Z or an offset of its own; then utc is it
	pmon_time utc;
};

bool pmon_pdht_stamp_read(struct pmon_span text, struct pdht_stamp *out);

// The moment on the clock of the log, as if it were UTC. PMON_TIME_NONE when there is no such day.
pmon_time pmon_pdht_stamp_local(const struct pdht_stamp *stamp, enum pdht_order order);

// Is this all that spreadsheets leave of a time: "56:30.9", minutes and seconds?
bool pmon_pdht_stamp_is_stump(struct pmon_span text);

// ---- clock.c: daylight saving ---------------------------------------------------------------

enum pdht_change {
	PDHT_NO_CHANGE,
	PDHT_FORWARD, // an hour is missing
	PDHT_BACK,    // an hour comes twice
};

struct pdht_clock {
	int32_t base_min;   // offset to UTC as the header has it
	int32_t offset_min; // as repaired
	bool has_last;
	pmon_time last;   // local time of the last sample
	int64_t interval; // between the last two that differ; 0 when not known
};

void pmon_pdht_clock_start(struct pdht_clock *clock, int32_t offset_min);

// Take the local time of the next sample; returns whether the clock was changed before it. With
// repair the offset is adjusted.
enum pdht_change pmon_pdht_clock_take(struct pdht_clock *clock, pmon_time local, bool repair);

// ---- number.c -------------------------------------------------------------------------------

enum pmon_pdht_number {
	PDHT_NUMBER,
	PDHT_NOT_FINITE, // NaN, infinite or too large
	PDHT_NO_NUMBER,
};

// Read a whole text as a decimal number, correctly rounded. decimal is its mark.
enum pmon_pdht_number pmon_pdht_number(struct pmon_span text, char decimal, double *out);

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

// Order of two names without regard to the case of ASCII letters.
int pmon_pdht_compare(struct pmon_span a, struct pmon_span b);

// Two struct pdht_type by object and counter, as bsearch() and qsort() take them.
int pmon_pdht_compare_types(const void *a, const void *b);

// The type of the counters of this name. added comes before what pmon knows. False when not known.
bool pmon_pdht_known_type(const struct pdht_types *added, const struct pmon_series *series,
			  uint32_t *word_out);

// Read the user's table. PMON_E_FORMAT, with the line, when it is malformed.
PMON_NODISCARD enum pmon_status pmon_pdht_types_load(struct pdht_types *types, const char *path,
						     struct pmon_arena *arena,
						     const struct pmon_limits *limits,
						     struct pmon_err *err);
void pmon_pdht_types_free(struct pdht_types *types, const struct pmon_allocator *allocator);

// ---- report.c: what the user should know ----------------------------------------------------

// Findings that occur many times are counted and reported once, at the end.
enum pdht_kind {
	PDHT_SHORT,
	PDHT_LONG,
	PDHT_OPEN_QUOTE,
	PDHT_BAD_CELL,
	PDHT_TORN_CELL,
	PDHT_INFINITE_CELL,
	PDHT_WORDS,
	PDHT_HEADER_AGAIN,
	PDHT_NO_TIME,
	PDHT_STUMP,
	PDHT_TOO_LONG,
	PDHT_ZEROS,
	PDHT_KINDS // the number of them
};

#define PDHT_SAMPLE_BYTES 48 // of a text that is shown

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

// Text that may be shown: cut to a length, without control characters.
const char *pmon_pdht_show(struct pmon_span text, char buf[PDHT_SAMPLE_BYTES + 1]);

void pmon_pdht_count(struct pdht_report *report, enum pdht_kind kind, const struct pdht_row *row,
		     struct pmon_span text);
void pmon_pdht_sum_up(struct pdht_report *report);

// ---- header.c -------------------------------------------------------------------------------

// The first field of a header: "(PDH-CSV 4.0) (Tokyo Standard Time)(-540)".
struct pdht_marker {
	bool is_tsv;
	struct pmon_span zone; // {NULL, 0} when there is none
	bool zone_is_cut;
	bool has_bias;
	int32_t bias_min; // UTC minus local time
};

// Does a header begin here?
bool pmon_pdht_is_header(struct pmon_span line);

bool pmon_pdht_marker_read(struct pmon_span field, struct pdht_marker *out);

// Take the header that begins with this row, to which more lines may belong: separator, offset to
// UTC, columns. is_first is the one that names the log.
PMON_NODISCARD enum pmon_status pmon_pdht_header_load(struct pdht *pdht, struct pdht_row *row,
						      bool is_first, struct pmon_err *err);

// ---- columns.c ------------------------------------------------------------------------------

// A column that has been seen. Those with the same text form a chain from the first, the head.
struct pdht_column {
	struct pmon_span text; // in the arena
	uint32_t series;       // PMON_SERIES_NONE when it has none
	uint32_t next;         // in the chain
	uint32_t stamp;        // head only: the header in which the chain was last used ...
	uint32_t cursor;       // ... and the column that was used last
};

struct pdht_columns {
	struct pdht_column *list;
	size_t n;
	size_t cap;
	struct pmon_map heads; // by text
	uint64_t seed;         // of its hashes
	uint32_t stamp;
	uint64_t n_paths; // of them that have one, wanted or not
	// what was odd about them
	uint64_t n_twice;
	uint64_t n_strange;
	char strange[PDHT_SAMPLE_BYTES + 1]; // the first of them
	uint64_t n_damaged;                  // that were counter paths once
	char damaged[PDHT_SAMPLE_BYTES + 1];
};

// The counter path of a column is damaged.
void pmon_pdht_column_damaged(struct pdht_columns *columns, struct pmon_span text);

// The series of the next column of a header. PMON_SERIES_NONE when it has no path or is not wanted.
PMON_NODISCARD enum pmon_status pmon_pdht_column_take(struct pdht *pdht, struct pmon_span text,
						      uint32_t *series_out, struct pmon_err *err);
void pmon_pdht_columns_free(struct pdht_columns *columns, const struct pmon_allocator *allocator);

// Is the text a counter path, also with such faults as text logs have? scratch, of text.len + 1
// bytes, is for one that must be completed; the path may point there.
bool pmon_pdht_path_read(struct pmon_span text, char *scratch, struct pmon_path *out);

// ---- survey.c -------------------------------------------------------------------------------

// How a file is written.
struct pdht_style {
	char separator;
	bool is_strict; // the fields of the header are all quoted
	char decimal;
	enum pdht_order order;
	// what the first lines showed
	bool is_quoted;
	bool begins_blank;   // with an empty line
	bool has_no_seconds; // in its times
	unsigned digits;     // significant digits of the longest number
	bool is_fixed;       // all numbers have six decimals
	bool is_esxtop;
};

// After the header was loaded, look at the lines after it, report what is odd, and go back.
PMON_NODISCARD enum pmon_status pmon_pdht_survey(struct pdht *pdht, struct pmon_err *err);

// ---- sample.c -------------------------------------------------------------------------------

// Room for the values of a line.
PMON_NODISCARD bool pmon_pdht_sample_room(struct pdht *pdht);
void pmon_pdht_sample_free(struct pdht *pdht);

// Take a line in. *is_sample is set when it is one, which is then in pdht->sample.
PMON_NODISCARD enum pmon_status pmon_pdht_row_load(struct pdht *pdht, struct pdht_row *row,
						   bool *is_sample, struct pmon_err *err);

// ---- pdhtext.c: the source ------------------------------------------------------------------

// ---- map.c ----------------------------------------------------------------------------------

// The columns of the header that holds.
struct pdht_map {
	size_t n;
	uint32_t *series;  // of each column; PMON_SERIES_NONE: it is not read
	uint32_t *given;   // the series of the columns that are read, in their order
	uint64_t *is_read; // columns, as bits
	size_t series_cap;
	size_t given_cap;
	size_t is_read_cap;
};

// One more column, to be set to its series. NULL when memory is short.
uint32_t *pmon_pdht_map_add(struct pdht_map *map, const struct pmon_allocator *allocator);

// After columns were added or changed: what follows from them.
void pmon_pdht_map_index(struct pdht_map *map);

// Make a map the same as another one. False when memory is short.
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
	struct pdht_report report;
	struct pdht_input input;
	struct pmon_arena arena; // texts that live as long as the source
	struct pdht_style style;
	struct pdht_columns columns;
	struct pdht_types types;
	struct pdht_clock clock;

	// the header that holds now
	struct pdht_map map;
	size_t least;  // fields that a line must have to reach the last counter
	size_t widest; // fields of the longest whole line after it
	char *scratch; // a column's text on its way to a path
	size_t scratch_cap;
	bool change_told; // of daylight saving

	unsigned threads;         // that may read, the caller's included
	struct pdht_ahead *ahead; // what they have read; NULL when there are none

	// of a part (part.c)
	bool is_part;
	pmon_time begun[2]; // the first times that the clock took
	size_t n_begun;

	enum pmon_status failure; // of memory or limits: there is no going on
	struct pmon_err failure_err;
	struct pmon_sample sample;
	uint64_t n_samples;
	uint32_t *series;     // sample.series, sample.raw and the numbers in it
	struct pmon_raw *raw; // NULL in a part of which only the numbers are kept
	double *numbers;
	size_t series_cap;
	size_t raw_cap;
	size_t numbers_cap;
};

// Go on to the next line that is a sample.
PMON_NODISCARD enum pmon_status pmon_pdht_read_sample(struct pdht *pdht, struct pmon_err *err);

// ---- part.c: a range of whole lines ---------------------------------------------------------

// Can a log be read in parts?
bool pmon_pdht_has_parts(const struct pdht *pdht);

// Make or remake a part: the log from one offset to another, where lines begin, as it is read with the header that
// holds now. It has the log's map and its own input buffer, and gives values into its own arrays.
void pmon_pdht_part_set(struct pdht *part, const struct pdht *pdht, uint64_t from, uint64_t to);

// The next sample of a part. PMON_E_STATE where it is odd; PMON_END.
PMON_NODISCARD enum pmon_status pmon_pdht_part_read(struct pdht *part, struct pmon_err *err);

// Where the first line begins that does so at `from` or later; `to` when there is none before.
PMON_NODISCARD enum pmon_status pmon_pdht_find_line(const struct pdht *pdht, uint64_t from,
						    uint64_t to, uint64_t *out,
						    struct pmon_err *err);

// The clock at the end of what is before a part. Would it be in the same state after the first two lines of the part?
// From there on it is then that of the part.
bool pmon_pdht_clock_goes_on(const struct pdht_clock *before, const struct pdht *part);

// ---- ahead.c: parts read before they are asked for ------------------------------------------

// Take the next sample from what threads have read: it is then in pdht->sample. False when the caller is to read
// it by pmon_pdht_read_sample().
bool pmon_pdht_ahead_take(struct pdht *pdht);

// End the threads and forget what they have read.
void pmon_pdht_ahead_close(struct pdht *pdht);

// ---- split.c: the source in parts -----------------------------------------------------------

extern const struct pmon_source_split pmon_pdht_split;

extern const struct pmon_format pmon_format_pdhtext;

#define PDHT_WRITERS 2
extern const struct pmon_writer pmon_pdht_writers[PDHT_WRITERS]; // write.c

#endif
