// words.h - parse command lines in the style of Windows' tools
// SPDX-License-Identifier: MIT
//
// Options begin with '-' or '/', in any case, and may have several words. A settings file has the
// same options, as [option] on a line with its values after it and on the lines below, or as on a
// command line: -f csv. Several values on a line are quoted.
//
// The options are those of the verb's table, and their values are accessed as described in args.h:
//
//	struct words_reader reader = {.args = &args, .operand = take_input, .input = "i"};
//
//	status = words_read(&reader, n, words); // sets the options
//	words_free(&reader);                    // the texts that were put together

#ifndef PMON_SHELL_COMPAT_WORDS_H
#define PMON_SHELL_COMPAT_WORDS_H

#include "shell/args/args.h"
#include "format/format.h"
#include "os/outfile.h"

struct words_reader {
	struct args *args;
	int (*operand)(struct args *args, const char *word); // an exit status
	const char *input;  // the setting whose values are operands, such as [i]; NULL: none
	struct words texts; // texts that were joined, or read from a settings file
	bool in_settings;
};

// Parse a command line. Returns an exit status, after a message on failure.
int words_read(struct words_reader *reader, int n, char *const *words);
void words_free(struct words_reader *reader);

// Parse the value of an option, called "relog: -t" in messages, as an integer from low to high.
// NULL leaves *out unchanged. Returns an exit status.
int words_number(const char *option, const char *value, uint64_t low, uint64_t high, uint64_t *out);

// Take ownership of an allocated text. NULL, after a message, if out of memory.
const char *words_keep(struct words_reader *reader, char *text);

// Add the suffix of the format to an output name without one: b becomes b.blg. Names of existing
// things that are not regular files, such as /dev/null, and "-" do not change. The reader owns the
// result; NULL, after a message, if out of memory.
const char *words_output(struct words_reader *reader, const struct pmon_writer *format,
			 const char *output);

// -o SQL:DSN!LOG, an ODBC data source, exists only on Windows: print a message. Returns an exit
// status.
int words_check_output(const struct args *args);

// The output file for a list of counters, as for -cf, which gets its name when the list is
// complete. Both functions return an exit status; the second writes nothing unless its status is
// EXIT_DONE.
struct words_listing {
	FILE *stream;
	char *text;
	size_t len;
};
int words_list_open(struct words_listing *listing);
int words_list_close(struct words_listing *listing, const char *path,
		     struct pmon_outfile_options *options, int status);

#endif
