// library.c - load third-party libraries on first use, on Windows
// SPDX-License-Identifier: MIT

#include "os/library.h"

#include <windows.h>

#include "base/err.h"

// Search the program's folder and Windows' own, but not the current folder.
enum pmon_status
pmon_os_library_load(const char *library, const char *const *names, void *calls,
		     struct pmon_err *err)
{
	HMODULE module = LoadLibraryExA(library, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);

	for (size_t i = 0; module != NULL && names[i] != NULL; i++) {
		FARPROC address = GetProcAddress(module, names[i]);

		if (address == NULL)
			module = NULL;
		memcpy((char *)calls + i * sizeof(address), &address, sizeof(address));
	}
	if (module != NULL)
		return PMON_OK;
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "cannot load %s: put it in the folder of pmon.exe", library);
}
