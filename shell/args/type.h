// type.h - counter types named on the command line
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_TYPE_H
#define PMON_SHELL_ARGS_TYPE_H

#include <pmon/pmon.h>

// Parse a type word by name or number. If it is invalid, prints a message with the nearest name.
// Returns an exit status.
int type_from_text(const char *text, uint32_t *word);

// The same without messages.
enum pmon_type_form type_parse(const char *text, uint32_t *word);

#endif
