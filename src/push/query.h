// query.h - ask an engine for values and averages of what was pushed
// SPDX-License-Identifier: MIT
//
//	status = pmon_query_open(url, &options, &query, &err);
//	status = pmon_query_load(query, want, ctx, &err);            // the counters that are wanted
//	status = pmon_query_run(query, &ask, &err);                  // query->rows has the answer
//	pmon_query_close(query);
//
// An engine computes all numbers, by the views that pmon made in it. A query says which counters by their keys, and
// its times as they are in the tables, so the engine reads nothing else.

#ifndef PMON_PUSH_QUERY_H
#define PMON_PUSH_QUERY_H

#include "base/map.h"
#include "base/text.h"
#include "model/schema.h"
#include "push/push.h"

#define PMON_QUERY_ID_SIZE 48

// What is asked. Times as in pmon_window_open(): both belong to the range, PMON_TIME_NONE leaves it open.
struct pmon_query_ask {
	enum pmon_query_what {
		PMON_QUERY_VALUES,
		PMON_QUERY_AVERAGES
	} what;
	pmon_time from;
	pmon_time to;
	// From when to when averages are made of sums of whole hours, without the end: pmon_query_find_hours() has found
	// out. Both 0: of raw values only.
	pmon_time hours_from;
	pmon_time hours_to;
	const uint32_t *series; // numbers in the schema
	size_t n;
	// Averages of groups: the group of each of these series, and the names of the groups. NULL: each series alone.
	const uint32_t *groups;
	const char *const *names;
	size_t n_groups;
	uint64_t top; // the largest averages, so many; 0: all
};

// A value, or an average.
struct pmon_query_row {
	uint32_t of; // number of the series, or of the group
	uint32_t nth;
	pmon_time time;     // of the sample
	pmon_time raw_time; // of the raw value
	struct pmon_value value;
	uint64_t samples;
	uint64_t pairs;
};

// An answer of an engine as text, row by row; a cell that is NULL has no pointer.
struct pmon_query_cells {
	struct pmon_span *list;
	size_t cap;
	size_t n_rows;
	size_t n_columns;
};

struct pmon_query {
	struct pmon_push_sink *push; // the connection, and its options
	const struct pmon_query_engine *engine;
	struct pmon_schema schema;       // counters that were loaded, in the order of their paths
	char (*ids)[PMON_QUERY_ID_SIZE]; // their keys in the engine
	size_t ids_cap;
	struct pmon_map by_id;
	struct pmon_query_cells cells;
	struct pmon_query_row *rows;
	size_t n_rows;
	size_t rows_cap;
	char *sql; // the last statement
	size_t sql_size;
};

typedef bool (*pmon_query_want_fn)(void *ctx, struct pmon_span object, struct pmon_span counter);

// What an engine has to provide. Statements are written twice: the first time to learn how long they are.
struct pmon_query_engine {
	// Where one statement cannot answer: what pmon_query_load(), pmon_query_range() and pmon_query_run() promise.
	// NULL: by the statements below.
	enum pmon_status (*load)(struct pmon_query *q, pmon_query_want_fn want, void *ctx,
				 size_t most, struct pmon_err *err);
	enum pmon_status (*range)(struct pmon_query *q, pmon_time *first, pmon_time *last,
				  struct pmon_err *err);
	enum pmon_status (*run)(struct pmon_query *q, const struct pmon_query_ask *ask,
				struct pmon_err *err);
	// Are the tables there, with views that this pmon knows?
	enum pmon_status (*check)(struct pmon_query *q, struct pmon_err *err);
	// Run a statement; the answer is in q->cells until the next one.
	enum pmon_status (*ask)(struct pmon_query *q, const char *sql, struct pmon_err *err);
	void (*put_quoted)(struct pmon_text *sql, struct pmon_span text);
	// All pairs of object and counter; counters, as pmon_query_load() reads them, where `where` says so, "" for all;
	// and the times of the oldest and the newest sample.
	void (*put_names)(const struct pmon_query *q, struct pmon_text *sql);
	void (*put_series)(const struct pmon_query *q, const char *where, struct pmon_text *sql);
	void (*put_range)(const struct pmon_query *q, struct pmon_text *sql);
	// Asks up to when the sums of all whole hours are those of the raw values. NULL: there are no sums.
	void (*put_hours_end)(const struct pmon_query *q, struct pmon_text *sql);
	// What is asked.
	void (*put)(const struct pmon_query *q, const struct pmon_query_ask *ask,
		    struct pmon_text *sql);
};

// Connect to an engine, by the rules of pmon_push_open(), and look at what it has.
PMON_NODISCARD enum pmon_status pmon_query_open(const char *url,
						const struct pmon_push_options *options,
						struct pmon_query **out, struct pmon_err *err);
void pmon_query_close(struct pmon_query *q); // NULL is fine

// Read the counters whose object and counter are wanted, the only parts of the path that are asked about; NULL: all,
// but not more than `most`.
PMON_NODISCARD enum pmon_status pmon_query_load(struct pmon_query *q, pmon_query_want_fn want,
						void *ctx, size_t most, struct pmon_err *err);

// When the oldest and the newest sample of all are; PMON_TIME_NONE where there are none.
PMON_NODISCARD enum pmon_status pmon_query_range(struct pmon_query *q, pmon_time *first,
						 pmon_time *last, struct pmon_err *err);

// Averages: say in `ask` which hours pmon rollup has summed up, and no raw value came for since. An engine that does not
// say it, as the user may not know, is asked for raw values.
void pmon_query_find_hours(struct pmon_query *q, struct pmon_query_ask *ask);

// The statement that answers, valid until the next call. NULL when memory is short.
const char *pmon_query_text(struct pmon_query *q, const struct pmon_query_ask *ask);

// Ask: q->rows has the answer. Values are in the order of time and then of the schema; averages in that of the schema
// or of the groups, with `top` the largest first.
PMON_NODISCARD enum pmon_status pmon_query_run(struct pmon_query *q,
					       const struct pmon_query_ask *ask,
					       struct pmon_err *err);

// ---- For engines ----------------------------------------------------------------------------

// Put a counter, unless it is there, under its key; and find it. PMON_SERIES_NONE: it was not loaded.
PMON_NODISCARD enum pmon_status pmon_query_add(struct pmon_query *q, struct pmon_span id,
					       const struct pmon_path *path,
					       const struct pmon_counter *counter, size_t most,
					       struct pmon_err *err);
uint32_t pmon_query_find(const struct pmon_query *q, struct pmon_span id);

// Another row of the answer; NULL when memory is short.
struct pmon_query_row *pmon_query_put_row(struct pmon_query *q);

#endif
