// folder.h - a folder for the files of a test program
// SPDX-License-Identifier: MIT
//
//	cmocka_run_group_tests(tests, folder_make, folder_remove);

#ifndef PMON_TESTS_FOLDER_H
#define PMON_TESTS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#define FOLDER_SIZE 32
extern char folder[FOLDER_SIZE];

// Group setup: a new, empty folder, in memory if possible, so that no test waits for a disk.
int folder_make(void **state);

// Group teardown. Fails if a test left anything in the folder.
int folder_remove(void **state);

// The number of files.
size_t folder_count(void);

// The path of a file whose name contains this text; false if there is none.
bool folder_find(const char *text, char *path, size_t size);

#endif
