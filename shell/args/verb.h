// verb.h - the definition of a verb
// SPDX-License-Identifier: MIT
//
// Most verbs read logs, or this machine, and print rows; verbs/raw/raw.c does nothing else. Their
// run() turns the command line into a request, opens it, and reads samples to the end:
//
//	struct request request = request_from(args);             // shell/input/request.h
//	int status = logs_open(&logs, &request);                  // shell/input/logs.h; says why not
//
//	if (status == EXIT_DONE) {
//		out_begin(&out, stdout, args->format, ...);       // shell/output/out.h
//		while (logs_next(&logs, &sample, &status))
//			if (!sample->preceding)                     // it only makes the first rates possible
//				put(&out, &logs, sample);
//		if (out_end(&out) != EXIT_DONE)
//			status = EXIT_FAILED;
//	}
//	if (status == EXIT_DONE)
//		status = logs_check_patterns(&logs);              // says which patterns matched nothing
//	return logs_close(&logs, status);                         // in any case
//
// The groups of options that verbs share are in shell/args/groups.h; exit statuses, and say(), which
// reports a failure and returns the given exit status, in shell/output/say.h. Displayed values come
// from pmon_statistics_add() (verbs/values/values.c), averages from logs_statistics(). Operands are
// logs; a verb with VERB_CONDITION has its first operand in args->condition, whatever it means
// there.

#ifndef PMON_SHELL_ARGS_VERB_H
#define PMON_SHELL_ARGS_VERB_H

#include "shell/args/option.h"

struct args;

enum verb_trait {
	VERB_STREAMS = 1, // prints samples as they arrive
	VERB_COLUMNS = 2, // ... in CSV with a column for each counter, so all must be known
	VERB_RAW = 4, // prints raw values: the first sample too, and those that differ between logs
	VERB_TEXTS = 8,         // prints texts; with VERB_COLUMNS they have no column
	VERB_NETWORK = 16,      // uses the network, so another process parses logs (logs_apart.c)
	VERB_OWNERS = 32,       // stores the process of each value
	VERB_WRITES_HERE = 128, // creates a file in the current folder if no output is named
	VERB_CONDITION = 256,   // the first operand is a condition, not a file
	VERB_BY_PROCESS = 512,  // always distinguishes processes
	VERB_MAYBE_CONDITION = 1024, // ... only if it has a backslash, as every condition does
	VERB_STATEMENT =
		4096, // the operand that is a statement of SQL is in args->condition, wherever it stands
	VERB_OR_MACHINE = 2048, // compares two logs, or one with this machine
	VERB_UNTIL = 64,        // the window ends with --until, because --to means something else
};

// One verb. The table of verbs (verbs.c) feeds the dispatcher, the help and the completions.
struct verb {
	const char *name;
	const char *operands;         // as shown in the usage line
	const char *summary;          // one line
	const char *details;          // --help after the options, with examples
	const struct option *options; // its options; NULL: none
	size_t own_size;              // size of its options struct (option.h)
	// With these options, does run() start programs, use the network or sample this machine, so
	// that another process parses logs? NULL: if it has VERB_NETWORK.
	bool (*is_apart)(const struct args *args);
	// Loads the library that run() needs with these options, before entering the sandbox; NULL:
	// none. Returns an exit status, after a message if it is not EXIT_DONE.
	int (*load)(const struct args *args);
	int (*run)(const struct args *args);
	// For a verb that parses its words itself, because they follow another program's rules.
	int (*run_words)(const struct verb *verb, int n, char *const *words);
	// How many samples of this machine the verb takes by default if no file is named: none,
	// because it needs a file; one; some; a minute's worth at the usual interval; no limit; or
	// no limit, with the verb itself waiting for each sample.
	enum {
		LIVE_NONE,
		LIVE_ONE,
		LIVE_SOME,
		LIVE_MINUTE,
		LIVE_ENDLESS,
		LIVE_PACED
	} live;
	unsigned traits; // of enum verb_trait
	// The most memory that it needs per series; 0: MEMORY_MOST. Measured with files that have
	// as many series as their size allows (tests/oracle/test_memory.py). Instances with one
	// counter need the most.
	size_t series_bytes;
};

// All verbs, in the order of the help, terminated by NULL. Defined in verbs/verbs.c.
extern const struct verb *const verb_table[];

const struct verb *verb_named(const char *name); // NULL when there is none

#endif
