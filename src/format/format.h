// format.h - what a log format has to provide
// SPDX-License-Identifier: MIT

#ifndef PMON_FORMAT_FORMAT_H
#define PMON_FORMAT_FORMAT_H

#include <pmon/log.h>
#include <pmon/sink.h>

#include "model/report.h"
#include "model/sink.h"
#include "model/source.h"
#include "os/file.h"
#include "os/outfile.h"

#define PMON_PROBE_BYTES 4096 // how much of the beginning of a file a format may look at

// A way to write a format, and what it can do. record, relog, typeperf, the help and the completions have it
// from here.
struct pmon_writer {
	const char *name;       // as users name it: "blg"
	const char *alias;      // as Windows' tools name it: "bin"; NULL: alike
	const char *endings[3]; // of names of files: "blg"; a file without one gets the first
	const char
		*reads_as; // pmon_source_info.format of what was written; NULL: it cannot be read
	// Begin to write to path ("-" is standard output). The sink has sink_bytes and begins with a struct
	// pmon_sink, which is filled in; the rest is 0. It is closed after a failure too, so what close() frees
	// has to be set before anything can fail.
	enum pmon_status (*open)(struct pmon_sink *sink, const struct pmon_writer *writer,
				 const char *path, const struct pmon_create_options *options,
				 struct pmon_err *err);
	size_t sink_bytes;
	const struct pmon_sink_ops *ops;
	bool raw;    // holds raw values, not displayed ones
	bool record; // pmon record writes it: each sample is whole in the file before the next comes
	bool ring;   // can write in a circle (pmon_create_options.ring_bytes)
	bool append; // can go on in a file that is there (pmon_create_options.append)
};

// Where a log comes from: a file that is open, or files of which some belong to it.
struct pmon_log_files {
	struct pmon_file *file; // NULL: paths
	const char *const *paths;
	size_t n;
};

// A format, with all its capabilities.
struct pmon_format {
	const char *name; // "BLG"
	// Is this file of the format? head is its first PMON_PROBE_BYTES bytes, or all of them. NULL: it cannot
	// be read.
	bool (*probe)(const uint8_t *head, size_t len);
	// Open a log. The source has source_bytes and begins with a struct pmon_source, which is filled in; the
	// rest is 0. It is closed after a failure too, so what close() frees has to be set before anything can
	// fail. options are never NULL.
	enum pmon_status (*open)(struct pmon_source *source, const struct pmon_log_files *files,
				 const struct pmon_log_options *options, struct pmon_err *err);
	size_t source_bytes;
	const struct pmon_source_ops *ops;
	// Those of several files that are of the format are one log; the others may belong to it.
	bool takes_many;
	// Reads its file from the beginning to the end, whose size it need not know: a stream will do
	// (os/stream.h).
	bool is_forward;
	// Its probe looks at lines of text: all others are asked before.
	bool is_asked_last;
	const struct pmon_writer *writers; // NULL: it cannot be written
	size_t n_writers;
};

// Open a log of a format; takes the file over in any case. registry.c
PMON_NODISCARD enum pmon_status pmon_format_open(const struct pmon_format *format,
						 const struct pmon_log_files *files,
						 const struct pmon_log_options *options,
						 struct pmon_source **source, struct pmon_err *err);

// Notices of a source go where the options want them.
static inline void
pmon_format_report(struct pmon_report *report, struct pmon_source *source,
		   const struct pmon_log_options *options)
{
	report->notice = options->notice;
	report->notice_ctx = options->notice_ctx;
	report->allocator = options->allocator;
	report->info = &source->info;
}

// Begin the file of a log, as the options ask: whole under its name at the end, or live.
static inline enum pmon_status
pmon_format_outfile(const char *path, const struct pmon_create_options *options,
		    struct pmon_outfile **out, struct pmon_err *err)
{
	struct pmon_outfile_options how = {options->allocator, options->overwrite, options->sync,
					   options->temporary, options->temporary_ctx};

	if (options->live)
		return pmon_outfile_open_live(path, &how, options->append, out, err);
	return pmon_outfile_open(path, &how, out, err);
}

// Now and then see whether what is written arrives, so that a full disk or a reader that went away ends the
// work soon. *checked is how much did, 0 to begin with.
PMON_NODISCARD enum pmon_status pmon_format_check(struct pmon_outfile *file, uint64_t *checked,
						  struct pmon_err *err);

// Report that n counters came too late for a log.
void pmon_format_tell_late(const struct pmon_create_options *options, size_t n);

// The format of a file by its beginning, or NULL. registry.c
const struct pmon_format *pmon_format_find(const uint8_t *head, size_t len);

// Way i of writing, of all formats. NULL after the last. registry.c
const struct pmon_writer *pmon_writer_at(size_t i);

// The way of writing of this name or alias, in any case; NULL when there is none.
const struct pmon_writer *pmon_writer_find(const char *name);

// Open a compressed log to read it while it is unpacked. Takes the file over when it succeeds; any
// failure means that it has to be unpacked first, or is not compressed. streamed.c
PMON_NODISCARD enum pmon_status pmon_streamed_open(struct pmon_file *packed,
						   const struct pmon_log_options *options,
						   struct pmon_source **source,
						   struct pmon_err *err);

// Open a log that is already a file; takes the file over in any case. registry.c
PMON_NODISCARD enum pmon_status pmon_log_open_file(struct pmon_file *file,
						   const struct pmon_log_options *options,
						   struct pmon_source **source,
						   struct pmon_err *err);

#endif
