// keep.h - make a source rewindable by keeping its samples
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_KEEP_H
#define PMON_SHELL_INPUT_KEEP_H

#include <pmon/model.h>

// Keeps all samples in memory on the first read and returns them again after a rewind. Takes
// ownership of the source. NULL, with the source closed, if out of memory.
struct pmon_source *keep_open(struct pmon_source *source);

#endif
