// names.c - lists of files on the command line: @FILE
// SPDX-License-Identifier: MIT

#include "cli/args/names.h"

#include <stdlib.h>
#include <string.h>

#include "cli/args/textfile.h"
#include "cli/output/say.h"
#include "os/dir.h"

// The names in a text, which stays where it is. With a NUL in it they are ended by NULs, else by lines.
static int
split_list(struct words *operands, char *text, size_t len)
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
			status = words_take(operands, name);
	}
	return status;
}

static int
keep_list(struct names_texts *texts, char *text)
{
	char **grown = realloc(texts->list, (texts->n + 1) * sizeof(*grown));

	if (grown == NULL) {
		free(text);
		return say(EXIT_FAILED, "not enough memory");
	}
	texts->list = grown;
	texts->list[texts->n++] = text;
	return EXIT_DONE;
}

int
names_take(struct words *operands, struct names_texts *texts, const char *word)
{
	size_t before = operands->n;
	struct textfile list;
	int status;

	if (word[0] != '@' || word[1] == '\0')
		return words_take(operands, word);
	status = textfile_read(word + 1, TEXTFILE_BYTES, &list);
	if (status == EXIT_DONE)
		status = keep_list(texts, list.text);
	if (status == EXIT_DONE)
		status = split_list(operands, list.text, list.len);
	if (status == EXIT_DONE && operands->n == before)
		status = say(EXIT_FAILED, "%s: the list of files is empty", file_name(word + 1));
	return status;
}

int
names_take_matching(struct words *operands, struct names_texts *texts, const char *word)
{
	int status = EXIT_DONE;
	struct pmon_dir *found = NULL;
	const char *const *paths;
	size_t n;

	if (word[0] == '@' || strpbrk(word, "*?[") == NULL || pmon_os_stat(word, true).is_there ||
	    pmon_dir_match(word, NULL, &found, NULL) != PMON_OK)
		return names_take(operands, texts, word);
	paths = pmon_dir_paths(found, &n);
	for (size_t i = 0; i < n && status == EXIT_DONE; i++) {
		char *name = strdup(paths[i]);

		status = name != NULL ? keep_list(texts, name)
				      : say(EXIT_FAILED, "not enough memory");
		if (status == EXIT_DONE)
			status = words_take(operands, name);
	}
	pmon_dir_free(found);
	return status;
}

void
names_free(struct names_texts *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		free(texts->list[i]);
	free(texts->list);
}
