// sink.h - what takes samples: files to write, engines to feed
// SPDX-License-Identifier: MIT
//
// A sink gets the schema, then the samples in order, then is finished. A file gets its final name
// only when pmon_sink_finish() returns PMON_OK (for live files see pmon_create_options.live):
//
//	struct pmon_create_options options = {.overwrite = true};
//
//	status = pmon_log_create("server.csv", "csv", &options, &sink, &err);
//	if (status == PMON_OK)
//		status = pmon_copy(source, sink, NULL, &err);       // begin, add ..., finish
//	pmon_sink_close(sink);
//
// A sink is for one thread at a time.

#ifndef PMON_SINK_H
#define PMON_SINK_H

#include <pmon/counter.h>
#include <pmon/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmon_sink;

// What a sink needs to be given, as bits.
#define PMON_SINK_SCHEMA 1u // every series before the first sample; else the schema may grow
#define PMON_SINK_VALUES 2u // displayed values beside the raw ones
#define PMON_SINK_STARTS 4u // the samples of what processes count from (pmon_sample.starts)
PMON_API unsigned pmon_sink_needs(const struct pmon_sink *sink);

// Begin with the counters and the facts of a source; both must outlive every call but
// pmon_sink_close(). Called once.
PMON_API PMON_NODISCARD enum pmon_status pmon_sink_begin(struct pmon_sink *sink,
							 const struct pmon_schema *schema,
							 const struct pmon_source_info *info,
							 struct pmon_err *err);

// Take a sample. values are its displayed values in the order of the sample, or NULL where they are
// not needed. lead_in samples are taken by sinks that hold raw values, and shown by none.
PMON_API PMON_NODISCARD enum pmon_status pmon_sink_add(struct pmon_sink *sink,
						       const struct pmon_sample *sample,
						       const struct pmon_value *values,
						       struct pmon_err *err);

// Pass what was added to the operating system, so that a program that opens the output now finds
// it; with sync also wait until it is on the disk. For outputs that are written live.
// PMON_E_UNSUPPORTED when this format cannot be read before it is finished.
PMON_API PMON_NODISCARD enum pmon_status pmon_sink_flush(struct pmon_sink *sink, bool sync,
							 struct pmon_err *err);

// Bytes of the output so far: about as many as it would have if it were finished now. 0 when that is
// not known.
PMON_API uint64_t pmon_sink_size(const struct pmon_sink *sink);

// Everything was added: complete the output, hand it to the system and give it its name. A file that was
// written live or that replaces another has then reached the disk, else it has with the option sync.
PMON_API PMON_NODISCARD enum pmon_status pmon_sink_finish(struct pmon_sink *sink,
							  struct pmon_err *err);

// Free. Without a finish before it what was written is taken away again. NULL is fine.
PMON_API void pmon_sink_close(struct pmon_sink *sink);

// How a log is written. Zeros are the defaults.
struct pmon_create_options {
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the sink
	bool overwrite;                         // replace a file that is there; else PMON_E_EXISTS
	bool sync; // pmon_sink_finish() waits until the file and its name are on the disk
	pmon_temporary_fn temporary; // NULL: not called
	void *temporary_ctx;
	// Written in place under its name, readable while it grows, and never taken away: a crash loses
	// what was not flushed, no more. Text logs have the counters of their first sample; those that
	// come later are left out of them.
	bool live;
	// For a live log: continue at the end of the existing file, which is then read as one log with a
	// gap. What a crash left half written at its end is cut off. PMON_E_UNSUPPORTED when the format
	// cannot; PMON_E_FORMAT when it is not such a file; PMON_E_STATE, also from the first
	// sample, when its counters cannot be added to it. Then the file is unchanged, except that
	// an incomplete end was cut off.
	bool append;
	// For a live binary log: once the file has this size, the newest samples replace the
	// oldest. Counters that come later are left out. 0: it grows.
	uint64_t ring_bytes;
	pmon_notice_fn notice; // reports what is left out; NULL: no notices
	void *notice_ctx;
	int digits;      // significant digits in text; 0: 17, as Windows wrote until 2018
	bool unix_lines; // lines of text logs end with LF, not with CR LF as on Windows
	bool fixed_clock; // times in text on the clock that is offset_min ahead of UTC, else as recorded
	int32_t offset_min;
};

// Create a log. format is the name of one that can be written (pmon_log_writable); "-" as path is
// standard output. PMON_E_ARG no such format; PMON_E_EXISTS; PMON_E_IO; PMON_E_NOMEM;
// PMON_E_UNSUPPORTED when the format cannot do what the options ask.
PMON_API PMON_NODISCARD enum pmon_status pmon_log_create(const char *path, const char *format,
							 const struct pmon_create_options *options,
							 struct pmon_sink **sink,
							 struct pmon_err *err);

// The name of writable format i, or NULL after the last.
PMON_API const char *pmon_log_writable(size_t i);

// How a copy is made. Zeros are the defaults.
struct pmon_copy_options {
	struct pmon_calc_options calc; // of the displayed values
	int64_t step_100ns;            // resample to one sample a step (query.h); 0: as they are
	// 0 and 1: all is done by the thread of the caller. With more, a sink that needs the whole schema
	// is called by a thread of its own from its begin to its finish, and its allocator must allow that.
	// What is written does not depend on it.
	unsigned threads;
	// The schema is already complete, as far as the caller knows: because the source was read
	// to its end before, or because it lists its series at its beginning
	// (pmon_source_info.lists_series). So the source is not read a first time for it. If more
	// series come than the sink was begun with, the copy fails with PMON_E_STATE; repeat it
	// without this, into a new sink.
	bool trust_schema;
	// Called now and then while reading; may be NULL.
	void (*progress)(void *ctx, const struct pmon_source_info *info);
	void *progress_ctx;
	// What was done, filled in by pmon_copy(): samples written and their first and last time.
	uint64_t samples;
	pmon_time first;
	pmon_time last;
};

// All of a source into a sink, from begin to finish. options may be NULL. When the sink needs the
// whole schema the source is read through once before.
PMON_API PMON_NODISCARD enum pmon_status pmon_copy(struct pmon_source *source,
						   struct pmon_sink *sink,
						   struct pmon_copy_options *options,
						   struct pmon_err *err);

#ifdef __cplusplus
}
#endif

#endif
