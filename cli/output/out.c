// out.c - tables as text, CSV and JSON
// SPDX-License-Identifier: MIT

#include "cli/output/out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "base/utf.h"
#include "cli/output/say.h"
#include "os/term.h"

#define LARGEST_PLAIN_JSON_INT INT64_C(9007199254740992) // 2^53

static bool raw_names_on;

void
out_use_raw_names(bool on)
{
	raw_names_on = on;
}

int32_t
clock_offset(const struct clock *clock, pmon_time t)
{
	return clock->mode == CLOCK_LOCAL ? pmon_os_utc_offset_min(t) : clock->offset_min;
}

// ---- Columns of text ------------------------------------------------------------------------

// Columns that a text takes on a terminal: its code points, as good as can be had without tables.
static size_t
display_width(struct pmon_span text)
{
	size_t n = 0;

	for (size_t pos = 0; pos < text.len; n++)
		(void)pmon_utf8_next(text, &pos);
	return n;
}

static void
pad(FILE *stream, size_t n)
{
	for (size_t i = 0; i < n; i++)
		putc(' ', stream);
}

static void
print_cell(struct out *out, const struct out_column *column, size_t width, struct pmon_span text,
	   bool last)
{
	size_t have = display_width(text);
	size_t fill = width > have ? width - have : 0;

	if (column->align == OUT_RIGHT)
		pad(out->stream, fill);
	out_clean(out->stream, text);
	if (column->align == OUT_LEFT && !last)
		pad(out->stream, fill);
}

static bool
is_last_shown(const struct out *out, size_t column)
{
	for (size_t i = column + 1; i < out->n_columns; i++)
		if (out->columns[i].heading != NULL)
			return false;
	return true;
}

static void
print_heading(struct out *out, const size_t *widths)
{
	if (out->bold_head)
		fputs("\033[1m", out->stream);
	for (size_t i = 0; i < out->n_columns; i++) {
		const struct out_column *column = &out->columns[i];
		bool last = is_last_shown(out, i);

		if (column->heading == NULL)
			continue;
		print_cell(out, column, widths != NULL ? widths[i] : (size_t)column->width,
			   (struct pmon_span){column->heading, strlen(column->heading)}, last);
		if (!last)
			fputs("  ", out->stream);
	}
	fputs(out->bold_head ? "\033[0m\n" : "\n", out->stream);
}

// Cells lie one after the other, each with a NUL: a log of many counters has ten times as many cells.
static void
keep_cell(struct out *out, struct pmon_span text)
{
	size_t need = out->cells_len + text.len + 1;

	out->failed = out->failed || !pmon_mem_grow(pmon_mem_allocator(NULL), &out->cells,
						    &out->cells_cap, need, 1);
	if (out->failed)
		return;
	// A NUL ends a cell wherever it stands.
	text.len = strnlen(text.ptr != NULL ? text.ptr : "", text.len);
	if (text.len > 0)
		memcpy(out->cells + out->cells_len, text.ptr, text.len);
	out->cells[out->cells_len + text.len] = '\0';
	out->cells_len += text.len + 1;
}

// The cell at *at of those that are kept, which is stepped on.
static struct pmon_span
kept_cell(const struct out *out, size_t *at)
{
	const char *text = out->cells + *at;
	struct pmon_span cell = {text, strlen(text)};

	*at += cell.len + 1;
	return cell;
}

// The widths of the columns: of the widest cell of each, or of its heading.
static void
measure_kept(const struct out *out, size_t *widths)
{
	for (size_t i = 0; i < out->n_columns; i++)
		if (out->columns[i].heading != NULL)
			widths[i] = strlen(out->columns[i].heading);
	for (size_t at = 0, i = 0; at < out->cells_len; i++) {
		size_t have = display_width(kept_cell(out, &at));

		if (have > widths[i % out->n_columns])
			widths[i % out->n_columns] = have;
	}
}

static void
print_kept(struct out *out)
{
	size_t *widths = calloc(out->n_columns, sizeof(*widths));

	if (widths == NULL) {
		out->failed = true;
		return;
	}
	measure_kept(out, widths);
	print_heading(out, widths);
	for (size_t at = 0, i = 0; at < out->cells_len; i++) {
		const struct out_column *column = &out->columns[i % out->n_columns];
		bool last = is_last_shown(out, i % out->n_columns);
		struct pmon_span cell = kept_cell(out, &at);

		if (column->heading != NULL)
			print_cell(out, column, widths[i % out->n_columns], cell, last);
		if (column->heading != NULL && !last)
			fputs("  ", out->stream);
		if (i % out->n_columns == out->n_columns - 1)
			putc('\n', out->stream);
	}
	free(widths);
}

// ---- CSV ------------------------------------------------------------------------------------

// A part of a field as it is, or clean for a terminal.
static void
csv_part(const struct out *out, struct pmon_span text)
{
	if (out->terminal)
		out_clean(out->stream, text);
	else
		fwrite(text.ptr, 1, text.len, out->stream);
}

