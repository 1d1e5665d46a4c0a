// write.c - PDH-CSV and PDH-TSV as Windows 10 writes them
// SPDX-License-Identifier: MIT

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "simd/simd.h"
#include "base/text.h"
#include "base/time.h"
#include "format/format.h"
#include "format/pdhtext/pdhtext.h"
#include "model/sink.h"
#include "os/outfile.h"

#define DEFAULT_DIGITS 17
#define MAX_DIGITS     21
#define NO_COLUMN      UINT32_MAX
#define CELLS_AT_ONCE  (PMON_OUTFILE_ROOM / PMON_ROW_CELL)

struct text_sink {
	struct pmon_sink sink; // must be first
	const struct pmon_allocator *allocator;
	struct pmon_outfile *file;
	char separator;
	int digits;
	bool unix_lines;
	struct pmon_create_options options;  // for a live log
	const struct pmon_schema *schema;    // ... and the source of its header, together with
	const struct pmon_source_info *info; // the first sample
	bool begun;
	bool continues; // the header exists already, if it is the same
	bool differs;
	uint64_t compared; // compared bytes of it
	bool late_told;
	bool fixed_clock;
	int32_t offset_min;
	size_t n;            // columns
	size_t n_series;     // when the columns were numbered
	uint32_t *column_of; // by series number
	double *row;         // by column; NaN for a missing value
	uint64_t checked;    // bytes known to be written
};

// ---- Bytes ----------------------------------------------------------------------------------

// Does the existing file continue with this text?
static void
compare(struct text_sink *s, const char *text, size_t len)
{
	char there[64];

	while (len > 0 && !s->differs) {
		size_t n = len < sizeof(there) ? len : sizeof(there);

		s->differs = pmon_outfile_read_at(s->file, s->compared, there, n) < n ||
			     memcmp(there, text, n) != 0;
		s->compared += n;
		text += n;
		len -= n;
	}
}

static void
put(struct text_sink *s, const char *text, size_t len)
{
	if (s->continues)
		compare(s, text, len);
	else
		pmon_outfile_write(s->file, text, len);
}

static void
put_line_end(struct text_sink *s)
{
	if (!s->unix_lines)
		put(s, "\r", 1);
	put(s, "\n", 1);
}

// Text with doubled quotes. Line ends would end the line.
static void
put_text(struct text_sink *s, struct pmon_span text)
{
	size_t from = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c != '\n' && c != '\r' && c != '"')
			continue;
		put(s, text.ptr + from, i - from);
		put(s, c == '"' ? "\"\"" : " ", c == '"' ? 2 : 1);
		from = i + 1;
	}
	put(s, text.ptr + from, text.len - from);
}

// ---- Header ---------------------------------------------------------------------------------

// The name of the clock of the written times: the log's zone, or the offset if the log has no name
// for it.
static struct pmon_span
zone_name(const struct text_sink *s, const struct pmon_source_info *info, int32_t offset_min,
	  char buf[PMON_TIME_SIZE])
{
	struct pmon_text text = pmon_text_init(buf, PMON_TIME_SIZE);
	char offset[PMON_TIME_SIZE];

	if (info->zone[0] != '\0' && (!s->fixed_clock || offset_min == info->utc_offset_min))
		return (struct pmon_span){info->zone, strlen(info->zone)};
	pmon_text_str(&text, "UTC");
	if (offset_min != 0) {
		pmon_time_offset(offset_min, offset);
		pmon_text_str(&text, offset);
	}
	return (struct pmon_span){buf, text.len};
}

// The header has one offset, so all rows use the clock of that offset: UTC is the row's time plus
// the bias, whatever changes of clocks or merged zones the samples have seen.
static void
put_marker(struct text_sink *s, const struct pmon_source_info *info)
{
	char zone[PMON_TIME_SIZE];
	char buf[PMON_NUM_SIZE];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	if (!s->fixed_clock)
		s->offset_min = info->utc_offset_min;
	pmon_text_str(&text, s->separator == '\t' ? "\"(PDH-TSV 4.0) (" : "\"(PDH-CSV 4.0) (");
	put(s, buf, text.len);
	put_text(s, zone_name(s, info, s->offset_min, zone));
	text = pmon_text_init(buf, sizeof(buf));
	pmon_text_str(&text, ")(");
	pmon_text_i64(&text, -(int64_t)s->offset_min);
	pmon_text_str(&text, ")\"");
	put(s, buf, text.len);
}

