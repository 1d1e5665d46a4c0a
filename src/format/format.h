// format.h - the interface of a log format
// SPDX-License-Identifier: MIT
//
// A reader is a struct that begins with a struct pmon_source. registry.c allocates it and sets the
// common fields. open() reads as much as is needed to identify the log (its machine, its time zone,
// the counters named at its beginning) and stops at its first sample. Then:
//
//	next      assembles one sample: from single values with model/gather.h, from objects with
//	          counters and instances with model/tables.h
//	rewind    goes back to the first sample; series keep their numbers
//	close     frees everything, the file too
//
// Read bytes with base/rd.h, lines of text with format/lines.h, and the records of many files in
// time order with format/file_group.h. Treat a time that is not pmon_time_is_sane() as damage.
//
// Add a series with pmon_schema_add() if options->want accepts it, up to options->limits
// (base/limits.h); model/tables.h does both. Raw values have the types of winperf.h, so that
// averages are exact. If the log has only displayed values, a series has the type
// PMON_PERF_DOUBLE_RAW, its raw values are the bits of a double, and pmon_schema_set_formatted()
// marks it; the unit follows from the name (model/counter_unit.h).
//
// Damage does not end reading: report the offset and size of each loss and continue with the next
// intact part (model/report.h). Reading consists of steps, such as lines or records: add 1 to
// report.here at the start of each, so that a second pass reports nothing twice. Only lack of
// memory, a failed read or an exceeded limit end reading, with a status.
//
// tests/tree/grow.sh has the smallest format that compiles. winperf reads text with raw values,
// jsonl a stream.

#ifndef PMON_FORMAT_FORMAT_H
#define PMON_FORMAT_FORMAT_H

#include <pmon/log.h>
#include <pmon/sink.h>

#include "model/report.h"
#include "model/sink.h"
#include "model/source.h"
#include "os/file.h"
#include "os/outfile.h"

#define PMON_PROBE_BYTES 4096 // how much of the start of a file a probe may examine

// A writer of a format, and its capabilities. record, relog, typeperf, the help and the completions
// use this.
struct pmon_writer {
	const char *name;       // the name that users type: "blg"
	const char *alias;      // the name in Windows' tools: "bin"; NULL: the same
	const char *endings[3]; // file name extensions: "blg"; a file without one gets the first
	const char *reads_as; // pmon_source_info.format of the output; NULL: it cannot be read back
	// Start writing to path ("-" is standard output). The sink has sink_bytes and begins with a
	// struct pmon_sink, which is filled in; the rest is 0. close() is also called after a
	// failure, so set whatever it frees before anything can fail.
	enum pmon_status (*open)(struct pmon_sink *sink, const struct pmon_writer *writer,
				 const char *path, const struct pmon_create_options *options,
				 struct pmon_err *err);
	size_t sink_bytes;
	const struct pmon_sink_ops *ops;
	// Whether the format can store the names of this series so that they read back unchanged.
	bool (*can_name)(const struct pmon_series *series);
	bool raw;    // holds raw values, not displayed ones
	bool record; // pmon record can write it: each sample is complete in the file before the next
	bool ring;   // can write a circular log (pmon_create_options.ring_bytes)
	bool append; // can append to an existing file (pmon_create_options.append)
};

// For can_name: valid UTF-8 without NUL; a machine name that does not begin with a backslash, in
// any encoding; both of these, plus an object, a counter and a valid instance number; a path that
// can be parsed, on one line. names.c
bool pmon_names_are_text(const struct pmon_series *series);
bool pmon_names_have_machine(const struct pmon_series *series);
bool pmon_names_are_whole(const struct pmon_series *series);
bool pmon_names_fit_a_line(const struct pmon_series *series);

// The origin of a log: an open file, or paths of which some belong to it.
struct pmon_log_files {
	struct pmon_file *file; // NULL: paths
	const char *const *paths;
	size_t n;
};

// A format and its capabilities.
struct pmon_format {
	const char *name; // "BLG"
	// Whether a file has this format. head is its first PMON_PROBE_BYTES bytes, or the whole
	// file. NULL: the format cannot be read.
	bool (*probe)(const uint8_t *head, size_t len);
	// Open a log. The source has source_bytes and begins with a struct pmon_source, which is
	// filled in; the rest is 0. close() is also called after a failure, so set whatever it
	// frees before anything can fail. options is never NULL.
	enum pmon_status (*open)(struct pmon_source *source, const struct pmon_log_files *files,
				 const struct pmon_log_options *options, struct pmon_err *err);
	size_t source_bytes;
	const struct pmon_source_ops *ops;
	// Several files of this format form one log, to which other files may belong.
	bool takes_many;
	// Reads its file sequentially without knowing its size, so a stream is sufficient
	// (os/stream.h).
	bool is_forward;
	// Its probe examines lines of text, so all other formats are probed first.
	bool is_asked_last;
	const struct pmon_writer *writers; // NULL: the format cannot be written
	size_t n_writers;
};

// Open a log of a format. Takes ownership of the file, even on failure. registry.c
PMON_NODISCARD enum pmon_status pmon_format_open(const struct pmon_format *format,
						 const struct pmon_log_files *files,
						 const struct pmon_log_options *options,
						 struct pmon_source **source, struct pmon_err *err);

// Send the notices of a source to the callback in the options.
static inline void
pmon_format_report(struct pmon_report *report, struct pmon_source *source,
		   const struct pmon_log_options *options)
{
	report->notice = options->notice;
	report->notice_ctx = options->notice_ctx;
	report->allocator = options->allocator;
	report->info = &source->info;
}

// Create the file of a log according to the options: renamed into place when complete, or live.
static inline enum pmon_status
pmon_format_outfile(const char *path, const struct pmon_create_options *options,
		    struct pmon_outfile **out, struct pmon_err *err)
{
	struct pmon_outfile_options how = {options->allocator,     options->overwrite,
					   options->sync,          options->temporary,
					   options->temporary_ctx, options->door};

	if (options->live)
		return pmon_outfile_open_live(path, &how, options->append, out, err);
	return pmon_outfile_open(path, &how, out, err);
}

// Check from time to time that written data arrives, so that a full disk or a closed pipe ends the
// work early. *checked is how much arrived; initially 0.
PMON_NODISCARD enum pmon_status pmon_format_check(struct pmon_outfile *file, uint64_t *checked,
						  struct pmon_err *err);

// Report that n counters appeared too late for a log.
void pmon_format_tell_late(const struct pmon_create_options *options, size_t n);

// Detect the format of a file from its beginning; NULL if unknown. registry.c
const struct pmon_format *pmon_format_find(const uint8_t *head, size_t len);

// Writer i of all formats. NULL after the last. registry.c
const struct pmon_writer *pmon_writer_at(size_t i);

// The writer with this name or alias, ignoring case, or NULL.
const struct pmon_writer *pmon_writer_find(const char *name);

// Open a compressed log and read it while it is unpacked. Takes ownership of the file on success;
// any failure means that it must be unpacked first, or is not compressed. streamed.c
PMON_NODISCARD enum pmon_status pmon_streamed_open(struct pmon_file *packed,
						   const struct pmon_log_options *options,
						   struct pmon_source **source,
						   struct pmon_err *err);

// Open a log from an open file. Takes ownership of the file, even on failure. registry.c
PMON_NODISCARD enum pmon_status pmon_log_open_file(struct pmon_file *file,
						   const struct pmon_log_options *options,
						   struct pmon_source **source,
						   struct pmon_err *err);

#endif
