// rules.h - pmon rules: what it does with rules of thresholds
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_RULES_RULES_H
#define PMON_APPS_RULES_RULES_H

#define RULE_NAME 1100 // bytes of a name that is made

struct args;

// Print the rules of a threshold file of PAL; a list of rules; one rule. All return an exit status after a message.
int rules_import(const char *name);
int rules_list(const struct args *args);
int rules_show(const char *name);

#endif