static void
put_header(struct text_sink *s, const struct pmon_source_info *info,
	   const struct pmon_series *const *columns)
{
	put_marker(s, info);
	for (size_t i = 0; i < s->n; i++) {
		put(s, &s->separator, 1);
		put(s, "\"", 1);
		put_text(s, columns[i]->name);
		put(s, "\"", 1);
	}
	put_line_end(s);
}

// Number the columns: for all series, or those of a sample.
static void
number_columns(struct text_sink *s, const struct pmon_sample *sample,
	       const struct pmon_series **columns)
{
	bool all = sample == NULL;

	for (size_t i = 0; i < s->n_series; i++)
		s->column_of[i] = all ? 0 : NO_COLUMN;
	for (size_t i = 0; !all && i < sample->n; i++)
		s->column_of[sample->series[i]] = 0;
	pmon_schema_in_order(s->schema, columns);
	for (size_t i = 0; i < s->n_series; i++) {
		if (s->column_of[columns[i]->id] == NO_COLUMN)
			continue;
		s->column_of[columns[i]->id] = (uint32_t)s->n;
		columns[s->n++] = columns[i];
	}
}

static enum pmon_status
begin_columns(struct text_sink *s, const struct pmon_sample *sample, struct pmon_err *err)
{
	size_t n = pmon_schema_count(s->schema);
	size_t size = (n > 0 ? n : 1) * sizeof(const struct pmon_series *);
	const struct pmon_series **columns = pmon_mem_alloc(s->allocator, size);
	enum pmon_status status = PMON_OK;

	s->n_series = n;
	s->column_of = pmon_mem_alloc(s->allocator, (n + 1) * sizeof(*s->column_of));
	s->row = pmon_mem_alloc(s->allocator, (n + 1) * sizeof(*s->row));
	if (columns == NULL || s->column_of == NULL || s->row == NULL) {
		status = pmon_err_nomem(err);
	} else {
		number_columns(s, sample, columns);
		put_header(s, s->info, columns);
		s->continues = false;
		s->begun = true;
	}
	if (s->differs)
		status = pmon_err_set(err, PMON_E_STATE, 0, "the existing file has other columns");
	else if (status == PMON_OK && s->options.append)
		status = pmon_outfile_cut_line(s->file, err);
	pmon_mem_free(s->allocator, columns, size);
	return status;
}

// The header of a live log waits for the first sample.
static enum pmon_status
text_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	   const struct pmon_source_info *info, struct pmon_err *err)
{
	struct text_sink *s = (struct text_sink *)sink;

	s->schema = schema;
	s->info = info;
	if (s->options.live)
		return PMON_OK;
	if (pmon_schema_count(schema) == 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "cannot write a text log without counters");
	return begin_columns(s, NULL, err);
}

// ---- Rows -----------------------------------------------------------------------------------

static void
put_time(struct text_sink *s, const struct pmon_sample *sample)
{
	char time[PMON_TIME_SIZE];
	size_t len = pmon_time_pdh(sample->time, s->offset_min, time);

	put(s, "\"", 1);
	put(s, time, len);
	put(s, "\"", 1);
}

static bool
has_column(const struct text_sink *s, uint32_t series)
{
	return series < s->n_series && s->column_of[series] != NO_COLUMN;
}

// Copy the values of a sample to the row. Returns how many have no column.
static size_t
fill_row(struct text_sink *s, const struct pmon_sample *sample, const struct pmon_value *values)
{
	size_t n_late = 0;

	for (size_t i = 0; i < s->n; i++)
		s->row[i] = NAN;
	for (size_t i = 0; i < sample->n; i++) {
		if (!has_column(s, sample->series[i]))
			n_late++;
		else if (pmon_vstat_has_value(values[i].status))
			s->row[s->column_of[sample->series[i]]] = values[i].value;
	}
	return n_late;
}

