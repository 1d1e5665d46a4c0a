// log_format.h - choose the format of an output log, by an option or the ending of its name
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_LOG_FORMAT_H
#define PMON_SHELL_ARGS_LOG_FORMAT_H

#include "shell/args/args.h"
#include "format/format.h"

struct log_format {
	const char *option; // the option for the format
	const char *named;  // its value; NULL: not given
	const char *usual;  // the format if there is no ending
	bool record;        // only formats that can be recorded (struct pmon_writer)
};

// The format of the output with that name; NULL or "-": it has no name. The option takes
// precedence, with a note if the ending contradicts it. *out is NULL on failure. Returns EXIT_DONE,
// or EXIT_USAGE after a message if there is no such format, or if pmon does not write files with that
// ending.
int log_format_find(const struct args *args, const struct log_format *format, const char *output,
		    const struct pmon_writer **out);

// The list of counters that -q prints is text. Returns EXIT_DONE, or EXIT_USAGE after a message if
// the ending is that of another kind of file.
int log_format_check_list(const struct args *args, const char *output);

// What follows the last dot of the name, without numbers after it: "csv" of log.csv.1, and "" of
// "log.". A name without an extension, and an output of NULL, has {NULL, 0}.
struct pmon_span log_format_ending(const char *output);

#endif
