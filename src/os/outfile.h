// outfile.h - write files atomically
// SPDX-License-Identifier: MIT
//
// Bytes go to a temporary file next to the final one; pmon_outfile_commit() renames it. Without a commit,
// pmon_outfile_close() removes it. When a file is replaced, the new one is synced before the rename; a
// file with a new name is not synced, like that of `cp`. Errors are sticky: after the first failure every
// call fails in the same way, so one check at the end is enough.

#ifndef PMON_OS_OUTFILE_H
#define PMON_OS_OUTFILE_H

#include <pmon/base.h>

struct pmon_door;
struct pmon_outfile;

// Zeros are the defaults.
struct pmon_outfile_options {
	const struct pmon_allocator *allocator; // NULL: libc
	bool overwrite;                         // replace an existing file
	bool sync;                              // on commit, wait until the file is on disk
	pmon_temporary_fn temporary;            // reports files to remove on a signal; may be NULL
	void *temporary_ctx;
	const struct pmon_door *door; // os/door.h; NULL: none. Not for files written in place
};

// Begin a file; "-" is standard output, which is written directly and cannot seek. PMON_E_EXISTS if the
// file exists, unless overwrite is set: then the new file gets the old one's owner and mode. PMON_E_IO,
// also for a link that pmon_target_find() does not follow; PMON_E_NOMEM. On a terminal, control
// characters are replaced by U+FFFD.
PMON_NODISCARD enum pmon_status pmon_outfile_open(const char *path,
						  const struct pmon_outfile_options *options,
						  struct pmon_outfile **out, struct pmon_err *err);

// Begin a file in place, under its final name and readable while it grows: for recording. After a crash,
// everything flushed remains. With append, an existing file is continued at its end. PMON_E_FORMAT: there is
// no file to append to; PMON_E_IO also if another program has it open in this way.
PMON_NODISCARD enum pmon_status pmon_outfile_open_live(const char *path,
						       const struct pmon_outfile_options *options,
						       bool append, struct pmon_outfile **out,
						       struct pmon_err *err);

// For a file opened to append: read up to len bytes at offset, and truncate the file to size. Both apply
// only to its previous contents.
size_t pmon_outfile_read_at(const struct pmon_outfile *file, uint64_t offset, void *out,
			    size_t len);
PMON_NODISCARD enum pmon_status pmon_outfile_cut(struct pmon_outfile *file, uint64_t size,
						 struct pmon_err *err);

// For text: truncate the file after its last newline.
PMON_NODISCARD enum pmon_status pmon_outfile_cut_line(struct pmon_outfile *file,
						      struct pmon_err *err);

// Append bytes (buffered), or overwrite bytes at an earlier offset; if the file is written in place,
// buffered bytes are written first, which keeps the order. bytes may be NULL if len is 0. pmon_outfile_size() is the
// offset of the end.
void pmon_outfile_write(struct pmon_outfile *file, const void *bytes, size_t len);
void pmon_outfile_write_at(struct pmon_outfile *file, uint64_t offset, const void *bytes,
			   size_t len);
uint64_t pmon_outfile_size(const struct pmon_outfile *file);

// Append without a copy: get room for up to PMON_OUTFILE_ROOM bytes at the end, fill it, and report how
// many bytes were written. Do not make other calls that write to the buffer in between.
#define PMON_OUTFILE_ROOM 65536
void *pmon_outfile_room(struct pmon_outfile *file, size_t len);
void pmon_outfile_put(struct pmon_outfile *file, size_t len);

// Write the buffer to the file; with sync, wait until it is on disk.
PMON_NODISCARD enum pmon_status pmon_outfile_flush(struct pmon_outfile *file, bool sync,
						   struct pmon_err *err);

// The first failure so far.
PMON_NODISCARD enum pmon_status pmon_outfile_status(const struct pmon_outfile *file,
						    struct pmon_err *err);

// Flush, close and rename the file. It is synced first if requested, if it replaces a file, or if it was
// written in place; then the folder is synced too. PMON_E_EXISTS if a file that may not be replaced was
// created under this name meanwhile.
PMON_NODISCARD enum pmon_status pmon_outfile_commit(struct pmon_outfile *file,
						    struct pmon_err *err);

// The current state of the open file in the file system, whatever its name is now.
struct pmon_outfile_state {
	bool is_regular;
	bool is_emptied; // truncated between two writes, although it may have its size again
	uint64_t links;  // 0: it was deleted
	uint64_t size;
};
struct pmon_outfile_state pmon_outfile_state(const struct pmon_outfile *file);

// For files that a library writes: the byte at this offset is never 0 while the file has its contents, so
// that pmon_outfile_state() sees that it was truncated. 0: not known.
void pmon_outfile_keep(struct pmon_outfile *file, uint64_t offset);

// Set a function that is called when the file is complete, before it is renamed; if it fails, so does
// pmon_outfile_commit(). It takes ownership of `written`, a file over the same bytes. It is not called for files that
// are written in place or for standard output.
struct pmon_file;
typedef enum pmon_status (*pmon_outfile_complete_fn)(void *ctx, struct pmon_file *written,
						     struct pmon_err *err);
void pmon_outfile_on_complete(struct pmon_outfile *file, pmon_outfile_complete_fn fn, void *ctx);

// The path that is currently written to, for libraries that open files themselves (SQLite); NULL for
// standard output.
const char *pmon_outfile_path(const struct pmon_outfile *file);

void pmon_outfile_close(struct pmon_outfile *file); // NULL is allowed

#endif
