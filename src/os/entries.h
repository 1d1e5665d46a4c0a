// entries.h - directory listing, as each system implements it for dir.c
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_ENTRIES_H
#define PMON_OS_ENTRIES_H

#include <pmon/base.h>

// A status other than PMON_OK ends the listing and is returned.
typedef enum pmon_status (*pmon_entry_fn)(void *ctx, const char *name, struct pmon_err *err);

// List the regular files in a folder, or its subfolders; links are followed. Names that begin with a dot may be
// omitted. PMON_E_NOTFOUND; PMON_E_IO.
PMON_NODISCARD enum pmon_status pmon_os_entries(const char *folder, bool of_folders,
						pmon_entry_fn take, void *ctx,
						struct pmon_err *err);

// List the paths that match a shell pattern. PMON_E_NOTFOUND if there are none.
PMON_NODISCARD enum pmon_status pmon_os_matches(const char *pattern, pmon_entry_fn take, void *ctx,
						struct pmon_err *err);

#endif
