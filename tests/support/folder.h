// folder.h - a folder for the files of one program of tests
// SPDX-License-Identifier: MIT
//
//	cmocka_run_group_tests(tests, folder_make, folder_remove);

#ifndef PMON_TESTS_FOLDER_H
#define PMON_TESTS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#define FOLDER_SIZE 32
extern char folder[FOLDER_SIZE];

// The set-up of a group: a new, empty folder; in memory if it can be, where no disk is waited for.
int folder_make(void **state);

// Its tear-down. It fails when a test has left anything in the folder.
int folder_remove(void **state);

// How many files there are.
size_t folder_count(void);

// The path of a file whose name has this text in it; false when there is none.
bool folder_find(const char *text, char *path, size_t size);

#endif
