// process.c - start and end of the command: WASI
// SPDX-License-Identifier: MIT

#include "shell/process/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/process/memory.h"

// The folder of relative paths is what the environment says, because WASI has none.
char **
process_begin(int *n, char **words)
{
	const char *folder = getenv("PWD");

	(void)n;
	if (folder != NULL)
		(void)chdir(folder);
	memory_begin();
	return words;
}

int
process_end(int status)
{
	status = out_check_stdout(memory_check(status));
	if (fclose(stdout) == 0 || status == EXIT_FAILED)
		return status;
	return say(EXIT_FAILED, "cannot write the output: %s", strerror(errno));
}

int64_t
process_id(void)
{
	return getpid();
}

void
process_follow(int64_t parent)
{
	(void)parent; // there are no children
}
