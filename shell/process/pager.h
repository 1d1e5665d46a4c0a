// pager.h - show long output in the user's pager
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_PAGER_H
#define PMON_SHELL_PROCESS_PAGER_H

// Send standard output, which is a terminal, through the program that PAGER names, by default less; not at all if
// that is empty, "cat" or missing. Like git it sets LESS=FRX if LESS is not set: less ends by itself if the output
// fits on the screen. Call it before the sandbox is entered, and before anything is printed.
void pager_begin(void);

// Wait until the user leaves the pager. Standard output, and what other processes hold of it, must be closed.
void pager_end(void);

#endif
