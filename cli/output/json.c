// json.c - tables as JSON: one object with an array, or an object on each line
// SPDX-License-Identifier: MIT

#include "cli/output/writer.h"
#include "text/json.h"

static void
cell(struct out *out, enum cell_kind kind, struct pmon_span text)
{
	struct json json = {.stream = out->stream};

	if (out->column == 0) {
		if (out->array != NULL)
			fputs(out->rows == 0 ? "\n" : ",\n", out->stream);
		fputs("{\"", out->stream);
	} else {
		fputs(",\"", out->stream);
	}
	fputs(out->columns[out->column].name, out->stream);
	fputs("\":", out->stream);
	if (kind == CELL_TEXT)
		json_text(&json, text);
	else
		fwrite(text.ptr, 1, text.len, out->stream);
	if (out->column + 1 == out->n_columns)
		fputs(out->array != NULL ? "}" : "}\n", out->stream);
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
	if (out->array != NULL)
		fputs("\n]}\n", out->stream);
}

const struct out_writer out_writer_json = {begin, cell, end};
