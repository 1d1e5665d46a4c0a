// tables.h - performance objects as tables, and their cells as series and samples
// SPDX-License-Identifier: MIT
//
// Sources that carry whole objects (registry blocks, agents' sections) see, again in each sample,
// tables: an object of a machine, a column for each counter, a row for each instance. This module
// keeps what it has seen, gives each cell its series when it first appears, and puts the sample
// together:
//
//	pmon_tables_begin(&tables);
//	status = pmon_tables_find(&tables, machine, object, &table, &err);
//	pmon_table_begin(&tables, table);                         // once in a sample
//	status = pmon_table_column(&tables, table, title, name, &counter, &column, &err);
//	status = pmon_table_row(&tables, table, parent, instance, &row, &err);
//	status = pmon_table_put(&tables, table, row, column, &raw, &err);
//	... tables.series, tables.raw, tables.n
//
// Instances of the same name, in upper or lower case, are numbered in the order in which they come in a
// sample.

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
	size_t limit;               // series asked for; 0 is the default
	size_t wanted_limit; // of series that are wanted and of instances; objects may be a quarter of it. 0: limit
	size_t max_name;   // bytes of one name; 0 is the default
	pmon_want_fn want; // NULL: every series
	void *want_ctx;
	bool wildcard;  // instances come and go: their series say so (struct pmon_series.wildcard)
	bool leave_out; // new instances beyond the limit are left out, in place of PMON_E_LIMIT
	struct pmon_arena arena;
	struct pmon_table **list;
	size_t n_tables;
	size_t tables_cap;
	struct pmon_map table_map;
	size_t n_asked; // series asked for, wanted or not
	size_t n_named; // rows and series, and the length of their names
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

// The fields up to the arena are the caller's to fill in first.
void pmon_tables_init(struct pmon_tables *tables);
void pmon_tables_free(struct pmon_tables *tables);

// A sample begins: no values, no table begun.
void pmon_tables_begin(struct pmon_tables *tables);

// The table of an object of a machine (ptr NULL: no machine). PMON_E_NOMEM, PMON_E_LIMIT.
PMON_NODISCARD enum pmon_status pmon_tables_find(struct pmon_tables *tables,
						 struct pmon_span machine, struct pmon_span object,
						 struct pmon_table **out, struct pmon_err *err);

// Was the table begun in this sample? It can be but once.
bool pmon_table_is_begun(const struct pmon_tables *tables, const struct pmon_table *table);
void pmon_table_begin(struct pmon_tables *tables, struct pmon_table *table);

// The column of a counter with this title index, which is named `name`. A counter that is there
// twice has two columns. PMON_E_FORMAT when there are too many; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_table_column(struct pmon_tables *tables,
						  struct pmon_table *table, int64_t title,
						  struct pmon_span name,
						  const struct pmon_counter *counter, uint32_t *out,
						  struct pmon_err *err);

// The next row of the sample. instance with ptr NULL is the one row of an object without instances.
// *out is NULL when it is left out. PMON_E_FORMAT when a name is too long; PMON_E_NOMEM, PMON_E_LIMIT.
PMON_NODISCARD enum pmon_status pmon_table_row(struct pmon_tables *tables, struct pmon_table *table,
					       struct pmon_span parent, struct pmon_span instance,
					       struct pmon_table_row **out, struct pmon_err *err);

// The row that is number `ordinal` of its name, for sources that know which instance is which: such
// a row may be kept, and filled in each sample in which the instance is there.
PMON_NODISCARD enum pmon_status pmon_table_row_at(struct pmon_tables *tables,
						  struct pmon_table *table, struct pmon_span parent,
						  struct pmon_span instance, uint32_t ordinal,
						  struct pmon_table_row **out,
						  struct pmon_err *err);

// Add a value to the sample, when its series is wanted and not left out. PMON_E_NOMEM, PMON_E_LIMIT.
PMON_NODISCARD enum pmon_status pmon_table_put(struct pmon_tables *tables, struct pmon_table *table,
					       struct pmon_table_row *row, uint32_t column,
					       const struct pmon_raw *raw, struct pmon_err *err);

#endif
