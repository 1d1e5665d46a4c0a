// columns.h - the statistics of many series of doubles, stored column-wise
// SPDX-License-Identifier: MIT
//
// Logs of displayed values have a number for every counter in nearly every sample. While that is
// so, the fields that run.h has in one struct per series are arrays here, and one loop adds a
// sample. The results are the same to the last bit.
//
//	for (i = 0; i < n; i++) // after everything that the statistics have; false: not this one
//		pmon_columns_take(&columns, i, stats[i]);
//	pmon_columns_add(&columns, numbers, time); // again and again
//	pmon_columns_end(&columns);

#ifndef PMON_CORE_COLUMNS_H
#define PMON_CORE_COLUMNS_H

#include <pmon/counter.h>

// Memory for n columns, in bytes, of any alignment; n is below 2^32.
#define PMON_COLUMNS_SIZE(n) (((n) / 8 + 1) * 8 * 7 * sizeof(double) + 64)

// Where an exact sum (sum.h) would be added to for every number, two doubles take it up, exactly too:
// what the first cannot hold of a number goes to the second, and a number of which anything is left
// then goes to the exact sum. Both begin at a power of two and a half, so that their last places stay
// what they are; after some samples they are emptied into the exact sum.
struct pmon_columns {
	size_t n;
	uint32_t n_samples; // that came since it began
	uint32_t n_summed;  // ... and since the sums were emptied
	bool is_wide;
	pmon_time time; // of the newest sample
	// n of each
	struct pmon_stats **stats;
	double *newest;
	double *minimum;
	double *maximum;
	double *bound; // what numbers in the sums are below, a power of two
	double *high;
	double *low;
};

// Begin, in memory of PMON_COLUMNS_SIZE(n).
void pmon_columns_begin(struct pmon_columns *columns, void *memory, size_t n);

// Go on from these statistics. False when they are not of doubles, or not plain: they are then not
// taken.
bool pmon_columns_take(struct pmon_columns *columns, size_t i, struct pmon_stats *stats);

// Add a number for each column, all of this time. False when one of them is not plain, or there were
// too many: nothing has changed.
bool pmon_columns_add(struct pmon_columns *columns, const double *numbers, pmon_time time);

// The same without vectors.
bool pmon_columns_add_plain(struct pmon_columns *columns, const double *numbers, pmon_time time);

// Hand over what has come since, to the statistics of all columns.
void pmon_columns_end(struct pmon_columns *columns);

#endif
