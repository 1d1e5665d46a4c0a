// out_text.c - tables as text, in columns
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf.h"
#include "shell/output/clean.h"
#include "shell/output/writer.h"

// The columns that a text occupies on a terminal: its number of code points, which is the best
// estimate without tables.
static size_t
display_width(struct pmon_span text)
{
	size_t n = 0;

	for (size_t pos = 0; pos < text.len; n++) {
		if (pmon_utf_is_ascii(text.ptr[pos]))
			pos++;
		else
			(void)pmon_utf8_next(text, &pos);
	}
	return n;
}

static void
end_row(struct out *out)
{
	out_row_put(out, "\n", 1);
	out_row_write(out);
}

static bool
is_plain(struct pmon_span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!pmon_utf_is_ascii(text.ptr[i]))
			return false;
	return true;
}

// ---- Cells ------------------------------------------------------------------------------------

static void
print_cell(struct out *out, const struct out_column *column, size_t width, struct pmon_span text,
	   bool last)
{
	bool plain = is_plain(text);
	size_t have = plain ? text.len : display_width(text);
	size_t fill = width > have ? width - have : 0;

	if (column->align == OUT_RIGHT)
		out_row_pad(out, fill);
	if (plain) {
		out_row_put(out, text.ptr, text.len);
	} else {
		out_row_write(out);
		out_clean(out->stream, text);
	}
	if (column->align == OUT_LEFT && !last)
		out_row_pad(out, fill);
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
	out_row_str(out, out->bold_head ? "\033[1m" : "");
	for (size_t i = 0; i < out->n_columns; i++) {
		const struct out_column *column = &out->columns[i];
		bool last = is_last_shown(out, i);

		if (column->heading == NULL)
			continue;
		print_cell(out, column, widths != NULL ? widths[i] : (size_t)column->width,
			   (struct pmon_span){column->heading, strlen(column->heading)}, last);
		out_row_str(out, last ? "" : "  ");
	}
	out_row_str(out, out->bold_head ? "\033[0m\n" : "\n");
	out_row_write(out);
}

// Cells are stored consecutively, each with a NUL: a log of many counters has ten times as many
// cells.
static void
keep_cell(struct out *out, struct pmon_span text)
{
	size_t need = out->cells_len + text.len + 1;

	out->failed = out->failed || !pmon_mem_grow(pmon_mem_allocator(NULL), &out->cells,
						    &out->cells_cap, need, 1);
	if (out->failed)
		return;
	// A cell ends at its first NUL.
	text.len = strnlen(text.ptr != NULL ? text.ptr : "", text.len);
	if (text.len > 0)
		memcpy(out->cells + out->cells_len, text.ptr, text.len);
	out->cells[out->cells_len + text.len] = '\0';
	out->cells_len += text.len + 1;
}

// The stored cell at *at, which is advanced.
static struct pmon_span
kept_cell(const struct out *out, size_t *at)
{
	const char *text = out->cells + *at;
	struct pmon_span cell = {text, strlen(text)};

	*at += cell.len + 1;
	return cell;
}

// The widths of the columns: that of the widest cell or heading.
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
end(struct out *out)
{
	size_t *widths;

	if (out->array == NULL)
		return;
	widths = calloc(out->n_columns, sizeof(*widths));
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
			out_row_pad(out, 2);
		if (i % out->n_columns == out->n_columns - 1)
			end_row(out);
	}
	free(widths);
}

static void
cell(struct out *out, enum cell_kind kind, struct pmon_span text)
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
			out_row_pad(out, 2);
	}
	if (out->column + 1 == out->n_columns)
		end_row(out);
}

// Streamed text has columns of the given widths.
static void
begin(struct out *out)
{
	if (out->array == NULL)
		print_heading(out, NULL);
}

const struct out_writer out_writer_text = {begin, cell, end};
