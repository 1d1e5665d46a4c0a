// args.h - the command line: one table of options for all verbs
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_ARGS_H
#define PMON_CLI_ARGS_ARGS_H

#include <pmon/pmon.h>

#include "cli/args/names.h"
#include "cli/args/option.h"
#include "cli/output/out.h"

// The value of an option that has no field in struct args.
struct option_value {
	bool given;
	const char *text;
	struct words words;
};

// A command line that was understood.
struct args {
	const struct verb *verb;
	struct option_value *own; // beside the options of the verb; NULL: none was parsed
	const char *condition;    // of a verb that has VERB_CONDITION
	struct words operands;
	struct names_texts texts; // of the operands
	struct words inputs;      // files that options name, and that are read
	bool help;

	// ---- Which counters
	struct words patterns;
	struct words pattern_files;
	size_t n_own; // the last patterns, which the verb added and about which nothing is said
	struct words machines;  // other names for them
	bool is_one_of_several; // the operand is one of several logs, which are opened one by one
	bool is_side;           // of VERB_OR_MACHINE: options of the other side are ignored
	bool own_patterns;      // not the user's: what matches nothing is not told
	// Patterns of what the verb also needs, and is given, with what was chosen; the last is NULL. The verb
	// itself leaves out what the user did not choose. NULL: none.
	const char *const *beside;
	const char *from;
	const char *to;
	const char *tz;

	// ---- How logs are read
	const char *encoding;
	const char *known_types;
	enum {
		NAMES_LOG,
		NAMES_ENGLISH
	} names;
	const char *names_table;
	uint64_t max_unpacked; // 0: the default
	size_t series_bytes; // memory for each series (cli/process/memory.h); 0: as the verb needs
	bool dst_repair;
	bool no_sandbox;

	// ---- This machine
	const char *interval;
	const char *count;
	const char *duration;
	const char *root;
	const char *replay;
	bool pid_names;

	// ---- How values are computed
	struct pmon_calc_options calc;
	const char *by;
	enum {
		IDENTITY_PROCESS,
		IDENTITY_WINDOWS
	} identity;            // of verbs that have --identity
	bool tells_processes;  // the same of others: as IDENTITY_PROCESS
	bool no_starts;        // the output cannot hold what processes counted from
	bool identifies_later; // the verb calls logs_identify() itself
	uint32_t forget_after; // samples after which a process that ended is forgotten; 0: none is

	// ---- Output
	enum out_format format;
	enum {
		DIGITS_SHORT,
		DIGITS_FULL
	} digits;
	const char *output;
	bool yes; // write over a file that is there
	bool sync;
	bool raw_names;
	enum {
		COLOR_AUTO,
		COLOR_ALWAYS,
		COLOR_NEVER
	} color;
	enum {
		LABELS_TARGET,
		LABELS_CLASSIC
	} labels;
};

// Understand the words after the verb. verbs are all verbs, ended by NULL: an option that another has is said to
// be its. Returns EXIT_DONE, or EXIT_USAGE after saying what is wrong.
int args_parse(struct args *args, const struct verb *verb, const struct verb *const *verbs, int n,
	       char *const *words);
void args_free(struct args *args);

// Begin with no options; then set the option with this place (option_at()); the value of a flag is NULL. For verbs
// that read their words themselves. Both return an exit status.
int args_begin(struct args *args, const struct verb *verb);
int args_set(struct args *args, size_t place, const char *value);

// The value of an option by its name, of those that have no field above: NULL, false and no words if it was not
// given, or if the verb does not have it.
const char *args_text(const struct args *args, const char *option);
bool args_flag(const struct args *args, const char *option);
const struct words *args_words(const struct args *args, const char *option);

// A port; NULL is 0. Returns EXIT_USAGE after saying what is wrong.
int args_port(const char *text, uint16_t *port);

// Was the option of the verb with this place (option_at()) given?
bool args_has(const struct args *args, size_t place);

// A size of a command line, "500KB", "100MB" or "1.5G", in bytes. NULL leaves it as it is. Returns EXIT_DONE, or
// EXIT_USAGE after reporting an invalid size.
int args_size(const char *option, const char *text, uint64_t *out);

#endif
