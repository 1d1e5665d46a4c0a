// browser.c - open a file in the user's browser: WASI has no desktop
// SPDX-License-Identifier: MIT

#include "shell/process/browser.h"

bool
browser_has_desktop(void)
{
	return false;
}

void
browser_open(const char *file)
{
	(void)file;
}
