// folders.h - the user's state folder
// SPDX-License-Identifier: MIT
//
// Follows the XDG base directory specification: an environment variable names the folder, otherwise it is
// below the home folder. Relative paths are ignored.

#ifndef PMON_SHELL_PROCESS_FOLDERS_H
#define PMON_SHELL_PROCESS_FOLDERS_H

#include <stdbool.h>

#define FOLDER_SIZE 4096

// $XDG_STATE_HOME/pmon or ~/.local/state/pmon, which need not exist. False if neither is known.
bool folder_of_state(char folder[FOLDER_SIZE]);

// Create the folder and its parents, accessible only to the owner. False on failure.
bool folder_create(const char *folder);

#endif
