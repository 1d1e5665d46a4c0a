// target.h - resolve the path of an output
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_POSIX_TARGET_H
#define PMON_OS_POSIX_TARGET_H

#include <sys/stat.h>

#include <pmon/base.h>

#define PMON_TARGET_PATH 4096

struct pmon_target {
	char path[PMON_TARGET_PATH]; // with the links of the last component resolved
	bool is_there;
	bool is_special; // a device, a pipe, an open descriptor: written directly, cannot be replaced
	struct stat st; // if is_there
};

// Follow the links of the last component by the rules of fs.protected_symlinks, whatever the kernel's
// setting is: in a sticky world-writable folder, a link is followed only if it belongs to the user or to
// the owner of the folder. Source: proc(5), /proc/sys/fs/protected_symlinks. The target need not exist.
// PMON_E_IO.
PMON_NODISCARD enum pmon_status pmon_target_find(const char *path, struct pmon_target *out,
						 struct pmon_err *err);

// Is the open file still the target that was found? It may have been replaced.
bool pmon_target_is_same(const struct pmon_target *target, int fd);

// Give the new file fd the owner, group, ACL and mode of the file that it will replace. If the owner or
// group cannot be kept, no user gains access.
void pmon_target_keep_access(const struct pmon_target *target, int fd);

// Rename the temporary file to its final name. Returns false with errno, also if a file with that name exists and may
// not be replaced.
bool pmon_target_give_name(const char *temp, const char *path, bool overwrite);

// Sync the folder of a path, so that the rename survives a crash. Returns an errno, or 0.
int pmon_target_sync_folder(const char *path);

#endif
