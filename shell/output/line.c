// line.c - the progress line on the terminal of standard error
// SPDX-License-Identifier: MIT

#include "shell/output/line.h"

#include <stdio.h>
#include <string.h>

#include "shell/output/clean.h"
#include "os/term.h"

#define ERASE "\r\033[K"

// Static, because a program has one terminal.
static bool is_shown;

void
line_show(const char *text)
{
	if (!pmon_term_is_tty(false))
		return;
	fputs(ERASE, stderr);
	out_clean(stderr, (struct pmon_span){text, strlen(text)});
	fflush(stderr);
	is_shown = true;
}

void
line_erase(void)
{
	if (!is_shown)
		return;
	fputs(ERASE, stderr);
	fflush(stderr);
	is_shown = false;
}
