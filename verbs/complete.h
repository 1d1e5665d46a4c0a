// complete.h - pmon __complete: candidates for shell completion
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_COMPLETE_H
#define PMON_VERBS_COMPLETE_H

// Print candidates for the last of n words, which follow "pmon" on an incomplete command line.
// Returns an exit status.
//
// Each line is a candidate, followed by a tab and a description if there is one. The caller, a
// shell, drops those that do not begin with the word, quotes them, and adds file names for a line
// ":files", and folders for ":folders".
int complete_print(int n, char *const *words);

#endif
