// file.h - read a file by position
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_FILE_H
#define PMON_OS_FILE_H

#include <pmon/base.h>

// An input of known size that is read by position. The size is fixed when the file is opened: later
// appends are not seen. Standard input, pipes and devices are spooled to a temporary file first, so that
// every format can seek.
struct pmon_file;

struct pmon_door; // os/door.h; NULL: open files directly

// Open path ("-" is standard input). PMON_E_NOTFOUND; PMON_E_IO (a directory, no permission, ...);
// PMON_E_NOMEM. allocator NULL: libc.
PMON_NODISCARD enum pmon_status pmon_file_open(const char *path,
					       const struct pmon_allocator *allocator,
					       struct pmon_file **out, struct pmon_err *err);

// Decide from the beginning of an input whether to spool it: head is its first PMON_FILE_LOOK_BYTES, or
// all of it. A status other than PMON_OK ends the copying and is returned.
#define PMON_FILE_LOOK_BYTES ((size_t)65536)
typedef enum pmon_status (*pmon_file_look_fn)(const uint8_t *head, size_t len,
					      struct pmon_err *err);

// The same through a door, which also opens files that belong to this one. For an input that is not a regular file
// and may be endless, such as /dev/zero, look decides whether to read it; NULL accepts everything.
PMON_NODISCARD enum pmon_status pmon_file_open_by(const struct pmon_door *door, const char *path,
						  pmon_file_look_fn look,
						  const struct pmon_allocator *allocator,
						  struct pmon_file **out, struct pmon_err *err);

// The door that the file was opened through.
const struct pmon_door *pmon_file_door(const struct pmon_file *file);

// A file over bytes in memory, which must stay valid until it is closed.
PMON_NODISCARD enum pmon_status pmon_file_memory(const void *bytes, size_t len,
						 const struct pmon_allocator *allocator,
						 struct pmon_file **out, struct pmon_err *err);

// Where the bytes of a file come from.
struct pmon_file_ops {
	// Like pmon_file_read(), but may return fewer bytes than requested anywhere; 0 is the end.
	enum pmon_status (*read)(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out,
				 struct pmon_err *err);
	void (*close)(void *ctx); // may be NULL
};

// A file of `size` bytes with custom operations. ops and ctx must stay valid until it is closed; on
// failure ctx still belongs to the caller.
PMON_NODISCARD enum pmon_status pmon_file_custom(const struct pmon_file_ops *ops, void *ctx,
						 uint64_t size,
						 const struct pmon_allocator *allocator,
						 struct pmon_file **out, struct pmon_err *err);

// Create an empty unnamed file, which is deleted on close; it is written by appending.
PMON_NODISCARD enum pmon_status pmon_file_temporary(const struct pmon_door *door,
						    const struct pmon_allocator *allocator,
						    struct pmon_file **out, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_file_append(struct pmon_file *file, const void *bytes,
						 size_t len, struct pmon_err *err);

// A file over the descriptor of a regular file. The caller keeps the descriptor and closes it. PMON_E_IO; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_file_over(int fd, const struct pmon_allocator *allocator,
					       struct pmon_file **out, struct pmon_err *err);

// Rewind a temporary file and return its descriptor, for another process to read. The file keeps the descriptor.
int pmon_file_begin(struct pmon_file *file);

// The size. For a stream (os/stream.h), PMON_FILE_ENDLESS until a read reaches its end.
#define PMON_FILE_ENDLESS UINT64_MAX
uint64_t pmon_file_size(const struct pmon_file *file);

// The path of the file, for libraries that open files themselves (SQLite); NULL unless it is a regular
// file that is read without unpacking.
const char *pmon_file_path(const struct pmon_file *file);

// Read up to len bytes at offset into buf; *got_out is less than len only at the end of the file. On
// failure *got_out is 0.
PMON_NODISCARD enum pmon_status pmon_file_read(struct pmon_file *file, uint64_t offset, void *buf,
					       size_t len, size_t *got_out, struct pmon_err *err);

// Read at least one byte, unless it is the end: what is there of a file whose bytes come one after the other, such as the
// output of a program.
PMON_NODISCARD enum pmon_status pmon_file_read_some(struct pmon_file *file, uint64_t offset,
						    void *buf, size_t len, size_t *got_out,
						    struct pmon_err *err);

// Advise the system that some of the len bytes at offset will be read soon, in small reads.
void pmon_file_will_read(const struct pmon_file *file, uint64_t offset, uint64_t len);

// May several threads read the file at the same time?
bool pmon_file_is_shareable(const struct pmon_file *file);

// NULL is allowed.
void pmon_file_close(struct pmon_file *file);

#endif
