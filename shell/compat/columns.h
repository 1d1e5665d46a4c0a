// columns.h - show the counters of a sample as table columns
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_COMPAT_COLUMNS_H
#define PMON_SHELL_COMPAT_COLUMNS_H

#include <pmon/pmon.h>

// Order the current series of a source by the patterns that match them, as typeperf does, and drop
// series that appear later. Series i is column i. Takes ownership of the source, even on failure.
// PMON_E_NOMEM.
enum pmon_status columns_open(struct pmon_source *source, const struct pmon_select *patterns,
			      struct pmon_source **out, struct pmon_err *err);

#endif
