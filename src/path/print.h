// print.h - print parts of counter paths
// SPDX-License-Identifier: MIT

#ifndef PMON_PATH_PRINT_H
#define PMON_PATH_PRINT_H

#include <pmon/path.h>

// The instance with its number, as in a path: "svchost#2". Returns the length like pmon_path_format().
size_t pmon_path_instance(const struct pmon_path *path, char *buf, size_t size);

#endif