// A text without the quotes around it.
static void
csv_quoted(const struct out *out, struct pmon_span text)
{
	size_t start = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '"')
			continue;
		csv_part(out, (struct pmon_span){text.ptr + start, i + 1 - start});
		start = i; // a quote is doubled
	}
	csv_part(out, (struct pmon_span){text.ptr + start, text.len - start});
}

static void
csv_field(const struct out *out, struct pmon_span text)
{
	bool quote = false;

	for (size_t i = 0; i < text.len && !quote; i++)
		quote = strchr(",\"\r\n", text.ptr[i]) != NULL;
	if (!quote) {
		csv_part(out, text);
		return;
	}
	putc('"', out->stream);
	csv_quoted(out, text);
	putc('"', out->stream);
}

// Spreadsheets skip blanks before a formula, some of them also what ends a line.
static bool
is_formula(struct pmon_span text)
{
	return text.len > 0 && text.ptr[0] != '\0' && strchr("=+-@\t\r\n", text.ptr[0]) != NULL;
}

// A field that is quoted and begins with an apostrophe is text.
static void
csv_formula(const struct out *out, struct pmon_span text)
{
	putc('"', out->stream);
	putc('\'', out->stream);
	csv_quoted(out, text);
	putc('"', out->stream);
}

// ---- Cells ----------------------------------------------------------------------------------

enum cell_kind {
	CELL_TEXT,
	CELL_NUMBER,
	CELL_NULL
};

static void
json_cell(struct out *out, enum cell_kind kind, struct pmon_span text)
{
	struct json json = {.stream = out->stream};

	if (out->column == 0) {
		if (out->array != NULL)
			fputs(out->rows == 0 ? "\n" : ",\n", out->stream);
		putc('{', out->stream);
	} else {
		putc(',', out->stream);
	}
	fprintf(out->stream, "\"%s\":", out->columns[out->column].name);
	if (kind == CELL_TEXT)
		json_text(&json, text);
	else
		fwrite(text.ptr, 1, text.len, out->stream);
	if (out->column + 1 == out->n_columns)
		fputs(out->array != NULL ? "}" : "}\n", out->stream);
}

static void
csv_cell(struct out *out, enum cell_kind kind, struct pmon_span text)
{
	if (out->column > 0)
		putc(',', out->stream);
	if (kind == CELL_TEXT && is_formula(text) && !raw_names_on)
		csv_formula(out, text);
	else if (kind != CELL_NULL)
		csv_field(out, text);
	if (out->column + 1 == out->n_columns)
		putc('\n', out->stream);
}

static void
text_cell(struct out *out, enum cell_kind kind, struct pmon_span text)
{
	const struct out_column *column = &out->columns[out->column];
	bool last = is_last_shown(out, out->column);

	if (kind == CELL_NULL)
		text = (struct pmon_span){"-", 1};
	if (out->array != NULL) {
		keep_cell(out, column->heading != NULL ? text : PMON_SPAN(""));
		return;
	}
	if (column->heading != NULL) {
		print_cell(out, column, (size_t)column->width, text, last);
		if (!last)
			fputs("  ", out->stream);
	}
	if (out->column + 1 == out->n_columns)
		putc('\n', out->stream);
}

static void
put_cell(struct out *out, enum cell_kind kind, struct pmon_span text)
{
	if (out->format == OUT_JSON)
		json_cell(out, kind, text);
	else if (out->format == OUT_CSV)
		csv_cell(out, kind, text);
	else
		text_cell(out, kind, text);
	if (++out->column == out->n_columns) {
		out->column = 0;
		out->rows++;
	}
}

void
out_begin(struct out *out, FILE *stream, enum out_format format, const char *array,
	  const struct out_column *columns, size_t n_columns, const struct clock *clock)
{
	*out = (struct out){.stream = stream,
			    .format = format,
			    .array = array,
			    .columns = columns,
			    .n_columns = n_columns,
			    .clock = clock};
	out->bold_head = out_style(STYLE_BOLD)[0] != '\0' && stream == stdout;
	out->terminal = out_is_terminal(stream);
	if (format == OUT_JSON && array != NULL)
		fprintf(stream, "{\"version\":1,\"%s\":[", array);
	if (format == OUT_TEXT && array == NULL)
		print_heading(out, NULL);
	for (size_t i = 0; format == OUT_CSV && i < n_columns; i++)
		fprintf(stream, "%s%s", columns[i].name, i + 1 < n_columns ? "," : "\n");
}

void
out_text(struct out *out, struct pmon_span text)
{
	put_cell(out, CELL_TEXT, text);
}

void
out_str(struct out *out, const char *text)
{
	if (text == NULL)
		out_null(out);
	else
		out_text(out, (struct pmon_span){text, strlen(text)});
}

void
out_null(struct out *out)
{
	put_cell(out, CELL_NULL, (struct pmon_span){"null", 4});
}

