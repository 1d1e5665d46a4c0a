// picture.h - what a window of a series looks like on so many columns of pixels
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_PICTURE_H
#define PMON_WEB_PICTURE_H

#include "web/store.h"

struct picture_point {
	double ms; // since 1970
	double low;
	double high;
	double mean;    // of the displayed values of a column
	bool has_value; // else a hole in the line
};

// The columns of all pictures of a window: from <= to.
struct picture_grid {
	pmon_time from;
	pmon_time to;
	size_t columns;
};

struct picture {
	struct picture_point *points; // in order of time
	size_t n;
	size_t cap;
	bool exact;              // one point for each sample, low and high are its value
	struct pmon_stats stats; // of the window
	struct pmon_value p95;   // its 95th percentile, as pmon_statistics_percentile()
	bool failed;             // the temporary file could not be read
};

// Draw one series in one pass: no sample is left out of an extreme. Returns false when memory is short.
// Under the lock of the store. Freed by picture_free(), in any case.
bool picture_draw(struct picture *picture, const struct store *store, uint32_t id,
		  const struct store_window *window, const struct picture_grid *grid,
		  const struct pmon_calc_options *options);
void picture_free(struct picture *picture);

double picture_ms(pmon_time time);

#endif
