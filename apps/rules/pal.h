// pal.h - threshold files of PAL (Performance Analysis of Logs)
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_RULES_PAL_H
#define PMON_APPS_RULES_PAL_H

#include <stdbool.h>

#include "cli/args/textfile.h"

#define PAL_BYTES   ((size_t)16 << 20) // of a file
#define PAL_CODE    65536              // of one threshold
#define PAL_NAME    512
#define PAL_SOURCES 64
#define PAL_EXCEPTS 8

struct pal_file {
	bool is_pal;
	char name[PAL_NAME];
	char version[PAL_NAME];
	char owners[PAL_NAME];
};

// Where values come from: a counter, or code.
struct pal_source {
	char variable[PAL_NAME];
	char path[PAL_NAME];
	bool is_generated;
	char excepts[PAL_EXCEPTS][PAL_NAME];
	size_t n_excepts;
};

// A threshold with the sources of its analysis. What is longer than its room is empty.
struct pal_threshold {
	char analysis[PAL_NAME];
	bool is_off; // the analysis
	struct pal_source sources[PAL_SOURCES];
	size_t n_sources;
	char name[PAL_NAME];
	char condition[PAL_NAME];
	char code[PAL_CODE];
};

typedef void pal_fn(void *ctx, const struct pal_file *file, const struct pal_threshold *threshold);

// Load the library that reads XML, before the sandbox is entered. Both return an exit status after a message.
int pal_load(void);

// Give each threshold of a file to a function. A file with a document type is refused, and with it entities.
int pal_read(const char *name, pal_fn *each, void *ctx);

#endif
