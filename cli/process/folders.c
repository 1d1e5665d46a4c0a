// folders.c - the user's folders for what a program keeps
// SPDX-License-Identifier: MIT

#include "cli/process/folders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

bool
folder_find(enum folder_kind kind, char folder[FOLDER_SIZE])
{
	static const struct {
		const char *variable;
		const char *below_home;
	} places[] = {
		[FOLDER_CACHE] = {"XDG_CACHE_HOME", ".cache"},
		[FOLDER_STATE] = {"XDG_STATE_HOME", ".local/state"},
	};
	const char *named = getenv(places[kind].variable);
	const char *home = getenv("HOME");
	int n = -1;

	if (named != NULL && named[0] == '/')
		n = snprintf(folder, FOLDER_SIZE, "%s/pmon", named);
	else if (home != NULL && home[0] == '/')
		n = snprintf(folder, FOLDER_SIZE, "%s/%s/pmon", home, places[kind].below_home);
	return n > 0 && n < FOLDER_SIZE;
}

bool
folder_make(const char *folder)
{
	char path[FOLDER_SIZE];

	(void)snprintf(path, sizeof(path), "%s", folder);
	for (char *p = path + 1; *p != '\0'; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		(void)mkdir(path, 0700); // one that is there already is fine
		*p = '/';
	}
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}
