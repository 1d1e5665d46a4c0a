// recorder.h - samples into files, one after the other
// SPDX-License-Identifier: MIT
//
// A recorder takes the samples of a live source. It begins a file with the first sample that there is
// for it, hands each sample to the system before it takes the next, and goes on to a new file when the
// plan says so. A new file begins with the newest sample of the one before, so that no interval is
// lost between the two.

#ifndef PMON_APPS_RECORD_RECORDER_H
#define PMON_APPS_RECORD_RECORDER_H

#include "apps/record/files.h"
#include "os/dir.h"

struct record_plan {
	const char *format; // as pmon_log_create() takes it
	uint64_t max_bytes; // of a file; 0: no limit
	int64_t rotate_100ns;
	int64_t sync_100ns;
	struct record_keep keep;
	bool append;    // go on in the file of the current period, if there is one
	bool circular;  // max_bytes is the limit of all that there is
	bool overwrite; // a file that is there
	bool many;      // a full file is followed by another one
	bool quiet;     // no words but on what went wrong
	bool segments;  // the format cannot go in a circle itself: many files do
};

// Is the format one of displayed values, in a table of text?

bool record_plan_is_text(const struct record_plan *plan);

struct recorder {
	struct record_plan plan;
	struct record_files files;
	struct pmon_source *source;
	struct pmon_statistics *statistics; // where displayed values are written
	struct pmon_source_info info;       // of the file that is being written
	struct pmon_sink *sink;             // NULL: the next sample begins a file
	struct {
		struct pmon_os_stat there; // which it is, whatever its name is now
		uint64_t samples;
		uint64_t bytes;   // at the last flush
		uint64_t largest; // growth by one sample
		int64_t period;   // in which it was begun, counted in rotate_100ns
		bool is_new;      // there was no file of this name
		bool is_continued;
		uint64_t trimmed; // bytes when the oldest files were last looked at
	} file;
	struct pmon_sample last; // a copy of the newest sample
	uint32_t *series;
	struct pmon_raw *raw;
	size_t series_cap;
	bool has_last;
	bool full; // the one file has its size: nothing more is taken
	bool is_size_told;
	int64_t next_sync;
	int64_t next_trim;
	uint64_t samples; // recorded, all files together
	uint64_t n_files;
	uint64_t bytes; // of the files that are finished
};

// The source is the caller's. Returns an exit status.
int recorder_init(struct recorder *r, const struct record_plan *plan, struct pmon_source *source);
void recorder_free(struct recorder *r);

// Take a sample. Returns an exit status; with r->full nothing more is taken.
int recorder_add(struct recorder *r, const struct pmon_sample *sample);

// End the file; the next sample begins another one. A file of a fixed name that nobody has moved away
// goes on. Returns an exit status.
int recorder_rotate(struct recorder *r);

// There are counters that text has no column for: end the file; the next sample begins another one, for a
// fixed name a numbered one. Other formats take them up. Returns an exit status.
int recorder_widen(struct recorder *r);

// End the file for good. Returns an exit status.
int recorder_finish(struct recorder *r);

#endif
