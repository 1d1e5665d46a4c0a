// tidy.h - one row for each raw value, for SQL and other programs that compute
// SPDX-License-Identifier: MIT
//
// The average of any rows of a series is add + mul * sum(n) / sum(d). A row whose interval does not
// count has n = 0 and d = 0, so that sums need no condition (docs/reference/tidy.md).
//
//	pmon_tidy_begin(&tidy, schema, identity, &calc, NULL, &err);
//	while (pmon_source_next(source, &sample, &err) == PMON_OK &&
//	       pmon_tidy_add(&tidy, sample, &err) == PMON_OK)
//		for (size_t i = 0; i < sample->n && pmon_tidy_next(&tidy, sample, i, &row); i++)
//			if (!sample->preceding)                    // it only makes the first pairs possible
//				... pmon_tidy_cell(&tidy, &row, PMON_TIDY_VALUE, &cell)
//	pmon_tidy_free(&tidy);

#ifndef PMON_QUERY_TIDY_H
#define PMON_QUERY_TIDY_H

#include "query/identity.h"
#include "query/intervals.h"
#include "query/statistics.h"

enum pmon_tidy_column {
	PMON_TIDY_TIME,
	PMON_TIDY_MACHINE,
	PMON_TIDY_OBJECT,
	PMON_TIDY_INSTANCE,
	PMON_TIDY_PARENT,
	PMON_TIDY_COUNTER,
	PMON_TIDY_PATH,
	PMON_TIDY_PID,
	PMON_TIDY_PROCESS_START,
	PMON_TIDY_TYPE,
	PMON_TIDY_VALUE,
	PMON_TIDY_STATUS,
	PMON_TIDY_N,
	PMON_TIDY_D,
	PMON_TIDY_ADD,
	PMON_TIDY_MUL,
	PMON_TIDY_COLUMNS,
};

// "process_start"
const char *pmon_tidy_name(enum pmon_tidy_column column);

// With seven decimals, so that texts sort as their times do: "2026-11-20T10:00:00.0000000Z". "" for
// PMON_TIME_NONE.
#define PMON_TIDY_TIME_SIZE 56
size_t pmon_tidy_time(pmon_time time, char buf[PMON_TIDY_TIME_SIZE]);

// The process of a series. Its start is that of its first row, though later samples may show it less exactly.
struct pmon_tidy_process {
	struct pmon_identity_who who;
	uint32_t generation;
	uint32_t life;
	bool is_known;
};

// A buffer for the names of series.
struct pmon_tidy_names {
	const struct pmon_allocator *allocator;
	char *text;
	size_t cap;
};

struct pmon_tidy {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	const struct pmon_source *identity; // the step that distinguishes processes; NULL: none
	struct pmon_statistics *statistics; // for displayed values
	const struct pmon_value *values;    // of the newest sample
	struct pmon_intervals intervals;
	struct pmon_tidy_process *processes; // by series
	size_t n_processes;
	size_t processes_cap;
	struct pmon_tidy_names names;
};

// A row; valid until the next sample.
struct pmon_tidy_row {
	const struct pmon_series *series;
	const struct pmon_path *path; // in English
	pmon_time time;
	struct pmon_value value;
	struct pmon_increment increment;
	struct pmon_increment_form form;
	struct pmon_raw raw;
	struct pmon_raw older; // what raw makes a pair with, if has_older
	bool has_older;
};

enum pmon_tidy_kind {
	PMON_TIDY_NULL,
	PMON_TIDY_TEXT, // of a name in the log
	PMON_TIDY_WORD, // of pmon: a time, a type, a status
	PMON_TIDY_INTEGER,
	PMON_TIDY_REAL,
};

struct pmon_tidy_cell {
	enum pmon_tidy_kind kind;
	struct pmon_span text; // valid until the next cell
	int64_t integer;
	double real;
	char buf[PMON_TIDY_TIME_SIZE]; // of a word
};

// identity, options and allocator may be NULL; options are copied. Call pmon_tidy_free() in any case.
PMON_NODISCARD enum pmon_status pmon_tidy_begin(struct pmon_tidy *tidy,
						const struct pmon_schema *schema,
						const struct pmon_source *identity,
						const struct pmon_calc_options *options,
						const struct pmon_allocator *allocator,
						struct pmon_err *err);
void pmon_tidy_free(struct pmon_tidy *tidy);

// Compute the values of a sample. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_tidy_add(struct pmon_tidy *tidy,
					      const struct pmon_sample *sample,
					      struct pmon_err *err);

// The row of raw value i of that sample. Call it for each, those of preceding samples too. false: out of memory.
PMON_NODISCARD bool pmon_tidy_next(struct pmon_tidy *tidy, const struct pmon_sample *sample,
				   size_t i, struct pmon_tidy_row *row);

// A cell of the row that pmon_tidy_next() set last. false: out of memory.
PMON_NODISCARD bool pmon_tidy_cell(struct pmon_tidy *tidy, const struct pmon_tidy_row *row,
				   enum pmon_tidy_column column, struct pmon_tidy_cell *cell);

// The names and type of a series: null for other columns. The text is valid until the next one. false: out of memory.
PMON_NODISCARD bool pmon_tidy_name_cell(struct pmon_tidy_names *names,
					const struct pmon_series *series,
					enum pmon_tidy_column column, struct pmon_tidy_cell *cell);

// The same, and its process, without a row: `column` is one of these.
PMON_NODISCARD bool pmon_tidy_series_cell(struct pmon_tidy *tidy, const struct pmon_series *series,
					  enum pmon_tidy_column column,
					  struct pmon_tidy_cell *cell);

#endif
