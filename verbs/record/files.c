// files.c - the files of a recording: how they are named, and which are removed
// SPDX-License-Identifier: MIT

#include "verbs/record/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/scan.h"
#include "base/time.h"
#include "shell/output/say.h"
#include "os/dir.h"

#define MAX_FILES   1000000 // in a folder
#define NUMBER_LEN  6       // digits at least
#define DATE_LEN    15      // 20261121-101500
#define DATE_SPACER 8       // where its hyphen is
#define UNIX_EPOCH  INT64_C(116444736000000000)

bool
record_files_init(struct record_files *files, enum record_names names, const char *path)
{
	const char *name = pmon_os_name(path);
	const char *dot;
	size_t len = strlen(path);

	*files = (struct record_files){.names = names};
	dot = strrchr(name, '.');
	if (names != NAMES_FIXED && dot != NULL && dot > name &&
	    strlen(dot) < sizeof(files->ending)) {
		strcpy(files->ending, dot);
		len = (size_t)(dot - path);
	}
	if (len >= sizeof(files->stem))
		return false;
	memcpy(files->stem, path, len);
	return true;
}

// ---- The names that the recording makes ------------------------------------------------------

// The age of a file, by its name: files are sorted by date, then by number.
struct age {
	char date[DATE_LEN + 1]; // "" for numbered files
	uint64_t number;
};

// Parse at least `least` digits as a number. Advances *text.
static bool
take_number(const char **text, size_t least, uint64_t *out)
{
	struct pmon_scan digits = {*text, *text + strspn(*text, "0123456789")};
	size_t n = (size_t)(digits.end - digits.at);

	*out = 0;
	*text = digits.end;
	return n >= least && n <= 18 && pmon_scan_u64(&digits, out);
}

static bool
take_date(const char **text, struct age *age)
{
	for (size_t i = 0; i < DATE_LEN; i++) {
		char c = (*text)[i];

		if (i == DATE_SPACER ? c != '-' : !pmon_is_digit(c))
			return false;
		age->date[i] = c;
	}
	*text += DATE_LEN;
	age->number = 1;
	if (**text != '-')
		return true;
	(*text)++;
	return take_number(text, 1, &age->number);
}

// Is this path one that the recording could have created?
static bool
read_name(const struct record_files *files, const char *path, struct age *age)
{
	size_t len = strlen(files->stem);
	const char *text = path + len;

	*age = (struct age){.number = 0};
	if (strncmp(path, files->stem, len) != 0 || *text++ != '_')
		return false;
	if (files->names == NAMES_NUMBER ? !take_number(&text, NUMBER_LEN, &age->number)
					 : !take_date(&text, age))
		return false;
	return strcmp(text, files->ending) == 0;
}

static int
compare_ages(const struct age *a, const struct age *b)
{
	int diff = strcmp(a->date, b->date);

	if (diff != 0)
		return diff;
	return a->number < b->number ? -1 : a->number > b->number;
}

// ---- Those that are there ---------------------------------------------------------------------

struct found {
	const char *path;
	struct age age;
	uint64_t bytes;
	pmon_time modified;
	bool is_kept;
};

static int
by_age(const void *a, const void *b)
{
	return compare_ages(&((const struct found *)a)->age, &((const struct found *)b)->age);
}

// Is it a regular file? A recording never creates links.
static bool
is_own_file(const char *path, struct pmon_os_stat *there)
{
	*there = pmon_os_stat(path, false);
	return there->is_regular;
}

// The files next to a database while it is being written.
#define N_BESIDE 2

static void
name_beside(const char *path, size_t i, char out[RECORD_PATH_SIZE + 8])
{
	static const char *const suffixes[N_BESIDE] = {"-wal", "-shm"};

	(void)snprintf(out, RECORD_PATH_SIZE + 8, "%s%s", path, suffixes[i]);
}

