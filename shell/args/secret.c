// secret.c - passwords, tokens and keys in files that the user names
// SPDX-License-Identifier: MIT

#include "shell/args/secret.h"

#include <string.h>

#include "shell/args/textfile.h"
#include "shell/output/say.h"
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
		status = say(EXIT_FAILED, "%s: the first line is empty or too long", path);
	textfile_wipe(&file);
	return status;
}

int
secret_check_private(const char *path)
{
	struct pmon_os_stat stat = pmon_os_stat(path, true);

	// A missing file is reported when it is read.
	if (strcmp(path, "-") == 0 || !stat.is_there || stat.is_private)
		return EXIT_DONE;
	return say(EXIT_FAILED,
		   "%s: other users can read or change it; restrict it with chmod o=,g-w", path);
}
