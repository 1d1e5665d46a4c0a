// sandbox.h - what a verb may still do while it reads files that nobody trusts
// SPDX-License-Identifier: MIT
//
// From then on this process, and every thread that it starts, opens no network socket and runs no other
// program. It reads only its inputs, what libraries need of the system, and its output; it writes only its
// output and temporary files. Landlock and seccomp of Linux see to that. On a system that lacks
// either, the other one holds.

#ifndef PMON_CLI_PROCESS_SANDBOX_H
#define PMON_CLI_PROCESS_SANDBOX_H

#include "cli/args/args.h"

// Call it before the first thread is started and the first input is opened. args names the inputs: operands,
// pattern_files and inputs. output is the file that is to be written, or a folder of
// files; NULL and "-": none. It cannot be undone.
void sandbox_enter(const struct args *args, const char *output);

// Does the verb, with these options, need what the sandbox forbids: a network, programs, or the counters of this machine?
// Then another process enters it and parses logs (logs_apart.c).
bool sandbox_is_apart(const struct args *args);

// The same as the verb and its options want it: not without a file, with a network, or with --no-sandbox.
void sandbox_enter_for_verb(const struct args *args);

#endif
