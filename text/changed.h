// changed.h - series of two times, ranked by how much they differ
// SPDX-License-Identifier: MIT
//
// For pmon changes, pmon diff and the page, which read the two times in their own ways:
//
//	changed_add(&c, series, before, i, after, j);   // for each series that changed_is_wanted()
//	changed_rank(&c);
//	... c.rows, the largest difference first
//	changed_free(&c);

#ifndef PMON_TEXT_CHANGED_H
#define PMON_TEXT_CHANGED_H

#include "query/compare.h"
#include "text/json.h"

#define CHANGED_LEAST_EFFECT 3 // what differs less, in noise, is not listed
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
	struct pmon_comparison comparison;
	double factor; // of the averages; NaN where the one before is 0
	double score;  // what they are ranked by
	bool tail;     // the 95th percentiles differ, and the medians do not
	bool repeated; // another row shows the same
};

// All zeros at the beginning, but for what the caller sets.
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

// The keys before, after, factor and effect of a row, into an object that is open.
void changed_json(struct json *json, const struct changed_row *row);

void changed_free(struct changed *c);

#endif
