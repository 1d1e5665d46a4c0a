// paths.h - several counter paths in one argument
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_PATHS_H
#define PMON_SHELL_ARGS_PATHS_H

#include <pmon/path.h>

// Take the next path from *text, in the form of Windows' command lines:
//
//	\A\B                       one
//	"\A\B" "\C\D"             quoted, with blanks, commas or nothing between them
//	\A\B,\C\D   \A\B \C\D     where what stands before a blank or comma and a backslash is a path
//
// False after the last. An empty text is one path, which matches nothing.
bool paths_next(struct pmon_span *text, struct pmon_span *path);

#endif
