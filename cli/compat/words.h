// words.h - command lines after the fashion of Windows' tools
// SPDX-License-Identifier: MIT
//
// Options begin with '-' or '/', in any case, and may take several words. A settings file has the same
// options, as [option] on a line with its values after it and on the lines below, or as they stand on a
// command line: -f csv. Several values on a line are quoted.
//
//	static const struct words_option options[] = {{OPT_F, "f", WORDS_ONE}, ...};
//	static const struct words_rules rules = {"relog", options, 27, set_flag, set};
//	struct words_reader reader = {.rules = &rules, .ctx = &relog};
//
//	status = words_read(&reader, n, words);         // calls the rules' functions
//	words_free(&reader);                            // the texts that they were given

#ifndef PMON_CLI_COMPAT_WORDS_H
#define PMON_CLI_COMPAT_WORDS_H

#include "cli/args/args.h"
#include "format/format.h"
#include "os/outfile.h"

// How many words an option takes.
enum words_count {
	WORDS_NONE,
	WORDS_ONE,
	WORDS_MAYBE, // one, if the next word is not an option
	WORDS_MANY,  // all up to the next option
	WORDS_TIME,  // "11/26/2016 1:46:40 PM": three at the most, which are given as one
	WORDS_FILE,  // one: the settings file, which is read
};

#define WORDS_OPERAND (-1) // the option that words without an option belong to

struct words_option {
	int opt;
	const char *name; // without its first '-': "f", "-step"
	enum words_count count;
	bool settings_only; // "[i]", which the command line says without an option
};

struct words_rules {
	const char *tool;
	const struct words_option *options;
	size_t n;
	void (*set_flag)(void *ctx, int opt);
	int (*set)(void *ctx, int opt, const char *value); // each value, in turn. An exit status
};

struct words_reader {
	const struct words_rules *rules;
	void *ctx;
	struct words texts; // that were put together, or read from a settings file
	bool in_settings;
};

// Understand a command line. Returns an exit status after saying what is wrong.
int words_read(struct words_reader *reader, int n, char *const *words);
void words_free(struct words_reader *reader);

// A whole number from low to high; says what is wrong with another.
int words_number(const struct words_rules *rules, const char *option, const char *value,
		 uint64_t low, uint64_t high, uint64_t *out);

// The format that such tools write: the word after -f, in any case. NULL after saying which there are.
const struct pmon_writer *words_format(const struct words_rules *rules, const char *name);

// The output with the suffix of the format, where its name has none: b becomes b.blg. What exists and is
// no regular file, as /dev/null, keeps its name, and so does "-". The text belongs to the reader; NULL
// when memory is short, which was said.
const char *words_output(struct words_reader *reader, const struct pmon_writer *format,
			 const char *output);

// -o SQL:DSN!LOG, an ODBC data source, is Windows' alone. Says so. An exit status.
int words_check_output(const struct words_rules *rules, const char *output);

// A file for a list of counters, as -cf takes it, which is made when the list is complete. Both return an
// exit status; the latter writes nothing unless the one that it is given is EXIT_DONE.
struct words_listing {
	FILE *stream;
	char *text;
	size_t len;
};
int words_list_open(struct words_listing *listing);
int words_list_close(struct words_listing *listing, const char *path,
		     struct pmon_outfile_options *options, int status);

// --policy. An exit status.
int words_policy(const struct words_rules *rules, const char *value, enum pmon_policy *out);

#endif
