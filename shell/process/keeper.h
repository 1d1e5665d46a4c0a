// keeper.h - a process that opens files for a sandboxed one
// SPDX-License-Identifier: MIT
//
// Requests come from a process that may have been compromised. So the keeper opens for reading only
// files that the command line names and those that belong to them, and creates only the outputs
// that it names, one at a time. A finished output gets the access rights of the file that it
// replaces, and its name.

#ifndef PMON_SHELL_PROCESS_KEEPER_H
#define PMON_SHELL_PROCESS_KEEPER_H

#include "shell/args/words.h"
#include "os/posix/place.h"

// What may be written. Zeros: nothing.
struct keeper_outputs {
	struct words names;
	const char *
		// a file of any name with this ending may be created in the current folder; NULL:
		// none
		ending;
	bool may_overwrite;
	bool appends; // they are read too
};

enum keeper_question {
	KEEPER_OPEN,      // path: an input file, or the unfinished output
	KEEPER_OPEN_TEMP, // path: the unfinished output, for a library to write
	KEEPER_TEMPORARY, // an unnamed file
	KEEPER_BEGIN,     // path: an output
	KEEPER_FINISH,
	KEEPER_FORGET,
};

struct keeper_request {
	enum keeper_question question;
	bool overwrite;
	bool sync;
	char path[PMON_TARGET_PATH];
};

// A descriptor is passed along if one was requested.
struct keeper_answer {
	enum pmon_status status; // for KEEPER_BEGIN
	int sys;                 // for the others: an errno, or 0
	struct pmon_err err;
	struct pmon_place place;
};

// Answer requests from the socket until its other end is closed, even while another operation
// blocks; then remove an unfinished output.
_Noreturn void keeper_run(int fd, const struct words *inputs, const struct keeper_outputs *outputs);

#endif
