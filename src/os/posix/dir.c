// dir.c - the files of a directory: POSIX
// SPDX-License-Identifier: MIT

#include "os/dir.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"

#define UNIX_EPOCH INT64_C(116444736000000000)

struct pmon_dir {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	bool of_folders; // not of files
	char **paths;
	size_t n;
	size_t cap;
};

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

bool
pmon_is_directory(const char *path)
{
	return strcmp(path, "-") != 0 && pmon_os_stat(path, true).is_directory;
}

bool
pmon_is_regular(const char *path)
{
	return strcmp(path, "-") != 0 && pmon_os_stat(path, true).is_regular;
}

bool
pmon_os_remove(const char *path)
{
	return unlink(path) == 0;
}

static char *
join(struct pmon_arena *arena, const char *folder, const char *name)
{
	size_t folder_len = strlen(folder);
	size_t name_len = strlen(name);
	size_t slash = folder_len > 0 && folder[folder_len - 1] != '/';
	char *path = pmon_arena_alloc(arena, folder_len + slash + name_len + 1);

	if (path == NULL)
		return NULL;
	memcpy(path, folder, folder_len);
	path[folder_len] = '/';
	memcpy(path + folder_len + slash, name, name_len + 1);
	return path;
}

static bool
is_listed(const struct pmon_dir *dir, DIR *stream, const char *name)
{
	struct stat st;

	return name[0] != '.' && fstatat(dirfd(stream), name, &st, 0) == 0 &&
	       (dir->of_folders ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode));
}

static enum pmon_status
add_file(struct pmon_dir *dir, const char *folder, const char *name, size_t limit,
	 struct pmon_err *err)
{
	char *path;

	if (dir->n >= limit)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu files in a directory",
				    limit);
	path = join(&dir->arena, folder, name);
	if (path == NULL ||
	    !pmon_mem_grow(dir->allocator, &dir->paths, &dir->cap, dir->n + 1, sizeof(*dir->paths)))
		return pmon_err_nomem(err);
	dir->paths[dir->n++] = path;
	return PMON_OK;
}

static enum pmon_status
add_files(struct pmon_dir *dir, const char *folder, DIR *stream, size_t limit, struct pmon_err *err)
{
	const struct dirent *entry;
	enum pmon_status status = PMON_OK;

	for (;;) {
		errno = 0;
		entry = readdir(stream);
		if (entry == NULL)
			break;
		if (is_listed(dir, stream, entry->d_name))
			status = add_file(dir, folder, entry->d_name, limit, err);
		if (status != PMON_OK)
			return status;
	}
	if (errno != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot list the directory");
	return PMON_OK;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum pmon_status
new_dir(const struct pmon_allocator *allocator, bool of_folders, struct pmon_dir **out,
	struct pmon_err *err)
{
	allocator = pmon_mem_allocator(allocator);
	*out = pmon_mem_alloc0(allocator, sizeof(**out));
	if (*out == NULL)
		return pmon_err_nomem(err);
	(*out)->allocator = allocator;
	(*out)->of_folders = of_folders;
	pmon_arena_init(&(*out)->arena, allocator);
	return PMON_OK;
}

static enum pmon_status
list_kind(const char *path, bool of_folders, const struct pmon_allocator *allocator, size_t limit,
	  struct pmon_dir **out, struct pmon_err *err)
{
	struct pmon_dir *dir;
	enum pmon_status status;
	DIR *stream;

	*out = NULL;
	status = new_dir(allocator, of_folders, &dir, err);
	if (status != PMON_OK)
		return status;
	stream = opendir(path);
	if (stream == NULL) {
		status = pmon_err_sys(err, errno == ENOENT ? PMON_E_NOTFOUND : PMON_E_IO, errno,
				      "cannot list the directory");
	} else {
		status = add_files(dir, path, stream, limit, err);
		(void)closedir(stream);
	}
	if (status != PMON_OK) {
		pmon_dir_free(dir);
		return status;
	}
	if (dir->n > 1)
		qsort(dir->paths, dir->n, sizeof(*dir->paths), by_name);
	*out = dir;
	return PMON_OK;
}

enum pmon_status
pmon_dir_list(const char *path, const struct pmon_allocator *allocator, size_t limit,
	      struct pmon_dir **out, struct pmon_err *err)
{
	return list_kind(path, false, allocator, limit, out, err);
}

enum pmon_status
pmon_dir_list_folders(const char *path, const struct pmon_allocator *allocator, size_t limit,
		      struct pmon_dir **out, struct pmon_err *err)
{
	return list_kind(path, true, allocator, limit, out, err);
}

const char *const *
pmon_dir_paths(const struct pmon_dir *dir, size_t *n_out)
{
	*n_out = dir->n;
	return (const char *const *)dir->paths;
}

void
pmon_dir_free(struct pmon_dir *dir)
{
	if (dir == NULL)
		return;
	pmon_mem_free(dir->allocator, dir->paths, dir->cap * sizeof(*dir->paths));
	pmon_arena_free(&dir->arena);
	pmon_mem_free(dir->allocator, dir, sizeof(*dir));
}
