// ask.c - questions on the terminal
// SPDX-License-Identifier: MIT

#include "shell/output/ask.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "shell/output/clean.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "os/dir.h"
#include "os/term.h"

bool
ask_possible(void)
{
	return pmon_term_has_keys() && pmon_term_is_tty(false);
}

bool
ask_yes(const char *fmt, ...)
{
	char answer[16];
	va_list args;

	fputs("pmon: ", stderr);
	va_start(args, fmt);
	out_clean_format(stderr, fmt, args);
	va_end(args);
	fputs("? [y/N] ", stderr);
	fflush(stderr);
	if (fgets(answer, sizeof(answer), stdin) == NULL)
		return false;
	answer[strcspn(answer, "\r\n")] = '\0';
	return strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0;
}

int
ask_overwrite(const char *path, bool *overwrite)
{
	if (*overwrite || pmon_is_stream(path) || !pmon_is_regular(path))
		return EXIT_DONE;
	if (!ask_possible())
		return say(EXIT_FAILED, "%s already exists; use -y to overwrite it", path);
	*overwrite = ask_yes("%s already exists; overwrite it", path);
	return *overwrite ? EXIT_DONE : say(EXIT_FAILED, "%s was not overwritten", path);
}
