// log_format.c - choose the format of an output log, by an option or the ending of its name
// SPDX-License-Identifier: MIT

#include "shell/args/log_format.h"

#include <string.h>

#include "base/scan.h"
#include "base/text.h"
#include "shell/args/verb.h"
#include "shell/output/say.h"
#include "os/dir.h"

// ---- Endings --------------------------------------------------------------------------------

// Formats that pmon does not write.
struct foreign {
	const char *ending;
	const char *packer; // the program that converts a log to it; NULL: none
};

static const struct foreign foreigns[] = {
	{"gz", "gzip"},    {"zst", "zstd"}, {"xz", "xz"},   {"bz2", "bzip2"}, {"lz4", "lz4"},
	{"zip", "zip"},    {"7z", "7z a"},  {"tgz", "tar"}, {"etl", NULL},    {"evtx", NULL},
	{"feather", NULL}, {"xlsx", NULL},  {"xls", NULL},  {"ods", NULL},    {"mdb", NULL},
	{"accdb", NULL},   {"html", NULL},  {"htm", NULL},  {"xml", NULL},    {"pdf", NULL},
	{"svg", NULL},     {"png", NULL},
};

static bool
is_same(struct pmon_span a, const char *b)
{
	return pmon_text_same(a, (struct pmon_span){b, strlen(b)});
}

// Extensions of any text, such as the CSV that typeperf writes by default.
static bool
is_of_text(struct pmon_span ending)
{
	return is_same(ending, "txt") || is_same(ending, "log") || is_same(ending, "dat");
}

static const struct foreign *
find_foreign(struct pmon_span ending)
{
	for (size_t i = 0; i < sizeof(foreigns) / sizeof(foreigns[0]); i++)
		if (is_same(ending, foreigns[i].ending))
			return &foreigns[i];
	return NULL;
}

static bool
has_ending(const struct pmon_writer *writer, struct pmon_span ending)
{
	const size_t most = sizeof(writer->endings) / sizeof(writer->endings[0]);

	for (size_t i = 0; i < most && writer->endings[i] != NULL; i++)
		if (is_same(ending, writer->endings[i]))
			return true;
	return false;
}

static const struct pmon_writer *
writer_of(struct pmon_span ending)
{
	const struct pmon_writer *writer;

	for (size_t i = 0; ending.len > 0 && (writer = pmon_writer_at(i)) != NULL; i++)
		if (has_ending(writer, ending))
			return writer;
	return NULL;
}

// ---- The ending of a name --------------------------------------------------------------------

// Dates, numbers and versions are no extension; anything with a letter is, such as `csv~`.
static bool
is_number(struct pmon_span text)
{
	bool has_digit = false;

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\0' || strchr("0123456789-_+:", text.ptr[i]) == NULL)
			return false;
		has_digit |= pmon_is_digit(text.ptr[i]);
	}
	return has_digit;
}

// What follows the last dot, or {NULL, 0} without a dot.
static struct pmon_span
after_dot(struct pmon_span name)
{
	for (size_t i = name.len; i > 0; i--)
		if (name.ptr[i - 1] == '.')
			return (struct pmon_span){name.ptr + i, name.len - i};
	return (struct pmon_span){NULL, 0};
}

// In log.csv.1 the number follows the extension, in web1.2026-11-28 there is none, and a name such
// as .cache is none by itself.
struct pmon_span
log_format_ending(const char *output)
{
	const char *base = output != NULL ? pmon_os_name(output) : "";
	struct pmon_span name = {base, strlen(base)};
	struct pmon_span ending = after_dot(name);

	while (is_number(ending)) {
		name.len = (size_t)(ending.ptr - 1 - base);
		ending = after_dot(name);
	}
	if (ending.ptr == base + 1 && writer_of(ending) == NULL && find_foreign(ending) == NULL)
		return (struct pmon_span){NULL, 0};
	return ending;
}

// ---- Messages -------------------------------------------------------------------------------

#define NAMES_SIZE 512

static bool
is_offered(const struct log_format *format, const struct pmon_writer *writer)
{
	return writer->record || !format->record;
}

