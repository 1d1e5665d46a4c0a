// private.c - temporary files that other users cannot find: Windows
// SPDX-License-Identifier: MIT

#include "os/fd.h"

#include <windows.h>

// Each user has a folder for temporary files; `folder` is one of other systems.
bool
pmon_private_make(const char *folder, const char *name, char path[PMON_PRIVATE_SIZE])
{
	static const char private[] = "pmon-XXXXXX";
	wchar_t wide[MAX_PATH + 1];
	DWORD n = GetTempPathW(MAX_PATH + 1, wide);
	int most = PMON_PRIVATE_SIZE - (int)(sizeof(private) + 1 + strlen(name));

	(void)folder;
	path[0] = '\0';
	if (n == 0 || n > MAX_PATH ||
	    WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, most, NULL, NULL) == 0)
		return false;
	strcat(path, private);
	if (mkdtemp(path) == NULL) {
		path[0] = '\0';
		return false;
	}
	strcat(path, "/");
	strcat(path, name);
	return true;
}
