// private.c - temporary files that other users cannot find: Windows
// SPDX-License-Identifier: MIT

#include "os/fd.h"

#include <windows.h>

// Each user has a private folder for temporary files, so `folder`, which is for other systems, is
// not used. The file does not get a folder of its own, because Windows cannot remove a folder while
// a deleted file in it is still open.
bool
pmon_private_make(const char *folder, const char *name, char path[PMON_PRIVATE_SIZE])
{
	wchar_t wide[MAX_PATH + 1];
	DWORD n = GetTempPathW(MAX_PATH + 1, wide);
	unsigned number[2];
	int len;

	(void)folder;
	path[0] = '\0';
	if (n == 0 || n > MAX_PATH || rand_s(&number[0]) != 0 || rand_s(&number[1]) != 0)
		return false;
	len = WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, PMON_PRIVATE_SIZE - 64, NULL, NULL);
	if (len > 0)
		(void)snprintf(path + len - 1, 64, "pmon-%08x%08x-%s", number[0], number[1], name);
	return len > 0;
}

void
pmon_private_remove(char path[PMON_PRIVATE_SIZE])
{
	if (path[0] != '\0')
		(void)unlink(path);
	path[0] = '\0';
}
