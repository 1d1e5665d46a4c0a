// live.h - this machine instead of a log
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_LIVE_H
#define PMON_SHELL_INPUT_LIVE_H

#include "shell/input/request.h"

// What to do about a pattern that matches nothing yet, but could later: \Process(app)\* before app
// runs. A pattern that can never match is always an error.
enum live_patience {
	LIVE_NOW,   // it is an error
	LIVE_LATER, // sampling continues; the pattern may match later
	LIVE_AWAIT, // the same, and if nothing matches at all, opening waits for the first match
	LIVE_AWAIT_COLUMNS, // wait only: counters that appear after the first sample have no column
};

// How this machine is to be sampled, from the command line.
struct live_plan {
	int64_t interval_100ns;
	uint64_t count;         // samples to print; 0: until interrupted
	int64_t duration_100ns; // 0: no end
	// print the first sample; otherwise it only begins the first interval
	bool first_shown;
	bool bare;       // ignore signals; end when wake_fd becomes readable
	int wake_fd;     // for bare
	bool everything; // include objects that are sampled only when they are named
	enum live_patience patience;
	// NULL: SIGHUP is ignored, notices are printed.
	void (*rotate)(void *ctx); // called on SIGHUP
	pmon_notice_fn notice;
	void *ctx; // of both
};

// Parse the duration of an option; NULL leaves *out unchanged. Returns an exit status.
int live_length(const char *option, const char *text, int64_t *out_100ns);

// Parse --interval, --count and --duration; missing ones are 0, and the interval one second.
// Returns an exit status.
int live_plan(const struct sampling *sampling, struct live_plan *plan);

// Open this machine, or what --root and --replay name; select may be NULL. The first sample is
// taken at once, so that the schema lists the counters. The source ends as planned or when a signal
// ends the program. Returns an exit status.
int live_open(const struct request *request, const struct live_plan *plan,
	      struct pmon_select *select, struct pmon_source **out);

// Take samples until one has values, which is returned next; earlier ones do not count as samples
// of the plan. Meanwhile the source may end as planned. Returns an exit status.
int live_await(struct pmon_source *source);

// Did a signal end it?
bool live_was_interrupted(const struct pmon_source *source);

// Remove a name that means this machine on any machine from a counter path (\\localhost\...,
// \\.\...); leave other paths unchanged.
struct pmon_span live_local_path(struct pmon_span path);

// Is this the machine's name? Returns an exit status; for another machine, after a message that
// says what to do.
int live_check_machine(const struct request *request, const char *name);

// Is this a counter that appears with each new instance of its object?
bool live_may_come(const struct pmon_path *pattern);

// Print what to do about another machine.
void live_say_other(const char *machine, const char *other);

// Look up the counter of a series. False if it is unknown.
bool live_counter(const struct pmon_series *series, struct pmon_live_counter *out);
// The number of due samples that a source from live_open() missed.
uint64_t live_missed(const struct pmon_source *source);

#endif
