// browser.h - show a page in the browser of the desktop
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_BROWSER_H
#define PMON_CLI_PROCESS_BROWSER_H

// Nothing says whether that worked: there may be no browser.
void browser_open(const char *file);

#endif
