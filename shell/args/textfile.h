// textfile.h - text files that the user names: lists of patterns, names, settings, rules
// SPDX-License-Identifier: MIT
//
// A file is read completely. A byte order mark means UTF-16 (PowerShell's > writes it) or UTF-8;
// without one, UTF-8 is assumed. Lines end with LF or CR LF and may have any length:
//
//	if (textfile_read("list.txt", TEXTFILE_BYTES, &text) != EXIT_DONE)
//		...                                     // was reported
//	while (textfile_line(&text, &line))
//		...
//	textfile_free(&text);

#ifndef PMON_SHELL_ARGS_TEXTFILE_H
#define PMON_SHELL_ARGS_TEXTFILE_H

#include <stddef.h>

#include <pmon/base.h>

#define TEXTFILE_BYTES ((size_t)64 << 20) // no list of names or patterns is longer

struct textfile {
	char *text; // UTF-8 without a byte order mark, NUL-terminated
	size_t len;
	size_t size; // allocated
	size_t next; // the start of the next line
};

// Set the door (os/door.h) for opening files.
struct pmon_door;
void textfile_open_by(const struct pmon_door *by);

// Read a file of at most limit bytes; "-" is standard input. Returns an exit status, after a
// message on failure.
int textfile_read(const char *name, size_t limit, struct textfile *out);
void textfile_free(struct textfile *text);

// The same, but overwrites the memory first: for secrets.
void textfile_wipe(struct textfile *text);

// The next line without its end, which is replaced by a NUL. False after the last.
bool textfile_line(struct textfile *text, struct pmon_span *line);

// A text without blanks and quotes around it.
struct pmon_span textfile_trimmed(struct pmon_span line);

#endif
