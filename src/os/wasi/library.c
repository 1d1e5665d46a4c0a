// library.c - load third-party libraries on first use: WebAssembly programs load none
// SPDX-License-Identifier: MIT

#include "os/library.h"

#include "base/err.h"

enum pmon_status
pmon_os_library_load(const char *library, const char *const *names, void *calls,
		     struct pmon_err *err)
{
	(void)names, (void)calls;
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "cannot load %s: pmon for WebAssembly is without it", library);
}
