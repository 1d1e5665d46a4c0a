// manual.c - pmon __manual: a manual page for each verb, from the same tables as its --help
// SPDX-License-Identifier: MIT

#include "verbs/manual.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "shell/args/verb.h"
#include "shell/output/say.h"

#define PATH_MOST 4096

// ---- Text -----------------------------------------------------------------------------------

static const char *
escape_of(char c)
{
	switch (c) {
	case '\\':
		return "\\e";
	case '-':
		return "\\-";
	case '\'':
		return "\\(aq";
	case '`':
		return "\\(ga";
	case '^':
		return "\\(ha";
	case '~':
		return "\\(ti";
	default:
		return NULL;
	}
}

// Print text so that roff shows each character as it is. A point at the beginning of a line would be a request.
static void
put_text(FILE *page, const char *text, size_t len)
{
	if (len > 0 && text[0] == '.')
		fputs("\\&", page);
	for (size_t i = 0; i < len; i++)
		if (escape_of(text[i]) != NULL)
			fputs(escape_of(text[i]), page);
		else
			(void)putc(text[i], page);
}

static void
put_word(FILE *page, const char *text)
{
	put_text(page, text, strlen(text));
}

// ---- Sections -------------------------------------------------------------------------------

static void
put_head(FILE *page, const struct verb *verb)
{
	fputs(".\\\" Made from the help of the verb by pmon __manual\n.TH PMON\\-", page);
	for (const char *c = verb->name; *c != '\0'; c++)
		(void)putc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, page);
	fprintf(page, " 1 \"\" \"pmon %s\"\n.SH NAME\npmon\\-%s \\- ", PMON_VERSION_TEXT,
		verb->name);
	put_word(page, verb->summary);
	fprintf(page, "\n.SH SYNOPSIS\n\\fBpmon %s\\fP", verb->name);
	fputs(verb->options != NULL ? " [\\fIoptions\\fP] " : " ", page);
	put_word(page, verb->operands);
	fputs("\n", page);
}

// Paragraphs, and then lines below "Examples:", which are indented by two spaces and shown as they are.
static void
put_details(FILE *page, const char *text)
{
	bool is_example = false;

	if (strncmp(text, "Examples:", 9) != 0)
		fputs(".SH DESCRIPTION\n", page);
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");

		if (len == 9 && strncmp(text, "Examples:", len) == 0) {
			fputs(".SH EXAMPLES\n.nf\n", page);
			is_example = true;
		} else if (is_example && len > 2) {
			put_text(page, text + 2, len - 2);
			fputs("\n", page);
		} else if (len > 0) {
			put_text(page, text, len);
			fputs("\n", page);
		} else if (strncmp(text, "\nExamples:", 10) != 0) {
			fputs(".PP\n", page);
		}
		text += len + (text[len] == '\n');
	}
	fputs(is_example ? ".fi\n" : "", page);
}

static void
put_option(FILE *page, const struct option *option)
{
	char choices[OPTION_ARG_SIZE];
	const char *arg = option_arg(option, choices);

	fputs(".TP\n", page);
	for (size_t i = 0; i < 2 && option->names[i] != NULL; i++) {
		fputs(i > 0 ? ", \\fB" : "\\fB", page);
		put_word(page, option->names[i]);
		fputs("\\fP", page);
	}
	if (arg != NULL) {
		fputs(" \\fI", page);
		put_word(page, arg);
		fputs("\\fP", page);
	}
	fputs("\n", page);
	put_word(page, option->help);
	fputs(".\n", page);
}

static void
put_page(FILE *page, const struct verb *verb)
{
	put_head(page, verb);
	if (verb->options != NULL)
		fputs(".SH OPTIONS\n", page);
	for (size_t i = 0; option_at(verb->options, i) != NULL; i++)
		put_option(page, option_at(verb->options, i));
	if (verb->details[0] != '\0')
		put_details(page, verb->details);
	fputs(".SH SEE ALSO\n.BR pmon (1)\n", page);
}

// ---- Files ----------------------------------------------------------------------------------

static int
write_page(const char *folder, const struct verb *verb)
{
	char name[PATH_MOST];
	FILE *page;
	bool is_good;

	(void)snprintf(name, sizeof(name), "%s/pmon-%s.1", folder, verb->name);
	page = fopen(name, "wb");
	if (page == NULL)
		return say(EXIT_FAILED, "cannot create %s: %s", name, strerror(errno));
	put_page(page, verb);
	is_good = ferror(page) == 0;
	is_good = fclose(page) == 0 && is_good;
	return is_good ? EXIT_DONE : say(EXIT_FAILED, "cannot write %s", name);
}

int
manual_write(int n, char *const *words)
{
	int status = EXIT_DONE;

	if (n != 1)
		return say(EXIT_USAGE, "__manual: one folder is required");
	for (size_t i = 0; status == EXIT_DONE && verb_table[i] != NULL; i++)
		status = write_page(words[0], verb_table[i]);
	return status;
}
