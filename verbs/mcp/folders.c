// folders.c - which logs a client may read
// SPDX-License-Identifier: MIT

#include "verbs/mcp/folders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/dir.h"
#include "shell/args/names.h"
#include "shell/output/say.h"
#include "shell/process/job.h"

#define LOGS_MOST  10000 // that are listed
#define DEPTH_MOST 8     // of folders
#define PATH_MOST  4096

int
folders_open(struct folders *folders, const struct words *given)
{
	*folders = (struct folders){.n = 0};
	if (given->n == 0)
		return say(EXIT_USAGE,
			   "mcp: name the folders, or the logs, that a client may read: "
			   "pmon mcp /var/log/pmon");
	if (given->n > FOLDERS_MOST)
		return say(EXIT_USAGE, "mcp: at most %d folders and logs", FOLDERS_MOST);
	for (size_t i = 0; i < given->n; i++) {
		struct folder *folder = &folders->list[folders->n];
		bool is_file = pmon_is_regular(given->list[i]);

		if (!is_file && !pmon_is_directory(given->list[i]))
			return say(EXIT_FAILED, "%s: there is no such folder or log",
				   file_name(given->list[i]));
		*folder = (struct folder){given->list[i], job_real_path(given->list[i]), is_file};
		if (folder->real == NULL)
			return say(EXIT_FAILED, "%s: %s", given->list[i],
				   errno == ENOSYS ? "pmon mcp does not run on this system"
						   : strerror(errno));
		folders->n++;
	}
	return EXIT_DONE;
}

void
folders_free(struct folders *folders)
{
	for (size_t i = 0; i < folders->n; i++)
		free(folders->list[i].real);
	folders->n = 0;
}

// ---- One log --------------------------------------------------------------------------------

static bool
is_in(const struct folder *folder, const char *path)
{
	size_t len = strlen(folder->real);

	if (strncmp(path, folder->real, len) != 0)
		return false;
	if (folder->is_file)
		return path[len] == '\0';
	return path[len] == '/' || (len == 1 && path[1] != '\0'); // the folder "/"
}

static bool
is_allowed(const struct folders *folders, const char *path)
{
	for (size_t i = 0; i < folders->n; i++)
		if (is_in(&folders->list[i], path))
			return true;
	return false;
}

// Resolve a path to a regular file in the folders, or NULL. *is_outside is set if it leads out of them.
static char *
take(const struct folders *folders, const char *path, bool *is_outside)
{
	char *real = job_real_path(path);

	if (real != NULL && !is_allowed(folders, real)) {
		*is_outside = true;
		free(real);
		return NULL;
	}
	if (real != NULL && !pmon_os_stat(real, false).is_regular) {
		free(real);
		return NULL;
	}
	return real;
}

static char *
take_in(const struct folders *folders, const struct folder *folder, const char *name,
	bool *is_outside)
{
	char path[PATH_MOST];
	int n = snprintf(path, sizeof(path), "%s/%s", folder->real, name);

	return n > 0 && (size_t)n < sizeof(path) ? take(folders, path, is_outside) : NULL;
}

static bool
climbs(const char *name)
{
	for (const char *at = name; (at = strstr(at, "..")) != NULL; at += 2)
		if ((at == name || at[-1] == '/') && (at[2] == '/' || at[2] == '\0'))
			return true;
	return false;
}

char *
folders_find(const struct folders *folders, const char *name, char why[FOLDERS_WHY])
{
	bool is_outside = false;
	bool is_named_inside = false;
	char *real = NULL;

	for (size_t i = 0; i < folders->n && real == NULL; i++) {
		const struct folder *folder = &folders->list[i];

		if (folder->is_file && strcmp(folder->given, name) == 0)
			real = take(folders, folder->real, &is_outside);
		else if (folder->is_file && strcmp(pmon_os_name(folder->given), name) == 0)
			real = take(folders, folder->real, &is_outside);
		else if (!folder->is_file && name[0] != '/' && name[0] != '\0')
			real = take_in(folders, folder, name, &is_outside);
		is_named_inside |= name[0] == '/' ? is_in(folder, name) : !folder->is_file;
	}
	if (real == NULL && name[0] == '/')
		real = take(folders, name, &is_outside);
	if (real != NULL)
		return real;
	// Do not reveal what exists elsewhere.
	if (is_outside && is_named_inside && !climbs(name))
		(void)snprintf(
			why, FOLDERS_WHY,
			"\"%.300s\" is a link to a place outside of the folders that pmon mcp was "
			"started with",
			name);
	else
		(void)snprintf(
			why, FOLDERS_WHY,
			"there is no log \"%.300s\" in the folders that pmon mcp was started with; "
			"open without logs lists those that are there",
			name);
	return NULL;
}

