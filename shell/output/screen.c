// screen.c - the terminal that shows standard output, also through a pager
// SPDX-License-Identifier: MIT

#include "shell/output/screen.h"

#include "os/term.h"

static struct {
	bool is_kept;
	unsigned columns;
	unsigned rows;
} kept;

bool
screen_is_there(void)
{
	return kept.is_kept || pmon_term_is_tty(true);
}

unsigned
screen_columns(void)
{
	return kept.is_kept ? kept.columns : pmon_term_columns();
}

unsigned
screen_rows(void)
{
	return kept.is_kept ? kept.rows : pmon_term_rows();
}

void
screen_keep(void)
{
	kept.columns = pmon_term_columns();
	kept.rows = pmon_term_rows();
	kept.is_kept = true;
}
