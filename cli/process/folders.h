// folders.h - the user's folders for what a program keeps
// SPDX-License-Identifier: MIT
//
// By the XDG base directory specification: a variable of the environment names such a folder, else it is
// below the home folder. What is not absolute is to be ignored.

#ifndef PMON_CLI_PROCESS_FOLDERS_H
#define PMON_CLI_PROCESS_FOLDERS_H

#include <stdbool.h>

#define FOLDER_SIZE 4096

// $XDG_CACHE_HOME/pmon or ~/.cache/pmon: what can be had again.
// $XDG_STATE_HOME/pmon or ~/.local/state/pmon: what should last.
enum folder_kind {
	FOLDER_CACHE,
	FOLDER_STATE
};

// Where the folder is, which need not exist. False when none is known.
bool folder_find(enum folder_kind kind, char folder[FOLDER_SIZE]);

// Make the folder and those above it, for its owner alone. False when that cannot be done.
bool folder_make(const char *folder);

#endif
