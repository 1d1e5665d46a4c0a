// ask.c - questions on the terminal
// SPDX-License-Identifier: MIT

#include "cli/output/ask.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/output/out.h"
#include "cli/output/say.h"
#include "os/dir.h"
#include "os/term.h"

bool
ask_possible(void)
{
	return pmon_term_has_keys() && pmon_term_is_tty(false);
}

bool
ask_yes(const char *question)
{
	char answer[16];

	fputs("pmon: ", stderr);
	out_clean(stderr, (struct pmon_span){question, strlen(question)});
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
	char question[1024];

	if (*overwrite || !pmon_is_regular(path))
		return EXIT_DONE;
	if (!ask_possible())
		return say(EXIT_FAILED, "%s already exists; -y overwrites it", path);
	(void)snprintf(question, sizeof(question), "%s already exists; overwrite it", path);
	*overwrite = ask_yes(question);
	return *overwrite ? EXIT_DONE : say(EXIT_FAILED, "%s was not overwritten", path);
}
