// browser.h - show a page in the browser of the desktop
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_BROWSER_H
#define PMON_CLI_PROCESS_BROWSER_H

#include <stdbool.h>

// Is there a desktop to show it on?
bool browser_has_desktop(void);

// Nothing says whether that worked: there may be no browser.
void browser_open(const char *file);

#endif
