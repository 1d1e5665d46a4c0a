// columns.h - the counters of a sample as the columns of a table
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_COMPAT_COLUMNS_H
#define PMON_CLI_COMPAT_COLUMNS_H

#include <pmon/pmon.h>

// Take the series that a source has now in the order of the patterns that name them, as typeperf does,
// and leave out those that come later. Series i is column i. Takes the source over, also on failure.
// PMON_E_NOMEM.
enum pmon_status columns_open(struct pmon_source *source, const struct pmon_select *patterns,
			      struct pmon_source **out, struct pmon_err *err);

#endif
