// option.h - the options of a verb
// SPDX-License-Identifier: MIT
//
// A verb has a table of options. From the tables come the command line, --help, the manual's list and the
// completions. An option of one verb is a line in its table, and its value is asked for by name:
//
//	static const struct option options[] = {
//		GROUP(options_select),
//		OPTION(TEXT, "--title", NULL, "TEXT", "title of the page"),
//		OPTION_END,
//	};
//	const char *title = args_text(args, "--title");
//
// Options that the reading of logs and of this machine depends on go into a field of struct args (groups.c).

#ifndef PMON_CLI_ARGS_OPTION_H
#define PMON_CLI_ARGS_OPTION_H

#include <stddef.h>

enum option_kind {
	OPTION_TEXT,   // const char *
	OPTION_FLAG,   // bool; takes no argument
	OPTION_SIZE,   // uint64_t, bytes
	OPTION_WORDS,  // struct words: may be repeated
	OPTION_FILE,   // const char *, a file that is read: the sandbox lets it be opened
	OPTION_FORMAT, // const char *, one of the formats that can be recorded
	OPTION_CHOICE, // int: the place in its argument, "text|csv|json", of the word that was given
	// Of Windows' tools (cli/compat/words.h):
	OPTION_TIME,     // const char *: "11/26/2016 1:46:40 PM", up to three words
	OPTION_MAYBE,    // const char *: NULL if no value follows
	OPTION_SETTINGS, // a file of settings, which is read
};

// What the option makes sense for.
enum option_scope {
	OPTION_ANY,
	OPTION_LOGS,
	OPTION_MACHINE,
};

struct option {
	const char *names[2]; // the second may be NULL
	const char *arg;      // name of its argument in the help; NULL when it takes none
	const char *help;     // one sentence
	enum option_kind kind;
	enum option_scope scope;
	size_t offset;              // into struct args; 0: the value is asked for by name
	const struct option *group; // not NULL: the options of this table stand here
};

#define OPTION(kind, first, second, arg, help)                                                     \
	{                                                                                          \
		{first, second}, arg, help, OPTION_##kind, OPTION_ANY, 0, NULL                     \
	}
#define OPTION_FOR(scope, kind, first, second, arg, help)                                          \
	{                                                                                          \
		{first, second}, arg, help, OPTION_##kind, OPTION_##scope, 0, NULL                 \
	}
#define OPTION_INTO(kind, field, scope, first, second, arg, help)                                  \
	{                                                                                          \
		{first, second}, arg, help, OPTION_##kind, OPTION_##scope,                         \
			offsetof(struct args, field), NULL                                         \
	}
#define GROUP(table)                                                                               \
	{                                                                                          \
		{NULL, NULL}, NULL, NULL, OPTION_TEXT, OPTION_ANY, 0, table                        \
	}
#define OPTION_END                                                                                 \
	{                                                                                          \
		{NULL, NULL}, NULL, NULL, OPTION_TEXT, OPTION_ANY, 0, NULL                         \
	}

// The i-th option of a table, those of its groups included. NULL after the last. The table may be NULL.
const struct option *option_at(const struct option *table, size_t i);

// The option of this name: its place for option_at(), or OPTION_NONE.
#define OPTION_NONE ((size_t)-1)
size_t option_find(const struct option *table, const char *name, size_t len);

// The argument as the help has it: of OPTION_FORMAT the formats, "blg|csv". Valid until buf is used again.
#define OPTION_ARG_SIZE 128
const char *option_arg(const struct option *option, char buf[OPTION_ARG_SIZE]);

// The longer of its names: "--interval".
const char *option_name(const struct option *option);

#endif
