// compare.h - how much a series differs between two times
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_COMPARE_H
#define PMON_QUERY_COMPARE_H

#include <pmon/query.h>

struct pmon_comparison {
	double before; // medians
	double after;
	double noise;  // mean of both median absolute deviations, at least 1 % of the larger median
	double effect; // difference of the medians in noise; 0 where both are the same
	double share;  // the same by the larger magnitude of the medians, up to 2
};

// Compare series a of the statistics of one time with series b of those of another, which both keep
// percentiles (PMON_KEEP_PERCENTILES). *comparable is false where one side has no values with a weight,
// or neither side varies. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_compare(const struct pmon_statistics *before, size_t a,
					     const struct pmon_statistics *after, size_t b,
					     const struct pmon_allocator *allocator,
					     bool *comparable, struct pmon_comparison *out);

#endif
