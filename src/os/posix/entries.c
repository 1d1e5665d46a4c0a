// entries.c - inspect paths and list directories: POSIX
// SPDX-License-Identifier: MIT

#include "os/dir.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "os/entries.h"

#define UNIX_EPOCH INT64_C(116444736000000000)

struct pmon_os_stat
pmon_os_stat(const char *path, bool follow)
{
	struct stat st;

	if ((follow ? stat(path, &st) : lstat(path, &st)) != 0)
		return (struct pmon_os_stat){.is_there = false};
	return (struct pmon_os_stat){
		.is_there = true,
		.is_regular = S_ISREG(st.st_mode),
		.is_directory = S_ISDIR(st.st_mode),
		.is_private = (st.st_mode & (S_IRWXO | S_IWGRP)) == 0,
		.size = (uint64_t)st.st_size,
		.modified = UNIX_EPOCH + (pmon_time)st.st_mtime * PMON_TIME_PER_SEC,
		.device = (uint64_t)st.st_dev,
		.number = (uint64_t)st.st_ino,
	};
}

int
pmon_os_errno(int system)
{
	return system;
}

bool
pmon_os_remove(const char *path)
{
	return unlink(path) == 0;
}

static bool
is_listed(DIR *stream, const char *name, bool of_folders)
{
	struct stat st;

	return name[0] != '.' && fstatat(dirfd(stream), name, &st, 0) == 0 &&
	       (of_folders ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode));
}

static enum pmon_status
take_entries(DIR *stream, bool of_folders, pmon_entry_fn take, void *ctx, struct pmon_err *err)
{
	const struct dirent *entry;
	enum pmon_status status = PMON_OK;

	for (;;) {
		errno = 0;
		entry = readdir(stream);
		if (entry == NULL)
			break;
		if (is_listed(stream, entry->d_name, of_folders))
			status = take(ctx, entry->d_name, err);
		if (status != PMON_OK)
			return status;
	}
	if (errno != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot list the directory");
	return PMON_OK;
}

enum pmon_status
pmon_os_entries(const char *folder, bool of_folders, pmon_entry_fn take, void *ctx,
		struct pmon_err *err)
{
	DIR *stream = opendir(folder);
	enum pmon_status status;

	if (stream == NULL)
		return pmon_err_sys(err, errno == ENOENT ? PMON_E_NOTFOUND : PMON_E_IO, errno,
				    "cannot list the directory");
	status = take_entries(stream, of_folders, take, ctx, err);
	(void)closedir(stream);
	return status;
}

enum pmon_status
pmon_os_matches(const char *pattern, pmon_entry_fn take, void *ctx, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	glob_t found;

	if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
		return pmon_err_set(err, PMON_E_NOTFOUND, 0, "nothing matches");
	for (size_t i = 0; i < found.gl_pathc && status == PMON_OK; i++)
		status = take(ctx, found.gl_pathv[i], err);
	globfree(&found);
	return status;
}

const char *
pmon_os_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}
