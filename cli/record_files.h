// record_files.h - the files of a recording: their names, and which of them are removed
// SPDX-License-Identifier: MIT
//
// A recording has one file, or many that are numbered (server_000001.blg) or dated
// (server_20261121-101500.blg). Of many the oldest may be removed: regular files whose name is one
// that this recording makes, and no other.

#ifndef PMON_CLI_RECORD_FILES_H
#define PMON_CLI_RECORD_FILES_H

#include "cli.h"

#define RECORD_STEM_SIZE 4096
#define RECORD_PATH_SIZE (RECORD_STEM_SIZE + 128)

enum record_names {
	NAMES_FIXED, // the one file
	NAMES_NUMBER,
	NAMES_DATE,
};

struct record_files {
	enum record_names names;
	char stem[RECORD_STEM_SIZE]; // the path without its ending, or all of it when it is fixed
	char ending[16];             // ".blg"
	uint64_t number;             // of the newest file; 0: not known yet
	char path[RECORD_PATH_SIZE]; // of the newest file
};

// Divide a path into stem and ending. False when it is too long.
bool record_files_init(struct record_files *files, enum record_names names, const char *path);

// Make the path of the next file; local is the time of its first sample on the local clock.
void record_files_next(struct record_files *files, pmon_time local);

// Remove the oldest so that n are left. A file that cannot be removed is said, and stays.
void record_files_trim(const struct record_files *files, uint64_t n);

#endif
