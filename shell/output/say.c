// say.c - messages on standard error
// SPDX-License-Identifier: MIT

#include "shell/output/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "shell/output/line.h"
#include "shell/output/clean.h"
#include "os/dir.h"

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

// Is the name a path of Windows, on another system, where a backslash is an ordinary character?
static bool
is_foreign_path(const char *file)
{
	static const char name[] = "C:\\a";
	bool has_drive = file[0] != '\0' && file[1] == ':' && (file[2] == '\\' || file[2] == '/');

	return (has_drive || strncmp(file, "\\\\", 2) == 0) && pmon_os_name(name) == name;
}

// "10:00": the second half of a date and time without quotes.
static bool
is_time_of_day(const char *file)
{
	size_t digits = strspn(file, "0123456789");

	return digits > 0 && digits <= 2 && file[digits] == ':' &&
	       file[strspn(file, "0123456789:.")] == '\0';
}

static bool
has_ending(const char *file, const char *const *endings)
{
	size_t len = strlen(file);

	for (; *endings != NULL; endings++)
		if (len > strlen(*endings) && strcmp(file + len - strlen(*endings), *endings) == 0)
			return true;
	return false;
}

// What to do about a file that is not there.
static const char *
hint_for(const char *file, const struct pmon_err *err)
{
	static const char *const outputs[] = {".svg", ".png", ".pdf", ".html", NULL};

	if (err->status != PMON_E_NOTFOUND)
		return "";
	if (is_time_of_day(file))
		return "; put a date and a time in quotes, as in --from \"2026-11-20 10:00\"";
	if (has_ending(file, outputs))
		return "; -o names a file to write";
	if (is_foreign_path(file))
		return "; this is a path of Windows: copy the log to this system, or give the path "
		       "where its disk is mounted, such as /mnt/c";
	if (strpbrk(file, "./") == NULL)
		return "; -c selects counters";
	return "";
}

int
say_err(const char *file, const struct pmon_err *err)
{
	file = file_name(file);
	if (err->offset != 0)
		return say(EXIT_FAILED, "%s: byte %llu: %s", file, (unsigned long long)err->offset,
			   err->msg);
	return say(EXIT_FAILED, "%s: %s%s", file, err->msg, hint_for(file, err));
}

int
say_write_err(const char *path, const struct pmon_err *err)
{
	if (strcmp(path, "-") == 0 && err->sys == EPIPE)
		return EXIT_FAILED;
	if (strcmp(path, "-") == 0 && err->sys != 0)
		return say(EXIT_FAILED, "cannot write the output: %s", strerror(err->sys));
	if (err->status == PMON_E_EXISTS)
		return say(EXIT_FAILED, "%s already exists; use -y to overwrite it", path);
	return say(EXIT_FAILED, "%s: %s", path, err->msg);
}
