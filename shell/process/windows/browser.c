// browser.c - open a page in the desktop's browser: Windows
// SPDX-License-Identifier: MIT

#include "shell/process/browser.h"

#include <windows.h>

#include <shellapi.h>

bool
browser_has_desktop(void)
{
	return true;
}

void
browser_open(const char *file)
{
	wchar_t *path = pmon_win_path(file);

	if (path != NULL)
		(void)ShellExecuteW(NULL, L"open", path, NULL, NULL, SW_SHOWNORMAL);
	free(path);
}
