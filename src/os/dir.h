// dir.h - the files of a directory
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_DIR_H
#define PMON_OS_DIR_H

#include <pmon/base.h>

// A list of regular files. Links to files are followed; names that begin with a dot, folders, pipes
// and devices are left out.
struct pmon_dir;

// Is there a directory, or a regular file, of this name? "-" is neither.
bool pmon_is_directory(const char *path);
bool pmon_is_regular(const char *path);

// The last component of a path.
const char *pmon_os_name(const char *path);

// What is at a path.
struct pmon_os_stat {
	bool is_there;
	bool is_regular;
	bool is_directory;
	bool is_private; // other users may neither read nor change it; its group may read it
	uint64_t size;
	pmon_time modified;
	uint64_t device; // with `number`: which file it is, whatever its names are
	uint64_t number;
};

// Without `follow` a link is a thing of its own, neither a regular file nor a directory.
struct pmon_os_stat pmon_os_stat(const char *path, bool follow);

// Remove a file. False when that fails; errno says why.
bool pmon_os_remove(const char *path);

// The errno of an error by the system's own number, which libraries report: on Windows, that of GetLastError().
int pmon_os_errno(int system);

// List the files of a directory by the bytes of their names. PMON_E_NOTFOUND; PMON_E_IO;
// PMON_E_NOMEM; PMON_E_LIMIT when there are more than `limit`. allocator NULL: libc.
PMON_NODISCARD enum pmon_status pmon_dir_list(const char *path,
					      const struct pmon_allocator *allocator, size_t limit,
					      struct pmon_dir **out, struct pmon_err *err);

// The same for the folders in a directory, except those whose names begin with a dot.
PMON_NODISCARD enum pmon_status pmon_dir_list_folders(const char *path,
						      const struct pmon_allocator *allocator,
						      size_t limit, struct pmon_dir **out,
						      struct pmon_err *err);

// What matches a pattern with *, ? and [...], by the bytes of the paths. PMON_E_NOTFOUND when nothing does;
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_dir_match(const char *pattern,
					       const struct pmon_allocator *allocator,
					       struct pmon_dir **out, struct pmon_err *err);

// Their paths, each beginning with the directory's: n of them.
const char *const *pmon_dir_paths(const struct pmon_dir *dir, size_t *n_out);

// NULL is fine.
void pmon_dir_free(struct pmon_dir *dir);

#endif
