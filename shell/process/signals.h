// signals.h - make signals something to wait for
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_SIGNALS_H
#define PMON_SHELL_PROCESS_SIGNALS_H

#include <stdbool.h>

// Report a file size limit like a full disk: by default the signal SIGXFSZ ends the program.
void signals_begin(void);

// Remove this file if a signal ends the program; NULL: none. A pmon_temporary_fn.
void signals_temporary(void *ctx, const char *path);

// Add a function that the signal handler calls before a signal ends the program; the last one is called first.
void signals_at_end(void (*work)(void));

// Remove it now, because the program ends.
void signals_remove_temporary(void);

// Catch SIGINT, SIGTERM and SIGHUP from now on. Returns a descriptor that is readable while a
// signal is pending, or -1 if signals end the program as usual.
int signals_catch(void);

// The signals since the last call.
struct signals {
	bool end;    // SIGINT or SIGTERM, or SIGHUP because the terminal was closed: finish
	bool rotate; // any other SIGHUP: begin a new file
};
struct signals signals_take(void);

// Wait until a signal ends the program; fd comes from signals_catch().
void signals_wait_for_end(int fd);

// The same; with_enter: or until Enter is pressed on standard input's terminal, while the program
// is in the foreground. On Windows only a signal ends it. Returns true at the end.
bool signals_wait(int fd, bool with_enter);

#endif
