// windows.h - the performance counters of a running Windows, as its registry answers
// SPDX-License-Identifier: MIT
//
// The value of HKEY_PERFORMANCE_DATA whose name is a list of title indexes ("238 230"), or "Global" for all objects but
// costly ones, is a PERF_DATA_BLOCK: Windows makes it anew for each query. format/perfblock reads it.
//
//	registry.c  the queries: the only calls of Windows. Tests answer them from recorded blocks, on any system
//	system.c    the machine and its samples
//	names.c     which objects the patterns name, and what Windows calls them
//	objects.c   the counters that each Windows has

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

// Query a value into size bytes. PMON_E_LIMIT: they are too few, and Windows does not say how many it needs. PMON_E_IO:
// it refuses, as for users who are not in the group Performance Monitor Users.
PMON_NODISCARD enum pmon_status pmon_win_query(enum win_key key, const char *value, void *bytes,
					       size_t size, size_t *len_out, struct pmon_err *err);

// There will be no more queries: Windows may unload what answers them.
void pmon_win_end(void);

// The version of Windows, as "10.0.19045", and its MachineGuid without dashes. Empty texts where they are not known.
#define WIN_TEXT_BYTES 64
void pmon_win_version(char text[WIN_TEXT_BYTES]);
void pmon_win_machine_guid(char text[WIN_TEXT_BYTES]);

// ---- names.c --------------------------------------------------------------------------------

// Load both tables of names: table 0 of titles is that of the user's language, table 1 is English. A table that
// Windows does not give is left empty.
PMON_NODISCARD enum pmon_status pmon_win_load_names(struct live *live, struct pmon_titles *titles,
						    struct pmon_err *err);

// The value to query for what is asked for. Texts are in the arena of live.
PMON_NODISCARD enum pmon_status pmon_win_choose(struct live *live, const struct pmon_titles *titles,
						const char **out, struct pmon_err *err);

// ---- objects.c ------------------------------------------------------------------------------

// Not all that a Windows has: that is known only when it answers.
#define WIN_OBJECTS 9
extern const struct live_object *const pmon_win_objects[WIN_OBJECTS];

#endif
