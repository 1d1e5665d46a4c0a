// sink.h - sample sinks: files and database engines
// SPDX-License-Identifier: MIT
//
// Begin a sink with the schema, add the samples in order, then finish it. A file gets its final
// name only when pmon_sink_finish() returns PMON_OK (for live files see pmon_create_options.live):
//
//	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
//
//	status = pmon_log_create("server.csv", "csv", &options, &sink, &err);
//	if (status == PMON_OK)
//		status = pmon_copy(source, sink, NULL, &err);       // begin, add ..., finish
//	pmon_sink_close(sink);
//
// Only one thread at a time may use a sink.

#ifndef PMON_SINK_H
#define PMON_SINK_H

#include <pmon/counter.h>
#include <pmon/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmon_sink;

// What a sink requires, as bits.
#define PMON_SINK_SCHEMA 1u // every series before the first sample; else the schema may grow
#define PMON_SINK_VALUES 2u // displayed values in addition to raw values
#define PMON_SINK_STARTS 4u // samples with the start values of processes (pmon_sample.starts)
PMON_API unsigned pmon_sink_needs(const struct pmon_sink *sink);

// Begin with the schema and info of a source; both must remain valid for all later calls except
// pmon_sink_close(). Call it once.
PMON_API PMON_NODISCARD enum pmon_status pmon_sink_begin(struct pmon_sink *sink,
							 const struct pmon_schema *schema,
							 const struct pmon_source_info *info,
							 struct pmon_err *err);

// Add a sample. values are its displayed values in the same order, or NULL if the sink does not
// need them. Sinks that store raw values accept preceding samples; no sink shows them.
PMON_API PMON_NODISCARD enum pmon_status pmon_sink_add(struct pmon_sink *sink,
						       const struct pmon_sample *sample,
						       const struct pmon_value *values,
						       struct pmon_err *err);

// Flush added samples to the operating system, so that a program that opens the output now sees
// them. With sync, also wait until they are on disk. For live outputs. PMON_E_UNSUPPORTED: the
// format cannot be read before it is finished.
PMON_API PMON_NODISCARD enum pmon_status pmon_sink_flush(struct pmon_sink *sink, bool sync,
							 struct pmon_err *err);

// The approximate size in bytes that the output would have if it were finished now; 0 if unknown.
PMON_API uint64_t pmon_sink_size(const struct pmon_sink *sink);

// Complete the output, write it out and give it its final name. The contents of a live file, of a
// file that replaces another, and of any file created with the option sync are then on disk; with
// sync, so is the name.
PMON_API PMON_NODISCARD enum pmon_status pmon_sink_finish(struct pmon_sink *sink,
							  struct pmon_err *err);

// Free. Deletes the output if it was not finished. NULL is allowed.
PMON_API void pmon_sink_close(struct pmon_sink *sink);

struct pmon_door;

// Zeros are the defaults.
struct pmon_create_options {
	size_t size;                            // of this struct, set by the caller: base.h
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the sink
	bool overwrite;                         // replace an existing file; else PMON_E_EXISTS
	bool sync; // pmon_sink_finish() waits until the file and its name are on disk
	pmon_temporary_fn temporary; // NULL: not called
	void *temporary_ctx;
	// Write the file in place under its final name. It can be read while it grows and is never
	// deleted; a crash loses only unflushed samples. Text logs contain the counters of their
	// first sample; counters that appear later are skipped.
	bool live;
	// For a live log: append to the existing file, which then reads as one log with a gap. An
	// incomplete record at its end, left by a crash, is cut off. PMON_E_UNSUPPORTED: the format
	// does not support it; PMON_E_FORMAT: not a file of this format, or an empty or missing one;
	// PMON_E_STATE, in text logs with the first sample: the counters cannot be added to this
	// file, which may be of another format too. After these errors the file is unchanged.
	bool append;
	// For a live binary log: once the file reaches this size, the newest samples replace the
	// oldest. Counters that appear later are skipped. 0: no limit.
	uint64_t ring_bytes;
	// Read the output back before it gets its name, and compare paths, number of values and
	// values with what was added. If they differ, or the output cannot be read,
	// pmon_sink_finish() returns PMON_E_FORMAT and creates no file. Not for live logs, standard
	// output, devices, or formats that pmon does not read.
	bool verify;
	unsigned threads;      // for reading it back; 0 and 1: the caller's only
	pmon_notice_fn notice; // reports skipped data; NULL: no notices
	void *notice_ctx;
	int digits;       // significant digits in text; 0: 17, as Windows wrote until 2018
	bool unix_lines;  // end lines of text logs with LF instead of CR LF
	bool fixed_clock; // write text times at UTC plus offset_min; else as recorded
	int32_t offset_min;
	const struct pmon_door *door; // pmon's own sandbox only; NULL
};

// Create a log. format is a writable format (pmon_log_writable); "-" as path is standard output.
// PMON_E_ARG: no such format; PMON_E_EXISTS; PMON_E_IO; PMON_E_NOMEM;
// PMON_E_UNSUPPORTED: the format does not support the options.
PMON_API PMON_NODISCARD enum pmon_status pmon_log_create(const char *path, const char *format,
							 const struct pmon_create_options *options,
							 struct pmon_sink **sink,
							 struct pmon_err *err);

// The name of writable format i, or NULL after the last.
PMON_API const char *pmon_log_writable(size_t i);

// Zeros are the defaults.
struct pmon_copy_options {
	size_t size;                          // of this struct, set by the caller: base.h
	const struct pmon_calc_options *calc; // for displayed values; NULL: none
	int64_t step_100ns; // resample to one sample per step (query.h); 0: do not resample
	// 0 and 1: run everything on the caller's thread. If more, a sink that needs the whole
	// schema runs on its own thread from begin to finish, and its allocator must allow that.
	// The output does not depend on this.
	unsigned threads;
	// The schema is believed to be complete, because the source was read to its end before or
	// lists its series at its beginning (pmon_source_info.lists_series). This saves a first
	// pass over the source. If new series appear after the sink was begun, the copy fails with
	// PMON_E_STATE; repeat it without this option, into a new sink.
	bool trust_schema;
	// Called occasionally while reading; may be NULL.
	void (*progress)(void *ctx, const struct pmon_source_info *info);
	void *progress_ctx;
	// Results, filled in by pmon_copy(): samples written, how many of them have no values, and
	// their first and last time.
	uint64_t samples;
	uint64_t empty;
	pmon_time first;
	pmon_time last;
};

// Copy a source to a sink, from begin to finish. options may be NULL. If the sink needs the whole
// schema, the source is read twice.
PMON_API PMON_NODISCARD enum pmon_status pmon_copy(struct pmon_source *source,
						   struct pmon_sink *sink,
						   struct pmon_copy_options *options,
						   struct pmon_err *err);

#ifdef __cplusplus
}
#endif

#endif
