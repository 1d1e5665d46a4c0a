// help.h - pmon help: list the verbs, or print the help of one
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_HELP_HELP_H
#define PMON_VERBS_HELP_HELP_H

// Print the verbs. Returns EXIT_DONE.
int help_program(void);

// Report that there is no such verb, with a suggestion. what: " and no file of that name" if a file
// is allowed there, otherwise "". Returns EXIT_USAGE.
int help_unknown(const char *word, const char *what, int n, char *const *words);

// An option of a verb was given, but no verb; words are all words. Returns EXIT_USAGE.
int help_option(const char *option, int n, char *const *words);

#endif
