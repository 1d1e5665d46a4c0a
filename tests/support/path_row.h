// path_row.h - compare paths and patterns with their expected parts
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_PATH_ROW_H
#define PMON_TESTS_PATH_ROW_H

#include <pmon/path.h>

struct path_row {
	const char *source; // of the row
	const char *text;
	const char *machine; // NULL parts are absent
	const char *object;
	const char *parent;
	const char *instance;
	int32_t index;
	const char *counter;
};

// Check that the path has the parts of the row.
void path_is(const struct pmon_path *path, const struct path_row *want);

// Check that the path has no parts, as after an error.
void path_is_none(const struct pmon_path *path, const char *label);

#endif
