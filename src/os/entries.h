// entries.h - what dir.c asks a system for
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_ENTRIES_H
#define PMON_OS_ENTRIES_H

#include <pmon/base.h>

// Another status than PMON_OK ends a list, and is its result.
typedef enum pmon_status (*pmon_entry_fn)(void *ctx, const char *name, struct pmon_err *err);

// The names of the regular files in a folder, or of the folders; links are followed. Names that begin with a dot need
// not come. PMON_E_NOTFOUND; PMON_E_IO.
PMON_NODISCARD enum pmon_status pmon_os_entries(const char *folder, bool of_folders,
						pmon_entry_fn take, void *ctx,
						struct pmon_err *err);

// The paths that match a pattern of the shell. PMON_E_NOTFOUND when there is none.
PMON_NODISCARD enum pmon_status pmon_os_matches(const char *pattern, pmon_entry_fn take, void *ctx,
						struct pmon_err *err);

#endif
