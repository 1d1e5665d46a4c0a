// stream.c - streams that write to memory
// SPDX-License-Identifier: MIT

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // fopencookie()
#endif

#include "shell/output/stream.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__

struct memory {
	char **text;
	size_t *len;
	size_t cap;
};

static bool
grow(struct memory *m, size_t need)
{
	size_t cap = need > 2 * m->cap ? need : 2 * m->cap;
	char *text;

	if (need <= m->cap)
		return true;
	text = realloc(*m->text, cap);
	if (text == NULL)
		return false;
	*m->text = text;
	m->cap = cap;
	return true;
}

// A return value of 0 is an error.
static ssize_t
add(void *cookie, const char *bytes, size_t n)
{
	struct memory *m = cookie;

	if (!grow(m, *m->len + n + 1))
		return 0;
	memcpy(*m->text + *m->len, bytes, n);
	*m->len += n;
	(*m->text)[*m->len] = '\0';
	return (ssize_t)n;
}

static int
end(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *
text_stream_open(char **text, size_t *len)
{
	static const cookie_io_functions_t functions = {.write = add, .close = end};
	struct memory *m = calloc(1, sizeof(*m));
	FILE *stream;

	*text = NULL;
	*len = 0;
	if (m == NULL)
		return NULL;
	*m = (struct memory){text, len, 0};
	(void)add(m, "", 0); // makes an empty text available too
	stream = *text != NULL ? fopencookie(m, "w", functions) : NULL;
	if (stream == NULL) {
		free(*text);
		*text = NULL;
		free(m);
	}
	return stream;
}

#else

FILE *
text_stream_open(char **text, size_t *len)
{
	return open_memstream(text, len);
}

#endif

bool
text_stream_close(FILE *stream, char *const *text)
{
	bool failed = ferror(stream) != 0;

	return fclose(stream) == 0 && !failed && *text != NULL;
}