static void
out_number_text(struct out *out, const char *number)
{
	put_cell(out, CELL_NUMBER, (struct pmon_span){number, strlen(number)});
}

void
out_double(struct out *out, double value)
{
	char buf[PMON_NUM_SIZE];
	size_t len = out->format == OUT_TEXT ? out_human(value, buf, sizeof(buf))
					     : pmon_num_shortest(value, buf);

	put_cell(out, CELL_NUMBER, (struct pmon_span){buf, len});
}

void
out_value(struct out *out, const struct pmon_counter_type *type, const struct pmon_value *value)
{
	char hex[PMON_HEX_SIZE];

	if (!pmon_vstat_has_value(value->status))
		out_null(out);
	else if (out->format != OUT_JSON && pmon_type_is_hex(type) &&
		 pmon_hex_text(value->value, hex) > 0)
		out_number_text(out, hex);
	else
		out_double(out, value->value);
}

void
out_raw(struct out *out, const struct pmon_series *series, const struct pmon_raw *raw)
{
	struct pmon_span text = pmon_series_text(series, raw);
	char hex[PMON_HEX_SIZE];

	if (text.ptr != NULL) {
		out_text(out, text);
	} else if (out->format == OUT_JSON || !pmon_type_is_hex(pmon_series_type(series))) {
		out_i64(out, raw->first);
	} else {
		(void)pmon_hex_bits(raw->first, hex);
		out_number_text(out, hex);
	}
}

void
out_i64(struct out *out, int64_t value)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));
	bool large = value > LARGEST_PLAIN_JSON_INT || value < -LARGEST_PLAIN_JSON_INT;

	pmon_text_i64(&t, value);
	put_cell(out, large && out->format == OUT_JSON ? CELL_TEXT : CELL_NUMBER,
		 (struct pmon_span){buf, t.len});
}

void
out_u64(struct out *out, uint64_t value)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));
	bool large = value > (uint64_t)LARGEST_PLAIN_JSON_INT;

	pmon_text_u64(&t, value);
	put_cell(out, large ? CELL_TEXT : CELL_NUMBER, (struct pmon_span){buf, t.len});
}

void
out_time(struct out *out, pmon_time t)
{
	char buf[PMON_TIME_SIZE];
	size_t len;

	if (t == PMON_TIME_NONE) {
		out_null(out);
		return;
	}
	if (out->format == OUT_TEXT)
		len = pmon_time_local(t, clock_offset(out->clock, t), buf);
	else
		len = pmon_time_iso(t, buf);
	put_cell(out, CELL_TEXT, (struct pmon_span){buf, len});
}

void
out_seconds(struct out *out, pmon_time t, bool with_date)
{
	char buf[PMON_TIME_SIZE];
	size_t len;

	if (t == PMON_TIME_NONE) {
		out_null(out);
		return;
	}
	len = pmon_time_local(t, clock_offset(out->clock, t), buf); // "2016-11-26 13:46:30.874"
	len -= 4;                                                   // the decimals
	if (with_date)
		put_cell(out, CELL_TEXT, (struct pmon_span){buf, len});
	else
		put_cell(out, CELL_TEXT, (struct pmon_span){buf + len - 8, 8});
}

void
out_series_type(struct out *out, const struct pmon_series *series)
{
	if (series->formatted && !series->type_known)
		out_null(out);
	else
		out_type(out, series->formatted ? series->known_type : series->counter.type);
}

void
out_pid(struct out *out, const struct pmon_series *series)
{
	if (series->of_process && series->process_id >= 0)
		out_i64(out, series->process_id);
	else
		out_null(out);
}

const char *
out_unit(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);

	return type != NULL ? type->unit : "";
}

char *
out_path_text(const struct pmon_path *path, bool any_instance)
{
	struct pmon_path shown = *path;
	size_t size;
	char *text;

	if (any_instance && path->instance.ptr != NULL) {
		shown.parent = (struct pmon_span){NULL, 0};
		shown.instance = PMON_SPAN("*");
		shown.index = 0;
	}
	size = pmon_path_format(&shown, NULL, 0) + 1;
	text = malloc(size);
	if (text != NULL)
		pmon_path_format(&shown, text, size);
	return text;
}

void
out_type(struct out *out, uint32_t word)
{
	char hex[16];

	out_str(out, json_type_name(word, hex));
}

int
out_end(struct out *out)
{
	if (out->format == OUT_JSON && out->array != NULL)
		fputs("\n]}\n", out->stream);
	if (out->format == OUT_TEXT && out->array != NULL)
		print_kept(out);
	pmon_mem_free(pmon_mem_allocator(NULL), out->cells, out->cells_cap);
	if (out->failed)
		return say(EXIT_FAILED, "not enough memory for the table");
	return EXIT_DONE;
}

int
out_check_stdout(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	// A reader that went away (head, less) is not worth words.
	if (errno == EPIPE)
		return EXIT_FAILED;
	return say(EXIT_FAILED, "cannot write the output: %s", strerror(errno));
}
