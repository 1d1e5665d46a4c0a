// signals.h - signals as something to wait for
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_SIGNALS_H
#define PMON_CLI_PROCESS_SIGNALS_H

#include <stdbool.h>

// Report a limit on the size of files like a full disk: without this the signal SIGXFSZ ends the program.
void signals_begin(void);

// Remove this file when a signal ends the program; NULL: none. A pmon_temporary_fn.
void signals_temporary(void *ctx, const char *path);

// Remove it now: the program ends.
void signals_remove_temporary(void);

// Catch SIGINT, SIGTERM and SIGHUP from now on. Returns a descriptor that is readable while one is
// there that was not taken, or -1 when signals end the program as ever.
int signals_catch(void);

// What was signalled since the last call.
struct signals {
	bool end;    // SIGINT or SIGTERM, or SIGHUP because the terminal was closed: finish
	bool rotate; // SIGHUP else: begin a new file
};
struct signals signals_take(void);

// Wait until a signal ends the program; fd is what signals_catch() gave.
void signals_wait_for_end(int fd);

#endif
