// fuzz_require.c - abort if a condition does not hold
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz_input.h"

// A target may have redirected stderr.
void
fuzz_require(bool condition, const char *text, const char *file, int line)
{
	char message[512];
	ssize_t written;

	if (condition)
		return;
	(void)snprintf(message, sizeof(message), "%s:%d: does not hold: %s\n", file, line, text);
	written = write(STDERR_FILENO, message, strlen(message));
	(void)written;
	abort();
}
