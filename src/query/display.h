// display.h - the displayed values of the samples of a source
// SPDX-License-Identifier: MIT
//
// The values of struct pmon_statistics (query.h), for whoever wants nothing else of it: of each series
// there is only what its next value depends on.

#ifndef PMON_QUERY_DISPLAY_H
#define PMON_QUERY_DISPLAY_H

#include <pmon/query.h>

struct pmon_display;

// Begin for a schema, which may grow. options may be NULL. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_display_new(const struct pmon_schema *schema,
						 const struct pmon_calc_options *options,
						 const struct pmon_allocator *allocator,
						 struct pmon_display **out, struct pmon_err *err);
void pmon_display_free(struct pmon_display *display);

// The values of the next sample, in its order; they stay until the next call.
PMON_NODISCARD enum pmon_status pmon_display_add(struct pmon_display *display,
						 const struct pmon_sample *sample,
						 const struct pmon_value **values,
						 struct pmon_err *err);

#endif
