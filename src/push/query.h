// query.h - query values and averages in an engine
// SPDX-License-Identifier: MIT
//
//	status = pmon_query_open(url, &options, &query, &err);
//	status = pmon_query_load(query, want, ctx, &err);            // the counters to query
//	status = pmon_query_run(query, &ask, &err);                  // query->rows has the answer
//	pmon_query_close(query);
//
// The engine computes all numbers. Only engines that answer in PromQL are queried; the others have clients of their own.

#ifndef PMON_PUSH_QUERY_H
#define PMON_PUSH_QUERY_H

#include "base/map.h"
#include "base/text.h"
#include "model/schema.h"
#include "push/push.h"

#define PMON_QUERY_ID_SIZE 48

// A query. Times are those of pmon_window_open(): the range includes both; PMON_TIME_NONE leaves an end open.
struct pmon_query_ask {
	enum pmon_query_what {
		PMON_QUERY_VALUES,
		PMON_QUERY_AVERAGES
	} what;
	pmon_time from;
	pmon_time to;
	const uint32_t *series; // indexes in the schema
	size_t n;
	// For averages of groups: the group of each series, and the names of the groups. NULL: an average for each series.
	const uint32_t *groups;
	const char *const *names;
	size_t n_groups;
	uint64_t top; // number of the largest averages to return; 0: all
};

// A value, or an average.
struct pmon_query_row {
	uint32_t of; // index of the series or group
	uint32_t nth;
	pmon_time time;     // of the sample
	pmon_time raw_time; // of the raw value
	struct pmon_value value;
	uint64_t samples;
	uint64_t pairs;
};

struct pmon_query {
	struct pmon_push_sink *push; // the connection, and its options
	const struct pmon_query_engine *engine;
	struct pmon_schema schema;       // loaded counters, ordered by path
	char (*ids)[PMON_QUERY_ID_SIZE]; // their keys in the engine
	size_t ids_cap;
	struct pmon_map by_id;
	struct pmon_query_row *rows;
	size_t n_rows;
	size_t rows_cap;
	char *text; // of the last question
	size_t text_size;
};

typedef bool (*pmon_query_want_fn)(void *ctx, struct pmon_span object, struct pmon_span counter);

// The query interface of an engine: the functions below, and what they begin with.
struct pmon_query_engine {
	// Is there anything to query?
	enum pmon_status (*check)(struct pmon_query *q, struct pmon_err *err);
	enum pmon_status (*load)(struct pmon_query *q, pmon_query_want_fn want, void *ctx,
				 size_t most, struct pmon_err *err);
	enum pmon_status (*range)(struct pmon_query *q, pmon_time *first, pmon_time *last,
				  struct pmon_err *err);
	enum pmon_status (*run)(struct pmon_query *q, const struct pmon_query_ask *ask,
				struct pmon_err *err);
	// The text of a query. It is written twice: the first pass measures its length.
	void (*put)(const struct pmon_query *q, const struct pmon_query_ask *ask,
		    struct pmon_text *text);
};

// Connect to an engine, by the rules of pmon_push_open(), and check its tables.
PMON_NODISCARD enum pmon_status pmon_query_open(const char *url,
						const struct pmon_push_options *options,
						struct pmon_query **out, struct pmon_err *err);
void pmon_query_close(struct pmon_query *q); // NULL is allowed

// Load the counters that `want` accepts by object and counter name (NULL: all), but not more than `most`.
PMON_NODISCARD enum pmon_status pmon_query_load(struct pmon_query *q, pmon_query_want_fn want,
						void *ctx, size_t most, struct pmon_err *err);

// The times of the oldest and the newest stored sample; PMON_TIME_NONE if there are none.
PMON_NODISCARD enum pmon_status pmon_query_range(struct pmon_query *q, pmon_time *first,
						 pmon_time *last, struct pmon_err *err);

// The text of a query, valid until the next call. NULL if out of memory.
const char *pmon_query_text(struct pmon_query *q, const struct pmon_query_ask *ask);

// Run a query; the answer is in q->rows. Values are ordered by time and then by the schema; averages by the schema or
// the groups, or with `top`, largest first.
PMON_NODISCARD enum pmon_status pmon_query_run(struct pmon_query *q,
					       const struct pmon_query_ask *ask,
					       struct pmon_err *err);

// ---- For engines ----------------------------------------------------------------------------

// Add a counter with its key, unless it exists; and find one. PMON_SERIES_NONE: it was not loaded.
PMON_NODISCARD enum pmon_status pmon_query_add(struct pmon_query *q, struct pmon_span id,
					       const struct pmon_path *path,
					       const struct pmon_counter *counter, size_t most,
					       struct pmon_err *err);
uint32_t pmon_query_find(const struct pmon_query *q, struct pmon_span id);

// Append a row to the answer; NULL if out of memory.
struct pmon_query_row *pmon_query_put_row(struct pmon_query *q);

#endif
