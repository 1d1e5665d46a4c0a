// tables.h - performance objects as tables, whose cells become series and samples
// SPDX-License-Identifier: MIT
//
// Sources of whole objects (registry blocks, agents' sections) deliver tables with each sample: one
// table per object and machine, one column per counter, one row per instance. This module remembers
// them, creates the series of each cell when it first appears, and assembles the sample:
//
//	pmon_tables_begin(&tables);
//	status = pmon_tables_find(&tables, machine, object, &table, &err);
//	pmon_table_begin(&tables, table);                         // once in a sample
//	status = pmon_table_column(&tables, table, title, name, &counter, &column, &err);
//	status = pmon_table_row(&tables, table, parent, instance, &row, &err);
//	status = pmon_table_put(&tables, table, row, column, &raw, &err);
//	... tables.series, tables.raw, tables.n
//
// Instances of the same name, ignoring case, are numbered in their order within a sample.

#ifndef PMON_MODEL_TABLES_H
#define PMON_MODEL_TABLES_H

#include <pmon/model.h>

#include "base/map.h"
#include "model/schema.h"

struct pmon_table;
struct pmon_table_row;

struct pmon_tables {
	const struct pmon_allocator *allocator;
	struct pmon_schema *schema; // of the source
	size_t limit;               // series offered to `want`; 0: default
	// for wanted series, and for instances; objects may be a quarter of it. 0: limit
	size_t wanted_limit;
	size_t max_name;   // bytes of one name; 0: default
	pmon_want_fn want; // NULL: every series
	void *want_ctx;
	bool wildcard;  // instances come and go: mark their series (struct pmon_series.wildcard)
	bool leave_out; // skip new instances beyond the limit, instead of PMON_E_LIMIT
	struct pmon_arena arena;
	struct pmon_table **list;
	size_t n_tables;
	size_t tables_cap;
	struct pmon_map table_map;
	size_t n_asked; // series offered to `want`, wanted or not
	size_t n_named; // rows and series, and the total length of their names
	uint64_t bytes_named;
	bool has_left_out;
	struct pmon_table_row **rows; // of all tables
	size_t n_rows;
	size_t rows_cap;
	struct pmon_map row_map;
	uint64_t seed; // of the hashes
	// the sample
	uint64_t serial;
	uint32_t *series;
	struct pmon_raw *raw;
	size_t n;
	size_t series_cap;
	size_t raw_cap;
};

// The caller fills in the fields up to the arena first.
void pmon_tables_init(struct pmon_tables *tables);
void pmon_tables_free(struct pmon_tables *tables);

// Begin a sample: no values, no table begun.
void pmon_tables_begin(struct pmon_tables *tables);

// Find the table of an object of a machine (ptr NULL: no machine). PMON_E_NOMEM, PMON_E_LIMIT.
PMON_NODISCARD enum pmon_status pmon_tables_find(struct pmon_tables *tables,
						 struct pmon_span machine, struct pmon_span object,
						 struct pmon_table **out, struct pmon_err *err);

// Was the table begun in this sample? It can be begun only once.
bool pmon_table_is_begun(const struct pmon_tables *tables, const struct pmon_table *table);
void pmon_table_begin(struct pmon_tables *tables, struct pmon_table *table);

// The column of the counter with this title index and name. A counter that occurs twice has two
// columns. PMON_E_FORMAT if there are too many; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_table_column(struct pmon_tables *tables,
						  struct pmon_table *table, int64_t title,
						  struct pmon_span name,
						  const struct pmon_counter *counter, uint32_t *out,
						  struct pmon_err *err);

// The next row of the sample. An instance with ptr NULL is the one row of an object without
// instances. *out is NULL if the row is skipped. PMON_E_FORMAT if a name is too long; PMON_E_NOMEM,
// PMON_E_LIMIT.
PMON_NODISCARD enum pmon_status pmon_table_row(struct pmon_tables *tables, struct pmon_table *table,
					       struct pmon_span parent, struct pmon_span instance,
					       struct pmon_table_row **out, struct pmon_err *err);

// The row with number `ordinal` among those of its name, for sources that know which instance is
// which: the row may be kept, and filled in whenever the instance is in a sample.
PMON_NODISCARD enum pmon_status pmon_table_row_at(struct pmon_tables *tables,
						  struct pmon_table *table, struct pmon_span parent,
						  struct pmon_span instance, uint32_t ordinal,
						  struct pmon_table_row **out,
						  struct pmon_err *err);

// Add a value to the sample, if its series is wanted and not skipped. PMON_E_NOMEM, PMON_E_LIMIT.
PMON_NODISCARD enum pmon_status pmon_table_put(struct pmon_tables *tables, struct pmon_table *table,
					       struct pmon_table_row *row, uint32_t column,
					       const struct pmon_raw *raw, struct pmon_err *err);

#endif
