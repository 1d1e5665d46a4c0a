// library.h - load third-party libraries on first use
// SPDX-License-Identifier: MIT
//
// Few uses of pmon need libcurl, libpq or cairo, and each pulls in dozens of other libraries. So they are not linked:
// a list names the functions of such a library, and one call resolves them all. Types come from the library's header.
//
//	#define SNAPPY_CALLS(CALL) CALL(snappy_, compress) CALL(snappy_, max_compressed_length)
//	struct snappy_calls {
//		SNAPPY_CALLS(PMON_OS_CALL)
//	};
//	struct snappy_calls snappy;
//	status = PMON_OS_LOAD("libsnappy.so.1", SNAPPY_CALLS, &snappy, err);
//	snappy.compress(...);

#ifndef PMON_OS_LIBRARY_H
#define PMON_OS_LIBRARY_H

#include <pmon/base.h>

#define PMON_OS_CALL(prefix, name)      __typeof__(prefix##name) *name;
#define PMON_OS_CALL_NAME(prefix, name) #prefix #name,

// Load a library and fill a structure that consists of its calls. PMON_E_UNSUPPORTED: the library cannot be loaded or
// lacks a function. In a static program all of them are linked.
#ifdef PMON_LIBRARIES_LINKED
#define PMON_OS_CALL_HERE(prefix, name) .name = &prefix##name,
#define PMON_OS_LOAD(library, list, calls, err)                                                    \
	(*(calls) = (__typeof__(*(calls))){list(PMON_OS_CALL_HERE)}, (void)(err), PMON_OK)
#else
#define PMON_OS_LOAD(library, list, calls, err)                                                    \
	pmon_os_library_load(library, (const char *const[]){list(PMON_OS_CALL_NAME) NULL}, calls,  \
			     err)
#endif

// Look up names, up to NULL, and store their addresses in the array at *calls. The library is never unloaded: some
// crash when they are.
PMON_NODISCARD enum pmon_status pmon_os_library_load(const char *library, const char *const *names,
						     void *calls, struct pmon_err *err);

#endif
