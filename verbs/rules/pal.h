// pal.h - threshold files of PAL (Performance Analysis of Logs)
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_RULES_PAL_H
#define PMON_VERBS_RULES_PAL_H

#include <stdbool.h>

#include "shell/args/textfile.h"

#define PAL_BYTES   ((size_t)16 << 20) // per file
#define PAL_CODE    65536              // per threshold
#define PAL_NAME    512
#define PAL_SOURCES 64
#define PAL_EXCEPTS 64
#define PAL_PARENTS 32
#define PAL_MADE    8192 // code of a generated counter; longer one is left out
#define PAL_ANSWERS 64

// What PAL asks its user. Text that does not fit is empty.
struct pal_question {
	char name[64];
	char answer[64]; // the default
};

struct pal_file {
	bool is_pal;
	char name[PAL_NAME];
	char version[PAL_NAME];
	char owners[PAL_NAME];
	// The files that it inherits from, at most PAL_PARENTS of them.
	char parents[PAL_PARENTS][PAL_NAME];
	size_t n_parents;
	struct pal_question questions[PAL_ANSWERS];
	size_t n_questions;
};

// The source of values: a counter, or code.
struct pal_source {
	char variable[PAL_NAME];
	char path[PAL_NAME];
	bool is_generated;
	bool is_cut; // the path or an exception does not fit, or there are more exceptions
	char excepts[PAL_EXCEPTS][PAL_NAME];
	size_t n_excepts;
	char code[PAL_MADE]; // if it is generated
};

// A threshold with the sources of its analysis. Texts that do not fit are empty.
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

// Both are called at the end of an analysis: `each` for every threshold of it, then `end` once. NULL: not called.
struct pal_calls {
	pal_fn *each;
	pal_fn *end;
};

// Load the XML library, before entering the sandbox. Both return an exit status, after a message on
// failure.
int pal_load(void);

// Read a file; *file is what it says about itself. A file with a document type is rejected, which excludes entities.
int pal_read(const char *name, const struct pal_calls *calls, void *ctx, struct pal_file *file);

#endif
