// clean.c - text that is safe to print, and its style
// SPDX-License-Identifier: MIT

#include "shell/output/clean.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/text.h"
#include "base/utf.h"
#include "shell/output/screen.h"

static bool colors_on; // for the whole program

void
out_use_colors(bool on)
{
	colors_on = on;
}

const char *
out_style(const char *escape)
{
	return colors_on ? escape : "";
}

void
out_clean(FILE *stream, struct pmon_span text)
{
	size_t written = 0;

	for (size_t pos = 0; pos < text.len;) {
		size_t at = pos;

		if (pmon_utf_is_ascii(text.ptr[pos])) {
			pos++;
			continue;
		}
		if (!pmon_utf_is_unsafe(pmon_utf8_next(text, &pos)))
			continue;
		fwrite(text.ptr + written, 1, at - written, stream);
		fputs("\xEF\xBF\xBD", stream);
		written = pos;
	}
	if (written < text.len)
		fwrite(text.ptr + written, 1, text.len - written, stream);
}

void
out_clean_format(FILE *stream, const char *fmt, va_list args)
{
	char buf[1024];
	const char *text = pmon_text_format(NULL, buf, sizeof(buf), fmt, args);

	out_clean(stream, (struct pmon_span){text, strlen(text)});
	pmon_text_end(NULL, buf, text);
}

void
out_put_word(struct pmon_text *t, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./,:+@%=";
	bool is_plain = word[0] != '\0' && strspn(word, plain) == strlen(word);

	pmon_text_str(t, is_plain ? "" : "'");
	for (; *word != '\0'; word++)
		if (*word == '\'')
			pmon_text_str(t, "'\\''");
		else
			pmon_text_char(t, *word);
	pmon_text_str(t, is_plain ? "" : "'");
}

bool
out_is_terminal(FILE *stream)
{
	return stream == stdout && screen_is_there();
}

void
out_exact(FILE *stream, struct pmon_span text)
{
	size_t len;

	if (!out_is_terminal(stream)) {
		if (text.len > 0)
			fwrite(text.ptr, 1, text.len, stream);
		return;
	}
	for (size_t at = 0; at < text.len; at += len) {
		len = 0;
		while (at + len < text.len && text.ptr[at + len] != '\n' &&
		       text.ptr[at + len] != '\t')
			len++;
		out_clean(stream, (struct pmon_span){text.ptr + at, len});
		if (at + len < text.len)
			putc(text.ptr[at + len++], stream);
	}
}

bool
out_is_ascii(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);
		const char *dot = value != NULL ? strchr(value, '.') : NULL;

		if (value != NULL && value[0] != '\0')
			return dot == NULL || (strncasecmp(dot, ".UTF-8", 6) != 0 &&
					       strncasecmp(dot, ".UTF8", 5) != 0);
	}
	return false;
}
