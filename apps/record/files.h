// files.h - the files of a recording: their names, and which of them are removed
// SPDX-License-Identifier: MIT
//
// A recording has one file, or many that are numbered (server_000001.blg) or dated
// (server_20261121-101500.blg). Only regular files with names that this
// recording makes are ever removed, the oldest first. Dated files that were begun in the same period of the
// rotation count as one, so that restarts of a recording cost no history.

#ifndef PMON_APPS_RECORD_FILES_H
#define PMON_APPS_RECORD_FILES_H

#include <pmon/pmon.h>

#define RECORD_STEM_SIZE 4096
#define RECORD_PATH_SIZE (RECORD_STEM_SIZE + 128)

enum record_names {
	NAMES_FIXED, // the one file
	NAMES_NUMBER,
	NAMES_DATE,
};

// What is kept; 0 means no limit. A file is removed when any limit says so, but never the newest.
struct record_keep {
	uint64_t n; // periods of dated files with a rotation, else files
	int64_t age_100ns;
	uint64_t bytes;
	int64_t period_100ns; // the rotation; 0: none
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

// Remove the oldest files that the limits do not keep. A file that cannot be removed is reported, and
// stays.
void record_files_trim(const struct record_files *files, const struct record_keep *keep);

// Remove a file, with those that a database has beside it.
void record_files_remove(const char *path);

// Make the path that of the newest file, if it has data and is of the period of this moment on the local
// clock; a period of 0 never ends. False when there is none, and nothing has changed.
bool record_files_current(struct record_files *files, pmon_time local, int64_t utc_to_local,
			  int64_t period_100ns);

#endif