static bool
look_at(struct found *found)
{
	char name[RECORD_PATH_SIZE + 8];
	struct pmon_os_stat there;

	if (!is_own_file(found->path, &there))
		return false;
	found->bytes = there.size;
	found->modified = there.modified;
	for (size_t i = 0; i < N_BESIDE; i++) {
		name_beside(found->path, i, name);
		if (is_own_file(name, &there))
			found->bytes += there.size;
	}
	return true;
}

static size_t
find_own(const struct record_files *files, const char *const *paths, size_t n, struct found *out)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		// Listed paths do not include the folder "." if the output has none.
		const char *path =
			strchr(files->stem, '/') == NULL && strncmp(paths[i], "./", 2) == 0
				? paths[i] + 2
				: paths[i];

		out[found].path = path;
		if (read_name(files, path, &out[found].age) && look_at(&out[found]))
			found++;
	}
	qsort(out, found, sizeof(*out), by_age);
	return found;
}

// The folder of the files, without its last slash.
static void
folder_of(const struct record_files *files, char out[RECORD_PATH_SIZE])
{
	const char *slash = strrchr(files->stem, '/');

	strcpy(out, ".");
	if (slash == files->stem)
		strcpy(out, "/");
	else if (slash != NULL)
		(void)snprintf(out, RECORD_PATH_SIZE, "%.*s", (int)(slash - files->stem),
			       files->stem);
}

bool
record_files_has_folder(const struct record_files *files)
{
	char folder[RECORD_PATH_SIZE];

	folder_of(files, folder);
	return pmon_is_directory(folder);
}

// List the files of the recording, oldest first. *dir holds their paths. NULL if they cannot be
// listed.
static struct found *
list_own(const struct record_files *files, struct pmon_dir **dir, size_t *n)
{
	char folder[RECORD_PATH_SIZE];
	const char *const *paths;
	struct found *found;
	struct pmon_err err;

	*n = 0;
	folder_of(files, folder);
	if (pmon_dir_list(folder, NULL, MAX_FILES, dir, &err) != PMON_OK) {
		say(0, "%s: %s", folder, err.msg);
		return NULL;
	}
	paths = pmon_dir_paths(*dir, n);
	found = calloc(*n + 1, sizeof(*found));
	if (found != NULL)
		*n = find_own(files, paths, *n, found);
	return found;
}

void
record_files_remove(const char *path)
{
	char name[RECORD_PATH_SIZE + 8];
	struct pmon_os_stat there;

	if (!pmon_os_remove(path)) {
		say(0, "cannot remove %s: %s", path, strerror(errno));
		return;
	}
	for (size_t i = 0; i < N_BESIDE; i++) {
		name_beside(path, i, name);
		if (is_own_file(name, &there))
			(void)pmon_os_remove(name);
	}
}

// The period in which a dated file was begun; -1 if its name has no date.
static int64_t
period_of(const struct age *age, int64_t period_100ns)
{
	struct pmon_civil c = {.year = 0};
	pmon_time begun;

	if (period_100ns <= 0 || sscanf(age->date, "%4d%2d%2d-%2d%2d%2d", &c.year, &c.month, &c.day,
					&c.hour, &c.minute, &c.second) != 6)
		return -1;
	begun = pmon_time_from_civil(&c);
	return begun != PMON_TIME_NONE ? begun / period_100ns : -1;
}

// Mark the files to keep, newest first.
static void
mark_kept(const struct record_files *files, const struct record_keep *keep, struct found *found,
	  size_t n)
{
	pmon_time now = UNIX_EPOCH + (pmon_time)time(NULL) * PMON_TIME_PER_SEC;
	int64_t newer = -1;
	uint64_t units = 0;
	uint64_t bytes = 0;

	for (size_t i = n; i-- > 0;) {
		struct found *f = &found[i];
		int64_t period = period_of(&f->age, keep->period_100ns);
		bool is_newest = strcmp(f->path, files->path) == 0;

		units += period < 0 || period != newer;
		newer = period;
		bytes += f->bytes;
		f->is_kept = (keep->n == 0 || units <= keep->n) &&
			     (keep->bytes == 0 || bytes <= keep->bytes) &&
			     (keep->age_100ns == 0 || now - f->modified <= keep->age_100ns);
		f->is_kept |= is_newest;
	}
}

