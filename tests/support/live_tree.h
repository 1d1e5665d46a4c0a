// live_tree.h - recorded trees that tests write file by file, and the values read from them
// SPDX-License-Identifier: MIT
//
//	struct tree *t = tree_new();
//
//	tree_file(t, 0, "proc/stat", "ctxt 1000\n");
//	tree_file(t, 1, "proc/stat", "ctxt 1500\n");
//	tree_open(t, "\\System\\*", NULL);               // any number of patterns; none is everything
//	tree_play(t);                                    // all samples; tree_next() is one
//	T_EQ_DBL(tree_number(t, "\\System\\Context Switches/sec"), 500);
//	tree_free(t);                                    // the folder too
//
// Tree n is sample n. Unless a clock file is written, the trees are one second apart, starting at
// TREE_TIME on the system clock and TREE_PERF after boot. I/O errors fail the test.

#ifndef PMON_TESTS_LIVE_TREE_H
#define PMON_TESTS_LIVE_TREE_H

#include <pmon/live.h>

#define TREE_TIME   INT64_C(133485408000000000) // 2024-01-01T00:00:00Z
#define TREE_PERF   (1000 * PMON_TIME_PER_SEC)
#define TREE_ABSENT (-1) // tree_status() of a series missing from the newest sample

struct tree;

// Options may be changed between tree_new() and tree_open(), which sets replay and select.
struct tree *tree_new(void);
struct pmon_live_options *tree_options(struct tree *t);
void tree_free(struct tree *t);

// Write files of tree n, by their paths in it; folders are created as needed. Existing files are
// replaced.
void tree_clock(struct tree *t, unsigned n, pmon_time time, int64_t perf_100ns);
void tree_file(struct tree *t, unsigned n, const char *path, const char *text);
void tree_bytes(struct tree *t, unsigned n, const char *path, const void *bytes, size_t len);
void tree_link(struct tree *t, unsigned n, const char *path, const char *target);
void tree_folder(struct tree *t, unsigned n, const char *path);
// Write the same file to trees first to last.
void tree_files(struct tree *t, unsigned first, unsigned last, const char *path, const char *text);

// Open what was written. The patterns are strings, ending with NULL.
void tree_open(struct tree *t, ...);

// Take the next sample, or all remaining ones. tree_next() returns false after the last.
bool tree_next(struct tree *t);
void tree_play(struct tree *t);

// From the newest sample, by path without the machine: a number, which must exist; the status (enum
// pmon_vstat) or TREE_ABSENT; the raw value, which must exist.
double tree_number(struct tree *t, const char *path);
int tree_status(struct tree *t, const char *path);
struct pmon_raw tree_raw(struct tree *t, const char *path);

// The type of a series that has occurred so far.
uint32_t tree_type(struct tree *t, const char *path);

// The number of series in the newest sample, and of those that match a pattern.
size_t tree_count(struct tree *t, const char *pattern);

struct pmon_source *tree_source(struct tree *t);
const struct pmon_sample *tree_sample(struct tree *t);

#endif
