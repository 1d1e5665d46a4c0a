// display.h - the displayed values of samples, computed on their way into a sink
// SPDX-License-Identifier: MIT
//
// The values of struct pmon_statistics (query.h), for callers that need nothing else of it: it
// keeps only what the next value of each series depends on.

#ifndef PMON_QUERY_DISPLAY_H
#define PMON_QUERY_DISPLAY_H

#include <pmon/sink.h>

// Make a sink that hands on what it is given to another one, with the values of each sample, whatever
// comes with it. The other one stays the caller's. options may be NULL. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_display_open(struct pmon_sink *to,
						  const struct pmon_calc_options *options,
						  const struct pmon_allocator *allocator,
						  struct pmon_sink **out, struct pmon_err *err);

#endif
