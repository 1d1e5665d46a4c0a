// latency.h - averages per operation in logs of displayed values
// SPDX-License-Identifier: MIT
//
// A displayed latency is the total time of an interval's operations divided by their number, and
// the displayed rate is their number divided by the interval. So latency * rate * interval is the
// total time, and the sum of these times divided by the sum of the operations is the average that
// the raw values would yield, within the precision of the log. If the log has the queue length,
// queue length * interval is the same time (Little's law); rules use that too. The same holds for
// any average per operation, such as bytes: "seconds" here are then those.

#ifndef PMON_QUERY_LATENCY_H
#define PMON_QUERY_LATENCY_H

#include "model/pace.h"
#include "model/streams.h"
#include "query/rates.h"

// A value of the first sample of a stream, whose interval is unknown without earlier samples:
// amounts per second.
struct pmon_latency_first {
	uint32_t stream; // its index
	double seconds;
	double operations;
};

struct pmon_latency {
	uint32_t series;
	uint32_t rate;    // series
	uint32_t queue;   // series, or PMON_SERIES_NONE
	size_t series_at; // positions in the newest sample
	size_t rate_at;
	size_t queue_at;
	struct pmon_sum seconds; // of all operations except those of the first values
	struct pmon_sum operations;
	struct pmon_latency_first *firsts; // at most one per stream
	size_t n_firsts;
	size_t cap_firsts;
	bool has_values;
};

// Several logs may have values of one disk at the same time, each in a stream with its own
// intervals.
struct pmon_latency_stream {
	struct pmon_pace pace;
	int64_t first_interval; // 0: no later sample yet
};

struct pmon_latencies {
	struct pmon_rates rates;
	struct pmon_latency *list;
	size_t n;
	size_t cap;
	uint32_t *of_series; // the latency of a series, plus 1; 0: none
	size_t cap_series;
	uint32_t *places; // the position of a series in the newest sample; valid if it is there
	size_t cap_places;
	bool is_placed; // the positions are those of the newest sample
	size_t n_seen;  // series of the schema examined so far
	struct pmon_streams streams;
	struct pmon_latency_stream *times; // by index
	size_t cap_times;
};

// Find the latencies among new series. False when memory is short.
PMON_NODISCARD bool pmon_latencies_grow(struct pmon_latencies *l, const struct pmon_schema *schema);

// Instead: find only the average of one series, if it is one. l is empty.
PMON_NODISCARD bool pmon_latencies_only(struct pmon_latencies *l, const struct pmon_schema *schema,
					uint32_t series);

// Add a sample. numbers are its values; NULL: use its raw values. False when memory is short.
PMON_NODISCARD bool pmon_latencies_add(struct pmon_latencies *l, const struct pmon_sample *sample,
				       const double *numbers);

// What one value adds: the seconds of all operations of its interval, and their number. The first sample of a stream has
// those of a second, because its interval is unknown; it counts for the interval of the second sample.
struct pmon_latency_part {
	double seconds;
	double operations;
	bool is_first;
	int64_t first_interval; // of the first sample of the stream; 0: not known
};

// Of a series in the sample that was added last. False: it is no such latency, or has no part in the average.
bool pmon_latencies_part(struct pmon_latencies *l, const struct pmon_sample *sample,
			 uint32_t series, struct pmon_latency_part *out);

// Add the latencies of other samples. map[i] is the series here for series i of next. is_next: each
// stream continues the stream here; otherwise its streams are different ones, whatever their
// numbers. False when memory is short.
PMON_NODISCARD bool pmon_latencies_append(struct pmon_latencies *l,
					  const struct pmon_latencies *next, const uint32_t *map,
					  bool is_next);

// Discard the values of one series.
void pmon_latencies_forget(struct pmon_latencies *l, uint32_t series);

// Discard all values; the intervals of later ones are known.
void pmon_latencies_restart(struct pmon_latencies *l);
void pmon_latencies_free(struct pmon_latencies *l);

// The total seconds of all operations of a series, and their number. False if it is no such
// latency, or has no values.
bool pmon_latencies_get(const struct pmon_latencies *l, uint32_t series, double *seconds,
			double *operations);

// Turn the explanation of the mean of displayed values into that of its average.
void pmon_latency_explain(double total, double operations, struct pmon_explanation *out);

#endif
