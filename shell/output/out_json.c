// out_json.c - tables as JSON: one object with an array, or one object per line
// SPDX-License-Identifier: MIT

#include "base/utf.h"
#include "shell/output/writer.h"
#include "shell/output/json.h"

// Write a text of plain characters, with quotes and backslashes escaped. False, without writing, if
// it has others.
static bool
put_plain(struct out *out, struct pmon_span text)
{
	size_t put = 0;

	for (size_t i = 0; i < text.len; i++)
		if (!pmon_utf_is_ascii(text.ptr[i]))
			return false;
	out_row_put(out, "\"", 1);
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '"' && text.ptr[i] != '\\')
			continue;
		out_row_put(out, text.ptr + put, i - put);
		out_row_put(out, "\\", 1);
		put = i;
	}
	out_row_put(out, text.ptr + put, text.len - put);
	out_row_put(out, "\"", 1);
	return true;
}

static void
put_text(struct out *out, struct pmon_span text)
{
	struct json json = {.stream = out->stream};

	if (put_plain(out, text))
		return;
	out_row_write(out);
	json_text(&json, text);
}

static void
cell(struct out *out, enum cell_kind kind, struct pmon_span text)
{
	if (out->column == 0) {
		if (out->array != NULL)
			out_row_str(out, out->rows == 0 ? "\n" : ",\n");
		out_row_put(out, "{\"", 2);
	} else {
		out_row_put(out, ",\"", 2);
	}
	out_row_str(out, out->columns[out->column].name);
	out_row_put(out, "\":", 2);
	if (kind == CELL_TEXT)
		put_text(out, text);
	else
		out_row_put(out, text.ptr, text.len);
	if (out->column + 1 < out->n_columns)
		return;
	out_row_str(out, out->array != NULL ? "}" : "}\n");
	out_row_write(out);
}

static void
begin(struct out *out)
{
	if (out->array != NULL)
		fprintf(out->stream, "{\"version\":1,\"%s\":[", out->array);
}

static void
end(struct out *out)
{
	struct json json = {.stream = out->stream, .depth = 1, .comma = {true, true}};

	if (out->array == NULL)
		return;
	fputs("\n]", out->stream);
	if (out->used != NULL)
		json_used(&json, out->used);
	fputs("}\n", out->stream);
}

const struct out_writer out_writer_json = {begin, cell, end};
