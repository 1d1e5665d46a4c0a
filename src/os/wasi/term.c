// term.c - terminals: WASI tells whether there is one, and no more
// SPDX-License-Identifier: MIT

#include "os/term.h"

#include <unistd.h>

bool
pmon_term_is_tty(bool standard_output)
{
	return isatty(standard_output ? STDOUT_FILENO : STDERR_FILENO) != 0;
}

bool
pmon_term_has_keys(void)
{
	return false;
}

bool
pmon_term_is_there(void)
{
	return false;
}

bool
pmon_term_is_utf8(void)
{
	return true;
}

unsigned
pmon_term_columns(void)
{
	return 0;
}

unsigned
pmon_term_rows(void)
{
	return 0;
}
