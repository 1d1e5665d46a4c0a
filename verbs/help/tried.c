// tried.c - the verbs of other programs, and what to type instead
// SPDX-License-Identifier: MIT

#include "verbs/help/tried.h"

#include <string.h>

#include "base/text.h"

// In the command, %1 is the first file, %2 the second and %* all of them.
static const struct {
	const char *words; // separated by blanks
	const char *command;
} tried[] = {
	{"convert transcode", "pmon relog %1 -o %2"},
	{"csv export save tocsv", "pmon relog %1 -o %2"},
	{"json tojson", "pmon values --format json %*"},
	{"merge join concat combine", "pmon relog %* -o merged.blg"},
	{"plot graph draw svg png", "pmon chart %*"},
	{"compare vs", "pmon diff %1 %2"},
	{"summary summarize summarise describe overview open show analyze analyse check",
	 "pmon %*"},
	{"top-processes processes ps top-process",
	 "pmon stats -c 'process cpu' --sort total --limit 10 %*"},
	{"tail last", "pmon values --from -5m %*"},
	{"head first", "pmon values --to +5m %*"},
	{"print cat data", "pmon values %*"},
	{"dump", "pmon raw %*"},
	{"average averages avg mean max min aggregate statistics stat", "pmon stats %*"},
	{"counters ls columns", "pmon list %*"},
	{"count metadata header", "pmon info %*"},
	{"search grep", "pmon list -c 'disk read' %*"},
	{"filter select cut slice trim crop extract", "pmon relog %1 -c 'disk read' -o %2"},
	{"leaks leak growth", "pmon trend %*"},
	{"alerts findings problems diagnose", "pmon health %*"},
	{"html", "pmon report %*"},
	{"gui web ui browse", "pmon view %*"},
	{"sample collect capture monitor log", "pmon record"},
	{"upload import load", "pmon push %* --to URL"},
};

// Is the word one of the list?
static bool
has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = words; len > 0 && (at = strstr(at, word)) != NULL; at += len)
		if ((at == words || at[-1] == ' ') && (at[len] == '\0' || at[len] == ' '))
			return true;
	return false;
}

// For a shell: in quotes if it has other characters than those of most names.
static void
put_name(struct pmon_text *t, const char *name)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "./_-+:@%,";
	bool is_plain = name[strspn(name, plain)] == '\0';

	pmon_text_str(t, is_plain ? "" : "'");
	for (const char *c = name; *c != '\0'; c++)
		if (*c == '\'' && !is_plain)
			pmon_text_str(t, "'\\''");
		else
			pmon_text_char(t, *c);
	pmon_text_str(t, is_plain ? "" : "'");
}

struct files {
	const char *list[TRIED_FILES];
	size_t n;
};

// The words that are not options.
static struct files
files_of(int n, char *const *words)
{
	struct files files = {.n = 0};

	for (int i = 0; i < n && files.n < TRIED_FILES; i++)
		if (words[i][0] != '-')
			files.list[files.n++] = words[i];
	return files;
}

static void
put_file(struct pmon_text *t, const struct files *files, size_t i)
{
	static const char *const missing[] = {"a.blg", "b.csv"};

	put_name(t, i < files->n ? files->list[i] : missing[i]);
}

static void
put_files(struct pmon_text *t, const struct files *files)
{
	if (files->n == 0)
		pmon_text_str(t, "a.blg");
	for (size_t i = 0; i < files->n; i++) {
		pmon_text_str(t, i > 0 ? " " : "");
		put_name(t, files->list[i]);
	}
}

static void
put_command(struct pmon_text *t, const char *command, const struct files *files)
{
	for (const char *c = command; *c != '\0'; c++) {
		if (*c != '%') {
			pmon_text_char(t, *c);
			continue;
		}
		c++;
		if (*c == '*')
			put_files(t, files);
		else
			put_file(t, files, (size_t)(*c - '1'));
	}
}

bool
tried_command(const char *word, int n, char *const *words, char *buf, size_t size)
{
	struct files files = files_of(n, words);

	for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++) {
		struct pmon_text t = pmon_text_init(buf, size);

		if (!has_word(tried[i].words, word))
			continue;
		put_command(&t, tried[i].command, &files);
		return true;
	}
	return false;
}

void
tried_with_verb(const char *verb, int n, char *const *words, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);

	pmon_text_str(&t, "pmon ");
	pmon_text_str(&t, verb);
	for (int i = 0; i < n; i++) {
		pmon_text_char(&t, ' ');
		put_name(&t, words[i]);
	}
}