// "BIN", as Windows' tools name the format, or "blg", as pmon record does.
static void
put_name(struct pmon_text *t, const struct log_format *format, const struct pmon_writer *writer)
{
	const char *name = writer->alias != NULL ? writer->alias : writer->name;

	if (format->record) {
		pmon_text_str(t, writer->name);
		return;
	}
	for (; *name != '\0'; name++) {
		char c = *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;

		pmon_text_span(t, (struct pmon_span){&c, 1});
	}
}

static const struct pmon_writer *
next_offered(const struct log_format *format, size_t *i)
{
	const struct pmon_writer *writer;

	while ((writer = pmon_writer_at((*i)++)) != NULL)
		if (is_offered(format, writer))
			return writer;
	return NULL;
}

// "BIN, CSV or TSV"
static void
list_names(const struct log_format *format, char names[NAMES_SIZE])
{
	struct pmon_text t = pmon_text_init(names, NAMES_SIZE);
	size_t i = 0;
	const struct pmon_writer *next = next_offered(format, &i);

	for (size_t n = 0; next != NULL; n++) {
		const struct pmon_writer *writer = next;

		next = next_offered(format, &i);
		if (n > 0)
			pmon_text_str(&t, next != NULL ? ", " : " or ");
		put_name(&t, format, writer);
	}
}

static int
refuse_packed(const struct args *args, const char *output, const struct foreign *foreign)
{
	int stem = (int)(log_format_ending(output).ptr - 1 - output);

	return say(
		EXIT_USAGE,
		"%s: pmon does not write compressed files such as %s; write %.*s, then run %s on "
		"it",
		args->verb->name, output, stem, output, foreign->packer);
}

static int
refuse_ending(const struct args *args, const struct log_format *format, const char *output)
{
	char names[NAMES_SIZE];

	list_names(format, names);
	return say(EXIT_USAGE,
		   "%s: the extension of %s does not name a log format that can be written here; "
		   "use another, such as .blg, .csv or .db, or specify the format with %s: %s",
		   args->verb->name, output, format->option, names);
}

// ---- The format -----------------------------------------------------------------------------

static const struct pmon_writer *
named(const struct args *args, const struct log_format *format, const char *name)
{
	const struct pmon_writer *writer = pmon_writer_find(name);
	char names[NAMES_SIZE];

	if (writer != NULL && is_offered(format, writer))
		return writer;
	list_names(format, names);
	say(0, "%s: %s must be %s, not \"%s\"", args->verb->name, format->option, names, name);
	return NULL;
}

// Print a note if the option contradicts the ending.
static void
note_contradiction(const struct log_format *format, const char *output, struct pmon_span ending,
		   const struct pmon_writer *writer)
{
	char name[32];
	struct pmon_text t = pmon_text_init(name, sizeof(name));

	if (has_ending(writer, ending) ||
	    (writer_of(ending) == NULL && find_foreign(ending) == NULL))
		return;
	put_name(&t, format, writer);
	say(0, "note: %s will contain %s because of %s, despite its name", output, name,
	    format->option);
}

int
log_format_find(const struct args *args, const struct log_format *format, const char *output,
		const struct pmon_writer **out)
{
	const char *name = format->named;
	struct pmon_span ending = log_format_ending(output);
	const struct foreign *foreign = find_foreign(ending);

	*out = NULL;
	if (foreign != NULL && foreign->packer != NULL)
		return refuse_packed(args, output, foreign);
	if (name != NULL) {
		*out = named(args, format, name);
		if (*out != NULL)
			note_contradiction(format, output, ending, *out);
		return *out != NULL ? EXIT_DONE : EXIT_USAGE;
	}
	*out = writer_of(ending);
	if (*out == NULL &&
	    (ending.ptr == NULL || (is_of_text(ending) && strcmp(format->usual, "csv") == 0)))
		*out = pmon_writer_find(format->usual);
	if (*out != NULL && is_offered(format, *out))
		return EXIT_DONE;
	*out = NULL;
	return refuse_ending(args, format, output);
}

int
log_format_check_list(const struct args *args, const char *output)
{
	struct pmon_span ending = log_format_ending(output);
	const struct pmon_writer *writer = writer_of(ending);

	if (find_foreign(ending) == NULL && (writer == NULL || strcmp(writer->name, "csv") == 0 ||
					     strcmp(writer->name, "tsv") == 0))
		return EXIT_DONE;
	return say(EXIT_USAGE,
		   "%s: %s: a list of counters is text; use another extension, such as .txt",
		   args->verb->name, output);
}
