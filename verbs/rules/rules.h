// rules.h - pmon rules: list, show and import rules
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_RULES_RULES_H
#define PMON_VERBS_RULES_RULES_H

#define RULE_NAME 1100 // of a generated name

struct args;
struct words;

// Print the rules of a PAL threshold file; a list of rules; one rule. All return an exit status,
// after a message on failure. answers: NAME=ANSWER for the questions of PAL.
int rules_import(const char *name, const struct words *answers);
int rules_list(const struct args *args);
int rules_show(const char *name);

#endif
