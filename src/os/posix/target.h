// target.h - the file that a path of an output leads to
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_POSIX_TARGET_H
#define PMON_OS_POSIX_TARGET_H

#include <sys/stat.h>

#include <pmon/base.h>

#define PMON_TARGET_PATH 4096

struct pmon_target {
	char path[PMON_TARGET_PATH]; // what the links of the last component lead to
	bool is_there;
	bool is_special; // a device, a pipe: it takes bytes itself and cannot be replaced
	struct stat st;  // when it is there
};

// Follow the links of the last component by the rules of fs.protected_symlinks, whatever the kernel is
// set to: in a sticky folder that everybody may write, a link is followed when it belongs to the user or
// to the owner of the folder. Source: proc(5), /proc/sys/fs/protected_symlinks. The target need not
// exist. PMON_E_IO.
PMON_NODISCARD enum pmon_status pmon_target_find(const char *path, struct pmon_target *out,
						 struct pmon_err *err);

// Is the open file the target that was found, and not one that came there since?
bool pmon_target_is_same(const struct pmon_target *target, int fd);

// Give the new file fd the owner, the group, the access list and the mode of the file that it will
// replace. Where the owner or the group cannot be kept, nobody gets access that they did not have.
void pmon_target_keep_access(const struct pmon_target *target, int fd);

// Give the temporary file its final name. False with errno, also if a file of that name is there and is not to be
// replaced.
bool pmon_target_give_name(const char *temp, const char *path, bool overwrite);

// Sync the folder of a path, so that the name itself survives a crash. An errno, or 0.
int pmon_target_sync_folder(const char *path);

#endif
