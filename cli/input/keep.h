// keep.h - a source that cannot be read twice, made one that can
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INPUT_KEEP_H
#define PMON_CLI_INPUT_KEEP_H

#include <pmon/model.h>

// Keeps all samples in memory as they are read first, and gives them again after a rewind. Takes the
// source over. NULL, with the source closed, when memory is short.
struct pmon_source *keep_open(struct pmon_source *source);

#endif
