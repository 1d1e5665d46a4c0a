// files.h - the files of a recording: how they are named, and which are removed
// SPDX-License-Identifier: MIT
//
// A recording has one file, or many that are numbered (server_000001.blg) or dated
// (server_20261121-101500.blg). Only regular files with names that this recording creates are ever
// removed, the oldest first. Dated files that were begun in the same rotation period count as one,
// so that restarts do not shorten the history.

#ifndef PMON_VERBS_RECORD_FILES_H
#define PMON_VERBS_RECORD_FILES_H

#include <pmon/pmon.h>

#define RECORD_STEM_SIZE 4096
#define RECORD_PATH_SIZE (RECORD_STEM_SIZE + 128)

enum record_names {
	NAMES_FIXED, // a single file
	NAMES_NUMBER,
	NAMES_DATE,
};

// Limits on what is kept; 0: no limit. A file is removed if it exceeds any limit, except the
// newest.
struct record_keep {
	uint64_t n; // periods for dated files with rotation, otherwise files
	int64_t age_100ns;
	uint64_t bytes;
	int64_t period_100ns; // the rotation period; 0: none
};

struct record_files {
	enum record_names names;
	char stem[RECORD_STEM_SIZE]; // the path without its ending, or all of it if it is fixed
	char ending[16];             // ".blg"
	uint64_t number;             // of the newest file; 0: unknown
	char path[RECORD_PATH_SIZE]; // of the newest file
};

// Split a path into stem and ending. False if it is too long.
bool record_files_init(struct record_files *files, enum record_names names, const char *path);

bool record_files_has_folder(const struct record_files *files);

// Set the path of the next file; local is the local time of its first sample.
void record_files_next(struct record_files *files, pmon_time local);

// Remove the oldest files beyond the limits. A file that cannot be removed is reported and left.
void record_files_trim(const struct record_files *files, const struct record_keep *keep);

// Remove a file, and those next to a database.
void record_files_remove(const char *path);

// Set the path to the newest file, if it has data and belongs to the current period, at this local
// time; a period of 0 never ends. False, without a change, if there is none.
bool record_files_current(struct record_files *files, pmon_time local, int64_t utc_to_local,
			  int64_t period_100ns);

#endif
