// folders.c - the user's state folder: Windows
// SPDX-License-Identifier: MIT

#include "shell/process/folders.h"

#include <errno.h>
#include <windows.h>

// %LOCALAPPDATA%\pmon, in UTF-8.
bool
folder_of_state(char folder[FOLDER_SIZE])
{
	wchar_t wide[FOLDER_SIZE / 4];
	DWORD n = GetEnvironmentVariableW(L"LOCALAPPDATA", wide, FOLDER_SIZE / 4);
	int len;

	if (n == 0 || n >= FOLDER_SIZE / 4)
		return false;
	len = WideCharToMultiByte(CP_UTF8, 0, wide, -1, folder, FOLDER_SIZE - (int)sizeof("/pmon"),
				  NULL, NULL);
	if (len > 0)
		strcat(folder, "/pmon");
	return len > 0;
}

bool
folder_create(const char *folder)
{
	return mkdir(folder, 0700) == 0 || errno == EEXIST;
}
