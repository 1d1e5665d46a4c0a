// file.h - read a file by position
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_FILE_H
#define PMON_OS_FILE_H

#include <pmon/base.h>

// An input of known size that is read by position. The size is the one at opening: what a writer
// adds later is not seen. Standard input, pipes and devices are spooled to a temporary file first,
// so that every format can seek.
struct pmon_file;

// Open path ("-" is standard input). PMON_E_NOTFOUND; PMON_E_IO (a directory, no permission, ...);
// PMON_E_NOMEM. allocator NULL: libc.
PMON_NODISCARD enum pmon_status pmon_file_open(const char *path,
					       const struct pmon_allocator *allocator,
					       struct pmon_file **out, struct pmon_err *err);

// Decide by the beginning of an input whether it is worth a temporary copy: head is its first
// PMON_FILE_LOOK_BYTES, or all of it. Another status than PMON_OK ends the copying and is its result.
#define PMON_FILE_LOOK_BYTES ((size_t)65536)
typedef enum pmon_status (*pmon_file_look_fn)(const uint8_t *head, size_t len,
					      struct pmon_err *err);

// The same for what need not be a regular file and may never end, as /dev/zero: look decides.
PMON_NODISCARD enum pmon_status pmon_file_open_if(const char *path, pmon_file_look_fn look,
						  const struct pmon_allocator *allocator,
						  struct pmon_file **out, struct pmon_err *err);

// A file over bytes that stay where they are until it is closed.
PMON_NODISCARD enum pmon_status pmon_file_memory(const void *bytes, size_t len,
						 const struct pmon_allocator *allocator,
						 struct pmon_file **out, struct pmon_err *err);

// Where the bytes of a file come from.
struct pmon_file_ops {
	// As pmon_file_read(), but may give fewer bytes than asked for anywhere; 0 is the end.
	enum pmon_status (*read)(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out,
				 struct pmon_err *err);
	void (*close)(void *ctx); // may be NULL
};

// A file of `size` bytes that something else provides. ops and ctx must live until it is closed; on
// failure ctx still belongs to the caller.
PMON_NODISCARD enum pmon_status pmon_file_custom(const struct pmon_file_ops *ops, void *ctx,
						 uint64_t size,
						 const struct pmon_allocator *allocator,
						 struct pmon_file **out, struct pmon_err *err);

// A new empty file without a name, which is gone when it is closed; it is written by appending.
PMON_NODISCARD enum pmon_status pmon_file_temporary(const struct pmon_allocator *allocator,
						    struct pmon_file **out, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_file_append(struct pmon_file *file, const void *bytes,
						 size_t len, struct pmon_err *err);

// The descriptor of a temporary file, at its beginning, for another process to read it. It stays the file's.
int pmon_file_begin(struct pmon_file *file);

// The size, or PMON_FILE_ENDLESS of a stream (os/stream.h) until a read has met its end.
#define PMON_FILE_ENDLESS UINT64_MAX
uint64_t pmon_file_size(const struct pmon_file *file);

// The path that it was opened by, for libraries that open files themselves (SQLite), when that is
// exactly what is read: a regular file, unpacked. Else NULL.
const char *pmon_file_path(const struct pmon_file *file);

// Read up to len bytes at offset into buf; *got_out is fewer only at the end of the file. On
// failure *got_out is 0.
PMON_NODISCARD enum pmon_status pmon_file_read(struct pmon_file *file, uint64_t offset, void *buf,
					       size_t len, size_t *got_out, struct pmon_err *err);

// Some of the len bytes at offset will be read soon, in small reads: a hint for the system.
void pmon_file_will_read(const struct pmon_file *file, uint64_t offset, uint64_t len);

// May several threads read the file at the same time?
bool pmon_file_is_shareable(const struct pmon_file *file);

// NULL is fine.
void pmon_file_close(struct pmon_file *file);

#endif
