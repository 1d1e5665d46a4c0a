// picture.h - a window of a series, reduced to columns of pixels
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_PICTURE_H
#define PMON_WEB_PICTURE_H

#include "web/store.h"

struct picture_point {
	double ms; // since 1970
	double low;
	double high;
	double mean;    // of the displayed values of a column
	bool has_value; // false: a gap in the line
};

// The columns shared by all pictures of a window: from <= to.
struct picture_grid {
	pmon_time from;
	pmon_time to;
	size_t columns;
};

struct picture {
	struct picture_point *points; // in order of time
	size_t n;
	size_t cap;
	bool exact;              // one point per sample: low and high are its value
	struct pmon_stats stats; // of the window
	struct pmon_value p95;   // its 95th percentile, computed as by pmon_statistics_percentile()
	bool failed;             // the temporary file could not be read
};

// What a series is usually between: the 5th and the 95th percentile of its values outside some parts of the log.
struct picture_usual {
	struct pmon_value low;
	struct pmon_value high;
	uint64_t values; // outside them
	bool failed;     // the temporary file could not be read
};

// Reduce one series in one pass: the extremes include every sample. Returns false when memory is short.
// Call with the store locked. Free with picture_free() in any case.
bool picture_draw(struct picture *picture, const struct store *store, uint32_t id,
		  const struct store_window *window, const struct picture_grid *grid,
		  const struct pmon_calc_options *options);
// Compute it for the values outside of n parts, whose ends are known and inclusive. Returns false when memory is short.
// Call with the store locked.
bool picture_usual(struct picture_usual *usual, const struct store *store, uint32_t id,
		   const struct store_window *parts, size_t n,
		   const struct pmon_calc_options *options);

void picture_free(struct picture *picture);

double picture_ms(pmon_time time);

#endif
