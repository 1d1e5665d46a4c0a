// journal.h - entries for the journal of systemd
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_JOURNAL_H
#define PMON_CLI_PROCESS_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include <pmon/base.h>

struct journal;

// Load libsystemd. NULL with *err when it is missing, or memory is short.
struct journal *journal_open(struct pmon_err *err);
void journal_close(struct journal *journal); // NULL is fine

// Does the journal run on this machine? Else entries are lost without an error.
bool journal_is_there(void);

// Send an entry of n fields "NAME=value". False when it was not taken.
bool journal_send(const struct journal *journal, const char *const *fields, size_t n);

#endif
