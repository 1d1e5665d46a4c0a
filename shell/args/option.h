// option.h - option tables of verbs
// SPDX-License-Identifier: MIT
//
// A verb has a table of options. The tables determine the command line, --help, the manual's list
// and the completions. An option of one verb is a field of its options struct and a line in its
// table:
//
//	struct page_options {
//		const char *theme;
//	};
//
//	static const struct option options[] = {
//		GROUP(options_select),
//		OPTION(TEXT, page, theme, "--theme", NULL, "light|dark", "colours of the page"),
//		OPTION_END,
//	};
//
//	const char *theme = OWN_OPTIONS(page, args)->theme;
//
// The verb gives the size of the struct (verb.h). Options shared by several verbs are fields of
// struct args, with their lines in groups.c. If a field does not have the type of its kind, it does
// not compile.

#ifndef PMON_SHELL_ARGS_OPTION_H
#define PMON_SHELL_ARGS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shell/args/words.h"

// The argument of an option, and the type of its field.
enum option_kind {
	OPTION_TEXT,   // const char *
	OPTION_FLAG,   // bool; takes no argument
	OPTION_SIZE,   // uint64_t, bytes
	OPTION_NUMBER, // uint64_t, at least 1; 0: not given
	OPTION_LOCAL,  // int64_t, a date and time of day as pmon_time
	OPTION_ZONE,   // struct option_zone
	OPTION_WORDS,  // struct words: may be repeated
	OPTION_FILE,   // const char *, an input file, which the sandbox allows to be opened
	OPTION_FORMAT, // const char *, one of the formats that can be recorded
	OPTION_CHOICE, // an enum: the index of the given word in the argument, "text|csv|json"
	// For the command lines of Windows' tools (shell/compat/words.h):
	OPTION_TIME,     // const char *: "11/26/2016 1:46:40 PM", up to three words
	OPTION_MAYBE,    // const char *: "" if no value follows
	OPTION_SETTINGS, // a settings file, which is read; no field
};

// What the option applies to.
enum option_scope {
	OPTION_ANY,
	OPTION_LOGS,
	OPTION_MACHINE,
};

struct option_zone {
	bool is_given;
	const char *name;   // of the IANA database; NULL: it has one offset
	int32_t offset_min; // ahead of UTC
};

struct option {
	const char *names[2]; // the second may be NULL
	const char *arg;      // name of its argument in the help; NULL if it has none
	const char *help;     // one sentence
	enum option_kind kind;
	enum option_scope scope;
	// the field is in the verb's own struct; otherwise in struct args
	bool own;
	size_t offset;              // of the field
	const struct option *group; // if not NULL, the options of this table are inserted here
};

#define OPTION_TYPE_TEXT   const char *
#define OPTION_TYPE_FLAG   bool
#define OPTION_TYPE_SIZE   uint64_t
#define OPTION_TYPE_NUMBER uint64_t
#define OPTION_TYPE_LOCAL  int64_t
#define OPTION_TYPE_ZONE   struct option_zone
#define OPTION_TYPE_WORDS  struct words
#define OPTION_TYPE_FILE   const char *
#define OPTION_TYPE_FORMAT const char *
#define OPTION_TYPE_CHOICE unsigned
#define OPTION_TYPE_TIME   const char *
#define OPTION_TYPE_MAYBE  const char *

// The offset of a field, checked to have the type of the kind.
#define OPTION_FIELD(kind, type, field)                                                            \
	_Generic(((type *)NULL)->field, OPTION_TYPE_##kind : offsetof(type, field))

// An option specific to one verb: its value is stored in this field of struct VERB_options.
#define OPTION(kind, verb, field, first, second, arg, help)                                        \
	OPTION_FOR(ANY, kind, verb, field, first, second, arg, help)
#define OPTION_FOR(scope, kind, verb, field, first, second, arg, help)                             \
	{                                                                                          \
		{first, second}, arg, help, OPTION_##kind, OPTION_##scope, true,                   \
			OPTION_FIELD(kind, struct verb##_options, field), NULL                     \
	}
// An option shared by several verbs: its value is stored in this field of struct args.
#define OPTION_INTO(kind, field, scope, first, second, arg, help)                                  \
	{                                                                                          \
		{first, second}, arg, help, OPTION_##kind, OPTION_##scope, false,                  \
			OPTION_FIELD(kind, struct args, field), NULL                               \
	}
#define OPTION_SETTINGS_FILE(first, second, arg, help)                                             \
	{                                                                                          \
		{first, second}, arg, help, OPTION_SETTINGS, OPTION_ANY, false, 0, NULL            \
	}
#define GROUP(table)                                                                               \
	{                                                                                          \
		{NULL, NULL}, NULL, NULL, OPTION_TEXT, OPTION_ANY, false, 0, table                 \
	}
#define OPTION_END                                                                                 \
	{                                                                                          \
		{NULL, NULL}, NULL, NULL, OPTION_TEXT, OPTION_ANY, false, 0, NULL                  \
	}

// Option i of a table, including those of its groups. NULL after the last. The table may be NULL.
const struct option *option_at(const struct option *table, size_t i);

// The index for option_at() of the option with this name, or OPTION_NONE.
#define OPTION_NONE ((size_t)-1)
size_t option_find(const struct option *table, const char *name, size_t len);

// Does the table have an option that is stored in this field of struct args?
bool option_goes_to(const struct option *table, size_t offset);
#define OPTION_IS_OFFERED(verb, field) option_goes_to((verb)->options, offsetof(struct args, field))

// The argument as shown in the help: for OPTION_FORMAT the formats, "blg|csv". Valid until buf is
// used again.
#define OPTION_ARG_SIZE 128
const char *option_arg(const struct option *option, char buf[OPTION_ARG_SIZE]);

// The longer of its names: "--interval".
const char *option_name(const struct option *option);

#endif
