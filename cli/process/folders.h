// folders.h - the user's folder for state
// SPDX-License-Identifier: MIT
//
// By the XDG base directory specification: a variable of the environment names such a folder, else it is
// below the home folder. What is not absolute is to be ignored.

#ifndef PMON_CLI_PROCESS_FOLDERS_H
#define PMON_CLI_PROCESS_FOLDERS_H

#include <stdbool.h>

#define FOLDER_SIZE 4096

// $XDG_STATE_HOME/pmon or ~/.local/state/pmon, which need not exist. False when neither is known.
bool folder_of_state(char folder[FOLDER_SIZE]);

// Make the folder and those above it, for its owner alone. False when that cannot be done.
bool folder_create(const char *folder);

#endif
