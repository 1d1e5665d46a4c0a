// progress.h - progress of long reads, on a terminal
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_PROGRESS_H
#define PMON_SHELL_INPUT_PROGRESS_H

#include <pmon/pmon.h>

// On standard error, if that is a terminal and reading has taken more than a second: how much was
// read, how fast, and the time left. Call it periodically; ctx is ignored.
void progress_tell(void *ctx, const struct pmon_source_info *info);

// The same for sampling, after each sample: the elapsed and the planned time (0: until
// interrupted).
void progress_sampling(int64_t done_100ns, int64_t planned_100ns);

// Show no progress, because the output itself scrolls on the terminal.
void progress_never(void);

#endif
