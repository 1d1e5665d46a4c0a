// outfile.h - write a file so that it is whole under its name or not there
// SPDX-License-Identifier: MIT
//
// Bytes go to a temporary file beside the final one, which pmon_outfile_commit() gives its name; without
// it pmon_outfile_close() removes the temporary file. Where a file is replaced the new one is on the disk
// before the old one goes; a file of a new name is left to the system, as `cp` leaves it. Failures
// stick: after the first every call fails the same way, so one test at the end is enough.

#ifndef PMON_OS_OUTFILE_H
#define PMON_OS_OUTFILE_H

#include <pmon/base.h>

struct pmon_outfile;

// Zeros are the defaults.
struct pmon_outfile_options {
	const struct pmon_allocator *allocator; // NULL: libc
	bool overwrite;                         // replace a file that is there
	bool sync;                              // when it is finished wait until it is on the disk
	pmon_temporary_fn temporary;            // what files to remove after a signal; may be NULL
	void *temporary_ctx;
};

// Begin a file; "-" is standard output, which is written at once and cannot go back. A file that is
// there is PMON_E_EXISTS unless overwrite; the new one gets its owner and its mode. PMON_E_IO, also for
// a link that pmon_target_find() does not follow; PMON_E_NOMEM. A terminal gets U+FFFD in place of
// control characters.
PMON_NODISCARD enum pmon_status pmon_outfile_open(const char *path,
						  const struct pmon_outfile_options *options,
						  struct pmon_outfile **out, struct pmon_err *err);

// Begin a file in place, under its final name and readable while it grows: for recording. A crash
// leaves what was flushed. With append the file is opened as it is and written from its end.
// PMON_E_IO also when another program has it open so.
PMON_NODISCARD enum pmon_status pmon_outfile_open_live(const char *path,
						       const struct pmon_outfile_options *options,
						       bool append, struct pmon_outfile **out,
						       struct pmon_err *err);

// For a file that was opened to append: read its first or last bytes (as many as there are), and
// move its end back to size. Both are for what was there before.
size_t pmon_outfile_read_at(const struct pmon_outfile *file, uint64_t offset, void *out,
			    size_t len);
PMON_NODISCARD enum pmon_status pmon_outfile_cut(struct pmon_outfile *file, uint64_t size,
						 struct pmon_err *err);

// For text: cut off what comes after the last end of a line.
PMON_NODISCARD enum pmon_status pmon_outfile_cut_line(struct pmon_outfile *file,
						      struct pmon_err *err);

// Append bytes (buffered), or write at a place that was written before; if the file is written in
// place, buffered bytes are written first, so that the order is kept. Position of the end.
void pmon_outfile_write(struct pmon_outfile *file, const void *bytes, size_t len);
void pmon_outfile_write_at(struct pmon_outfile *file, uint64_t offset, const void *bytes,
			   size_t len);
uint64_t pmon_outfile_size(const struct pmon_outfile *file);

// The same where bytes are made in their place: room for up to PMON_OUTFILE_ROOM of them at the end, and
// how many were put there. Between the two calls nothing may be called that writes the buffer.
#define PMON_OUTFILE_ROOM 65536
void *pmon_outfile_room(struct pmon_outfile *file, size_t len);
void pmon_outfile_put(struct pmon_outfile *file, size_t len);

// Hand what is buffered to the system; with sync wait until it is on the disk.
PMON_NODISCARD enum pmon_status pmon_outfile_flush(struct pmon_outfile *file, bool sync,
						   struct pmon_err *err);

// The first failure so far.
PMON_NODISCARD enum pmon_status pmon_outfile_status(const struct pmon_outfile *file,
						    struct pmon_err *err);

// Flush, close and give the file its name. Sync before that when asked to, and where there is something
// to lose: a file of that name, or one that was written in place. The folder is synced after it.
PMON_NODISCARD enum pmon_status pmon_outfile_commit(struct pmon_outfile *file,
						    struct pmon_err *err);

// The path that is being written to, for libraries that open files themselves (SQLite); NULL for
// standard output.
const char *pmon_outfile_path(const struct pmon_outfile *file);

void pmon_outfile_close(struct pmon_outfile *file); // NULL is fine

#endif
