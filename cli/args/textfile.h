// textfile.h - text files that the user names: lists of patterns, names, settings, rules
// SPDX-License-Identifier: MIT
//
// A file is read whole. A byte order mark says that it is UTF-16 (the > of PowerShell writes that) or
// UTF-8; without one it is taken as UTF-8. Lines end with LF or CR LF and may have any length:
//
//	if (textfile_read("list.txt", TEXTFILE_BYTES, &text) != EXIT_DONE)
//		...                                     // was reported
//	while (textfile_line(&text, &line))
//		...
//	textfile_free(&text);

#ifndef PMON_CLI_ARGS_TEXTFILE_H
#define PMON_CLI_ARGS_TEXTFILE_H

#include <stddef.h>

#include <pmon/base.h>

#define TEXTFILE_BYTES ((size_t)64 << 20) // no list of names or patterns is longer

struct textfile {
	char *text; // UTF-8 without a byte order mark, NUL-terminated
	size_t len;
	size_t size; // of the memory
	size_t next; // where the next line begins
};

// Read a file of at most limit bytes; "-" is standard input. Returns an exit status after saying what
// is wrong.
int textfile_read(const char *name, size_t limit, struct textfile *out);
void textfile_free(struct textfile *text);

// The same, with the memory overwritten first: for secrets.
void textfile_wipe(struct textfile *text);

// The next line without its end, which is replaced by a NUL. False after the last.
bool textfile_line(struct textfile *text, struct pmon_span *line);

// A text without blanks and quotes around it.
struct pmon_span textfile_trimmed(struct pmon_span line);

#endif
