// sandbox.h - restrict a verb while it reads untrusted files
// SPDX-License-Identifier: MIT
//
// From then on this process, and every thread that it starts, can open no network socket, run no
// other program, and change no file by name. Another process, the keeper, opens its inputs and
// outputs (keeper.h). By itself it can read the system files that libraries need, and the settings
// that the command line names. This is enforced by Linux's Landlock and seccomp. If the system
// lacks one of them, the other still applies.

#ifndef PMON_SHELL_PROCESS_SANDBOX_H
#define PMON_SHELL_PROCESS_SANDBOX_H

#include "shell/args/args.h"

struct keeper_outputs;

// What may be read.
struct sandbox_inputs {
	struct words logs;
	struct words settings; // files that options name
	struct words pattern_files;
	bool verbose; // print what the kernel lacks
};
struct sandbox_inputs sandbox_inputs_of(const struct args *args);

// Call it before the first thread is started and the first input is opened. outputs may be NULL. It
// cannot be undone. Returns an exit status.
int sandbox_enter(const struct sandbox_inputs *inputs, const struct keeper_outputs *outputs);

// With these options, does the verb need what the sandbox forbids: the network, programs, or this
// machine's counters? Then another process enters the sandbox and parses logs (logs_apart.c).
bool sandbox_is_apart(const struct args *args);

// The same, depending on the verb and its options: not without a file, with the network, or with
// --no-sandbox. A verb that could use the network, but does not, enters it itself.
int sandbox_enter_for_verb(const struct args *args);

#endif
