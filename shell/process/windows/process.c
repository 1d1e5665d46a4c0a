// process.c - start and end of the command: Windows
// SPDX-License-Identifier: MIT

#include "shell/process/process.h"

#include <errno.h>
#include <windows.h>

#include <shellapi.h>

#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/process/memory.h"

static UINT page_before; // of the console; 0: unchanged

// ---- The command line -----------------------------------------------------------------------

static char *
to_utf8(const wchar_t *wide)
{
	int n = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
	char *text = n > 0 ? malloc((size_t)n) : NULL;

	if (text != NULL)
		(void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, n, NULL, NULL);
	return text;
}

// C:\tools\RELOG.EXE is relog.
static void
shorten_program(char *program)
{
	char *name = program;
	size_t len;

	for (char *at = program; *at != '\0'; at++)
		if (*at == '\\' || *at == '/')
			name = at + 1;
	len = strlen(name);
	if (len > 4 && strcasecmp(name + len - 4, ".exe") == 0)
		len -= 4;
	for (size_t i = 0; i < len; i++)
		program[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
	program[len] = '\0';
}

// Windows passes one line in UTF-16; the C library's argv is in the system's code page.
static char **
read_command_line(int *argc, char **argv)
{
	int n = 0;
	wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
	char **all = wide != NULL ? calloc((size_t)n + 1, sizeof(*all)) : NULL;

	for (int i = 0; all != NULL && i < n; i++) {
		all[i] = to_utf8(wide[i]);
		if (all[i] == NULL)
			exit(say(EXIT_FAILED, "not enough memory"));
	}
	(void)LocalFree(wide);
	if (all == NULL || n == 0)
		return argv;
	shorten_program(all[0]);
	*argc = n;
	return all;
}

// ---- The console ----------------------------------------------------------------------------

// Colors use escape sequences, which Windows 10 and later support.
static void
allow_colours(DWORD stream)
{
	HANDLE console = GetStdHandle(stream);
	DWORD mode;

	if (GetConsoleMode(console, &mode))
		(void)SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

static void
restore_console(void)
{
	if (page_before != 0)
		(void)SetConsoleOutputCP(page_before);
}

static void
begin_console(void)
{
	DWORD mode;

	if (!GetConsoleMode(GetStdHandle(STD_OUTPUT_HANDLE), &mode) &&
	    !GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode))
		return;
	page_before = GetConsoleOutputCP();
	(void)SetConsoleOutputCP(CP_UTF8);
	(void)atexit(restore_console);
	allow_colours(STD_OUTPUT_HANDLE);
	allow_colours(STD_ERROR_HANDLE);
}

// ---- Both -----------------------------------------------------------------------------------

char **
process_begin(int *argc, char **argv)
{
	// Do not translate line ends: logs and JSON are the same bytes on every system.
	for (int fd = 0; fd < 3; fd++)
		(void)_setmode(fd, _O_BINARY);
	SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX);
	begin_console();
	memory_begin();
	return read_command_line(argc, argv);
}

// A pipe fails only if the reader has closed it. The C library then reports EINVAL, and nothing if
// an earlier write failed.
static void
end_unread(void)
{
	if ((fflush(stdout) != 0 || ferror(stdout)) &&
	    GetFileType(GetStdHandle(STD_OUTPUT_HANDLE)) == FILE_TYPE_PIPE)
		errno = EPIPE;
}

// A full disk may be reported only here.
int
process_end(int status)
{
	status = memory_check(status);
	end_unread();
	status = out_check_stdout(status);
	if (fclose(stdout) == 0 || status == EXIT_FAILED)
		return status;
	return say(EXIT_FAILED, "cannot write the output: %s", strerror(errno));
}

int64_t
process_id(void)
{
	return (int64_t)GetCurrentProcessId();
}

void
process_follow(int64_t parent)
{
	(void)parent; // there are no children
}
