// browser.h - open a page in the desktop's browser
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_BROWSER_H
#define PMON_SHELL_PROCESS_BROWSER_H

#include <stdbool.h>

bool browser_has_desktop(void);

// Success cannot be detected: there may be no browser.
void browser_open(const char *file);

#endif
