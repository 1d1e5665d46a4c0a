// table.h - what a table is
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_TABLE_H
#define PMON_CLI_OUTPUT_TABLE_H

#include <stdio.h>

#include <pmon/pmon.h>

enum out_format {
	OUT_TEXT,
	OUT_CSV,
	OUT_JSON
};
enum out_align {
	OUT_LEFT,
	OUT_RIGHT
};

// How times are shown in text: on which clock.
struct clock {
	enum {
		CLOCK_LOG,
		CLOCK_FIXED,
		CLOCK_LOCAL
	} mode;
	int32_t offset_min; // of CLOCK_FIXED, and of CLOCK_LOG once the log is known
};

struct out_column {
	const char *name;    // in JSON and CSV
	const char *heading; // in text; NULL: not shown in text
	int width;           // in text that streams; 0: as wide as it comes
	enum out_align align;
};

struct out {
	FILE *stream;
	enum out_format format;
	const char *array; // JSON: name of the array in one object; NULL: one object a line
	const struct out_column *columns;
	size_t n_columns;
	const struct clock *clock;
	size_t column; // of the next cell
	uint64_t rows;
	// text that does not stream: the cells so far
	char *cells;
	size_t cells_len;
	size_t cells_cap;
	bool failed;
	bool bold_head;
	bool terminal; // the stream is one
	bool no_units; // out_quantity() leaves them out, because the values were scaled
};

#endif
