// dir.h - the files of a directory
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_DIR_H
#define PMON_OS_DIR_H

#include <pmon/base.h>

// A list of regular files. Symbolic links are followed. Names that begin with a dot, folders, pipes and
// devices are skipped.
struct pmon_dir;

// Is path a directory, or a regular file? "-" is neither.
bool pmon_is_directory(const char *path);
bool pmon_is_regular(const char *path);

// The descriptor that a path such as /dev/stdout or /dev/fd/3 refers to, or -1.
int pmon_os_descriptor(const char *path);

// Is an output to this path written directly rather than replaced: standard output ("-"), a descriptor, a pipe, a
// device?
bool pmon_is_stream(const char *path);

// The last component of a path.
const char *pmon_os_name(const char *path);

struct pmon_os_stat {
	bool is_there;
	bool is_regular;
	bool is_directory;
	bool is_private; // other users may neither read nor change it; its group may read it
	uint64_t size;
	pmon_time modified;
	uint64_t device; // with `number`: the identity of the file, independent of its names
	uint64_t number;
};

// Without `follow`, a symbolic link is neither a regular file nor a directory.
struct pmon_os_stat pmon_os_stat(const char *path, bool follow);

// Remove a file. Returns false with errno on failure.
bool pmon_os_remove(const char *path);

// Convert a system error code, as libraries report it, to an errno: on Windows, a code of GetLastError().
int pmon_os_errno(int system);

// List the files in a directory, sorted by the bytes of their names. PMON_E_NOTFOUND; PMON_E_IO;
// PMON_E_NOMEM; PMON_E_LIMIT if there are more than `limit`. allocator NULL: libc.
PMON_NODISCARD enum pmon_status pmon_dir_list(const char *path,
					      const struct pmon_allocator *allocator, size_t limit,
					      struct pmon_dir **out, struct pmon_err *err);

// The same for the folders in a directory, except those whose names begin with a dot.
PMON_NODISCARD enum pmon_status pmon_dir_list_folders(const char *path,
						      const struct pmon_allocator *allocator,
						      size_t limit, struct pmon_dir **out,
						      struct pmon_err *err);

// List the paths that match a pattern with *, ? and [...], sorted by their bytes. PMON_E_NOTFOUND if nothing matches;
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_dir_match(const char *pattern,
					       const struct pmon_allocator *allocator,
					       struct pmon_dir **out, struct pmon_err *err);

// The paths in the list, each including the directory.
const char *const *pmon_dir_paths(const struct pmon_dir *dir, size_t *n_out);

// NULL is allowed.
void pmon_dir_free(struct pmon_dir *dir);

#endif
