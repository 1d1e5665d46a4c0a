// secret.c - passwords, tokens and keys in files that the user names
// SPDX-License-Identifier: MIT

#include "cli/args/secret.h"

#include <string.h>

#include "cli/args/textfile.h"
#include "cli/output/say.h"
#include "os/dir.h"

int
secret_read(const char *path, char out[SECRET_SIZE])
{
	struct textfile file;
	struct pmon_span line = {"", 0};
	int status = textfile_read(path, TEXTFILE_BYTES, &file);

	if (status == EXIT_DONE && textfile_line(&file, &line) && line.len < SECRET_SIZE)
		memcpy(out, line.ptr, line.len + 1);
	if (status == EXIT_DONE && (line.len == 0 || line.len >= SECRET_SIZE))
		status = say(EXIT_FAILED, "%s: its first line is empty, or too long", path);
	textfile_wipe(&file);
	return status;
}

int
secret_check_private(const char *path)
{
	struct pmon_os_stat stat = pmon_os_stat(path, true);

	// What is missing is reported when it is read.
	if (strcmp(path, "-") == 0 || !stat.is_there || stat.is_private)
		return EXIT_DONE;
	return say(EXIT_FAILED,
		   "%s: other users may read or change it; chmod o=,g-w takes that from them",
		   path);
}
