// library.c - load third-party libraries on first use, on POSIX systems
// SPDX-License-Identifier: MIT

#include "os/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"

// The loader reports errors only as text, which does not always say that memory is short.
static enum pmon_status
fail(const char *library, struct pmon_err *err)
{
	bool is_short = errno == ENOMEM;
	const char *why = dlerror();

	if (is_short || why == NULL || strstr(why, "memory") != NULL)
		return pmon_err_nomem(err);
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "cannot load %s, install the package that has it: %s", library, why);
}

enum pmon_status
pmon_os_library_load(const char *library, const char *const *names, void *calls,
		     struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	void *handle;

	errno = 0;
	handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (handle == NULL)
		return fail(library, err);
	for (size_t i = 0; status == PMON_OK && names[i] != NULL; i++) {
		void *address = dlsym(handle, names[i]);

		if (address == NULL)
			status = fail(library, err);
		memcpy((char *)calls + i * sizeof(address), &address, sizeof(address));
	}
	(void)dlclose(handle);
	return status;
}
