// windows.h - the performance counters of a running Windows, read through its registry
// SPDX-License-Identifier: MIT
//
// The value of HKEY_PERFORMANCE_DATA whose name is a list of title indexes ("238 230"), or "Global" for all objects but
// costly ones, is a PERF_DATA_BLOCK: Windows creates it for each query. format/perfblock reads it.
//
//	registry.c  the queries: the only calls of Windows. On any system, tests answer them from recorded blocks
//	system.c    the machine and its samples
//	names.c     the objects that match the patterns, and their names in Windows
//	objects.c   the counters that every Windows has

#ifndef PMON_LIVE_WINDOWS_WINDOWS_H
#define PMON_LIVE_WINDOWS_WINDOWS_H

#include "format/perfblock/perfblock.h"
#include "live/live.h"

#define WIN_SYSTEM "2" // title index of the object System, which is small

enum win_key {
	WIN_DATA,    // HKEY_PERFORMANCE_DATA
	WIN_NAMES,   // HKEY_PERFORMANCE_NLSTEXT: names in the language of the user
	WIN_ENGLISH, // HKEY_PERFORMANCE_TEXT
};

// ---- registry.c -----------------------------------------------------------------------------

// Query a value into size bytes. PMON_E_LIMIT: the buffer is too small, and Windows does not report the required size.
// PMON_E_IO: Windows refuses, for example because the user is not in the group Performance Monitor Users.
PMON_NODISCARD enum pmon_status pmon_win_query(enum win_key key, const char *value, void *bytes,
					       size_t size, size_t *len_out, struct pmon_err *err);

// End the queries, so that Windows can unload the performance DLLs.
void pmon_win_end(void);

// The version of Windows, such as "10.0.19045", and its MachineGuid without dashes. Empty if unknown.
#define WIN_TEXT_BYTES 64
void pmon_win_version(char text[WIN_TEXT_BYTES]);
void pmon_win_machine_guid(char text[WIN_TEXT_BYTES]);

// ---- names.c --------------------------------------------------------------------------------

// Load both tables of names: table 0 of titles is in the user's language, table 1 in English. A table that Windows
// does not provide stays empty.
PMON_NODISCARD enum pmon_status pmon_win_load_names(struct live *live, struct pmon_titles *titles,
						    struct pmon_err *err);

// The registry value to query for the requested counters. Strings are allocated in the arena of live.
PMON_NODISCARD enum pmon_status pmon_win_choose(struct live *live, const struct pmon_titles *titles,
						const char **out, struct pmon_err *err);

// ---- objects.c ------------------------------------------------------------------------------

// A selection: the full list is known only after a query.
#define WIN_OBJECTS 9
extern const struct live_object *const pmon_win_objects[WIN_OBJECTS];

#endif