// ---- All logs -------------------------------------------------------------------------------

struct walk {
	const struct folders *folders;
	const struct folder *folder;
	struct folders_logs *logs;
	size_t n_folders;
	bool is_short; // of memory
};

static void
add_log(struct walk *walk, const char *name, char *real)
{
	struct folders_logs *logs = walk->logs;
	char *copy = strdup(name);
	struct folders_log *grown = realloc(logs->list, (logs->n + 1) * sizeof(*grown));

	if (grown != NULL)
		logs->list = grown;
	if (grown == NULL || copy == NULL) {
		walk->is_short = true;
		free(copy);
		free(real);
		return;
	}
	grown[logs->n++] = (struct folders_log){copy, real};
}

// Name a path for the client: relative to the folder if there is only one.
static const char *
name_in(const struct walk *walk, const char *path)
{
	size_t len = strlen(walk->folder->real);

	if (walk->folders->n > 1 || strncmp(path, walk->folder->real, len) != 0)
		return path;
	return path[len] == '/' ? path + len + 1 : path + len;
}

static void
add_files(struct walk *walk, const char *folder)
{
	struct words files = {.n = 0};
	struct names_texts texts = {.n = 0};
	bool is_outside;

	if (names_take_folder(&files, &texts, folder) == EXIT_DONE)
		for (size_t i = 0; i < files.n; i++) {
			char *real = take(walk->folders, files.list[i], &is_outside);

			walk->logs->is_cut |= walk->logs->n >= LOGS_MOST;
			if (real != NULL && walk->logs->n < LOGS_MOST)
				add_log(walk, name_in(walk, files.list[i]), real);
			else
				free(real);
		}
	names_free(&texts);
	free(files.list);
}

static void
add_folder(struct walk *walk, const char *path, int depth)
{
	const char *const *paths;
	struct pmon_dir *found = NULL;
	struct pmon_err err;
	char *real = job_real_path(path);
	bool is_here = real != NULL &&
		       (strcmp(real, walk->folder->real) == 0 || is_in(walk->folder, real));
	size_t n;

	free(real);
	if (!is_here || walk->is_short)
		return;
	if (depth > DEPTH_MOST || walk->n_folders++ >= LOGS_MOST) {
		walk->logs->is_cut = true;
		return;
	}
	add_files(walk, path);
	if (pmon_dir_list_folders(path, NULL, LOGS_MOST, &found, &err) != PMON_OK)
		return;
	paths = pmon_dir_paths(found, &n);
	for (size_t i = 0; i < n; i++)
		add_folder(walk, paths[i], depth + 1);
	pmon_dir_free(found);
}

static int
by_name(const void *a, const void *b)
{
	const struct folders_log *one = a;
	const struct folders_log *two = b;

	return strcmp(one->name, two->name);
}

bool
folders_logs(const struct folders *folders, struct folders_logs *out)
{
	struct walk walk = {.folders = folders, .logs = out};

	*out = (struct folders_logs){.n = 0};
	for (size_t i = 0; i < folders->n; i++) {
		char *real;

		walk.folder = &folders->list[i];
		if (!walk.folder->is_file) {
			add_folder(&walk, walk.folder->real, 0);
			continue;
		}
		real = strdup(walk.folder->real);
		if (real != NULL)
			add_log(&walk, walk.folder->given, real);
		walk.is_short |= real == NULL;
	}
	if (out->n > 0)
		qsort(out->list, out->n, sizeof(*out->list), by_name);
	return !walk.is_short;
}

void
folders_logs_free(struct folders_logs *logs)
{
	for (size_t i = 0; i < logs->n; i++) {
		free(logs->list[i].name);
		free(logs->list[i].real);
	}
	free(logs->list);
}
