// type.h - counter types named on the command line
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_TYPE_H
#define PMON_CLI_ARGS_TYPE_H

#include <pmon/pmon.h>

// A type word by name or number. Says what is wrong, with the nearest name. Returns an exit status.
int type_from_text(const char *text, uint32_t *word);

// The same without messages.
enum pmon_type_form type_parse(const char *text, uint32_t *word);

#endif
