// verb.h - what a verb is
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_VERB_H
#define PMON_CLI_ARGS_VERB_H

#include "cli/args/option.h"

struct args;

enum verb_trait {
	VERB_STREAMS = 1, // shows samples as they come
	VERB_COLUMNS = 2, // ... in CSV with a column for each counter, which must all be known
	VERB_RAW = 4, // shows raw values: the first sample too, and those that differ between logs
	VERB_TEXTS = 8,         // shows texts; in VERB_COLUMNS there is no place for them
	VERB_NETWORK = 16,      // has a network, so that another process parses logs (logs_apart.c)
	VERB_OWNERS = 32,       // keeps with each value the process that it is of
	VERB_WRITES_HERE = 128, // makes a file in the current folder where no output is named
	VERB_CONDITION = 256,   // the first operand is a condition, not a file
	VERB_BY_PROCESS = 512,  // tells processes apart in any case
	VERB_MAYBE_CONDITION = 1024, // ... only if it has a backslash, as every condition does
	VERB_OR_MACHINE = 2048,      // compares two logs, or a single one with this machine
	VERB_UNTIL = 64, // the window ends with --until, because --to means something else
};

// One verb. The table of them (verbs.c) feeds the dispatcher, the help and the completions.
struct verb {
	const char *name;
	const char *operands;         // as shown in the usage line
	const char *summary;          // one line
	const char *details;          // what --help says beyond the options, with examples
	const struct option *options; // that it takes; NULL: none
	// Loads the library that run() needs with these options, before the sandbox is entered; NULL:
	// none. Returns an exit status, after a message if it is not EXIT_DONE.
	int (*load)(const struct args *args);
	int (*run)(const struct args *args);
	// A verb that reads its words itself, because they follow another program's rules.
	int (*run_words)(const struct verb *verb, int n, char *const *words);
	// How many samples of this machine the verb takes where no file is named, and nothing is said
	// of it: none, because it needs a file; one; some; a minute's worth at the usual interval;
	// for ever; or for ever, the verb itself waiting for the time of the next.
	enum {
		LIVE_NONE,
		LIVE_ONE,
		LIVE_SOME,
		LIVE_MINUTE,
		LIVE_ENDLESS,
		LIVE_PACED
	} live;
	unsigned traits; // of enum verb_trait
	// Memory that it takes for a series at the most; 0: MEMORY_MOST. Measured with files that have as many
	// series as their size allows (tests/oracle/test_memory.py). Instances with one counter take the most.
	size_t series_bytes;
};

#endif
