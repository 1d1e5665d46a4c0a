// writer.h - the interface that output formats implement
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_WRITER_H
#define PMON_SHELL_OUTPUT_WRITER_H

#include "shell/output/table.h"

enum cell_kind {
	CELL_TEXT,
	CELL_NUMBER,
	CELL_NULL
};

struct out_writer {
	void (*begin)(struct out *out); // NULL: nothing precedes the first cell
	// Cell out->column of row out->rows. Numbers are passed as JSON text, CELL_NULL as "null".
	void (*cell)(struct out *out, enum cell_kind kind, struct pmon_span text);
	void (*end)(struct out *out); // NULL: nothing follows the last cell
};

// row.c: append bytes to the row. Running out of memory is recorded in out->failed.
void out_row_put(struct out *out, const char *text, size_t len);
void out_row_str(struct out *out, const char *text);
void out_row_pad(struct out *out, size_t n); // blanks
void out_row_write(struct out *out);         // call it before writing anything else to the stream

extern const struct out_writer out_writer_text;
extern const struct out_writer out_writer_csv;
extern const struct out_writer out_writer_json;
extern const struct out_writer out_writer_markdown;

#endif
