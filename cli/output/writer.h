// writer.h - what a form of output provides
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_WRITER_H
#define PMON_CLI_OUTPUT_WRITER_H

#include "cli/output/table.h"

enum cell_kind {
	CELL_TEXT,
	CELL_NUMBER,
	CELL_NULL
};

struct out_writer {
	void (*begin)(struct out *out); // NULL: nothing stands before the first cell
	// Cell out->column of row out->rows. A number comes as the text that JSON has, CELL_NULL as "null".
	void (*cell)(struct out *out, enum cell_kind kind, struct pmon_span text);
	void (*end)(struct out *out); // NULL: nothing follows the last cell
};

extern const struct out_writer out_writer_text;
extern const struct out_writer out_writer_csv;
extern const struct out_writer out_writer_json;

#endif
