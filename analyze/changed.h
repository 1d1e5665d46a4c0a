// changed.h - series of two time windows, ranked by difference
// SPDX-License-Identifier: MIT
//
// Used by pmon changes, pmon diff and the page, each of which reads its own two windows:
//
//	changed_add(&c, series, before, i, after, j);   // for each series that changed_is_wanted()
//	changed_rank(&c);
//	... c.rows, the largest difference first
//	changed_free(&c);

#ifndef PMON_ANALYZE_CHANGED_H
#define PMON_ANALYZE_CHANGED_H

#include "query/compare.h"

#define CHANGED_LEAST_EFFECT 3 // smaller effects, in units of noise, are not listed
#define CHANGED_FEWEST       3 // samples that each side needs

enum changed_side {
	CHANGED_BEFORE,
	CHANGED_AFTER
};

struct changed_row {
	const struct pmon_series *series;
	int64_t process_id; // as in struct pmon_series
	int64_t thread_id;
	struct pmon_value average[2];
	struct pmon_value p95[2];
	struct pmon_value p99[2];
	double outside[2]; // the share of the samples outside the usual band of the other side
	struct pmon_comparison comparison;
	double factor; // of the averages; NaN if the average before is 0
	double score;  // the sort key
	bool tail;     // the 95th percentiles differ, the medians do not
	bool repeated; // another row shows the same
};

// Initialize with zeros, then set the caller's fields.
struct changed {
	bool named;          // the counters were named: list small differences and repetitions too
	bool tails;          // list also what differs in its 95th percentile and not in its median
	uint64_t samples[2]; // of each side, before the first changed_add()
	struct changed_row *rows;
	size_t n;
	size_t cap;
	size_t compared;
};

// Is the series one to compare: not a name or a time since the start? Whether sums are is up to the caller.
bool changed_is_wanted(const struct changed *c, const struct pmon_series *series);

// Compare series i of the statistics before with j of those after, which both keep percentiles and have values.
// `series` is the one to list. False when memory is short.
PMON_NODISCARD bool changed_add(struct changed *c, const struct pmon_series *series,
				const struct pmon_statistics *before, size_t i,
				const struct pmon_statistics *after, size_t j);

// Drop counters that show the same as another one, and put the largest difference first.
void changed_rank(struct changed *c);

void changed_free(struct changed *c);

#endif
