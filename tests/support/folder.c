// folder.c - a folder for the files of a test program
// SPDX-License-Identifier: MIT

#include "folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "t.h"

char folder[FOLDER_SIZE];

int
folder_make(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "%s/pmon-test-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	return mkdtemp(folder) != NULL ? 0 : -1;
}

int
folder_remove(void **state)
{
	(void)state;
	return rmdir(folder);
}

size_t
folder_count(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL)
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

bool
folder_find(const char *text, char *path, size_t size)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	bool found = false;

	assert_non_null(dir);
	while (!found && (entry = readdir(dir)) != NULL) {
		found = strstr(entry->d_name, text) != NULL;
		if (found)
			(void)snprintf(path, size, "%s/%.64s", folder, entry->d_name);
	}
	closedir(dir);
	return found;
}
