// words.h - command lines after the fashion of Windows' tools
// SPDX-License-Identifier: MIT
//
// Options begin with '-' or '/', in any case, and may take several words. A settings file has the same
// options, as [option] on a line with its values after it and on the lines below, or as they stand on a
// command line: -f csv. Several values on a line are quoted.
//
// The options are those of the verb's table, and their values are asked for as args.h says:
//
//	struct words_reader reader = {.args = &args, .operand = take_input, .input = "i"};
//
//	status = words_read(&reader, n, words); // sets the options
//	words_free(&reader);                    // the texts that were put together

#ifndef PMON_CLI_COMPAT_WORDS_H
#define PMON_CLI_COMPAT_WORDS_H

#include "cli/args/args.h"
#include "format/format.h"
#include "os/outfile.h"

struct words_reader {
	struct args *args;
	int (*operand)(struct args *args, const char *word); // an exit status
	const char *input;  // the setting, as [i], whose values are operands; NULL: none
	struct words texts; // that were put together, or read from a settings file
	bool in_settings;
};

// Understand a command line. Returns an exit status after saying what is wrong.
int words_read(struct words_reader *reader, int n, char *const *words);
void words_free(struct words_reader *reader);

// The value of an option as a whole number from low to high; 0 if it was not given. Returns an exit status.
int words_number(const struct args *args, const char *option, uint64_t low, uint64_t high,
		 uint64_t *out);

// The format that -f names, in any case; unless it is given, that of this name. NULL after an error message.
const struct pmon_writer *words_format(const struct args *args, const char *usual);

// The output with the suffix of the format, where its name has none: b becomes b.blg. What exists and is
// no regular file, as /dev/null, keeps its name, and so does "-". The text belongs to the reader; NULL
// when memory is short, which was said.
const char *words_output(struct words_reader *reader, const struct pmon_writer *format,
			 const char *output);

// -o SQL:DSN!LOG, an ODBC data source, is Windows' alone. Says so. An exit status.
int words_check_output(const struct args *args);

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

#endif
