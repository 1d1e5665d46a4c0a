// split.h - the parts of an instance that was written as one name
// SPDX-License-Identifier: MIT

#ifndef PMON_PATH_SPLIT_H
#define PMON_PATH_SPLIT_H

#include <pmon/path.h>

// Logs write "parent/instance#index" as the name of an instance where nothing else says these parts.
// Take them apart as pmon_path_parse() does, so that a series has the parts that its name reads back as.
// A name that says again what the path has already stays whole.
void pmon_path_split_instance(struct pmon_path *path);

#endif
