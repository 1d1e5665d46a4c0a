// clean.h - text that is safe to print, and its style
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_CLEAN_H
#define PMON_CLI_OUTPUT_CLEAN_H

#include <stdarg.h>
#include <stdio.h>

#include <pmon/pmon.h>

// Text for a terminal or a table: control characters and broken UTF-8 become U+FFFD.
void out_clean(FILE *stream, struct pmon_span text);

void out_clean_format(FILE *stream, const char *fmt, va_list args);

// Text of a format that others read, as it is: a terminal gets it as out_clean() writes it, but for ends of
// lines and tabs.
void out_exact(FILE *stream, struct pmon_span text);

// A word of a command as a shell takes it: quoted where it has to be.
struct pmon_text;
void out_put_word(struct pmon_text *t, const char *word);

bool out_is_terminal(FILE *stream);

// Does the locale of the environment say that characters are other than UTF-8? Where it says nothing, it
// does not.
bool out_is_ascii(void);

// Use colours on standard output from now on, and a terminal escape where they are used, else "".
void out_use_colors(bool on);
const char *out_style(const char *escape);
#define STYLE_BOLD "\033[1m"
#define STYLE_DIM  "\033[2m"
#define STYLE_OFF  "\033[0m"

#endif
