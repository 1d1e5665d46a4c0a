// live.h - this machine in the place of a log
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INPUT_LIVE_H
#define PMON_CLI_INPUT_LIVE_H

#include "cli/args/args.h"

// What is done about a pattern that matches nothing yet, but may: \Process(app)\* before app runs. What
// can never match is an error always.
enum live_patience {
	LIVE_NOW,   // it is an error
	LIVE_LATER, // sampling goes on; the pattern may match later
	LIVE_AWAIT, // the same, and where nothing matches at all, opening waits for the first
	LIVE_AWAIT_COLUMNS, // only that: what comes after the first sample has no column
};

// What was asked of a live source on the command line.
struct live_plan {
	int64_t interval_100ns;
	uint64_t count;         // samples that are shown; 0: until it is interrupted
	int64_t duration_100ns; // 0: no end
	bool first_shown;       // else the first sample only begins the first interval
	bool bare;              // does not look at signals: ends when wake_fd becomes readable
	int wake_fd;            // of bare
	bool everything;        // objects too that are sampled only when they are named
	enum live_patience patience;
	// NULL: SIGHUP does nothing, notices are printed.
	void (*rotate)(void *ctx); // SIGHUP came
	pmon_notice_fn notice;
	void *ctx; // of both
};

// Read the duration that an option takes; NULL leaves it as it is. Returns an exit status.
int live_length(const char *option, const char *text, int64_t *out_100ns);

// Read --interval, --count and --duration; what is not given is 0, and the interval a second. Returns
// an exit status.
int live_plan(const struct args *args, struct live_plan *plan);

// Open this machine, or what --root and --replay name; select may be NULL. The first sample is taken
// at once, so that the schema lists what there is. The source ends as planned and when a signal ends
// the program. Returns an exit status.
int live_open(const struct args *args, const struct live_plan *plan, struct pmon_select *select,
	      struct pmon_source **out);

// Take samples until one has values, which is delivered next; those before it do not count as samples
// of the plan. The source ends meanwhile as planned. Returns an exit status.
int live_await(struct pmon_source *source);

// Has a signal ended it?
bool live_was_interrupted(const struct pmon_source *source);

// A counter path of this machine under a name that every machine has for itself (\\localhost\...,
// \\.\...), without it; others as they are.
struct pmon_span live_local_path(struct pmon_span path);

// Is this the machine that args name? Returns an exit status after saying what can be done about
// another one.
int live_check_machine(const struct args *args, const char *name);

// Is there a counter of this name that each instance of its object has, and that comes with one?
bool live_may_come(const struct pmon_path *pattern);

// Words on what can be done about another machine.
void live_say_other(const char *machine, const char *other);

// What is known of the counter of a series. False when nothing is.
bool live_counter(const struct pmon_series *series, struct pmon_live_counter *out);
// Samples that were due and could not be taken, of a source of live_open().
uint64_t live_missed(const struct pmon_source *source);

#endif
