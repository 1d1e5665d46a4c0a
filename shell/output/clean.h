// clean.h - text that is safe to print, and its style
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_CLEAN_H
#define PMON_SHELL_OUTPUT_CLEAN_H

#include <stdarg.h>
#include <stdio.h>

#include <pmon/pmon.h>

// Print text on a terminal or in a table: control characters and invalid UTF-8 become U+FFFD.
void out_clean(FILE *stream, struct pmon_span text);

void out_clean_format(FILE *stream, const char *fmt, va_list args);

// Print text in a machine-readable format unchanged; on a terminal like out_clean(), except for
// line ends and tabs.
void out_exact(FILE *stream, struct pmon_span text);

// Append a word of a command line for a shell: quoted if necessary.
struct pmon_text;
void out_put_word(struct pmon_text *t, const char *word);

bool out_is_terminal(FILE *stream);

// Does the locale use an encoding other than UTF-8? False if no locale is set.
bool out_is_ascii(void);

// Enable colors on standard output; and return a terminal escape if they are enabled, otherwise "".
void out_use_colors(bool on);
const char *out_style(const char *escape);
#define STYLE_BOLD "\033[1m"
#define STYLE_DIM  "\033[2m"
#define STYLE_OFF  "\033[0m"

#endif
