// table.h - the structure of a table
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_TABLE_H
#define PMON_SHELL_OUTPUT_TABLE_H

#include <stdio.h>

#include <pmon/pmon.h>

#include "base/time.h"
#include "model/zone_rules.h"
#include "query/statistics.h"

enum out_format {
	OUT_TEXT,
	OUT_CSV,
	OUT_JSON,
	OUT_MARKDOWN // the text as a table for a ticket or a chat
};
enum out_align {
	OUT_LEFT,
	OUT_RIGHT
};

// The clock on which times are printed in text.
struct clock {
	enum {
		CLOCK_LOG,
		CLOCK_FIXED,
		CLOCK_ZONE,
		CLOCK_LOCAL
	} mode;
	int32_t offset_min;           // for CLOCK_FIXED, and for CLOCK_LOG once the log is known
	const struct pmon_zone *zone; // for CLOCK_ZONE
};

struct out_column {
	const char *name;    // in JSON and CSV
	const char *heading; // in text; NULL: not shown in text
	int width;           // for streamed text; 0: no padding
	enum out_align align;
};

struct out {
	FILE *stream;
	enum out_format format; // OUT_TEXT for markdown too: the cells are the same
	const struct out_writer *writer;
	const char *array; // JSON: name of the array in one object; NULL: one object per line
	const struct pmon_used *used; // JSON: counts after the array; NULL: none
	const struct out_column *columns;
	size_t n_columns;
	const struct clock *clock;
	size_t column; // of the next cell
	uint64_t rows;
	// text that is not streamed: the cells so far
	char *cells;
	size_t cells_len;
	size_t cells_cap;
	// text: the row being assembled
	char *row;
	size_t row_len;
	size_t row_cap;
	// the newest time: all cells of a sample have the same
	pmon_time time;
	char time_text[PMON_TIME_SIZE];
	size_t time_len; // 0: none yet
	bool failed;
	bool bold_head;
	bool terminal; // the stream is a terminal
	bool no_units; // out_quantity() omits units, because the values were scaled
};

#endif
