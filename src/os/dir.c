// dir.c - lists of files
// SPDX-License-Identifier: MIT

#include "os/dir.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "os/entries.h"

struct pmon_dir {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	const char *folder;
	size_t limit;
	char **paths;
	size_t n;
	size_t cap;
};

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

int
pmon_os_descriptor(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	uint64_t n;

	if (strcmp(path, "/dev/stdout") == 0)
		return 1;
	if (strcmp(path, "/dev/stderr") == 0)
		return 2;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t len = strlen(folders[i]);

		if (strncmp(path, folders[i], len) == 0 &&
		    pmon_num_parse_u64((struct pmon_span){path + len, strlen(path + len)}, &n))
			return n <= INT_MAX ? (int)n : -1;
	}
	return -1;
}

bool
pmon_is_stream(const char *path)
{
	struct pmon_os_stat there = pmon_os_stat(path, true);

	return strcmp(path, "-") == 0 || pmon_os_descriptor(path) >= 0 ||
	       (there.is_there && !there.is_regular && !there.is_directory);
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

static enum pmon_status
add_path(struct pmon_dir *dir, char *path, struct pmon_err *err)
{
	if (path == NULL ||
	    !pmon_mem_grow(dir->allocator, &dir->paths, &dir->cap, dir->n + 1, sizeof(*dir->paths)))
		return pmon_err_nomem(err);
	dir->paths[dir->n++] = path;
	return PMON_OK;
}

static enum pmon_status
add_entry(void *ctx, const char *name, struct pmon_err *err)
{
	struct pmon_dir *dir = ctx;

	if (name[0] == '.')
		return PMON_OK;
	if (dir->n >= dir->limit)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu files in a directory",
				    dir->limit);
	return add_path(dir, join(&dir->arena, dir->folder, name), err);
}

static enum pmon_status
add_match(void *ctx, const char *path, struct pmon_err *err)
{
	struct pmon_dir *dir = ctx;
	size_t size = strlen(path) + 1;
	char *copy = pmon_arena_alloc(&dir->arena, size);

	if (copy != NULL)
		memcpy(copy, path, size);
	return add_path(dir, copy, err);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum pmon_status
new_dir(const struct pmon_allocator *allocator, struct pmon_dir **out, struct pmon_err *err)
{
	allocator = pmon_mem_allocator(allocator);
	*out = pmon_mem_alloc0(allocator, sizeof(**out));
	if (*out == NULL)
		return pmon_err_nomem(err);
	(*out)->allocator = allocator;
	pmon_arena_init(&(*out)->arena, allocator);
	return PMON_OK;
}

static enum pmon_status
complete(struct pmon_dir *dir, enum pmon_status status, struct pmon_dir **out)
{
	if (status != PMON_OK) {
		pmon_dir_free(dir);
		return status;
	}
	if (dir->n > 1)
		qsort(dir->paths, dir->n, sizeof(*dir->paths), by_name);
	*out = dir;
	return PMON_OK;
}

static enum pmon_status
list_kind(const char *path, bool of_folders, const struct pmon_allocator *allocator, size_t limit,
	  struct pmon_dir **out, struct pmon_err *err)
{
	struct pmon_dir *dir;
	enum pmon_status status;

	*out = NULL;
	status = new_dir(allocator, &dir, err);
	if (status != PMON_OK)
		return status;
	dir->folder = path;
	dir->limit = limit;
	return complete(dir, pmon_os_entries(path, of_folders, add_entry, dir, err), out);
}

enum pmon_status
pmon_dir_match(const char *pattern, const struct pmon_allocator *allocator, struct pmon_dir **out,
	       struct pmon_err *err)
{
	struct pmon_dir *dir;
	enum pmon_status status;

	*out = NULL;
	status = new_dir(allocator, &dir, err);
	if (status != PMON_OK)
		return status;
	return complete(dir, pmon_os_matches(pattern, add_match, dir, err), out);
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
