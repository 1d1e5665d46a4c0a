// help.h - pmon help: the verbs, or the help of one
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_VERBS_HELP_H
#define PMON_CLI_VERBS_HELP_H

// Print the verbs. Returns EXIT_DONE.
int help_program(void);

// Say that there is no such verb, and which was meant. what: " and no file of that name" where a file could have
// stood, else "". Returns EXIT_USAGE.
int help_unknown(const char *word, const char *what);

#endif
