// split.h - split an instance name into its parts
// SPDX-License-Identifier: MIT

#ifndef PMON_PATH_SPLIT_H
#define PMON_PATH_SPLIT_H

#include <pmon/path.h>

// Logs write "parent/instance#index" as the name of an instance if no other field holds these
// parts. Split the name as pmon_path_parse() does, so that a series has the same parts as its
// printed name. A name that repeats what the path already has is not split.
void pmon_path_split_instance(struct pmon_path *path);

#endif
