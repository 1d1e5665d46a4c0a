// request.h - the input of a verb: logs or this machine, counters, time window and options
// SPDX-License-Identifier: MIT
//
// The command line stays as the user typed it. A verb derives a request from it, adds its own
// needs, and opens it:
//
//	struct request request = request_from(args);
//
//	request.by_process = true;
//	status = logs_open(&logs, &request);
//
// A request points to lists and texts, which must outlive the logs that it opened.

#ifndef PMON_SHELL_INPUT_REQUEST_H
#define PMON_SHELL_INPUT_REQUEST_H

#include <pmon/pmon.h>

#include "shell/args/args.h"

struct request {
	// its name is used in messages; its traits determine how it reads
	const struct verb *verb;
	struct words logs; // none: this machine
	// an option that was given but applies only to the other kind of input; NULL: none
	const struct option *misplaced;

	// ---- Which counters
	struct words patterns; // the user's
	struct words pattern_files;
	struct words added; // the verb's: not reported if they match nothing
	// Patterns for counters that are read and returned in addition to the selected ones; the
	// last is NULL. The verb itself drops what the user did not select. NULL: none.
	const char *const *also;
	bool is_plain; // read all counters at all times, ignoring patterns and the window

	// ---- When
	const char *from;
	const char *to;
	const char *at; // the samples nearest to this time; then from and to are NULL
	const char *tz;
	struct sampling sampling; // for this machine

	// ---- Names of machines
	struct words machines;
	bool is_one_of_several; // the log is one of several that are opened separately

	// ---- Processes
	bool tells_processes;   // distinguish processes, so that their values are never mixed
	bool keeps_marks;       // keep what the log says about changed processes and set clocks
	bool by_process;        // one series for each process
	bool delivers_identity; // read and return the counters that identify processes
	bool no_starts;         // the output cannot store start values of processes
	bool owners_in_utc;     // as in struct pmon_identity_options
	bool identifies_later;  // the verb calls logs_identify() itself
	uint32_t forget_after;  // samples after which an ended process is forgotten; 0: never
	bool per_cpu;           // divide process time by the number of processors

	// ---- How logs are read
	struct reading reading;
	struct words inputs; // files that options name
	bool reads_once;     // and prints nothing before the end: logs_again()
	bool has_groups;     // --by: groups are kept, which need memory too
	size_t series_bytes; // memory per series; 0: the verb's default
	struct pmon_calc_options calc;
	enum out_format format; // of the output
	bool verbose;
};

// The request that the command line describes.
struct request request_from(const struct args *args);

// The same for one of its logs, or another one. name must outlive the request.
struct request request_of_log(const struct args *args, const char *const *name);

// Did the user select counters?
bool request_has_patterns(const struct request *request);

// Is a part of the log asked for, by its times?
bool request_has_window(const struct request *request);

// Does the verb print CSV with one column per counter?
bool request_has_columns(const struct request *request);

// For request->also: the counters from which averages per operation are computed in a log of
// displayed values (query/rates.h), if a pattern may select one; otherwise NULL.
const char *const *request_average_needs(const struct request *request);

// The most memory per series.
size_t request_series_bytes(const struct request *request);

// The names of this verb's window options: "--from", "--to".
const char *request_begin_option(const struct request *request);
const char *request_end_option(const struct request *request);

#endif