static void
put_row(struct text_sink *s)
{
	for (size_t i = 0; i < s->n; i += CELLS_AT_ONCE) {
		size_t n = s->n - i < CELLS_AT_ONCE ? s->n - i : CELLS_AT_ONCE;
		char *cells = pmon_outfile_room(s->file, n * PMON_ROW_CELL);

		pmon_outfile_put(s->file, pmon_row_print(pmon_simd_best(), s->row + i, n,
							 s->separator, s->digits, cells));
	}
}

static enum pmon_status
text_add(struct pmon_sink *sink, const struct pmon_sample *sample, const struct pmon_value *values,
	 struct pmon_err *err)
{
	struct text_sink *s = (struct text_sink *)sink;
	enum pmon_status status = s->begun ? PMON_OK : begin_columns(s, sample, err);
	size_t n_late;

	if (status != PMON_OK || sample->preceding)
		return status;
	n_late = fill_row(s, sample, values);
	if (n_late > 0 && !s->options.live)
		return pmon_err_set(err, PMON_E_STATE, 0,
				    "a counter appeared after the header was written");
	if (n_late > 0 && !s->late_told)
		pmon_format_tell_late(&s->options, n_late);
	s->late_told = s->late_told || n_late > 0;
	put_time(s, sample);
	put_row(s);
	put_line_end(s);
	return pmon_format_check(s->file, &s->checked, err);
}

// ---- The sink -------------------------------------------------------------------------------

static enum pmon_status
text_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	return pmon_outfile_flush(((struct text_sink *)sink)->file, sync, err);
}

static uint64_t
text_size(const struct pmon_sink *sink)
{
	return pmon_outfile_size(((const struct text_sink *)sink)->file);
}

static struct pmon_outfile *
text_file(const struct pmon_sink *sink)
{
	return ((const struct text_sink *)sink)->file;
}

static enum pmon_status
text_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	return pmon_outfile_commit(((struct text_sink *)sink)->file, err);
}

static void
text_close(struct pmon_sink *sink)
{
	struct text_sink *s = (struct text_sink *)sink;

	pmon_outfile_close(s->file);
	pmon_mem_free(s->allocator, s->column_of, (s->n_series + 1) * sizeof(*s->column_of));
	pmon_mem_free(s->allocator, s->row, (s->n_series + 1) * sizeof(*s->row));
	pmon_mem_free(s->allocator, s, sizeof(*s));
}

static const struct pmon_sink_ops text_ops = {.needs = PMON_SINK_SCHEMA | PMON_SINK_VALUES,
					      .begin = text_begin,
					      .add = text_add,
					      .finish = text_finish,
					      .close = text_close,
					      .flush = text_flush,
					      .size = text_size,
					      .file = text_file,
					      .values_suffice = true};

static enum pmon_status
text_open(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
	  const struct pmon_create_options *options, struct pmon_err *err)
{
	struct text_sink *s = (struct text_sink *)sink;

	s->allocator = pmon_mem_allocator(options->allocator);
	if (options->digits < 0 || options->digits > MAX_DIGITS)
		return pmon_err_set(err, PMON_E_ARG, 0, "%d digits: must be 1 to %d",
				    options->digits, MAX_DIGITS);
	s->separator = strcmp(writer->name, "tsv") == 0 ? '\t' : ',';
	s->digits = options->digits > 0 ? options->digits : DEFAULT_DIGITS;
	s->options = *options;
	s->unix_lines = options->unix_lines;
	s->fixed_clock = options->fixed_clock;
	s->offset_min = options->offset_min;
	s->continues = options->append;
	return pmon_format_outfile(path, options, &s->file, err);
}

const struct pmon_writer pmon_pdht_writers[PDHT_WRITERS] = {
	{.name = "csv",
	 .endings = {"csv"},
	 .reads_as = "PDH-CSV",
	 .can_name = pmon_names_fit_a_line,
	 .open = text_open,
	 .sink_bytes = sizeof(struct text_sink),
	 .ops = &text_ops,
	 .record = true,
	 .append = true},
	{.name = "tsv",
	 .endings = {"tsv", "tab"},
	 .reads_as = "PDH-TSV",
	 .can_name = pmon_names_fit_a_line,
	 .open = text_open,
	 .sink_bytes = sizeof(struct text_sink),
	 .ops = &text_ops,
	 .record = true,
	 .append = true},
};
