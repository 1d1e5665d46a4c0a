// say.c - messages on standard error
// SPDX-License-Identifier: MIT

#include "cli/output/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/line.h"
#include "cli/output/clean.h"

int
say(int status, const char *fmt, ...)
{
	va_list args;

	flockfile(stderr); // threads of `watch` report failures too
	line_erase();
	fputs("pmon: ", stderr);
	va_start(args, fmt);
	out_clean_format(stderr, fmt, args);
	va_end(args);
	putc('\n', stderr);
	funlockfile(stderr);
	return status;
}

const char *
file_name(const char *operand)
{
	return strcmp(operand, "-") == 0 ? "standard input" : operand;
}

int
say_err(const char *file, const struct pmon_err *err)
{
	file = file_name(file);
	if (err->offset != 0)
		return say(EXIT_FAILED, "%s: byte %llu: %s", file, (unsigned long long)err->offset,
			   err->msg);
	return say(EXIT_FAILED, "%s: %s", file, err->msg);
}

int
say_write_err(const char *path, const struct pmon_err *err)
{
	if (strcmp(path, "-") == 0 && err->sys == EPIPE)
		return EXIT_FAILED;
	if (strcmp(path, "-") == 0 && err->sys != 0)
		return say(EXIT_FAILED, "cannot write the output: %s", strerror(err->sys));
	if (err->status == PMON_E_EXISTS)
		return say(EXIT_FAILED, "%s already exists; -y overwrites it", path);
	return say(EXIT_FAILED, "%s: %s", path, err->msg);
}
