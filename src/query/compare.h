// compare.h - how much a series differs between two times
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_COMPARE_H
#define PMON_QUERY_COMPARE_H

#include <pmon/query.h>

struct pmon_comparison {
	double before; // medians
	double after;
	double noise;  // mean of both median absolute deviations, at least 1 % of the larger median
	double effect; // difference of the medians as a multiple of noise; 0 if they are equal
	double share;  // the difference relative to the larger magnitude of the medians, up to 2
};

// Compare series a of one period with series b of another. Both statistics must keep percentiles
// (PMON_KEEP_PERCENTILES). *comparable is false if one side has no weighted values, or both are the
// same constant. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_compare(const struct pmon_statistics *before, size_t a,
					     const struct pmon_statistics *after, size_t b,
					     const struct pmon_allocator *allocator,
					     bool *comparable, struct pmon_comparison *out);

#endif
