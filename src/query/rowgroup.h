// rowgroup.h - the tidy rows of a log, one for each raw value, in groups (docs/reference/tidy.md)
// SPDX-License-Identifier: MIT
//
// Rows are collected up to PMON_ROWGROUP_ROWS, so memory does not grow with the log. Those of a group are sorted by series,
// those of a series in the order of the log. A writer takes them column by column:
//
//	if (pmon_rowgroup_is_full(&group))
//		write all columns: pmon_rowgroup_sort(), pmon_rowgroup_fill() for each, pmon_rowgroup_clear()
//	status = pmon_rowgroup_add(&group, sample, values, err);

#ifndef PMON_QUERY_ROWGROUP_H
#define PMON_QUERY_ROWGROUP_H

#include "query/intervals.h"
#include "query/tidy.h"

#define PMON_ROWGROUP_ROWS  ((size_t)1 << 18)
#define PMON_ROWGROUP_NAMES ((size_t)1 << 26) // bytes of the paths of the series of a group

// The process that has an instance.
struct pmon_rowgroup_owner {
	int64_t pid;
	pmon_time start;
	bool has_pid;
	bool has_start;
};

struct pmon_rowgroup_row {
	pmon_time time;
	double value;
	double n;
	int64_t d;
	struct pmon_rowgroup_owner owner;
	uint32_t series;
	enum pmon_vstat status;
};

// A series in the group.
struct pmon_rowgroup_series {
	struct pmon_increment_form form;
	struct pmon_rowgroup_owner owner;
	uint32_t n;  // its rows
	uint32_t at; // where they begin
};

struct pmon_rowgroup {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_intervals intervals;
	struct pmon_rowgroup_row *rows;
	size_t n;
	size_t cap;
	struct pmon_rowgroup_series *series; // by number
	size_t n_series;
	size_t series_cap;
	uint32_t *present; // series of the group, sorted by path
	size_t n_present;
	size_t present_cap;
	size_t names;    // bytes of their paths
	uint32_t *order; // rows by series
	size_t order_cap;
	struct pmon_tidy_names buffer;
};

// Takes the cells of a column; `times` equal ones follow each other. Times are nanoseconds since 1970.
struct pmon_rowgroup_cells {
	void (*text)(void *ctx, struct pmon_span text, uint32_t times);
	void (*integer)(void *ctx, int64_t number, uint32_t times);
	void (*real)(void *ctx, double number, uint32_t times);
	void (*null)(void *ctx, uint32_t times);
	void *ctx;
};

void pmon_rowgroup_begin(struct pmon_rowgroup *group, const struct pmon_schema *schema,
			 const struct pmon_allocator *allocator);
void pmon_rowgroup_free(struct pmon_rowgroup *group); // also before it was begun

bool pmon_rowgroup_is_full(const struct pmon_rowgroup *group);

// Add the rows of a sample and its displayed values. PMON_E_UNSUPPORTED for a time that has no nanoseconds, before 1970 or
// after 2262; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_rowgroup_add(struct pmon_rowgroup *group,
						  const struct pmon_sample *sample,
						  const struct pmon_value *values,
						  struct pmon_err *err);

// Sort the rows of the group, before its columns are filled. false: out of memory.
PMON_NODISCARD bool pmon_rowgroup_sort(struct pmon_rowgroup *group);
PMON_NODISCARD bool pmon_rowgroup_fill(struct pmon_rowgroup *group, enum pmon_tidy_column column,
				       const struct pmon_rowgroup_cells *cells);
void pmon_rowgroup_clear(struct pmon_rowgroup *group);

#endif
