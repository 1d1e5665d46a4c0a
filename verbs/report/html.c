// html.c - incremental HTML writer
// SPDX-License-Identifier: MIT

#include "verbs/report/html.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf.h"
#include "draw/label.h"
#include "os/outfile.h"
#include "shell/output/redact.h"

void
html_markup(struct html *html, const char *markup)
{
	pmon_outfile_write(html->file, markup, strlen(markup));
}

void
html_format(struct html *html, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	html_markup(html, text);
}

static void
put_text(struct html *html, struct pmon_span text)
{
	size_t pos = 0;

	while (pos < text.len) {
		size_t at = pos;
		const char *other = draw_markup(pmon_utf8_next(text, &pos));

		if (other != NULL)
			html_markup(html, other);
		else
			pmon_outfile_write(html->file, text.ptr + at, pos - at);
	}
}

void
html_text(struct html *html, struct pmon_span text)
{
	const char *word;
	size_t from = 0;
	size_t at = 0;
	size_t len;

	while (html->redaction != NULL &&
	       (len = redaction_find(html->redaction, text, &at, &word)) > 0) {
		put_text(html, (struct pmon_span){text.ptr + from, at - from});
		html_markup(html, word);
		from = at += len;
	}
	put_text(html, (struct pmon_span){text.ptr + from, text.len - from});
}

void
html_str(struct html *html, const char *text)
{
	html_text(html, (struct pmon_span){text, strlen(text)});
}

void
html_element(struct html *html, const char *tag, const char *text)
{
	html_format(html, "<%s>", tag);
	html_str(html, text);
	html_format(html, "</%s>\n", tag);
}
