// target.c - resolve the path of an output (POSIX)
// SPDX-License-Identifier: MIT

// lstat(), readlink() and S_ISVTX are X/Open extensions.
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include "os/posix/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "base/err.h"
#include "os/dir.h"

#define MOST_LINKS 40 // as many as Linux follows
#define ACL_BYTES  4096
#define ACL_NAME   "system.posix_acl_access"

// The length of the folder part, including its slash.
static size_t
folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

// May a link that belongs to `owner` be followed in its folder?
static bool
may_follow(const char *path, uid_t owner)
{
	char folder[PMON_TARGET_PATH];
	struct stat st;

	(void)snprintf(folder, sizeof(folder), "%.*s.", (int)folder_length(path), path);
	if (owner == geteuid() || stat(folder, &st) != 0)
		return owner == geteuid();
	return (st.st_mode & S_ISVTX) == 0 || (st.st_mode & S_IWOTH) == 0 || st.st_uid == owner;
}

// Replace a path with the target of the link that is its last component. Returns an errno, or 0.
static int
follow(char path[PMON_TARGET_PATH])
{
	char link[PMON_TARGET_PATH];
	ssize_t n = readlink(path, link, sizeof(link));
	size_t folder = n > 0 && link[0] == '/' ? 0 : folder_length(path);

	if (n < 0)
		return errno;
	if (folder + (size_t)n >= PMON_TARGET_PATH)
		return ENAMETOOLONG;
	memcpy(path + folder, link, (size_t)n);
	path[folder + (size_t)n] = '\0';
	return 0;
}

static enum pmon_status
follow_all(struct pmon_target *target, struct pmon_err *err)
{
	for (int i = 0; i < MOST_LINKS; i++) {
		int sys;

		target->is_there = lstat(target->path, &target->st) == 0;
		if (!target->is_there || !S_ISLNK(target->st.st_mode))
			return PMON_OK;
		if (!may_follow(target->path, target->st.st_uid))
			return pmon_err_sys(err, PMON_E_IO, EACCES,
					    "%s is a symbolic link created by another user in a "
					    "world-writable folder",
					    target->path);
		sys = follow(target->path);
		if (sys != 0)
			return pmon_err_sys(err, PMON_E_IO, sys, "cannot follow %s", target->path);
	}
	return pmon_err_sys(err, PMON_E_IO, ELOOP, "cannot follow %s", target->path);
}

enum pmon_status
pmon_target_find(const char *path, struct pmon_target *out, struct pmon_err *err)
{
	struct stat st;
	bool is_there = stat(path, &st) == 0;
	enum pmon_status status;

	if (strlen(path) >= sizeof(out->path))
		return pmon_err_sys(err, PMON_E_IO, ENAMETOOLONG, "cannot create the output");
	(void)snprintf(out->path, sizeof(out->path), "%s", path);
	out->is_special = is_there && (!S_ISREG(st.st_mode) || pmon_os_descriptor(path) >= 0);
	status = follow_all(out, err);
	// /dev/stdout may link to "pipe:[123]", which is not a path, but the kernel can open the link.
	if (status == PMON_OK && is_there && (out->is_special || !out->is_there)) {
		(void)snprintf(out->path, sizeof(out->path), "%s", path);
		out->is_special = true;
		out->is_there = true;
		out->st = st;
	}
	return status;
}

// ---- Access ---------------------------------------------------------------------------------

// Returns false if the old file has an ACL that the new one cannot get.
static bool
copy_acl(const char *path, int fd)
{
#ifdef __linux__
	char list[ACL_BYTES];
	ssize_t n = getxattr(path, ACL_NAME, list, sizeof(list));

	if (n < 0)
		return errno != ERANGE;
	return fsetxattr(fd, ACL_NAME, list, (size_t)n, 0) == 0;
#else
	(void)path, (void)fd;
	return true;
#endif
}

bool
pmon_target_is_same(const struct pmon_target *target, int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_dev == target->st.st_dev &&
	       st.st_ino == target->st.st_ino;
}

void
pmon_target_keep_access(const struct pmon_target *target, int fd)
{
	mode_t mode = target->st.st_mode & 0777;
	struct stat now;
	bool keeps_group;

	if (fstat(fd, &now) != 0)
		return;
	if (now.st_uid != target->st.st_uid || now.st_gid != target->st.st_gid)
		keeps_group = fchown(fd, target->st.st_uid, target->st.st_gid) == 0 ||
			      fchown(fd, (uid_t)-1, target->st.st_gid) == 0;
	else
		keeps_group = true;
	// In a file with an ACL, the group bits are the mask for all users and groups listed.
	if (!copy_acl(target->path, fd) || !keeps_group)
		mode &= ~(mode_t)070 | (mode & 07) << 3;
	(void)fchmod(fd, mode); // on failure it stays private to the user
}

// ---- Names ----------------------------------------------------------------------------------

// rename() replaces a file, link() does not.
bool
pmon_target_give_name(const char *temp, const char *path, bool overwrite)
{
	if (overwrite)
		return rename(temp, path) == 0;
	return link(temp, path) == 0 && unlink(temp) == 0;
}

int
pmon_target_sync_folder(const char *path)
{
	char folder[PMON_TARGET_PATH];
	int sys;
	int fd;

	(void)snprintf(folder, sizeof(folder), "%.*s.", (int)folder_length(path), path);
	fd = open(folder, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	sys = fsync(fd) != 0 ? errno : 0;
	(void)close(fd);
	return sys;
}