void
record_files_trim(const struct record_files *files, const struct record_keep *keep)
{
	struct pmon_dir *dir = NULL;
	size_t n;
	struct found *found = list_own(files, &dir, &n);

	if (found != NULL)
		mark_kept(files, keep, found, n);
	for (size_t i = 0; found != NULL && i < n; i++)
		if (!found[i].is_kept)
			record_files_remove(found[i].path);
	free(found);
	pmon_dir_free(dir);
}

// ---- The open one ------------------------------------------------------------------------------

// Dated files contain their start time. For numbered ones only the last change is known, which is
// in the same period.
static bool
is_of_period(const struct found *f, pmon_time local, int64_t utc_to_local, int64_t period_100ns)
{
	int64_t begun = f->age.date[0] != '\0' ? period_of(&f->age, period_100ns)
					       : (f->modified + utc_to_local) / period_100ns;

	return begun == local / period_100ns;
}

bool
record_files_current(struct record_files *files, pmon_time local, int64_t utc_to_local,
		     int64_t period_100ns)
{
	struct pmon_dir *dir = NULL;
	struct found one = {.path = files->stem};
	struct found *found = NULL;
	const struct found *newest = &one;
	size_t n = 1;
	bool goes_on;

	if (files->names != NAMES_FIXED) {
		found = list_own(files, &dir, &n);
		newest = found != NULL && n > 0 ? &found[n - 1] : NULL;
	} else if (!look_at(&one)) {
		newest = NULL;
	}
	goes_on = newest != NULL && newest->bytes > 0 &&
		  (period_100ns == 0 || files->names == NAMES_FIXED ||
		   is_of_period(newest, local, utc_to_local, period_100ns));
	if (goes_on) {
		(void)snprintf(files->path, sizeof(files->path), "%s", newest->path);
		files->number = newest->age.number;
	}
	free(found);
	pmon_dir_free(dir);
	return goes_on;
}

// ---- The next ---------------------------------------------------------------------------------

// The highest existing number, after which the recording continues.
static uint64_t
last_number(const struct record_files *files)
{
	struct pmon_dir *dir = NULL;
	size_t n;
	struct found *found = list_own(files, &dir, &n);
	uint64_t last = found != NULL && n > 0 ? found[n - 1].age.number : 0;

	free(found);
	pmon_dir_free(dir);
	return last;
}

static bool
is_taken(const char *path)
{
	return pmon_os_stat(path, false).is_there;
}

static void
make_numbered(struct record_files *files)
{
	if (files->number == 0)
		files->number = last_number(files);
	do
		(void)snprintf(files->path, sizeof(files->path), "%s_%06llu%s", files->stem,
			       (unsigned long long)++files->number, files->ending);
	while (is_taken(files->path));
}

static void
make_dated(struct record_files *files, pmon_time local)
{
	struct pmon_civil c = pmon_time_civil(local);
	char date[64];

	(void)snprintf(date, sizeof(date), "%04d%02d%02d-%02d%02d%02d", c.year, c.month, c.day,
		       c.hour, c.minute, c.second);
	(void)snprintf(files->path, sizeof(files->path), "%s_%s%s", files->stem, date,
		       files->ending);
	for (unsigned i = 2; is_taken(files->path) && i < MAX_FILES; i++)
		(void)snprintf(files->path, sizeof(files->path), "%s_%s-%u%s", files->stem, date, i,
			       files->ending);
}

void
record_files_next(struct record_files *files, pmon_time local)
{
	switch (files->names) {
	case NAMES_FIXED:
		strcpy(files->path, files->stem);
		break;
	case NAMES_NUMBER:
		make_numbered(files);
		break;
	case NAMES_DATE:
		make_dated(files, local);
		break;
	}
}
