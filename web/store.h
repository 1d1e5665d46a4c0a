// store.h - the samples of a source, by column: any window of any series without reading the rest
// SPDX-License-Identifier: MIT
//
// One thread adds samples; any number read at the same time. Raw values are stored exactly, in blocks per
// series, in unnamed temporary files. Memory holds only an index and the blocks that are not full yet. A
// history has several files, so that the oldest can be dropped whole.
//
//	store_add(store, schema, sample, &err);                 // without the lock
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

// history_100ns: older samples may be dropped; 0: keep all.
PMON_NODISCARD enum pmon_status store_new(int64_t history_100ns, struct store **out,
					  struct pmon_err *err);
void store_free(struct store *store); // NULL is fine

// Add the next sample of a source; the schema is always the same. Samples before the window are accepted only
// if they hold the start values of processes (pmon_sample.starts); these belong to the next sample.
PMON_NODISCARD enum pmon_status store_add(struct store *store, const struct pmon_schema *schema,
					  const struct pmon_sample *sample, struct pmon_err *err);

// While locked, nothing is added or dropped. Readers do not block each other.
void store_lock(struct store *store);
void store_unlock(struct store *store);

// ---- Reading, under the lock ----------------------------------------------------------------

// A copy of the schema of the source, with the same numbers.
const struct pmon_schema *store_schema(const struct store *store);

// The range of stored samples: begin is the first, end the next one to arrive.
uint32_t store_begin(const struct store *store);
uint32_t store_end(const struct store *store);
const struct store_sample *store_sample_at(const struct store *store, uint32_t at);
const struct store_samples *store_samples(const struct store *store);

// The usual interval between samples that the source declares; 0 if it declares none.
int64_t store_usual_interval(const struct store *store);

uint64_t store_raw_values(const struct store *store); // added so far

// A time window with inclusive ends; PMON_TIME_NONE: unbounded.
struct store_window {
	pmon_time from;
	pmon_time to;
};

// All samples of a window have begin <= at < end. The reverse holds only without clock steps.
struct store_range {
	uint32_t begin;
	uint32_t end;
};
struct store_range store_find(const struct store *store, const struct store_window *window);
bool store_is_inside(const struct store *store, const struct store_window *window, uint32_t at);

// The samples in a window: the earliest and the latest time, PMON_TIME_NONE if there are none.
struct store_extent {
	uint64_t samples;
	pmon_time first;
	pmon_time last;
};
struct store_extent store_extent(const struct store *store, const struct store_window *window);

// Iterates over the values of one series. It stays valid while the store is unlocked: it continues after the
// last returned sample and skips values dropped in between.
struct store_cursor {
	const struct store *store;
	uint32_t id;
	uint32_t next; // values of earlier samples were returned
	bool failed;   // the temporary file could not be read: iteration ended
	bool starts;   // the last returned value is the start value of a process: do not show it
	size_t n;      // decoded values
	size_t i;      // the next of them
	struct store_value values[STORE_BLOCK];
};

// The next value will be the first with `at` not below from, which store_find() found. *before is the value
// before the window, as in pmon_window_open(); returns whether there is one. If its raw value is unusable, it
// has the newest usable one, provided that the series was not absent since.
bool store_cursor_open(struct store_cursor *cursor, const struct store *store, uint32_t id,
		       uint32_t from, struct store_value *before);
bool store_cursor_next(struct store_cursor *cursor, struct store_value *out);

// Add a value outside the window to those that precede the next one inside. Where a clock was set back,
// a window has several parts.
void store_lead_add(const struct store *store, struct store_value *lead, bool *has_lead,
		    const struct store_value *value);

// Iterates over a window of one series as pmon_window_open() and pmon_statistics_add() do: it feeds the
// statistics the value before the window, the start values of processes, and gaps. The caller adds the raw
// values.
struct store_walk {
	struct store_cursor cursor;
	struct store_window window;
	struct store_range range;
	struct pmon_stats stats;
	struct store_value lead; // between two parts of the window
	bool has_lead;
	uint32_t last; // the sample of the newest value
	bool has_last;
	bool gap; // the series was absent before the last returned value
};

void store_walk_open(struct store_walk *walk, const struct store *store, uint32_t id,
		     const struct store_window *window, const struct pmon_calc_options *options);
bool store_walk_next(struct store_walk *walk, struct store_value *out);

#endif
