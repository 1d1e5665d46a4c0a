// term.h - terminals
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_TERM_H
#define PMON_OS_TERM_H

#include <pmon/base.h>

// Is standard output (or standard error) a terminal?
bool pmon_term_is_tty(bool standard_output);

// Is standard input a terminal?
bool pmon_term_has_keys(void);

// Does the process have a controlling terminal?
bool pmon_term_is_there(void);

// Does the locale use UTF-8?
bool pmon_term_is_utf8(void);

// The size of the terminal at standard output; 0 if it is not a terminal.
unsigned pmon_term_columns(void);
unsigned pmon_term_rows(void);

#endif
