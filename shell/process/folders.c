// folders.c - the user's state folder
// SPDX-License-Identifier: MIT

#include "shell/process/folders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

bool
folder_of_state(char folder[FOLDER_SIZE])
{
	const char *named = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	int n = -1;

	if (named != NULL && named[0] == '/')
		n = snprintf(folder, FOLDER_SIZE, "%s/pmon", named);
	else if (home != NULL && home[0] == '/')
		n = snprintf(folder, FOLDER_SIZE, "%s/.local/state/pmon", home);
	return n > 0 && n < FOLDER_SIZE;
}

bool
folder_create(const char *folder)
{
	char path[FOLDER_SIZE];

	(void)snprintf(path, sizeof(path), "%s", folder);
	for (char *p = path + 1; *p != '\0'; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		(void)mkdir(path, 0700); // it may exist already
		*p = '/';
	}
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}
