// store.h - what a source yielded, as columns: any window of any series without reading the rest
// SPDX-License-Identifier: MIT
//
// One thread adds samples; any number read at the same time. Raw values are kept exactly, in blocks of
// one series each, in temporary files without a name, so that memory holds only an index and the blocks
// that are not full yet. A history has several files, of which the oldest is dropped whole.
//
//	store_add(store, schema, sample, &err);                 // under no lock
//
//	store_lock(store);
//	store_walk_open(&walk, store, id, &window, NULL);
//	while (store_walk_next(&walk, &value))
//		use(pmon_stats_add(&walk.stats, &value.raw));   // as pmon stats --from --to does
//	store_unlock(store);

#ifndef PMON_WEB_STORE_H
#define PMON_WEB_STORE_H

#include <pmon/pmon.h>

#include "web/samples.h"

struct store;

// history_100ns: samples older than that may be forgotten; 0: none are.
PMON_NODISCARD enum pmon_status store_new(int64_t history_100ns, struct store **out,
					  struct pmon_err *err);
void store_free(struct store *store); // NULL is fine

// Add the next sample of a source with this schema, always the same. Samples before the window are
// taken only if they say where processes began (pmon_sample.starts); they belong to the sample that
// comes next.
PMON_NODISCARD enum pmon_status store_add(struct store *store, const struct pmon_schema *schema,
					  const struct pmon_sample *sample, struct pmon_err *err);

// Between these two nothing is added or forgotten. Readers do not wait for each other.
void store_lock(struct store *store);
void store_unlock(struct store *store);

// ---- Reading, under the lock ----------------------------------------------------------------

// A copy of the schema of the source, with the same numbers.
const struct pmon_schema *store_schema(const struct store *store);

// Numbers of the samples that are kept: from begin on, end is the next to come.
uint32_t store_begin(const struct store *store);
uint32_t store_end(const struct store *store);
const struct store_sample *store_sample_at(const struct store *store, uint32_t at);
const struct store_samples *store_samples(const struct store *store);

uint64_t store_raw_values(const struct store *store); // added so far

// Was the series absent between two of its samples? The rule of pmon_statistics_add().
bool store_is_gap(const struct store *store, uint32_t older, uint32_t newer);

// A time window, both ends in it; PMON_TIME_NONE means without a bound.
struct store_window {
	pmon_time from;
	pmon_time to;
};

// The samples of a window are among those with begin <= at < end; where no clock stepped they are these.
struct store_range {
	uint32_t begin;
	uint32_t end;
};
struct store_range store_find(const struct store *store, const struct store_window *window);
bool store_is_inside(const struct store *store, const struct store_window *window, uint32_t at);

// What lies in a window: the earliest and the latest time, PMON_TIME_NONE when there is no sample.
struct store_extent {
	uint64_t samples;
	pmon_time first;
	pmon_time last;
};
struct store_extent store_extent(const struct store *store, const struct store_window *window);

// Goes through the values of one series. May be kept while the lock is not held: it goes on after
// the sample it has reached, and skips values that were dropped in between.
struct store_cursor {
	const struct store *store;
	uint32_t id;
	uint32_t next; // values of samples before this one were given
	bool failed;   // the temporary file could not be read: there is no more
	bool starts;   // the value given last is what a process counted from, and not to be shown
	size_t n;      // values at hand
	size_t i;      // the next of them
	struct store_value values[STORE_BLOCK];
};

// The next value will be the first with `at` not below from, which store_find() found. *before is the value
// that leads into the window, as in pmon_window_open(), if there is any: returns whether. Where its raw value is
// not usable, it has the newest usable one, if the series was not absent since.
bool store_cursor_open(struct store_cursor *cursor, const struct store *store, uint32_t id,
		       const struct store_window *window, uint32_t from,
		       struct store_value *before);
bool store_cursor_next(struct store_cursor *cursor, struct store_value *out);

// Goes through a window of one series as pmon_window_open() and pmon_statistics_add() do: the statistics
// are led in by the value before the window and by where processes began, and told of gaps. Who walks
// adds the raw values.
struct store_walk {
	struct store_cursor cursor;
	struct store_window window;
	struct store_range range;
	struct pmon_stats stats;
	uint32_t last; // the sample of the newest value
	bool has_last;
	bool gap; // the series was absent before the value that was given last
};

void store_walk_open(struct store_walk *walk, const struct store *store, uint32_t id,
		     const struct store_window *window, const struct pmon_calc_options *options);
bool store_walk_next(struct store_walk *walk, struct store_value *out);

#endif
