// progress.h - how far reading has come, on a terminal, when it takes long
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INPUT_PROGRESS_H
#define PMON_CLI_INPUT_PROGRESS_H

#include <pmon/pmon.h>

// On standard error, if that is a terminal and reading has taken more than a second: how much was
// read, how fast, and the time left. To be called now and then; ctx is not looked at.
void progress_tell(void *ctx, const struct pmon_source_info *info);

// The same of sampling, after each sample: how long it goes on already, and how long it will (0: until
// it is interrupted).
void progress_sampling(int64_t done_100ns, int64_t planned_100ns);

// Show none, because the output itself runs over the terminal.
void progress_never(void);

#endif
