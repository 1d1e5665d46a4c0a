// textfile.c - text files that the user names: lists of patterns, names, settings, rules
// SPDX-License-Identifier: MIT

#include "shell/args/textfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf.h"
#include "shell/output/say.h"
#include "os/door.h"

#define FIRST_BYTES 4096

// ---- Reading ----------------------------------------------------------------------------------

static bool
grow(struct textfile *t)
{
	size_t size = t->size == 0 ? FIRST_BYTES : t->size * 2;
	char *grown = malloc(size);

	if (grown == NULL)
		return false;
	if (t->len > 0)
		memcpy(grown, t->text, t->len);
	textfile_wipe(&(struct textfile){.text = t->text, .size = t->size});
	t->text = grown;
	t->size = size;
	return true;
}

// Read all bytes of a file. Returns 0, or errno.
static int
read_bytes(FILE *file, size_t limit, struct textfile *t)
{
	do {
		if (t->len + 1 >= t->size && !grow(t))
			return ENOMEM;
		t->len += fread(t->text + t->len, 1, t->size - t->len - 1, file);
		if (t->len > limit)
			return EFBIG;
	} while (!feof(file) && !ferror(file));
	t->text[t->len] = '\0';
	return ferror(file) ? errno : 0;
}

static void
swap_bytes(char *bytes, size_t len)
{
	for (size_t i = 0; i + 1 < len; i += 2) {
		char first = bytes[i];

		bytes[i] = bytes[i + 1];
		bytes[i + 1] = first;
	}
}

// Convert UTF-16 with a byte order mark to UTF-8.
static bool
convert(struct textfile *t)
{
	struct textfile utf8 = {.size = pmon_utf16_bound(t->len) + 1};

	utf8.text = malloc(utf8.size);
	if (utf8.text == NULL)
		return false;
	if ((uint8_t)t->text[0] == 0xFE)
		swap_bytes(t->text, t->len);
	utf8.len = pmon_utf16_to_utf8((const uint8_t *)t->text + 2, t->len - 2, utf8.text);
	utf8.text[utf8.len] = '\0';
	textfile_wipe(t);
	*t = utf8;
	return true;
}

static bool
decode(struct textfile *t)
{
	if (t->len >= 2 &&
	    (memcmp(t->text, "\xFF\xFE", 2) == 0 || memcmp(t->text, "\xFE\xFF", 2) == 0))
		return convert(t);
	if (t->len >= 3 && memcmp(t->text, "\xEF\xBB\xBF", 3) == 0)
		t->next = 3;
	memmove(t->text, t->text + t->next, t->len + 1 - t->next);
	t->len -= t->next;
	t->next = 0;
	return true;
}

static const struct pmon_door *door;

void
textfile_open_by(const struct pmon_door *by)
{
	door = by;
}

static FILE *
open_file(const char *name)
{
	int fd;

	if (strcmp(name, "-") == 0)
		return stdin;
	if (door == NULL)
		return fopen(name, "rb");
	fd = door->open(name);
	return fd >= 0 ? fdopen(fd, "rb") : NULL;
}

int
textfile_read(const char *name, size_t limit, struct textfile *out)
{
	FILE *file = open_file(name);
	int why = file != NULL ? 0 : errno;

	*out = (struct textfile){.text = NULL};
	if (file != NULL)
		why = read_bytes(file, limit, out);
	if (file != NULL && file != stdin)
		(void)fclose(file);
	if (why == 0 && !decode(out))
		why = ENOMEM;
	if (why == 0)
		return EXIT_DONE;
	textfile_wipe(out);
	if (why == EFBIG)
		return say(EXIT_FAILED, "%s: more than %zu bytes", file_name(name), limit);
	return say(EXIT_FAILED, "%s: %s", file_name(name), strerror(why));
}

void
textfile_free(struct textfile *text)
{
	free(text->text);
	*text = (struct textfile){.text = NULL};
}

void
textfile_wipe(struct textfile *text)
{
	volatile char *bytes = text->text; // otherwise the compiler would remove the writes

	for (size_t i = 0; bytes != NULL && i < text->size; i++)
		bytes[i] = 0;
	textfile_free(text);
}

// ---- Lines ------------------------------------------------------------------------------------

bool
textfile_line(struct textfile *text, struct pmon_span *line)
{
	char *start = text->text + text->next;
	size_t left = text->len - text->next;
	char *end = left > 0 ? memchr(start, '\n', left) : NULL;
	size_t len = end != NULL ? (size_t)(end - start) : left;

	if (left == 0)
		return false;
	text->next += end != NULL ? len + 1 : len;
	if (len > 0 && start[len - 1] == '\r')
		len--;
	start[len] = '\0';
	*line = (struct pmon_span){start, len};
	return true;
}

static bool
is_around(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '"';
}

struct pmon_span
textfile_trimmed(struct pmon_span line)
{
	while (line.len > 0 && is_around(line.ptr[0]))
		line = (struct pmon_span){line.ptr + 1, line.len - 1};
	while (line.len > 0 && is_around(line.ptr[line.len - 1]))
		line.len--;
	return line;
}
