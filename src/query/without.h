// without.h - a source without some of its series
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_WITHOUT_H
#define PMON_QUERY_WITHOUT_H

#include <pmon/model.h>

// Whether to keep the series. Called once for each.
typedef bool (*pmon_stays_fn)(void *ctx, const struct pmon_series *series);

// Drop series from a source. Takes ownership of the source even on failure. Samples stay even if
// they become empty.
PMON_NODISCARD enum pmon_status pmon_without_open(struct pmon_source *source, pmon_stays_fn stays,
						  void *ctx, struct pmon_source **out,
						  struct pmon_err *err);

#endif
