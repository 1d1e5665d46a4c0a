// journal.h - entries for the journal of systemd
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_JOURNAL_H
#define PMON_SHELL_PROCESS_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include <pmon/base.h>

struct journal;

// Load libsystemd. NULL with *err if it is missing or memory is exhausted.
struct journal *journal_open(struct pmon_err *err);
void journal_close(struct journal *journal); // NULL is fine

// Does the journal run on this machine? If not, entries are lost without an error.
bool journal_is_there(void);

// Send an entry of n fields "NAME=value". False if it was not accepted.
bool journal_send(const struct journal *journal, const char *const *fields, size_t n);

#endif
