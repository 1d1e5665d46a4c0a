// sandbox.h - what a verb may still do while it reads files that nobody trusts
// SPDX-License-Identifier: MIT
//
// From then on this process, and every thread that it starts, opens no network socket, runs no other
// program, and writes nothing but its output, the cache and temporary files. It may read what its user
// may. Landlock and seccomp of Linux see to that. On a system that lacks either, the other one holds.

#ifndef PMON_CLI_SANDBOX_H
#define PMON_CLI_SANDBOX_H

#include <stdbool.h>

// Call it before the first thread is started and the first input is opened. output is the file that is to
// be written, or a folder of files; NULL and "-": none. cache: what was found out is kept (cache.h). It
// cannot be undone.
void sandbox_enter(const char *output, bool cache);

#endif
