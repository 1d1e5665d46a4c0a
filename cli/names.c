// names.c - lists of files on the command line: @FILE
// SPDX-License-Identifier: MIT

#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define LIST_BYTES ((size_t)64 << 20) // no list of names is longer

// All of a file, with a NUL behind it. NULL with errno set.
static char *
read_list(FILE *file, size_t *len)
{
	size_t size = 4096;
	char *text = malloc(size);

	*len = 0;
	while (text != NULL) {
		char *grown;

		*len += fread(text + *len, 1, size - *len - 1, file);
		text[*len] = '\0';
		if (*len < size - 1 || size >= LIST_BYTES)
			break;
		size *= 2;
		grown = realloc(text, size);
		if (grown == NULL)
			free(text);
		text = grown;
	}
	if (text != NULL && (ferror(file) || *len >= LIST_BYTES - 1)) {
		errno = ferror(file) ? errno : EFBIG;
		free(text);
		text = NULL;
	}
	return text;
}

// The names in a text, which stays where it is. With a NUL in it they are ended by NULs, else by lines.
static int
split_list(struct args *args, char *text, size_t len)
{
	char end = memchr(text, '\0', len) != NULL ? '\0' : '\n';
	int status = EXIT_DONE;

	for (size_t at = 0; at < len && status == EXIT_DONE;) {
		char *name = text + at;
		char *stop = memchr(name, end, len - at);
		size_t n = stop != NULL ? (size_t)(stop - name) : len - at;

		at += n + 1;
		name[n] = '\0';
		if (end == '\n' && n > 0 && name[n - 1] == '\r')
			name[n - 1] = '\0';
		if (name[0] != '\0')
			status = words_take(&args->operands, name);
	}
	return status;
}

static int
keep_list(struct args *args, char *text)
{
	char **grown = realloc(args->lists, (args->n_lists + 1) * sizeof(*grown));

	if (grown == NULL) {
		free(text);
		return say(EXIT_FAILED, "not enough memory");
	}
	args->lists = grown;
	args->lists[args->n_lists++] = text;
	return EXIT_DONE;
}

int
names_take(struct args *args, const char *word)
{
	bool is_stdin = strcmp(word, "@-") == 0;
	size_t before = args->operands.n;
	size_t len = 0;
	FILE *file;
	char *text;
	int status;

	if (word[0] != '@' || word[1] == '\0')
		return words_take(&args->operands, word);
	file = is_stdin ? stdin : fopen(word + 1, "rb");
	text = file != NULL ? read_list(file, &len) : NULL;
	if (text == NULL)
		status = say(EXIT_FAILED, "%s: %s", file_name(word + 1), strerror(errno));
	else
		status = keep_list(args, text);
	if (file != NULL && !is_stdin)
		(void)fclose(file);
	if (status == EXIT_DONE)
		status = split_list(args, text, len);
	if (status == EXIT_DONE && args->operands.n == before)
		status = say(EXIT_FAILED, "%s: no name in it", file_name(word + 1));
	return status;
}

void
names_free(struct args *args)
{
	for (size_t i = 0; i < args->n_lists; i++)
		free(args->lists[i]);
	free(args->lists);
}
