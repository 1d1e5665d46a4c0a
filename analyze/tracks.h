// tracks.h - the course of each counter that incidents are found in
// SPDX-License-Identifier: MIT
//
//	tracks_begin(&tracks);
//	... tracks_add(&tracks, schema, sample, values);    // each sample, with its displayed values
//	tracks_end(&tracks);
//	... tracks.list
//	tracks_free(&tracks);

#ifndef PMON_ANALYZE_TRACKS_H
#define PMON_ANALYZE_TRACKS_H

#include "analyze/bins.h"
#include "analyze/events.h"
#include "analyze/meanings.h"
#include "model/streams.h"

// A series.
struct track {
	const struct pmon_series *series;
	const struct meaning *meaning;
	uint32_t stream;     // index
	bool is_since_start; // a count or a time
	bool has_last;
	double last; // of a count or a time
	struct bins bins;
};

struct stream; // tracks.c

// Zeros before tracks_begin().
struct tracks {
	struct meanings meanings;
	struct pmon_paces paces;     // of all samples, with and without values
	struct pmon_streams numbers; // of the streams, by their index
	struct stream *streams;
	size_t n_streams;
	size_t cap_streams;
	struct track **list; // by series; NULL: it has no meaning
	size_t n;
	size_t cap;
	struct events events;
};

// Both are false when memory is short.
bool tracks_begin(struct tracks *tracks);
bool tracks_add(struct tracks *tracks, const struct pmon_schema *schema,
		const struct pmon_sample *sample, const struct pmon_value *values);

// Call it before the tracks are read; samples may follow. False when memory is short.
bool tracks_end(struct tracks *tracks);
// Free the bins alone: incidents that were found in them can be printed without.
void tracks_free_bins(struct tracks *tracks);

void tracks_free(struct tracks *tracks);

// Does the counter have a meaning, and are its values needed?
bool tracks_want(const struct tracks *tracks, const struct pmon_path *path);

// List the patterns of all of these counters. False if a call of `add` returned false.
bool tracks_needs(const struct tracks *tracks, bool (*add)(void *ctx, struct pmon_span pattern),
		  void *ctx);

// The track of a series; NULL: there is none.
const struct track *tracks_of(const struct tracks *tracks, const struct pmon_series *series);

// The number of samples of a stream; 0: there is no such stream. The time of one, and the beginning of the interval
// that ends with it.
uint32_t tracks_samples(const struct tracks *tracks, uint32_t stream);
pmon_time tracks_time(const struct tracks *tracks, uint32_t stream, uint32_t sample);
pmon_time tracks_begin_of(const struct tracks *tracks, uint32_t stream, uint32_t sample);

// The time that a sample would have if the clock had not been set since the first one. The difference of two is the
// time that passed. The first sample that is not before such a time.
pmon_time tracks_steady(const struct tracks *tracks, uint32_t stream, uint32_t sample);
int64_t tracks_length(const struct tracks *tracks, uint32_t stream, uint32_t from, uint32_t to);
uint32_t tracks_at(const struct tracks *tracks, uint32_t stream, pmon_time steady);

// How much of the time between two steady times was in gaps of the stream: what happened there is not known.
int64_t tracks_gaps(const struct tracks *tracks, uint32_t stream, pmon_time from, pmon_time to);

// Set the times of an event of the intervals that end with the samples `from` to `to`.
void tracks_event_times(const struct tracks *tracks, uint32_t stream, uint32_t from, uint32_t to,
			struct event *event);

// Of a process: what it reads and writes a second. Windows counts files, pipes and the network together.
bool track_is_bytes(const struct meaning *m);

#endif
