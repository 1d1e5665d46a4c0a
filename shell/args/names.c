// names.c - lists of files on the command line: @FILE
// SPDX-License-Identifier: MIT

#include "shell/args/names.h"

#include <stdlib.h>
#include <string.h>

#include "shell/args/textfile.h"
#include "shell/output/say.h"
#include "format/format.h"
#include "os/dir.h"

#define FOLDER_FILES 100000 // in a folder of logs

// Split a text into names, in place: at NULs if it has any, otherwise at line ends.
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

// Does the text end with a dot and the ending, in any case? Then cut both off.
static bool
cut_ending(struct pmon_span *text, const char *ending)
{
	size_t n = strlen(ending);
	struct pmon_span last;

	if (text->len <= n + 1)
		return false;
	last = (struct pmon_span){text->ptr + text->len - n, n};
	if (last.ptr[-1] != '.' || !pmon_text_same(last, (struct pmon_span){ending, n}))
		return false;
	text->len -= n + 1;
	return true;
}

// Does the name have the extension of a log that pmon reads, such as a.blg or a.csv.gz?
static bool
is_log_name(const char *path)
{
	struct pmon_span name = {path, strlen(path)};
	const struct pmon_writer *writer;

	(void)(cut_ending(&name, "gz") || cut_ending(&name, "zst"));
	for (size_t i = 0; (writer = pmon_writer_at(i)) != NULL; i++)
		for (size_t k = 0; k < 3 && writer->endings[k] != NULL; k++)
			if (writer->reads_as != NULL && cut_ending(&name, writer->endings[k]))
				return true;
	return false;
}

static int
keep_name(struct words *operands, struct names_texts *texts, const char *path)
{
	char *name = strdup(path);
	int status = name != NULL ? keep_list(texts, name) : say(EXIT_FAILED, "not enough memory");

	return status == EXIT_DONE ? words_take(operands, name) : status;
}

int
names_take_folder(struct words *operands, struct names_texts *texts, const char *folder)
{
	size_t before = operands->n;
	struct pmon_dir *found = NULL;
	struct pmon_err err;
	const char *const *paths;
	int status = EXIT_DONE;
	size_t n;

	if (pmon_dir_list(folder, NULL, FOLDER_FILES, &found, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s: %s", file_name(folder), err.msg);
	paths = pmon_dir_paths(found, &n);
	for (size_t i = 0; i < n && status == EXIT_DONE; i++)
		if (is_log_name(paths[i]))
			status = keep_name(operands, texts, paths[i]);
	pmon_dir_free(found);
	// It may be one log: a folder of registry blocks.
	return status == EXIT_DONE && operands->n == before ? words_take(operands, folder) : status;
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
	for (size_t i = 0; i < n && status == EXIT_DONE; i++)
		status = keep_name(operands, texts, paths[i]);
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
