// recorder.h - write samples to one file after another
// SPDX-License-Identifier: MIT
//
// A recorder receives the samples of a live source. It begins a file with the first available
// sample, flushes each sample before taking the next, and switches to a new file according to the
// plan. A new file begins with the newest sample of the previous one, so that no interval is lost.

#ifndef PMON_VERBS_RECORD_RECORDER_H
#define PMON_VERBS_RECORD_RECORDER_H

#include "verbs/record/files.h"
#include "os/dir.h"

struct record_plan {
	const char *format; // as for pmon_log_create()
	uint64_t max_bytes; // per file; 0: no limit
	int64_t rotate_100ns;
	int64_t sync_100ns;
	struct record_keep keep;
	bool append;    // continue the file of the current period, if there is one
	bool circular;  // max_bytes limits the whole recording
	bool overwrite; // an existing file
	bool many;      // a full file is followed by another
	bool quiet;     // print only problems
	bool segments;  // emulate a circular log with many files, because the format has none
};

// Does the format contain displayed values in a text table?

bool record_plan_is_text(const struct record_plan *plan);

struct recorder {
	struct record_plan plan;
	struct record_files files;
	struct pmon_source *source;
	struct pmon_statistics *statistics; // for formats with displayed values
	struct pmon_source_info info;       // of the current file
	struct pmon_sink *sink;             // NULL: the next sample begins a file
	struct {
		struct pmon_os_stat there; // identifies the file, whatever its name is now
		uint64_t samples;
		uint64_t bytes;   // at the last flush
		uint64_t reached; // the actual file size at that time
		uint64_t largest; // largest growth by one sample
		int64_t period;   // period in which it was begun, in units of rotate_100ns
		bool is_new;      // no file with this name existed before
		bool is_continued;
		uint64_t trimmed; // size when the oldest files were last checked
	} file;
	struct pmon_sample last; // a copy of the newest sample
	uint32_t *series;
	struct pmon_raw *raw;
	size_t series_cap;
	bool has_last;
	bool full; // the only file has reached its size: no more samples are accepted
	bool is_size_told;
	int64_t next_sync;
	int64_t next_trim;
	// the file was deleted, truncated or moved: the next sample begins another one
	bool is_displaced;
	uint64_t samples; // recorded in all files
	uint64_t lost;    // samples in files that were deleted or truncated
	uint64_t n_files;
	uint64_t bytes; // of the finished files
};

// The caller keeps the source. Returns an exit status.
int recorder_init(struct recorder *r, const struct record_plan *plan, struct pmon_source *source);
void recorder_free(struct recorder *r);

// Record a sample. Returns an exit status; if r->full is set, no more are accepted.
int recorder_add(struct recorder *r, const struct pmon_sample *sample);

// End the file; the next sample begins another. A file with a fixed name is continued unless it was
// moved away. Returns an exit status.
int recorder_rotate(struct recorder *r);

// There are counters for which a text file has no column: end the file; the next sample begins
// another one, numbered if the name is fixed. Other formats add them. Returns an exit status.
int recorder_widen(struct recorder *r);

// End the last file. Returns an exit status.
int recorder_finish(struct recorder *r);

#endif
