// html.h - incremental HTML writer
// SPDX-License-Identifier: MIT
//
// Markup is trusted text; everything else must be written with html_text(), which escapes HTML's
// special characters and replaces unsafe ones by U+FFFD. Failures of the file are sticky.

#ifndef PMON_VERBS_REPORT_HTML_H
#define PMON_VERBS_REPORT_HTML_H

#include <pmon/base.h>

struct pmon_outfile;
struct redaction;

struct html {
	struct pmon_outfile *file;
	const struct redaction *redaction; // of all texts that are not markup; NULL: none
};

void html_markup(struct html *html, const char *markup);

// Formatted markup. Arguments are numbers and trusted text; less than 1 KB.
void html_format(struct html *html, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void html_text(struct html *html, struct pmon_span text);
void html_str(struct html *html, const char *text);

// <tag>text</tag>
void html_element(struct html *html, const char *tag, const char *text);

#endif
