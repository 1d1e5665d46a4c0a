// term.h - terminals and the local clock
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_TERM_H
#define PMON_OS_TERM_H

#include <pmon/base.h>

// Is standard output (or standard error) a terminal?
bool pmon_term_is_tty(bool standard_output);

// Is standard input one?
bool pmon_term_has_keys(void);

// Does the process belong to a terminal that is there?
bool pmon_term_is_there(void);

// Does the locale of this process have text in UTF-8?
bool pmon_term_is_utf8(void);

// How many columns and rows the terminal of standard output has; 0 when it is not a terminal.
unsigned pmon_term_columns(void);
unsigned pmon_term_rows(void);

// Minutes that the local clock of this machine is ahead of UTC at a moment; 0 where that is not known.
int32_t pmon_os_utc_offset_min(pmon_time t);

// A clock that is never set, in 100 ns, for measuring durations.
int64_t pmon_os_monotonic_100ns(void);

// Do nothing for so long, or until a signal comes.
void pmon_os_sleep(int64_t length_100ns);

#endif
