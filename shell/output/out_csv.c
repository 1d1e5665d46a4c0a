// out_csv.c - tables as CSV
// SPDX-License-Identifier: MIT

#include <string.h>

#include "shell/output/clean.h"
#include "shell/output/out.h"
#include "shell/output/writer.h"

static bool raw_names_on;

void
out_use_raw_names(bool on)
{
	raw_names_on = on;
}

// A part of a field, cleaned for a terminal.
static void
csv_part(const struct out *out, struct pmon_span text)
{
	if (out->terminal)
		out_clean(out->stream, text);
	else if (text.len > 0) // a missing text may be NULL
		fwrite(text.ptr, 1, text.len, out->stream);
}

// A text, without the surrounding quotes.
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

// Does this byte require quotes around the field?
static bool
is_quoted(char c)
{
	return c == ',' || c == '"' || c == '\r' || c == '\n' || c == '\0';
}

static void
csv_field(const struct out *out, struct pmon_span text)
{
	bool quote = false;

	for (size_t i = 0; i < text.len && !quote; i++)
		quote = is_quoted(text.ptr[i]);
	if (!quote) {
		csv_part(out, text);
		return;
	}
	putc('"', out->stream);
	csv_quoted(out, text);
	putc('"', out->stream);
}

// Spreadsheets skip blanks before a formula, and some also skip line ends.
static bool
is_formula(struct pmon_span text)
{
	return text.len > 0 && text.ptr[0] != '\0' && strchr("=+-@\t\r\n", text.ptr[0]) != NULL;
}

// A quoted field that begins with an apostrophe is treated as text.
static void
csv_formula(const struct out *out, struct pmon_span text)
{
	putc('"', out->stream);
	putc('\'', out->stream);
	csv_quoted(out, text);
	putc('"', out->stream);
}

static void
cell(struct out *out, enum cell_kind kind, struct pmon_span text)
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
begin(struct out *out)
{
	for (size_t i = 0; i < out->n_columns; i++)
		fprintf(out->stream, "%s%s", out->columns[i].name,
			i + 1 < out->n_columns ? "," : "\n");
}

const struct out_writer out_writer_csv = {begin, cell, NULL};
