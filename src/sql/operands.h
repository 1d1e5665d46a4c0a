// operands.h - what a value adds to an average, a total and a percentile, as one cell
// SPDX-License-Identifier: MIT
//
// SQLite sorts rows by group before it passes them to an aggregate function, so the cell holds all that the function needs:
// the counter, the two raw values, and the series they belong to. A cell may come from any table or program, with any
// numbers in it.

#ifndef PMON_SQL_OPERANDS_H
#define PMON_SQL_OPERANDS_H

#include "query/latency.h"

struct pmon_sql_operands {
	struct pmon_counter counter;
	struct pmon_calc_options options;
	uint64_t series; // a hash of its identity
	bool formatted;  // as in struct pmon_series
	bool type_known;
	uint32_t known_type;
	struct pmon_raw raw;
	bool has_older; // raw makes a pair with older
	struct pmon_raw older;
	bool has_span; // raw covers the time since span_time
	pmon_time span_time;
	bool has_part; // for an average per operation in a log of displayed values
	uint32_t stream;
	struct pmon_latency_part part;
};

#define PMON_SQL_OPERANDS_MAX 160

// Returns the length.
size_t pmon_sql_operands_put(const struct pmon_sql_operands *operands,
			     uint8_t buf[PMON_SQL_OPERANDS_MAX]);

// False if the bytes are not operands.
bool pmon_sql_operands_get(const void *bytes, size_t len, struct pmon_sql_operands *out);

#endif
