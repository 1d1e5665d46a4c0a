// html.h - an HTML page, written piece by piece
// SPDX-License-Identifier: MIT
//
// Markup is text of ours; everything else goes through html_text(), which escapes what HTML would take
// for markup and makes what is unsafe to show U+FFFD. Failures of the file stick to it.

#ifndef PMON_APPS_REPORT_HTML_H
#define PMON_APPS_REPORT_HTML_H

#include <pmon/base.h>

struct pmon_outfile;

struct html {
	struct pmon_outfile *file;
};

void html_markup(struct html *html, const char *markup);

// Markup by a format. Its arguments are numbers and texts of ours; less than 1 KB.
void html_format(struct html *html, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void html_text(struct html *html, struct pmon_span text);
void html_str(struct html *html, const char *text);

// <tag>text</tag>
void html_element(struct html *html, const char *tag, const char *text);

#endif
